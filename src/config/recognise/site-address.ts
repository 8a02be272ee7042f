import { posix } from 'node:path';
import type { PresetName } from '../../content/presets/names.ts';
import { isJsonObject, jsonValue } from '../../text/json-value.ts';
import { urlOf } from '../../text/url.ts';
import { textsOf, valueAt } from '../../content/presets/pages/side-file.ts';
import { exportsOf } from '../../content/presets/settings/literals.ts';
import { below, isPublicAddress, joined } from './site-facts.ts';
import type { SiteFacts } from './site-facts.ts';
import type { RepositoryTree } from './tree.ts';

/** Of a site whose settings do not say where it is published. `root` is the folder of the settings, `content` that of the pages. */
export interface SitePlace {
  readonly preset: PresetName;
  readonly root: string;
  readonly content: string;
  readonly facts: SiteFacts;
}

/** Folders in which people keep the file for their host. */
const BESIDE_PAGES = [
  '',
  'static',
  'public',
  'src',
  'source',
  'docs',
  '.vuepress/public',
  'docs/.vuepress/public',
];

/** Where other files of the site say that it is published, the surest first. */
export function addressBeside(tree: RepositoryTree, place: SitePlace): string | undefined {
  return [
    () => namedHost(tree, place),
    () => sitemapAddress(tree, place),
    () => metadataBase(tree, place),
    () => homepage(tree, place),
  ]
    .map((find) => find())
    .find(isPublicAddress);
}

/** The address that the file of a host names. */
function namedHost(tree: RepositoryTree, { root, content, facts }: SitePlace): string | undefined {
  const beside = BESIDE_PAGES.map((folder) => posix.join(root, folder));
  const text = firstText(tree, [content, posix.join(content, 'public'), ...beside], 'CNAME');
  return text === undefined ? undefined : hostedAt(text, facts.sitePath);
}

/** The host that GitHub Pages and others read from a file `CNAME` beside the pages; undefined: the text is none. */
function hostedAt(text: string, path: string | undefined): string | undefined {
  const host = text.trim();
  return /^(?:[\w-]+\.)+[a-z]{2,}$/i.test(host) ? joined(`https://${host}`, path) : undefined;
}

/** `Sitemap:` of robots.txt is a whole address, in the folder of the site or at the root of its host (https://www.sitemaps.org/protocol.html#location). */
function sitemapAddress(
  tree: RepositoryTree,
  { preset, root, content, facts }: SitePlace,
): string | undefined {
  const copied = COPIED[preset]?.map((folder) => posix.join(root, folder)) ?? [];
  const inContent = HAVE_PUBLIC.has(preset) ? [posix.join(content, 'public')] : [];
  // A folder that the generator does not copy is another program's, as `public` beside mkdocs.yml.
  const text = firstText(tree, [content, ...inContent, ...copied], 'robots.txt') ?? '';
  const folder = only(
    [...text.matchAll(/^[ \t]*sitemap[ \t]*:[ \t]*(https?:\/\/[^\s#]+)/gim)].flatMap(
      ([, address = '']) => urlOf('.', address)?.href ?? [],
    ),
  );
  if (folder === undefined) return undefined;
  const { origin, pathname } = new URL(folder);
  const site = joined(origin, facts.sitePath);
  return pathname === '/' || folder === site || folder === `${site}/` ? site : undefined;
}

/** Folders that a generator copies beside its pages, from that of the settings. */
const COPIED: Readonly<Partial<Record<PresetName, readonly string[]>>> = {
  docusaurus: ['static'],
  eleventy: ['', 'public', 'src', 'static'],
  fumadocs: ['public'],
  hexo: ['source'],
  hugo: ['static'],
  nextra: ['public'],
  nuxt: ['public'],
  starlight: ['public'],
  vocs: ['docs/public', 'public'],
  vuepress: ['.vuepress/public', 'docs/.vuepress/public'],
};
/** They copy `public` of the folder of the pages. */
const HAVE_PUBLIC: ReadonlySet<PresetName> = new Set(['rspress', 'vitepress']);

/** The address of a site of Next.js (https://nextjs.org/docs/app/api-reference/functions/generate-metadata#metadatabase). */
function metadataBase(tree: RepositoryTree, { preset, root, facts }: SitePlace): string | undefined {
  if (preset !== 'nextra' && preset !== 'fumadocs') return undefined;
  const said = only(
    tree.paths
      .filter((path) => LAYOUT.test(root === '' ? path : posix.relative(root, path)))
      .map((path) => exportsOf(tree.readText(path) ?? ''))
      .flatMap((exported) => [exported.get('metadata'), exported.get('generateMetadata')])
      .flatMap((metadata) => textsOf(valueAt(metadata, 'metadataBase'))),
  );
  return said === undefined ? undefined : below(said, facts.sitePath);
}

const LAYOUT = /^(?:src\/)?app\/(?:(?:\[[^/]+\]|\([^/]+\))\/)*layout\.[jt]sx?$/;

/** The package that builds the site, in the folder of its settings, names the site as its homepage (https://docs.npmjs.com/cli/configuring-npm/package-json#homepage). */
function homepage(tree: RepositoryTree, { preset, root, facts }: SitePlace): string | undefined {
  const made = jsonValue(tree.readText(posix.join(root, 'package.json')) ?? '');
  const needs = BUILT_BY[preset];
  const address = valueAt(made, 'homepage');
  if (needs === undefined || typeof address !== 'string' || !isPublicAddress(address)) return undefined;
  const packages = ['dependencies', 'devDependencies'].flatMap((key) => {
    const said = valueAt(made, key);
    return isJsonObject(said) ? Object.keys(said) : [];
  });
  // The homepage of a package that others use is about that package.
  const isUsed = ['main', 'module', 'exports', 'bin'].some((key) => valueAt(made, key) !== undefined);
  if (isUsed || !packages.some((name) => needs.test(name)) || showsCode(address, made)) return undefined;
  return below(address.replace(/[?#].*$/, ''), facts.sitePath);
}

/** `npm init` writes the address of the repository. */
function showsCode(address: string, made: unknown): boolean {
  const host = urlOf(address)?.hostname ?? '';
  const repository = valueAt(made, 'repository');
  const [code = ''] = textsOf(typeof repository === 'string' ? repository : valueAt(repository, 'url'));
  return CODE_HOST.test(host) || address.endsWith('#readme') || code.split(/[/:@]/).includes(host);
}

const BUILT_BY: Readonly<Partial<Record<PresetName, RegExp>>> = {
  vitepress: /^vitepress$/,
  vuepress: /^(?:vuepress|@vuepress\/core)$/,
  starlight: /^@astrojs\/starlight$/,
  nextra: /^nextra$/,
  fumadocs: /^fumadocs-(?:core|ui|mdx)$/,
  eleventy: /^@11ty\/eleventy$/,
  docsify: /^docsify(?:-cli)?$/,
};
/** They show the code, not the site. */
const CODE_HOST = /(?:^|\.)(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org|npmjs\.com|gitee\.com)$/;

function firstText(tree: RepositoryTree, folders: readonly string[], name: string): string | undefined {
  return folders
    .map((folder) => tree.readText(posix.normalize(posix.join(folder, name))))
    .find((found) => found !== undefined);
}

/** The one value of a list that says nothing else. */
function only(values: readonly string[]): string | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}

import { posix } from 'node:path';
import type { PresetName } from '../../content/presets/names.ts';
import { isJsonObject, jsonValue } from '../../text/json-value.ts';
import { urlOf } from '../../text/url.ts';
import { valueAt } from '../../content/presets/pages/side-file.ts';
import { isPublicAddress, joined } from './site-facts.ts';
import type { SiteFacts } from './site-facts.ts';
import type { RepositoryTree } from './tree.ts';

/** Of a site whose settings do not say where it is published. `root` is the folder of the settings, `content` that of the pages. */
export interface SitePlace {
  readonly preset: PresetName;
  readonly root: string;
  readonly content: string;
  readonly facts: SiteFacts;
}

/** Folders whose files a generator puts beside its pages. */
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
function namedHost(tree: RepositoryTree, place: SitePlace): string | undefined {
  const text = besidePages(tree, place, 'CNAME');
  return text === undefined ? undefined : hostedAt(text, place.facts.sitePath);
}

/** The host that GitHub Pages and others read from a file `CNAME` beside the pages; undefined: the text is none. */
function hostedAt(text: string, path: string | undefined): string | undefined {
  const host = text.trim();
  return /^(?:[\w-]+\.)+[a-z]{2,}$/i.test(host) ? joined(`https://${host}`, path) : undefined;
}

/** `Sitemap:` of robots.txt is a whole address, and a sitemap is about what lies below its folder (https://www.sitemaps.org/protocol.html#location). */
function sitemapAddress(tree: RepositoryTree, place: SitePlace): string | undefined {
  const text = besidePages(tree, place, 'robots.txt') ?? '';
  const folders = new Set(
    [...text.matchAll(/^[ \t]*sitemap[ \t]*:[ \t]*(https?:\/\/[^\s#]+)/gim)].flatMap(
      ([, address = '']) => urlOf('.', address)?.href ?? [],
    ),
  );
  const [folder] = folders;
  return folder === undefined || folders.size > 1 ? undefined : below(folder, place.facts.sitePath);
}

/** The address of a site of Next.js (https://nextjs.org/docs/app/api-reference/functions/generate-metadata#metadatabase). */
function metadataBase(tree: RepositoryTree, { preset, root, facts }: SitePlace): string | undefined {
  if (preset !== 'nextra' && preset !== 'fumadocs') return undefined;
  const said = tree.paths
    .filter((path) => LAYOUT.test(root === '' ? path : posix.relative(root, path)))
    .flatMap((path) => METADATA_BASE.exec(tree.readText(path) ?? '')?.[1] ?? []);
  return said[0] === undefined ? undefined : below(said[0], facts.sitePath);
}

const LAYOUT = /^(?:src\/)?app\/(?:(?:\[[^/]+\]|\([^/]+\))\/)*layout\.[jt]sx?$/;
const METADATA_BASE = /\bmetadataBase\s*:\s*new URL\(\s*["'`](https?:\/\/[^"'`$\s]+)["'`]\s*\)/;

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
  if (!packages.some((name) => needs.test(name)) || CODE_HOST.test(urlOf(address)?.hostname ?? ''))
    return undefined;
  return below(address.replace(/[?#].*$/, ''), facts.sitePath);
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

function besidePages(tree: RepositoryTree, { root, content }: SitePlace, name: string): string | undefined {
  return [content, posix.join(content, 'public'), ...BESIDE_PAGES.map((folder) => posix.join(root, folder))]
    .map((folder) => tree.readText(posix.normalize(posix.join(folder, name))))
    .find((found) => found !== undefined);
}

/** The settings say below which path of a host the site is; an address that has a path says it itself. */
function below(address: string, path: string | undefined): string | undefined {
  return joined(address, urlOf(address)?.pathname === '/' ? path : '');
}

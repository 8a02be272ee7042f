import { posix } from 'node:path';
import type { PresetInput } from '../pages/page-preset.ts';
import { redirectsOf } from '../pages/redirected.ts';
import type { SiteRedirect } from '../pages/redirected.ts';
import { fromList } from '../pages/site-redirects.ts';
import type { Foreign, MovedAddress } from '../preset.ts';
import { isCall } from './literals.ts';
import { folderPrefix, settingAt, settingsFrom, siteSettings } from './site-settings.ts';
import { sideFile, allTextsOf, textsOf } from '../pages/side-file.ts';

/** What `docusaurus.config` says about the docs. */
export interface DocusaurusSettings {
  readonly text: string;
  readonly problems: Foreign['problems'];
  /** The folder of the settings from the content folder: `''`, `website/`, `../`. */
  readonly site: string;
  /** The path below which the site is served. */
  readonly baseUrl: string | undefined;
  /** `staticDirectories`, from the content folder. */
  readonly publicFolders: readonly string[];
  /** Whether a page is MDX, as `markdown.format` says: all, those that end in .mdx (`detect`), or none (`md`). */
  readonly isMdx: (path: string) => boolean;
  /** The same as old addresses of pages. */
  readonly moved: readonly MovedAddress[];
  /** What the plugin for redirects in the browser is told. */
  readonly redirects: readonly SiteRedirect[];
  /** The languages that the site is built in; empty: the settings do not say. */
  readonly locales: readonly string[];
  /** The docs of the preset first, then those of further plugins. */
  readonly docs: readonly Docs[];
}

/** One plugin of docs, in the version that readers see first. */
export interface Docs {
  /** Undefined: the site's main docs. */
  readonly id: string | undefined;
  /** The folder of the pages from the content folder, with a slash at its end; `''`: the content folder itself. */
  readonly folder: string;
  /** `docs/`, if another version is shown and it is no version itself; undefined: `folder` is it. */
  readonly unreleased: string | undefined;
  /** `current`, or the version that is shown. */
  readonly version: string;
  /** Globs from the folder; without `include` all pages are meant. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** The first part of the docs' addresses; empty: they are the whole site. */
  readonly route: string;
  /** The file of the sidebars from the content folder; undefined: the folders are the sidebar. */
  readonly sidebars: string | undefined;
}

const DOCUSAURUS_SETTINGS: readonly string[] = ['js', 'ts', 'mjs', 'mts', 'cjs', 'cts'].flatMap(
  // Docs beside the site's folder, which is called so in Docusaurus' own guide: `path: '../docs'`.
  (form) => [`docusaurus.config.${form}`, `website/docusaurus.config.${form}`],
);

const SETTINGS = /^(?:[^/]+\/){1,3}docusaurus\.config\.[cm]?[jt]s$/;
const DOCS = /(?:^|\/)plugin-content-docs$/;
const REDIRECTS = /(?:^|\/)plugin-client-redirects$/;
const PRESET = /^(?:@docusaurus\/preset-)?classic$/;
const CURRENT = 'current';

export function docusaurusSettings(input: Pick<PresetInput, 'readText' | 'paths'>): DocusaurusSettings {
  const elsewhere = input.paths.filter((path) => SETTINGS.test(path)).sort((a, b) => depth(a) - depth(b));
  const { value, text, path, problems } = siteSettings(input, [
    ...DOCUSAURUS_SETTINGS,
    ...elsewhere.slice(0, 1),
  ]);
  const site = path === undefined ? '' : folderPrefix(path);
  const folders = textsOf(settingAt(value, 'staticDirectories'));
  const [baseUrl] = textsOf(settingAt(value, 'baseUrl'));
  const found = docsOptions(value);
  const docs = (found.length === 0 ? [undefined] : found)
    .map((options) => docsOf(options, path === undefined ? undefined : site, input))
    // Further docs that the content folder does not hold.
    .filter(({ folder }, index) => index === 0 || folder !== '')
    // Without docs of the preset, those that are the whole site come first.
    .sort((a, b) => Number(isFurther(a)) - Number(isFurther(b)));
  const versions = docs.map(({ id }) => {
    const file = versionsFile(site, id);
    return { path: file, text: input.readText(file) ?? '' };
  });
  return {
    text: [text, ...versions.map((file) => file.text)].join('\n'),
    problems: [
      ...problems,
      ...versions.flatMap((file) =>
        sideFile(file.text).problems.map((problem) => ({ path: file.path, problem })),
      ),
    ],
    site,
    docs,
    locales: allTextsOf(settingAt(value, 'i18n', 'locales')).flatMap((locale) => [
      locale,
      ...textsOf(settingAt(value, 'i18n', 'localeConfigs', locale, 'path')),
    ]),
    redirects: optionsOf(value, 'plugins', REDIRECTS).flatMap((options) =>
      redirectsOf(settingAt(options, 'redirects'), 'from', 'to'),
    ),
    moved: optionsOf(value, 'plugins', REDIRECTS).flatMap((options) =>
      fromList(settingAt(options, 'redirects'), { file: path ?? '', text, base: baseUrl }),
    ),
    baseUrl,
    isMdx: mdxPages(textsOf(settingAt(value, 'markdown', 'format'))[0]),
    publicFolders: (folders.length === 0 ? ['static'] : folders).map((name) => `${site}${name}`),
  };
}

function mdxPages(format: string | undefined): (path: string) => boolean {
  return (path) => (format === 'detect' ? /\.mdx$/i.test(path) : format !== 'md');
}

function isFurther({ id, route }: Docs): boolean {
  return id !== undefined && route !== '';
}

/** The options of the docs: of the classic preset, then of each docs plugin. */
export function docsOptions(settings: unknown): readonly unknown[] {
  const preset = optionsOf(settings, 'presets', PRESET)
    .map((options) => settingAt(options, 'docs'))
    .filter((docs) => docs !== false);
  return [...preset.slice(0, 1), ...optionsOf(settings, 'plugins', DOCS)];
}

/** What each entry of this name is given: `['classic', { … }]`, `[require.resolve('…'), { … }]`. */
function optionsOf(settings: unknown, key: string, wanted: RegExp): readonly unknown[] {
  const found = settingAt(settings, key);
  return (Array.isArray(found) ? found : []).flatMap((item: unknown): readonly unknown[] => {
    const [name, options]: readonly unknown[] = Array.isArray(item) ? item : [item];
    return wanted.test(addressIn(name) ?? '') ? [options] : [];
  });
}

/** A text, or what `require.resolve` is given. */
function addressIn(value: unknown): string | undefined {
  return textsOf(isCall(value) ? value.given.at(-1) : value)[0];
}

function docsOf(
  options: unknown,
  settingsFolder: string | undefined,
  { readText, paths }: Pick<PresetInput, 'readText' | 'paths'>,
): Docs {
  const site = settingsFolder ?? '';
  const [said] = textsOf(settingAt(options, 'id'));
  const id = said === 'default' ? undefined : said;
  const [written = 'docs'] = textsOf(settingAt(options, 'path'));
  const inContent = posix.join(site, written).replace(/(?<!\/)\/+$/, '');
  const has = (folder: string): boolean => paths.some((path) => path.startsWith(folder));
  // Once the last page is deleted, the settings alone say where the next one goes.
  const isEmpty = settingsFolder !== undefined && !inContent.startsWith('..') && !paths.some(isPage);
  // With `content: docs` the pages lie at the top.
  const current = has(`${inContent}/`) || isEmpty ? `${inContent}/` : '';
  const version = shownVersion(options, readText(versionsFile(site, id)));
  const kept = `${site}${prefixed(id, 'versioned_docs')}/version-${version}/`;
  const isKept = version !== CURRENT && has(kept);
  const [route = 'docs'] = textsOf(settingAt(options, 'routeBasePath'));
  const file = addressIn(settingAt(options, 'sidebarPath'));
  return {
    id,
    folder: isKept ? kept : current,
    unreleased: isKept ? current : undefined,
    version: isKept ? version : CURRENT,
    include: allTextsOf(settingAt(options, 'include')),
    exclude: textsOf(settingAt(options, 'exclude')),
    route: route.replaceAll(/^\/+|(?<!\/)\/+$/g, ''),
    sidebars: isKept
      ? `${site}${prefixed(id, 'versioned_sidebars')}/version-${version}-sidebars.json`
      : file === undefined
        ? undefined
        : posix.join(site, file),
  };
}

function isPage(path: string): boolean {
  return /\.mdx?$/.test(path);
}

/** `lastVersion`, else the newest kept version that is not left out, else the docs as they are in their folder. */
function shownVersion(options: unknown, versionsText: string | undefined): string {
  const kept =
    versionsText === undefined || settingAt(options, 'disableVersioning') === true
      ? []
      : textsOf(settingsFrom('versions.json', versionsText).value);
  const only = textsOf(settingAt(options, 'onlyIncludeVersions'));
  const [last] = textsOf(settingAt(options, 'lastVersion'));
  return (
    last ?? kept.find((name) => name !== CURRENT && (only.length === 0 || only.includes(name))) ?? CURRENT
  );
}

function versionsFile(site: string, id: string | undefined): string {
  return `${site}${prefixed(id, 'versions.json')}`;
}

/** `community_versions.json` of the plugin `community`. */
function prefixed(id: string | undefined, name: string): string {
  return id === undefined ? name : `${id}_${name}`;
}

function depth(path: string): number {
  return path.split('/').length;
}

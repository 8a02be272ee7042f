import { posix } from 'node:path';
import type { PresetName } from '../../content/presets/names.ts';
import { isLanguageName } from '../../content/presets/pages/page-languages.ts';
import { textsOf, valueAt } from '../../content/presets/pages/side-file.ts';
import { exportsOf, givenTo, isCall } from '../../content/presets/settings/literals.ts';
import { docsOptions } from '../../content/presets/settings/docusaurus.ts';
import { hugoSettings } from '../../content/presets/settings/hugo.ts';
import { mkdocsValue, pluginOptions } from '../../content/presets/settings/mkdocs.ts';
import { languagesOf, mountedFolder } from '../../content/presets/settings/hugo-mounts.ts';
import { importsFrom, settingAt, settingsFrom } from '../../content/presets/settings/site-settings.ts';
import { siteName } from './site-name.ts';
import { hostnameIn } from './vuepress-address.ts';
import { isJsonObject } from '../../text/json-value.ts';
import { isUrl, urlOf } from '../../text/url.ts';

/** What a generator's own settings say about its site. */
export interface SiteFacts {
  readonly name?: string | undefined;
  readonly defaultLanguage?: string | undefined;
  /** Folders or suffixes of the languages; undefined: the settings do not say. */
  readonly languages?: readonly string[] | undefined;
  /** Codes of those of them whose name is none. */
  readonly codes?: Readonly<Record<string, string>>;
  /** From the folder of the settings; undefined: where the generator looks by itself. */
  readonly content?: string | undefined;
  /** Where the site is published. */
  readonly siteUrl?: string | undefined;
  /** The path below which the site is served, where only a host's own file names the host. */
  readonly sitePath?: string | undefined;
  /** Files of the content folder are published below that address, under the same names. */
  readonly servesContent?: boolean;
  /** Globs of what the generator does not take for pages, from the content folder. */
  readonly exclude?: readonly string[];
}

/** `name` is the file of the settings; `readText` reads beside it, and `beside` are the files there. */
export function siteFacts(
  preset: PresetName,
  name: string,
  readText: (path: string) => string | undefined,
  beside: readonly string[],
): SiteFacts {
  const text = readText(name);
  const value =
    text === undefined
      ? undefined
      : settingsFrom(name, text, importsFrom(name.slice(0, name.lastIndexOf('/') + 1), readText)).value;
  const at = (...keys: readonly string[]): string | undefined => textsOf(settingAt(value, ...keys))[0];
  const facts = FACTS[preset]?.({ name, text, value, at, readText, beside });
  return { ...facts, name: siteName(preset, { name, value, readText }) };
}

interface Site {
  readonly name: string;
  readonly text: string | undefined;
  /** The settings. */
  readonly value: unknown;
  /** The text of one of them. */
  readonly at: (...keys: readonly string[]) => string | undefined;
  readonly readText: (path: string) => string | undefined;
  readonly beside: readonly string[];
}

/** Of a generator that is not here nothing is known. */
const FACTS: Readonly<Partial<Record<PresetName, (site: Site) => SiteFacts>>> = {
  docusaurus: factsOfDocusaurus,
  starlight: factsOfStarlight,
  vitepress: factsOfVitepress,
  vuepress: factsOfVuepress,
  mkdocs: factsOfMkdocs,
  hugo: factsOfHugo,
  jekyll: factsOfJekyll,
  nextra: factsOfNextra,
  fumadocs: factsOfFumadocs,
  mdbook: factsOfMdbook,
  gitbook: factsOfGitbook,
  docsify: () => ({ servesContent: true }),
  mintlify: factsOfMintlify,
  fern: factsOfFern,
  docfx: factsOfDocfx,
  myst: factsOfMyst,
  vocs: factsOfVocs,
  rspress: factsOfRspress,
  hexo: factsOfHexo,
  nuxt: factsOfNuxt,
  eleventy: factsOfEleventy,
  quarto: factsOfQuarto,
  bookdown: factsOfBookdown,
  retype: factsOfRetype,
  writerside: factsOfWriterside,
};

/** `.gitbook.yaml` is read by the layout; book.json of HonKit speaks of a folder and a language. */
function factsOfGitbook({ name, at }: Site): SiteFacts {
  const language = at('language');
  return posix.basename(name) === 'book.json'
    ? {
        content: at('root'),
        defaultLanguage: language !== undefined && isLanguageName(language) ? language : undefined,
      }
    : {};
}

function factsOfDocusaurus({ name, value, readText, at }: Site): SiteFacts {
  const locales = textsOf(settingAt(value, 'i18n', 'locales'));
  const languages = locales.length === 0 ? undefined : locales;
  const folders = docsOptions(value).map((options) =>
    posix.normalize(textsOf(settingAt(options, 'path'))[0] ?? 'docs'),
  );
  // Docs beside the folder of the site: `path: '../docs'`. Its translations, kept versions and further docs lie in other folders.
  const beside = folders.filter((folder) => folder.startsWith('../'));
  const isBoth =
    folders.length > 1 ||
    locales.length > 1 ||
    readText(posix.join(posix.dirname(name), 'versions.json')) !== undefined;
  const [highest = ''] = beside
    .map((folder) => /^(?:\.\.\/)+/.exec(folder)?.[0] ?? '')
    .sort((a, b) => b.length - a.length);
  return {
    content: beside.length === 0 ? undefined : isBoth ? highest : beside[0],
    defaultLanguage: at('i18n', 'defaultLocale'),
    languages,
    siteUrl: joined(at('url'), at('baseUrl')),
    sitePath: at('baseUrl'),
  };
}

function factsOfStarlight({ value, at }: Site): SiteFacts {
  const options = givenTo(valueAt(value, 'integrations'), 'starlight');
  const said = settingAt(options, 'locales');
  const locales = typeof said === 'object' && said !== null ? Object.keys(said) : undefined;
  const [main] = textsOf(settingAt(options, 'defaultLocale'));
  const root = textsOf(settingAt(said, 'root', 'lang'))[0] ?? 'en';
  const defaultLanguage =
    main === undefined || main === 'root' ? (said === undefined ? undefined : root) : main;
  return {
    defaultLanguage,
    languages: locales?.map((locale) => (locale === 'root' ? root : locale)),
    siteUrl: joined(at('site'), at('base')),
    sitePath: at('base'),
  };
}

function factsOfVitepress({ value, at }: Site): SiteFacts {
  const said = settingAt(value, 'locales');
  const locales =
    typeof said === 'object' && said !== null && !Array.isArray(said)
      ? Object.keys(said).map((locale) => locale.replaceAll('/', ''))
      : undefined;
  const root = at('locales', 'root', 'lang') ?? at('locales', '/', 'lang') ?? at('lang');
  const language = root === undefined ? undefined : plainCode(root, locales ?? []);
  return {
    defaultLanguage: language,
    languages: locales?.map((locale) => (locale === 'root' || locale === '' ? (language ?? 'en') : locale)),
    content: at('srcDir'),
    siteUrl: at('sitemap', 'hostname'),
    sitePath: at('base'),
  };
}

/** The address is an option of plugins and themes (https://ecosystem.vuejs.press/plugins/seo/sitemap/#hostname); `base` stands beside it. */
function factsOfVuepress(site: Site): SiteFacts {
  const facts = factsOfVitepress(site);
  const said = hostnameIn(site.value);
  if (!isPublicAddress(said) || facts.siteUrl !== undefined) return facts;
  return { ...facts, siteUrl: below(said, facts.sitePath) };
}

function factsOfMkdocs({ name, value }: Site): SiteFacts {
  const settings = mkdocsValue(name, value);
  const i18n = pluginOptions(settings, 'i18n', 'languages');
  const said = (Array.isArray(i18n) ? i18n : []).map((each: unknown) => ({
    locale: textsOf(valueAt(each, 'locale'))[0],
    isDefault: valueAt(each, 'default') === true,
  }));
  const languages = said.flatMap(({ locale }) => (locale === undefined ? [] : [locale]));
  return {
    defaultLanguage:
      said.find(({ isDefault }) => isDefault)?.locale ?? textsOf(settingAt(settings, 'theme', 'language'))[0],
    languages: languages.length === 0 ? undefined : languages,
    content: textsOf(settingAt(settings, 'docs_dir'))[0],
    siteUrl: textsOf(settingAt(settings, 'site_url'))[0],
    servesContent: true,
  };
}

function factsOfHugo({ readText, beside }: Site): SiteFacts {
  const settings = hugoSettings(
    { readText },
    beside.flatMap((path) => /(?:^|\/)languages\.([\w-]+)\.\w+$/.exec(path)?.[1] ?? []),
  ).value;
  const languages = languagesOf(settings);
  const [base] = textsOf(settingAt(settings, 'baseURL'));
  const codes = Object.keys(languages).filter((code) => settingAt(languages, code, 'disabled') !== true);
  return {
    defaultLanguage: textsOf(settingAt(settings, 'defaultContentLanguage'))[0],
    languages: codes.length === 0 ? undefined : codes,
    content: mountedFolder(settings) ?? textsOf(settingAt(settings, 'contentDir'))[0],
    siteUrl: [base, docsyAddress(settings)].find(isPublicAddress) ?? base,
  };
}

/** Docsy's link to the newest version of the site: https://www.docsy.dev/docs/content/versioning/. */
function docsyAddress(settings: unknown): string | undefined {
  const [said] = textsOf(settingAt(settings, 'params', 'url_latest_version'));
  return said === undefined ? undefined : urlOf('/', said)?.href;
}

function factsOfJekyll({ value, at }: Site): SiteFacts {
  const languages = textsOf(settingAt(value, 'languages'));
  return {
    defaultLanguage: at('default_lang') ?? at('lang'),
    languages: languages.length === 0 ? undefined : languages,
    content: at('source'),
    siteUrl: joined(at('url'), at('baseurl')),
    sitePath: at('baseurl'),
    servesContent: true,
  };
}

function factsOfNextra({ value, at }: Site): SiteFacts {
  const locales = textsOf(settingAt(value, 'i18n', 'locales'));
  return {
    defaultLanguage: at('i18n', 'defaultLocale'),
    languages: locales.length === 0 ? undefined : locales,
    sitePath: at('basePath'),
  };
}

/** Of several collections the one without `dir` comes first: it is `content/docs` (https://fumadocs.dev/docs/mdx/collections). */
function factsOfFumadocs({ text = '' }: Site): SiteFacts {
  const collections = [...exportsOf(text).values()]
    .filter(isCall)
    .filter(({ call }) => call === 'defineDocs')
    .map(({ given }) => (given.length === 0 ? {} : given[0]));
  if (collections.some(hasNoDir)) return {};
  const [dir] = collections.flatMap((options) => textsOf(valueAt(options, 'dir')));
  // `export const { docs, meta } = defineDocs(…)` is older, and has one collection.
  return { content: dir ?? /defineDocs\(\s*\{[^}]*?\bdir:\s*['"]([^'"]+)['"]/.exec(text)?.[1] };
}

/** A `dir` that nobody can read without running the settings is one. */
function hasNoDir(options: unknown): boolean {
  return isJsonObject(options) && !isCall(options) && !Object.hasOwn(options, 'dir');
}

function factsOfMdbook({ at }: Site): SiteFacts {
  // A path, or a whole address.
  const path = at('output', 'html', 'site-url');
  const host = at('output', 'html', 'cname');
  return {
    defaultLanguage: at('book', 'language'),
    siteUrl: host === undefined ? joined(path, '') : joined(`https://${host}`, path),
    sitePath: path,
  };
}

/** The canonical address is that of all pages, each below it (https://mintlify.com/docs/optimize/seo); mint.json has it in `metadata`. */
function factsOfMintlify({ value, at }: Site): SiteFacts {
  const said = settingAt(value, 'navigation', 'languages');
  const languages: readonly unknown[] = Array.isArray(said) ? said : [];
  const main = languages.find((each) => valueAt(each, 'default') === true) ?? languages[0];
  const [code] = textsOf(valueAt(main, 'language'));
  return {
    defaultLanguage: code !== undefined && isLanguageName(code) ? code : undefined,
    siteUrl: joined(at('seo', 'metatags', 'canonical') ?? at('metadata', 'canonical'), ''),
  };
}

function factsOfFern({ readText }: Site): SiteFacts {
  const docs = readText('docs.yml');
  const instances =
    docs === undefined ? undefined : valueAt(settingsFrom('docs.yml', docs).value, 'instances');
  const [instance]: readonly unknown[] = Array.isArray(instances) ? instances : [];
  const [address] = [...textsOf(valueAt(instance, 'custom-domain')), ...textsOf(valueAt(instance, 'url'))];
  return {
    siteUrl:
      address === undefined
        ? undefined
        : joined(/^https?:/.test(address) ? address : `https://${address}`, ''),
  };
}

function factsOfDocfx({ value, at, readText }: Site): SiteFacts {
  return { siteUrl: learnUrl(value, readText) ?? joined(at('build', 'sitemap', 'baseUrl'), '') };
}

function bookAddress(readText: Site['readText']): string | undefined {
  const text = readText('_config.yml');
  if (text === undefined) return undefined;
  return textsOf(settingAt(settingsFrom('_config.yml', text).value, 'html', 'baseurl'))[0];
}

/** `html_baseurl` of Sphinx (https://www.sphinx-doc.org/en/master/usage/configuration.html#confval-html_baseurl), `html.baseurl` of Jupyter Book. */
function factsOfMyst({ name, text, readText }: Site): SiteFacts {
  const conf = (name.endsWith('.py') ? text : readText('conf.py')) ?? '';
  const said = (key: string): string | undefined =>
    new RegExp(String.raw`^${key}\s*=\s*["']([^"'\n]+)["'][ \t]*(?:#[^\n]*)?$`, 'm').exec(conf)?.[1];
  return {
    defaultLanguage: languageCode(said('language')),
    siteUrl: joined(said('html_baseurl') ?? bookAddress(readText), ''),
  };
}

function factsOfVocs({ value, at }: Site): SiteFacts {
  const [folder] = textsOf(settingAt(value, 'rootDir'));
  return {
    content: folder === undefined ? undefined : posix.join(folder, 'pages'),
    siteUrl: joined(at('baseUrl'), at('basePath')),
    sitePath: at('basePath'),
  };
}

function factsOfRspress({ value, at }: Site): SiteFacts {
  const said = settingAt(value, 'locales') ?? settingAt(value, 'themeConfig', 'locales');
  const locales = (Array.isArray(said) ? said : []).flatMap(
    (each: unknown) => textsOf(valueAt(each, 'lang'))[0] ?? [],
  );
  return {
    content: at('root'),
    defaultLanguage: at('lang'),
    languages: locales.length < 2 ? undefined : locales,
    siteUrl: joined(at('url') ?? at('siteOrigin'), at('base')),
    sitePath: at('base'),
  };
}

function factsOfHexo({ at }: Site): SiteFacts {
  return {
    content: at('source_dir'),
    defaultLanguage: languageCode(at('language')),
    siteUrl: joined(at('url'), at('root')),
    sitePath: at('root'),
  };
}

function factsOfNuxt({ value, at }: Site): SiteFacts {
  const said = settingAt(value, 'i18n', 'locales');
  const locales = (Array.isArray(said) ? said : []).flatMap(
    (each: unknown) => textsOf(typeof each === 'string' ? each : valueAt(each, 'code'))[0] ?? [],
  );
  return {
    defaultLanguage: at('i18n', 'defaultLocale'),
    languages: locales.length < 2 ? undefined : locales,
    siteUrl: joined(at('site', 'url') ?? at('url'), at('app', 'baseURL')),
    sitePath: at('app', 'baseURL'),
  };
}

function factsOfEleventy({ text }: Site): SiteFacts {
  const said =
    /\bdir\s*:\s*\{[^}]*?\binput["']?\s*:\s*["']([\w./-]+)/.exec(text ?? '') ??
    /\.setInputDirectory\(\s*["']([\w./-]+)/.exec(text ?? '');
  return { content: said?.[1] };
}

function factsOfQuarto({ at }: Site): SiteFacts {
  return {
    defaultLanguage: languageCode(at('lang')),
    siteUrl: at('website', 'site-url') ?? at('book', 'site-url'),
    servesContent: true,
  };
}

/** The first page of a book has its address, for search engines and cards. */
function factsOfBookdown({ at, readText }: Site): SiteFacts {
  const first = readText('index.Rmd') ?? readText('index.rmd') ?? '';
  const [, head = ''] = /^---[ \t]*\n([^]*?)\n(?:---|\.\.\.)[ \t]*$/m.exec(first) ?? [];
  const [, address] = /^url[ \t]*:[ \t]*["']?(https?\\?:[^\s"']+)/m.exec(head) ?? [];
  return {
    defaultLanguage: languageCode(at('lang')),
    // `https\:` as Pandoc's templates write it.
    siteUrl: joined(address?.replaceAll('\\', ''), ''),
    servesContent: true,
  };
}

function factsOfRetype({ at }: Site): SiteFacts {
  // With or without a scheme.
  const address = at('url');
  const folder = at('input');
  return {
    ...(folder === undefined ? {} : { content: folder }),
    siteUrl: address === undefined || /^https?:/.test(address) ? address : `https://${address}`,
    servesContent: true,
  };
}

/** The address of the host stands in the build profiles, the path below it beside the instance. */
function factsOfWriterside({ text, readText }: Site): SiteFacts {
  const folder = /<build-config\b[^>]*\bdir="([^"]+)"/.exec(text ?? '')?.[1] ?? 'cfg';
  const profiles = readText(posix.join(folder, 'buildprofiles.xml')) ?? '';
  const root = /<web-root>\s*(https?:[^<\s]+)/.exec(profiles)?.[1];
  const path = /<instance\b[^>]*\bweb-path="([^"]*)"/.exec(text ?? '')?.[1];
  const prefix = /<generate-sitemap-url-prefix>\s*(https?:[^<\s]+)/.exec(profiles)?.[1];
  return { siteUrl: root === undefined || path === undefined ? prefix : joined(root, path) };
}

/** `de-DE` and `zh_CN` as folders have them; undefined: it is none. */
function languageCode(said: string | undefined): string | undefined {
  const code = said?.toLowerCase().replaceAll('_', '-');
  return code !== undefined && isLanguageName(code) ? code : undefined;
}

/** The settings say below which path of a host the site is; an address that has a path says it itself. */
export function below(address: string, path: string | undefined): string | undefined {
  return joined(address, urlOf(address)?.pathname === '/' ? path : '');
}

/** An address of a real host, with the path below which the site is served. */
export function joined(origin: string | undefined, path: string | undefined): string | undefined {
  if (origin === undefined || !isUrl(origin)) return undefined;
  return new URL(
    path === undefined || path === '' ? '.' : `./${path.replace(/^\/+/, '')}`,
    `${origin.replace(/\/*$/, '')}/`,
  ).href;
}

/** `en-US` of the settings is `en` where nothing else is English. */
function plainCode(code: string, others: readonly string[]): string {
  const [language = code] = code.split('-');
  return others.some((other) => other === language || other.startsWith(`${language}-`)) ? code : language;
}

/** Whether people outside can open it. */
export function isPublicAddress(address: string | undefined): address is string {
  if (address === undefined || !isUrl(address)) return false;
  const { protocol, hostname } = new URL(address);
  return (
    /^https?:$/.test(protocol) &&
    // `https:/a.com` and `https:a.com` are read as well, but no setting takes them.
    address.toLowerCase().startsWith(`${protocol}//`) &&
    // What a script puts in its place is none: `https://${host}.acme.dev`.
    /^[\w-]+(?:\.[\w-]+)+$/.test(hostname) &&
    !/(?:^|\.)(?:example\.(?:com|org|net)|localhost|invalid|test)$|^[\d.]+$/.test(hostname) &&
    // What generators write into a new site.
    !/your-|docusaurus-site|^vuepress-theme-hope-docs-demo\.netlify\.app$/.test(hostname)
  );
}

const LEARN = 'https://learn.microsoft.com/';

/** Where Microsoft Learn publishes the docset: its own settings stand in the root of the repository. */
function learnUrl(settings: unknown, readText: (path: string) => string | undefined): string | undefined {
  const text = ['', '../', '../../', '../../../']
    .map((level) => readText(`${level}.openpublishing.publish.config.json`))
    .find((found) => found !== undefined);
  if (text === undefined) return undefined;
  const [breadcrumb = ''] = textsOf(settingAt(settings, 'build', 'globalMetadata', 'breadcrumb_path'));
  const [, said] = /^\/(.+)\/[\w-]*breadcrumbs?\//.exec(breadcrumb) ?? [];
  const docsets = settingAt(settingsFrom('settings.json', text).value, 'docsets_to_publish');
  const [only, second] = Array.isArray(docsets) ? (docsets as readonly unknown[]) : [];
  const [folder] = textsOf(settingAt(only, 'base_path') ?? settingAt(only, 'build_output_subfolder'));
  const base = said ?? (second === undefined ? folder : undefined);
  return base === undefined ? undefined : joined(LEARN, `${base.replaceAll(/^\/+|(?<!\/)\/+$/g, '')}/`);
}

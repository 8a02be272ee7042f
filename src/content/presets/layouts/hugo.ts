import { SYNTAX } from '../syntax/syntaxes.ts';
import { formulaSigns } from '../syntax/formulas.ts';
import { lockedBy } from '../pages/locked-pages.ts';
import { isLanguageName, languageFinder } from '../pages/page-languages.ts';
import type { InLanguage } from '../pages/page-languages.ts';
import { OWN_FIELDS, pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import type { TargetRules } from '../pages/page-target.ts';
import type { Dialect, FrontMatterKeys, Preset, Publication, SiteAddress } from '../preset.ts';
import { cascadeOf, dateKeys, disabledLanguages, hugoSettings, siteParameter } from '../settings/hugo.ts';
import type { Cascade } from '../settings/hugo.ts';
import { hugoFileAddress } from '../settings/hugo-files.ts';
import { mountFinder } from '../settings/hugo-mounts.ts';
import { expressions } from '../settings/expressions.ts';
import { textsOf, valueAt } from '../pages/side-file.ts';
import { folderPrefix, pathOfAddress, settingAt, settingsFrom } from '../settings/site-settings.ts';
import type { SiteSettings } from '../settings/site-settings.ts';
import { instantOf, isZone } from '../../instant.ts';

const DOCUMENTS = /\.(?:md|markdown|mdown)$/i;

/**
 * Hugo (0.14x): `content/<lang>/…` or `page.<lang>.md`, YAML or TOML front matter with keys in any case, `_index.md` for
 * sections, leaf bundles, shortcodes, `ref` and pretty addresses. A page is published unless it is a draft, its publish date
 * is to come, its expiry date has passed, or it (or `cascade` of a section above) says that it is not rendered.
 */
export function hugoPreset(input: PresetInput): Preset {
  const find = languageFinder(input.paths, input, { hasFolders: true, hasSuffixes: true });
  const settings = hugoSettings(input, namesOfLanguages(input));
  const mounted = mountFinder(settings.value, { ...input, settingsPath: settings.path }, find);
  const inLanguage = (path: string): InLanguage => mounted?.(path) ?? find(path);
  const cascade = cascadeOf(input, inLanguage);
  const data = dataFinder(input, settings.path);
  const ignored = expressions(textsOf(settingAt(settings.value, 'ignoreFiles')), settings);
  const off = new Set(disabledLanguages(settings.value));
  const zone = settingAt(settings.value, 'timeZone');
  return pagePreset(
    {
      name: 'hugo',
      tree: {
        documents: DOCUMENTS,
        inLanguage,
        leftOut: ({ file, lang, languageFolder }) => {
          if (mounted !== undefined && mounted(file) === undefined)
            return 'no `contentDir` and no mount of Hugo names its folder';
          if (ignored.match(`/content/${file}`)) return '`ignoreFiles` of Hugo';
          return off.has(lang) || off.has(languageFolder)
            ? `the language \`${languageFolder}\` is disabled in Hugo`
            : undefined;
        },
        index: /^_?index$/,
        bundle: /^index$/,
        terms: new Map([
          ['tags', 'tag'],
          ['categories', 'category'],
        ]),
      },
      target: {
        hasPrettyUrls: true,
        addressPrefixes: [],
        publicFolders: publicFolders(settings),
        basePath: pathOfAddress(settingAt(settings.value, 'baseURL')),
        hasUniqueNames: true,
        hasPagesElsewhere: ['mounts', 'imports'].some(
          (key) => settingAt(settings.value, 'module', key) !== undefined,
        ),
        permalinks: permalinkRule(settingAt(settings.value, 'permalinks')),
      },
      fileAddress: hugoFileAddress({
        ...input,
        settings: settings.value,
        inLanguage,
        hasPermalink: (path) => patternFor(settingAt(settings.value, 'permalinks'), path) !== undefined,
      }),
      fileFor: (kind, path, lang) => {
        const folder = kind === 'tag' ? `tags/${path}` : path;
        return kind === 'article' && folder !== ''
          ? `${lang}/${folder}.md`
          : `${lang}/${folder}/_index.md`.replace('//', '/');
      },
      sideFiles: settings.text,
      problems: [...settings.problems, ...ignored.problems],
      variable: (name) =>
        name.startsWith('hugo.data ') ? data(name.slice('hugo.data '.length)) : hugoVariable(settings, name),
      dialect: {
        version: `hugo 12 ${cascade.text}`,
        form: 'hugo',
        fields: {
          ...OWN_FIELDS,
          title: ['title'],
          name: ['title'],
          slug: ['slug'],
          excerpt: ['description', 'summary'],
          description: ['description', 'summary'],
          ordering: ['weight'],
          priority: ['weight'],
          status: ['draft'],
          categories: ['categories'],
          tags: ['tags'],
          aliases: ['aliases'],
        },
        addressKeys: ['url', 'aliases', './slug'],
        hasCaselessKeys: true,
        hasHeadingTitles: false,
        // https://gohugo.io/configuration/markup/#goldmark
        extensions: {
          // https://gohugo.io/quick-reference/emojis/
          hasEmojiCodes: settingAt(settings.value, 'enableEmoji') === true,
          hasDefinitionLists:
            settingAt(settings.value, 'markup', 'goldmark', 'extensions', 'definitionList') !== false,
        },
        timezone: typeof zone === 'string' && isZone(zone) ? zone : undefined,
        siteAddress: addressRule(settings.value),
        ownAddresses: permalinkOf(settings.value),
        publication: publicationRule(settings, cascade),
        translate: SYNTAX.hugo,
      },
    },
    input,
  );
}

/** Languages that a file of settings may be about: those that names in the content or kbsync.yaml show. */
function namesOfLanguages({ paths, languages, defaultLanguage }: PresetInput): readonly string[] {
  const folders = new Set(paths.map((path) => path.slice(0, Math.max(0, path.indexOf('/')))));
  return [...new Set([defaultLanguage, ...Object.keys(languages), ...[...folders].filter(isLanguageName)])];
}

/** `staticDir`, from the folder of the settings; `assets` too, where Hugo's own way to write an image looks. */
function publicFolders({ value, path = '../' }: SiteSettings): readonly string[] {
  const site = folderPrefix(path).replace(/config\/_default\/$/, '');
  const set = textsOf(settingAt(value, 'staticDir'));
  return [...(set.length === 0 ? ['static'] : set), 'assets'].map((name) => `${site}${name}`);
}

/** `hugo.root` is the folder of the settings, `hugo.themes` the names of themes below it, `hugo.mounts` what is mounted; all else are parameters of the site. */
function hugoVariable({ value, path: file }: SiteSettings, name: string): string | undefined {
  const path = file ?? '../';
  if (name === 'hugo.root') return folderPrefix(path).replace(/config\/_default\/$/, '');
  if (name === 'hugo.themes') return textsOf(settingAt(value, 'theme')).join('\n');
  if (name === 'hugo.mounts') return mountLines(value);
  if (name === 'formulas') return passthrough(value);
  if (name === 'hugo.blockAttributes') {
    const said = settingAt(value, 'markup', 'goldmark', 'parser', 'attribute', 'block');
    // Content whose settings lie in another repository: who writes such a line means it.
    return said === true || file === undefined ? 'on' : undefined;
  }
  return siteParameter(value, name);
}

/** Signs around what Goldmark hands through as it is (https://gohugo.io/render-hooks/passthrough/). */
function passthrough(settings: unknown): string | undefined {
  const said = settingAt(settings, 'markup', 'goldmark', 'extensions', 'passthrough');
  if (settingAt(said, 'enable') !== true) return undefined;
  const signs = (['block', 'inline'] as const).flatMap((kind) => {
    const pairs = settingAt(said, 'delimiters', kind);
    return (Array.isArray(pairs) ? pairs : []).flatMap((pair: unknown) => {
      const [open, close] = textsOf(pair);
      const isPair = /^[^\s\w]\S*$/.test(open ?? '') && /^\S+$/.test(close ?? '');
      return open === undefined || close === undefined || !isPair ? [] : [{ kind, open, close }];
    });
  });
  return signs.length === 0 ? undefined : formulaSigns(signs);
}

/** A part of the files in `data/` as JSON, by its names: `a.b` is `b` in `data/a.yaml`, or `data/a/b.yaml` as a whole. */
function dataFinder({ readText }: PresetInput, path = '../'): (name: string) => string | undefined {
  const folder = `${folderPrefix(path).replace(/config\/_default\/$/, '')}data/`;
  const files = new Map<string, unknown>();
  const read = (name: string): unknown => {
    if (!files.has(name)) {
      const file = DATA_FORMS.map((form) => `${folder}${name}.${form}`).find(
        (each) => readText(each) !== undefined,
      );
      const text = file === undefined ? undefined : readText(file);
      const isRead = file !== undefined && text !== undefined && text.length < DATA_CHARS_MAX;
      files.set(name, isRead ? settingsFrom(file, text).value : undefined);
    }
    return files.get(name);
  };
  const found = new Map<string, string | undefined>();
  const part = (name: string): string | undefined => {
    const keys = name.split('.');
    if (keys.some((key) => !/^[\w-]+$/.test(key))) return undefined;
    for (let count = 1; count <= Math.min(keys.length, 4); count += 1) {
      const value = read(keys.slice(0, count).join('/'));
      if (value !== undefined) return json(keys.slice(count).reduce(valueAt, value));
    }
    return undefined;
  };
  return (name) => {
    if (!found.has(name)) found.set(name, part(name));
    return found.get(name);
  };
}

/** What names itself has no JSON. */
function json(value: unknown): string | undefined {
  try {
    return JSON.stringify(value ?? null);
  } catch {
    return undefined;
  }
}

const DATA_FORMS = ['yaml', 'yml', 'json', 'toml'];
const DATA_CHARS_MAX = 1_000_000;

/** `content/inc` and `../shared` with a tab between in each line. */
function mountLines(settings: unknown): string {
  const mounts = settingAt(settings, 'module', 'mounts');
  return (Array.isArray(mounts) ? mounts : [])
    .map((mount: unknown) =>
      ['target', 'source'].map((key) =>
        (textsOf(settingAt(mount, key))[0] ?? '').replaceAll(/^\/+|\/+$|[\n\t]/g, ''),
      ),
    )
    .filter(([target, source]) => target !== '' && source !== '')
    .map((pair) => pair.join('\t'))
    .join('\n');
}

const DATE_KEYS = ['date', 'publishDate', 'pubdate', 'published', 'lastmod', 'modified'];
const PUBLISH_KEYS = ['publishDate', 'pubdate', 'published', 'date'];
const EXPIRY_KEYS = ['expiryDate', 'unpublishdate'];

function publicationRule(
  { value: settings }: SiteSettings,
  cascade: Cascade,
): NonNullable<Dialect['publication']> {
  const publishKeys = dateKeys(settings, 'publishDate', PUBLISH_KEYS);
  const expiryKeys = dateKeys(settings, 'expiryDate', EXPIRY_KEYS);
  const isFuturePublished = settingAt(settings, 'buildFuture') === true;
  const isExpiredPublished = settingAt(settings, 'buildExpired') === true;
  return (page): Publication => {
    const get = (key: string): unknown => page.get(key) ?? cascade.get(page.place, key);
    const locked = lockedBy(get);
    if (locked !== undefined) return { lockedBy: locked };
    if (get('headless') === true) return { leftOut: '`headless`: Hugo makes no page of it' };
    for (const build of ['build', '_build']) {
      const render = get(`${build}.render`);
      if (render === 'never' || render === 'link' || render === false)
        return { leftOut: `\`${build}.render: ${String(render)}\`: Hugo makes no page of it` };
    }
    // Only who has the address finds it; a knowledge base has no such pages.
    const isUnlisted = ['build.list', '_build.list'].some((key) =>
      /^(?:never|false)$/.test(String(get(key))),
    );
    const isDraft = isUnlisted || isTrue(get('draft'));
    return {
      ...(isDraft ? { isDraft } : {}),
      publishKey: isFuturePublished ? undefined : firstDate(page, publishKeys),
      unpublishKey: isExpiredPublished ? undefined : firstDate(page, expiryKeys),
    };
  };
}

function isTrue(value: unknown): boolean {
  return value === true || (typeof value === 'string' && /^(?:true|t|1)$/i.test(value));
}

/** Hugo ignores values that are not dates. */
function firstDate({ get }: FrontMatterKeys, keys: readonly string[]): string | undefined {
  return keys.find((key) => {
    const value = get(key);
    return typeof value === 'string' && instantOf(value, 'UTC', true) !== undefined;
  });
}

/**
 * `[permalinks]` by the first folder, for pages: what the path alone decides; a pattern with dates or titles says nothing here.
 */
function permalinkRule(permalinks: unknown): NonNullable<TargetRules['permalinks']> {
  return (_, { path }) => {
    const pattern = patternFor(permalinks, path);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const address =
      pattern &&
      withSections(pattern, path)
        .replaceAll(NAME, name)
        .replaceAll(/:(?:slug|title)\b/g, name);
    return address === undefined || address.includes(':') ? [] : [address];
  };
}

const NAME = /:(?:slugorcontentbasename|slugorfilename|contentbasename|filename)\b/g;

function patternFor(permalinks: unknown, path: string): string | undefined {
  const section = path.slice(0, Math.max(0, path.indexOf('/')));
  return textsOf(settingAt(permalinks, 'page', section) ?? settingAt(permalinks, section))[0];
}

function withSections(pattern: string, path: string): string {
  const folders = path.split('/').slice(0, -1);
  return pattern
    .replaceAll(/:sections\[1:\]/g, folders.slice(1).join('/'))
    .replaceAll(/:sections\b/g, folders.join('/'))
    .replaceAll(/:section\b/g, folders[0] ?? '');
}

/** The address by `[permalinks]` where a date or the title is a part of it: `:slug` is the page's `slug`, else its title. */
function permalinkOf(settings: unknown): NonNullable<Dialect['ownAddresses']> {
  const permalinks = settingAt(settings, 'permalinks');
  const keys = dateKeys(settings, 'date', DATE_KEYS);
  return (page) => {
    const { kind, path } = page.place;
    const pattern = kind === 'article' ? patternFor(permalinks, path) : undefined;
    if (pattern === undefined || textsOf(page.get('url'))[0] !== undefined) return [];
    const title = urlized(textsOf(page.get('title'))[0] ?? '');
    const slug = textsOf(page.get('slug'))[0] ?? title;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const named = withSections(pattern, path)
      .replaceAll(/:slugor\w+\b/g, textsOf(page.get('slug'))[0] ?? name)
      .replaceAll(NAME, name)
      .replaceAll(/:slug\b/g, slug)
      .replaceAll(/:title\b/g, title);
    const day = dayOf(page, keys);
    const address = day === undefined ? named : withDay(named, day);
    return address.includes(':') ? [] : [address];
  };
}

/** As Hugo makes a part of an address of a title: https://gohugo.io/functions/urls/urlize/. */
function urlized(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s._-]/gu, '')
    .trim()
    .replaceAll(/[\s-]+/g, '-');
}

/**
 * `url`, else `[permalinks]` of the section, else the folder, with `slug` in the place of the name. Parts that are not known stay in the pattern:
 * then they tell no pages apart.
 */
function addressRule(settings: unknown): NonNullable<Dialect['siteAddress']> {
  const permalinks = settingAt(settings, 'permalinks');
  const keys = dateKeys(settings, 'date', DATE_KEYS);
  return (page): SiteAddress | undefined => {
    const [slug] = textsOf(page.get('slug'));
    const { kind, path } = page.place;
    if (slug === undefined || kind !== 'article') return undefined;
    const key = firstDate(page, keys);
    const date = key === undefined ? undefined : instantOf(String(page.get(key)), 'UTC', true);
    const day = dayOf(page, keys);
    const [url] = textsOf(page.get('url'));
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const pattern = patternFor(permalinks, path) ?? `${folder}:slug`;
    const named = withSections(pattern, path)
      .replaceAll(/:slug(?:or\w+)?\b/g, slug)
      .replaceAll(NAME, path.slice(folder.length))
      .replaceAll(/:title\b/g, String(page.get('title')));
    const address = url ?? (day === undefined ? named : withDay(named, day));
    return { address: address.replaceAll(/^\/+|(?<!\/)\/+$/g, ''), ...(date === undefined ? {} : { date }) };
  };
}

/** The day in the date's own zone, as Hugo writes it. */
function dayOf(page: FrontMatterKeys, keys: readonly string[]): string | undefined {
  const key = firstDate(page, keys);
  const written = key === undefined ? '' : String(page.get(key)).trim();
  return /^\d{4}-\d\d-\d\d/.exec(written)?.[0] ?? instantOf(written, 'UTC', true)?.slice(0, 10);
}

function withDay(pattern: string, day: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return pattern
    .replaceAll(/:year\b/g, year)
    .replaceAll(/:month(?:name)?\b/g, month)
    .replaceAll(/:day\b/g, date)
    .replaceAll(/:yearday\b/g, `${month}${date}`);
}

import { navigation, recordPath } from '../pages/navigation.ts';
import type { NavigationItem } from '../pages/navigation.ts';
import { isSaid } from '../pages/locked-pages.ts';
import { isLanguage, languageFinder } from '../pages/page-languages.ts';
import type { InLanguage } from '../pages/page-languages.ts';
import { pageDialect } from '../pages/page-dialect.ts';
import { pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { redirectsOf, withRedirects } from '../pages/redirected.ts';
import { scalar, sideFile, valueAt } from '../pages/side-file.ts';
import type { Preset } from '../preset.ts';
import { sourceList } from '../pages/site-redirects.ts';
import { gitignore } from '../settings/patterns.ts';
import { SYNTAX } from '../syntax/syntaxes.ts';

const INDEX = /^index$/;
const SETTINGS = ['docs.json', 'mint.json'];

/** Words for one level of the navigation, with the key of the list below each. */
const LEVELS = ['group', 'tab', 'anchor', 'dropdown', 'product', 'item'];
const LISTS = ['pages', 'groups', 'tabs', 'anchors', 'dropdowns', 'products', 'menu', 'navigation'];

/**
 * Mintlify, from the folder of docs.json (or mint.json): its navigation gives order and tree. A page that it does not list, or that stands in a group
 * with `hidden: true`, has an address on Mintlify but no place in its navigation, its search and its site map; here it is no article. Of several
 * versions the default one counts. Languages are the folders that `navigation.languages` lists, also below the folder of a version. A page's title is its
 * front matter's.
 */
export function mintlifyPreset(input: PresetInput): Preset {
  const { paths, readText } = input;
  const path = SETTINGS.find((name) => readText(name) !== undefined) ?? 'docs.json';
  const text = readText(path) ?? '';
  const settings = sideFile(text);
  const ignoreLines = readText('.mintignore') ?? '';
  const isIgnored = gitignore(ignoreLines);
  const nav = valueAt(settings.value, 'navigation');
  const files = new Set(paths);
  const pageAt = (written: string): string | undefined => {
    const bare = written.replaceAll(/^\/+|(?<!\/)\/+$/g, '');
    return [bare, `${bare}.mdx`, `${bare}.md`, `${bare}/index.mdx`].find((name) => files.has(name));
  };
  const items = itemsOf(nav, pageAt);
  const roots = rootsOfLanguages(nav);
  const inFirstFolder = languageFinder(
    paths,
    { ...input, languages: { ...foldersOfLanguages(roots), ...input.languages } },
    { hasFolders: true, hasSuffixes: false },
  );
  const deep = roots.filter(({ folder }) => folder.includes('/'));
  const inDeepFolder = (path: string): InLanguage | undefined => {
    const root = deep.find(({ folder }) => path.startsWith(`${folder}/`));
    if (root === undefined) return undefined;
    const name = root.folder.slice(root.folder.lastIndexOf('/') + 1);
    const lang = (Object.hasOwn(input.languages, name) ? input.languages[name] : undefined) ?? root.code;
    return { lang, languageFolder: name, rest: path.slice(root.folder.length + 1) };
  };
  const find = (path: string): InLanguage => inDeepFolder(path) ?? inFirstFolder(path);
  const tree = navigation(items, {
    pathOf: (file) => recordPath(find(file), INDEX),
    original: ({ rest }) => {
      const folder = Object.entries(input.languages).find(([, code]) => code === input.defaultLanguage)?.[0];
      const root = deep.find(({ code }) => code === input.defaultLanguage)?.folder;
      const named = `${root ?? folder ?? input.defaultLanguage}/${rest}`;
      return files.has(named) ? named : rest;
    },
    hasTitles: true,
  });
  const preset = pagePreset(
    {
      name: 'mintlify',
      tree: {
        documents: /\.mdx?$/i,
        sideFiles: /^(?:docs|mint)\.json$/,
        inLanguage: find,
        index: INDEX,
        isMdx: () => true,
        meta: tree.meta,
        leftOut: ({ file }) => {
          if (isIgnored(file)) return '`.mintignore` of Mintlify';
          return items.length === 0 || tree.has(file)
            ? undefined
            : `the navigation of ${path} does not list it, so it is a hidden page of Mintlify`;
        },
      },
      target: {
        hasPrettyUrls: false,
        addressPrefixes: [],
        publicFolders: [],
        ...(deep.length === 0
          ? {}
          : { permalinks: (file) => (inDeepFolder(file) === undefined ? [] : [addressOf(file)]) }),
      },
      ownAddress: (file) => (inDeepFolder(file) === undefined ? undefined : addressOf(file)),
      fileFor: (_, name, lang) => {
        const folder = lang === input.defaultLanguage ? '' : `${lang}/`;
        const root = deep.find(({ code }) => code === lang)?.folder;
        return `${root === undefined ? folder : `${root}/`}${name === '' ? 'index' : name}.mdx`;
      },
      folder: tree.folder,
      moved: sourceList(valueAt(settings.value, 'redirects'), { file: path, text }),
      sideFiles: text + ignoreLines,
      variable: (name) => scalar(valueAt(valueAt(settings.value, 'variables'), name)),
      problems: settings.problems.map((problem) => ({ path, problem })),
      dialect: pageDialect('mintlify 7', SYNTAX.mintlify, {
        fields: { title: ['title', 'sidebarTitle'], hideFromSearch: ['noindex', 'hideFromSearch'] },
        hasHeadingTitles: false,
        // https://mintlify.com/docs/deploy/authentication-setup
        publication: ({ get }) =>
          isSaid(get('groups')) ? { lockedBy: '`groups`' } : get('hidden') === true ? { isDraft: true } : {},
      }),
    },
    input,
  );
  return withRedirects(preset, redirectsOf(valueAt(settings.value, 'redirects'), 'source', 'destination'));
}

type PageAt = (written: string) => string | undefined;

function itemsOf(value: unknown, pageAt: PageAt): readonly NavigationItem[] {
  if (Array.isArray(value)) return value.flatMap((entry) => itemsOf(entry, pageAt));
  if (typeof value === 'string') {
    const file = pageAt(value);
    return file === undefined ? [] : [{ file }];
  }
  if (typeof value !== 'object' || value === null || valueAt(value, 'hidden') === true) return [];
  const languages = valueAt(value, 'languages');
  if (Array.isArray(languages)) return languages.flatMap((entry) => inner(entry, pageAt));
  const versions = valueAt(value, 'versions');
  if (Array.isArray(versions)) return inner(defaultVersion(versions), pageAt);
  const title = LEVELS.map((level) => valueAt(value, level)).find((name) => typeof name === 'string');
  const items = inner(value, pageAt);
  if (typeof title !== 'string') return items;
  const root = valueAt(value, 'root');
  return [{ title, file: typeof root === 'string' ? pageAt(root) : undefined, items }];
}

function inner(value: unknown, pageAt: PageAt): readonly NavigationItem[] {
  if (valueAt(value, 'hidden') === true) return [];
  const nested = ['languages', 'versions'].some((key) => Array.isArray(valueAt(value, key)));
  const lists = LISTS.flatMap((key) => itemsOf(valueAt(value, key), pageAt));
  return nested ? [...lists, ...itemsOf({ ...pick(value) }, pageAt)] : lists;
}

/** Languages or versions below another level. */
function pick(value: unknown): Readonly<Record<string, unknown>> {
  return { languages: valueAt(value, 'languages'), versions: valueAt(value, 'versions') };
}

function defaultVersion(versions: readonly unknown[]): unknown {
  return versions.find((entry) => valueAt(entry, 'default') === true) ?? versions[0];
}

/** The address of a page is its path. */
function addressOf(file: string): string {
  return file.replace(/(?:^|\/)index\.mdx?$|\.mdx?$/, '');
}

interface LanguageRoot {
  /** Without a slash at its end. */
  readonly folder: string;
  readonly code: string;
}

/** The folder that all pages of a language lie in, up to the part that is the language's name (`v2/fr`); a language whose pages have none is not there. */
function rootsOfLanguages(nav: unknown): readonly LanguageRoot[] {
  const languages = valueAt(nav, 'languages');
  if (!Array.isArray(languages)) return [];
  return languages.flatMap((entry: unknown): readonly LanguageRoot[] => {
    const code = valueAt(entry, 'language');
    const written: string[] = [];
    inner(entry, (name) => {
      written.push(name.replace(/^\/+/, ''));
      return undefined;
    });
    if (typeof code !== 'string') return [];
    const parts = (written[0] ?? '').split('/').slice(0, -1);
    const depth = parts.findIndex((part) => isLanguage(part) || part === code) + 1;
    const folder = parts.slice(0, depth).join('/');
    const isShared = depth > 0 && written.every((name) => name.startsWith(`${folder}/`));
    return isShared ? [{ folder, code }] : [];
  });
}

/** The first folder of each language's pages → its code. */
function foldersOfLanguages(roots: readonly LanguageRoot[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    roots.flatMap(({ folder, code }) => (folder.includes('/') ? [] : [[folder, code] as const])),
  );
}

import { folderOrders, foldersOf } from '../../pages/folder-order.ts';
import type { FolderOrder } from '../../pages/folder-order.ts';
import { languageFinder } from '../../pages/page-languages.ts';
import { pageDialect } from '../../pages/page-dialect.ts';
import { pagePreset } from '../../pages/page-preset.ts';
import type { PresetInput } from '../../pages/page-preset.ts';
import { sideFile, textsOf, valueAt } from '../../pages/side-file.ts';
import type { Foreign, Preset } from '../../preset.ts';
import { globs } from '../../settings/patterns.ts';
import type { PathMatch } from '../../settings/patterns.ts';
import { settingAt, siteSettings } from '../../settings/site-settings.ts';
import { SYNTAX } from '../../syntax/syntaxes.ts';
import { folderOf } from '../../../../text/path.ts';

const INDEX = /^index$/;
const META = /(?:^|\/)_(?:meta|nav)\.json$/;
const SETTINGS = ['rspress', 'rstack'].flatMap((name) =>
  ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((form) => `${name}.config.${form}`),
);

/**
 * Rspress, `content: docs`: a folder per language, the default one too; `.mdx` is MDX and `.md` is Markdown. `_meta.json` of a folder gives order and names of folders, `_nav.json` those of
 * the highest ones; every page is public, listed or not, but for `route.exclude` and `route.excludeConvention`. Of several versions the default one is read (https://rspress.rs/guide).
 */
export function rspressPreset(input: PresetInput): Preset {
  const { paths, readText, defaultLanguage } = input;
  const settings = siteSettings(input, SETTINGS);
  const version = versionFolder(settings.value, paths);
  /** The path without the folder of the version; undefined: another version's. */
  const plain = (path: string): string | undefined => {
    if (version.own !== '' && path.startsWith(`${version.own}/`)) return path.slice(version.own.length + 1);
    return version.others.some((folder) => path.startsWith(`${folder}/`)) ? undefined : path;
  };
  const find = languageFinder(
    paths.flatMap((path) => plain(path) ?? []),
    input,
    { hasFolders: true, hasSuffixes: false },
  );
  const { orders, problems, texts } = ordersIn(paths, readText, (path) => {
    const own = plain(path);
    const place = own === undefined ? undefined : find(own);
    return place?.lang === defaultLanguage ? place.rest : undefined;
  });
  const pages = paths.flatMap((path) => (/\.mdx?$/i.test(path) ? (plain(path) ?? []) : []));
  const said = folderOrders(orders, foldersOf(pages.map((path) => find(path).rest)));
  const excluded = (['exclude', 'excludeConvention'] as const).map(
    (key) => [key, excludedBy(textsOf(settingAt(settings.value, 'route', key)))] as const,
  );
  return pagePreset(
    {
      name: 'rspress',
      tree: {
        documents: /\.mdx?$/i,
        sideFiles: META,
        inLanguage: (path) => find(plain(path) ?? path),
        index: INDEX,
        isMdx: (path) => /\.mdx$/i.test(path),
        meta: said.meta,
        leftOut: ({ file }) => {
          if (plain(file) === undefined) return 'another version of the pages';
          if (file.startsWith('public/')) return 'Rspress copies `public` as it is';
          for (const [key, isExcluded] of excluded)
            if (isExcluded(file)) return `\`route.${key}\` of Rspress`;
          return /(?:^|\/)\[[^/]+\]/.test(file) ? 'Rspress makes pages of it by a program' : undefined;
        },
      },
      target: {
        hasPrettyUrls: false,
        addressPrefixes: [],
        publicFolders: ['public'],
        basePath: textsOf(settingAt(settings.value, 'base'))[0],
        isBasePrepended: true,
        // A page may be a component of React too.
        hasPagesElsewhere: true,
      },
      fileFor: (_, path, lang) => {
        const inFolder =
          lang !== defaultLanguage || paths.some((each) => plain(each)?.startsWith(`${lang}/`));
        const folder = version.own === '' ? '' : `${version.own}/`;
        return `${folder}${inFolder ? `${lang}/` : ''}${path === '' ? 'index' : path}.mdx`;
      },
      folder: said.folder,
      sideFiles: `${settings.text}${texts}`,
      problems: [...settings.problems, ...problems],
      dialect: pageDialect('rspress 4', SYNTAX.rspress, { showsOwnHeading: true }),
    },
    input,
  );
}

/** A pattern of a folder means all that is in it. */
function excludedBy(patterns: readonly string[]): PathMatch {
  const isMeant = globs(patterns.map((pattern) => pattern.replace(/(?<!\/)\/+$/, '')));
  return (file) => {
    const names = file.split('/');
    return names.some((_, index) => isMeant(names.slice(0, index + 1).join('/')));
  };
}

/** The folder of the version that readers see first, `''`: there are none, and those of the others. */
function versionFolder(
  settings: unknown,
  paths: readonly string[],
): { readonly own: string; readonly others: readonly string[] } {
  const [first] = textsOf(settingAt(settings, 'multiVersion', 'default'));
  const named = textsOf(settingAt(settings, 'multiVersion', 'versions'));
  const folders = [...new Set([...(first === undefined ? [] : [first]), ...named])].filter((name) =>
    paths.some((path) => path.startsWith(`${name}/`)),
  );
  // A build may fetch the other ones: the only one that is here is read.
  const own = folders.find((name) => name === first) ?? (folders.length === 1 ? folders[0] : undefined);
  return own === undefined
    ? { own: '', others: [] }
    : { own, others: folders.filter((name) => name !== own) };
}

function ordersIn(
  paths: readonly string[],
  readText: PresetInput['readText'],
  inDefault: (path: string) => string | undefined,
): {
  readonly orders: ReadonlyMap<string, FolderOrder>;
  readonly problems: Foreign['problems'];
  readonly texts: string;
} {
  const orders = new Map<string, FolderOrder>();
  const problems: Foreign['problems'][number][] = [];
  let texts = '';
  // `_meta.json` comes before `_nav.json`, and says more.
  for (const path of paths.filter((each) => META.test(each)).sort()) {
    const rest = inDefault(path);
    const text = rest === undefined ? undefined : readText(path);
    if (rest === undefined || text === undefined) continue;
    texts += `${path}\n${text}\n`;
    const { value, problems: faults } = sideFile(text);
    problems.push(...faults.map((problem) => ({ path, problem })));
    const folder = folderOf(rest);
    const its = path.endsWith('_nav.json') ? navOf(value) : namesOf(value);
    if (!orders.has(folder)) orders.set(folder, { names: its });
  }
  return { orders, problems, texts };
}

/** `["start", { "type": "dir", "name": "api", "label": "API" }]`; before version 2 the highest one held the navigation. */
function namesOf(value: unknown): FolderOrder['names'] {
  const names = (Array.isArray(value) ? value : []).flatMap((entry: unknown): FolderOrder['names'] => {
    const [name] = textsOf(typeof entry === 'string' ? entry : valueAt(entry, 'name'));
    const [title] = textsOf(valueAt(entry, 'label'));
    if (name === undefined) return [];
    return [{ name: name.replace(/\.mdx?$/i, ''), ...(title === undefined ? {} : { title }) }];
  });
  return names.length > 0 ? names : navOf(value);
}

/** `[{ "text": "Guide", "link": "/guide/start", "items": […] }]`: the order of the highest folders, and the names of those that the bar itself names. */
function navOf(value: unknown): FolderOrder['names'] {
  const found = new Map<string, { readonly name: string; readonly title?: string }>();
  const repeated = new Set<string>();
  const walk = (entries: unknown, isBar: boolean): void => {
    for (const entry of Array.isArray(entries) ? (entries as readonly unknown[]) : []) {
      const [title] = textsOf(valueAt(entry, 'text'));
      const [, name, slash] = /^\/([^/?#]+)(\/)?/.exec(textsOf(valueAt(entry, 'link'))[0] ?? '') ?? [];
      if (name !== undefined && found.has(name)) repeated.add(name);
      else if (name !== undefined)
        found.set(name, { name, ...(title !== undefined && slash !== undefined && isBar ? { title } : {}) });
      walk(valueAt(entry, 'items'), false);
    }
  };
  walk(value, true);
  // Two entries that lead into one folder name pages, not the folder.
  return [...found.values()].map((each) => (repeated.has(each.name) ? { name: each.name } : each));
}

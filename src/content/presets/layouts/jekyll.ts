import { groupedBy } from '../../../text/grouped.ts';
import { SYNTAX } from '../syntax/syntaxes.ts';
import { TWO_DOLLARS, formulaSigns } from '../syntax/formulas.ts';
import { ERROR_PAGE, isErrorPage } from '../pages/error-page.ts';
import { languageFinder } from '../pages/page-languages.ts';
import type { InLanguage, LanguageOptions } from '../pages/page-languages.ts';
import { OWN_FIELDS, pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import type { TargetRules } from '../pages/page-target.ts';
import type { TreeRules } from '../pages/page-tree.ts';
import type { Preset } from '../preset.ts';
import { instantOf, isZone } from '../../instant.ts';
import { textsOf, valueAt } from '../pages/side-file.ts';
import { jekyllValues } from '../settings/jekyll-values.ts';
import { fnmatch } from '../settings/patterns.ts';
import { folderPrefix, settingAt, siteSettings } from '../settings/site-settings.ts';

const SYSTEM = /^(?:_(?:layouts|includes|data|sass|site|plugins)|vendor|node_modules)\/|^_config\.ya?ml$/;
const SETTINGS = ['_config.yml', '_config.yaml', '_config.toml'];
const REPOSITORY_TEXT =
  /^(?:readme|contributing|changelog|license|code_of_conduct|security)\.(?:md|markdown)$/i;

/**
 * Jekyll, from the repository's root: pages, `_posts/2026-01-31-name.md`, `_drafts`, collections (`_docs/fr/page.md`),
 * Liquid. A file's title is its front matter's, else its name's. What `_config.yml` excludes, collections without `output`, drafts and
 * posts of the future are not published.
 */
export function jekyllPreset(input: PresetInput): Preset {
  const settings = siteSettings(input, SETTINGS);
  const collections = settingAt(settings.value, 'collections_dir');
  const shelf = typeof collections === 'string' && collections !== '' ? `${collections}/` : '';
  const inShelf = (path: string): string =>
    shelf !== '' && path.startsWith(`${shelf}_`) ? path.slice(shelf.length) : path;
  // Jekyll makes a page of every file with front matter (https://jekyllrb.com/docs/pages/); GitHub’s plugin for files without it leaves these out.
  const isProcessed = (path: string): boolean => /^\uFEFF?---[ \t]*\r?\n/.test(input.readText(path) ?? '');
  const collected = withDates(
    input.paths
      .filter((path) => !SYSTEM.test(path) && (!REPOSITORY_TEXT.test(path) || isProcessed(path)))
      .map((path) => [path, plainPath(inShelf(path))]),
  );
  const find = languageFinder([...collected.values()], input, { hasFolders: true, hasSuffixes: true });
  const inCollection = collectionLanguages([...collected.values()], input);
  const inLanguage = (path: string): InLanguage | undefined => {
    const plain = collected.get(path);
    if (plain === undefined) return undefined;
    const slash = plain.indexOf('/');
    const whole = find(plain);
    // `_fr/tour/page.md` beside `_tour/page.md`: the collection is the language.
    if (!inShelf(path).startsWith('_') || slash < 0 || whole.languageFolder === plain.slice(0, slash))
      return whole;
    return inCollection(plain);
  };
  const isUnpublished = unpublishedByDefault(settings.value);
  const isFuturePublished = settingAt(settings.value, 'future') === true;
  const zone = settingAt(settings.value, 'timezone');
  return pagePreset(
    {
      name: 'jekyll',
      tree: {
        documents: /\.(?:md|markdown|mkdown|mkdn?)$/i,
        inLanguage,
        // Of a content folder below the settings the place is not known.
        leftOut:
          settings.path?.startsWith('..') === false ? leftOutRule(settings.value, inShelf) : () => undefined,
        index: /^index$/,
        meta: ({ file }) => {
          const date = POST_DATE.exec(file)?.[1];
          return {
            ...(/(?:^|\/)_drafts\//.test(file) || isUnpublished(inShelf(file)) ? { isDraft: true } : {}),
            ...(date === undefined ? {} : { publishAt: date }),
          };
        },
      },
      target: {
        hasPrettyUrls: false,
        addressPrefixes: [],
        publicFolders: settings.path === undefined ? [] : [folderPrefix(settings.path)],
        basePath: textsOf(settingAt(settings.value, 'baseurl'))[0],
        permalinks: permalinkRule(settings.value, inShelf),
      },
      fileFor: (_, path, lang) =>
        `${lang === input.defaultLanguage ? '' : `${lang}/`}${path === '' ? 'index' : path}.md`,
      variable: (name) =>
        name === 'formulas' && hasFormulas(settings.value) ? formulaSigns(TWO_DOLLARS) : undefined,
      sideFiles: settings.text,
      value: jekyllValues(input, settings.value),
      problems: settings.problems,
      dialect: {
        version: `jekyll 8 ${isFuturePublished}`,
        form: 'jekyll',
        fields: {
          ...OWN_FIELDS,
          title: ['title'],
          name: ['title'],
          excerpt: ['description', 'excerpt'],
          description: ['description'],
          ordering: ['nav_order', 'order', 'weight'],
          priority: ['nav_order', 'order', 'weight'],
          status: ['published', 'draft'],
          hideFromSearch: ['search_exclude', '!search', 'hideFromSearch'],
          categories: ['categories', 'category'],
          tags: ['tags', 'tag'],
          aliases: ['redirect_from'],
        },
        addressKeys: ['permalink', 'redirect_from'],
        hasCaselessKeys: false,
        // https://kramdown.gettalong.org/syntax.html#definition-lists
        extensions: {
          hasDefinitionLists: isKramdown(settings.value),
          // https://github.com/jekyll/jemoji
          hasEmojiCodes: ['plugins', 'gems'].some((key) =>
            textsOf(settingAt(settings.value, key)).includes('jemoji'),
          ),
        },
        hasHeadingTitles: false,
        timezone: typeof zone === 'string' && isZone(zone) ? zone : undefined,
        publication: ({ get, place: { publishAt, path } }) => {
          if (isErrorPage(get('permalink') ?? path)) return ERROR_PAGE;
          if (publishAt === undefined || isFuturePublished) return {};
          const date = get('date');
          const isDate = typeof date === 'string' && instantOf(date, 'UTC', true) !== undefined;
          return { publishKey: isDate ? 'date' : undefined, publishAt };
        },
        headingIds: 'kramdown-gfm',
        translate: SYNTAX.jekyll,
      },
    },
    input,
  );
}

const POST_DATE = /(?:^|\/)_posts\/(?:.*\/)?(\d{4}-\d{1,2}-\d{1,2})-[^/]*$/;

/** Collections without `_`, posts without their dates. */
function plainPath(path: string): string {
  return path
    .replace(/^_/, '')
    .replace(/\/_(posts|drafts)\//, '/$1/')
    .replace(/^((?:.*\/)?(?:posts|drafts)\/(?:.*\/)?)\d{4}-\d{1,2}-\d{1,2}-/, '$1');
}

/**
 * Of posts of one name the first keeps the name alone, as if it were the only one; a later one keeps its date. Their translations are the posts
 * of the same dates.
 */
function withDates(paths: readonly (readonly [path: string, plain: string])[]): ReadonlyMap<string, string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [path, plain] of paths) {
    if (!POST_DATE.test(path)) continue;
    if (seen.has(plain)) repeated.add(nameOf(plain));
    seen.add(plain);
  }
  if (repeated.size === 0) return new Map(paths);
  const first = new Map<string, string>();
  for (const [path, plain] of paths) {
    const date = POST_DATE.exec(path)?.[1];
    const name = nameOf(plain);
    if (date !== undefined && repeated.has(name) && date < (first.get(name) ?? '~')) first.set(name, date);
  }
  return new Map(
    paths.map(([path, plain]) => {
      const date = POST_DATE.exec(path)?.[1];
      const name = nameOf(plain);
      const isLater = date !== undefined && repeated.has(name) && date !== first.get(name);
      return [path, isLater ? `${plain.slice(0, plain.length - name.length)}${date}-${name}` : plain];
    }),
  );
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** What Jekyll leaves out where `exclude` says nothing; kept by what it says. */
const EXCLUDED = [
  'vendor/bundle/',
  'vendor/cache/',
  'vendor/gems/',
  'vendor/ruby/',
  'node_modules/',
  'gemfiles/',
];

/** `include` and `exclude` of the settings, folders that are no collection, and collections that make no pages. */
function leftOutRule(
  settings: unknown,
  inShelf: (path: string) => string,
): NonNullable<TreeRules['leftOut']> {
  const isIncluded = anyOf(textsOf(settingAt(settings, 'include')));
  const isExcluded = anyOf([...EXCLUDED, ...textsOf(settingAt(settings, 'exclude'))]);
  const collections = settingAt(settings, 'collections');
  const outputOf = (name: string): boolean | undefined => {
    if (name === 'posts' || name === 'drafts') return true;
    if (Array.isArray(collections)) return collections.includes(name) ? false : undefined;
    const found = valueAt(collections, name);
    return found === undefined ? undefined : settingAt(found, 'output') === true;
  };
  return ({ file: path }) => {
    const parents = path.split('/').map((_, index, names) => names.slice(0, index + 1).join('/'));
    if (parents.some((each) => isExcluded(each) && !isIncluded(each))) return '`exclude` of _config.yml';
    const name = /^_([^/]+)\//.exec(inShelf(path))?.[1];
    if (name === undefined || isIncluded(`_${name}`)) return undefined;
    const output = outputOf(name);
    if (output === undefined) return `\`_${name}\` is not a collection of _config.yml`;
    if (!output) return `the collection \`${name}\` has no \`output\``;
    return name === 'posts' && !POST_DATE.test(path) ? 'a post without a date in its name' : undefined;
  };
}

/** A pattern, or what the path begins with, as Jekyll compares them. */
function anyOf(patterns: readonly string[]): (path: string) => boolean {
  const bare = patterns.map((pattern) => pattern.replace(/^\.?\//, '')).filter((pattern) => pattern !== '');
  const matches = bare.map(fnmatch);
  return (path) =>
    matches.some((isMeant) => isMeant(path)) ||
    bare.some((pattern) => path.startsWith(pattern) || `${path}/` === pattern);
}

/** `permalink` of collections and of `defaults`; what needs a date or a title says nothing here. */
function permalinkRule(
  settings: unknown,
  inShelf: (path: string) => string,
): NonNullable<TargetRules['permalinks']> {
  const collections = settingAt(settings, 'collections');
  const defaults = settingAt(settings, 'defaults');
  const scopes = (Array.isArray(defaults) ? defaults : []).flatMap((each: unknown) => {
    const [permalink] = textsOf(settingAt(each, 'values', 'permalink'));
    return permalink === undefined ? [] : [{ isMeant: scopeOf(each), permalink }];
  });
  return (file) => {
    const path = inShelf(file);
    const type = typeOf(path);
    // `{% post_url %}` names a post without its extension.
    const [post] = /_posts\/.*(?=\.markdown$)/i.exec(path) ?? [];
    const named = post === undefined ? [] : [`/${post}.md`];
    const said =
      scopes.findLast(({ isMeant }) => isMeant(path))?.permalink ??
      textsOf(settingAt(valueAt(collections, type), 'permalink'))[0];
    if (said === undefined) return named;
    const inside = path.replace(/^_[^/]+\//, '').replace(/\.(?:md|markdown)$/i, '');
    const name = inside.slice(inside.lastIndexOf('/') + 1).replace(/^\d{4}-\d{1,2}-\d{1,2}-/, '');
    const address = said
      .replaceAll(':collection', type)
      .replaceAll(':output_ext', '.html')
      .replaceAll(':path', inside)
      .replaceAll(/:(?:name|title|slug|basename)\b/g, name);
    return address.includes(':') ? named : [address, ...named];
  };
}

/** Whether a rule of `defaults` means a file. */
function scopeOf(rule: unknown): (file: string) => boolean {
  const [path = ''] = textsOf(settingAt(rule, 'scope', 'path'));
  const [type] = textsOf(settingAt(rule, 'scope', 'type'));
  return (file) =>
    (path === '' || file === path || file.startsWith(`${path.replace(/\/$/, '')}/`) || fnmatch(path)(file)) &&
    (type === undefined || type === typeOf(file));
}

/** Files for which `defaults` says `published: false`. */
function unpublishedByDefault(settings: unknown): (path: string) => boolean {
  const defaults = settingAt(settings, 'defaults');
  const scopes = (Array.isArray(defaults) ? defaults : [])
    .filter((each: unknown) => settingAt(each, 'values', 'published') === false)
    .map(scopeOf);
  return (file) => scopes.some((isMeant) => isMeant(file));
}

function typeOf(file: string): string {
  return /^_([^/]+)\//.exec(file)?.[1] ?? 'pages';
}

/** kramdown reads formulas unless `math_engine` is empty (https://kramdown.gettalong.org/syntax.html#math-blocks). */
function hasFormulas(settings: unknown): boolean {
  return isKramdown(settings) && settingAt(settings, 'kramdown', 'math_engine') !== null;
}

function isKramdown(settings: unknown): boolean {
  const markdown = settingAt(settings, 'markdown');
  return typeof markdown !== 'string' || /^kramdown$/i.test(markdown);
}

/** Each collection has its own languages: `_operators/ml/api.md` is no page in Malayalam because another one has an `api.md`. */
function collectionLanguages(
  paths: readonly string[],
  options: LanguageOptions,
): (path: string) => InLanguage {
  const split = (path: string): readonly [collection: string, rest: string] => {
    const slash = path.indexOf('/') + 1;
    return [path.slice(0, slash), path.slice(slash)];
  };
  const inside = groupedBy(paths, (path) => [split(path)[0]]);
  const finders = new Map<string, (path: string) => InLanguage>();
  return (path) => {
    const [collection, rest] = split(path);
    const find =
      finders.get(collection) ??
      languageFinder(
        (inside.get(collection) ?? []).map((each) => split(each)[1]),
        options,
        { hasFolders: true, hasSuffixes: true },
      );
    finders.set(collection, find);
    const place = find(rest);
    return { ...place, rest: `${collection}${place.rest}` };
  };
}

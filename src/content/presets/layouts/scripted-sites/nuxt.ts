import { posix } from 'node:path';
import { languageFinder } from '../../pages/page-languages.ts';
import { pageDialect } from '../../pages/page-dialect.ts';
import { pagePreset } from '../../pages/page-preset.ts';
import type { PresetInput, SaidOfFolder } from '../../pages/page-preset.ts';
import { sideFile, textsOf, valueAt } from '../../pages/side-file.ts';
import type { Foreign, Preset } from '../../preset.ts';
import { isCall } from '../../settings/literals.ts';
import { globs } from '../../settings/patterns.ts';
import type { PathMatch } from '../../settings/patterns.ts';
import { settingAt, siteSettings } from '../../settings/site-settings.ts';
import { SYNTAX } from '../../syntax/syntaxes.ts';
import { foldersAbove } from '../../../../text/path.ts';

const INDEX = /^index$/;
const COLLECTIONS = ['ts', 'mts', 'js', 'mjs'].map((form) => `content.config.${form}`);

/**
 * Nuxt Content 2 and 3, `content: content`: `1.guide/2.install.md` is `/guide/install`, and the numbers are the order; `.navigation.yml` (before: `_dir.yml`) names a folder. With
 * content.config only the collections of pages are public. Names that begin with `.` or `-`, and drafts, are no pages (https://content.nuxt.com).
 */
export function nuxtPreset(input: PresetInput): Preset {
  const { paths, readText, defaultLanguage } = input;
  const settings = siteSettings(input, COLLECTIONS);
  const collections = pageCollections(settings.value);
  const collectionOf = (path: string): Collection | undefined =>
    collections.find(({ includes, excludes }) => includes(path) && !excludes(path));
  const find = languageFinder(paths.map(plainPath), input, { hasFolders: true, hasSuffixes: false });
  const folders = new Map<string, SaidOfFolder>();
  let texts = '';
  const problems: Foreign['problems'][number][] = [];
  for (const folder of new Set(paths.flatMap(foldersAbove))) {
    const { lang, rest } = find(`${plainPath(folder)}/`);
    if (lang !== defaultLanguage) continue;
    const said = folderFile(folder, readText);
    texts += said.text;
    problems.push(...said.problems);
    folders.set(rest.replace(/\/$/, ''), { name: said.title, priority: numberOf(folder) });
  }
  return pagePreset(
    {
      name: 'nuxt',
      tree: {
        documents: /\.md$/i,
        inLanguage: (path) => find(plainPath(path)),
        index: INDEX,
        meta: ({ file, isIndex }) => {
          const ordering = numberOf(isIndex ? posix.dirname(file) : file);
          return {
            ...(ordering === undefined ? {} : { ordering }),
            ...(/\.draft\.md$/i.test(file) ? { isDraft: true } : {}),
          };
        },
        leftOut: ({ file }) => {
          if (/(?:^|\/)[.-]/.test(file)) return 'Nuxt Content ignores names that begin with `.` or `-`';
          return settings.path === undefined || collectionOf(file) !== undefined
            ? undefined
            : 'content.config of Nuxt Content names it in no collection of pages';
        },
      },
      target: {
        hasPrettyUrls: false,
        addressPrefixes: [],
        publicFolders: ['../public'],
        // A page may be a component of Vue too.
        hasPagesElsewhere: true,
        permalinks: (file, { path }) => {
          const { base = '', prefix } = collectionOf(file) ?? {};
          if (prefix === undefined) return [];
          const plainBase = plainPath(base);
          const rest = path === plainBase ? '' : path.slice(plainBase === '' ? 0 : plainBase.length + 1);
          return [posix.join('/', prefix, rest)];
        },
      },
      fileFor: (_, path, lang) => {
        const hasFolder = paths.some((each) => each.startsWith(`${lang}/`));
        return `${hasFolder || lang !== defaultLanguage ? `${lang}/` : ''}${path === '' ? 'index' : path}.md`;
      },
      folder: (path) => folders.get(path),
      sideFiles: `${settings.text}${texts}`,
      problems: [...settings.problems, ...problems],
      dialect: pageDialect('nuxt 1', SYNTAX.nuxt, {
        headingIds: 'nuxt',
        extensions: { hasEmojiCodes: true },
        fields: { status: ['draft'] },
      }),
    },
    input,
  );
}

/** The path as addresses have it: without a number and a point in front of names, and without the mark of a draft. */
function plainPath(path: string): string {
  return path
    .split('/')
    .map((name) => (VERSION.test(name) ? name : name.replace(NUMBER, '')))
    .join('/')
    .replace(/\.draft(?=\.md$)/i, '');
}

const NUMBER = /^(\d+)\./;
/** `1.2` and `1.x` are versions, not places in an order. */
const VERSION = /^\d+(?:\.\d+)*(?:\.x)?(?:\.md)?$/;

function numberOf(path: string): number | undefined {
  const name = posix.basename(path);
  const number = VERSION.test(name) ? undefined : NUMBER.exec(name)?.[1];
  return number === undefined ? undefined : Number(number);
}

function folderFile(
  folder: string,
  readText: PresetInput['readText'],
): {
  readonly title: string | undefined;
  readonly text: string;
  readonly problems: Foreign['problems'];
} {
  for (const name of ['.navigation.yml', '_dir.yml']) {
    const path = `${folder}/${name}`;
    const text = readText(path);
    if (text === undefined) continue;
    const { value, problems } = sideFile(text);
    const [title] = [
      ...textsOf(valueAt(value, 'title')),
      ...textsOf(settingAt(value, 'navigation', 'title')),
    ];
    return {
      title,
      text: `${folder}\n${text}\n`,
      problems: problems.map((problem) => ({ path, problem })),
    };
  }
  return { title: undefined, text: '', problems: [] };
}

interface Collection {
  readonly includes: PathMatch;
  readonly excludes: PathMatch;
  /** The part of the pattern that is a folder; `prefix` stands for it in addresses. */
  readonly base: string;
  readonly prefix: string | undefined;
}

/** `docs: defineCollection({ type: 'page', source: { include: 'docs/**', exclude: ['docs/x.md'], prefix: '/' } })`. What has to be run may take in every page. */
function pageCollections(settings: unknown): readonly Collection[] {
  const collections = settingAt(settings, 'collections');
  if (typeof collections !== 'object' || collections === null || isCall(collections)) return [EVERY_PAGE];
  return Object.values(collections).flatMap((each: unknown): readonly Collection[] => {
    const options: unknown = isCall(each) ? each.given[0] : each;
    const [type] = textsOf(valueAt(options, 'type'));
    if (type === 'data') return [];
    const sources = valueAt(options, 'source');
    return [sources].flat().map((source: unknown): Collection => {
      const [include] = textsOf(typeof source === 'string' ? source : valueAt(source, 'include'));
      if (include === undefined) return EVERY_PAGE;
      const [prefix] = textsOf(valueAt(source, 'prefix'));
      return {
        includes: globs([include]),
        excludes: globs(textsOf(valueAt(source, 'exclude'))),
        base: /^((?:[^*?{}()[\]!/]+\/)*)/.exec(include)?.[1]?.replace(/\/$/, '') ?? '',
        prefix,
      };
    });
  });
}

const EVERY_PAGE: Collection = { includes: () => true, excludes: () => false, base: '', prefix: undefined };

import { posix } from 'node:path';
import { isSaid } from '../pages/locked-pages.ts';
import { navigation, recordPath } from '../pages/navigation.ts';
import type { NavigationItem } from '../pages/navigation.ts';
import { languageFinder } from '../pages/page-languages.ts';
import { pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { sideFile, valueAt } from '../pages/side-file.ts';
import { fileMap } from '../pages/site-redirects.ts';
import { summaryItems } from '../pages/summary.ts';
import type { Preset } from '../preset.ts';
import { SYNTAX } from '../syntax/syntaxes.ts';
import { TWO_DOLLARS, formulaSigns } from '../syntax/formulas.ts';
import { pageDialect } from '../pages/page-dialect.ts';

const INDEX = /^(?:index|readme)$/i;
const REPOSITORY_TEXT =
  /^(?:contributing|changelog|license|code_of_conduct|security|agents|claude|glossary)\.(?:md|markdown)$/i;

/**
 * GitBook and HonKit. SUMMARY.md gives order, titles and tree, and what it does not list is not published; `.gitbook.yaml` or HonKit's
 * book.json (https://honkit.netlify.app/config) says where it lies (`root`, `structure.summary`). Without one the folders are the tree. LANGS.md lists folders of languages,
 * each with a SUMMARY.md of its own; a folder of a language that has one needs no LANGS.md. A page with pages below it is a category.
 */
export function gitbookPreset(input: PresetInput): Preset {
  const { readText, paths } = input;
  const own = readText('.gitbook.yaml') ?? readText('.gitbook.yml');
  const settingsText = own ?? readText('../.gitbook.yaml') ?? '';
  const settings = sideFile(settingsText);
  const ownBook = readText('book.json');
  const bookAround = ownBook === undefined ? bookWithRoot(readText('../book.json')) : undefined;
  const said = settingsText === '' ? sideFile(ownBook ?? bookAround ?? '') : settings;
  const saidRoot = valueAt(said.value, 'root');
  // Where the settings lie in the content folder, `root` leads on from there.
  const isHere = settingsText === '' ? ownBook !== undefined : own !== undefined;
  const root = isHere && typeof saidRoot === 'string' ? folderPath(saidRoot) : '';
  const saidSummary = valueAt(valueAt(said.value, 'structure'), 'summary');
  const summaryFile = posix.normalize(
    `${root}${typeof saidSummary === 'string' ? saidSummary : 'SUMMARY.md'}`,
  );
  const below = paths.filter((path) => path.startsWith(root)).map((path) => path.slice(root.length));
  const langs = readText(`${root}LANGS.md`);
  const find = languageFinder(below, input, { hasFolders: true, hasSuffixes: false });
  const inBook = (path: string) => (path.startsWith(root) ? find(path.slice(root.length)) : undefined);
  // Spaces of one repository, one for each language: https://gitbook.com/docs/getting-started/git-sync/monorepos.
  const isOwnSummary = (path: string): boolean =>
    path.endsWith('/SUMMARY.md') && find(path).languageFolder === posix.dirname(path);
  const spaces = langs === undefined ? below.filter(isOwnSummary).map((path) => `${root}${path}`) : [];
  const summaries = new Set([summaryFile, ...languageSummaries(langs, root), ...spaces]);
  const files = new Set(paths);
  const texts = new Map<string, string>();
  const items = [...summaries].flatMap((path): readonly NavigationItem[] => {
    const text = readText(path);
    if (text === undefined) return [];
    texts.set(path, text);
    return summaryItems(text, (address) => pageAt(posix.join(posix.dirname(path), address), files));
  });
  const hasMain = [...texts.keys()].some((path) => path === summaryFile || !spaces.includes(path));
  /** The summary that has to list a page; undefined: there is none. */
  const summaryFor = (file: string): string | undefined => {
    const folder = `${root}${inBook(file)?.languageFolder ?? ''}/`;
    const its = `${folder}SUMMARY.md`;
    if (texts.has(its) && (file.startsWith(folder) || !hasMain)) return its;
    return hasMain ? summaryFile : undefined;
  };
  const hasBook =
    bookAround !== undefined ||
    ['book.json', 'book.js'].some((name) => files.has(`${root}${name}`) || files.has(name));
  const bookText = readText(`${root}book.json`) ?? ownBook ?? bookAround ?? '';
  const book = sideFile(bookText);
  const titles = titlesIn(items);
  const nav = navigation(items, {
    pathOf: (file) => recordPath(inBook(file) ?? { rest: file }, INDEX),
    original: ({ file, rest, languageFolder }) =>
      file === `${root}${languageFolder}/${rest}`
        ? below.includes(`${input.defaultLanguage}/${rest}`)
          ? `${root}${input.defaultLanguage}/${rest}`
          : `${root}${rest}`
        : file,
    hasTitles: true,
  });
  return pagePreset(
    {
      name: 'gitbook',
      tree: {
        documents: /\.(?:md|markdown)$/i,
        sideFiles: /(?:^|\/)(?:SUMMARY|LANGS|GLOSSARY)\.md$/,
        inLanguage: (path) =>
          !texts.has(path) && (summaryFor(path) !== undefined || !REPOSITORY_TEXT.test(path))
            ? inBook(path)
            : undefined,
        index: INDEX,
        meta: nav.meta,
        leftOut: ({ file }) => {
          const summary = nav.has(file) ? undefined : summaryFor(file);
          return summary && `${summary} does not list it, so GitBook does not publish it`;
        },
      },
      target: { hasPrettyUrls: false, addressPrefixes: [], publicFolders: [] },
      fileFor: (_, path, lang) =>
        `${root}${lang === input.defaultLanguage ? '' : `${lang}/`}${path === '' ? 'README' : path}.md`,
      folder: nav.folder,
      variable: (name) => {
        if (name === 'templates' && hasBook) return 'nunjucks';
        // GitBook reads formulas by itself, HonKit by a plugin.
        const hasFormulas = !hasBook || /"(?:katex|mathjax)[^"]*"/.test(bookText);
        return name === 'formulas' && hasFormulas ? formulaSigns(TWO_DOLLARS) : undefined;
      },
      moved: fileMap(
        valueAt(settings.value, 'redirects'),
        { file: own === undefined ? '../.gitbook.yaml' : '.gitbook.yaml', text: settingsText },
        (path) =>
          path
            .replace(/^\.?\//, '')
            .replace(/\.(?:md|markdown)$/i, '')
            .replace(/(^|\/)readme$/i, '$1'),
      ),
      value: (_, name, keys) =>
        name === 'book'
          ? keys.reduce(valueAt, valueAt(book.value, 'variables'))
          : name === 'summary'
            ? titles.get(keys[0] ?? '')
            : undefined,
      sideFiles: [settingsText, langs ?? '', bookText, ...texts.values()].join('\n'),
      problems: settings.problems.map((problem) => ({
        path: own === undefined ? '../.gitbook.yaml' : '.gitbook.yaml',
        problem,
      })),
      dialect: pageDialect(hasBook ? 'honkit 3' : 'gitbook 7', SYNTAX.gitbook, {
        extensions: { hasEmojiCodes: !hasBook },
        fields: {
          hideFromSearch: ['noIndex', 'hideFromSearch'],
        },
        // `if: visitor.claims.…` shows a page to some readers, a hidden one is for those who have its address.
        publication: ({ get }) => ({
          ...(isSaid(get('if')) ? { lockedBy: '`if`' } : {}),
          ...(get('hidden') === true ? { isDraft: true } : {}),
        }),
      }),
    },
    input,
  );
}

/** The settings of a book that lies in a folder below them. */
function bookWithRoot(text: string | undefined): string | undefined {
  const root = text === undefined ? undefined : valueAt(sideFile(text).value, 'root');
  return typeof root === 'string' && folderPath(root) !== '' ? text : undefined;
}

/** `./docs` → `docs/`, `./` → `''`. */
function folderPath(said: string): string {
  const path = posix.normalize(`${said}/`).replace(/^\.?\//, '');
  return path === './' ? '' : path;
}

/** `* [English](en/)`: the summaries of the folders that LANGS.md lists. */
function languageSummaries(langs: string | undefined, root: string): readonly string[] {
  return [...(langs ?? '').matchAll(/\]\(\s*([^)\s]+)\s*\)/g)].map(([, folder = '']) =>
    posix.join(root, folder, 'SUMMARY.md'),
  );
}

/** The titles of pages, by their files; of a page that is listed twice the first. */
function titlesIn(items: readonly NavigationItem[]): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  const add = ({ file, title, items: below = [] }: NavigationItem): void => {
    if (file !== undefined && title !== undefined && !titles.has(file)) titles.set(file, title);
    below.forEach(add);
  };
  items.forEach(add);
  return titles;
}

/** A page by its file, or by its folder's `README.md`. */
function pageAt(address: string, files: ReadonlySet<string>): string | undefined {
  const path = posix.normalize(address.replace(/[?#].*$/s, '')).replace(/\/$/, '');
  return [path, `${path}.md`, `${path}/README.md`].find((candidate) => files.has(candidate));
}

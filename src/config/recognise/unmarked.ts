import { sampleOf } from '../../text/many.ts';
import { posix } from 'node:path';
import { languageFolders } from './language-folders.ts';
import { NO_PAGE, PAGE, pagesIn, pathsBelow } from './pages-in.ts';
import { proseOf } from './prose.ts';
import type { Recognised, Wishes } from './recognised.ts';
import type { SiteFacts } from './site-facts.ts';
import type { RepositoryTree } from './tree.ts';
import { onlyWriter, writtenFor } from './written-for.ts';
import type { WrittenFor } from './written-for.ts';

/**
 * Pages without settings of a generator. Files that only one generator has say whose they are; where pages name each other as `[[Page]]`, they
 * are a wiki's.
 */
export async function unmarked(tree: RepositoryTree, wishes: Wishes): Promise<Recognised | undefined> {
  const plain = await plainPages(tree, wishes);
  if (plain === undefined || wishes.preset !== undefined) return plain;
  const section = plain.files.find((path) => HUGO_SECTION.test(path));
  const hugo = section === undefined ? undefined : await plainPages(tree, { ...wishes, preset: 'hugo' });
  if (hugo !== undefined) return { ...hugo, because: posix.join(plain.content, section ?? '') };
  // The page that a wiki of GitHub or GitLab begins with; a repository begins with its README.
  const home = plain.content === '.' ? tree.paths.find((path) => WIKI_HOME.test(path)) : undefined;
  if (home !== undefined && !tree.paths.some((path) => ROOT_README.test(path))) {
    const wiki = await plainPages(tree, { ...wishes, preset: 'wiki' });
    if (wiki !== undefined) return { ...wiki, because: home };
  }
  const looked = sampleOf(plain.files, LOOKED_AT_MAX).map((file) => posix.join(plain.content, file));
  await tree.load(looked);
  const written = writtenFor(tree, looked);
  const other = await asWritten(tree, wishes, plain, onlyWriter(written));
  if (other !== undefined) return other;
  const linked = looked.filter((path) => WIKI_LINK.test(proseOf(tree, path)));
  const wiki =
    linked[0] === undefined || linked.length < looked.length / 3
      ? undefined
      : await plainPages(tree, { ...wishes, preset: 'wiki' });
  if (wiki !== undefined && linked[0] !== undefined) return { ...wiki, because: linked[0] };
  return { ...withLinkedFolders(plain, looked, tree), ...(written.length === 0 ? {} : { written }) };
}

/** Undefined: that generator would find other languages here, or fewer pages. */
async function asWritten(
  tree: RepositoryTree,
  wishes: Wishes,
  plain: Recognised,
  writer: WrittenFor | undefined,
): Promise<Recognised | undefined> {
  if (writer === undefined) return undefined;
  const { preset, because, proofs } = writer;
  const read = await plainPages(tree, { ...wishes, preset });
  // Its own folders for languages may be others.
  if (read === undefined || read.languages.join(' ') !== plain.languages.join(' ')) return undefined;
  return proofs === 0 && read.pages < plain.pages ? undefined : { ...read, because, written: [writer] };
}

/** A folder with a name of code is documentation if pages elsewhere link to half of its own pages. */
function withLinkedFolders(plain: Recognised, looked: readonly string[], tree: RepositoryTree): Recognised {
  const left = plain.exclude
    .flatMap((glob) => /^([\w.-]+)\/\*\*$/.exec(glob)?.[1] ?? [])
    // `internal` says for whom its pages are, whoever links to them.
    .filter((folder) => CODE.test(folder) && !/^internal$/i.test(folder));
  // Beside folders for languages, the pages of another one would be in none of them.
  const isByLanguage = plain.languages.some((name) => tree.folders.has(posix.join(plain.content, name)));
  if (left.length === 0 || isByLanguage) return plain;
  const linked = new Set(looked.flatMap((path) => linkedPages(path, tree.readText(path) ?? '')));
  const isLinked = (folder: string): boolean => {
    const own = tree.paths.filter(
      (path) => path.startsWith(`${folder}/`) && PAGE.test(path) && !NO_PAGE.test(path),
    );
    return own.length > 0 && own.filter((path) => linked.has(path)).length >= own.length / 2;
  };
  const kept = new Set(left.filter(isLinked).map((folder) => `${folder}/**`));
  return kept.size === 0 ? plain : { ...plain, exclude: plain.exclude.filter((glob) => !kept.has(glob)) };
}

/** Pages of other folders that a page links to. */
function linkedPages(path: string, text: string): readonly string[] {
  const [own = ''] = path.split('/');
  return [...text.matchAll(LINK)].flatMap(([, written = '']) => {
    const target = posix.normalize(
      written.startsWith('/') ? written.slice(1) : posix.join(posix.dirname(path), written),
    );
    return target.startsWith(`${own}/`) ? [] : [target];
  });
}

const LINK = /\]\((?!\w+:)([^()\s#?]{1,300}\.(?:md|markdown))(?:[#?][^()\s]{0,300})?\)/g;

/** The page of a section of Hugo, whose settings may lie in another repository. */
const HUGO_SECTION = /(?:^|\/)_index(?:\.[\w-]+)?\.md$/;
const WIKI_HOME = /^[Hh]ome\.(?:md|markdown)$/;
const ROOT_README = /^readme(?:\.\w+)?$/i;
const LOOKED_AT_MAX = 60;
const WIKI_LINK = /(?<!\[)\[\[[^\s[\]][^[\]\n]*\]\]/;

/** A folder with this share of all pages is the documentation. */
const MOST = 0.9;
const USUAL = ['content', 'docs', 'doc', 'documentation'];
/** Folders of a repository that hold code and what belongs to it. */
const CODE =
  /^(?:src|source|lib|test|tests|spec|specs|fixtures|scripts|tools|bin|cmd|pkg|internal|\.?github)$/i;

/** Markdown without a generator: a folder of docs that holds most of it, else the whole repository. */
export async function plainPages(
  tree: RepositoryTree,
  { content: wanted, preset = 'plain' }: Wishes,
  facts: SiteFacts = {},
): Promise<Recognised | undefined> {
  const all = tree.paths.filter((path) => PAGE.test(path) && !NO_PAGE.test(path));
  const spoken = wanted === undefined && preset === 'plain' ? languageFolders(all) : undefined;
  const named = spoken !== undefined && spoken.pages > all.length / 2 ? spoken : undefined;
  const { content, isCode, folders } = contentOf(all);
  const chosen = wanted ?? (named === undefined ? content : '.');
  const paths = pathsBelow(tree, posix.normalize(chosen).replace(/\/$/, ''));
  const pages = paths.filter((path) => PAGE.test(path));
  // Beside code, a README is no documentation yet.
  if (wanted === undefined && pages.every((path) => NO_PAGE.test(path))) return undefined;
  if (pages.length === 0) return undefined;
  if (named !== undefined) {
    const code = facts.defaultLanguage ?? named.originalCode ?? 'en';
    const codes = Object.fromEntries([
      [named.original, code],
      ...[...named.codes].filter(([, each]) => each !== code),
    ]);
    const isPart = (path: string): boolean => Object.hasOwn(codes, path.split('/')[0] ?? '');
    const others = new Set(
      pages.flatMap((path) =>
        isPart(path)
          ? []
          : [path.includes('/') ? `${path.slice(0, path.indexOf('/'))}/**` : '*.{md,mdx,markdown}'],
      ),
    );
    const inside = paths.filter(isPart);
    const found = await pagesIn(
      preset,
      { paths: inside, readText: () => undefined },
      { ...facts, defaultLanguage: code, codes, languages: Object.keys(codes) },
    );
    return found.pages === 0
      ? undefined
      : {
          preset,
          content: '.',
          because: named.original,
          ...found,
          exclude: [...othersGlobs(othersIn(tree, '.')), ...[...others].sort()],
        };
  }
  const found = await pagesIn(preset, { paths, readText: () => undefined }, facts);
  if (found.pages === 0) return undefined;
  const code = chosen === '.' ? folders.filter(isCode) : [];
  const others = othersIn(tree, chosen);
  const texts = paths.some((path) => path.includes('/') && NO_PAGE.test(path) && !/readme/i.test(path));
  return {
    preset,
    content: chosen,
    because: posix.join(chosen, pages[0] ?? ''),
    ...found,
    ...(others.length === 0 ? {} : { others }),
    exclude: [
      ...othersGlobs(others),
      ...code.sort().map((folder) => `${folder}/**`),
      // Of these, Markdown without a generator knows by itself that they are about the repository.
      ...((preset === 'hugo' || (preset !== 'plain' && preset !== 'wiki' && chosen === '.')) &&
      paths.some((path) => !path.includes('/') && NO_PAGE.test(path))
        ? ['{README,CHANGELOG,CONTRIBUTING,CODE_OF_CONDUCT,SECURITY,LICENSE}.md']
        : []),
      ...(texts ? ['**/{CHANGELOG,CONTRIBUTING,CODE_OF_CONDUCT,SECURITY,LICENSE}.md'] : []),
    ],
  };
}

/** Folders of packages and builds, from the content folder. */
function othersIn({ others }: RepositoryTree, content: string): readonly string[] {
  const folder = posix.normalize(content).replace(/\/$/, '');
  return others
    .flatMap((path) =>
      folder === '.' ? [path] : path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
    )
    .sort();
}

/** One by one, or by their names where there are many. */
function othersGlobs(others: readonly string[]): readonly string[] {
  if (others.length <= OTHERS_MAX) return others.map((path) => `${path}/**`);
  return [...new Set(others.map((path) => posix.basename(path)))].map((name) => `**/${name}/**`);
}

const OTHERS_MAX = 8;

/** Where pages that nothing but their place speaks for are documentation. */
function contentOf(all: readonly string[]): {
  readonly content: string;
  readonly folders: readonly string[];
  readonly isCode: (folder: string) => boolean;
} {
  const inFolder = new Map<string, number>();
  for (const path of all) {
    const [folder = ''] = path.includes('/') ? path.split('/') : [''];
    inFolder.set(folder, (inFolder.get(folder) ?? 0) + 1);
  }
  // Most pages of a repository are its documentation, even below `src`.
  const isCode = (folder: string): boolean =>
    CODE.test(folder) && (inFolder.get(folder) ?? 0) <= all.length / 2;
  const sections = [...inFolder].filter(([folder, pages]) => folder !== '' && pages > 1 && !isCode(folder));
  const [biggest] = [...sections].sort(([, a], [, b]) => b - a);
  const usual = USUAL.find((folder) => inFolder.has(folder));
  // Another folder holds most of all pages, and many times as many: `docs` is a part of the documentation.
  const isPart =
    usual !== undefined &&
    biggest !== undefined &&
    biggest[0] !== usual &&
    biggest[1] > all.length / 2 &&
    biggest[1] > (inFolder.get(usual) ?? 0) * PART;
  const isNearlyAll = biggest !== undefined && biggest[1] >= all.length * MOST;
  const isOnly = sections.length === 1 && !inFolder.has('');
  const whole = biggest !== undefined && (isOnly || isNearlyAll) ? biggest[0] : '.';
  return { content: isPart ? '.' : (usual ?? whole), folders: [...inFolder.keys()], isCode };
}

const PART = 3;

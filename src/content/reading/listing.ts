import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { digestOfBytes } from '../../model/digest.ts';
import { once } from '../../model/once.ts';
import {
  linkOrMissing,
  readStable,
  realPath,
  repositoryAround,
  stampIfSeen,
  stampOf,
} from '../files/disk.ts';
import type { FileStamp } from '../files/disk.ts';
import { scopeOf } from '../files/scope.ts';
import { listTree } from '../files/tree.ts';
import type { Tree, TreeFile } from '../files/tree.ts';
import type { ContentOptions } from '../options.ts';
import { gitIgnored } from './git-ignored.ts';
import { looksFrom } from './looks.ts';
import type { Looks } from './looks.ts';
import { pageFacts } from './page-facts.ts';
import type { ReadingMemory } from './readings.ts';
import type { Layout } from '../presets/load-layout.ts';
import type { Placement, Preset } from '../presets/preset.ts';
import { START, sourceText } from '../source-text.ts';
import type { LocalProblem } from '../source-text.ts';

/** A listed content folder, before any file is read. */
export interface Listing {
  readonly tree: Tree;
  readonly placed: readonly PlacedFile[];
  readonly preset: Preset;
  /** Where `preset` came from, for the same folder with other texts. */
  readonly layout: Layout;
  /** What comes before a path of the tree when it is shown; ends with a slash unless empty. */
  readonly shown: string;
  /** Files beside the pages that the layout has read so far. */
  readonly sideFiles: ReadonlySet<string>;
  /** Text of such a file, also above the content folder. */
  readonly readText: (path: string) => string | undefined;
  /** The root of the repository, from `cwd`: no text from outside of it is read. */
  readonly repository: string;
  /** A file by its path from the root of the repository, as its path from the content folder; undefined: it is not there. */
  readonly inRepository: (path: string) => string | undefined;
  /** Whether a file is there, also beside the content folder; never above the repository. */
  readonly exists: (path: string) => boolean;
  /** Whether git ignores a file: a build makes it. */
  readonly isMade: (path: string) => boolean;
  /** What was looked for beside the pages; undefined where no outcome is kept. */
  readonly looks: Looks | undefined;
}

/** A file of the tree with its role. */
export interface PlacedFile {
  readonly file: TreeFile;
  readonly place: Placement;
  /** Only of documents, and only where a cache is kept. */
  readonly stamp: FileStamp | undefined;
  /** What the place says, as part of the cache's key: other files can change it. Empty in our own layout. */
  readonly placeKey: string;
}

/** The content folder, absolute. */
export function contentRoot({ contentDir, cwd }: Pick<ContentOptions, 'contentDir' | 'cwd'>): string {
  return isAbsolute(contentDir) ? contentDir : join(cwd, contentDir);
}

/** The content folder's files with their roles in the layout of `options.preset`; no record is read yet. `memory` as in `loadDesired`. @throws ContentError `no-content` */
export function listingOf(options: ContentOptions, layout: Layout, memory?: ReadingMemory): Listing {
  const root = contentRoot(options);
  const { include = [], exclude = [] } = options;
  const scope = { include, exclude };
  const { drafts = NO_DRAFTS, hidden = NOTHING_HIDDEN } = options;
  const tree = withDrafts(without(listTree(root, scope), hidden), root, drafts);
  const repository = once(() => repositoryAround(options.cwd));
  let looks: Looks | undefined;
  const isWithin = boundary();
  const readFile = (file: string): SideFile => {
    const draft = drafts.get(file);
    if (draft !== undefined) return { text: draft, problems: [] };
    looks?.begin();
    const diskPath = join(root, file);
    const read = !hidden.has(file) && isWithin(diskPath, root, repository()) ? sideFile(diskPath) : UNREAD;
    looks?.read(file, read.told);
    return read;
  };
  const sideFiles = new Set<string>();
  const refused = new Map<string, readonly LocalProblem[]>();
  const readText = (file: string): string | undefined => readFile(file).text;
  // A reading and a fact of one file stand on one stamp.
  const stamps = new Map<string, FileStamp | undefined>();
  const facts = pageFacts(options, memory, {
    read: readFile,
    stampOf: (file) => {
      if (drafts.has(file)) return undefined;
      const diskPath = join(root, file);
      if (!stamps.has(diskPath)) stamps.set(diskPath, stampIfSeen(diskPath));
      return stamps.get(diskPath);
    },
  });
  const said = layout({
    defaultLanguage: options.defaultLanguage,
    languages: options.languages,
    paths: tree.files.map((file) => file.path),
    readText: (file) => {
      const { text, problems } = readFile(file);
      if (text !== undefined) sideFiles.add(file);
      else if (problems.length > 0) refused.set(file, problems);
      return text;
    },
    factOf: facts.factOf,
  });
  if (drafts.size + hidden.size === 0) facts.save();
  const whole = withRefused(said, refused);
  // What the layout has read until here is in what its outcome is bound to.
  looks = options.cacheFile === undefined ? undefined : looksFrom(root, options.cacheFile);
  const inTree = once(() => new Set(tree.files.map((file) => file.path)));
  const isIn = scopeOf(scope);
  // A file that will be written is placed too, and is read only if it counts.
  const place = (file: string): Placement => (isIn(file) ? whole.place(file) : EXCLUDED);
  const preset: Preset = { ...whole, place };
  const isCached = options.cacheFile !== undefined;
  const placed = tree.files.map((file): PlacedFile => {
    const place = whole.place(file.path);
    const isKept = isCached && place.role === 'document' && !drafts.has(file.path);
    return {
      file,
      place,
      stamp: isKept ? (stamps.get(file.diskPath) ?? stampOf(file.diskPath)) : undefined,
      placeKey: isKept && preset.foreign !== undefined ? JSON.stringify(place) : '',
    };
  });
  const path = relative(options.cwd, root).split(sep).join('/');
  const isThere = (file: string, within: string): boolean => {
    if (file.length > PATH_CHARS_MAX) return false;
    if (looks !== undefined && !inTree().has(file)) looks.asked(file);
    const diskPath = join(root, file);
    return (
      drafts.has(file) ||
      (!hidden.has(file) && isWithin(diskPath, root, within) && stampOf(diskPath) !== undefined)
    );
  };
  const inRepository = (path: string): string | undefined => {
    const file = relative(root, join(repository(), path)).split(sep).join('/');
    return isThere(file, repository()) ? file : undefined;
  };
  const isIgnored = once(() => gitIgnored(root, repository(), readText));
  return {
    tree,
    placed,
    preset,
    layout,
    sideFiles,
    readText,
    shown: path === '' ? '' : `${path}/`,
    looks,
    exists: (file) => isThere(file, options.cwd),
    repository: relative(options.cwd, repository()),
    inRepository,
    isMade: (file) => file.length <= PATH_CHARS_MAX && isIgnored()(file),
  };
}

/** No system opens a longer path, and each of its folders would be looked into. */
const PATH_CHARS_MAX = 4096;

const NO_DRAFTS: ReadonlyMap<string, string> = new Map();

const NOTHING_HIDDEN: ReadonlySet<string> = new Set();

function without(tree: Tree, hidden: ReadonlySet<string>): Tree {
  return hidden.size === 0 ? tree : { ...tree, files: tree.files.filter(({ path }) => !hidden.has(path)) };
}

function withDrafts(tree: Tree, root: string, drafts: ReadonlyMap<string, string>): Tree {
  if (drafts.size === 0) return tree;
  const known = new Set(tree.files.map(({ path }) => path));
  // A navigation above the content folder is read by its name, and is no file of the folder.
  const added = [...drafts.keys()].filter((path) => !known.has(path) && !path.startsWith('../'));
  const files = [...tree.files, ...added.map((path) => ({ path, diskPath: join(root, path) }))];
  return { ...tree, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

const EXCLUDED: Placement = {
  role: 'ignored',
  reason: '`include` or `exclude` of the settings leaves it out',
};

/**
 * Whether a file may be read: settings are looked for above the content folder, but never above the repository. Where folders lead is found
 * out once: thousands of links ask for files that stand in a few of them.
 */
function boundary(): (file: string, root: string, repository: string) => boolean {
  const folders = new Map<string, string | undefined>();
  const realFolder = (folder: string): string | undefined => {
    if (!folders.has(folder)) folders.set(folder, realPath(folder));
    return folders.get(folder);
  };
  const realFile = (file: string): string | undefined => {
    const what = linkOrMissing(file);
    if (what !== 'neither') return what === 'link' ? realPath(file) : undefined;
    const folder = realFolder(dirname(file));
    return folder === undefined ? undefined : join(folder, basename(file));
  };
  const isBelow = (path: string, folder: string): boolean =>
    !/^\.\.(?:\/|$)|^[A-Za-z]:/.test(relative(folder, path).split(sep).join('/'));
  return (file, root, repository) => {
    if (!isBelow(file, root) && !isBelow(file, repository)) return false;
    // A link to a folder may lead out of the repository all the same.
    const real = realFile(file);
    return (
      real !== undefined &&
      // Git's own files may hold passwords of a build (`.git/config`), and belong to no site.
      !real.split(sep).includes('.git') &&
      (isBelow(real, realFolder(root) ?? root) || isBelow(real, realFolder(repository) ?? repository))
    );
  };
}

/** Larger files beside the documents (navigations, settings) are a mistake; a navigation in JSON may have many versions and languages. */
const SIDE_FILE_BYTES_MAX = 1_000_000;
const JSON_BYTES_MAX = 5_000_000;

const UNREAD: SideFile = { text: undefined, problems: [] };

interface SideFile {
  readonly text: string | undefined;
  readonly problems: readonly LocalProblem[];
  readonly told?: { readonly stamp: FileStamp; readonly digest: string };
}

function sideFile(file: string): SideFile {
  const read = readStable(file);
  const sizeMax = file.endsWith('.json') ? JSON_BYTES_MAX : SIDE_FILE_BYTES_MAX;
  if (read.state === 'too-large') return { text: undefined, problems: [tooLarge(read.bytes, sizeMax)] };
  if (read.state !== 'read') return UNREAD;
  const { bytes, stamp } = read;
  const told = { stamp, digest: digestOfBytes(bytes) };
  if (bytes.length > sizeMax) return { text: undefined, problems: [tooLarge(bytes.length, sizeMax)], told };
  return { ...sourceText(bytes), told };
}

function tooLarge(size: number, sizeMax: number): LocalProblem {
  return { code: 'too-large', unit: 'bytes', size, sizeMax, spot: START };
}

/** A layout that does without a file of its settings says so. A page that it looks at too has its own problem. */
function withRefused(layout: Preset, refused: ReadonlyMap<string, readonly LocalProblem[]>): Preset {
  const { foreign } = layout;
  if (foreign === undefined || refused.size === 0) return layout;
  const own = [...refused]
    .filter(([path]) => layout.place(path).role !== 'document')
    .flatMap(([path, problems]) => problems.map((problem) => ({ path, problem })));
  return { ...layout, foreign: { ...foreign, problems: [...foreign.problems, ...own] } };
}

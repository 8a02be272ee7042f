import { familyOf, familyFrom, keyIn, kindOf, langOf, pathOf } from '../../model/key.ts';
import type { Family, Key } from '../../model/key.ts';
import { same } from '../../model/digest.ts';
import { assemble } from '../assemble.ts';
import type { Assembled } from '../assemble.ts';
import { isImplied } from '../corpus/corpus.ts';
import { bodyOfFile, editedFile } from '../front-matter/write.ts';
import type { ContentOptions, MoveLine } from '../options.ts';
import { listTree } from '../files/tree.ts';
import type { Layout } from '../presets/load-layout.ts';
import { contentRoot, listingOf } from '../reading/listing.ts';
import { keyAfter } from './key-after.ts';
import { differenceOf, made, mapped } from './what-differs.ts';
import type { Compared } from './what-differs.ts';
import { renameEntries } from './navigation-entries.ts';
import { relinked } from './relinked.ts';
import { unreadLinks, type UnreadLink } from './unread-links.ts';
import { folderPair, newNames } from './new-names.ts';
import type { NamePair, NewNames } from './new-names.ts';
import { literalPattern } from '../../text/literal-pattern.ts';

/** What becomes of the content folder. Nothing is written here. */
export interface MovedFiles {
  /** Old path → new path. */
  readonly files: ReadonlyMap<string, string>;
  /** New texts by new path; what is not in it keeps its bytes. */
  readonly texts: ReadonlyMap<string, string>;
  /** Records that get another name. */
  readonly families: ReadonlyMap<Family, Family>;
  /** What kbsync.yaml has to say, for a folder. */
  readonly line: Pick<MoveLine, 'from' | 'to'> | undefined;
  /** A line of kbsync.yaml that this move takes back. */
  readonly takenBack: Pick<MoveLine, 'from' | 'to'> | undefined;
  /** Links that are written anew. */
  readonly links: number;
  /** Links of files that are no pages (excluded ones, a README) to what moves: they stay as they are. */
  readonly unread: readonly UnreadLink[];
  /** Categories that the layout makes of new folders. */
  readonly made: readonly Key[];
  /** Categories of folders that no page is left in. */
  readonly emptied: readonly Key[];
}

export interface MoveInput {
  /** Paths from the content folder. */
  readonly names: NamePair;
  readonly options: ContentOptions;
  /** Of `options.preset`. */
  readonly layout: Layout;
  readonly read: (path: string) => string | undefined;
  /** Whether some sync may have known a record by this name; one that nobody can know is said nowhere. Default: yes. */
  readonly mayBeKnown?: ((family: Family) => boolean) | undefined;
}

/**
 * A page or a folder under another name, in all languages, with the links to it. The folder is read as it would be before
 * anything is said: each record must then be there with what it says now, and no problem may be new. Else `why`.
 */
export function movedFiles({
  names,
  options,
  layout,
  read,
  mayBeKnown = () => true,
}: MoveInput): MovedFiles | { readonly why: string } {
  const plain = { ...options, cacheFile: undefined };
  const listing = listingOf(plain, layout);
  const before = assemble(listing, plain);
  const tree = listing.tree.files.map(({ path }) => path);
  const found = newNames(names, { corpus: before.corpus, tree });
  if ('why' in found) return found;
  const texts = new Map<string, string>();
  for (const [old, now] of found.files) texts.set(now, read(old) ?? '');
  const after = (lines = plain.moved ?? []): Assembled => {
    const moved = {
      ...plain,
      drafts: texts,
      hidden: new Set([...found.files.keys()].filter((path) => !texts.has(path))),
      moved: lines,
    };
    return assemble(listingOf(moved, layout), moved);
  };
  renameEntries({
    found,
    before,
    root: contentRoot(options),
    sideFiles: listing.sideFiles,
    texts,
    read,
    outcome: () => outcomeOf(after()),
    kept: () => placesKept(before, after(), found),
  });
  const first = after();
  const families = renamed(before, first, found);
  const wanted =
    lineOf(found, { families, before, folder: names.from }) ?? lineOfPage(before, found, { families, texts });
  const takenBack = plain.moved?.find(({ from, to }) => from === wanted?.to && to === wanted.from);
  const isSaid = wanted !== undefined && [...families.keys()].some(mayBeKnown);
  const line = isSaid ? wanted : undefined;
  const keyName = oldNamesKey(before, options);
  sayOldNames(texts, { before, found, families, line: wanted, mayBeKnown, keyName });
  renameReferences(texts, { before, found, families, keyName, read });
  const at = { file: options.contentDir, line: 1, column: 1 };
  const kept = (plain.moved ?? []).filter((one) => one !== takenBack);
  const lines = line === undefined ? kept : [...kept, { ...line, at }];
  const linked = relinked({ before, after: after(lines), found, families, texts, read, options });
  if (linked.open.length > 0) {
    const [one] = linked.open;
    return {
      why: `${one?.file}: kbsync found no spelling of the link ${one?.url} that leads to the new place${more(linked.open.length)}; first write it as a path from this file to the other`,
    };
  }
  const last = after(lines);
  const why = differenceOf({ before, after: last, found, families, mayBeKnown });
  if (why !== undefined) return { why };
  const olds = new Map([...found.files].map(([old, now]) => [now, old]));
  for (const [path, text] of texts) if (text === (read(olds.get(path) ?? path) ?? '')) texts.delete(path);
  const back = takenBack && { from: takenBack.from, to: takenBack.to };
  const folders = {
    made: [...made({ before, after: last, families })],
    emptied: [...before.state.records.keys()].filter(
      (key) => !last.state.records.has(keyAfter(key, families)),
    ),
  };
  const unread = unreadLinks(filesThatAreNoPages(before, plain), found.files, read);
  return {
    files: found.files,
    texts,
    families,
    line,
    takenBack: back,
    links: linked.count,
    unread,
    ...folders,
  };
}

function filesThatAreNoPages({ corpus }: Assembled, options: ContentOptions): readonly string[] {
  const { files } = listTree(contentRoot(options), { include: [], exclude: [] });
  return files.map(({ path }) => path).filter((path) => !corpus.byPath.has(path));
}

/** Everything that a navigation can say of pages. */
function outcomeOf({ state, problems }: Assembled): string {
  return JSON.stringify([
    [...state.records].map(([key, { fields, initial }]) => [key, fields, initial]),
    problems.map(({ code, at }) => [code, at.file]),
  ]);
}

/** Order and tree, as a navigation says them. */
const OF_NAVIGATIONS = ['ordering', 'priority', 'categories', 'categoryParent'] as const;

/** How many places of records are as they were. */
function placesKept(before: Assembled, after: Assembled, found: NewNames): number {
  const families = renamed(before, after, found);
  let count = 0;
  for (const [key, { fields }] of before.state.records) {
    const there = after.state.records.get(keyAfter(key, families));
    const was = mapped(fields, families);
    for (const name of OF_NAVIGATIONS) {
      const [one, other] = [was[name], there?.fields[name]];
      if (one !== undefined && other !== undefined && same(one, other)) count += 1;
    }
  }
  return count;
}

function more(count: number): string {
  return count === 1 ? '' : ` (and ${count - 1} more)`;
}

/** Records by what their files are called now and then. */
function renamed(
  before: Assembled,
  after: Assembled,
  { files, pairs }: NewNames,
): ReadonlyMap<Family, Family> {
  const families = new Map<Family, Family>();
  for (const file of before.corpus.files) {
    const now = after.corpus.byPath.get(files.get(file.path) ?? file.path);
    const [from, to] = [familyOf(file.key), now === undefined ? undefined : familyOf(now.key)];
    if (to !== undefined && to !== from) families.set(from, to);
  }
  // Categories that only exist as folders have no file that could tell.
  for (const file of before.corpus.files.filter(isImplied)) {
    const family = familyOf(file.key);
    for (const { from, to } of pairs) {
      const path = pathOf(family);
      const isBelow = path === from || path.startsWith(`${from}/`);
      const now = familyFrom(kindOf(family), `${to}${path.slice(from.length)}`);
      const isThere = after.state.records.has(keyIn(now, langOf(file.key)));
      if (isBelow && isThere && !after.state.records.has(file.key)) families.set(family, now);
    }
  }
  return families;
}

/** A folder is one line of kbsync.yaml; single pages say it themselves. */
function lineOf(
  { files, pairs }: NewNames,
  {
    families,
    before,
    folder,
  }: {
    readonly families: ReadonlyMap<Family, Family>;
    readonly before: Assembled;
    readonly folder: string;
  },
): MovedFiles['line'] {
  // Some layouts place only files that are there: then the records that were read tell the names.
  const read = [...families].map(([was, is]) => {
    const path = before.corpus.byKey.get(keyIn(was, before.state.defaultLanguage))?.path ?? '';
    const names = { from: pathOf(was), to: pathOf(is) };
    return path.startsWith(`${folder}/`) ? folderPair(names, { path, folder }) : undefined;
  });
  const [named] = read.filter((pair) => pair !== undefined);
  const { from, to } = (pairs.length > 1 ? undefined : named) ?? pairs.at(-1) ?? { from: '', to: '' };
  const isFolder =
    files.size > 1 && [...families.keys()].some((family) => pathOf(family).startsWith(`${from}/`));
  return isFolder ? { from: `${from}/**`, to: `${to}/**` } : undefined;
}

/**
 * A page without front matter of another system's layout stays without: mdBook and wikis would show it to readers. It is a line of
 * kbsync.yaml instead.
 */
function lineOfPage(
  { corpus, state }: Assembled,
  { files }: NewNames,
  {
    families,
    texts,
  }: { readonly families: ReadonlyMap<Family, Family>; readonly texts: ReadonlyMap<string, string> },
): MovedFiles['line'] {
  const pages = [...families].filter(([from]) => {
    const file = corpus.byKey.get(keyIn(from, state.defaultLanguage));
    return file !== undefined && files.has(file.path);
  });
  const [[from, to] = []] = pages;
  if (corpus.preset.foreign === undefined || pages.length !== 1 || from === undefined || to === undefined)
    return undefined;
  const { path = '' } = corpus.byKey.get(keyIn(from, state.defaultLanguage)) ?? {};
  const text = texts.get(files.get(path) ?? '') ?? '';
  return bodyOfFile(text) === text ? { from, to } : undefined;
}

interface Naming {
  readonly before: Assembled;
  readonly found: NewNames;
  readonly families: ReadonlyMap<Family, Family>;
  readonly line: MovedFiles['line'];
  /** How the author's front matter calls `movedFrom`. */
  readonly keyName: string;
}

/** Our own layout has one word for it; in others `fields:` may map it. */
function oldNamesKey({ corpus }: Assembled, { fields }: ContentOptions): string {
  const mapped = corpus.preset.foreign === undefined ? undefined : fields['movedFrom'];
  return mapped ?? 'movedFrom';
}

/** `movedFrom` in the original, where no line of kbsync.yaml says it. */
function sayOldNames(
  texts: Map<string, string>,
  { before, found, families, line, mayBeKnown, keyName }: Naming & Pick<Compared, 'mayBeKnown'>,
): void {
  for (const [from, to] of families) {
    if (line !== undefined && isBelow(from, to, line)) continue;
    const file = before.corpus.byKey.get(keyIn(from, before.state.defaultLanguage));
    const path = file === undefined ? undefined : found.files.get(file.path);
    const text = path === undefined ? undefined : texts.get(path);
    if (file === undefined || path === undefined || text === undefined) continue;
    const said = file.document.movedFrom ?? [];
    // Moved back: a name that it has again is no earlier one.
    const known = said.filter((name) => name !== pathOf(to));
    const names = mayBeKnown(from) ? [...known, pathOf(from)] : known;
    if (names.length === 0 && said.length === 0) continue;
    const [only, ...others] = names;
    const edited =
      only === undefined
        ? withoutOldNames(text, keyName)
        : editedFile(text, [[keyName, others.length === 0 ? only : names]], undefined);
    if (edited !== undefined) texts.set(path, edited);
  }
}

/** Without the key, and without front matter that held nothing else. */
function withoutOldNames(text: string, keyName: string): string | undefined {
  const head = text.slice(0, text.length - bodyOfFile(text).length);
  const line = new RegExp(`^${literalPattern(keyName)}[^\\S\\n]*[:=][^\\S\\n]*\\S[^\\n]*\\n`, 'm');
  const left = head.replace(line, '');
  if (left === head) return undefined;
  const isEmpty = /^\s*(?:---\s*---|\+\+\+\s*\+\+\+)\s*$/.test(left);
  const body = text.slice(head.length);
  return isEmpty ? body.replace(/^\n/, '') : `${left}${body}`;
}

function isBelow(from: Family, to: Family, line: Pick<MoveLine, 'from' | 'to'>): boolean {
  if (line.from === from) return line.to === to;
  const [old, now] = [line.from.slice(0, -3), line.to.slice(0, -3)];
  const rest = pathOf(from).slice(old.length);
  return (pathOf(from) === old || pathOf(from).startsWith(`${old}/`)) && pathOf(to) === `${now}${rest}`;
}

interface References extends Omit<Naming, 'line'> {
  readonly read: (path: string) => string | undefined;
}

/** Front matter that names a record by its path: categories, parents. */
function renameReferences(
  texts: Map<string, string>,
  { before, found, families, keyName, read }: References,
): void {
  for (const file of before.corpus.files) {
    if (isImplied(file)) continue;
    const was = Object.values(before.state.records.get(file.key)?.fields ?? {}).flat();
    if (!was.some((name) => families.has(name as Family))) continue; // only names of records are in it
    const path = found.files.get(file.path) ?? file.path;
    const text = texts.get(path) ?? read(file.path);
    if (text === undefined) continue;
    const head = text.slice(0, text.length - bodyOfFile(text).length);
    let edited = head;
    for (const [from, to] of families)
      edited = namedAnew(edited, keyName, { from: pathOf(from), to: pathOf(to) });
    if (edited !== head) texts.set(path, `${edited}${text.slice(head.length)}`);
  }
}

/** In lists and values of front matter, a whole name; never in a line that says where the file comes from. */
function namedAnew(head: string, keyName: string, { from, to }: NamePair): string {
  const isOwn = new RegExp(`^(?:${literalPattern(keyName)}|movedFrom|title|slug|name)\\b`);
  const name = new RegExp(`(?<![\\w./-])${literalPattern(from)}(?![\\w./-])`, 'g');
  return head
    .split('\n')
    .map((line) => (isOwn.test(line) ? line : line.replace(name, () => to)))
    .join('\n');
}

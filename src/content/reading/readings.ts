import { readCacheFile, writeCacheFile } from '../files/disk.ts';
import type { FileStamp } from '../files/disk.ts';
import type { SourceDocument } from '../document/document.ts';
import type { LocalProblem } from '../source-text.ts';
import { jsonValue } from '../../text/json-value.ts';
import { isRacy, toldBy, type FileTrace } from './traces.ts';

/** Changes whenever the reading of one file may give another result. */
export const READER_VERSION = 46;

/** What reading one file gave: a document, or only problems. */
export interface FileReading {
  readonly document?: SourceDocument;
  readonly problems: readonly LocalProblem[];
  /** Its own system makes no page of it: why. */
  readonly leftOut?: string;
  /** Without a document: the slug that its broken front matter still tells. */
  readonly slug?: string;
}

/**
 * Readings of earlier runs, by path and stamp, or by path and content: a fresh checkout gives every file another stamp. Deleting
 * the file costs time and nothing else; a cache of other options or of another version of this program is not used.
 */
export interface Cache<Reading> {
  /** Something is left of an earlier run. */
  readonly knowsFiles: boolean;
  /** undefined: the file has to be looked into. */
  readonly get: (path: string, stamp: FileStamp, placeKey: string) => Reading | undefined;
  /** Of the very bytes that were read then. undefined: they have to be read as a document. */
  readonly ofContent: (path: string, digest: string, placeKey: string) => Reading | undefined;
  readonly put: (path: string, state: FileState, reading: Reading) => void;
  /** Keeps nothing of a file but its trace. */
  readonly pass: (path: string, stamp: FileStamp, digest: string) => void;
  /** Of a file that was read, or was known, in this run. */
  readonly trace: (path: string) => FileTrace | undefined;
  /** Writes the cache when it has changed. True when every one of `paths` was known by its stamp, or passed. */
  readonly save: (paths: ReadonlySet<string>) => boolean;
}

/**
 * Readings of this process, for who reads the same folder again and again: kept instead of written. One for each set of
 * options, `{ entries: new Map() }` to begin with.
 */
export interface ReadingMemory extends Memory<FileReading> {
  /** Digests and sizes of images and files. */
  files?: Memory<readonly [digest: string, bytes: number]>;
  /** What the layout reads in pages. */
  pages?: Memory<unknown>;
}

interface Memory<Reading> {
  entries: ReadonlyMap<string, Entry<Reading>>;
}

/** The file as it was when it was read, and what its place said. */
export interface FileState {
  readonly stamp: FileStamp;
  readonly placeKey: string;
  /** SHA-256 of its bytes; undefined: the reading is told by the stamp alone. */
  readonly digest?: string | undefined;
}

/** `stamp`: '' if the file may have changed since without a trace in its stamp. */
type Entry<Reading> = readonly [stamp: string, placeKey: string, digest: string, reading: Reading];

/**
 * `nowMs` is the file system's clock before the first file is read, asked only when one has to be. A file that changed
 * shortly before may change again without a trace in its stamp (git calls this racy): such readings are known by the content alone.
 */
export function openCache<Reading>(
  file: string,
  binding: string,
  nowMs: () => number | undefined,
): Cache<Reading> {
  // Written by this very version under these very options: the binding says so.
  const entries = readBound(file, binding) as Readonly<Record<string, Entry<Reading>>> | undefined;
  return cacheOver(new Map(Object.entries(entries ?? {})), nowMs, (kept) =>
    writeCacheFile(file, boundEntries(binding, kept)),
  );
}

/** An object of the entries, as `readBound` reads it, entry by entry. */
function* boundEntries(binding: string, entries: ReadonlyMap<string, unknown>): Generator<string> {
  let before = `${JSON.stringify(binding)}\n{`;
  for (const [name, value] of entries) {
    yield `${before}${JSON.stringify(name)}:${JSON.stringify(value)}`;
    before = ',';
  }
  yield entries.size === 0 ? `${before}}` : '}';
}

/** The same for readings that are kept in this process only. */
export function memoryCache<Reading>(
  memory: Memory<Reading>,
  nowMs: () => number | undefined,
): Cache<Reading> {
  return cacheOver(memory.entries, nowMs, (kept) => {
    memory.entries = kept;
  });
}

function cacheOver<Reading>(
  old: ReadonlyMap<string, Entry<Reading>>,
  nowMs: () => number | undefined,
  write: (kept: ReadonlyMap<string, Entry<Reading>>) => void,
): Cache<Reading> {
  const kept = new Map<string, Entry<Reading>>();
  const passed = new Map<string, FileTrace>();
  let stamped = 0;
  let startedMs: number | undefined;
  let isChanged = false;
  return {
    knowsFiles: old.size > 0,
    get: (path, stamp, placeKey) => {
      const entry = old.get(path);
      if (entry?.[0] === stamp.text && entry[1] === placeKey) {
        kept.set(path, entry);
        stamped += 1;
        return entry[3];
      }
      startedMs ??= nowMs();
      return undefined;
    },
    ofContent: (path, digest, placeKey) => {
      const entry = old.get(path);
      return entry?.[2] === digest && entry[1] === placeKey ? entry[3] : undefined;
    },
    put: (path, { stamp, placeKey, digest = '' }, reading) => {
      const isTold = startedMs !== undefined && !isRacy(stamp, startedMs);
      if (isTold) stamped += 1;
      else if (digest === '') return;
      const before = old.get(path);
      const isKnown = !isTold && before?.[0] === '' && before[2] === digest && before[1] === placeKey;
      kept.set(path, isKnown ? before : [isTold ? stamp.text : '', placeKey, digest, reading]);
      if (!isKnown) isChanged = true;
    },
    pass: (path, stamp, digest) => {
      const told = toldBy(stamp, startedMs);
      if (told !== '') stamped += 1;
      passed.set(path, { stamp: told, digest });
    },
    trace: (path) => {
      const [stamp, , digest = ''] = kept.get(path) ?? [];
      return stamp === undefined || digest === '' ? passed.get(path) : { stamp, digest };
    },
    save: (paths) => {
      if (isChanged || kept.size < old.size) write(kept);
      return stamped === paths.size;
    },
  };
}

/** What `writeBound` wrote under the same binding, or undefined. */
export function readBound(file: string, binding: string): unknown {
  const text = readCacheFile(file);
  const head = `${JSON.stringify(binding)}\n`;
  // The binding comes first, so a cache of other options is not even parsed.
  if (text === undefined || !text.startsWith(head)) return undefined;
  return jsonValue(text.slice(head.length));
}

/** The parts after the head are parsed when asked for: each is undefined if it cannot be parsed. */
export interface BoundParts<Head, Part> {
  readonly head: Head;
  readonly part: (index: number) => Part | undefined;
}

/** What `writeBoundParts` wrote under the same binding, or undefined. */
export function readBoundParts(file: string, binding: string): BoundParts<unknown, unknown> | undefined {
  const text = readCacheFile(file);
  const first = `${JSON.stringify(binding)}\n`;
  if (text === undefined || !text.startsWith(first)) return undefined;
  const [head = '', ...parts] = text.slice(first.length).split('\n');
  const parsed = jsonValue(head);
  // Cut off by a full disk or a power cut: the end of the whole says that all is there.
  if (parsed === undefined || parts.pop() !== '') return undefined;
  return { head: parsed, part: (index) => jsonValue(parts[index] ?? '') };
}

export function writeBoundParts(
  file: string,
  binding: string,
  head: unknown,
  parts: readonly unknown[],
): void {
  writeCacheFile(file, lines([binding, head, ...parts]));
}

export function writeBound(file: string, binding: string, value: unknown): void {
  writeCacheFile(file, [`${JSON.stringify(binding)}\n`, JSON.stringify(value)]);
}

function* lines(values: readonly unknown[]): Generator<string> {
  for (const value of values) yield `${JSON.stringify(value)}\n`;
}

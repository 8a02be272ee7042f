import { readCacheFile, writeCacheFile } from '../files/disk.ts';
import type { FileStamp } from '../files/disk.ts';
import type { SourceDocument } from '../document/document.ts';
import type { LocalProblem } from '../source-text.ts';

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
 * Readings of earlier runs, by path and stamp. Deleting the file costs time and nothing else; a cache of other options
 * or of another version of this program is not used.
 */
export interface Cache<Reading> {
  /** undefined: the file has to be read. */
  readonly get: (path: string, stamp: FileStamp, placeKey: string) => Reading | undefined;
  readonly put: (path: string, state: FileState, reading: Reading) => void;
  /** Writes the cache when it has changed. True when it now holds every one of `paths`. */
  readonly save: (paths: ReadonlySet<string>) => boolean;
}

/**
 * Readings of this process, for who reads the same folder again and again: kept instead of written. One for each set of
 * options, `{ entries: new Map() }` to begin with.
 */
export interface ReadingMemory extends Memory<FileReading> {
  /** Digests and sizes of images and files. */
  files?: Memory<readonly [digest: string, bytes: number]>;
}

interface Memory<Reading> {
  entries: ReadonlyMap<string, Entry<Reading>>;
}

/** Two writes within this time can have one time stamp (FAT counts in syncs of two seconds). */
const RACE_MS = 2000;

/** The file as it was when it was read, and what its place said. */
export interface FileState {
  readonly stamp: FileStamp;
  readonly placeKey: string;
}

type Entry<Reading> = readonly [state: string, reading: Reading];

/**
 * `nowMs` is the file system's clock before the first file is read, asked only when one has to be. A file that changed
 * shortly before may change again without a trace in its stamp; such readings are not kept (git calls this racy).
 */
export function openCache<Reading>(
  file: string,
  binding: string,
  nowMs: () => number | undefined,
): Cache<Reading> {
  // Written by this very version under these very options: the binding says so.
  const entries = readBound(file, binding) as Readonly<Record<string, Entry<Reading>>> | undefined;
  return cacheOver(new Map(Object.entries(entries ?? {})), nowMs, (kept) =>
    writeBound(file, binding, Object.fromEntries(kept)),
  );
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
  let startedMs: number | undefined;
  let isChanged = false;
  return {
    get: (path, stamp, placeKey) => {
      const entry = old.get(path);
      if (entry?.[0] === stateText({ stamp, placeKey })) {
        kept.set(path, entry);
        return entry[1];
      }
      startedMs ??= nowMs();
      return undefined;
    },
    put: (path, state, reading) => {
      if (startedMs === undefined || isRacy(state.stamp, startedMs)) return;
      kept.set(path, [stateText(state), reading]);
      isChanged = true;
    },
    save: (paths) => {
      if (isChanged || kept.size < old.size) write(kept);
      return kept.size === paths.size;
    },
  };
}

/** Whether a file that was read after `startedMs` may change again without a trace in its stamp. */
export function isRacy({ changedMs }: FileStamp, startedMs: number): boolean {
  return changedMs >= startedMs - RACE_MS;
}

function stateText({ stamp, placeKey }: FileState): string {
  return placeKey === '' ? stamp.text : `${stamp.text} ${placeKey}`;
}

/** What `writeBound` wrote under the same binding, or undefined. */
export function readBound(file: string, binding: string): unknown {
  const text = readCacheFile(file);
  const head = `${JSON.stringify(binding)}\n`;
  // The binding comes first, so a cache of other options is not even parsed.
  if (text === undefined || !text.startsWith(head)) return undefined;
  return parsed(text.slice(head.length));
}

/** `body` parses it, and gives undefined where it cannot be parsed. */
export interface BoundParts<Head, Body> {
  readonly head: Head;
  readonly body: () => Body | undefined;
}

/** What `writeBoundParts` wrote under the same binding, or undefined. */
export function readBoundParts(file: string, binding: string): BoundParts<unknown, unknown> | undefined {
  const text = readCacheFile(file);
  const first = `${JSON.stringify(binding)}\n`;
  if (text === undefined || !text.startsWith(first)) return undefined;
  const end = text.indexOf('\n', first.length);
  const head = end < 0 ? undefined : parsed(text.slice(first.length, end));
  // Cut off by a full disk or a power cut: the end of the whole says that all is there.
  if (head === undefined || !text.endsWith('\n')) return undefined;
  return { head, body: () => parsed(text.slice(end + 1)) };
}

export function writeBoundParts(file: string, binding: string, head: unknown, body: unknown): void {
  writeCacheFile(file, `${[binding, head, body].map((part) => JSON.stringify(part)).join('\n')}\n`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function writeBound(file: string, binding: string, value: unknown): void {
  writeCacheFile(file, `${JSON.stringify(binding)}\n${JSON.stringify(value)}`);
}

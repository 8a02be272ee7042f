import { readCacheFile, writeCacheFile } from './disk.ts';
import type { FileStamp } from './disk.ts';
import type { SourceDocument } from './document.ts';
import type { LocalProblem } from './source-text.ts';

/** What reading one file gave: a document, or only problems. */
export interface FileReading {
  readonly document?: SourceDocument;
  readonly problems: readonly LocalProblem[];
}

/**
 * Readings of earlier runs, by path and stamp. Deleting the file costs time and nothing else; a cache of other options
 * or of another version of this program is not used.
 */
export interface ContentCache {
  /** undefined: the file has to be read. */
  readonly get: (path: string, stamp: FileStamp) => FileReading | undefined;
  readonly put: (path: string, stamp: FileStamp, reading: FileReading) => void;
  /** Writes the cache when it has changed; `paths` are those that still exist. */
  readonly save: (paths: ReadonlySet<string>) => void;
}

/** Two writes within this time can have one time stamp (FAT counts in steps of two seconds). */
const RACE_NS = 2_000_000_000n;

interface CacheFile {
  readonly binding: string;
  readonly entries: Readonly<Record<string, readonly [stamp: string, reading: FileReading]>>;
}

/**
 * `nowNs` is the file system's clock before the first file is read, asked only when one has to be. A file that changed
 * shortly before may change again without a trace in its stamp; such readings are not kept (git calls this racy).
 */
export function openCache(file: string, binding: string, nowNs: () => bigint | undefined): ContentCache {
  const old = loadCache(file, binding);
  const fresh = new Map<string, readonly [string, FileReading]>();
  let startedNs: bigint | undefined;
  return {
    get: (path, stamp) => {
      const entry = old[path];
      if (entry !== undefined && entry[0] === stamp.text) return entry[1];
      startedNs ??= nowNs();
      return undefined;
    },
    put: (path, stamp, reading) => {
      if (startedNs !== undefined && stamp.changedNs < startedNs - RACE_NS)
        fresh.set(path, [stamp.text, reading]);
    },
    save: (paths) => {
      const kept = Object.entries(old).filter(([path]) => paths.has(path) && !fresh.has(path));
      if (fresh.size === 0 && kept.length === Object.keys(old).length) return;
      const entries = Object.fromEntries([...kept, ...fresh]);
      writeCacheFile(file, JSON.stringify({ binding, entries } satisfies CacheFile));
    },
  };
}

function loadCache(file: string, binding: string): CacheFile['entries'] {
  const text = readCacheFile(file);
  // The binding comes first, so that a cache of other options is not even parsed.
  if (text === undefined || !text.startsWith(`{"binding":${JSON.stringify(binding)},`)) return {};
  try {
    // Written by this very version under these very options: the binding says so.
    return (JSON.parse(text) as CacheFile).entries;
  } catch {
    return {};
  }
}

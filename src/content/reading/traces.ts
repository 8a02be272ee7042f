import { digestOfBytes } from '../../model/digest.ts';
import { readStable, type FileStamp } from '../files/disk.ts';

/** What tells that a file is as it was: its stamp, or else what is in it. A fresh checkout gives every file another stamp. */
export interface FileTrace {
  /** '' if the file may have changed since without a trace in its stamp: then its bytes are compared. */
  readonly stamp: string;
  /** SHA-256 of its bytes as they stand on the disk, whatever git or a filter made of them. */
  readonly digest: string;
}

/** Reads a file for its trace; undefined: it cannot be read, or changes meanwhile. `startedMs` as in `isRacy`. */
export function traceOf(diskPath: string, startedMs: number | undefined): FileTrace | undefined {
  const read = readStable(diskPath);
  if (read.state !== 'read') return undefined;
  return { stamp: toldBy(read.stamp, startedMs), digest: digestOfBytes(read.bytes) };
}

/** The stamp, or '' if it tells too little. */
export function toldBy(stamp: FileStamp, startedMs: number | undefined): string {
  return startedMs === undefined || isRacy(stamp, startedMs) ? '' : stamp.text;
}

/** A file of the tree, and the stamp that it was listed with. */
interface Tracked {
  readonly file: { readonly diskPath: string };
  readonly place: { readonly role: string };
  readonly stamp: FileStamp | undefined;
}

/**
 * The traces of all files now, and the documents that are not as they were, with their digests; undefined: there are many, or one cannot
 * be told. Stamps and digests are as they were written, one line a file.
 */
export function changesSince<Placed extends Tracked>(
  [stamps, digests]: readonly [stamps: string | undefined, digests: string | undefined],
  placed: readonly Placed[],
  { startedMs, changesMax }: { readonly startedMs: number | undefined; readonly changesMax: number },
): { readonly traces: readonly FileTrace[]; readonly changed: ReadonlyMap<Placed, string> } | undefined {
  if (stamps === undefined || digests === undefined) return undefined;
  const [oldStamps, oldDigests] = [stamps.split('\n'), digests.split('\n')];
  if (oldStamps.length !== placed.length || oldDigests.length !== placed.length) return undefined;
  const traces: FileTrace[] = [];
  const changed = new Map<Placed, string>();
  for (const [index, one] of placed.entries()) {
    const before = { stamp: oldStamps[index] ?? '', digest: oldDigests[index] ?? '' };
    const isStill = one.place.role !== 'document' || (one.stamp?.text ?? '?') === before.stamp;
    const trace = isStill ? before : traceOf(one.file.diskPath, startedMs);
    if (trace === undefined) return undefined;
    traces.push(trace);
    if (trace.digest !== before.digest) changed.set(one, trace.digest);
    if (changed.size > changesMax) return undefined;
  }
  return { traces, changed };
}

/** Two writes within this time can have one time stamp (FAT counts in syncs of two seconds). */
const RACE_MS = 2000;

/** Whether a file that was read after `startedMs` may change again without a trace in its stamp. */
export function isRacy({ changedMs }: FileStamp, startedMs: number): boolean {
  return changedMs >= startedMs - RACE_MS;
}

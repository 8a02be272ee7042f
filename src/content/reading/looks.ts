import { join } from 'node:path';
import { once } from '../../model/once.ts';
import { fileSystemNowMs, stampIfSeen } from '../files/disk.ts';
import type { FileStamp } from '../files/disk.ts';
import { isRacy, traceOf } from './traces.ts';

/** A path from the content folder that a run looked at beside its pages, what was there, and of a text that was read its digest. */
export type Look = readonly [path: string, seen: string, digest?: string];

/**
 * What a run looked for beside the pages: texts that it takes in, and files that it only asks about. An outcome holds as long as each of them
 * is as it was; one that was missing may appear.
 */
export interface Looks {
  /** Before a text is read. */
  readonly begin: () => void;
  /** `told` undefined: no text could be read. */
  readonly read: (
    path: string,
    told: { readonly stamp: FileStamp; readonly digest: string } | undefined,
  ) => void;
  /** How many texts of other files were read so far. */
  readonly readBeside: (path: string) => number;
  /** Whether anything is at that path. */
  readonly asked: (path: string) => void;
  readonly all: () => readonly Look[];
  /** None of them can have changed without a trace. */
  readonly areStable: () => boolean;
  /** Whether all is there, and missing, as it was. A text of another stamp is looked into. */
  readonly areStill: (looks: readonly Look[]) => boolean;
}

const MISSING = '-';
const THERE = '+';

export function looksFrom(root: string, cacheFile: string): Looks {
  const texts = new Map<string, Look>();
  const asked = new Map<string, string>();
  const times = new Map<string, number>();
  let reads = 0;
  // Before the first text is read: a stamp of about this time does not tell whether the file changed again.
  const startedMs = once(() => fileSystemNowMs(cacheFile));
  let isStable = true;
  const stampAt = (path: string): FileStamp | undefined => stampIfSeen(join(root, path));
  const seenAt = (path: string): string => (stampAt(path) === undefined ? MISSING : THERE);
  return {
    begin: () => void startedMs(),
    read: (path, told) => {
      const stamp = told?.stamp ?? stampAt(path);
      const seen = stamp?.text ?? MISSING;
      const fromMs = startedMs();
      if (fromMs === undefined || (stamp !== undefined && isRacy(stamp, fromMs))) isStable = false;
      if ((texts.get(path)?.[1] ?? seen) !== seen) isStable = false;
      texts.set(path, told === undefined ? [path, seen] : [path, seen, told.digest]);
      times.set(path, (times.get(path) ?? 0) + 1);
      reads += 1;
    },
    readBeside: (path) => reads - (times.get(path) ?? 0),
    asked: (path) => {
      if (!asked.has(path)) asked.set(path, seenAt(path));
    },
    all: () => [...texts.values(), ...[...asked].filter(([path]) => !texts.has(path))],
    areStable: () => isStable,
    areStill: (looks) =>
      looks.every(([path, seen, digest]) => {
        if (seen === MISSING || seen === THERE) return seenAt(path) === seen;
        if ((texts.get(path)?.[1] ?? stampAt(path)?.text) === seen) return true;
        return digest !== undefined && traceOf(join(root, path), undefined)?.digest === digest;
      }),
  };
}

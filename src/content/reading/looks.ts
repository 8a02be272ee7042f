import { join } from 'node:path';
import { once } from '../../model/once.ts';
import { fileSystemNowMs, stampIfSeen } from '../files/disk.ts';
import type { FileStamp } from '../files/disk.ts';
import { isRacy } from './readings.ts';

/** A path from the content folder that a run looked at beside its pages, and what was there. */
export type Look = readonly [path: string, seen: string];

/**
 * What a run looked for beside the pages: texts that it takes in, and files that it only asks about. An outcome holds as long as each of them
 * is as it was; one that was missing may appear.
 */
export interface Looks {
  /** Before a text is read. */
  readonly begin: () => void;
  /** `stamp` undefined: no text could be read. */
  readonly read: (path: string, stamp: FileStamp | undefined) => void;
  /** How many texts of other files were read so far. */
  readonly readBeside: (path: string) => number;
  /** Whether anything is at that path. */
  readonly asked: (path: string) => void;
  readonly all: () => readonly Look[];
  /** None of them can have changed without a trace. */
  readonly areStable: () => boolean;
  /** Whether all is there, and missing, as it was. */
  readonly areStill: (looks: readonly Look[]) => boolean;
}

const MISSING = '-';
const THERE = '+';

export function looksFrom(root: string, cacheFile: string): Looks {
  const texts = new Map<string, string>();
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
    read: (path, read) => {
      const stamp = read ?? stampAt(path);
      const seen = stamp?.text ?? MISSING;
      const fromMs = startedMs();
      if (fromMs === undefined || (stamp !== undefined && isRacy(stamp, fromMs))) isStable = false;
      if ((texts.get(path) ?? seen) !== seen) isStable = false;
      texts.set(path, seen);
      times.set(path, (times.get(path) ?? 0) + 1);
      reads += 1;
    },
    readBeside: (path) => reads - (times.get(path) ?? 0),
    asked: (path) => {
      if (!asked.has(path)) asked.set(path, seenAt(path));
    },
    all: () => [...texts, ...[...asked].filter(([path]) => !texts.has(path))],
    areStable: () => isStable,
    areStill: (looks) =>
      looks.every(([path, seen]) => {
        if (seen === MISSING || seen === THERE) return seenAt(path) === seen;
        return (texts.get(path) ?? stampAt(path)?.text) === seen;
      }),
  };
}

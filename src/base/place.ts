import { dirname } from 'node:path';
import { BaseError } from './base.ts';
import type { Disk } from './disk/disk.ts';
import { replaceFile } from './disk/disk.ts';
import { openLineFile } from './journal/line-file.ts';
import type { LineFile } from './journal/line-file.ts';
import { loadFiles } from './load.ts';
import type { LoadedFiles, StatePaths } from './load.ts';
import type { Lock } from './lock.ts';

/** Where state and journal lie, opened for one run that holds the lock. */
export interface StatePlace {
  /** How a message names the journal. */
  readonly journalName: string;
  /** @throws BaseError `damaged`, `newer-format`, `other-origin` or `not-readable` */
  load(origin: string): Promise<LoadedFiles>;
  /** Throws a BaseError `locked` when the lock is no longer ours. */
  assertHeld(): Promise<void>;
  /** Throws a BaseError `changed` unless the state is what `known` says, or `doubtful`. */
  assertState(known: Uint8Array | undefined, doubtful: Uint8Array | undefined): Promise<void>;
  /** Durable when it resolves; `before` is kept as the previous generation. */
  replaceState(next: Uint8Array, before: Uint8Array | undefined): Promise<void>;
  journal(header: string): LineFile;
  /** See `BaseStore`. */
  readonly keepsEachRevision?: boolean;
  readonly guard?: <T>(write: () => Promise<T>) => Promise<T>;
  /** Gives the lock back. `hasOpen`: intents are left without an end. */
  release(hasOpen: boolean): Promise<void>;
}

/** A state file with its journal beside it, under a lock file. */
export function filePlace(disk: Disk, paths: StatePaths, lock: Lock): StatePlace {
  return {
    journalName: paths.journal,
    load: (origin) => loadFiles(disk, paths, origin),
    assertHeld: () => lock.assertHeld(),
    assertState: async (known, doubtful) => {
      const now = await disk.read(paths.state);
      if (isSame(now, known) || (doubtful !== undefined && isSame(now, doubtful))) return;
      throw new BaseError(
        'changed',
        `${paths.state} was ${now === undefined ? 'deleted' : 'replaced'} while this run was under way (a git pull or checkout?). ` +
          `kbsync left it as it is. What this run did is in ${paths.journal}, and the next run takes it up.`,
      );
    },
    replaceState: async (next, before) => {
      if (before !== undefined) {
        await disk.write(`${paths.previous}.tmp`, before);
        await disk.rename(`${paths.previous}.tmp`, paths.previous);
      }
      await replaceFile(disk, paths.state, next, dirname(paths.state));
    },
    journal: (header) => openLineFile({ disk, file: paths.journal, directory: paths.directory, header }),
    release: () => lock.release(),
  };
}

export function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0;
}

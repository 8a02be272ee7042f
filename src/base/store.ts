import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { BaseState } from '../model/record.ts';
import { OWN_FOLDER, OWN_FOLDER_IGNORES } from '../model/own-folder.ts';
import { BaseError } from './base.ts';
import type { BaseStore, Journal, LoadedBase } from './base.ts';
import { explainedDisk } from './disk/explained-disk.ts';
import type { Disk } from './disk/disk.ts';
import { realDisk } from './disk/real-disk.ts';
import type { WrittenState } from './state/record-lines.ts';
import { writtenState } from './state/state-text.ts';
import type { JournalMark } from './state/state-text.ts';
import { openJournal } from './journal/journal.ts';
import type { WritableJournal } from './journal/journal.ts';
import { acquireLock, thisProcess } from './lock.ts';
import type { ProcessHost } from './lock.ts';
import { loadFiles, loadedBase, markOf, statePaths } from './load.ts';
import type { LoadedFiles } from './load.ts';
import { filePlace, isSame } from './place.ts';
import type { StatePlace } from './place.ts';

export interface BaseOptions {
  /** `.kbsync/state.json`. Lock, journal and previous generation lie beside it, under names made from its own. */
  readonly file: string;
  /** The knowledge base's `https://host[:port]`. */
  readonly origin: string;
  /** No lock is taken and nothing is written; the journal is replayed in memory. */
  readonly readOnly: boolean;
  readonly disk?: Disk;
  readonly host?: ProcessHost;
}

/**
 * Opens the base and takes its lock.
 *
 * @throws BaseError `locked` when another run holds it, `not-writable` when the folder cannot be written.
 */
export async function openBase(options: BaseOptions): Promise<BaseStore> {
  const disk = explainedDisk(options.disk ?? realDisk);
  const host = options.host ?? thisProcess;
  const paths = statePaths(options.file);
  const { origin } = options;
  if (options.readOnly) return readOnlyBase(() => loadFiles(disk, paths, origin), origin);
  await disk.makeDirectory(paths.directory);
  if (basename(paths.directory) === OWN_FOLDER)
    await disk.create(join(paths.directory, '.gitignore'), OWN_FOLDER_IGNORES);
  const lock = await acquireLock(disk, paths.lock, host);
  return writableBase({ place: filePlace(disk, paths, lock), origin, journalId: host.nonce() });
}

/** A base that is only looked at. */
export function readOnlyBase(read: () => Promise<LoadedFiles>, origin: string): BaseStore {
  const refuse = (): Promise<never> => Promise.reject(new Error('bug: the base was opened for reading only'));
  return {
    load: async () => loadedBase(await read(), origin),
    save: refuse,
    journal: { intend: refuse, end: refuse, note: refuse },
    close: () => Promise.resolve(),
  };
}

export interface OpenBase {
  readonly place: StatePlace;
  readonly origin: string;
  readonly journalId: string;
}

interface Loaded {
  readonly generation: Generation;
  readonly journal: WritableJournal;
}

/** The base over a place whose lock is held; `close` gives it back. */
export function writableBase(base: OpenBase): BaseStore {
  let loaded: Loaded | undefined;
  let lastSave: Promise<void> = Promise.resolve();

  const whenLoaded = (): Loaded => {
    if (loaded === undefined) throw new Error('bug: the base is used before it is loaded');
    return loaded;
  };

  const load = async (): Promise<LoadedBase> => {
    if (loaded !== undefined) throw new Error('bug: the base is loaded twice');
    const files = await base.place.load(base.origin);
    loaded = { generation: openGeneration(base.place, files), journal: journalOf(base, files) };
    return loadedBase(files, base.origin);
  };

  const save = async (state: BaseState): Promise<void> => {
    const { generation, journal } = whenLoaded();
    if (state.origin !== base.origin)
      throw new Error(`bug: a state of ${state.origin} is saved as ${base.origin}`);
    // Taken at the call: the state holds what was journalled before it, and nothing of what comes while it is written.
    const mark = journal.isAhead() ? journal.mark() : undefined;
    const before = lastSave;
    const saving = (async () => {
      await before;
      if (mark === undefined && generation.holds(state)) return;
      await base.place.assertHeld();
      await generation.write(state, mark);
      if (mark !== undefined) await forgetIfPossible(journal, mark);
    })();
    lastSave = saving.catch(() => undefined);
    return saving;
  };

  const journal: Journal = {
    intend: async (intent) => whenLoaded().journal.intend(intent),
    end: async (op, record) => whenLoaded().journal.end(op, record),
    note: async (record, how) => whenLoaded().journal.note(record, how),
  };

  const close = async (): Promise<void> => {
    try {
      await lastSave;
      await loaded?.journal.close();
    } finally {
      await base.place.release((loaded?.journal.mark().open.length ?? 0) > 0);
    }
  };

  const { guard, keepsEachRevision = false } = base.place;
  const checksum = (): string | undefined => loaded?.generation.checksum();
  return {
    load,
    save,
    checksum,
    journal,
    close,
    keepsEachRevision,
    ...(guard === undefined ? {} : { guard }),
  };
}

function journalOf({ place, origin, journalId }: OpenBase, files: LoadedFiles): WritableJournal {
  return openJournal({
    lines: (header) => place.journal(header),
    origin,
    found: files.journal,
    absorbed: markOf(files.state, files.journal),
    id: journalId,
    assertHeld: () => place.assertHeld(),
  });
}

/**
 * The state names the entries that it contains, so a journal that could not be emptied does no harm: the next run
 * passes over them. Its own next write reports what is wrong with the disk.
 */
async function forgetIfPossible(journal: WritableJournal, mark: JournalMark): Promise<void> {
  try {
    await journal.forget(mark);
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
  }
}

interface Generation {
  /** Whether the file holds just this state, its serial aside, and its commit where that alone is not kept. */
  holds(state: BaseState): boolean;
  write(state: BaseState, mark: JournalMark | undefined): Promise<void>;
  /** Of the file as it is; undefined: there is none. */
  checksum(): string | undefined;
}

/** The state as this run knows it. */
function openGeneration(place: StatePlace, files: LoadedFiles): Generation {
  let serial = files.state?.state.serial ?? 0;
  let absorbed = files.state?.absorbed;
  /** What the file holds; undefined: there is none. */
  let written: (WrittenState & { readonly state: BaseState }) | undefined;
  if (files.state !== undefined && files.stateBytes !== undefined) {
    const { state, checksum } = files.state;
    written = { state, bytes: files.stateBytes, records: [...state.records.values()], checksum };
  }
  /** Written by us in a save that failed: it may be what the file holds. */
  let doubtful: Uint8Array | undefined;

  const writtenWith = (state: BaseState, withSerial: number): WrittenState => {
    const file = { state: { ...state, serial: withSerial }, ...(absorbed === undefined ? {} : { absorbed }) };
    return writtenState(file, written);
  };

  return {
    holds: (given) => {
      if (written === undefined) return false;
      const { state: known, bytes } = written;
      const state = place.keepsEachRevision === true ? given : withRevision(given, known.revision);
      return isUntouched(state, known) || isSame(writtenWith(state, serial).bytes, bytes);
    },
    write: async (state, mark) => {
      await place.assertState(written?.bytes, doubtful);
      absorbed = mark ?? absorbed;
      const next = writtenWith(state, serial + 1);
      doubtful = next.bytes;
      await place.replaceState(next.bytes, written?.bytes);
      written = { ...next, state };
      doubtful = undefined;
      serial += 1;
    },
    checksum: () => written?.checksum,
  };
}

function withRevision(state: BaseState, revision: BaseState['revision']): BaseState {
  const { revision: own, ...others } = state;
  if (own === revision) return state;
  return revision === undefined ? others : { ...others, revision };
}

/** The very records that were read: making their text again, to see that it is the same, would cost a third of a second run. */
function isUntouched(state: BaseState, known: BaseState): boolean {
  return (
    state.repository === known.repository &&
    isDeepStrictEqual(state.revision, known.revision) &&
    state.scopeDigest === known.scopeDigest &&
    isDeepStrictEqual(state.capabilities, known.capabilities) &&
    isDeepStrictEqual(state.habits, known.habits) &&
    isDeepStrictEqual(state.pulled, known.pulled) &&
    hasSameEntries(state.records, known.records) &&
    hasSameEntries(state.unmanaged, known.unmanaged)
  );
}

function hasSameEntries<K, V>(a: ReadonlyMap<K, V>, b: ReadonlyMap<K, V>): boolean {
  if (a.size !== b.size) return false;
  for (const [name, value] of a) if (b.get(name) !== value) return false;
  return true;
}

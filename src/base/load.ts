import { basename, dirname, join } from 'node:path';
import type { Key } from '../model/key.ts';
import type { BaseRecord, BaseState } from '../model/record.ts';
import { BaseError } from './base.ts';
import type { LoadedBase } from './base.ts';
import type { Disk } from './disk/disk.ts';
import { parseState } from './state/state-text.ts';
import type { JournalMark, ParsedState } from './state/state-text.ts';
import { parseJournal } from './journal/entries.ts';
import type { JournalFile } from './journal/entries.ts';
import { openIntents } from './journal/journal.ts';

export interface StatePaths {
  readonly directory: string;
  readonly state: string;
  readonly previous: string;
  readonly journal: string;
  readonly lock: string;
}

/** What lies on the disk, checked; a file that is missing is undefined. */
export interface LoadedFiles {
  readonly state: ParsedState | undefined;
  readonly stateBytes: Uint8Array | undefined;
  readonly journal: JournalFile | undefined;
}

/** `.kbsync/state.json` → `state.prev.json`, `state.journal.ndjson` and `state.lock` beside it. */
export function statePaths(file: string): StatePaths {
  const directory = dirname(file);
  const stem = basename(file).replace(/\.json$/, '');
  return {
    directory,
    state: file,
    previous: join(directory, `${stem}.prev.json`),
    journal: join(directory, `${stem}.journal.ndjson`),
    lock: join(directory, `${stem}.lock`),
  };
}

/** @throws BaseError `damaged`, `newer-format`, `other-origin` or `not-readable`, each with the way out. */
export async function loadFiles(disk: Disk, paths: StatePaths, origin: string): Promise<LoadedFiles> {
  // The journal first: a run that saves in between moves its entries into the state, never the other way.
  const journalBytes = await disk.read(paths.journal);
  const stateBytes = await disk.read(paths.state);
  const { state, journal } = paths;
  const wayOut = { state: () => wayOutOnDisk(disk, paths), other: WAY_OUT_OTHER };
  return parsedFiles({ stateBytes, journalBytes }, { state, journal, wayOut }, origin);
}

const WAY_OUT_OTHER = '--state FILE, or an environment in kbsync.yaml';

/** How messages name state and journal, and what they tell to do. */
export interface StateNames {
  readonly state: string;
  readonly journal: string;
  readonly wayOut: { readonly state: () => Promise<string>; readonly other: string };
}

/** @throws BaseError `damaged`, `newer-format` or `other-origin`, each with the way out. */
export async function parsedFiles(
  { stateBytes, journalBytes }: Readonly<Record<'stateBytes' | 'journalBytes', Uint8Array | undefined>>,
  names: StateNames,
  origin: string,
): Promise<LoadedFiles> {
  const state = stateBytes === undefined ? undefined : await readState(names, stateBytes);
  const journal = journalBytes === undefined ? undefined : readJournal(names.journal, journalBytes);
  const refuseOther = (name: string, found: string | undefined): void => {
    if (found === undefined || found === origin) return;
    throw new BaseError(
      'other-origin',
      `${name} belongs to ${found}; this run is for ${origin}. Give each knowledge base a state of its own ` +
        `(${names.wayOut.other}), or correct the base URL.`,
    );
  };
  refuseOther(names.state, state?.state.origin);
  refuseOther(names.journal, journal?.origin);
  return { state, stateBytes, journal };
}

/** The state with the journal replayed on top of it. Replaying is idempotent: each entry says what a key holds. */
export function loadedBase({ state: file, journal }: LoadedFiles, origin: string): LoadedBase {
  const state: BaseState = file?.state ?? {
    origin,
    serial: 0,
    capabilities: {},
    records: new Map(),
    unmanaged: new Map(),
  };
  const lines = journal?.lines ?? [];
  const absorbed = markOf(file, journal);
  const absorbedSeq = absorbed?.seq ?? 0;
  const records = new Map<Key, BaseRecord>(state.records);
  for (const { seq, entry } of lines) {
    if (seq <= absorbedSeq || entry.do === 'intend') continue;
    const key = entry.do === 'end' ? entry.key : entry.record.key;
    records.delete(key);
    // At the end, as the one that was written last.
    if (entry.record !== undefined) records.set(key, entry.record);
  }
  return {
    state: { ...state, records },
    open: [...openIntents(lines, absorbed).values()],
    isNew: file === undefined && lines.length === 0,
    ...(file === undefined || lines.length > 0 ? {} : { digest: file.checksum }),
  };
}

/** How far the state contains this journal; undefined when it knows nothing of it. */
export function markOf(
  state: ParsedState | undefined,
  journal: JournalFile | undefined,
): JournalMark | undefined {
  return state?.absorbed?.id === journal?.id ? state?.absorbed : undefined;
}

async function readState({ state, wayOut }: StateNames, bytes: Uint8Array): Promise<ParsedState> {
  try {
    return parseState(bytes, state);
  } catch (error) {
    if (!(error instanceof BaseError) || error.code !== 'damaged') throw error;
    const message = `${error.message} kbsync does not treat it as empty. ${await wayOut.state()}`;
    throw new BaseError('damaged', message, { cause: error });
  }
}

async function wayOutOnDisk(disk: Disk, { state, previous }: StatePaths): Promise<string> {
  const adopt = `Or delete ${state}: the next run recognises its records by the comments at the end of their texts. A record without one is adopted if it equals its file, and is a conflict if not.`;
  const restore = `Put a good copy back (git checkout -- ${state}, if you commit it).`;
  try {
    const bytes = await disk.read(previous);
    if (bytes === undefined) return `${restore} ${adopt}`;
    const { state: older } = parseState(bytes, previous);
    return (
      `${previous} is whole (serial ${older.serial}, ${older.records.size} records): copy it over ${state}; ` +
      `kbsync then finds out again what happened since. ${adopt}`
    );
  } catch {
    return `${previous} cannot be used either. ${restore} ${adopt}`;
  }
}

function readJournal(file: string, bytes: Uint8Array): JournalFile {
  try {
    return parseJournal(bytes, file);
  } catch (error) {
    if (!(error instanceof BaseError) || error.code !== 'damaged') throw error;
    throw new BaseError(
      'damaged',
      `${error.message} It names records that were made since the last save. Move it away and keep it: ` +
        'the next run then looks for those records by stamp and slug.',
      { cause: error },
    );
  }
}

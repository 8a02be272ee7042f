import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Digest } from '../../model/digest.ts';
import { habitsFrom } from '../../model/html/habits.ts';
import type { Habits } from '../../model/html/habits.ts';
import type { Key } from '../../model/key.ts';
import type { BaseRecord, BaseState, Capabilities, Capability, UnmanagedRecord } from '../../model/record.ts';
import type { Revision } from '../../model/revision.ts';
import { BaseError } from '../base.ts';
import { RECORDS, recordLines, UNMANAGED } from './record-lines.ts';
import type { WrittenRecords, WrittenState } from './record-lines.ts';
import { isTextList, recordFrom, recordText, show, unmanagedFrom, unmanagedText } from './record-text.ts';
import { isJsonObject, type JsonObject } from '../../text/json-value.ts';

export const FORMAT = 1;

/**
 * How far a journal is contained in a state: its name, the number of its last entry that counts, and the operations up
 * to there that have no end. They are named because the journal's own lines about ends may not be durable yet when the
 * state is: without the names, a power cut between the two would open an ended operation again.
 */
export interface JournalMark {
  readonly id: string;
  readonly seq: number;
  readonly open: readonly string[];
}

export interface StateFile {
  readonly state: BaseState;
  readonly absorbed?: JournalMark;
}

export interface ParsedState extends StateFile {
  /** As its last line says and its content fits. */
  readonly checksum: string;
}

const CHECKSUM = '],"checksum":"sha256:';
const CHECKSUM_LINE = /^\],"checksum":"sha256:[0-9a-f]{64}"\}\n$/;
const CHECKSUM_LINE_CHARS = CHECKSUM.length + 64 + '"}\n'.length;
const MERGE_MARKER = /^(?:<{7} |={7}$|>{7} |\|{7} )/m;

/** Every capability this version knows; others are left out on reading, and unknown takes the safe branch. */
const CAPABILITIES = {
  location: true,
  'if-match': true,
  'idempotency-key': true,
  'read-lang': true,
  'edit-lang': true,
  'delete-lang': true,
  'default-lang': true,
  'keeps-texts': true,
  'hides-comments': true,
  'full-lists': true,
  'draft-lists': true,
  'limit-cuts': true,
  'last-edited': true,
  'keeps-html': true,
  'list-etag': true,
  redirects: true,
  files: true,
} as const satisfies Record<Capability, true>;

/**
 * The state as UTF-8: valid JSON, one line a record, sorted by key, a header line before and a checksum line behind.
 * Equal states give equal bytes, so it can be committed and a diff shows what a sync changed. `before`: what was read or written last.
 */
export function writtenState({ state, absorbed }: StateFile, before?: WrittenRecords): WrittenState {
  const header = JSON.stringify({
    kbsync: 'state',
    format: FORMAT,
    origin: state.origin,
    serial: state.serial,
    repository: state.repository,
    revision: revisionJson(state.revision),
    scopeDigest: state.scopeDigest,
    capabilities: capabilitiesText(state.capabilities),
    habits: habitsText(state.habits),
    pulled: state.pulled?.map((record) => JSON.parse(recordText(record)) as JsonObject),
    journal: absorbed,
  });
  const records = [...state.records].sort(byName).map(([, record]) => record);
  const whole = growingBytes((records.length + state.unmanaged.size + 1) * LINE_BYTES);
  const sum = createHash('sha256');
  const add = (piece: string | Uint8Array): void => {
    sum.update(whole.add(piece));
  };
  add(`${header.slice(0, -1)},\n${RECORDS}\n`);
  for (const piece of recordLines(records, before)) add(piece);
  add(`${UNMANAGED}\n`);
  const unmanaged = [...state.unmanaged].sort(byName).map(([name, record]) => unmanagedText(name, record));
  if (unmanaged.length > 0) add(`${unmanaged.join(',\n')}\n`);
  const checksum = sum.digest('hex');
  whole.add(`${CHECKSUM}${checksum}"}\n`);
  return { bytes: whole.bytes(), records, checksum };
}

/** Of a record with its fields and a few ids; they are 470 on average in a state of 10,000 articles. */
const LINE_BYTES = 640;

interface GrowingBytes {
  /** Answers the bytes of this piece. */
  readonly add: (piece: string | Uint8Array) => Uint8Array;
  readonly bytes: () => Uint8Array;
}

/** Pieces that are joined in the end are there twice for a moment. Memory that is reserved and not yet written takes none. */
function growingBytes(expected: number): GrowingBytes {
  let room = Buffer.allocUnsafeSlow(expected);
  let length = 0;
  return {
    add: (piece) => {
      const start = length;
      length += Buffer.byteLength(piece);
      if (length > room.length) {
        const larger = Buffer.allocUnsafeSlow(length * 2);
        room.copy(larger, 0, 0, start);
        room = larger;
      }
      if (typeof piece === 'string') room.write(piece, start);
      else room.set(piece, start);
      return room.subarray(start, length);
    },
    bytes: () => room.subarray(0, length),
  };
}

/** The same as text. */
export function stateText(file: StateFile): string {
  const { bytes } = writtenState(file);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

/**
 * Reads what `stateText` wrote. A byte order mark and CRLF line ends (git's autocrlf) are taken off first, because the
 * content is provably the same; anything else throws a BaseError `damaged` or `newer-format`. `file` is for messages.
 */
export function parseState(bytes: Uint8Array, file: string): ParsedState {
  const { text, canonical } = decoded(bytes, file);
  const header = headerOf(text, file);
  const fitting = assertChecksum(text, canonical, file);
  const body = jsonOf(text);
  if (body === undefined) throw damaged(file, 'it is not JSON below its first line');
  return {
    state: {
      ...stateHeader(header, file),
      records: recordsFrom(body['records'], file),
      unmanaged: unmanagedRecordsFrom(body['unmanaged'], file),
    },
    ...absorbedFrom(header['journal'], file),
    checksum: fitting,
  };
}

export function damaged(file: string, why: string): BaseError {
  return new BaseError('damaged', `${file} is damaged: ${why}.`);
}

/** The text, and its bytes without what git or an editor may have added. */
function decoded(bytes: Uint8Array, file: string): { readonly text: string; readonly canonical: Uint8Array } {
  if (bytes.length === 0) throw damaged(file, 'it is empty (0 bytes), and a state never is');
  if (!isUtf8(bytes)) throw damaged(file, 'it is not UTF-8');
  const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  if (!found.startsWith('\uFEFF') && !found.includes('\r\n')) return { text: found, canonical: bytes };
  // JSON text holds no raw carriage return, so each one is a line end's.
  const text = found.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  return { text, canonical: Buffer.from(text) };
}

function headerOf(text: string, file: string): JsonObject {
  const firstLine = text.slice(0, Math.max(0, text.indexOf('\n')));
  const header = jsonOf(`${firstLine.replace(/,$/, '')}}`);
  if (header === undefined || header['kbsync'] !== 'state') {
    throw damaged(file, mergeMarkerIn(text) ?? 'its first line is not the header of a kbsync state');
  }
  const { format } = header;
  if (isCount(format) && format > FORMAT) {
    throw new BaseError(
      'newer-format',
      `${file} has format ${format}; this kbsync reads format ${FORMAT}. Use the newer kbsync that wrote it.`,
    );
  }
  if (format !== FORMAT) throw damaged(file, `its format is ${show(format)}, not ${FORMAT}`);
  return header;
}

function assertChecksum(text: string, canonical: Uint8Array, file: string): string {
  const lastLine = text.slice(-CHECKSUM_LINE_CHARS);
  if (!CHECKSUM_LINE.test(lastLine)) {
    const why = 'the checksum line at its end is missing: it was cut off or edited';
    throw damaged(file, mergeMarkerIn(text) ?? why);
  }
  // The last line is ASCII: as many bytes as characters.
  const content = canonical.subarray(0, canonical.length - CHECKSUM_LINE_CHARS);
  const said = lastLine.slice(CHECKSUM.length, -3);
  if (said !== checksum(content)) {
    const why = 'its content does not fit its checksum: it was edited or only partly written';
    throw damaged(file, mergeMarkerIn(text) ?? why);
  }
  return said;
}

function mergeMarkerIn(text: string): string | undefined {
  const marker = MERGE_MARKER.exec(text);
  if (marker === null) return undefined;
  const line = text.slice(0, marker.index).split('\n').length;
  return `line ${line} is a conflict marker of an unfinished git merge`;
}

function stateHeader(header: JsonObject, file: string): Omit<BaseState, 'records' | 'unmanaged'> {
  const { origin, serial, repository, revision, scopeDigest, capabilities, habits, pulled } = header;
  if (typeof origin !== 'string') throw damaged(file, `its origin is ${show(origin)}`);
  if (!isCount(serial)) throw damaged(file, `its serial is ${show(serial)}`);
  if (repository !== undefined && typeof repository !== 'string') {
    throw damaged(file, `its repository is ${show(repository)}`);
  }
  if (scopeDigest !== undefined && typeof scopeDigest !== 'string') {
    throw damaged(file, `its scopeDigest is ${show(scopeDigest)}`);
  }
  return {
    origin,
    serial,
    ...(repository === undefined ? {} : { repository }),
    ...(revision === undefined ? {} : { revision: revisionFrom(revision, file) }),
    // A digest is any text that digestOf made; a foreign one merely equals nothing.
    ...(scopeDigest === undefined ? {} : { scopeDigest: scopeDigest as Digest }),
    capabilities: capabilitiesFrom(capabilities, file),
    ...(habits === undefined ? {} : { habits: habitsFrom(habits) }),
    ...(pulled === undefined
      ? {}
      : { pulled: listOf(pulled, 'pulled', file).map((item) => pulledFrom(item, file)) }),
  };
}

function pulledFrom(json: unknown, file: string): BaseRecord {
  const record = recordFrom(json);
  if (typeof record === 'string') throw damaged(file, `of what was pulled, ${record}`);
  return record;
}

/** Names in one order, whoever made it. */
function revisionJson(revision: Revision | undefined): Revision | undefined {
  if (revision === undefined) return undefined;
  const { commit, branch, atMs } = revision;
  return { commit, ...(branch === undefined ? {} : { branch }), ...(atMs === undefined ? {} : { atMs }) };
}

function revisionFrom(json: unknown, file: string): Revision {
  const { commit, branch, atMs } = isJsonObject(json) ? json : {};
  const isWhole =
    typeof commit === 'string' &&
    (branch === undefined || typeof branch === 'string') &&
    (atMs === undefined || isCount(atMs));
  if (!isWhole) throw damaged(file, `its revision is ${show(json)}`);
  return { commit, ...(branch === undefined ? {} : { branch }), ...(atMs === undefined ? {} : { atMs }) };
}

/** A state without habits has no line for them. */
function habitsText(habits: Habits = {}): Habits | undefined {
  const named = Object.entries(habits).sort(byName);
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

function capabilitiesText(capabilities: Capabilities): Capabilities {
  const sorted = Object.entries(capabilities).sort(byName);
  return Object.fromEntries(sorted);
}

function capabilitiesFrom(json: unknown, file: string): Capabilities {
  if (!isJsonObject(json)) throw damaged(file, `its capabilities are ${show(json)}`);
  const known: Partial<Record<Capability, 'yes' | 'no'>> = {};
  for (const [name, value] of Object.entries(json)) {
    if (!isCapability(name)) continue;
    if (value !== 'yes' && value !== 'no') throw damaged(file, `its capability ${name} is ${show(value)}`);
    known[name] = value;
  }
  return {
    ...known,
    ...namesFrom('languages', json, file),
    ...namesFrom('shared', json, file),
    ...namesFrom('leavesOut', json, file),
    ...namesFrom('slugFronts', json, file),
  };
}

function namesFrom(
  name: 'languages' | 'shared' | 'leavesOut' | 'slugFronts',
  { [name]: names }: JsonObject,
  file: string,
): Pick<Capabilities, typeof name> {
  if (names === undefined) return {};
  if (!isTextList(names)) throw damaged(file, `its capability ${name} is ${show(names)}`);
  return { [name]: names };
}

function recordsFrom(json: unknown, file: string): ReadonlyMap<Key, BaseRecord> {
  const records = new Map<Key, BaseRecord>();
  for (const item of listOf(json, 'records', file)) {
    const record = recordFrom(item);
    if (typeof record === 'string') throw damaged(file, record);
    const before = records.size;
    if (records.set(record.key, record).size === before) {
      throw damaged(file, `${record.key} is in it twice`);
    }
  }
  return records;
}

function unmanagedRecordsFrom(json: unknown, file: string): ReadonlyMap<string, UnmanagedRecord> {
  const records = new Map<string, UnmanagedRecord>();
  for (const item of listOf(json, 'unmanaged', file)) {
    const entry = unmanagedFrom(item);
    if (typeof entry === 'string') throw damaged(file, entry);
    if (records.has(entry[0])) throw damaged(file, `unmanaged ${entry[0]} is in it twice`);
    records.set(entry[0], entry[1]);
  }
  return records;
}

function absorbedFrom(json: unknown, file: string): { readonly absorbed?: JournalMark } {
  if (json === undefined) return {};
  const { id, seq, open } = isJsonObject(json) ? json : {};
  if (typeof id !== 'string' || !isCount(seq) || !isTextList(open)) {
    throw damaged(file, `its journal mark is ${show(json)}`);
  }
  return { absorbed: { id, seq, open } };
}

function listOf(json: unknown, name: string, file: string): readonly unknown[] {
  if (!Array.isArray(json)) throw damaged(file, `its ${name} are ${show(json)}`);
  return json;
}

export function isCount(json: unknown): json is number {
  return typeof json === 'number' && Number.isSafeInteger(json) && json >= 0;
}

function isCapability(name: string): name is Capability {
  return Object.hasOwn(CAPABILITIES, name);
}

export function jsonOf(text: string): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

function byName(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}

function checksum(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

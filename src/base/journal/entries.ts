import { digestOfText } from '../../model/digest.ts';
import type { Digest } from '../../model/digest.ts';
import { parseKey } from '../../model/key.ts';
import type { Key } from '../../model/key.ts';
import type { BaseRecord } from '../../model/record.ts';
import { BaseError } from '../base.ts';
import type { Intent } from '../base.ts';
import { FORMAT, damaged, isCount, jsonOf } from '../state/state-text.ts';
import { recordFrom, recordText, show, wrongValue } from '../state/record-text.ts';
import { isJsonObject, type JsonObject } from '../../text/json-value.ts';

export type Entry =
  | { readonly do: 'intend'; readonly intent: Intent }
  | { readonly do: 'end'; readonly op: string; readonly key: Key; readonly record: BaseRecord | undefined }
  | { readonly do: 'note'; readonly record: BaseRecord };

/** An entry with its number, which only grows, and the line it is written as. */
export interface JournalLine {
  readonly seq: number;
  readonly entry: Entry;
  readonly line: string;
}

export interface JournalFile {
  readonly id: string;
  readonly origin: string;
  readonly lines: readonly JournalLine[];
  /** The last line was cut off: its write was never acknowledged. */
  readonly isTorn: boolean;
}

/** `{"sum":"16 hex digits","entry":{…}}` */
const ENTRY_START = '{"sum":"0123456789abcdef","entry":'.length;

export function headerLine(id: string, origin: string): string {
  return summed(JSON.stringify({ kbsync: 'journal', format: FORMAT, id, origin }));
}

export function entryLine(seq: number, entry: Entry): string {
  switch (entry.do) {
    case 'intend':
      return summed(JSON.stringify({ seq, do: 'intend', intent: entry.intent }));
    case 'end': {
      const start = JSON.stringify({ seq, do: 'end', op: entry.op, key: entry.key }).slice(0, -1);
      return summed(`${start},"record":${entry.record === undefined ? 'null' : recordText(entry.record)}}`);
    }
    case 'note':
      return summed(`{"seq":${seq},"do":"note","record":${recordText(entry.record)}}`);
  }
}

/**
 * Reads a journal. A last line without its line end is what a crash leaves of a write that nobody was told to be done:
 * it is left out. Anything else that is not as written throws a BaseError `damaged` or `newer-format`.
 */
export function parseJournal(bytes: Uint8Array, file: string): JournalFile {
  const text = new TextDecoder().decode(bytes);
  const texts = text.split('\n');
  const isTorn = texts.pop() !== '';
  const [first, ...rest] = texts;
  if (first === undefined)
    throw damaged(file, 'it has no complete line, and kbsync never writes such a journal');
  const { id, origin } = headerFrom(first, file);
  const lines: JournalLine[] = [];
  let last = 0;
  for (const [index, line] of rest.entries()) {
    const where = `line ${index + 2}`;
    const json = unsummed(line);
    if (json === undefined) throw damaged(file, `${where} does not fit its checksum`);
    const { seq } = json;
    if (!isCount(seq) || seq <= last) {
      throw damaged(file, `${where} has number ${show(seq)} after ${last}`);
    }
    const entry = entryFrom(json);
    if (typeof entry === 'string') throw damaged(file, `${where}: ${entry}`);
    lines.push({ seq, entry, line });
    last = seq;
  }
  return { id, origin, lines, isTorn };
}

function headerFrom(line: string, file: string): { readonly id: string; readonly origin: string } {
  const json = unsummed(line);
  if (json === undefined || json['kbsync'] !== 'journal') {
    throw damaged(file, 'its first line is not the header of a kbsync journal');
  }
  const { format, id, origin } = json;
  if (isCount(format) && format > FORMAT) {
    throw new BaseError(
      'newer-format',
      `${file} has format ${format}; this kbsync reads format ${FORMAT}. Use the newer kbsync that wrote it.`,
    );
  }
  if (format !== FORMAT || typeof id !== 'string' || typeof origin !== 'string') {
    throw damaged(file, `its header is ${show(json)}`);
  }
  return { id, origin };
}

function entryFrom(json: JsonObject): Entry | string {
  switch (json['do']) {
    case 'intend': {
      const intent = intentFrom(json['intent']);
      return typeof intent === 'string' ? intent : { do: 'intend', intent };
    }
    case 'end':
    // The word of version 0.1.
    case 'settle': {
      const { op, key } = json;
      if (typeof op !== 'string' || !isKey(key)) return `op ${show(op)} or key ${show(key)} is wrong`;
      const record = json['record'] === null ? undefined : recordFrom(json['record']);
      return typeof record === 'string' ? record : { do: 'end', op, key, record };
    }
    case 'note': {
      const record = recordFrom(json['record']);
      return typeof record === 'string' ? record : { do: 'note', record };
    }
    default:
      return `${show(json['do'])} is not an entry`;
  }
}

function intentFrom(json: unknown): Intent | string {
  if (!isJsonObject(json)) return 'an intent is not an object';
  const { op, action, key, id, name, slug, atMs, again, sent, meanings, letters } = json;
  if (typeof op !== 'string' || !isKey(key)) return `op ${show(op)} or key ${show(key)} is wrong`;
  if (action !== 'create' && action !== 'update' && action !== 'delete') return `action is ${show(action)}`;
  if (id !== undefined && typeof id !== 'string') return `id is ${show(id)}`;
  if (typeof name !== 'string' || typeof slug !== 'string' || typeof atMs !== 'number') {
    return `name ${show(name)}, slug ${show(slug)} or atMs ${show(atMs)} is wrong`;
  }
  const said: Intent = { op, action, key, ...(id === undefined ? {} : { id }), name, slug, atMs };
  const intent: Intent = action === 'create' && again === true ? { ...said, again } : said;
  // Creates of version 0.1 say nothing of what they sent.
  if (action === 'delete' || (action === 'create' && sent === undefined)) return intent;
  const wrong = wrongValue(sent) ?? wrongValue(meanings) ?? wrongValue(letters ?? {});
  if (wrong !== undefined) return wrong;
  // Checked above, name by name.
  return {
    ...intent,
    sent: sent as BaseRecord['sent'],
    meanings: meanings as Record<string, Digest>,
    letters: (letters ?? {}) as Record<string, Digest>,
  };
}

function isKey(json: unknown): json is Key {
  return typeof json === 'string' && parseKey(json) !== undefined;
}

function summed(entry: string): string {
  return `{"sum":"${digestOfText(entry)}","entry":${entry}}`;
}

function unsummed(line: string): JsonObject | undefined {
  const entry = line.slice(ENTRY_START, -1);
  // Compared whole, so the frame around the entry is checked too.
  return line === summed(entry) ? jsonOf(entry) : undefined;
}

import type { BaseRecord } from '../../model/record.ts';
import { recordText } from './record-text.ts';

/** A state as bytes, and the records that its lines say, in the order of the lines. */
export interface WrittenRecords {
  readonly bytes: Uint8Array;
  readonly records: readonly BaseRecord[];
}

export interface WrittenState extends WrittenRecords {
  /** As the last line says. */
  readonly checksum: string;
}

export const RECORDS = '"records":[';
export const UNMANAGED = '],"unmanaged":[';

/** So many records become text at a time: a state of 10,000 is never held as one text and its copies. */
const PIECE_RECORDS = 512;

/**
 * The lines of these records, in pieces. Where the very record that was read or written before is there again, its line is copied: a
 * run that changed one of ten thousand makes one line.
 */
export function* recordLines(
  records: readonly BaseRecord[],
  known: WrittenRecords | undefined,
): Generator<string | Uint8Array> {
  const starts = known === undefined ? undefined : lineStarts(known);
  const copied = known === undefined || starts === undefined ? undefined : { ...known, starts };
  const before = copied === undefined ? [] : copied.records;
  const keys = before.map(({ key }) => key);
  const wanted = records.map(({ key }) => key);
  let line = 0;
  /** How many records from here on stand one behind the other in the known lines, from `line` on. */
  const sameFrom = (from: number): number => {
    while (line < keys.length && String(keys[line]) < String(wanted[from])) line += 1;
    let count = 0;
    while (from + count < records.length && records[from + count] === before[line + count]) count += 1;
    return count;
  };
  for (let from = 0, to = 0; from < records.length; from = to) {
    if (from > 0) yield ',\n';
    const same = sameFrom(from);
    to = from + Math.max(1, same);
    if (same > 0 && copied !== undefined) {
      yield copied.bytes.subarray(copied.starts[line], endOf(line + same, copied.starts));
      continue;
    }
    while (to < records.length && to < from + PIECE_RECORDS && sameFrom(to) === 0) to += 1;
    yield records.slice(from, to).map(recordText).join(',\n');
  }
  if (records.length > 0) yield '\n';
}

/** Where each record's line begins, and behind them where the next part does; undefined if the bytes are not laid out as we write them. */
function lineStarts({ bytes, records }: WrittenRecords): readonly number[] | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const head = text.indexOf('\n') + 1;
  const isAt = (at: number, words: string): boolean =>
    text.toString('latin1', at, at + words.length) === words;
  // Of an editor's or git's line ends the checksum would be another; JSON itself holds no raw carriage return.
  if (!isAt(head, `${RECORDS}\n`) || text.includes('\r')) return undefined;
  const starts = [head + RECORDS.length + 1];
  // Where no line is left, it goes on far behind the text, and nothing is there.
  for (let at = Number(starts[0]); starts.length <= records.length; starts.push(at))
    at = (text.indexOf('\n', at) >>> 0) + 1;
  return isAt(Number(starts[records.length]), UNMANAGED) ? starts : undefined;
}

/** Of the line before this one: a comma follows each but the last. */
function endOf(line: number, starts: readonly number[]): number {
  return Number(starts[line]) - (line === starts.length - 1 ? 1 : 2);
}

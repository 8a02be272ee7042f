import { jsonValue } from '../../text/json-value.ts';
import { readCacheFile, writeCacheFile } from '../files/disk.ts';

/** Rows by their first cell: as they stand in the file until somebody asks for one. */
export type Rows<Name extends string, Row> = ReadonlyMap<Name, Row | string>;

/** A row as `readRows` found it, or as it is; undefined: it cannot be parsed. */
export function parsedRow<Row>(row: Row | string): Row | undefined {
  if (typeof row !== 'string') return row;
  // Written by this very version: what the file is bound to says so.
  return jsonValue(row) as Row | undefined;
}

/** One row a line, below what they are bound to and how many they are. */
export function writeRows(
  file: string,
  binding: string,
  rows: readonly (readonly [name: string, ...unknown[]])[],
): void {
  writeCacheFile(file, linesOf(binding, rows));
}

function* linesOf(binding: string, rows: Parameters<typeof writeRows>[2]): Generator<string> {
  yield `${headOf(binding)}\n${rows.length}\n`;
  for (const row of rows) yield `${JSON.stringify(row)}\n`;
}

/** What `writeRows` wrote under the same binding, or undefined. Of ten thousand rows, only those are parsed that somebody asks for. */
export function readRows<Name extends string, Row>(
  file: string,
  binding: string,
): Rows<Name, Row> | undefined {
  const text = readCacheFile(file);
  const head = `${headOf(binding)}\n`;
  if (text === undefined || !text.startsWith(head)) return undefined;
  const [count, ...lines] = text.slice(head.length).split('\n');
  // A power cut may leave a part of it, or zeros in the place of some pages, which are longer than a line.
  if (lines.pop() !== '' || count !== String(lines.length) || text.includes('\0')) return undefined;
  const rows = new Map<Name, string>();
  for (const line of lines) {
    const name = nameIn(line);
    if (name === undefined) return undefined;
    // A text that `writeRows` was given.
    rows.set(name as Name, line);
  }
  return rows;
}

function headOf(binding: string): string {
  return JSON.stringify(binding);
}

const NAME = /^\[("(?:[^"\\]|\\.)*"),.*\]$/s;

function nameIn(line: string): string | undefined {
  const end = line.indexOf('",');
  if (line.startsWith('["') && end > 0 && line.endsWith(']') && line.lastIndexOf('\\', end) < 0)
    return line.slice(2, end);
  const escaped = NAME.exec(line)?.[1];
  return escaped === undefined ? undefined : (JSON.parse(escaped) as string);
}

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { parsedRow, readRows, writeRows } from '../../../src/content/reading/row-file.ts';

type Row = readonly [name: string, value: unknown];

const folder = mkdtempSync(join(tmpdir(), 'kbsync-rows-'));
const file = join(folder, 'cache.json.rows');
afterAll(() => rmSync(folder, { recursive: true }));

const read = () => {
  const rows = readRows<string, Row>(file, 'tree');
  return rows === undefined ? undefined : [...rows].map(([name, row]) => [name, parsedRow(row)]);
};

test('gives back the rows of any names and values', () => {
  const row = fc.tuple(fc.string({ unit: 'binary', maxLength: 12 }), fc.jsonValue({ maxDepth: 2 }));
  fc.assert(
    fc.property(fc.uniqueArray(row, { selector: ([name]) => name }), (rows) => {
      writeRows(file, 'tree', rows);
      expect(read()).toEqual(rows.map((each) => [each[0], JSON.parse(JSON.stringify(each))]));
      expect(readRows(file, 'another tree')).toBeUndefined();
    }),
  );
});

const ROWS: readonly Row[] = [
  ['article/a@en', { title: 'A' }],
  ['article/b@en', ['x', 'y']],
  ['article/c@en', null],
];

test.each([
  ['a part is missing at its end', (text: string) => text.slice(0, -3)],
  ['a whole line is missing at its end', (text: string) => text.slice(0, text.lastIndexOf('[') - 1)],
  ['a line is missing in it', (text: string) => text.replace(/\["article\/b.*\n/, '')],
  ['zeros stand in it', (text: string) => text.replace('"title":"A"', '\0'.repeat(11))],
  ['a line is no row', (text: string) => text.replace('["article/b@en",["x","y"]]', '{}')],
  ['a row has no name', (text: string) => text.replace('["article/b@en"', '[["article/b@en"]')],
])('a file in which %s is as good as none', (_, damage) => {
  writeRows(file, 'tree', ROWS);
  expect(read()).toEqual(ROWS.map((row) => [row[0], row]));
  writeFileSync(file, damage(readFileSync(file, 'utf8')));
  expect(read()).toBeUndefined();
});

test('a file that is not there is as good as an empty cache', () => {
  rmSync(file, { force: true });
  expect(read()).toBeUndefined();
});

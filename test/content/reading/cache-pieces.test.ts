import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCache } from '../../../src/content/reading/readings.ts';

const STAMP = { text: '1.2.3.4', changedMs: 0 };

/** Long after the files changed. */
const nowMs = () => 1_000_000_000;

test('a cache that is written in many pieces is read as it was', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'kbsync-readings-')), 'cache.json');
  const names = Array.from({ length: 3_000 }, (_, n) => `en/articles/"${n}" é.md`);
  const textOf = (name: string): string => `${name} ${'x'.repeat(300)}`;
  const written = openCache<string>(file, 'binding', nowMs);
  for (const name of names) {
    written.get(name, STAMP, '');
    written.put(name, { stamp: STAMP, placeKey: '' }, textOf(name));
  }
  written.save(new Set(names));
  expect(readFileSync(file, 'utf8').length).toBeGreaterThan(900_000);
  const read = openCache<string>(file, 'binding', nowMs);
  for (const name of names) expect(read.get(name, STAMP, '')).toBe(textOf(name));
});

test('a cache without a file is a cache', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'kbsync-readings-')), 'cache.json');
  const first = openCache<string>(file, 'binding', nowMs);
  first.get('a.md', STAMP, '');
  first.put('a.md', { stamp: STAMP, placeKey: '' }, 'A');
  first.save(new Set(['a.md']));
  const second = openCache<string>(file, 'binding', nowMs);
  second.save(new Set());
  expect(openCache<string>(file, 'binding', nowMs).get('a.md', STAMP, '')).toBeUndefined();
  expect(readFileSync(file, 'utf8')).toBe('"binding"\n{}');
});

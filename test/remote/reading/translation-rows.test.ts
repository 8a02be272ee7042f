import { expect, test } from 'vitest';
import { RemoteError } from '../../../src/remote/error.ts';
import { createTranslationRows } from '../../../src/remote/reading/translation-rows.ts';
import type { RowOf } from '../../../src/remote/reading/translation-rows.ts';
import { keptBytes } from '../../support/kept-bytes.ts';

const ORIGINAL: RowOf = { language: null, languageParent: null };
const row = (language: string, languageParent = 'a1'): RowOf => ({ language, languageParent });

/** A list of articles that single reads show as these. */
function known(rows: Readonly<Record<string, RowOf>>) {
  const reads: string[] = [];
  const found = createTranslationRows((_, id) => {
    reads.push(id);
    const shown = rows[id];
    return shown === undefined ? Promise.reject(refusal()) : Promise.resolve(shown);
  });
  found.saw('article', Object.keys(rows));
  return { rows: found, reads };
}

const refusal = () => new RemoteError('rejected', 'there is no such record', { request: 'GET' });

test('a translation is found among the rows of the list, each of which is read once', async () => {
  const { rows, reads } = known({ a1: ORIGINAL, a2: row('fr'), a3: row('de'), a4: row('fr', 'a9') });
  expect(await Promise.all([rows.find('article', 'a1', 'fr'), rows.find('article', 'a1', 'de')])).toEqual([
    'a2',
    'a3',
  ]);
  expect(await rows.find('article', 'a1', 'es')).toBeUndefined();
  expect(reads.toSorted()).toEqual(['a1', 'a2', 'a3', 'a4']);
});

test('a row in another region’s language is no translation in the plain one: nobody asked for that', async () => {
  const { rows } = known({ a1: ORIGINAL, a2: row('pt-BR') });
  expect(await rows.find('article', 'a1', 'pt')).toBeUndefined();
  expect(await rows.find('article', 'a1', 'pt-br')).toBe('a2');
  const both = known({ a1: ORIGINAL, a2: row('pt-BR'), a3: row('pt') });
  expect(await both.rows.find('article', 'a1', 'pt')).toBe('a3');
});

test('of two rows for one language none is taken, and none that the last list does not show', async () => {
  const { rows } = known({ a1: ORIGINAL, a2: row('fr'), a3: row('fr') });
  expect(await rows.find('article', 'a1', 'fr')).toBeUndefined();
  rows.saw('article', ['a1', 'a3']);
  expect(await rows.find('article', 'a1', 'fr')).toBe('a3');
  rows.saw('article', ['a1']);
  expect(await rows.find('article', 'a1', 'fr')).toBeUndefined();
});

test('a row that could not be read is read again after the next list', async () => {
  let isDown = true;
  const rows = createTranslationRows(() => (isDown ? Promise.reject(refusal()) : Promise.resolve(row('fr'))));
  rows.saw('article', ['a2']);
  expect(await rows.find('article', 'a1', 'fr')).toBeUndefined();
  isDown = false;
  rows.saw('article', ['a2']);
  expect(await rows.find('article', 'a1', 'fr')).toBe('a2');
});

test('what an earlier run knows as originals is not read, and more than 200 strangers are not either', async () => {
  const ids = Array.from({ length: 300 }, (_, n) => `a${n}`);
  const { rows, reads } = known(Object.fromEntries(ids.map((id) => [id, ORIGINAL])));
  await rows.find('article', 'a1', 'fr');
  expect(reads).toEqual([]);
  rows.knew((_, id) => id !== 'a7');
  await rows.find('article', 'a1', 'fr');
  expect(reads).toEqual(['a7']);
});

test('ten thousand translations are looked for among ten thousand rows within a moment', async () => {
  const ids = Array.from({ length: 10_000 }, (_, n) => `a${n}`);
  const { rows } = known(Object.fromEntries(ids.map((id) => [id, ORIGINAL])));
  for (const id of ids) rows.showed('article', id, ORIGINAL);
  const startedMs = performance.now();
  for (const id of ids) await rows.find('article', id, 'fr');
  expect(performance.now() - startedMs).toBeLessThan(3_000);
});

test('of what a read showed, the language and the parent are kept and not the text', () => {
  const { rows } = known({});
  const kept = keptBytes(2_000, (index) => {
    const content = Array.from({ length: 1_000 }, (_, n) => `${index} ${n}`).join(' ');
    rows.showed('article', `a${index}`, { ...row('fr'), content } as RowOf);
  });
  expect(kept).toBeLessThan(1_000);
});

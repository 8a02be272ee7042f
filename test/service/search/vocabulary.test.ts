import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, constantFrom, property, string, uniqueArray } from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createVocabularies, vocabularyOf } from '../../../src/service/search/vocabulary.ts';
import { openSqlite } from '../../../src/service/store/sqlite/sqlite.ts';
import type { Sql } from '../../../src/service/store/store.ts';
import { editDistance } from '../../../src/text/edit-distance.ts';

const folder = mkdtempSync(join(tmpdir(), 'kbsync-vocabulary-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('queries that come at once share one look at the titles; one that failed is made again', async () => {
  const store = openSqlite({ file: join(folder, 'kb.db') });
  await store.read(async (sql) => {
    let looks = 0;
    const counting: Sql = {
      ...sql,
      all: (text, ...values) => {
        looks += 1;
        return looks === 1 ? Promise.reject(new Error('gone')) : sql.all(text, ...values);
      },
    };
    const vocabularies = createVocabularies(() => 0);
    await expect(vocabularies.of(counting, '', true)).rejects.toThrow('gone');
    const made = await Promise.all([1, 2, 3].map(() => vocabularies.of(counting, '', true)));
    expect(new Set(made).size).toBe(1);
    expect(looks).toBe(2);
  });
  await store.close();
});

test('no word that is near enough is passed over, and none that is not is taken', () => {
  // Few letters, some of which share a bit with another (`A`, `a`, `!`, `q`, `1`), so words are often near.
  const word = string({
    unit: constantFrom('a', 'A', 'b', 'q', '1', 'é', '文'),
    minLength: 3,
    maxLength: 10,
  });
  assert(
    property(uniqueArray(word, { maxLength: 30 }), word, (words, asked) => {
      const { near } = vocabularyOf(new Map(words.map((each) => [each, 1])));
      const max = asked.length < 4 || /^\p{N}+$/u.test(asked) ? 0 : asked.length < 8 ? 1 : 2;
      const within = words.filter((each) => each !== asked && editDistance(asked, each, max) <= max);
      const found = near(asked);
      expect(found.length).toBe(Math.min(3, within.length));
      expect(within).toEqual(expect.arrayContaining([...found]));
    }),
    { numRuns: 2000 },
  );
});

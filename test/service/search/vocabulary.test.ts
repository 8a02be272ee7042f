import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createVocabularies } from '../../../src/service/search/vocabulary.ts';
import { openSqlite } from '../../../src/service/store/sqlite/sqlite.ts';
import type { Sql } from '../../../src/service/store/store.ts';

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

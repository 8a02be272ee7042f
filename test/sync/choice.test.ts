import { describe, expect, test } from 'vitest';
import type { Key } from '../../src/model/key.ts';
import type { BaseRecord } from '../../src/model/record.ts';
import { choiceOf, type Wanted } from '../../src/sync/choice.ts';
import { desiredState } from '../support/desired.ts';

const desired = desiredState({
  'article/billing/refunds@en': { fields: { categories: ['category/billing'], tags: ['tag/money'] } },
  'article/billing/refunds@de': {},
  'article/start@en': {},
  'category/billing@en': { fields: { categoryParent: 'category/top' } },
  'category/top@en': {},
  'tag/money@en': {},
});

function chosen(wanted: Partial<Wanted>, known: readonly string[] = []) {
  const records = new Map(known.map((key) => [key as Key, { key } as unknown as BaseRecord]));
  const choice = choiceOf({ folder: 'content/', ...wanted }, { desired, base: { records } });
  return { ...choice, keys: [...choice.keys].sort() };
}

const NEEDS = ['category/billing@en', 'tag/money@en', 'category/top@en'];

describe('a word stands for every record one of whose names fits', () => {
  test.each([
    ['article/billing/refunds@de', ['article/billing/refunds@de']],
    ['article/billing/refunds', ['article/billing/refunds@de', 'article/billing/refunds@en']],
    ['billing/refunds', ['article/billing/refunds@de', 'article/billing/refunds@en']],
    ['billing/refunds@de', ['article/billing/refunds@de']],
    ['billing/', ['article/billing/refunds@de', 'article/billing/refunds@en', 'category/billing@en']],
    ['**/refunds@*', ['article/billing/refunds@de', 'article/billing/refunds@en']],
    ['de/article/**', ['article/billing/refunds@de']],
    ['./de/article/billing/refunds.md', ['article/billing/refunds@de']],
  ])('%s', (word, expected) => {
    const { keys, needed } = chosen({ only: [word], folder: '' });
    expect(keys.filter((key) => !needed.includes(key))).toEqual(expected);
  });

  test('a file is named from the content folder or from where one stands', () => {
    const at = { file: 'content/en/start.md', line: 1, column: 1 };
    const records = new Map(
      [...desired.records].map(([key, record]) => [
        key,
        key === 'article/start@en' ? { ...record, at } : record,
      ]),
    );
    for (const word of ['content/en/start.md', 'en/start.md']) {
      const about = { desired: { ...desired, records }, base: { records: new Map() } };
      expect([...choiceOf({ only: [word], folder: 'content/' }, about).keys]).toEqual(['article/start@en']);
    }
  });
});

test('what a chosen record needs is brought in with what that needs, unless it was synced', () => {
  expect(chosen({ only: ['article/billing/refunds@en'] })).toMatchObject({
    needed: NEEDS,
    of: 6,
    unmatched: [],
  });
  expect(chosen({ only: ['article/billing/refunds@en'] }, ['category/billing@en']).needed).toEqual([
    'tag/money@en',
  ]);
  expect(chosen({ only: ['article/billing/refunds@de'] }).needed).toEqual([
    'article/billing/refunds@en',
    ...NEEDS,
  ]);
});

test('what is excluded is left out, and comes in again where it is needed', () => {
  expect(chosen({ exclude: ['billing/**', 'category/**', 'tag/**'] }).keys).toEqual(['article/start@en']);
  expect(chosen({ only: ['article/billing/refunds@en'], exclude: ['tag/*'] }).needed).toEqual(NEEDS);
});

test('a record without a file is named by its key, and is no changed file', () => {
  const gone = 'article/old@en';
  expect(chosen({ only: ['old'] }, [gone])).toMatchObject({ keys: [gone], of: 7 });
  expect(chosen({ changed: new Set(['en/article/start.md']) }, [gone]).keys).toEqual(['article/start@en']);
  expect(chosen({ changed: new Set() }, [gone]).keys).toEqual([]);
});

test('a word that fits nothing is told', () => {
  expect(chosen({ only: ['start', 'nowhere'], exclude: ['never'] }).unmatched).toEqual(['nowhere', 'never']);
});

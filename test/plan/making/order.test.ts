import { describe, expect, test } from 'vitest';
import type { Key } from '../../../src/model/key.ts';
import { kindOf, langOf } from '../../../src/model/key.ts';
import { inOrder, inWaves, prerequisitesOf, slugsToFree } from '../../../src/plan/making/order.ts';
import type { Change } from '../../../src/plan/plan.ts';
import { desiredState } from '../../support/desired.ts';
import type { Files } from '../support/plan-model.ts';
import { keyFrom } from '../support/plan-model.ts';

function order(files: Files): readonly string[] {
  return inOrder(desiredState(files).records.values()).map(({ key }) => key);
}

function below(parent: string | null): Files[string] {
  return { fields: { categoryParent: parent } };
}

describe('the order of records', () => {
  test('is categories from the top down, tags, articles, then translations of each', () => {
    const files = {
      'article/a@fr': {},
      'article/b@en': {},
      'article/a@en': {},
      'tag/t@en': {},
      'category/a-child@en': below('category/z-top'),
      'category/a-child@fr': below('category/z-top'),
      'category/z-top@en': below(null),
    };
    expect(order(files)).toEqual([
      'category/z-top@en',
      'category/a-child@en',
      'tag/t@en',
      'article/a@en',
      'article/b@en',
      'category/a-child@fr',
      'article/a@fr',
    ]);
  });

  test('is found even where categories contain each other', () => {
    const files = {
      'category/a@en': below('category/b'),
      'category/b@en': below('category/a'),
      'category/c@en': below('category/a'),
    };
    expect([...order(files)].sort()).toEqual(Object.keys(files));
  });
});

describe('the waves of changes', () => {
  const waves = (changes: readonly Change[], needs: Readonly<Record<string, readonly string[]>>) =>
    inWaves(changes, ({ key }) => (needs[key] ?? []).map(keyFrom)).map((wave) => wave.map(({ key }) => key));

  test('put a change behind everything it needs, as far as that changes too', () => {
    expect(
      waves([write('article/a@en'), write('category/c@en'), write('tag/t@en')], {
        'article/a@en': ['category/c@en', 'tag/stays@en'],
      }),
    ).toEqual([['category/c@en', 'tag/t@en'], ['article/a@en']]);
  });

  test('let a change that needs itself go first', () => {
    expect(waves([write('article/a@en')], { 'article/a@en': ['article/a@en'] })).toEqual([['article/a@en']]);
  });

  test('hold every change of a circle once, and never two of them at a time', () => {
    const circle = { 'tag/a@en': ['tag/b@en'], 'tag/b@en': ['tag/c@en'], 'tag/c@en': ['tag/a@en'] };
    const found = waves(Object.keys(circle).map(write), circle);
    expect(found.flat().sort()).toEqual(Object.keys(circle));
    expect(found.map((wave) => wave.length)).toEqual([1, 1, 1]);
  });

  test('delete last: translations, articles, tags, and categories one by one in the plan’s order', () => {
    const gone = [
      'category/child@en',
      'category/top@en',
      'tag/t@en',
      'article/a@en',
      'article/b@en',
      'article/a@fr',
    ].map(remove);
    expect(waves([...gone, write('tag/new@en')], {})).toEqual([
      ['tag/new@en'],
      ['article/a@fr'],
      ['article/a@en', 'article/b@en'],
      ['tag/t@en'],
      ['category/child@en'],
      ['category/top@en'],
    ]);
  });

  test('wait for what an edit needs; a delete needs nothing', () => {
    const changes = [write('article/a@fr'), remove('article/b@en')];
    const needed = prerequisitesOf(
      changes,
      desiredState({ 'article/a@en': filed('category/c'), 'article/a@fr': {}, 'category/c@en': {} }),
    );
    expect(changes.map(needed)).toEqual([['article/a@en'], []]);
  });

  test('are none where nothing changes', () => {
    expect(waves([], {})).toEqual([]);
  });
});

describe('a slug that moves on', () => {
  const renamed = (text: string, before: string, slug: string): Change => ({
    ...write(text),
    slug,
    fields: [{ field: 'slug', before, after: slug }],
  });
  const files = {
    'category/c@en': {},
    'tag/a@en': {},
    'tag/b@en': {},
    'article/x@en': {},
    'article/y@en': filed('category/c'),
  };

  test('needs nothing more where its holder waits only for records that stay as they are', () => {
    const changes = [renamed('article/x@en', 'x', 'y'), renamed('article/y@en', 'y', 'z')];
    expect([...slugsToFree(changes, desiredState(files))]).toEqual([]);
  });

  test('is given up before any other write where two records swap theirs', () => {
    const changes = [renamed('tag/a@en', 'a', 'b'), renamed('tag/b@en', 'b', 'a')];
    expect([...slugsToFree(changes, desiredState(files))]).toEqual(['tag/b@en']);
  });
});

function filed(category: string): Files[string] {
  return { fields: { categories: [category] } };
}

function write(text: string): Change {
  return changeOf('update', keyFrom(text));
}

function remove(text: string): Change {
  return changeOf('delete', keyFrom(text));
}

function changeOf(action: Change['action'], key: Key): Change {
  const lang = langOf(key);
  return {
    action,
    kind: kindOf(key),
    key,
    lang,
    slug: '',
    name: '',
    fields: [],
    ...(lang === 'en' ? {} : { isTranslation: true }),
  };
}

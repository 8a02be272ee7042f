import { describe, expect, test } from 'vitest';
import type { Fields } from '../../src/model/fields.ts';
import { familyFrom } from '../../src/model/key.ts';
import type { BaseRecord, DesiredRecord } from '../../src/model/record.ts';
import {
  baseValuesOf,
  differsFromBase,
  familyToCome,
  idToCome,
  ownedFields,
  referencesOf,
} from '../../src/plan/compare.ts';
import { freeSlug, withoutMark } from '../../src/plan/slug-mark.ts';
import { wordChange } from '../../src/plan/making/entries.ts';
import { desiredState } from '../support/desired.ts';
import { keyFrom } from './support/plan-model.ts';

function record(text: string, fields: Fields, body?: string): DesiredRecord {
  const file = desiredState({ [text]: { fields, body: body ?? null } }).records.get(keyFrom(text));
  if (file === undefined) throw new Error('a file gives a record');
  return file;
}

/** What the base holds after this record was sent. */
function baseFor(desired: DesiredRecord): BaseRecord {
  const { key, kind, fields, body } = desired;
  const sent = body === undefined ? fields : { ...fields, [body.field]: body.render() };
  return {
    key,
    id: '1',
    ownership: 'created',
    sent: baseValuesOf(kind, sent),
    ...(body === undefined ? {} : { input: body.inputDigest }),
  };
}

describe('a file differs from the last sync', () => {
  const before = record('article/a@en', { title: 'A' }, '<p>a</p>');
  const differs = (now: DesiredRecord, base = baseFor(before)) => differsFromBase(now, now.fields, base);

  test('when a field says something else, or says something for the first time', () => {
    expect(differs(before)).toBe(false);
    expect(differs(record('article/a@en', { title: 'B' }, '<p>a</p>'))).toBe(true);
    expect(differs(record('article/a@en', { title: 'A', excerpt: '' }, '<p>a</p>'))).toBe(true);
  });

  test('when its text does', () => {
    expect(differs(record('article/a@en', { title: 'A' }, '<p>b</p>'))).toBe(true);
  });

  test('not when other input gives the same text', () => {
    const { body } = before;
    if (body === undefined) throw new Error('an article has a body');
    const respelt = record('article/a@en', { title: 'A' }, '<p>b</p>').body?.inputDigest ?? body.inputDigest;
    expect(differs({ ...before, body: { ...body, inputDigest: respelt } })).toBe(false);
  });

  test('when it has a text for the first time', () => {
    const bare = baseFor(record('article/a@en', { title: 'A' }));
    expect(differs(before, bare)).toBe(true);
  });

  test('not when it has no text of ours any more', () => {
    expect(differs(record('article/a@en', { title: 'A' }))).toBe(false);
  });

  test('without its text being rendered when the input is the same', () => {
    const { body } = before;
    if (body === undefined) throw new Error('an article has a body');
    const render = (): string => {
      throw new Error('rendered');
    };
    expect(differs({ ...before, body: { ...body, render } })).toBe(false);
  });
});

describe('the base remembers', () => {
  test('short values as they are, and long ones and every text as digests', () => {
    const values = baseValuesOf('article', {
      title: 'A',
      excerpt: 'x'.repeat(201),
      content: '<p>a</p>',
      ordering: 1,
    });
    expect(values).toEqual({
      title: 'A',
      excerpt: { digest: expect.any(String) },
      content: { digest: expect.any(String) },
      ordering: 1,
    });
  });
});

describe('references', () => {
  const idOf = (family: string) => `id of ${family}`;

  test('become ids, as a set: order and doubles say nothing', () => {
    const article = record('article/a@en', { categories: ['category/b', 'category/a', 'category/b'] });
    expect(ownedFields(article, idOf)['categories']).toEqual(['id of category/a', 'id of category/b']);
    expect(referencesOf(article)).toEqual(['category/b', 'category/a', 'category/b']);
  });

  test('to a parent are one, or none', () => {
    const child = record('category/a@en', { categoryParent: 'category/top' });
    expect(ownedFields(child, idOf)['categoryParent']).toBe('id of category/top');
    expect(referencesOf(child)).toEqual(['category/top']);
    const top = record('category/a@en', { categoryParent: null });
    expect(ownedFields(top, idOf)['categoryParent']).toBeNull();
    expect(referencesOf(top)).toEqual([]);
  });

  test('that the file does not state are not ours', () => {
    const category = record('category/a@en', {});
    expect(ownedFields(category, idOf)).toEqual(category.fields);
    expect(referencesOf(category)).toEqual([]);
  });
});

describe('a slug that is out of the way', () => {
  test('is marked with eight digits, and known as ours by them', () => {
    expect(freeSlug('install', () => 0)).toBe('install--kbsync-00000000');
    expect(freeSlug('install', () => 0.999999)).toMatch(/^install--kbsync-[0-9a-f]{8}$/);
    expect(withoutMark(freeSlug('install', () => 0.5))).toBe('install');
  });

  test('is no other slug', () => {
    for (const slug of ['install', 'install--kbsync-1', 'install--kbsync-0000000g', 'a--kbsync-00000000-b'])
      expect(withoutMark(slug)).toBe(slug);
  });
});

describe('the words that changed', () => {
  test('are counted as added and removed, tags left out', () => {
    expect(wordChange('<p>one two</p>', '<p class="x">two three four</p>')).toEqual({ added: 2, removed: 1 });
  });

  test('are none where a paragraph moved', () => {
    expect(wordChange('<p>one</p><p>two</p>', '<p>two</p><p>one</p>')).toEqual({ added: 0, removed: 0 });
  });

  test('are all of them where there was, or is, no text', () => {
    expect(wordChange('', '<p>one one</p>')).toEqual({ added: 2, removed: 0 });
    expect(wordChange('<p>one</p>', '')).toEqual({ added: 0, removed: 1 });
  });
});

test('the id of a record that is yet to be made tells its family, an id of the service does not', () => {
  const family = familyFrom('category', 'setup/linux');
  expect(familyToCome(idToCome(family))).toBe(family);
  expect(familyToCome('17')).toBeUndefined();
});

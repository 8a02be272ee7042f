import { describe, expect, test } from 'vitest';
import type { DesiredFields } from '../../src/model/fields.ts';
import type { BaseRecord, DesiredRecord } from '../../src/model/record.ts';
import { keyOf, familyOf } from '../../src/model/key.ts';
import { makePlan } from '../../src/plan/making/make-plan.ts';
import {
  pathsForIds,
  unkeptWords,
  withoutSharedFields,
  withoutSharedValues,
} from '../../src/plan/shared-fields.ts';
import { knownRecord } from './support/plan-inputs.ts';
import { lived, shown } from './support/plan-model.ts';

const SHARED = { shared: ['article.slug', 'article.excerpt'] };
const noPlaces = () => ({});
const EN = { defaultLanguage: 'en' };

function desired(lang: string): DesiredRecord {
  const key = keyOf('article', 'a', lang);
  return {
    key,
    kind: 'article',
    family: familyOf(key),
    lang,
    isOriginal: lang === 'en',
    fields: { title: 'A', slug: 'a' },
    initial: { excerpt: 'Short', status: 'published' },
    at: { file: `${lang}/a.md`, line: 1, column: 1 },
    places: noPlaces,
  };
}

function base(lang: string, observed?: BaseRecord['observed']): BaseRecord {
  return {
    key: keyOf('article', 'a', lang),
    id: '1',
    ownership: 'created',
    sent: { title: 'A', slug: 'a' },
    ...(observed === undefined ? {} : { observed }),
  };
}

describe('what a service keeps once for all languages', () => {
  test('is the original’s: a translation neither sends nor owns it', () => {
    const { fields, initial, unkept } = withoutSharedFields(desired('fr'), SHARED);
    expect({ fields, initial, unkept }).toEqual({
      fields: { title: 'A' },
      initial: { status: 'published' },
      unkept: { slug: 'a' },
    });
    expect(withoutSharedFields(desired('en'), SHARED)).toEqual(desired('en'));
    expect(withoutSharedFields(desired('fr'), {})).toEqual(desired('fr'));
  });

  test('is learnt in steps: what the file said of each stays known', () => {
    const once = withoutSharedFields(desired('fr'), { shared: ['article.title'] });
    expect(withoutSharedFields(once, SHARED).unkept).toEqual({ title: 'A', slug: 'a' });
  });

  test('leaves the base of a translation', () => {
    const now = withoutSharedValues(base('fr', { slug: 'b', title: 'B' }), SHARED, EN);
    expect(now).toEqual({ ...base('fr', { title: 'B' }), sent: { title: 'A' } });
    expect(withoutSharedValues(base('fr'), SHARED, EN)).toEqual({ ...base('fr'), sent: { title: 'A' } });
    expect(withoutSharedValues(base('en'), SHARED, EN)).toEqual(base('en'));
    expect(withoutSharedValues(base('fr'), { shared: ['tag.slug'] }, EN)).toEqual(base('fr'));
    expect(withoutSharedValues(base('fr'), {}, EN)).toEqual(base('fr'));
  });

  test('is told where the original says something else', () => {
    const words = (theirs: string | undefined) => unkeptWords({ unkept: { slug: 'a' } }, () => theirs);
    expect(words('b')).toBe(
      `slug is "a" in this translation and "b" in the original: the service keeps one value for all languages, so the original's stays; give both the same value`,
    );
    expect(words('a')).toBeUndefined();
    expect(words(undefined)).toBeUndefined();
    expect(unkeptWords({}, () => 'b')).toBeUndefined();
  });
});

describe('paths in the place of ids', () => {
  const guide = familyOf(keyOf('category', 'guide/start', 'en'));
  const ids = new Map([[guide, '7']]);

  test('stand for records of the kind that the field names, and an unknown id stays', () => {
    const inPaths = pathsForIds('article', ids);
    expect(inPaths('categories', ['7', '8'])).toEqual(['guide/start', '8']);
    expect(inPaths('tags', ['7'])).toEqual(['7']);
    expect(inPaths('slug', '7')).toBe('7');
    expect(pathsForIds('category', ids)('categoryParent', '7')).toBe('guide/start');
    expect(pathsForIds('category', ids)('categoryParent', null)).toBeNull();
  });

  test('know a record that was made since', () => {
    const inPaths = pathsForIds('article', ids);
    ids.set(familyOf(keyOf('tag', 'cli', 'en')), '9');
    expect(inPaths('tags', ['9'])).toEqual(['cli']);
  });
});

describe('a plan tells of a value that is not kept', () => {
  const planWith = (unkept: DesiredFields, original: boolean, isRead = true) => {
    const files = {
      'category/c@en': {},
      'article/a@en': { fields: { excerpt: 'One', categories: ['category/c'] } },
      'article/a@fr': {},
    };
    const input = lived(files, files);
    const french = input.desired.records.get(keyOf('article', 'a', 'fr'));
    if (french === undefined) throw new Error('test: no French file');
    const records = new Map([...input.desired.records, [french.key, { ...french, unkept }]]);
    if (!original) records.delete(keyOf('article', 'a', 'en'));
    const own = { ...input, desired: { ...input.desired, records } };
    const side = { state: 'known', record: knownRecord('article', '1', { status: 'draft' }) } as const;
    const remote = new Map([...own.remote].filter(([key]) => key !== keyOf('article', 'a', 'en')));
    const read = isRead ? shown(own, 'article/a@en', side) : { ...own, remote };
    return makePlan(read).blocked.map(({ reason, message }) => [reason, message.split(':')[0]]);
  };

  test('in the paths of categories and tags, of those that are yet to be made too', () => {
    const category = familyOf(keyOf('category', 'c', 'en'));
    const other = familyOf(keyOf('category', 'd', 'en'));
    expect(planWith({ categories: [category] }, true)).toEqual([]);
    expect(planWith({ categories: [other] }, true)).toEqual([
      ['shared', 'categories is ["d"] in this translation and ["c"] in the original'],
    ]);
  });

  test('not of a value that neither the original’s file nor a read shows', () => {
    expect(planWith({ status: 'published' }, true, false)).toEqual([]);
  });

  test('as the original’s file has it, else as the service shows it', () => {
    expect(planWith({ excerpt: 'Two' }, true)).toEqual([
      ['shared', 'excerpt is "Two" in this translation and "One" in the original'],
    ]);
    expect(planWith({ excerpt: 'One' }, true)).toEqual([]);
    expect(planWith({ status: 'published' }, true)).toEqual([
      ['shared', 'status is "published" in this translation and "draft" in the original'],
    ]);
    expect(planWith({ status: 'published' }, false)).toEqual([
      ['shared', 'status is "published" in this translation and "draft" in the original'],
    ]);
  });
});

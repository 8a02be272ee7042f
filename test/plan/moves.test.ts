import { describe, expect, test } from 'vitest';
import { digestOfText } from '../../src/model/digest.ts';
import { inputDigestOf } from '../../src/model/input-digest.ts';
import type { Fields } from '../../src/model/fields.ts';
import { keyIn, familyOf, kindOf } from '../../src/model/key.ts';
import type { BaseRecord } from '../../src/model/record.ts';
import { findMoves } from '../../src/plan/moves.ts';
import { desiredState } from '../support/desired.ts';
import type { Files } from './support/plan-model.ts';
import { inStep, keyFrom, lived } from './support/plan-model.ts';
import { baseRecord, emptyBase } from './support/plan-inputs.ts';

/** `old → new` for each record that a move was found for. */
function moves(base: readonly BaseRecord[], files: Files): readonly string[] {
  const moved = findMoves(desiredState(files), emptyBase(base));
  const held = [...moved.base.records];
  expect(held.every(([key, record]) => record.key === key)).toBe(true);
  expect(held.length).toBe(base.length);
  return moved.moves.map((each) => (each.how === 'moved' ? `${each.from} → ${each.record.key}` : each.how));
}

function known(text: string, id: string, fields: Fields, input?: string): BaseRecord {
  const key = keyFrom(text);
  const record = baseRecord(key, kindOf(key), id, fields);
  return input === undefined ? record : { ...record, input: digest(input) };
}

function digest(body: string): NonNullable<BaseRecord['input']> {
  const made = desiredState({ 'article/x@en': { body } }).records.get(keyFrom('article/x@en'))?.body;
  if (made === undefined) throw new Error('an article has a body');
  return made.inputDigest;
}

const ARTICLE = known('article/old@en', '1', { slug: 'same' }, '<p>same</p>');

describe('a file that was moved', () => {
  test('is known by its slug, whatever its text is now', () => {
    expect(
      moves([ARTICLE], { 'article/new@en': { fields: { slug: 'same' }, body: '<p>other</p>' } }),
    ).toEqual(['article/old@en → article/new@en']);
  });

  test('is known by its text, whatever its slug is now', () => {
    expect(
      moves([ARTICLE], { 'article/new@en': { fields: { slug: 'other' }, body: '<p>same</p>' } }),
    ).toEqual(['article/old@en → article/new@en']);
  });

  test('is known by its text where the state holds no more than the digest of a long slug', () => {
    const slug = 's'.repeat(300);
    const long = known('article/old@en', '1', { slug }, '<p>same</p>');
    const file = { fields: { slug }, body: '<p>same</p>' };
    expect(moves([long], { 'article/new@en': file })).toEqual(['article/old@en → article/new@en']);
    expect(moves([long], { 'article/new@en': { ...file, body: '<p>other</p>' } })).toEqual([]);
  });

  test('is known by its text where the new file states no slug', () => {
    const record = desiredState({ 'article/new@en': { body: '<p>same</p>' } });
    const file = record.records.get(keyFrom('article/new@en'));
    if (file === undefined) throw new Error('a file gives a record');
    const bare = { ...record, records: new Map([[file.key, { ...file, fields: { title: 'A' } }]]) };
    expect(findMoves(bare, emptyBase([ARTICLE])).moves).toHaveLength(1);
  });

  test('is a new file when neither slug nor text tell', () => {
    expect(
      moves([ARTICLE], { 'article/new@en': { fields: { slug: 'other' }, body: '<p>other</p>' } }),
    ).toEqual([]);
    expect(moves([known('tag/old@en', '1', { slug: 'same' })], { 'tag/new@en': {} })).toEqual([]);
  });

  test('is not guessed among two that fit', () => {
    const twins = {
      'article/one@en': { fields: { slug: 'one' }, body: '<p>same</p>' },
      'article/two@en': { fields: { slug: 'two' }, body: '<p>same</p>' },
    };
    expect(moves([ARTICLE], twins)).toEqual([]);
    const other = known('article/other@en', '2', { slug: 'other' }, '<p>same</p>');
    expect(moves([ARTICLE, other], { 'article/one@en': twins['article/one@en'] })).toEqual([]);
  });

  test('of two that have its text is the one that has its title too', () => {
    const first = known('article/first@en', '1', { slug: 'first', title: 'First' }, '<p>same</p>');
    const second = known('article/second@en', '2', { slug: 'second', title: 'Second' }, '<p>same</p>');
    const file = { fields: { slug: 'new', title: 'Second' }, body: '<p>same</p>' };
    expect(moves([first, second], { 'article/new@en': file })).toEqual([
      'article/second@en → article/new@en',
    ]);
    expect(
      moves([first, second], { 'article/new@en': { ...file, fields: { slug: 'new', title: 'Third' } } }),
    ).toEqual([]);
  });

  test('of two that have its text and title is the one that has its translations too', () => {
    const same = { slug: 'x', title: 'Same' };
    const first = known('article/first@en', '1', same, '<p>same</p>');
    const second = known('article/second@en', '2', same, '<p>same</p>');
    const french = known('article/second@fr', '2', { slug: 'fr', title: 'Le même' }, '<p>fr</p>');
    const files = {
      'article/new@en': { fields: { slug: 'new', title: 'Same' }, body: '<p>same</p>' },
      'article/new@fr': { fields: { slug: 'neuf', title: 'Le même' }, body: '<p>fr</p>' },
    };
    expect(moves([first, second, french], files)).toEqual([
      'article/second@en → article/new@en',
      'article/second@fr → article/new@fr',
    ]);
    // A translation that no text is known of is no witness for another one.
    const bare = known('article/second@fr', '2', { slug: 'fr', title: 'Le même' });
    expect(moves([first, second, bare], files)).toEqual([]);
  });

  test('is known by its title and its text as it is written, wherever its links lead now', () => {
    const input = (text: string, link: string) => inputDigestOf(digestOfText(text), [link]);
    const old = {
      ...known('article/a/page@en', '1', { slug: 'a-page', title: 'Page' }),
      input: input('[b](b.md)', '/a-b'),
    };
    const now = (title: string, text: string) => {
      const state = desiredState({
        'article/z/a/page@en': { fields: { slug: 'z-a-page', title }, body: 'x' },
      });
      const records = [...state.records].map(([key, record]) => {
        const body = { field: 'content', inputDigest: input(text, '/z-a-b'), render: () => '' } as const;
        return [key, { ...record, body }] as const;
      });
      return findMoves({ ...state, records: new Map(records) }, emptyBase([old])).moves.length;
    };
    expect(now('Page', '[b](b.md)')).toBe(1);
    expect(now('Another', '[b](b.md)')).toBe(0);
    expect(now('Page', '[b](c.md)')).toBe(0);
  });

  test('is known by its name where it is a category or a tag, which are hardly more than that', () => {
    for (const kind of ['category', 'tag']) {
      const old = known(`${kind}/old@en`, '1', { slug: 'old', name: 'Guides' });
      const file = { fields: { slug: 'new', name: 'Guides' } };
      expect(moves([old], { [`${kind}/new@en`]: file })).toEqual([`${kind}/old@en → ${kind}/new@en`]);
      const twin = { fields: { slug: 'newer', name: 'Guides' } };
      expect(moves([old], { [`${kind}/new@en`]: file, [`${kind}/newer@en`]: twin })).toEqual([]);
    }
    const article = known('article/old@en', '1', { slug: 'old', title: 'Guides' }, '<p>old</p>');
    const file = { fields: { slug: 'new', title: 'Guides' }, body: '<p>new</p>' };
    expect(moves([article], { 'article/new@en': file })).toEqual([]);
  });

  test('is known by its slug before another is known by its text', () => {
    const other = known('article/other@en', '2', { slug: 'other' }, '<p>new</p>');
    const file = { fields: { slug: 'same' }, body: '<p>new</p>' };
    expect(moves([ARTICLE, other], { 'article/new@en': file })).toEqual(['article/old@en → article/new@en']);
  });

  test('is not looked for while its file is where it was', () => {
    expect(
      moves([ARTICLE], { 'article/old@en': {}, 'article/new@en': { fields: { slug: 'same' } } }),
    ).toEqual([]);
  });

  test('of another kind, or in another language, is another file', () => {
    expect(moves([ARTICLE], { 'category/new@en': { fields: { slug: 'same' } } })).toEqual([]);
    expect(moves([ARTICLE], { 'article/new@fr': { fields: { slug: 'same' }, body: '<p>same</p>' } })).toEqual(
      [],
    );
  });
});

describe('a file of a page that another one equals in title and text', () => {
  const page = (key: string, id: string, slug: string) => known(key, id, { title: 'A', slug }, '<p>same</p>');
  const olds = [page('article/one@en', '1', 'one'), page('article/two@en', '2', 'two')];
  const now = { fields: { title: 'A', slug: 'new' }, body: '<p>same</p>' };

  test('is known by one translation that only that page has, whatever else is left of it', () => {
    const german = known('article/two@de', '2', { slug: 'de' }, '<p>de</p>');
    const french = known('article/two@fr', '2', { slug: 'fr' }, '<p>fr</p>');
    const files = { 'article/new@en': now, 'article/new@fr': { body: '<p>fr</p>' } };
    expect(moves([...olds, german, french], files)).toEqual([
      'article/two@en → article/new@en',
      'article/two@fr → article/new@fr',
    ]);
    expect(moves([...olds, german], files)).toEqual([]);
  });

  test('is known by several translations that say the same, and not if two new files have one each', () => {
    const german = known('article/two@de', '2', { slug: 'de' }, '<p>de</p>');
    const french = known('article/two@fr', '2', { slug: 'fr' }, '<p>fr</p>');
    const before = [...olds, german, french];
    const files = {
      'article/new@en': now,
      'article/new@de': { body: '<p>de</p>' },
      'article/new@es': { body: '<p>es</p>' },
    };
    const moved = moves(before, { ...files, 'article/new@fr': { body: '<p>fr</p>' } });
    expect(moved).toContain('article/two@en → article/new@en');
    const other = { fields: { title: 'A', slug: 'other' }, body: '<p>same</p>' };
    expect(
      moves(before, { ...files, 'article/other@en': other, 'article/other@fr': { body: '<p>fr</p>' } }),
    ).toEqual([]);
  });

  test('is not known if its translations are those of both', () => {
    const french = known('article/one@fr', '1', { slug: 'fr' }, '<p>fr</p>');
    const german = known('article/two@de', '2', { slug: 'de' }, '<p>de</p>');
    const files = {
      'article/new@en': now,
      'article/new@fr': { body: '<p>fr</p>' },
      'article/new@de': { body: '<p>de</p>' },
    };
    expect(moves([...olds, french, german], files)).toEqual([]);
  });
});

describe('the translations of a file that was moved', () => {
  const french = known('article/old@fr', '1', { slug: 'fr' }, '<p>fr</p>');
  const moved = { fields: { slug: 'same' } };

  test('go with it, also when they were rewritten', () => {
    expect(moves([ARTICLE, french], { 'article/new@en': moved, 'article/new@fr': {} })).toEqual([
      'article/old@en → article/new@en',
      'article/old@fr → article/new@fr',
    ]);
  });

  test('stay where their own file stayed, or has gone', () => {
    const wanted = ['article/old@en → article/new@en'];
    expect(moves([ARTICLE, french], { 'article/new@en': moved, 'article/old@fr': {} })).toEqual(wanted);
    expect(moves([ARTICLE, french], { 'article/new@en': moved })).toEqual(wanted);
    expect(
      moves([ARTICLE, french], { 'article/new@en': moved, 'article/new@fr': {}, 'article/old@fr': {} }),
    ).toEqual(wanted);
  });

  test('do not take the place of a record that is known there already', () => {
    const there = known('article/new@fr', '2', { slug: 'there' });
    expect(moves([ARTICLE, french, there], { 'article/new@en': moved, 'article/new@fr': {} })).toEqual([
      'article/old@en → article/new@en',
    ]);
  });

  test('speak for it where the state does not know the original', () => {
    const german = known('article/old@de', '1', { slug: 'de' });
    const files = {
      'article/new@en': {},
      'article/new@fr': { fields: { slug: 'fr' } },
      'article/new@de': { fields: { slug: 'de' } },
    };
    expect(moves([french, german], files)).toEqual([
      'article/old@fr → article/new@fr',
      'article/old@de → article/new@de',
    ]);
  });

  test('of two families that come together in one: the first takes the place', () => {
    const other = known('article/other@de', '2', { slug: 'de' });
    const files = {
      'article/new@fr': { fields: { slug: 'fr' } },
      'article/new@de': { fields: { slug: 'de' } },
    };
    expect(moves([french, other], files)).toEqual(['article/old@fr → article/new@fr']);
  });

  test('follow in a later run, by the id that they share with it', () => {
    const there = known('article/new@en', '1', { slug: 'same' });
    const files = { 'article/new@en': {}, 'article/new@fr': {} };
    expect(moves([there, french], files)).toEqual(['article/old@fr → article/new@fr']);
    const ofNobody = known('article/old@fr', '9', { slug: 'fr' });
    expect(moves([there, ofNobody], files)).toEqual([]);
  });

  test('do not follow where their file has gone, or where one is known already', () => {
    const there = known('article/new@en', '1', { slug: 'same' });
    expect(moves([there, french], { 'article/new@en': {} })).toEqual([]);
    const already = known('article/new@fr', '1', { slug: 'fr' });
    expect(moves([there, french, already], { 'article/new@en': {}, 'article/new@fr': {} })).toEqual([]);
    expect(moves([ARTICLE, french], { 'article/old@en': {} })).toEqual([]);
  });
});

test('a translation that was left behind goes to the record whose id it remembers once a new page has the old name', () => {
  const there = known('article/new@en', '1', { slug: 'same' });
  const left = known('article/old@fr', '1', { slug: 'fr' });
  const files = { 'article/new@en': {}, 'article/old@fr': {} };
  const moved = (more: object) => moves([there, left], { ...files, ...more });
  expect(moved({})).toEqual([]);
  expect(moved({ 'article/old@en': {} })).toEqual(['article/old@fr → article/new@fr']);
});

describe('what the list showed of a moved family', () => {
  const files = { 'article/new@en': { fields: { slug: 'same' } }, 'article/new@fr': { fields: {} } };
  const original = { ...ARTICLE, seen: 'before' };
  const seenAfter = (...records: readonly BaseRecord[]) => {
    const { base, moves } = findMoves(desiredState(files), emptyBase(records));
    const learnt = moves.map((each) => ('record' in each ? each.record.seen : undefined));
    return [base.records.get(keyFrom('article/new@en'))?.seen, ...learnt];
  };

  test('is trusted where it moved as it was', () => {
    expect(seenAfter(original)).toEqual(['before', 'before']);
    expect(seenAfter(original, known('article/old@fr', '1', {}))).toEqual(['before', 'before', undefined]);
  });

  test('is not trusted where a translation joins it that nobody looked at meanwhile', () => {
    const there = { ...known('article/new@en', '1', { slug: 'same' }), seen: 'before' };
    expect(seenAfter(there, known('article/old@fr', '1', {}))).toEqual([undefined, undefined]);
    expect(seenAfter(original, known('article/new@fr', '1', {}))).toEqual([undefined, undefined]);
  });
});

test('a move keeps id and values, and changes nothing of the rest', () => {
  const before = { 'article/a@en': {}, 'article/b@en': {} };
  const after = { 'article/moved/a@en': {}, 'article/b@en': {} };
  const { base } = lived(before, after);
  expect([...base.records.keys()].sort()).toEqual(['article/b@en', 'article/moved/a@en']);
  const family = familyOf(keyFrom('article/moved/a@en'));
  expect(base.records.get(keyIn(family, 'en'))?.id).toBe(
    inStep(before).ids.get(familyOf(keyFrom('article/a@en'))),
  );
});

import { describe, expect, test } from 'vitest';
import type { Family } from '../../src/model/key.ts';
import { familyOf, kindOf } from '../../src/model/key.ts';
import { findMoves } from '../../src/plan/moves.ts';
import { desiredState, type FileSketch } from '../support/desired.ts';
import { baseRecord, emptyBase } from './support/plan-inputs.ts';
import { keyFrom } from './support/plan-model.ts';

const OLD = ['article/old@en', 'article/old@fr', 'article/old@de'];
const NEW: FileSketch = { fields: { title: 'Other', slug: 'other' }, body: '<p>other</p>' };

function moves(base: readonly string[], files: readonly string[], moved: Readonly<Record<string, string>>) {
  const desired = {
    ...desiredState(Object.fromEntries(files.map((file) => [file, NEW]))),
    moved: new Map(Object.entries(moved).map(([from, to]) => [from as Family, to as Family])),
  };
  const known = base.map((text) => {
    const key = keyFrom(text);
    return baseRecord(key, kindOf(key), familyOf(key), { slug: text, title: text });
  });
  const found = findMoves(desired, emptyBase(known));
  return found.moves.map((each) => (each.how === 'moved' ? `${each.from} → ${each.record.key}` : each.how));
}

test('a record moves as its author says, in all languages, with or without files in them', () => {
  expect(moves(OLD, ['article/new@en', 'article/new@fr'], { 'article/old': 'article/new' })).toEqual([
    'article/old@en → article/new@en',
    'article/old@fr → article/new@fr',
    'article/old@de → article/new@de',
  ]);
});

test('a move that was made, or that meets a record of the new name, moves nothing', () => {
  const files = ['article/new@en'];
  expect(moves(['article/new@en'], files, { 'article/old': 'article/new' })).toEqual([]);
  expect(moves(['article/new@en', 'article/old@en'], files, { 'article/old': 'article/new' })).toEqual([]);
});

test('a file in another language alone proves nothing of its original', () => {
  const told = { 'article/old': 'article/new' };
  expect(moves(['article/new@en', 'article/old@en'], ['article/new@fr'], told)).toEqual([]);
  expect(moves(['article/new@fr', 'article/old@en'], ['article/new@en'], told)).toEqual([]);
});

test('a record that nobody moves stays', () => {
  expect(moves(OLD.slice(0, 1), ['article/new@en'], { 'article/elsewhere': 'article/new' })).toEqual([]);
});

/** `name slug text`: a record that both sides had at the last sync, or a file now. */
type Page = `${string} ${string} ${string}`;

function afterSync(
  known: readonly Page[],
  files: readonly Page[],
  moved: Readonly<Record<string, string>>,
): readonly string[] {
  const parts = (page: Page): readonly [string, FileSketch] => {
    const [name = '', slug = '', text = ''] = page.split(' ');
    return [`article/${name}@en`, { fields: { title: name, slug }, body: `<p>${text}</p>` }];
  };
  const then = desiredState(Object.fromEntries(known.map(parts)));
  const now = desiredState(Object.fromEntries(files.map(parts)));
  const base = [...then.records.values()].map((record) => ({
    ...baseRecord(record.key, record.kind, record.family, { slug: String(record.fields['slug']) }),
    ...(record.body === undefined ? {} : { input: record.body.inputDigest }),
  }));
  const told = new Map(
    Object.entries(moved).map(([from, to]) => [`article/${from}` as Family, `article/${to}` as Family]),
  );
  const found = findMoves({ ...now, moved: told }, emptyBase(base));
  expect([...found.base.records].every(([key, record]) => record.key === key)).toBe(true);
  expect(found.base.records.size).toBe(base.length);
  return found.moves
    .map((each) => (each.how === 'moved' ? `${each.from} → ${each.record.key}` : each.how))
    .map((line) => line.replaceAll(/article\/|@en/g, ''))
    .sort();
}

describe('two pages that changed places, one of which says an earlier name', () => {
  test('each keeps its record: the file that says the name by that, the other by its text or slug', () => {
    const known = ['a a A', 'b b B'] as const;
    // `kbsync mv a c`, then b and c change places: the texts move, the slugs follow the places or stay.
    expect(afterSync(known, ['b b A', 'c c B'], { a: 'b' })).toEqual(['a → b', 'b → c']);
    expect(afterSync(known, ['b a A', 'c b B'], { a: 'b' })).toEqual(['a → b', 'b → c']);
    expect(afterSync(known, ['b a new', 'c b other'], { a: 'b' })).toEqual(['a → b', 'b → c']);
    expect(afterSync(known, ['b new new', 'c new-c B'], { a: 'b' })).toEqual(['a → b', 'b → c']);
  });

  test('the one without a file left goes under the name that is free', () => {
    expect(afterSync(['a a A', 'b b B'], ['b x A'], { a: 'b' })).toEqual(['a → b', 'b → a']);
  });

  test('a name that stayed in a file for years takes no record away', () => {
    const known = ['a a A', 'b b B'] as const;
    expect(afterSync(known, ['b b B'], { a: 'b' })).toEqual([]);
    expect(afterSync(known, ['b x B'], { a: 'b' })).toEqual([]);
    expect(afterSync(known, ['b b edited', 'c c new'], { a: 'b' })).toEqual([]);
    expect(afterSync(known, ['b x edited', 'c c new'], { a: 'b' })).toEqual([]);
  });

  test('a new file that says any earlier name is the record whose text or slug it has', () => {
    const known = ['b b B'] as const;
    expect(afterSync(known, ['b b new', 'c c B'], { older: 'c' })).toEqual(['b → c']);
    expect(afterSync(known, ['b x new', 'c b edited'], { older: 'c' })).toEqual(['b → c']);
    expect(afterSync(known, ['b x new', 'c b B'], { older: 'c' })).toEqual(['b → c']);
    expect(afterSync(['b b B', 'd d D'], ['b x new', 'd d new', 'c b D'], { older: 'c' })).toEqual(['b → c']);
    // Without such a name, the text may be a copy.
    expect(afterSync(known, ['b b new', 'c c B'], { older: 'other' })).toEqual([]);
    expect(afterSync(known, ['b b B', 'c c B'], { older: 'c' })).toEqual([]);
    expect(afterSync(known, ['b b edited', 'c c new'], { older: 'c' })).toEqual([]);
  });

  test('a name that was the other one’s at the last sync does not count against two texts', () => {
    const known = ['a a A', 'b b B'] as const;
    // a and b change places, then a file each goes on: b’s text says that it was a.
    expect(afterSync(known, ['c c B', 'd d A'], { a: 'c' })).toEqual(['a → d', 'b → c']);
    expect(afterSync(known, ['c b edited', 'd d A'], { a: 'c' })).toEqual(['a → d', 'b → c']);
    expect(afterSync(known, ['b b B', 'c c B', 'd d A'], { a: 'c' })).toEqual(['a → c']);
    expect(afterSync(known, ['c c edited', 'd d A'], { a: 'c' })).toEqual(['a → c']);
    expect(afterSync(known, ['b b new', 'c c B', 'd d A'], { a: 'c' })).toEqual(['a → d', 'b → c']);
  });

  test('one of two earlier names that both have a record takes the record that no other takes', () => {
    const known = ['a a A', 'b b B', 'c c C'] as const;
    expect(afterSync(known, ['b b A', 'd d B'], { a: 'b', c: 'b' })).toEqual(['a → b', 'b → d']);
    expect(afterSync(known, ['d d D', 'b b B'], { a: 'd', c: 'd' })).toEqual(['a → d']);
  });
});

import { describe, expect, test } from 'vitest';
import type { Key } from '../../src/model/key.ts';
import { familyOf } from '../../src/model/key.ts';
import { makePlan } from '../../src/plan/making/make-plan.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { PlanInput } from '../../src/plan/plan-input.ts';
import { isSelected, partlySelected } from '../../src/plan/selection.ts';
import { edited, keyFrom, lived } from './support/plan-model.ts';

const FILES = {
  'article/a@en': { fields: { title: 'A' } },
  'article/a@fr': {},
  'article/b@en': { fields: { title: 'B' } },
};

function keys(...texts: readonly string[]): ReadonlySet<Key> {
  return new Set(texts.map(keyFrom));
}

function selected(input: PlanInput): readonly Key[] {
  return [...input.desired.records.keys()].filter((key) => isSelected(key, input)).sort();
}

describe('a run is about', () => {
  test('every record, unless something is said', () => {
    expect(selected(lived(FILES, FILES))).toEqual(Object.keys(FILES).sort());
    expect([...partlySelected(lived(FILES, FILES))]).toEqual([]);
  });

  test('the languages of --lang: what a family shows as a whole is not looked at', () => {
    const input = lived(FILES, FILES, { languages: ['en'] });
    expect(selected(input)).toEqual(['article/a@en', 'article/b@en']);
    expect([...partlySelected(input)]).toEqual(['article/a']);
  });

  test('the records that were named, and those alone', () => {
    const input = lived(FILES, FILES, { only: { keys: keys('article/b@en'), what: 'all' } });
    expect(selected(input)).toEqual(['article/b@en']);
    expect([...partlySelected(input)].sort()).toEqual(['article/a', 'article/b']);
  });

  test('the files that were saved, when it watches', () => {
    const untrusted = new Set([familyOf(keyFrom('article/a@en'))]);
    const input = lived(FILES, FILES, { focus: { keys: keys('article/a@en'), untrusted } });
    expect(selected(input)).toEqual(['article/a@en']);
    expect(partlySelected(input)).toBe(untrusted);
    expect(makePlan(input).unchanged).toBe(1);
  });
});

describe('a run that settles disputes', () => {
  const after = {
    'article/a@en': { fields: { title: 'A2' } },
    'article/a@fr': {},
    'article/b@en': { fields: { title: 'B2' } },
  };
  const only = { keys: keys('article/a@en', 'article/b@en', 'article/gone@en'), what: 'disputes' } as const;
  const choices = { onConflict: 'local', onDrift: 'overwrite', adopt: 'fail' } as const;
  const changed = ({ changes }: Plan) => changes.map(({ action, key }) => `${action} ${key}`);

  test('writes records in conflict, and leaves alone what is merely pending', () => {
    const input = edited(lived(FILES, after, { only, choices }), 'article/a@en', { title: 'theirs' });
    expect(changed(makePlan(input))).toEqual(['update article/a@en']);
  });

  test('writes records with drift, with or without a change of the file', () => {
    const still = edited(lived(FILES, FILES, { only, choices }), 'article/a@en', { title: 'theirs' });
    expect(changed(makePlan(still))).toEqual(['update article/a@en']);
    const both = edited(lived(FILES, after, { only, choices }), 'article/a@en', { slug: 'theirs' });
    expect(changed(makePlan(both))).toEqual(['update article/a@en']);
  });

  test('deletes a record whose file is gone only where it was edited, and without --prune, because it was named', () => {
    const before = { ...FILES, 'article/gone@en': {} };
    const input = lived(before, FILES, { only, choices, prune: false });
    expect(changed(makePlan(input))).toEqual([]);
    expect(changed(makePlan(edited(input, 'article/gone@en', { title: 'theirs' })))).toEqual([
      'delete article/gone@en',
    ]);
  });

  test('that was told to write all that was named writes what is pending too', () => {
    const input = lived(FILES, after, { only: { ...only, what: 'all' }, choices });
    expect(changed(makePlan(input))).toEqual(['update article/a@en', 'update article/b@en']);
  });
});

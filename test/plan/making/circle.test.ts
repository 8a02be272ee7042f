import { describe, expect, test } from 'vitest';
import type { PlanInput } from '../../../src/plan/plan-input.ts';
import { makePlan } from '../../../src/plan/making/make-plan.ts';
import type { Files } from '../support/plan-model.ts';
import { edited, keyFrom, lived, shown } from '../support/plan-model.ts';
import { WatchedMap } from '../support/watched-map.ts';

const below = (parent: string | null) => ({ fields: { categoryParent: parent } });

/** `b` was below `a`; now the files say the opposite. */
const BEFORE: Files = { 'category/a@en': below(null), 'category/b@en': below('category/a') };
const AFTER: Files = { 'category/a@en': below('category/b'), 'category/b@en': below(null) };

function said(input: PlanInput): readonly string[] {
  const { changes, blocked } = makePlan(input);
  return [
    ...changes.map(({ action, key }) => `${action} ${key}`),
    ...blocked.map(({ key, message }) => `${key}: ${message}`),
  ];
}

const STAYS = [
  'category/b@en: no answer yet',
  'category/a@en: it would be below category/b, which is below it on the site and cannot be moved now; resolve what is named of the categories between them first',
];

test('many categories that move need no more looks through all ids', () => {
  const looksFor = (count: number): number => {
    const all = (parent: string): Files =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`category/c${n}@en`, below(parent)]));
    const ends: Files = { 'category/a@en': below(null), 'category/b@en': below(null) };
    const input = lived({ ...ends, ...all('category/a') }, { ...ends, ...all('category/b') });
    const ids = new WatchedMap(input.ids);
    expect(makePlan({ ...input, ids }).changes).toHaveLength(count);
    return ids.looks;
  };
  expect(looksFor(20)).toBe(looksFor(2));
});

describe('a category that moves below one which is below it on the site', () => {
  const pending = new Map([[keyFrom('category/b@en'), 'no answer yet']]);

  test('waits while that one cannot be moved, whether it was read or not', () => {
    const input = lived(BEFORE, AFTER, { pending });
    expect(said(input)).toEqual(STAYS);
    expect(said(shown(input, 'category/b@en', { state: 'base' }))).toEqual(STAYS);
    const remote = new Map([...input.remote].filter(([key]) => key !== keyFrom('category/b@en')));
    expect(said({ ...input, remote })).toEqual(STAYS);
  });

  test('moves if that one moves first, or is somewhere else by now', () => {
    expect(said(lived(BEFORE, AFTER))).toEqual(['update category/b@en', 'update category/a@en']);
    const input = lived(BEFORE, AFTER, { pending });
    for (const categoryParent of [null, 'somebody-elses']) {
      const elsewhere = edited(input, 'category/b@en', { categoryParent });
      expect(said(elsewhere)).toEqual(['update category/a@en', STAYS[0]]);
    }
  });

  test('moves to the top, below a new one, and below a circle that the service has', () => {
    const was: Files = { ...BEFORE, 'category/c@en': below(null), 'category/d@en': below('category/c') };
    expect(said(lived(was, { ...was, 'category/b@en': below(null) }))).toEqual(['update category/b@en']);
    expect(
      said(lived(BEFORE, { ...BEFORE, 'category/b@en': below('category/n'), 'category/n@en': {} })),
    ).toEqual(['create category/n@en', 'update category/b@en']);
    const circle = edited(lived(was, { ...was, 'category/b@en': below('category/c') }), 'category/c@en', {
      categoryParent: 'id-category/d',
    });
    expect(said(circle)).toEqual(['update category/b@en']);
  });
});

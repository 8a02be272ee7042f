import { expect, test } from 'vitest';
import type { Capabilities } from '../../../src/model/record.ts';
import { makePlan } from '../../../src/plan/making/make-plan.ts';
import { lived, shown } from '../support/plan-model.ts';

const FILES = { 'category/c@en': {}, 'article/a@en': { fields: { excerpt: 'One' } } } as const;
const EDITED = { 'category/c@en': {}, 'article/a@en': { fields: { excerpt: 'Two' } } } as const;

function goneWith(capabilities: Capabilities, files: Parameters<typeof lived>[1] = FILES) {
  const input = lived(FILES, files);
  const told = { ...input, base: { ...input.base, capabilities } };
  const gone = shown(shown(told, 'article/a@en', { state: 'absent' }), 'category/c@en', { state: 'absent' });
  return makePlan(gone).conflicts.map(({ key, code, mayBeDraft }) => [key, code, mayBeDraft]);
}

test('an article that is gone may be a draft where no list has ever shown one, a category may not', () => {
  expect(goneWith({})).toEqual([
    ['category/c@en', 'remote-deleted', undefined],
    ['article/a@en', 'remote-deleted', true],
  ]);
  expect(goneWith({ 'draft-lists': 'no' }, EDITED)).toEqual([
    ['category/c@en', 'remote-deleted', undefined],
    ['article/a@en', 'modified-deleted', true],
  ]);
});

test('an article that is gone is deleted where lists show drafts, or show all', () => {
  for (const capabilities of [{ 'draft-lists': 'yes' }, { 'full-lists': 'yes' }] as const)
    expect(goneWith(capabilities)[1]).toEqual(['article/a@en', 'remote-deleted', undefined]);
});

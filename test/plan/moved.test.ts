import { expect, test } from 'vitest';
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

test('a record that nobody moves stays', () => {
  expect(moves(OLD.slice(0, 1), ['article/new@en'], { 'article/elsewhere': 'article/new' })).toEqual([]);
});

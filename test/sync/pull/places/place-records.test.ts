import { expect, test } from 'vitest';
import type { Intent } from '../../../../src/base/base.ts';
import { kbsyncPreset } from '../../../../src/content/presets/layouts/kbsync.ts';
import { familyOf } from '../../../../src/model/key.ts';
import { keyFrom } from '../../../plan/support/plan-model.ts';
import { emptyBase } from '../../../plan/support/plan-inputs.ts';
import { placeRecords } from '../../../../src/sync/pull/places/place-records.ts';
import type { PlaceInput } from '../../../../src/sync/pull/places/place-records.ts';
import { desiredState } from '../../../support/desired.ts';

type Fetched = PlaceInput['records'][number];

function article(id: string, title: string): Fetched {
  const fields = { title, slug: `${id}-${title.toLowerCase()}`, categories: [] };
  // No body is asked for.
  return {
    kind: 'article',
    id,
    lang: 'en',
    fields,
    anchors: new Set(),
    stamp: undefined,
  } as unknown as Fetched;
}

function create(key: string, name: string): Intent {
  return { op: key, action: 'create', key: keyFrom(key), name, slug: 'x', atMs: 0 };
}

function placed(records: readonly Fetched[], open: readonly Intent[]): readonly string[] {
  const desired = desiredState({
    'article/fish@en': { fields: { title: 'Fish' } },
    'article/chips@en': { fields: { title: 'Fish' } },
  });
  const input = {
    records,
    desired,
    base: emptyBase([]),
    preset: kbsyncPreset({}),
    fileOf: () => undefined,
    open,
  };
  return [...placeRecords(input).familyOf].map(([id, family]) => `${id}: ${family}`);
}

test('a record that a create without a clear answer may have made gets no second file', () => {
  const fish = article('7', 'Fish');
  expect(placed([fish], [])).toEqual(['article 7: article/7-fish']);
  expect(placed([fish], [create('article/fish@en', 'Fish')])).toEqual(['article 7: article/fish']);
});

test('nobody guesses which of two it may have made, or which of two creates made it', () => {
  const [fish, other] = [article('7', 'Fish'), article('8', 'Fish')];
  const open = create('article/fish@en', 'Fish');
  expect(placed([fish, other], [open])).toEqual(['article 7: article/7-fish', 'article 8: article/8-fish']);
  const two = [open, create('article/chips@en', 'Fish')];
  expect(placed([fish], two)).toEqual(['article 7: article/7-fish']);
});

test('a record with the title and text of one file is not that of another file, which waited for it', () => {
  const desired = desiredState({
    'article/fish@en': { fields: { title: 'Anew' }, body: '<p>Anew.</p>' },
    'article/chips@en': { fields: { title: 'Fish' }, body: '<p>Fresh.</p>' },
  });
  const waits = { family: familyOf(keyFrom('article/fish@en')), name: 'Fish' };
  const memo = { kind: 'article', id: '7', slug: '7-fish', seen: '', waits } as const;
  const base = { ...emptyBase([]), unmanaged: new Map([['article 7', memo]]) };
  const familyIn = (text: string) => {
    const preset = kbsyncPreset({});
    const records = [article('7', 'Fish')];
    const places = placeRecords({
      records,
      desired,
      base,
      preset,
      fileOf: () => undefined,
      bodyOf: () => text,
    });
    return places.familyOf.get('article 7');
  };
  expect(familyIn('<p>Fresh.</p>')).toBe('article/chips');
  expect(familyIn('<p>Another.</p>')).toBe('article/fish');
});

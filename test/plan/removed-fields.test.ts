import { expect, test } from 'vitest';
import type { Fields } from '../../src/model/fields.ts';
import { kindOf } from '../../src/model/key.ts';
import { makePlan } from '../../src/plan/making/make-plan.ts';
import type { PlanInput } from '../../src/plan/plan-input.ts';
import type { RemoteSide } from '../../src/plan/sides.ts';
import { withRemovedFields } from '../../src/plan/removed-fields.ts';
import { baseRecord, emptyBase, knownRecord } from './support/plan-inputs.ts';
import { edited, keyFrom, lived, shown } from './support/plan-model.ts';

const FILES = {
  'article/a@en': {
    fields: { title: 'A', slug: 'a' },
    initial: { status: 'published', ordering: 0, excerpt: 'Of A' },
  },
  'category/c@en': { fields: { name: 'C', slug: 'c' }, initial: { priority: 0 }, body: null },
} as const;
const SENT: Readonly<Record<string, Fields>> = {
  'article/a@en': {
    title: 'A',
    slug: 'a',
    status: 'draft',
    ordering: 5,
    excerpt: 'It was so',
    categories: ['id-category/c'],
    tags: ['id-tag/t'],
    hideFromSearch: true,
    seoBannerUrl: 'https://a.example/b.png',
    content: 'rendered',
  },
  'category/c@en': {
    name: 'C',
    slug: 'c',
    priority: 0,
    categoryParent: 'id-category/d',
    description: 'All of it',
    longDescription: '<p>C</p>',
    unheardOf: 'x',
  },
};

/** The last sync wrote all of `SENT`, and the files of a site generator say less now. */
function written(remote: 'read' | 'listed' = 'read'): PlanInput {
  const input = lived({}, FILES);
  const keys = Object.keys(SENT).map(keyFrom);
  const fieldsOf = (key: string): Fields => SENT[key] ?? {};
  const sides = keys.map((key): [typeof key, RemoteSide] => [
    key,
    remote === 'listed'
      ? { state: 'base' }
      : { state: 'known', record: knownRecord(kindOf(key), `id-${key.split('@')[0]}`, fieldsOf(key)) },
  ]);
  return {
    ...input,
    desired: { ...input.desired, isWhole: true },
    base: emptyBase(
      keys.map((key) => baseRecord(key, kindOf(key), `id-${key.split('@')[0]}`, fieldsOf(key))),
    ),
    remote: new Map(sides),
  };
}

function changed(input: PlanInput): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const { changes } = makePlan(withRemovedFields(input));
  return Object.fromEntries(
    changes.map(({ key, fields }) => [
      key,
      Object.fromEntries(fields.map(({ field, after }) => [field, after])),
    ]),
  );
}

function recordIn({ desired }: PlanInput, key: string) {
  return desired.records.get(keyFrom(key));
}

const OF_ARTICLE = {
  status: 'published',
  ordering: 0,
  excerpt: 'Of A',
  categories: [],
  tags: [],
  hideFromSearch: false,
  seoBannerUrl: null,
};

test.each(['read', 'listed'] as const)(
  'what a file of a site generator says no more gets the value of a new page (a record that was %s)',
  (how) => {
    const now = changed(written(how));
    expect(now['article/a@en']).toMatchObject(OF_ARTICLE);
    expect(now['category/c@en']).toEqual({
      categoryParent: null,
      description: '',
      longDescription: expect.objectContaining({ digest: expect.any(String) }),
    });
  },
);

test('a file of our own layout leaves such a field to editors, and so does a record that no sync has written', () => {
  const input = written();
  const { isWhole: _, ...own } = input.desired;
  expect(withRemovedFields({ ...input, desired: own })).toMatchObject({ desired: own });
  const isNew = { ...input, base: emptyBase([]) };
  expect(recordIn(withRemovedFields(isNew), 'article/a@en')).toBe(recordIn(isNew, 'article/a@en'));
  const other = { ...input, base: emptyBase([baseRecord(keyFrom('article/z@en'), 'article', 'id-z', {})]) };
  expect(recordIn(withRemovedFields(other), 'article/a@en')).toBe(recordIn(other, 'article/a@en'));
});

test('what somebody has changed on the site since is theirs, and what the service does not show stays', () => {
  const input = edited(written(), 'article/a@en', { status: 'published', ordering: 7 });
  const { status: _, ordering: __, ...rest } = OF_ARTICLE;
  const now = changed(input)['article/a@en'];
  expect(now).toMatchObject(rest);
  expect(now).not.toHaveProperty('status');
  expect(now).not.toHaveProperty('ordering');
  for (const remote of [
    shown(written(), 'article/a@en', { state: 'absent' }),
    { ...written(), remote: new Map() },
  ])
    expect(recordIn(withRemovedFields(remote), 'article/a@en')).toBe(recordIn(remote, 'article/a@en'));
});

test('a run over one record looks at no other', () => {
  const input = written();
  const focus = { keys: new Set([keyFrom('category/c@en')]), untrusted: new Set<never>() };
  const now = withRemovedFields({ ...input, focus });
  expect(recordIn(now, 'category/c@en')?.fields).toMatchObject({ categoryParent: null });
  expect(recordIn(now, 'article/a@en')).toBe(recordIn(input, 'article/a@en'));
});

test('a file that says all that it said before takes nothing back', () => {
  const input = written();
  const base = emptyBase([
    baseRecord(keyFrom('article/a@en'), 'article', 'id-article/a', {
      title: 'A',
      slug: 'a',
      status: 'published',
      categories: [],
      content: 'rendered',
    }),
  ]);
  const same = { ...input, base };
  expect(recordIn(withRemovedFields(same), 'article/a@en')).toBe(recordIn(same, 'article/a@en'));
});

test('a new category that is a folder alone is made with an empty text, which is its own until somebody writes one', () => {
  const input = written();
  const key = keyFrom('category/c@en');
  const textOf = (now: PlanInput): string | undefined =>
    recordIn(withRemovedFields(now), 'category/c@en')?.body?.render();
  expect(textOf({ ...input, base: emptyBase([]), remote: new Map() })).toBe('');
  expect(textOf({ ...input, base: emptyBase([]) })).toBeUndefined();
  const made = {
    ...input,
    base: emptyBase([
      baseRecord(key, 'category', 'id-category/c', { name: 'C', slug: 'c', longDescription: '' }),
    ]),
  };
  expect(textOf(edited(made, 'category/c@en', { longDescription: '' }))).toBe('');
  expect(textOf(edited(made, 'category/c@en', { longDescription: '<p>Theirs</p>' }))).toBeUndefined();
});

test('a translation keeps its place if its file does not say one any more, and is published all the same', () => {
  const files = { ...FILES, 'article/a@fr': { fields: { title: 'A', slug: 'a' } } };
  const input = lived({}, files);
  const key = keyFrom('article/a@fr');
  const sent = { title: 'A', slug: 'a', status: 'draft', ordering: 5 };
  const now = withRemovedFields({
    ...input,
    desired: { ...input.desired, isWhole: true },
    base: emptyBase([baseRecord(key, 'article', 'id-article/a', sent)]),
    remote: new Map([[key, { state: 'known', record: knownRecord('article', 'id-article/a', sent) }]]),
  });
  const fields = recordIn(now, 'article/a@fr')?.fields;
  expect(fields).toMatchObject({ status: 'published' });
  expect(fields).not.toHaveProperty('ordering');
});

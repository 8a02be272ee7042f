import { expect, test } from 'vitest';
import type { Intent } from '../../../src/base/base.ts';
import type { Fields } from '../../../src/model/fields.ts';
import { bodyFieldOf, nameFieldOf } from '../../../src/model/fields.ts';
import { lettersDigest } from '../../../src/model/html/letters.ts';
import type { Kind } from '../../../src/model/key.ts';
import { baseValuesOf } from '../../../src/plan/compare.ts';
import { madeByLostCreates } from '../../../src/sync/survey/lost-creates.ts';
import { desiredState } from '../../support/desired.ts';
import { emptyBase, knownRecord } from '../../plan/support/plan-inputs.ts';

/** Which of these records the creates of these files made, as the journal tells that holds what was sent. */
function made(
  kind: Kind,
  sent: Readonly<Record<string, Fields>>,
  shown: readonly Fields[],
): Readonly<Record<string, unknown>> {
  const name = nameFieldOf(kind);
  const files = desiredState(
    Object.fromEntries(Object.entries(sent).map(([path, fields]) => [`${kind}/${path}@en`, { fields }])),
  );
  const open = [...files.records.values()].map(({ key, fields }): Intent => {
    const letters = [name, bodyFieldOf(kind)].flatMap((field) => {
      const digest = lettersDigest(fields[field]);
      return digest === undefined ? [] : [[field, digest] as const];
    });
    return {
      op: key,
      action: 'create',
      key,
      name: String(fields[name]),
      slug: String(fields['slug']),
      atMs: 0,
      sent: baseValuesOf(kind, fields),
      letters: Object.fromEntries(letters),
    };
  });
  const records = shown.map((fields, at) => knownRecord(kind, String(at), fields));
  const found = madeByLostCreates([...files.records.values()], records, { open, base: emptyBase([]) });
  return Object.fromEntries([...found].map(([family, { fields }]) => [family, fields['slug']]));
}

test('a tag of the very name, under a slug that the service made, is the one that was sent', () => {
  expect(made('tag', { cpp: { name: 'C++' } }, [{ name: 'C++', slug: 'cpp-2' }])).toEqual({
    'tag/cpp': 'cpp-2',
  });
});

test('a tag whose name has the same letters and other signs is another one', () => {
  expect(made('tag', { cpp: { name: 'C++' } }, [{ name: 'C#', slug: 'c-sharp' }])).toEqual({});
});

test('a category of the same name in another place is another one', () => {
  const sent = { faq: { name: 'FAQ', categoryParent: '1', longDescription: '' } };
  const shown = { name: 'FAQ', slug: 'faq-2', longDescription: '' };
  expect(made('category', sent, [{ ...shown, categoryParent: '2' }])).toEqual({});
  expect(made('category', sent, [{ ...shown, categoryParent: '1' }])).toEqual({ 'category/faq': 'faq-2' });
});

test('a page of the same title whose text has no letters is not known by that', () => {
  const page = (file: string): Fields => ({ title: 'Map', content: `<p><img src="${file}"></p>` });
  expect(made('article', { map: page('a.png') }, [{ ...page('b.png'), slug: 'map-2' }])).toEqual({});
});

test('two records that fit, and two creates that fit one, are nobody’s proof', () => {
  const page = { title: 'Fax', content: '<p>By fax.</p>' };
  expect(made('article', { fax: page }, [{ ...page, slug: 'fax-2' }])).toEqual({ 'article/fax': 'fax-2' });
  const two = ['fax-2', 'fax-3'].map((slug) => ({ ...page, slug }));
  expect(made('article', { fax: page }, two)).toEqual({});
  expect(made('article', { fax: page, 'old/fax': page }, [{ ...page, slug: 'fax-2' }])).toEqual({});
});

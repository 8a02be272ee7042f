import { expect, test } from 'vitest';
import { keyOf } from '../../src/model/key.ts';
import { isShownAsPath } from '../../src/plan/field-standing.ts';
import { baseRecord } from './support/plan-inputs.ts';

const sent = baseRecord(keyOf('article', 'install', 'en'), 'article', '1', { slug: 'install' });
const base = { ...sent, observed: { slug: 'guides/install' } };

test('a slug that was shown with a path in front before is that slug still', () => {
  expect(isShownAsPath('guides/install', base)).toBe(true);
});

test.each([
  ['another path, which an editor may have chosen', 'help/install', base],
  ['a path that nobody saw after the write', 'guides/install', sent],
  ['a slug without a path', 'install-2', { ...sent, observed: { slug: 'install-2' } }],
  ['what is no text', null, { ...sent, observed: { slug: null } }],
])('it is not: %s', (_, shown, known) => {
  expect(isShownAsPath(shown, known)).toBe(false);
});

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scopeOf } from '../../../src/content/files/scope.ts';
import type { Scope } from '../../../src/content/files/scope.ts';
import { listTree } from '../../../src/content/files/tree.ts';
import { folderOf, load, page } from '../support/support.ts';

const PATHS = [
  'en/articles/a.md',
  'en/articles/a b (1) [x].md',
  'en/articles/caf\u00e9.md',
  'en/articles/internal/secret.md',
  'en/articles/internal/deep/er.mdx',
  'en/articles/internal/plan.png',
  'en/articles/_drafts/later.md',
  'en/internal.md',
  'images/a.png',
];

const SCOPES: readonly (readonly [rule: string, scope: Partial<Scope>, files: readonly string[]])[] = [
  ['without globs every file counts', {}, PATHS],
  [
    'a folder is excluded with all that is in it',
    { exclude: ['**/internal/**'] },
    PATHS.filter((path) => !path.includes('/internal/')),
  ],
  [
    'the name of a folder is enough, with or without a slash',
    { exclude: ['./en/articles/internal/', 'images'] },
    PATHS.filter((path) => !path.includes('/internal/') && !path.startsWith('images/')),
  ],
  [
    'include narrows the pages, and pictures stay',
    { include: ['en/articles/*.md'] },
    [
      ...PATHS.filter((path) => /^en\/articles\/[^/]+\.md$/.test(path)),
      'en/articles/internal/plan.png',
      'images/a.png',
    ],
  ],
  [
    'what is excluded stays out although it is included',
    { include: ['**/*.{md,mdx}'], exclude: ['**/_drafts/**', '**/internal*'] },
    PATHS.filter((path) => !path.includes('internal') && !path.includes('_drafts')),
  ],
  [
    'a letter with its accent is one letter, however it is spelled',
    { exclude: ['**/cafe\u0301.md'] },
    PATHS.filter((path) => !path.includes('caf')),
  ],
];

test.each(SCOPES)('%s', (_, some, files) => {
  const scope = { include: [], exclude: [], ...some };
  const folder = folderOf(Object.fromEntries(PATHS.map((path) => [path, ''])));
  const wanted = [...files].sort();
  expect(listTree(join(folder, 'content'), scope).files.map(({ path }) => path)).toEqual(wanted);
  // A path that is asked about one by one gets the same answer.
  expect(PATHS.filter(scopeOf(scope)).sort()).toEqual(wanted);
});

test('a link to an excluded page is dead, and the page makes no record', async () => {
  const { records, places } = await load(
    {
      'en/articles/a.md': page('title: A', '[b](internal/b.md)\n'),
      'en/articles/internal/b.md': page('title: B'),
    },
    { exclude: ['**/internal/**'] },
  );
  expect([...records.keys()]).toEqual(['article/a@en']);
  expect(places).toEqual(['content/en/articles/a.md:4:1 dead-link']);
});

test('a file whose name has a line break is named and not read', async () => {
  const { records, messages } = await load({
    'en/articles/a.md': page('title: A'),
    'en/articles/b\nc.md': page('title: B'),
  });
  expect([...records.keys()]).toEqual(['article/a@en']);
  expect(messages).toEqual([expect.stringContaining('its name has a line break')]);
});

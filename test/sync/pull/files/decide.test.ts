import { expect, test } from 'vitest';
import { familyOf, keyOf } from '../../../../src/model/key.ts';
import { baseValueOf } from '../../../../src/plan/compare.ts';
import { decide } from '../../../../src/sync/pull/files/decide.ts';

const key = keyOf('article', 'install', 'en');
const title = 'Install';

/** The file says `Install`, and the service showed `install` after the sync. */
const decided = (shown: string) =>
  decide({
    record: {
      kind: 'article',
      id: 'a1',
      lang: 'en',
      fields: { title, slug: shown },
      body: { offset: 0, size: 0 },
      bodyValue: baseValueOf('article', 'content', ''),
      anchors: new Set(),
      stamp: undefined,
    },
    file: {
      key,
      kind: 'article',
      family: familyOf(key),
      lang: 'en',
      isOriginal: true,
      fields: { title, slug: 'Install' },
      initial: {},
      at: { file: 'en/articles/install.md', line: 1, column: 1 },
      places: () => ({}),
    },
    base: {
      key,
      id: 'a1',
      ownership: 'created',
      sent: { title, slug: 'Install' },
      observed: { slug: 'install' },
    },
    spool: { put: () => ({ offset: 0, size: 0 }), get: () => '', close: () => undefined },
    idOf: () => '',
  });

test('a slug that the service made comes into the file, and none that a dead run left out of the way', () => {
  expect(decided('install')).toEqual({ action: 'update', fields: ['slug'], rest: [] });
  expect(decided('install--kbsync-0a1b2c3d')).toEqual({ action: 'unchanged' });
});

import { expect, test } from 'vitest';
import { keyOf } from '../../../src/model/key.ts';
import type { ListedRecord } from '../../../src/model/record.ts';
import type { Adoption } from '../../../src/sync/survey/adoption.ts';
import { listsForLost, pendingCreates } from '../../../src/sync/survey/pending.ts';

const KEY = keyOf('tag', 'cli', 'en');
const WHOLE = { complete: true, count: 2 };
const NOTHING: Adoption = {
  found: new Map(),
  taken: new Map(),
  ambiguous: new Map(),
  twins: new Map(),
  editedTwins: new Map(),
  unmanaged: [{ kind: 'tag', id: 't1', name: 'CLI', slug: 'cli', seen: '', isNew: false }],
  misplaced: [],
  unread: [],
  filedUnder: undefined,
};

function said(adoption: Partial<Adoption>): string | undefined {
  const sent = { op: '1', action: 'create', key: KEY, name: 'CLI', slug: 'cli', atMs: 0 } as const;
  return pendingCreates([sent], {
    isFound: () => false,
    isUnlistedDraft: () => false,
    lists: { article: WHOLE, category: WHOLE, tag: WHOLE },
    adoption: { ...NOTHING, ...adoption },
    nowMs: 3_600_000,
    isVouchedFor: () => false,
    lateMs: undefined,
  }).get(KEY);
}

test('a record that a lost create may have made, and that cannot be read, is named with its own reason', () => {
  expect(said({ unread: [{ kind: 'tag', id: 't1', why: 'it is a page' }] })).toContain(
    'the record t1 may be the result: its name is "CLI", and kbsync cannot read it (it is a page);',
  );
});

test('that another record cannot be read is no reason why this one was not taken', () => {
  const words = said({ unread: [{ kind: 'tag', id: 't9', why: 'it is a page' }] });
  expect(words).toContain('the record t1 may be the result');
  expect(words).not.toContain('cannot read it');
});

test('a record that one reading of a list showed is there, though an older cache answers the next one', async () => {
  const row = (id: string, name: string): ListedRecord => ({
    kind: 'tag',
    id,
    name,
    seen: '',
    languages: [],
    view: { name, languages: [] },
  });
  const listOf = (...items: readonly ListedRecord[]) => ({ items, rows: items.length });
  const sent = { op: '1', action: 'create', key: KEY, name: 'CLI', slug: 'cli', atMs: 0 } as const;
  const other = { ...sent, op: '2', key: keyOf('tag', 'api', 'en'), name: 'API', slug: 'api' };
  const lists = await listsForLost(
    { article: listOf(), category: listOf(), tag: listOf(row('1', 'CLI'), row('3', 'Gone since')) },
    [sent, other],
    {
      remote: { list: () => Promise.resolve(listOf(row('2', 'API'))) },
      nowMs: 3_600_000,
      lateMs: undefined,
      sleep: () => Promise.resolve(),
    },
  );
  expect(lists.tag.items.map(({ name }) => name)).toEqual(['API', 'CLI']);
});

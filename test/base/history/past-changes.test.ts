import { expect, test } from 'vitest';
import type { Intent, Journal } from '../../../src/base/base.ts';
import type { Step } from '../../../src/base/history/history.ts';
import { changesOf } from '../../../src/base/history/past-changes.ts';
import { recordedJournal } from '../../../src/base/history/recorded-journal.ts';
import { keyOf } from '../../../src/model/key.ts';
import type { BaseRecord, KnownRecord } from '../../../src/model/record.ts';

const key = keyOf('article', 'a', 'en');
const baseOf = (title: string): BaseRecord => ({ key, id: '7', ownership: 'created', sent: { title } });
const shown: KnownRecord = {
  kind: 'article',
  id: '7',
  ownId: '7',
  lang: 'en',
  fields: { title: 'old' },
  labels: new Map([['3', 'Three']]),
  readAtMs: 1,
};

/** What the history makes of what a journal is told; `told` is what the journal itself heard. */
async function noted(tell: (journal: Journal) => Promise<void>) {
  const steps: Step[] = [];
  const told: string[] = [];
  const real: Journal = {
    intend: async ({ op }) => void told.push(`intend ${op} after ${steps.length}`),
    end: async (op) => void told.push(`end ${op}`),
    note: async () => void told.push('note'),
  };
  const history = { add: async (step: Step) => void steps.push(step), close: () => Promise.resolve() };
  await tell(recordedJournal(real, history));
  return { changes: [...changesOf(steps).values()], told };
}

const intent = (op: string, action: Intent['action'], title = 'new'): Intent => ({
  op,
  action,
  key,
  ...(action === 'create' ? {} : { id: '7' }),
  name: 'a',
  slug: 'a',
  atMs: 1,
  ...(action === 'update' ? { sent: { title } } : {}),
});
const over = (title = 'new') => ({ record: shown, after: { title } });

test('an update is what it overwrote and what it wrote; the history is told first', async () => {
  const { changes, told } = await noted(async (journal) => {
    await journal.intend(intent('1', 'update'), over());
    await journal.note(baseOf('x'));
    await journal.end('1', { ...baseOf('new'), forms: { content: 'form' } });
  });
  expect(told).toEqual(['intend 1 after 1', 'note', 'end 1']);
  expect(changes).toEqual([
    {
      action: 'updated',
      key,
      kind: 'article',
      id: '7',
      name: 'a',
      isSure: true,
      before: { id: '7', fields: { title: 'old' }, labels: { '3': 'Three' } },
      after: { title: 'new' },
      made: { id: '7', sent: { title: 'new' }, forms: { content: 'form' } },
    },
  ]);
});

test.each([
  ['a refused update', 'update', baseOf('old'), []],
  ['a refused create', 'create', undefined, []],
  ['a refused delete', 'delete', baseOf('old'), []],
  ['a create', 'create', baseOf('new'), ['created']],
  ['a delete', 'delete', undefined, ['deleted']],
] as const)('%s', async (_, action, record, expected) => {
  const { changes } = await noted(async (journal) => {
    await journal.intend(intent('1', action), action === 'update' ? over() : undefined);
    await journal.end('1', record);
  });
  expect(changes.map((change) => change.action)).toEqual(expected);
});

test('a write without an end may have been carried out', async () => {
  for (const action of ['create', 'update', 'delete'] as const) {
    const { changes } = await noted((journal) => journal.intend(intent('1', action), over()));
    expect(changes).toMatchObject([{ isSure: false }]);
  }
});

test('the first text in a language is a create; what nobody could see before is an update of which nothing is kept', async () => {
  const first = await noted(async (journal) => {
    await journal.intend(intent('1', 'update'), { record: undefined, after: { title: 'new' } });
    await journal.end('1', baseOf('new'));
  });
  expect(first.changes).toMatchObject([{ action: 'created', made: { sent: { title: 'new' } } }]);
  const blind = await noted((journal) => journal.intend({ ...intent('1', 'update'), sent: {} }));
  expect(blind.changes).toEqual([
    { action: 'updated', key, kind: 'article', id: '7', name: 'a', isSure: false, after: {} },
  ]);
});

test('the end of what an earlier run intended is in the log of that run', async () => {
  const { changes, told } = await noted((journal) => journal.end('0', baseOf('new')));
  expect([changes, told]).toEqual([[], ['end 0']]);
});

test('an update whose intent says nothing of its fields is done when it ends with a record', async () => {
  const { sent: _, ...bare } = intent('1', 'update');
  const { changes } = await noted(async (journal) => {
    await journal.intend(bare, over());
    await journal.end('1', baseOf('new'));
  });
  expect(changes).toMatchObject([{ action: 'updated', isSure: true }]);
});

/** One record, written more than once by a process that watches. */
test.each([
  ['update update', ['updated'], 'old'],
  ['create update', ['created'], undefined],
  ['create delete', [], undefined],
  ['update delete', ['deleted'], undefined],
  ['delete create', ['created'], undefined],
] as const)('%s', async (what, expected, before) => {
  const { changes } = await noted(async (journal) => {
    for (const [index, action] of (what.split(' ') as Intent['action'][]).entries()) {
      const op = String(index);
      const title = `new ${op}`;
      await journal.intend(intent(op, action, title), action === 'update' ? over(title) : undefined);
      await journal.end(op, action === 'delete' ? undefined : baseOf(title));
    }
  });
  expect(changes.map(({ action }) => action)).toEqual(expected);
  expect(changes[0]?.before?.fields['title']).toBe(before);
  // The last words count, for the next undo to compare with.
  const last = changes[0]?.action === 'deleted' ? undefined : changes[0]?.made?.sent['title'];
  expect(last).toBe(expected[0] === undefined || expected[0] === 'deleted' ? undefined : 'new 1');
});

test('a second update whose end is not known keeps what the first one ended with', async () => {
  const { changes } = await noted(async (journal) => {
    await journal.intend(intent('1', 'update'), over());
    await journal.end('1', baseOf('new'));
    await journal.intend(intent('2', 'update', 'newer'), over('newer'));
  });
  expect(changes).toMatchObject([
    { isSure: false, after: { title: 'newer' }, made: { sent: { title: 'new' } } },
  ]);
});

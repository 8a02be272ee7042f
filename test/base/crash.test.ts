import { describe, expect, test, vi } from 'vitest';
import type { BaseStore, LoadedBase } from '../../src/base/base.ts';
import type { Key } from '../../src/model/key.ts';
import type { BaseRecord } from '../../src/model/record.ts';
import { recordText } from '../../src/base/state/record-text.ts';
import { memoryBase } from '../support/memory-base.ts';
import type { MemoryBase } from '../support/memory-base.ts';
import { Crash } from '../support/simulated-disk.ts';
import { intentOf, recordOf, stateOf } from './support/records.ts';

type Action =
  | {
      readonly do: 'intend';
      readonly op: string;
      readonly name: string;
      readonly action?: 'create' | 'delete';
    }
  | { readonly do: 'end'; readonly op: string; readonly record?: BaseRecord }
  | { readonly do: 'note'; readonly record: BaseRecord }
  | { readonly do: 'save' }
  | { readonly do: 'together'; readonly actions: readonly Action[] };

const intend = (op: string, name: string, action: 'create' | 'delete' = 'create'): Action => ({
  do: 'intend',
  op,
  name,
  action,
});
const end = (op: string, record?: BaseRecord): Action => ({
  do: 'end',
  op,
  ...(record === undefined ? {} : { record }),
});
const note = (record: BaseRecord): Action => ({ do: 'note', record });
const together = (...actions: readonly Action[]): Action => ({ do: 'together', actions });
const save: Action = { do: 'save' };

const SCENARIOS: Readonly<Record<string, readonly Action[]>> = {
  'nothing to do': [],
  'a first save of nothing': [save],
  'one create': [intend('1', 'a'), end('1', recordOf('a')), save],
  'a create with an unknown outcome': [intend('1', 'a'), intend('2', 'b'), end('2', recordOf('b')), save],
  'a create that was refused': [intend('1', 'a'), end('1'), save],
  'a delete': [intend('1', 'a'), end('1', recordOf('a')), save, intend('2', 'a', 'delete'), end('2'), save],
  'edits only': [
    note(recordOf('a')),
    note(recordOf('a', 2)),
    note(recordOf('b')),
    save,
    note(recordOf('a', 3)),
  ],
  'creates at once': [
    together(intend('1', 'a'), intend('2', 'b'), intend('3', 'c')),
    together(end('1', recordOf('a')), end('3', recordOf('c')), note(recordOf('d'))),
    together(intend('4', 'e'), end('2', recordOf('b'))),
    end('4', recordOf('e')),
    save,
  ],
  'journalling while a save is under way': [
    intend('1', 'a'),
    together(end('1', recordOf('a')), intend('2', 'b'), save, end('2', recordOf('b')), intend('3', 'c')),
    end('3', recordOf('c')),
    together(save, note(recordOf('a', 2))),
  ],
  'an intent that outlives two saves': [
    intend('1', 'a'),
    save,
    note(recordOf('b')),
    save,
    end('1', recordOf('a')),
    intend('2', 'c'),
    save,
  ],
};

/** What a run believes at one moment: a crash must bring back one of these, whole. */
interface Version {
  readonly records: ReadonlyMap<Key, BaseRecord>;
  /** Operation → key. */
  readonly open: ReadonlyMap<string, Key>;
}

interface Run {
  /** One for each action begun, after the one that was loaded. */
  readonly versions: Version[];
  /** Index of the last version that was promised to survive. */
  durable: number;
  end: 'crashed' | 'closed';
}

type Accident = 'power cut' | 'kill';

const EMPTY: Version = { records: new Map(), open: new Map() };

/** A run: load, the actions, then every open operation is found on the service, save, close. */
async function play(base: MemoryBase, actions: readonly Action[], accident: Accident): Promise<Run> {
  const run: Run = { versions: [], durable: 0, end: 'crashed' };
  try {
    const store = await base.open();
    run.versions.push(versionOf(await store.load()));
    for (const action of actions) await begin(store, run, action, accident);
    for (const [op, key] of run.versions.at(-1)?.open ?? []) {
      await begin(store, run, end(op, { ...recordOf('found'), key }), accident);
    }
    await begin(store, run, save, accident);
    await store.close();
    run.end = 'closed';
    run.durable = run.versions.length - 1;
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
  return run;
}

async function begin(store: BaseStore, run: Run, action: Action, accident: Accident): Promise<void> {
  if (action.do === 'together') {
    const ends = await Promise.allSettled(action.actions.map((one) => begin(store, run, one, accident)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return;
  }
  const now = run.versions.at(-1) ?? EMPTY;
  run.versions.push(after(now, action));
  const index = run.versions.length - 1;
  await carryOut(store, action, now);
  if (accident === 'kill' || action.do === 'intend' || action.do === 'save') {
    run.durable = Math.max(run.durable, index);
  }
}

function after(version: Version, action: Exclude<Action, { do: 'together' }>): Version {
  const records = new Map(version.records);
  const open = new Map(version.open);
  switch (action.do) {
    case 'save':
      break;
    case 'note':
      records.set(action.record.key, action.record);
      break;
    case 'intend':
      open.set(action.op, recordOf(action.name).key);
      break;
    case 'end': {
      const key = open.get(action.op);
      open.delete(action.op);
      if (action.record !== undefined) records.set(action.record.key, action.record);
      else if (key !== undefined) records.delete(key);
      break;
    }
  }
  return { records, open };
}

function carryOut(
  store: BaseStore,
  action: Exclude<Action, { do: 'together' }>,
  now: Version,
): Promise<void> {
  switch (action.do) {
    case 'save':
      return store.save(stateOf([...now.records.values()]));
    case 'note':
      return store.journal.note(action.record);
    case 'intend':
      return store.journal.intend(intentOf(action.op, action.name, action.action));
    case 'end':
      return store.journal.end(action.op, action.record);
  }
}

function versionOf({ state, open }: LoadedBase): Version {
  return { records: state.records, open: new Map(open.map(({ op, key }) => [op, key])) };
}

function textOf({ records, open }: Version): string {
  return [...[...records.values()].map(recordText), ...[...open].map(([op, key]) => `open ${op} ${key}`)]
    .sort()
    .join('\n');
}

/** What is on the disk when it is none of the versions that the run may leave behind. */
async function wrongVersion(base: MemoryBase, run: Run): Promise<string | undefined> {
  const store = await base.open({ readOnly: true });
  const found = textOf(versionOf(await store.load()));
  const allowed = run.versions.length === 0 ? [EMPTY] : run.versions.slice(run.durable);
  return allowed.map(textOf).includes(found) ? undefined : `is none of ${allowed.length}: ${found}`;
}

function strike(base: MemoryBase, accident: Accident): void {
  if (accident === 'kill') base.kill();
  else base.cutPower();
}

async function stepsOf(actions: readonly Action[]): Promise<number> {
  const base = memoryBase(1);
  await play(base, actions, 'kill');
  return base.disk.steps();
}

/** Crashes at a step, again at a step of the recovery, and recovers: a sentence for each promise that was not kept. */
async function faultsOf(
  actions: readonly Action[],
  accident: Accident,
  seed: number,
  [first, second]: readonly [number, number],
): Promise<readonly string[]> {
  const base = memoryBase(seed);
  const faults: (string | undefined)[] = [];
  base.disk.crashAtStep(first);
  const run = await play(base, actions, accident);
  strike(base, accident);
  faults.push(await wrongVersion(base, run));
  base.disk.crashAtStep(base.disk.steps() + second);
  const recovery = await play(base, [], accident);
  if (recovery.versions.length === 0) recovery.versions.push(...run.versions.slice(run.durable));
  strike(base, accident);
  faults.push(await wrongVersion(base, recovery));
  const last = await play(base, [], accident);
  faults.push(last.end === 'closed' ? await wrongVersion(base, last) : 'the last run did not end');
  return faults.flatMap((fault) =>
    fault === undefined ? [] : [`seed ${seed}, crash at ${first}, then at ${second}: ${fault}`],
  );
}

/** Room for a machine that is busy with other things; nothing here waits for a clock. */
vi.setConfig({ testTimeout: 300_000 });

const NEVER = Number.POSITIVE_INFINITY;

describe.each(['power cut', 'kill'] as const)('a %s', (accident) => {
  test.each(Object.entries(SCENARIOS))(
    'at any step of "%s" loses nothing that was promised',
    async (_, actions) => {
      const steps = await stepsOf(actions);
      const faults: string[] = [];
      for (let step = 1; step <= steps; step += 1) {
        for (let seed = 1; seed <= (accident === 'kill' ? 3 : 10); seed += 1)
          faults.push(...(await faultsOf(actions, accident, seed, [step, NEVER])));
      }
      expect(faults).toEqual([]);
    },
  );

  test.each(Object.entries(SCENARIOS))(
    'at any step of "%s" and again at any step of the recovery loses nothing',
    async (_, actions) => {
      const steps = await stepsOf(actions);
      const faults: string[] = [];
      for (let first = 1; first <= steps; first += 1) {
        for (let second = 1; second <= 16; second += 1) {
          faults.push(...(await faultsOf(actions, accident, first * 100 + second, [first, second])));
        }
      }
      expect(faults).toEqual([]);
    },
  );
});

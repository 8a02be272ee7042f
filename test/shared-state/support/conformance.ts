import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BaseError } from '../../../src/base/base.ts';
import type { BaseStore } from '../../../src/base/base.ts';
import type { ProcessHost } from '../../../src/base/lock.ts';
import { openSharedBase, openSharedForReading } from '../../../src/base/shared/shared-base.ts';
import type { LeaseClock } from '../../../src/base/shared/held-lease.ts';
import type { Lease, LockOwner, SharedDocument, SharedStore } from '../../../src/base/shared/shared-store.ts';
import { intentOf, recordOf } from '../../base/support/records.ts';
import { noFaults } from './bench.ts';
import type { Bench, Fault } from './bench.ts';

export const ORIGIN = 'https://help.example.com';
const LEASE_PASSES_MS = 11 * 60_000;

let ids = 0;
const nextId = (): string => (ids += 1).toString(16).padStart(32, '0');

export function owner(who = 'ada@laptop'): LockOwner {
  return {
    id: nextId(),
    who,
    command: 'kbsync sync',
    commit: '1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d',
    since: '2026-11-23T01:00:00.000Z',
    version: '0.0.0',
    process: { pid: 7, host: who, machineId: who, bootId: 'b', pidNamespace: 'n', startTime: '1' },
  };
}

/** A machine whose processes nobody else can see. */
export function machineHost(name: string): ProcessHost {
  return {
    identity: () => ({ pid: 7, host: name, machineId: name, bootId: 'b', pidNamespace: 'n', startTime: '1' }),
    startTimeOf: () => '1',
    nowMs: () => Date.UTC(2026, 10, 23),
    nonce: () => nextId().slice(16),
  };
}

export const stillClock: LeaseClock = { nowMs: () => 0, monotonicMs: () => 0, every: () => () => undefined };

const baseOf = (
  store: SharedStore,
  name: string,
  clock = stillClock,
  host = machineHost(name),
): Promise<BaseStore> =>
  openSharedBase({
    store,
    origin: ORIGIN,
    owner: { who: name, command: 'kbsync sync', version: '0.0.0' },
    host,
    clock,
  });

async function leaseOf(store: SharedStore, who?: string): Promise<Lease> {
  const answer = await store.lock(owner(who));
  if ('heldBy' in answer) throw new Error(`held by ${answer.heldBy.who}`);
  return answer.lease;
}

const written = (document: SharedDocument): SharedDocument => ({
  ...(document.state === undefined ? {} : { state: document.state }),
  ...(document.journal === undefined ? {} : { journal: document.journal }),
});

/** What every store must hold; each one's test says how a fresh one is made. */
export function conformance(name: string, openFresh: () => Promise<Bench>, isSlow = false): void {
  describe(`a state in ${name}`, () => {
    let bench: Bench;
    let stores: SharedStore[] = [];
    const machine = (faults = noFaults()): SharedStore => {
      const store = bench.open(faults);
      stores.push(store);
      return store;
    };
    beforeEach(async () => {
      bench = await openFresh();
    });
    afterEach(async () => {
      await Promise.all(stores.map((store) => store.close()));
      stores = [];
      await bench.close();
    });

    test('is empty at first, and then what the last holder of its lock wrote', async () => {
      const [a, b] = [machine(), machine()];
      expect(await b.read()).toEqual({});
      const lease = await leaseOf(a);
      expect(lease.document).toEqual({});
      await lease.write({ state: 'one ü\n', journal: 'j\n' });
      await lease.write({ state: 'two\n' });
      expect(written(await b.read())).toEqual({ state: 'two\n' });
      await lease.release();
      expect(written((await leaseOf(b)).document)).toEqual({ state: 'two\n' });
    });

    test('names who holds its lock, and hands it on under a higher number', async () => {
      const [a, b] = [machine(), machine()];
      const first = await leaseOf(a);
      const answer = await b.lock(owner('bob@ci'));
      expect(answer).toMatchObject({
        heldBy: {
          who: 'ada@laptop',
          command: 'kbsync sync',
          commit: '1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d',
          since: '2026-11-23T01:00:00.000Z',
          process: { host: 'ada@laptop' },
        },
      });
      await first.write({ state: 'one\n' });
      await first.release();
      const second = await leaseOf(b, 'bob@ci');
      expect(second.fence).toBeGreaterThan(first.fence);
    });

    test('refuses the writer whose lease has ended and is another’s now', async () => {
      const [a, b] = [machine(), machine()];
      const stale = await leaseOf(a);
      await stale.write({ state: 'a\n' });
      await bench.passMs(LEASE_PASSES_MS);
      const lease = await leaseOf(b, 'bob@ci');
      expect(lease.fence).toBeGreaterThan(stale.fence);
      await lease.write({ state: 'b\n' });
      await expect(stale.write({ state: 'stale\n' })).rejects.toMatchObject({ code: 'locked' });
      await expect(stale.renew()).rejects.toMatchObject({ code: 'locked' });
      await stale.release();
      expect(await a.lock(owner())).toMatchObject({ heldBy: { who: 'bob@ci' } });
      await lease.write({ state: 'c\n' });
      expect(written(await a.read())).toEqual({ state: 'c\n' });
    });

    test('does not renew a lease that another run had in between, and takes no lock by it', async () => {
      const [a, b] = [machine(), machine()];
      for (const how of ['time', 'hand'] as const) {
        const mine = owner();
        const answer = await a.lock(mine);
        if (!('lease' in answer)) throw new Error('held');
        const stale = answer.lease;
        await stale.write({ state: `${how} a\n` });
        if (how === 'time') await bench.passMs(LEASE_PASSES_MS);
        else await b.unlock(mine.id);
        const between = await leaseOf(b, 'bob@ci');
        await between.write({ state: `${how} b\n` });
        await between.release();
        await expect(stale.renew()).rejects.toMatchObject({ code: 'locked' });
        await expect(stale.write({ state: 'stale\n' })).rejects.toMatchObject({ code: 'locked' });
        await stale.release();
        expect(written(await b.read())).toEqual({ state: `${how} b\n` });
        await (await leaseOf(b, 'bob@ci')).release();
      }
    });

    test('counts a lease from the moment when it was asked for', async () => {
      let nowMs = 0;
      const clock: LeaseClock = { ...stillClock, monotonicMs: () => nowMs };
      const store = machine();
      const slow: SharedStore = {
        ...store,
        lock: async (asks) => {
          const answer = await store.lock(asks);
          nowMs += 200_000;
          return answer;
        },
      };
      const base = await baseOf(slow, 'ada@laptop', clock);
      await base.load();
      const write = () => base.guard?.(() => Promise.resolve('sent'));
      await expect(write()).rejects.toThrow('did not renew');
      await base.journal.note(recordOf('done'), 'durable');
      expect(await write()).toBe('sent');
      await base.close();
    });

    test('keeps a lease that is renewed', async () => {
      const [a, b] = [machine(), machine()];
      const lease = await leaseOf(a);
      for (let index = 0; index < 4; index += 1) {
        await bench.passMs(4 * 60_000);
        await lease.renew();
      }
      expect(await b.lock(owner('bob@ci'))).toMatchObject({ heldBy: { who: 'ada@laptop' } });
      await lease.write({ state: 'a\n' });
    });

    test('takes a lock away by its id alone, and its holder writes nothing more', async () => {
      const [a, b] = [machine(), machine()];
      const mine = owner();
      const answer = await a.lock(mine);
      if (!('lease' in answer)) throw new Error('held');
      await answer.lease.write({ state: 'a\n' });
      expect(await b.unlock('f'.repeat(32))).toBe(false);
      expect(await b.unlock(mine.id)).toBe(true);
      expect(await b.unlock(mine.id)).toBe(false);
      await expect(answer.lease.write({ state: 'stale\n' })).rejects.toMatchObject({ code: 'locked' });
      expect(written(await b.read())).toEqual({ state: 'a\n' });
    });

    test('gives its lock to one of many that ask at once', async () => {
      for (let round = 0; round < (isSlow ? 2 : 10); round += 1) {
        const machines = Array.from({ length: 4 }, () => machine());
        const answers = await Promise.all(machines.map((store, index) => store.lock(owner(`m${index}`))));
        const leases = answers.flatMap((answer) => ('lease' in answer ? [answer.lease] : []));
        expect(leases).toHaveLength(1);
        await leases[0]?.release();
      }
    });

    test('keeps what was acknowledged, whichever exchange is lost on its way or back', async () => {
      const life = async (store: SharedStore, acknowledged: string[], tried: string[]): Promise<void> => {
        const lease = await leaseOf(store);
        const begin = Number(written(lease.document).state ?? 0);
        for (let index = 1; index <= 2; index += 1) {
          tried.push(`${begin + index}`);
          await lease.write({ state: `${begin + index}`, journal: 'j\n' });
          acknowledged.push(`${begin + index}`);
        }
        await lease.release();
      };
      const counted = noFaults();
      await life(machine(counted), [], []);
      const steps: Fault[] = Array.from({ length: counted.count }, (_, index) => index + 1).flatMap((at) => [
        { at, how: 'before' as const },
        { at, how: 'after' as const },
      ]);
      expect(steps.length).toBeGreaterThan(7);
      for (const fault of steps) {
        const before = Number((await machine().read()).state);
        const acknowledged = [`${before}`];
        const tried = [`${before}`];
        const failure = await life(machine({ fault, count: 0 }), acknowledged, tried).catch(
          (error: unknown) => error,
        );
        expect(failure === undefined || failure instanceof BaseError).toBe(true);
        // The machine is dead now; its lock ends.
        await bench.passMs(LEASE_PASSES_MS);
        const lease = await leaseOf(machine(), 'bob@ci');
        const { state } = lease.document;
        const allowed = tried.slice(tried.indexOf(acknowledged.at(-1) ?? ''));
        expect({ fault, state, isAllowed: allowed.includes(state ?? '') }).toEqual({
          fault,
          state,
          isAllowed: true,
        });
        await lease.release();
      }
    });

    test('keeps intents that were said before a machine died, and closes them for the next', async () => {
      const first = await baseOf(machine(), 'ada@laptop');
      const { state } = await first.load();
      const done = recordOf('done');
      await first.journal.intend(intentOf('op1', 'done'));
      await first.journal.end('op1', done);
      await first.save({ ...state, records: new Map([[done.key, done]]) });
      await first.journal.intend(intentOf('op2', 'open'));
      // It dies here.
      await bench.passMs(LEASE_PASSES_MS);
      const second = await baseOf(machine(), 'bob@ci');
      const loaded = await second.load();
      expect(loaded.open.map(({ op }) => op)).toEqual(['op2']);
      expect([...loaded.state.records.keys()]).toEqual([done.key]);
      await expect(first.journal.intend(intentOf('op3', 'more'))).rejects.toMatchObject({ code: 'locked' });
      await second.journal.end('op2', undefined);
      await second.save(loaded.state);
      await second.close();
      const looked = openSharedForReading(machine(), ORIGIN);
      const last = await looked.load();
      expect([last.open, [...last.state.records.keys()], last.isNew]).toEqual([[], [done.key], false]);
      expect(last.digest).toBeDefined();
      await looked.close();
    });

    test('takes the lock of a dead process of this machine, but not while a write of it may arrive', async () => {
      const seen: ProcessHost = { ...machineHost('ada@laptop'), startTimeOf: () => undefined };
      const idle = await baseOf(machine(), 'ada@laptop');
      await idle.load();
      // It dies here, with nothing under way.
      const first = await baseOf(machine(), 'ada@laptop', stillClock, seen);
      const { state } = await first.load();
      await first.journal.intend(intentOf('op1', 'done'));
      await first.journal.end('op1', recordOf('done'));
      await first.save(state);
      await first.journal.intend(intentOf('op2', 'open'));
      // It dies here.
      await expect(baseOf(machine(), 'ada@laptop', stillClock, seen)).rejects.toMatchObject({
        code: 'locked',
        message: expect.stringMatching(/may still be carried out, so its lock stays until \d{4}-/),
      });
      await bench.passMs(LEASE_PASSES_MS);
      const next = await baseOf(machine(), 'ada@laptop', stillClock, seen);
      expect((await next.load()).open.map(({ op }) => op)).toEqual(['op2']);
      await next.close();
    });

    test('refuses a second run, and a state of another knowledge base', async () => {
      const done = recordOf('done');
      const first = await baseOf(machine(), 'ada@laptop');
      const { state } = await first.load();
      await first.save({ ...state, records: new Map([[done.key, done]]) });
      await expect(baseOf(machine(), 'bob@ci')).rejects.toMatchObject({
        code: 'locked',
        message: expect.stringContaining(
          'another kbsync run holds this state: ada@laptop (kbsync sync, since 2026-11-23T00:00:00.000Z)',
        ),
      });
      await first.close();
      const other = openSharedForReading(machine(), 'https://other.example.com');
      await expect(other.load()).rejects.toMatchObject({ code: 'other-origin' });
    });
  });
}

import { describe, expect, test } from 'vitest';
import { BaseError } from '../../src/base/base.ts';
import type { BaseStore } from '../../src/base/base.ts';
import { REQUEST_MS_MAX } from '../../src/base/shared/held-lease.ts';
import { openSharedBase } from '../../src/base/shared/shared-base.ts';
import { keyOf } from '../../src/model/key.ts';
import { intentOf, recordOf } from '../base/support/records.ts';
import { seededRandom } from '../support/random.ts';
import { modelStore, type Kind, KINDS } from './support/model-store.ts';
import { machineHost, ORIGIN } from './support/conformance.ts';
import { simulatedTime, type Time } from './support/time.ts';

const NAMES = ['a', 'b', 'c', 'd'];
/** More by `KBSYNC_WORLDS=2500 npx vitest run test/shared-state/machines.test.ts`, others by `KBSYNC_SEED`. */
const WORLDS = Number(process.env['KBSYNC_WORLDS'] ?? 150);
const FROM = Number(process.env['KBSYNC_SEED'] ?? 1);

class Unclear extends Error {}

/** A knowledge base that makes what it is asked to make, as often as it is asked. */
interface Knowledge {
  readonly made: Map<string, number>;
  /** Carried out or lost, each within the longest time of a request; the answer may be lost too. */
  create(name: string): Promise<'made' | 'unclear'>;
}

function knowledge(time: Time): Knowledge {
  const made = new Map<string, number>();
  return {
    made,
    create: async (name) => {
      const flight = time.random() * REQUEST_MS_MAX;
      // The request goes its way whether or not somebody still waits for it.
      const arrived = time.at(flight).then(() => {
        if (time.random() < 0.1) return false;
        made.set(name, (made.get(name) ?? 0) + 1);
        return true;
      });
      const isDone = await arrived;
      return isDone && time.random() < 0.85 ? 'made' : 'unclear';
    },
  };
}

/** As a session does it: whatever happens, the lock is given back. */
async function run(base: BaseStore, remote: Knowledge, time: Time): Promise<void> {
  try {
    await sync(base, remote, time);
  } finally {
    await base.close();
  }
}

/** What is open is looked up, what is missing is made, each under its intent. */
async function sync(base: BaseStore, remote: Knowledge, time: Time): Promise<void> {
  const { made } = remote;
  const { state, open } = await base.load();
  const records = new Map(state.records);
  for (const { op, name } of open) {
    await time.turn();
    const record = made.has(name) ? recordOf(name) : undefined;
    if (record !== undefined) records.set(record.key, record);
    await base.journal.end(op, record);
  }
  await Promise.all(
    NAMES.filter((name) => !records.has(keyOf('article', name, 'en'))).map(async (name) => {
      await time.turn();
      if (made.has(name)) {
        await base.journal.note(recordOf(name));
        records.set(keyOf('article', name, 'en'), recordOf(name));
        return;
      }
      const op = `${name}-${time.random()}`;
      await base.journal.intend(intentOf(op, name));
      await time.turn();
      const sent = async (): Promise<void> => {
        if ((await remote.create(name)) === 'unclear') throw new Unclear();
      };
      const failure = await base.guard?.(sent).catch((error: unknown) => error);
      if (failure instanceof Unclear) return;
      if (failure !== undefined) throw failure;
      await base.journal.end(op, recordOf(name));
      records.set(keyOf('article', name, 'en'), recordOf(name));
    }),
  );
  await base.save({ ...state, records });
}

interface Lived {
  readonly made: readonly number[];
  readonly known: readonly string[];
  readonly runs: number;
  readonly deaths: number;
}

/** Two to four machines that run again and again, and die, until all is made and known. */
async function live(kind: Kind, seed: number): Promise<Lived> {
  const time = simulatedTime(seededRandom(seed));
  const remote = knowledge(time);
  const store = modelStore(kind, time);
  const count = 2 + Math.floor(time.random() * 3);
  let runs = 0;
  let deaths = 0;
  const machine = async (index: number): Promise<void> => {
    const skewMs = (time.random() - 0.5) * 240_000;
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await time.at(time.random() * 400_000);
      const life = time.life();
      if (time.random() < 0.4) life.endsAfter(Math.floor(time.random() * 25));
      const mine = life.time;
      const work = async (): Promise<void> => {
        const base = await openSharedBase({
          store: store.machine(mine, skewMs),
          origin: ORIGIN,
          owner: { who: `machine-${index}`, command: 'kbsync sync', version: '0' },
          host: machineHost(`machine-${index}`),
          clock: mine.clock,
        });
        runs += 1;
        await run(base, remote, mine);
      };
      const failure = await Promise.race([work().catch((error: unknown) => error), life.ended]);
      life.end();
      if (failure === 'died') {
        deaths += 1;
        // Whoever sees that it is dead may free its lock, once its requests are over.
        await time.at(REQUEST_MS_MAX);
        store.freePlainLock(`machine-${index}`);
      } else if (failure !== undefined && !(failure instanceof BaseError)) throw failure;
    }
  };
  await time.until(Promise.all(Array.from({ length: count }, (_, index) => machine(index))));
  // At last one machine alone, after all leases have ended.
  await time.until(time.at(2_000_000));
  store.freePlainLock();
  for (let round = 0; round < 25; round += 1) {
    const alone = async (): Promise<boolean> => {
      const base = await openSharedBase({
        store: store.machine(time, 0),
        origin: ORIGIN,
        owner: { who: 'last', command: 'kbsync sync', version: '0' },
        host: machineHost('last'),
        clock: time.clock,
      });
      await run(base, remote, time);
      return NAMES.every((name) => store.text().includes(`article/${name}@en`));
    };
    const isWhole = await time.until(
      alone().catch((error: unknown) => {
        if (error instanceof BaseError) return false;
        throw error;
      }),
    );
    if (isWhole) break;
    await time.until(time.at(2_000_000));
    store.freePlainLock();
  }
  const known = NAMES.filter((name) => store.text().includes(`article/${name}@en`));
  return { made: NAMES.map((name) => remote.made.get(name) ?? 0), known, runs, deaths };
}

describe('machines that share a state', () => {
  test.each(KINDS)(
    'make everything once and forget nothing: %s',
    async (kind) => {
      let runs = 0;
      let deaths = 0;
      for (let seed = FROM; seed < FROM + WORLDS; seed += 1) {
        const lived = await live(kind, seed);
        expect({ kind, seed, made: lived.made, known: lived.known }).toEqual({
          kind,
          seed,
          made: [1, 1, 1, 1],
          known: NAMES,
        });
        runs += lived.runs;
        deaths += lived.deaths;
      }
      expect(runs).toBeGreaterThan(WORLDS);
      expect(deaths).toBeGreaterThan(WORLDS / 4);
      if (WORLDS >= 1000) console.log(`${kind}: ${WORLDS} worlds, ${runs} runs, ${deaths} deaths`);
    },
    600_000 + WORLDS * 1000,
  );
});

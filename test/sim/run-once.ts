import { checkApiKey } from '../../src/remote/address.ts';
import type { RunEvent } from '../../src/model/event.ts';
import type { Key } from '../../src/model/key.ts';
import type { DesiredState } from '../../src/model/record.ts';
import type { Sync } from '../../src/sync/create-sync.ts';
import type { SyncPolicy, SyncReport } from '../../src/sync/report.ts';
import { Crash } from '../support/simulated-disk.ts';
import type { Engine } from './engine.ts';
import type { Machine } from './machine.ts';
import { ORIGIN, TRASH_FOLDER } from './machine.ts';
import type { Model } from './model.ts';
import type { Network, Process, Weather } from './network.ts';

/** How one run of kbsync ended. */
export type Ending =
  | { readonly how: 'report'; readonly report: SyncReport }
  | { readonly how: 'crash' }
  | { readonly how: 'error'; readonly message: string };

const API_KEY = 'canary-key-5f2b9e71c0';

export interface OneRun {
  readonly process: Process;
  readonly policy: SyncPolicy;
  readonly desired: DesiredState;
  readonly weather: Weather;
  readonly on: Machine;
  readonly watch: Watching | undefined;
}

/** Files are saved while the process lives; each of its runs is checked by itself. */
export interface Watching {
  readonly saves: () => DesiredState | undefined;
  readonly begin: (desired: DesiredState, looked: ReadonlySet<Key> | undefined) => void;
  readonly check: (report: SyncReport, desired: DesiredState) => void;
}

export interface Parts {
  readonly engine: Engine;
  readonly network: Network;
  readonly model: Model;
  readonly clock: { readonly now: () => number; readonly advance: (ms: number) => void };
  readonly random: () => number;
}

/** One process, from its start to its end or death. */
export async function runOnce(run: OneRun, parts: Parts): Promise<Ending> {
  const { process, policy, desired, weather, on, watch } = run;
  const { engine, network, model, random } = parts;
  const clock = {
    now: parts.clock.now,
    sleep: (ms: number) => {
      parts.clock.advance(ms);
      return Promise.resolve();
    },
  };
  const emit = (event: RunEvent): void => {
    if ('message' in event && (event.message ?? '').includes(API_KEY))
      model.violations.push(`I12: the key is in ${event.message}`);
  };
  try {
    const base = await on.openBase(process);
    try {
      const remote = engine.createRemote({
        address: { href: ORIGIN, origin: ORIGIN },
        apiKey: checkApiKey(API_KEY),
        send: network.sendOf(process, weather),
        emit,
        clock,
        random,
        concurrencyMax: policy.concurrencyMax,
        capabilities: {},
        defaultLanguage: 'en',
      });
      const trash = engine.openTrash(TRASH_FOLDER, on.diskOf(process));
      const sync = engine.createSync({
        remote,
        base,
        policy,
        repository: { configured: 'docs', former: [], derived: [] },
        emit,
        clock,
        random,
        saveTrash: async (key, record) => {
          await trash.keep(process.name, {
            key,
            kind: record.kind,
            id: record.ownId,
            lang: record.lang,
            action: 'delete',
            fields: record.fields,
            labels: {},
            atMs: clock.now(),
          });
          model.trashed(record);
        },
      });
      if (watch !== undefined) return await watched(sync, run, watch, parts);
      return { how: 'report', report: await sync.sync(desired) };
    } finally {
      await base.close();
    }
  } catch (error) {
    if (error instanceof Crash || process.isDead) return { how: 'crash' };
    if (!(error instanceof Error)) throw error;
    return { how: 'error', message: `${error.name}: ${error.message}` };
  }
}

/** As `kbsync watch` does it, turn by turn; the last report of all, or what kept it from any. */
async function watched(
  sync: Sync,
  { desired }: OneRun,
  { saves, begin, check }: Watching,
  { engine, clock }: Parts,
): Promise<Ending> {
  let last: SyncReport | undefined;
  let trouble = '';
  let files = desired;
  const noted = async (report: Promise<SyncReport>, of: DesiredState): Promise<SyncReport> => {
    last = await report;
    check(last, of);
    return last;
  };
  const live = engine.createTurns({
    load: () => Promise.resolve({ state: files, problems: [], faulty: [] }),
    open: () =>
      Promise.resolve({
        ...sync,
        sync: (of) => {
          begin(of, undefined);
          return noted(sync.sync(of), of);
        },
        syncChanged: (of, keys) => {
          begin(of, keys);
          return noted(sync.syncChanged(of, keys), of);
        },
      }),
    clock,
    say: (event) => {
      if (event.type === 'trouble') trouble = event.message;
    },
  });
  const batch = { paths: [], sinceMs: clock.now() };
  await live.turn({ ...batch, scope: 'everything' });
  for (let next = saves(); next !== undefined; next = saves()) {
    files = next;
    clock.advance(1000);
    await live.turn({ ...batch, scope: 'changes' });
  }
  await live.save();
  return last === undefined
    ? { how: 'error', message: `RemoteError: ${trouble}` }
    : { how: 'report', report: last };
}

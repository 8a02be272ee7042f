import { createHash } from 'node:crypto';
import type { RunEvent } from '../../src/model/event.ts';
import type { DesiredState } from '../../src/model/record.ts';
import type { SyncPolicy, SyncReport } from '../../src/sync/report.ts';
import { Crash } from '../support/simulated-disk.ts';
import { checkReport } from './check-report.ts';
import { editRemote } from './editor.ts';
import type { Engine } from './engine.ts';
import { ENGINE } from './engine.ts';
import type { Folder } from './files.ts';
import type { Machine } from './machine.ts';
import { ORIGIN, TRASH_FOLDER, createMachine } from './machine.ts';
import type { Model, RunContext } from './model.ts';
import { createModel } from './model.ts';
import type { Network, Process, Weather } from './network.ts';
import { createNetwork } from './network.ts';
import type { Chance } from './random.ts';
import { idInState, isRemoteTrouble, managedBy, summaryLine } from './run-words.ts';
import { chanceFrom } from './random.ts';
import type { Personality, SimService } from './service.ts';
import { createService } from './service.ts';

/** What the command does without flags. */
const CAREFUL: SyncPolicy = {
  prune: false,
  maxDelete: undefined,
  onConflict: 'fail',
  onDrift: 'report',
  adopt: 'fail',
  allow: new Set(),
  stamp: true,
  languages: undefined,
  concurrencyMax: 4,
};

export const API_KEY = 'canary-key-5f2b9e71c0';

/** How one run of kbsync ended. */
export type Ending =
  | { readonly how: 'report'; readonly report: SyncReport }
  | { readonly how: 'crash' }
  | { readonly how: 'error'; readonly message: string };

export interface RunOptions {
  readonly machine?: Machine;
  readonly desired: DesiredState;
  readonly policy?: Partial<SyncPolicy>;
  readonly weather?: Weather;
  /** How often somebody else acts before a request. */
  readonly editorRate?: number;
  /** Whether power fails when the process dies. */
  readonly powerCut?: boolean;
}

/** One simulated world: a service, computers, people, time; all of it follows from the seed. */
export interface World {
  readonly chance: Chance;
  readonly service: SimService;
  readonly model: Model;
  readonly network: Network;
  readonly machine: Machine;
  readonly clock: { readonly now: () => number; readonly advance: (ms: number) => void };
  /** What the author's folder held when a run began; editors make twins of its files. */
  folder: Folder;
  readonly newUid: () => string;
  newMachine(): Machine;
  /** Runs kbsync once and checks what it says against what the service holds. */
  run(options: RunOptions): Promise<Ending>;
  editRemote(): void;
  say(line: string): void;
  traceHash(): string;
  readonly trace: readonly string[];
}

export interface WorldOptions {
  readonly seed: number;
  readonly personality: Personality;
  readonly engine?: Engine;
  readonly keepTrace?: boolean;
}

export function createWorld({ seed, personality, engine = ENGINE, keepTrace = false }: WorldOptions): World {
  const chance = chanceFrom(seed);
  const hash = createHash('sha256');
  const trace: string[] = [];
  let nowMs = Date.UTC(2026, 10, 20);
  let uids = 0;
  let processes = 0;
  let editorRate = 0;
  const say = (line: string): void => {
    hash.update(`${nowMs} ${line}\n`);
    if (keepTrace) trace.push(`${String(Math.round(nowMs - Date.UTC(2026, 10, 20))).padStart(7)} ${line}`);
  };
  const clock = {
    now: () => nowMs,
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
  const newUid = (): string => {
    uids += 1;
    return `u${uids}`;
  };
  const model = createModel(() => service, { now: clock.now, sentMs: () => network.sentMs() });
  const service = createService({ personality, now: clock.now, ...model });
  const editorActs = (): void =>
    say(`editor ${editRemote({ service, chance, newUid, folder: world.folder })}`);
  const network = createNetwork({
    service,
    personality,
    chance,
    advance: clock.advance,
    now: clock.now,
    between: () => {
      if (editorRate > 0 && chance.happens(editorRate)) editorActs();
    },
    trace: say,
    takeLooks: model.takeLooks,
    received: model.received,
    sendError: (code, message) =>
      new engine.SendError(code, message, { isTimeout: message === 'timeout', cause: undefined }),
  });
  const newMachine = (): Machine => createMachine(() => chance.next(), engine);
  const machine = newMachine();

  const world: World = {
    chance,
    service,
    model,
    network,
    machine,
    clock,
    folder: new Map(),
    newUid,
    newMachine,
    editRemote: editorActs,
    say,
    traceHash: () => hash.copy().digest('hex'),
    trace,
    run: async (options) => {
      const { desired, weather = () => undefined, powerCut = false } = options;
      const policy: SyncPolicy = { ...CAREFUL, ...options.policy };
      processes += 1;
      const process: Process = { name: `run${processes}`, isDead: false };
      const context: RunContext = {
        process: process.name,
        machine: (options.machine ?? machine) === machine ? 'first' : 'second',
        policy,
        desired,
        isDisturbed: false,
        deletes: 0,
        ...managedBy(options.machine ?? machine, desired, (id) => service.rows.has(id)),
        editorDeleted: false,
      };
      model.begin(context);
      editorRate = options.editorRate ?? 0;
      const on = options.machine ?? machine;
      const ending = await runOnce({ process, policy, desired, weather, on });
      editorRate = 0;
      if (process.isDead || ending.how === 'crash') {
        await quiet();
        if (powerCut) on.cutPower();
        else on.kill();
        say(`${process.name} died`);
        return { how: 'crash' };
      }
      say(`${process.name} ${ending.how === 'report' ? summaryLine(ending.report) : ending.message}`);
      if (ending.how === 'report')
        checkReport(ending.report, context, {
          service,
          model,
          personality,
          idOf: (key) => idInState(on, key),
        });
      if (ending.how === 'error' && !isRemoteTrouble(ending.message))
        model.violations.push(`I10: the run failed: ${ending.message}`);
      return ending;
    },
  };

  const runOnce = async (run: {
    readonly process: Process;
    readonly policy: SyncPolicy;
    readonly desired: DesiredState;
    readonly weather: Weather;
    readonly on: Machine;
  }): Promise<Ending> => {
    const { process, policy, desired, weather, on } = run;
    const simClock = {
      now: clock.now,
      sleep: (ms: number) => {
        nowMs += ms;
        return Promise.resolve();
      },
    };
    const random = (): number => chance.next();
    const emit = (event: RunEvent): void => {
      if ('message' in event && (event.message ?? '').includes(API_KEY))
        model.violations.push(`I12: the key is in ${event.message}`);
    };
    try {
      const base = await on.openBase(process);
      try {
        const remote = engine.createRemote({
          baseUrl: ORIGIN,
          apiKey: API_KEY,
          send: network.sendOf(process, weather),
          emit,
          clock: simClock,
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
          emit,
          clock: simClock,
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
              atMs: nowMs,
            });
            model.trashed(record);
          },
        });
        const report = await sync.sync(desired);
        return { how: 'report', report };
      } finally {
        await base.close();
      }
    } catch (error) {
      if (error instanceof Crash || process.isDead) return { how: 'crash' };
      if (!(error instanceof Error)) throw error;
      return { how: 'error', message: `${error.name}: ${error.message}` };
    }
  };
  return world;
}

/** What a dead process had under way comes to its end. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((done) => setImmediate(done));
}

import { createHash } from 'node:crypto';
import type { Key } from '../../src/model/key.ts';
import type { DesiredState } from '../../src/model/record.ts';
import { CAREFUL as CAREFUL_PLAN } from '../../src/plan/policy.ts';
import type { SyncPolicy, SyncReport } from '../../src/sync/report.ts';
import { checkReport } from './check-report.ts';
import { editRemote } from './editor.ts';
import type { Engine } from './engine.ts';
import { ENGINE } from './engine.ts';
import type { Folder } from './files.ts';
import type { Machine } from './machine.ts';
import { createMachine } from './machine.ts';
import type { Model, RunContext } from './model.ts';
import { createModel } from './model.ts';
import type { Network, Process, Weather } from './network.ts';
import { createNetwork } from './network.ts';
import type { Chance } from './random.ts';
import {
  idInState,
  isRemoteTrouble,
  managedBy,
  guardedBy,
  keysHeldBy,
  remembererOf,
  summaryLine,
} from './run-words.ts';
import { chanceFrom } from './random.ts';
import { runOnce, type Ending } from './run-once.ts';
import type { Personality, SimService } from './service.ts';
import { createService } from './service.ts';

/** What the command does without flags. */
const CAREFUL: SyncPolicy = { ...CAREFUL_PLAN, stamp: true, concurrencyMax: 4 };

export interface RunOptions {
  readonly machine?: Machine;
  readonly desired: DesiredState;
  readonly policy?: Partial<SyncPolicy>;
  readonly weather?: Weather;
  /** How often somebody else acts before a request. */
  readonly editorRate?: number;
  /** The files are watched: each call saves some more of them and answers the folder as it is then, or that it is over. */
  readonly saves?: () => DesiredState | undefined;
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
  const parts = { engine, network, model, clock, random: () => chance.next() };
  const contextOf = (
    { name }: Process,
    policy: SyncPolicy,
    desired: DesiredState,
    on: Machine,
  ): RunContext => ({
    process: name,
    machine: on === machine ? 'first' : 'second',
    policy,
    desired,
    isDisturbed: false,
    deletes: 0,
    ...managedBy(on, { desired, languages: policy.languages }, (id) => service.rows.has(id)),
    editorDeleted: false,
    remembers: remembererOf(on),
    keysOf: keysHeldBy(on),
    guarded: guardedBy(on, desired),
  });

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
      const on = options.machine ?? machine;
      const witnesses = { service, model, personality, idOf: (key: Key) => idInState(on, key) };
      let context = contextOf(process, policy, desired, on);
      model.begin(context);
      /** What the report of a run, or of one of a watch, says is checked against the service. */
      const check = (report: SyncReport, files: DesiredState): void => {
        say(`${process.name} ${summaryLine(report)}`);
        checkReport(report, { ...context, desired: files }, witnesses);
      };
      editorRate = options.editorRate ?? 0;
      const begin = (files: DesiredState, looked: ReadonlySet<Key> | undefined): void => {
        context = { ...contextOf(process, policy, files, on), looked };
        model.begin(context);
      };
      const { saves } = options;
      const watch = saves === undefined ? undefined : { saves, begin, check };
      const ending = await runOnce({ process, policy, desired, weather, on, watch }, parts);
      editorRate = 0;
      if (process.isDead || ending.how === 'crash') {
        await quiet();
        if (powerCut) on.cutPower();
        else on.kill();
        say(`${process.name} died`);
        return { how: 'crash' };
      }
      if (ending.how === 'report' && watch === undefined) check(ending.report, desired);
      if (ending.how === 'error') say(`${process.name} ${ending.message}`);
      if (ending.how === 'error' && !isRemoteTrouble(ending.message))
        model.violations.push(`I10: the run failed: ${ending.message}`);
      return ending;
    },
  };

  return world;
}

/** What a dead process had under way comes to its end. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((done) => setImmediate(done));
}

import type { BaseStore, Intent, LoadedBase } from '../base/base.ts';
import type { Emit } from '../model/event.ts';
import type { Family, Key } from '../model/key.ts';

import type { BaseRecord, BaseState, DesiredState, UnmanagedRecord } from '../model/record.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Plan } from '../plan/plan.ts';
import type { PlanInput } from '../plan/plan-input.ts';
import type { Remote } from '../remote/remote.ts';
import { apply } from './apply.ts';
import { idKey } from './remote-side.ts';
import type { Result, SyncPolicy, SyncReport, SyncSummary } from './report.ts';
import type { Clock, Run, SaveTrash } from './run.ts';
import { settle } from './settle.ts';
import { survey } from './survey.ts';

export interface SyncOptions {
  readonly remote: Remote;
  readonly base: BaseStore;
  readonly policy: SyncPolicy;
  readonly emit: Emit;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly signal?: AbortSignal;
  readonly saveTrash: SaveTrash;
}

export interface Sync {
  /** What a sync would do now. Reads only. */
  plan(desired: DesiredState): Promise<{ readonly plan: Plan; readonly requests: number }>;
  /**
   * Plans, asks `confirm` when there is something to write, carries the plan out and saves the base. A plan with
   * refusals, or one that is not confirmed, writes nothing and saves nothing.
   */
  sync(desired: DesiredState, confirm?: (plan: Plan) => Promise<boolean>): Promise<SyncReport>;
}

/** The base is loaded by the first call and carried from run to run, so that watching need not read it again. */
export function createSync(options: SyncOptions): Sync {
  let loaded: LoadedBase | undefined;
  const load = async (): Promise<LoadedBase> => {
    if (loaded === undefined) {
      loaded = await options.base.load();
      options.remote.learn(loaded.state.capabilities);
    }
    return loaded;
  };
  return {
    async plan(desired) {
      const { plan } = await planned(desired, await load(), options);
      return { plan, requests: options.remote.requests() };
    },
    async sync(desired, confirm) {
      const { report, base } = await syncOnce(desired, await load(), options, confirm);
      loaded = base;
      return report;
    },
  };
}

async function planned(
  desired: DesiredState,
  base: LoadedBase,
  options: SyncOptions,
): Promise<{ input: PlanInput; plan: Plan }> {
  const { remote, policy, clock, emit } = options;
  emit({ type: 'phase', phase: 'read service' });
  const input = await survey({ remote, base, desired, policy, now: clock.now });
  emit({ type: 'phase', phase: 'plan' });
  return { input, plan: makePlan(input) };
}

async function syncOnce(
  desired: DesiredState,
  loaded: LoadedBase,
  options: SyncOptions,
  confirm: ((plan: Plan) => Promise<boolean>) | undefined,
): Promise<{ readonly report: SyncReport; readonly base: LoadedBase }> {
  const { remote, clock, emit, signal } = options;
  const startMs = clock.now();
  const requestsBefore = remote.requests();
  const { input, plan } = await planned(desired, loaded, options);
  const report = (results: readonly Result[]): SyncReport => ({
    plan,
    results,
    summary: summaryOf(plan, results),
    requests: remote.requests() - requestsBefore,
    durationMs: clock.now() - startMs,
    interrupted: signal?.aborted === true,
  });
  if (plan.refusals.length > 0) return { report: report([]), base: loaded };
  if (plan.changes.length > 0 && confirm !== undefined && !(await confirm(plan))) {
    return { report: report([]), base: loaded };
  }
  const run = startRun(input, plan, options, startMs);
  const open = await settleLookedUp(loaded, run);
  if (plan.changes.length > 0) emit({ type: 'phase', phase: 'write' });
  const applied = await apply(plan, run);
  const results = signal?.aborted === true ? applied.results : await settle(plan, applied, run);
  const state = await saveBase(loaded.state, plan, run, options);
  return { report: report(results), base: { state, open: [...open, ...run.open], isNew: false } };
}

function startRun(input: PlanInput, plan: Plan, options: SyncOptions, startMs: number): Run {
  const { remote, base, policy, clock, random, emit, signal, saveTrash } = options;
  const records = new Map(input.base.records);
  for (const settled of plan.settled) {
    if (settled.how === 'forgotten') records.delete(settled.key);
    else if (settled.how !== 'unmanaged') records.set(settled.record.key, settled.record);
  }
  return {
    remote,
    journal: base.journal,
    desired: input.desired,
    input,
    policy,
    clock,
    random,
    emit,
    signal,
    startMs,
    saveTrash,
    records,
    ids: new Map<Family, string>(input.ids),
    dates: new Map(),
    written: new Map<Key, never>(),
    deleted: new Set(),
    drifted: new Set(),
    deleteLists: new Map(),
    stop: undefined,
    open: [],
  };
}

/**
 * Ends the intents of earlier runs that this run's survey has answered: a create whose record was found, or that was
 * proved not to be there; a delete whose record is gone or still there. Returns those that stay open.
 */
async function settleLookedUp(loaded: LoadedBase, run: Run): Promise<readonly Intent[]> {
  const open: Intent[] = [];
  for (const intent of loaded.open) {
    if (run.input.pending.has(intent.key)) {
      open.push(intent);
      continue;
    }
    if (intent.action === 'create') {
      await run.journal.settle(intent.op, run.records.get(intent.key));
      continue;
    }
    const record = run.records.get(intent.key);
    const isGone = run.input.remote.get(intent.key)?.state === 'absent';
    await run.journal.settle(intent.op, isGone ? undefined : record);
  }
  return open;
}

async function saveBase(before: BaseState, plan: Plan, run: Run, options: SyncOptions): Promise<BaseState> {
  const memos = new Map(before.unmanaged);
  for (const settled of plan.settled)
    if (settled.how === 'unmanaged') memos.set(idKey(settled.record.kind, settled.record.id), settled.record);
  const state: BaseState = {
    ...before,
    // While records are kept whose file is gone, the old scope stays: a later --prune must still see that it changed.
    scopeDigest:
      plan.kept.length === 0 || run.policy.allow.has('scope-change') || before.scopeDigest === undefined
        ? run.desired.scopeDigest
        : before.scopeDigest,
    capabilities: run.remote.capabilities(),
    records: sorted(run.records),
    unmanaged: stillUnmanaged(memos, run),
  };
  await options.base.save(state);
  return state;
}

/** Memos of records that the lists still show and that nobody has claimed since. */
function stillUnmanaged(
  memos: ReadonlyMap<string, UnmanagedRecord>,
  run: Run,
): ReadonlyMap<string, UnmanagedRecord> {
  const shown = new Set(run.input.unmanaged.map(({ kind, id }) => idKey(kind, id)));
  return new Map([...memos].filter(([name]) => shown.has(name)));
}

function sorted(records: ReadonlyMap<Key, BaseRecord>): ReadonlyMap<Key, BaseRecord> {
  return new Map([...records].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function summaryOf(plan: Plan, results: readonly Result[]): SyncSummary {
  const done = (action: Result['action']) =>
    results.filter((result) => result.action === action && result.outcome === 'done').length;
  return {
    created: done('create'),
    updated: done('update'),
    deleted: done('delete'),
    unchanged: plan.unchanged,
    conflict: plan.conflicts.length,
    drift: plan.drift.length,
    failed: results.filter(({ outcome }) => outcome === 'failed' || outcome === 'skipped').length,
    pending:
      results.filter(({ outcome }) => outcome === 'pending').length +
      plan.blocked.filter(({ reason }) => reason === 'pending').length,
  };
}

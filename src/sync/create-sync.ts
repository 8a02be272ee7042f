import type { Intent, LoadedBase } from '../base/base.ts';
import { recordedJournal } from '../base/history/recorded-journal.ts';
import { dateIn } from '../model/fingerprint.ts';
import type { ListView } from '../model/fingerprint.ts';
import type { Family, Key, RemoteId } from '../model/key.ts';
import { familyOf, idKey, keyIn, kindOf } from '../model/key.ts';
import { once } from '../model/once.ts';
import type { BaseState, DesiredState } from '../model/record.ts';
import { NAMELESS } from '../model/repository.ts';
import type { PlanInput } from '../plan/plan-input.ts';
import type { TextsOf } from '../plan/plan-texts.ts';
import { planTexts } from '../plan/plan-texts.ts';
import type { Plan } from '../plan/plan.ts';
import { apply } from './apply/apply.ts';
import { closeIntents } from './apply/close-intents.ts';
import { readBack } from './apply/read-back.ts';
import { tellDoubtfulCheckout, withRevision } from './checkout.ts';
import { focusedBase, wholeBase } from './next-base.ts';
import type { RunOptions, SyncOptions } from './options.ts';
import { planned } from './plan-run.ts';
import { sendSet } from './redirects/send-set.ts';
import type { RedirectsEnd, Result, SyncReport } from './report.ts';
import { summaryOf } from './report.ts';
import { repositoryOf } from './repository.ts';
import type { Run } from './run.ts';
import { isAllInSync } from './survey/known-outcome.ts';
import type { KnownOutcome } from './survey/known-outcome.ts';
import { LATE_MS } from './survey/pending.ts';

export interface Planned {
  readonly plan: Plan;
  readonly requests: number;
  /** Whole texts, which the plan holds digests of. */
  readonly textsOf: TextsOf;
}

export interface Sync {
  /** What a sync would do now. Reads only. */
  plan(desired: DesiredState): Promise<Planned>;
  /**
   * Plans, asks `confirm` when there is something to write, carries the plan out and saves the base. A plan with
   * refusals, or one that is not confirmed, writes nothing and saves nothing.
   */
  sync(desired: DesiredState, confirm?: (plan: Plan) => Promise<boolean>): Promise<SyncReport>;
  /**
   * The same for the records whose files changed since the last run, without reading the lists: one read and one edit
   * for each, and no request for those that say the same as before. Where that is not enough it is a whole run. The
   * base is journalled and not saved: see `save`.
   */
  syncChanged(desired: DesiredState, keys: ReadonlySet<Key>): Promise<SyncReport>;
  /** Saves what the runs since the last whole one have left in the journal. */
  save(): Promise<void>;
  /** The base as it is now. */
  known(): Promise<BaseState>;
}

/** The base is loaded by the first call and carried from run to run, so watching need not read it again. */
export function createSync(options: SyncOptions): Sync {
  let loaded: LoadedBase | undefined;
  let running: RunOptions | undefined;
  let views: ReadonlyMap<Family, ListView> | undefined;
  let isUnsaved = false;
  const run = async (desired: DesiredState, how: Pick<Wishes, 'confirm' | 'keys'>): Promise<SyncReport> => {
    const [known, running] = await begin();
    const end = await syncOnce(desired, known, chosenIn(running, desired, known), { ...how, views });
    loaded = end.base;
    if (end.views !== undefined) views = end.views;
    isUnsaved = end.isSaved ? false : isUnsaved || end.views !== undefined;
    return end.report;
  };
  const load = async (): Promise<readonly [LoadedBase, RunOptions]> => {
    if (loaded === undefined || running === undefined) {
      loaded = await options.base.load();
      const { checkout: _, repository = NAMELESS, ...rest } = options;
      running = {
        ...rest,
        repository: repositoryOf(repository, loaded.state),
        openBefore: new Set(loaded.open.map(({ op }) => op)),
      };
      options.remote.learn(loaded.state.capabilities);
    }
    return [loaded, running];
  };
  const begin: typeof load = async () => {
    const [known, running] = await load();
    options.remote.learnDates(listedDates(known.state));
    const checkout = await options.checkout?.(known.state.revision);
    return [known, checkout === undefined ? running : { ...running, checkout }];
  };
  return {
    async plan(desired) {
      const [known, running] = await begin();
      const { plan, input } = await planned(desired, known, chosenIn(running, desired, known));
      const textsOf = input === undefined ? () => ({}) : planTexts(input);
      return { plan, requests: options.remote.requests(), textsOf };
    },
    sync: (desired, confirm) => run(desired, { confirm }),
    syncChanged: (desired, keys) => run(desired, { keys }),
    async save() {
      if (!isUnsaved || loaded === undefined) return;
      await options.base.save(loaded.state);
      isUnsaved = false;
    },
    known: async () => (await load())[0].state,
  };
}

/** When the list said at the last sync that an article was edited last, by its id. */
function listedDates({ records }: BaseState): (id: RemoteId) => string | undefined {
  const dates = once(
    () =>
      new Map(
        [...records.values()].flatMap(({ key, id, seen }) => {
          const date = seen === undefined || kindOf(key) !== 'article' ? undefined : dateIn(seen);
          return date === undefined ? [] : [[id, date] as const];
        }),
      ),
  );
  return (id) => dates().get(id);
}

function chosenIn(run: RunOptions, desired: DesiredState, { state }: LoadedBase): RunOptions {
  const only = run.choose?.(desired, state);
  return only === undefined ? run : { ...run, policy: { ...run.policy, only } };
}

interface Wishes {
  readonly confirm?: ((plan: Plan) => Promise<boolean>) | undefined;
  /** Only these records changed. */
  readonly keys?: ReadonlySet<Key>;
  /** What the lists showed after the last run; undefined: nothing is known of them. */
  readonly views: ReadonlyMap<Family, ListView> | undefined;
}

interface End {
  readonly report: SyncReport;
  readonly base: LoadedBase;
  /** Undefined when nothing was carried out. */
  readonly views?: ReadonlyMap<Family, ListView>;
  readonly isSaved: boolean;
}

async function syncOnce(
  desired: DesiredState,
  loaded: LoadedBase,
  options: RunOptions,
  { confirm, keys, views }: Wishes,
): Promise<End> {
  const { remote, clock, emit, signal } = options;
  const startMs = clock.now();
  const requestsBefore = remote.requests();
  const focus = keys === undefined || views === undefined ? undefined : { keys, views };
  const { input, plan, after } = await planned(desired, loaded, options, focus);
  const report = (
    results: readonly Result[],
    open: readonly Intent[],
    {
      lost = [],
      filesSent = 0,
      redirects,
    }: Partial<Pick<SyncReport, 'lost' | 'filesSent'>> & {
      readonly redirects?: RedirectsEnd | undefined;
    } = {},
  ): SyncReport => ({
    plan,
    results,
    lost,
    filesSent,
    ...(redirects === undefined ? {} : { redirects }),
    summary: summaryOf(plan, results),
    requests: remote.requests() - requestsBefore,
    durationMs: clock.now() - startMs,
    interrupted: signal?.aborted === true,
    ...lookAgain(open, startMs, options),
  });
  if (plan.refusals.length > 0) return { report: report([], []), base: loaded, isSaved: false };
  const sendsSet = plan.redirects?.repository !== undefined && plan.redirects.unread === undefined;
  const isWriting = plan.changes.length > 0 || sendsSet;
  if (isWriting && confirm !== undefined && !(await confirm(plan))) {
    return { report: report([], []), base: loaded, isSaved: false };
  }
  const begun = await withRevisionSaved(loaded, plan, options);
  const sent = (stop?: string, ends?: readonly Result[]) =>
    plan.redirects === undefined ? undefined : sendSet(plan.redirects, options, { stop, ends: ends ?? [] });
  if (input === undefined) {
    return { report: report([], [], { redirects: await sent() }), base: begun, isSaved: false };
  }
  tellDoubtfulCheckout(plan, options);
  const run = startRun(input, plan, options, startMs);
  remote.followLists(after?.tags);
  const open = await closeIntents(loaded, run);
  if (plan.changes.length > 0) emit({ type: 'phase', phase: 'write' });
  const applied = await apply(plan, run);
  const results = signal?.aborted === true ? applied.results : await readBack(plan, applied, run);
  // After the records: no old address leads to a page that is not there yet.
  const redirects = await sent(run.stop, results);
  if (run.policy.stamp && run.remote.capabilities()['hides-comments'] === 'no')
    emit({ type: 'note', text: STAMP_SHOWN });
  // Watching saves when it is quiet.
  const isSaved = focus === undefined || input.focus === undefined;
  const state = input.focus === undefined ? wholeBase(begun.state, plan, run) : focusedBase(begun.state, run);
  if (isSaved) await options.base.save(state);
  const checksum = isSaved ? options.base.checksum?.() : undefined;
  const base = { state, open: [...open, ...run.open], isNew: false };
  const ends = await Promise.all(run.files.values());
  const filesSent = ends.filter(({ outcome }) => outcome === 'sent').length;
  const end = report(results, base.open, { lost: run.lost, filesSent, redirects });
  if (after !== undefined && checksum !== undefined && isAllDone(end, base.open)) {
    const known = withTags(after, remote.listTags());
    // Else nothing could tell the next run that it holds.
    const isTold = known.tags !== undefined || known.others !== undefined;
    if (isTold && plan.changes.every(({ key }) => isConfirmed(key, state, run.desired.defaultLanguage)))
      options.outcomes?.writeAfter?.(known, checksum);
  }
  return {
    report: end,
    base,
    views: run.views,
    isSaved,
  };
}

/** Whether the state knows what the lists show of a record since it was written: else the next run reads it before it is trusted. */
function isConfirmed(key: Key, { records }: BaseState, defaultLanguage: string): boolean {
  return !records.has(key) || records.get(keyIn(familyOf(key), defaultLanguage))?.seen !== undefined;
}

function withTags({ tags: _before, ...after }: KnownOutcome, tags: KnownOutcome['tags']): KnownOutcome {
  return tags === undefined ? after : { ...after, tags };
}

/** The record is ours as before, and the base knows it now as it is. */
const SAVED = new Set<string>(['refreshed', 'converged'] satisfies Plan['learnt'][number]['how'][]);

/** Whether the run leaves nothing to do, to ask, to say again or to learn. */
function isAllDone(
  { plan, results, lost, redirects, interrupted }: SyncReport,
  open: readonly Intent[],
): boolean {
  return (
    // What was learnt of the edited records is saved.
    isAllInSync({ ...plan, changes: [], learnt: plan.learnt.filter(({ how }) => !SAVED.has(how)) }) &&
    results.every(({ outcome }) => outcome === 'done') &&
    results.length === plan.changes.length &&
    lost.length + open.length === 0 &&
    (redirects?.outcome ?? 'done') === 'done' &&
    !interrupted
  );
}

/**
 * Before the first write, because a run that dies in between has sent what its commit says. A run from an older commit that
 * had nothing to send leaves the newer one.
 */
async function withRevisionSaved(loaded: LoadedBase, plan: Plan, options: RunOptions): Promise<LoadedBase> {
  const { base } = options;
  const state = withRevision(loaded.state, plan, options);
  if (base.keepsEachRevision === true && state !== loaded.state) await base.save(state);
  return { ...loaded, state };
}

const STAMP_SHOWN =
  'the service escapes comments, so readers see the line `<!-- kbsync …` at the end of each page; set `stamp: false` in kbsync.yaml, and the line goes with the next edit of each page';

/** A create may have been too young when the run began, and its time have come before the run ends: then it is worth a look at once. */
function lookAgain(
  open: readonly Intent[],
  startMs: number,
  { policy: { lateMs = LATE_MS } }: RunOptions,
): Pick<SyncReport, 'lookAgainAtMs'> {
  const atMs = open.flatMap((intent) => (intent.action === 'create' ? [intent.atMs + lateMs] : []));
  const lookAgainAtMs = Math.max(...atMs);
  return lookAgainAtMs > startMs ? { lookAgainAtMs } : {};
}

function startRun(input: PlanInput, plan: Plan, options: RunOptions, startMs: number): Run {
  const { remote, base, policy, repository, clock, random, emit, signal, saveTrash, history } = options;
  const records = new Map(input.base.records);
  for (const learnt of plan.learnt) {
    if (learnt.how === 'forgotten') records.delete(learnt.key);
    else if (learnt.how !== 'unmanaged') records.set(learnt.record.key, learnt.record);
  }
  return {
    remote,
    journal: history === undefined ? base.journal : recordedJournal(base.journal, history),
    desired: input.desired,
    input,
    policy,
    repository,
    clock,
    random,
    emit,
    signal,
    startMs,
    saveTrash,
    records,
    ids: new Map<Family, string>(input.ids),
    owners: new Map([...input.ids].map(([family, id]) => [idKey(kindOf(family), id), family])),
    dates: new Map(),
    written: new Map<Key, never>(),
    habits: input.ways.habits,
    lost: [],
    writtenAtMs: new Map(),
    files: new Map(),
    deleted: new Set(),
    ownFields: new Set(),
    views: new Map(input.views),
    drifted: new Set(),
    deleteLists: new Map(),
    removals: new Map(),
    toldIds: new Map(),
    isListLate: false,
    vouchedFor: new Set(),
    stop: undefined,
    open: [],
  };
}

import type { BaseStore, Intent, LoadedBase } from '../base/base.ts';
import type { History } from '../base/history/history.ts';
import { recordedJournal } from '../base/history/recorded-journal.ts';
import type { Clock } from '../model/clock.ts';
import type { Emit } from '../model/event.ts';
import type { ListView } from '../model/fingerprint.ts';
import type { Family, Key } from '../model/key.ts';
import type { BaseRecord, BaseState, Capabilities, DesiredState, UnmanagedRecord } from '../model/record.ts';
import { KINDS, idKey, kindOf } from '../model/key.ts';
import { makePlan } from '../plan/make-plan.ts';
import { isSelected } from '../plan/selection.ts';
import type { Plan } from '../plan/plan.ts';
import type { PlanInput } from '../plan/plan-input.ts';
import type { TextsOf } from '../plan/plan-texts.ts';
import { planTexts } from '../plan/plan-texts.ts';
import { withoutSharedFields, withoutSharedValues } from '../plan/shared-fields.ts';
import type { Remote } from '../remote/remote.ts';
import { apply } from './apply/apply.ts';
import { isAllInSync, knownPlan, peekLists, sentLists } from './survey/known-outcome.ts';
import type { OutcomeMemory } from './survey/known-outcome.ts';
import type { Result, SyncPolicy, SyncReport } from './report.ts';
import { summaryOf } from './report.ts';
import type { Run, SaveTrash } from './run.ts';
import { readBack } from './apply/read-back.ts';
import { closeIntents } from './apply/close-intents.ts';
import type { Focus } from './survey/focused-survey.ts';
import { LATE_MS } from './survey/pending.ts';
import { focusedSurvey, viewsInBase } from './survey/focused-survey.ts';
import { stillPulled } from './survey/pulled-pages.ts';
import { survey } from './survey/survey.ts';
import { withTranslationMarks } from './translation-marks.ts';
import { isOlder, revisionText, type Checkout, type Revision } from '../model/revision.ts';
import { NAMELESS } from '../model/repository.ts';
import type { Repository, RepositoryNames } from '../model/repository.ts';
import { repositoryOf } from './repository.ts';

export interface SyncOptions {
  readonly remote: Remote;
  readonly base: BaseStore;
  readonly policy: SyncPolicy;
  /** The records that each run is about, which may be others once files have changed; undefined: those of the policy. */
  readonly choose?: (desired: DesiredState, base: BaseState) => SyncPolicy['only'];
  readonly emit: Emit;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly signal?: AbortSignal;
  readonly saveTrash: SaveTrash;
  /** Where the run notes what it does; undefined: nowhere. */
  readonly history?: History | undefined;
  /** Whose run it is; undefined: of a folder that nothing names. */
  readonly repository?: RepositoryNames;
  /** Why files may only seem to be gone now; asked by each run that may delete. */
  readonly doubts?: () => Promise<readonly string[]>;
  /** What is checked out, beside the commit that the state names; asked by each run. undefined: the runs are not about files. */
  readonly checkout?: (known: Revision | undefined) => Promise<Checkout>;
  /** Of runs that found everything in sync with these very files, base and wishes. */
  readonly outcomes?: OutcomeMemory | undefined;
}

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

interface RunOptions extends Omit<SyncOptions, 'repository' | 'checkout'> {
  readonly repository: Repository;
  /** Of this run. */
  readonly checkout?: Checkout;
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
      running = { ...rest, repository: repositoryOf(repository, loaded.state) };
      options.remote.learn(loaded.state.capabilities);
    }
    return [loaded, running];
  };
  const begin: typeof load = async () => {
    const [known, running] = await load();
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

function chosenIn(run: RunOptions, desired: DesiredState, { state }: LoadedBase): RunOptions {
  const only = run.choose?.(desired, state);
  return only === undefined ? run : { ...run, policy: { ...run.policy, only } };
}

async function planned(
  files: DesiredState,
  loaded: LoadedBase,
  options: RunOptions,
  focus?: Focus,
): Promise<{ readonly input: PlanInput | undefined; readonly plan: Plan }> {
  const { remote, policy, repository, clock, emit, outcomes } = options;
  emit({ type: 'phase', phase: 'read service' });
  const { desired, base } = withoutShared(files, loaded, remote.capabilities());
  const doubts = policy.prune ? await options.doubts?.() : undefined;
  const sleep = (delayMs: number) => clock.sleep(delayMs, options.signal);
  const { checkout } = options;
  const about = {
    remote,
    base,
    desired,
    policy,
    repository,
    doubts,
    checkout,
    now: () => clock.now(),
    sleep,
  };
  const focused = focus === undefined ? undefined : await focusedSurvey(about, focus);
  if (focused !== undefined || outcomes === undefined) {
    const input = focused ?? (await survey(about));
    emit({ type: 'phase', phase: 'plan' });
    return { input, plan: makePlan(input) };
  }
  const exact = outcomes.read();
  const edited = exact === undefined ? outcomes.beforeEdits?.() : undefined;
  const known = exact ?? edited?.outcome;
  const before = remote.requests();
  const peeked = await peekLists(remote, known);
  const knownBefore = knownPlan(known, peeked, { remote, base, requestsMax: before + KINDS.length });
  if (knownBefore !== undefined && edited === undefined) return { input: undefined, plan: knownBefore };
  if (knownBefore !== undefined && edited !== undefined) {
    // All was in sync before these files were edited, and the service shows what it did then: they are all there is to do.
    const views = viewsInBase(edited.keys, base.state, desired);
    const input = await focusedSurvey(about, { keys: edited.keys, views });
    if (input !== undefined) {
      emit({ type: 'phase', phase: 'plan' });
      const plan = withRest(makePlan(input), knownBefore, input);
      if (isAllInSync(plan)) outcomes.write(edited.outcome);
      return { input, plan };
    }
  }
  const { lists, tags, read } = await sentLists(remote, peeked);
  const requestsMax = before + KINDS.length * (peeked.read === undefined ? 2 : 1);
  const input = await survey({ ...about, lists: read() });
  emit({ type: 'phase', phase: 'plan' });
  const plan = makePlan(input);
  if (isAllInSync(plan) && base.open.length === 0 && remote.requests() === requestsMax) {
    const { unchanged, unmanaged } = plan;
    outcomes.write({ lists, ...(tags === undefined ? {} : { tags }), unchanged, unmanaged });
  }
  return { input, plan };
}

/** The plan for some records, with what is known of all others: that they are in sync. */
function withRest(plan: Plan, { unchanged, unmanaged }: Plan, input: PlanInput): Plan {
  const planned = [...(input.focus?.keys ?? [])].filter((key) => isSelected(key, input));
  return { ...plan, unchanged: plan.unchanged + unchanged - planned.length, unmanaged };
}

/** What the service keeps once for all languages of a record is the original's alone. */
function withoutShared(
  desired: DesiredState,
  base: LoadedBase,
  capabilities: Capabilities,
): { readonly desired: DesiredState; readonly base: LoadedBase } {
  if (capabilities.shared === undefined) return { desired, base };
  const files = [...desired.records].map(
    ([key, record]) => [key, withoutSharedFields(record, capabilities)] as const,
  );
  const known = [...base.state.records].map(
    ([key, record]) => [key, withoutSharedValues(record, capabilities, desired)] as const,
  );
  return {
    desired: { ...desired, records: new Map(files) },
    base: { ...base, state: { ...base.state, records: new Map(known) } },
  };
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
  const { input, plan } = await planned(desired, loaded, options, focus);
  const report = (
    results: readonly Result[],
    open: readonly Intent[],
    { lost = [], filesSent = 0 }: Partial<Pick<SyncReport, 'lost' | 'filesSent'>> = {},
  ): SyncReport => ({
    plan,
    results,
    lost,
    filesSent,
    summary: summaryOf(plan, results),
    requests: remote.requests() - requestsBefore,
    durationMs: clock.now() - startMs,
    interrupted: signal?.aborted === true,
    ...lookAgain(open, options),
  });
  if (plan.refusals.length > 0) return { report: report([], []), base: loaded, isSaved: false };
  if (plan.changes.length > 0 && confirm !== undefined && !(await confirm(plan))) {
    return { report: report([], []), base: loaded, isSaved: false };
  }
  const begun = await withRevisionSaved(loaded, plan, options);
  if (input === undefined) return { report: report([], []), base: begun, isSaved: false };
  tellDoubtfulCheckout(plan, options);
  const run = startRun(input, plan, options, startMs);
  const open = await closeIntents(loaded, run);
  if (plan.changes.length > 0) emit({ type: 'phase', phase: 'write' });
  const applied = await apply(plan, run);
  const results = signal?.aborted === true ? applied.results : await readBack(plan, applied, run);
  if (run.policy.stamp && run.remote.capabilities()['hides-comments'] === 'no')
    emit({ type: 'note', text: STAMP_SHOWN });
  // Watching saves when it is quiet.
  const isSaved = focus === undefined || input.focus === undefined;
  const state = input.focus === undefined ? wholeBase(begun.state, plan, run) : focusedBase(begun.state, run);
  if (isSaved) await options.base.save(state);
  const base = { state, open: [...open, ...run.open], isNew: false };
  const ends = await Promise.all(run.files.values());
  const filesSent = ends.filter(({ outcome }) => outcome === 'sent').length;
  return {
    report: report(results, base.open, { lost: run.lost, filesSent }),
    base,
    views: run.views,
    isSaved,
  };
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

function withRevision(
  state: BaseState,
  { changes }: Pick<Plan, 'changes'>,
  { checkout, policy }: Pick<RunOptions, 'checkout' | 'policy'>,
): BaseState {
  if (checkout === undefined || checkout.relation === 'same') return state;
  if (isOlder(checkout) && !policy.allow.has('older-commit')) return state;
  const { revision, ...others } = state;
  if (checkout.own !== undefined) return { ...others, revision: checkout.own };
  // Files of no commit that have nothing to send are those of the commit that is known.
  return revision === undefined || changes.length === 0 ? state : others;
}

/** What nobody can know is said where something could be taken back: a create takes nothing back. */
function tellDoubtfulCheckout({ changes }: Plan, { checkout, emit }: RunOptions): void {
  const { known, relation } = checkout ?? {};
  if (known === undefined || changes.every(({ action }) => action === 'create')) return;
  const text = doubtOf(relation, revisionText(known));
  if (text !== undefined) emit({ type: 'note', text });
}

function doubtOf(relation: Checkout['relation'] | undefined, known: string): string | undefined {
  const was = `the last sync was made from ${known}`;
  switch (relation) {
    case 'beside':
      return `${was}, which is not in the history of this checkout (another branch, a rebase or a force-push?): what changed only there is taken back`;
    case 'dated-after':
      return `${was}, which this clone does not hold; its date is earlier, so kbsync goes on. Whether this checkout contains it, only the whole history tells (fetch-depth: 0, or git fetch --unshallow)`;
    case 'untold':
      return `${was}; git does not tell here whether this checkout is older, so what changed there may be taken back`;
    default:
      return undefined;
  }
}

const STAMP_SHOWN =
  'the service escapes comments, so readers see the line `<!-- kbsync …` at the end of each page; set `stamp: false` in kbsync.yaml, and the line goes with the next edit of each page';

function lookAgain(
  open: readonly Intent[],
  { policy: { lateMs = LATE_MS }, clock }: RunOptions,
): Pick<SyncReport, 'lookAgainAtMs'> {
  const atMs = open.flatMap((intent) => (intent.action === 'create' ? [intent.atMs + lateMs] : []));
  const lookAgainAtMs = Math.max(...atMs);
  return lookAgainAtMs > clock.now() ? { lookAgainAtMs } : {};
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
    stop: undefined,
    open: [],
  };
}

/** Scope and memos are about the lists, which such a run has not seen. */
function focusedBase(before: BaseState, run: Run): BaseState {
  const capabilities = run.remote.capabilities();
  return stillPulled({
    ...ownedBy(before, run),
    capabilities,
    ...habitsOf(run),
    records: marked(before, run),
  });
}

function wholeBase(before: BaseState, plan: Plan, run: Run): BaseState {
  const memos = new Map(before.unmanaged);
  for (const learnt of plan.learnt)
    if (learnt.how === 'unmanaged') memos.set(idKey(learnt.record.kind, learnt.record.id), learnt.record);
  return stillPulled({
    ...ownedBy(before, run),
    // While records are kept whose file is gone, the old scope stays: a later --prune must still see that it changed.
    scopeDigest:
      // A part says nothing of the records outside of it.
      (plan.kept.every(({ reason }) => reason === 'no-state') && run.policy.only === undefined) ||
      run.policy.allow.has('scope-change') ||
      before.scopeDigest === undefined
        ? run.desired.scopeDigest
        : before.scopeDigest,
    capabilities: run.remote.capabilities(),
    ...habitsOf(run),
    records: sorted(marked(before, run)),
    unmanaged: stillUnmanaged(memos, run),
  });
}

function habitsOf({ habits }: Run): Pick<BaseState, 'habits'> {
  return Object.keys(habits).length === 0 ? {} : { habits };
}

/** From now on the state says whose it is. */
function ownedBy(before: BaseState, { repository: { id } }: Run): BaseState {
  return id === undefined ? before : { ...before, repository: id };
}

function marked(before: BaseState, run: Run): ReadonlyMap<Key, BaseRecord> {
  return withTranslationMarks(before.records, run.records, run.desired.defaultLanguage);
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

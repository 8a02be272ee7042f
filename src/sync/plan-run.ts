import type { LoadedBase } from '../base/base.ts';
import { KINDS } from '../model/key.ts';
import type { Capabilities, DesiredState } from '../model/record.ts';
import { makePlan } from '../plan/making/make-plan.ts';
import type { PlanInput } from '../plan/plan-input.ts';
import type { Plan } from '../plan/plan.ts';
import { openNames } from '../plan/renamed.ts';
import { isSelected } from '../plan/selection.ts';
import { withoutSharedFields, withoutSharedValues } from '../plan/shared-fields.ts';
import type { RunOptions } from './options.ts';
import { plannedSet } from './redirects/planned-set.ts';
import type { Focus } from './survey/focused-survey.ts';
import { focusedSurvey, viewsInBase } from './survey/focused-survey.ts';
import { outcomeOfChanges, outcomeOfEdits } from './outcome/after-writes.ts';
import type { Edited, KnownOutcome, OutcomeMemory } from './outcome/known-outcome.ts';
import { isAllInSync, knownPlan, othersBeside, withLists } from './outcome/known-outcome.ts';
import type { Peeked } from './outcome/peeked-lists.ts';
import { peekLists, sentLists } from './outcome/peeked-lists.ts';
import { withRemovedFields } from '../plan/removed-fields.ts';
import type { SurveyOptions } from './survey/options.ts';
import { survey } from './survey/survey.ts';

interface Made {
  readonly input: PlanInput | undefined;
  readonly plan: Plan;
  /**
   * What holds once all of the plan is done, but with the tags that the lists have before it; undefined: not known before the next
   * whole run.
   */
  readonly after?: KnownOutcome;
}

/** Reads what a run needs to know of the service, and decides. `input` is undefined where the lists alone said that all is in sync. */
export async function planned(
  files: DesiredState,
  loaded: LoadedBase,
  options: RunOptions,
  focus?: Focus,
): Promise<Made> {
  const made = await plannedRecords(files, loaded, options, focus);
  // Without the lists, nobody has told which sets the service has.
  if (made.input?.focus !== undefined && focus !== undefined) return made;
  const redirects = await plannedSet(files, made.plan, options);
  return redirects === undefined ? made : { ...made, plan: { ...made.plan, redirects } };
}

async function plannedRecords(
  files: DesiredState,
  loaded: LoadedBase,
  options: RunOptions,
  focus?: Focus,
): Promise<Made> {
  const { remote, policy, repository, clock, emit, outcomes, checkout, openBefore } = options;
  emit({ type: 'phase', phase: 'read service' });
  const about: SurveyOptions = {
    remote,
    ...withoutShared(files, loaded, remote.capabilities()),
    policy,
    repository,
    doubts: policy.prune ? await options.doubts?.() : undefined,
    checkout,
    now: () => clock.now(),
    openBefore,
    sleep: (delayMs) => clock.sleep(delayMs, options.signal),
  };
  const focused = focus === undefined ? undefined : await focusedSurvey(about, focus);
  if (focused !== undefined) return planOf(focused, options);
  return outcomes === undefined
    ? planOf(await survey(about), options)
    : plannedAfter(outcomes, about, options);
}

async function planOf(
  surveyed: PlanInput,
  { emit, renames }: Pick<RunOptions, 'emit' | 'renames'>,
): Promise<{ readonly input: PlanInput; readonly plan: Plan }> {
  emit({ type: 'phase', phase: 'plan' });
  const read = withRemovedFields(surveyed);
  const names = renames === undefined ? undefined : openNames(read);
  const renamed = names === undefined ? [] : await renames?.(names);
  const input =
    renamed === undefined || renamed.length === 0
      ? read
      : { ...read, renamed: new Map(renamed.map((each) => [each.to, each])) };
  return { input, plan: makePlan(input) };
}

/** While the lists show what they showed at the end of the last run, nothing else is read. */
async function plannedAfter(
  outcomes: OutcomeMemory,
  about: SurveyOptions,
  options: RunOptions,
): Promise<Made> {
  const { remote, base, desired } = about;
  const exact = outcomes.read();
  const edited = exact === undefined ? outcomes.beforeEdits?.() : undefined;
  const known = exact ?? edited?.outcome;
  const before = remote.requests();
  const told = await peekLists(remote, known);
  // Without their bytes of before, the rows have to tell.
  const isAllTagged = told.unsent.length === KINDS.length;
  const isPartlySent = known?.lists === undefined && told.read === undefined && !isAllTagged;
  const peeked = isPartlySent ? await sentLists(remote, told) : told;
  const inSync = knownPlan(known, peeked, {
    remote,
    base,
    defaultLanguage: desired.defaultLanguage,
    requestsMax: before + KINDS.length + (isPartlySent ? told.unsent.length : 0),
  });
  if (inSync !== undefined && exact !== undefined) {
    // From now on these very lists are known.
    if (exact.lists === undefined && !isAllTagged) outcomes.write(withLists(exact, peeked));
    return { input: undefined, plan: inSync };
  }
  if (inSync !== undefined && edited !== undefined) {
    const made = await plannedEdits(edited, { inSync, peeked, outcomes }, about, options);
    if (made !== undefined) return made;
  }
  const sent = await sentLists(remote, peeked);
  const { input, plan } = await planOf(await survey({ ...about, lists: sent.read() }), options);
  const requestsMax = before + KINDS.length + told.unsent.length;
  if (isAllInSync(plan) && base.open.length === 0 && remote.requests() === requestsMax) {
    const { unchanged, unmanaged } = plan;
    const others = othersBeside(sent.read(), base.state, desired.defaultLanguage);
    outcomes.write(withLists({ unchanged, unmanaged, others }, sent));
  }
  const after = outcomeOfChanges(plan, input, sent, base.state);
  return after === undefined ? { input, plan } : { input, plan, after };
}

interface BeforeEdits {
  /** The plan of all records, as if the files were as before. */
  readonly inSync: Plan;
  readonly peeked: Peeked;
  readonly outcomes: OutcomeMemory;
}

/** All was in sync before these files were edited, and the service shows what it did then: they are all there is to do. */
async function plannedEdits(
  { outcome, keys }: Edited,
  { inSync, peeked, outcomes }: BeforeEdits,
  about: SurveyOptions,
  options: RunOptions,
): Promise<Made | undefined> {
  const views = viewsInBase(keys, about.base.state, about.desired);
  const focused = await focusedSurvey(about, { keys, views });
  if (focused === undefined) return undefined;
  const { input, plan: ofEdits } = await planOf(focused, options);
  const plan = withRest(ofEdits, inSync, input);
  if (isAllInSync(plan)) outcomes.write(withLists(outcome, peeked));
  return { input, plan, after: outcomeOfEdits(outcome, peeked) };
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

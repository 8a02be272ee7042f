import type { LoadedBase } from '../base/base.ts';
import { KINDS } from '../model/key.ts';
import type { Capabilities, DesiredState } from '../model/record.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { PlanInput } from '../plan/plan-input.ts';
import type { Plan } from '../plan/plan.ts';
import { isSelected } from '../plan/selection.ts';
import { withoutSharedFields, withoutSharedValues } from '../plan/shared-fields.ts';
import type { RunOptions } from './options.ts';
import { plannedSet } from './redirects/planned-set.ts';
import type { Focus } from './survey/focused-survey.ts';
import { focusedSurvey, viewsInBase } from './survey/focused-survey.ts';
import type { KnownOutcome, Peeked } from './survey/known-outcome.ts';
import { isAllInSync, knownPlan, othersBeside, peekLists, sentLists } from './survey/known-outcome.ts';
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
    openBefore: options.openBefore,
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
  const told = await peekLists(remote, known);
  // Without their bytes of before, the rows have to tell.
  const isAllTagged = told.unsent.length === KINDS.length;
  const isPartlySent = known?.lists === undefined && told.read === undefined && !isAllTagged;
  const peeked = isPartlySent ? await sentLists(remote, told) : told;
  const { defaultLanguage } = desired;
  const knownBefore = knownPlan(known, peeked, {
    remote,
    base,
    defaultLanguage,
    requestsMax: before + KINDS.length + (isPartlySent ? told.unsent.length : 0),
  });
  if (knownBefore !== undefined && known !== undefined && edited === undefined) {
    // From now on these very lists are known.
    if (known.lists === undefined && !isAllTagged) outcomes.write(withLists(known, peeked));
    return { input: undefined, plan: knownBefore };
  }
  if (knownBefore !== undefined && edited !== undefined) {
    // All was in sync before these files were edited, and the service shows what it did then: they are all there is to do.
    const views = viewsInBase(edited.keys, base.state, desired);
    const input = await focusedSurvey(about, { keys: edited.keys, views });
    if (input !== undefined) {
      emit({ type: 'phase', phase: 'plan' });
      const plan = withRest(makePlan(input), knownBefore, input);
      if (isAllInSync(plan)) outcomes.write(withLists(edited.outcome, peeked));
      const { tags } = peeked;
      return {
        input,
        plan,
        after: { ...withoutLists(edited.outcome), ...(tags === undefined ? {} : { tags }) },
      };
    }
  }
  const sent = await sentLists(remote, peeked);
  const { read } = sent;
  const requestsMax = before + KINDS.length + told.unsent.length;
  const input = await survey({ ...about, lists: read() });
  emit({ type: 'phase', phase: 'plan' });
  const plan = makePlan(input);
  if (isAllInSync(plan) && base.open.length === 0 && remote.requests() === requestsMax) {
    const { unchanged, unmanaged } = plan;
    const others = othersBeside(read(), base.state, defaultLanguage);
    outcomes.write(withLists({ unchanged, unmanaged, others }, sent));
  }
  const after = afterChanges(plan, input, sent);
  return after === undefined ? { input, plan } : { input, plan, after };
}

/** Of more writes, the steps of the lists cost more than the next run gains. */
const FOLLOWED_MAX = 200;

/**
 * All is in sync once these changes are done, if the lists alone said of every other record that it is as the base knows it. Only
 * for a service that tells with its writes what the lists are after them: nothing else would show that nobody wrote meanwhile.
 */
function afterChanges(plan: Plan, input: PlanInput, { tags }: Peeked): KnownOutcome | undefined {
  const { changes, unchanged, unmanaged } = plan;
  if (tags === undefined || changes.length === 0 || changes.length > FOLLOWED_MAX) return undefined;
  const changed = new Set(changes.map(({ key }) => key));
  for (const [key, { state }] of input.remote) if (state !== 'base' && !changed.has(key)) return undefined;
  const kept = changes.filter(({ action }) => action !== 'delete');
  return { unchanged: unchanged + kept.length, unmanaged, tags };
}

/** What was not sent is known by its tag, and by the bytes that the outcome may have. */
function withLists(outcome: KnownOutcome, { lists, tags, unsent }: Peeked): KnownOutcome {
  const isUnread = unsent.length > 0 && outcome.lists === undefined;
  return {
    ...withoutLists(outcome),
    ...(isUnread ? {} : { lists }),
    ...(tags === undefined ? {} : { tags }),
  };
}

function withoutLists(outcome: KnownOutcome): KnownOutcome {
  const { lists: _, tags: __, ...rest } = outcome;
  return rest;
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

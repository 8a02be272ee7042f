import type { Intent, LoadedBase } from '../base/base.ts';
import type { ListView } from '../model/compare/fingerprint.ts';
import type { Family, Key } from '../model/key.ts';
import type { DesiredState } from '../model/record.ts';
import type { Plan } from '../plan/plan.ts';
import { apply } from './apply/apply.ts';
import { closeIntents } from './apply/close-intents.ts';
import { readBack } from './apply/read-back/read-back.ts';
import { tellDoubtfulCheckout, withRevision } from './checkout.ts';
import { focusedBase, wholeBase } from './next-base.ts';
import type { RunOptions } from './options.ts';
import { planned } from './plan-run.ts';
import { sendSet } from './redirects/send-set.ts';
import type { Result, SyncReport } from './report.ts';
import { summaryOf } from './report.ts';
import { LATE_MS } from './survey/pending.ts';
import type { Run } from './run.ts';
import { startRun } from './start-run.ts';
import type { KnownOutcome } from './outcome/known-outcome.ts';
import { rememberOutcome, withTags } from './outcome/after-writes.ts';

export interface Wishes {
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

/** Reads, plans, asks, writes, reads back and saves. */
export async function syncOnce(
  desired: DesiredState,
  loaded: LoadedBase,
  options: RunOptions,
  { confirm, keys, views }: Wishes,
): Promise<End> {
  const { remote, clock, signal, outcomes } = options;
  const startMs = clock.now();
  const requestsBefore = remote.requests();
  const focus = keys === undefined || views === undefined ? undefined : { keys, views };
  const { input, plan, after } = await planned(desired, loaded, options, focus);
  const reported = ({ open = [], ...ends }: Ends = {}): SyncReport => ({
    plan,
    results: [],
    lost: [],
    filesSent: 0,
    ...ends,
    summary: summaryOf(plan, ends.results ?? []),
    requests: remote.requests() - requestsBefore,
    durationMs: clock.now() - startMs,
    interrupted: signal?.aborted === true,
    ...lookAgain(open, startMs, options),
  });
  const isStopped = plan.refusals.length > 0 || (isWriting(plan) && (await confirm?.(plan)) === false);
  if (isStopped) return { report: reported(), base: loaded, isSaved: false };
  const begun = await withRevisionSaved(loaded, plan, options);
  if (input === undefined)
    return { report: reported(await redirectsEnd(plan, options)), base: begun, isSaved: false };
  const run = startRun(input, plan, options, startMs);
  const { results, open, ...ends } = await carriedOut(plan, { loaded, run, lists: after?.tags }, options);
  // Watching saves when it is quiet.
  const isSaved = focus === undefined || input.focus === undefined;
  const state = input.focus === undefined ? wholeBase(begun.state, plan, run) : focusedBase(begun.state, run);
  if (isSaved) await options.base.save(state);
  const report = reported({ results, open, lost: run.lost, ...ends });
  if (after !== undefined && isSaved) {
    const { defaultLanguage } = run.desired;
    const checksum = options.base.checksum?.();
    const outcome = withTags(after, remote.listTags());
    rememberOutcome(outcome, { report, state, open, defaultLanguage, checksum }, outcomes);
  }
  return { report, base: { state, open, isNew: false }, views: run.views, isSaved };
}

/** What became of a plan; `open`: intents whose end is not known. */
interface Ends extends Partial<
  Pick<SyncReport, 'results' | 'lost' | 'filesSent' | 'redirects' | 'needsSetting'>
> {
  readonly open?: readonly Intent[];
}

function isWriting({ changes, redirects }: Plan): boolean {
  return changes.length > 0 || (redirects?.repository !== undefined && redirects.unread === undefined);
}

/** Sends what the plan says, and finds out what the service made of it. `lists`: the tags that its lists had before. */
async function carriedOut(
  plan: Plan,
  {
    loaded,
    run,
    lists,
  }: { readonly loaded: LoadedBase; readonly run: Run; readonly lists: KnownOutcome['tags'] },
  options: RunOptions,
): Promise<
  Required<Pick<Ends, 'results' | 'open' | 'filesSent'>> & Pick<Ends, 'redirects' | 'needsSetting'>
> {
  const { remote, emit, signal } = options;
  tellDoubtfulCheckout(plan, options);
  remote.followLists(lists);
  const open = await closeIntents(loaded, run);
  if (plan.changes.length > 0) emit({ type: 'phase', phase: 'write' });
  const applied = await apply(plan, run);
  const results = signal?.aborted === true ? applied.results : await readBack(plan, applied, run);
  // After the records: no old address leads to a page that is not there yet.
  const redirects = await redirectsEnd(plan, options, { stop: run.stop, ends: results });
  if (run.policy.stamp && remote.capabilities()['hides-comments'] === 'no')
    emit({ type: 'note', text: STAMP_SHOWN });
  const files = await Promise.all(run.files.values());
  const filesSent = files.filter(({ outcome }) => outcome === 'sent').length;
  const setting = run.needsSetting === true ? { needsSetting: true as const } : {};
  return { results, open: [...open, ...run.open], filesSent, ...redirects, ...setting };
}

/** `ends`: of the records, which were sent before; `stop`: why nothing more is sent. */
async function redirectsEnd(
  { redirects: changes }: Plan,
  options: RunOptions,
  { stop, ends = [] }: { readonly stop?: string | undefined; readonly ends?: readonly Result[] } = {},
): Promise<Pick<SyncReport, 'redirects'>> {
  const redirects = changes === undefined ? undefined : await sendSet(changes, options, { stop, ends });
  return redirects === undefined ? {} : { redirects };
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

import type { SyncOptions } from './options.ts';
import type { Result, SyncReport } from './report.ts';
import { summaryOf } from './report.ts';

/** A service that answers no create clearly is not asked for ever. */
const ROUNDS_MAX = 3;

/**
 * Runs, and while creates are open whose end can be told at a known time, waits for that time and runs again. The report
 * is one: the last plan, and what became of each change in the last run that had it.
 */
export async function waitForCreates(
  run: () => Promise<SyncReport>,
  { clock, emit, signal }: Pick<SyncOptions, 'clock' | 'emit' | 'signal'>,
): Promise<SyncReport> {
  const startMs = clock.now();
  let report = await run();
  for (let round = 1; round < ROUNDS_MAX; round += 1) {
    const { lookAgainAtMs } = report;
    if (lookAgainAtMs === undefined || report.interrupted) return report;
    const delayMs = Math.max(0, lookAgainAtMs - clock.now());
    emit({
      type: 'note',
      text: `${report.summary.pending} pending; kbsync waits ${Math.ceil(delayMs / 1000)} s and looks again`,
    });
    await clock.sleep(delayMs, signal);
    if (signal?.aborted === true) return { ...report, interrupted: true };
    report = { ...joined(report, await run()), durationMs: clock.now() - startMs };
  }
  return report;
}

function joined(first: SyncReport, second: SyncReport): SyncReport {
  const { plan: now } = second;
  const again = new Set(second.results.map(({ key }) => key));
  const open = new Set([...now.blocked, ...now.conflicts].map(({ key }) => key));
  const earlier = first.results.flatMap((result): readonly Result[] => {
    const { key, action, outcome } = result;
    if (again.has(key) || (outcome !== 'done' && open.has(key))) return [];
    // It was on the service when the second run looked.
    if (outcome === 'pending' && action === 'create')
      return [{ ...result, outcome: 'done', message: 'created' }];
    return outcome === 'done' ? [result] : [];
  });
  const results = [...earlier, ...second.results];
  const changed = new Set(now.changes.map(({ key }) => key));
  const changes = [...first.plan.changes.filter(({ key }) => !changed.has(key)), ...now.changes];
  const sent = now.redirects === undefined ? first : second;
  const set = sent.plan.redirects === undefined ? {} : { redirects: sent.plan.redirects };
  const plan = { ...now, ...set, changes, unchanged: first.plan.unchanged };
  return {
    ...second,
    ...(sent.redirects === undefined ? {} : { redirects: sent.redirects }),
    plan,
    results,
    lost: [...first.lost, ...second.lost],
    summary: summaryOf(plan, results),
    requests: first.requests + second.requests,
  };
}

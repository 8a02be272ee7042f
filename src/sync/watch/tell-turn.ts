import type { Key } from '../../model/key.ts';
import type { Publishable } from '../publishable.ts';
import type { SyncReport } from '../report.ts';
import type { Batch } from './batches.ts';
import type { WatchEvent } from './event.ts';

type Say = (event: WatchEvent) => void;

/** More results than this are one line. */
const LINES_MAX = 5;

interface Told {
  readonly batch: Batch;
  readonly report: SyncReport;
  readonly keys: ReadonlySet<Key>;
  readonly faultyThen: ReadonlySet<string>;
  readonly files: Publishable;
}

/** What became of the files that were saved. */
export function tell(
  { batch, report, keys, faultyThen, files }: Told,
  { nowMs, say }: { readonly nowMs: number; readonly say: Say },
): void {
  const durationMs = nowMs - batch.sinceMs;
  const { plan, results } = report;
  // What a guard holds back is not unchanged.
  if (plan.refusals.length > 0 && results.length === 0) return;
  const fileOf = (key: Key): string => files.desired.records.get(key)?.at.file ?? '';
  const paths = new Set(batch.paths);
  const own = results.filter(({ key }) => paths.has(fileOf(key)));
  const shown = own.length === 1 && results.every(({ outcome }) => outcome === 'done') ? own : results;
  const busy = new Set<Key>(
    [...results, ...plan.conflicts, ...plan.drift, ...plan.blocked].map(({ key }) => key),
  );
  const changeOf = new Map(plan.changes.map((change) => [change.key, change]));
  const same = [...keys].filter((key) => !busy.has(key) && paths.has(fileOf(key)));
  if (shown.length + same.length > LINES_MAX) {
    const updated = results.filter(({ outcome }) => outcome === 'done').length;
    const failed = results.length - updated;
    say({ type: 'many', files: batch.paths.length, updated, unchanged: same.length, failed, durationMs });
    for (const result of results) {
      const change = changeOf.get(result.key);
      if (result.outcome === 'done' || change === undefined) continue;
      say({ type: 'sent', result, change, isRepaired: false, alsoSent: 0, durationMs });
    }
    return;
  }
  for (const result of shown) {
    const change = changeOf.get(result.key);
    if (change === undefined) continue;
    const alsoSent = shown === results ? 0 : results.length - 1;
    say({
      type: 'sent',
      result,
      change,
      isRepaired: faultyThen.has(fileOf(result.key)),
      alsoSent,
      durationMs,
    });
  }
  for (const key of same) say({ type: 'same', key });
}

export function tellRedirects({ plan, redirects }: SyncReport, say: Say): void {
  if (redirects === undefined || plan.redirects === undefined) return;
  const { added, changed, removed } = plan.redirects;
  const count = added.length + changed.length + removed.length;
  if (redirects.outcome !== 'done')
    say({ type: 'trouble', message: `the old addresses were not sent: ${redirects.message}` });
  else if (count > 0) say({ type: 'redirects', count });
}

/** Saved, and not even another record. */
export function tellSame(
  { paths }: Batch,
  { desired, faulty }: Publishable,
  part: ReadonlySet<Key> | undefined,
  say: Say,
): void {
  if (paths.length === 0 || paths.length > LINES_MAX) return;
  const saved = new Set(paths.filter((path) => !faulty.has(path)));
  for (const { key, at } of desired.records.values())
    if (saved.has(at.file) && part?.has(key) !== false) say({ type: 'same', key });
}

/** Saved, and left alone: a partial run is about others. */
export function sayOutside(
  { paths }: Batch,
  part: ReadonlySet<Key> | undefined,
  { desired }: Publishable,
  say: Say,
): void {
  if (part === undefined || paths.length === 0 || paths.length > LINES_MAX) return;
  const saved = new Set(paths);
  for (const { key, at } of desired.records.values())
    if (saved.has(at.file) && !part.has(key)) say({ type: 'outside', key });
}

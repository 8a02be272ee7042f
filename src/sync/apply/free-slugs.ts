import type { Key } from '../../model/key.ts';
import { familyOf, langOf, isOriginal } from '../../model/key.ts';
import { freeSlug, withoutMark } from '../../plan/slug-mark.ts';
import type { Plan } from '../../plan/plan.ts';
import { reconcile } from '../../plan/reconcile.ts';
import { ruleOf } from '../../plan/selection.ts';
import { RemoteError } from '../../remote/error.ts';
import { readMany, stopsEverything } from '../../remote/read-many.ts';
import { asListed, sideOf } from '../side.ts';
import type { Run } from '../run.ts';
import { conditionOf, readLang, waysOf } from '../run.ts';
import { noteDate } from './write/dates.ts';
import { fieldsAsShown, ownedNow } from './write/fields.ts';

/**
 * Moves a record's slug out of the way of another that takes it (plan/making/order.ts, slugsToFree), by an edit that changes
 * nothing else. Only a record that the plan may write or delete as it is now; where that fails, the record that wants
 * the slug fails in its turn and says so.
 */
export async function freeSlugOf(key: Key, plan: Plan, run: Run): Promise<void> {
  const change = plan.changes.find((each) => each.key === key);
  const id = run.ids.get(familyOf(key));
  if (change === undefined || id === undefined || run.stop !== undefined || run.signal?.aborted === true)
    return;
  const { kind } = change;
  const desired = run.desired.records.get(key);
  const base = run.records.get(key) ?? run.input.stamped.get(key);
  try {
    const read = (await readMany(run.remote, [{ name: 0, kind, id, lang: readLang(key, run) }], 1)).get(0);
    if (read?.state !== 'found') return;
    const file = desired === undefined ? undefined : ownedNow(desired, run);
    const side = sideOf(read, {
      repository: run.repository,
      base,
      file: desired,
      isOriginal: isOriginal(key, run.desired),
    });
    const remote = asListed(side, run.input.remote.get(key));
    const rule = ruleOf(key, run.input);
    const { verdict } = reconcile({ file, base, remote, rule }, run.input.choices, waysOf(run));
    const { fields } = read.record;
    const { slug } = fields;
    const isFree = typeof slug !== 'string' || slug !== withoutMark(slug);
    if (isFree || (verdict !== 'update' && verdict !== 'delete')) return;
    const moved = { ...fieldsAsShown(read.record, file, run), slug: freeSlug(slug, run.random) };
    noteDate(run, key, await run.remote.edit(kind, id, langOf(key), moved, conditionOf(read.record, run)));
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    if (stopsEverything(error)) run.stop = error.message;
  }
}

import type { Family, Key } from '../../src/model/key.ts';
import { keyIn } from '../../src/model/key.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { desiredOf, fileKey } from './files.ts';
import { uidOf } from './row-text.ts';
import { idInState } from './run-words.ts';
import { idsIn } from './service.ts';
import type { Life } from './life.ts';

/** Twice this and the settle time must be over for a create that was lost. */
const LATE_MS = 61_000;

/** I8, I9: in quiet weather two runs reach the end, and the third finds nothing to do. */
export async function converge(life: Life): Promise<void> {
  const { world, folder } = life;
  const { violations } = world.model;
  const desired = desiredOf(folder);
  const isPruning = life.climate.prune > 0;
  const found: unknown[] = [];
  // What the second run made has an id in the third.
  const made = (_: string, value: unknown): unknown =>
    typeof value === 'string' && value.startsWith('new:')
      ? (idInState(world.machine, keyIn(value.slice(4) as Family, 'en')) ?? value)
      : value;
  for (let turn = 1; turn <= 3; turn += 1) {
    world.clock.advance(LATE_MS);
    world.network.arriveLate();
    const ending = await world.run({ desired, policy: { prune: isPruning, stamp: life.stamp } });
    life.runs += 1;
    if (ending.how !== 'report') {
      violations.push(
        `I9: quiet run ${turn} ended with ${ending.how}${ending.how === 'error' ? ` ${ending.message}` : ''}`,
      );
      return;
    }
    const { plan, results, requests } = ending.report;
    const open = results.filter(({ outcome }) => outcome !== 'done');
    found.push([plan.conflicts, plan.blocked, plan.drift.map(({ key }) => key), open]);
    if (turn < 3) continue;
    const isRefused = plan.refusals.length > 0;
    if (!isRefused && results.some(({ outcome }) => outcome === 'done'))
      violations.push(`I8: the third quiet run still wrote: ${JSON.stringify(results)}`);
    if (!isRefused && results.some(({ outcome }) => outcome === 'pending'))
      violations.push('I9: still pending after two quiet runs');
    const lines = found.map((each) => JSON.stringify(each, made));
    if (lines[1] !== lines[2])
      violations.push(`I9: the open questions change from run to run: ${lines[1]} and ${lines[2]}`);
    const questions = plan.conflicts.length + plan.blocked.length + plan.drift.length + plan.kept.length;
    const hasOrphans = [...folder.values()].some(
      ({ kind, path }) => !folder.has(fileKey({ kind, path, lang: 'en' })),
    );
    const isInSync = !isRefused && !hasOrphans && questions + open.length === 0;
    if (isInSync && requests !== 3) violations.push(`I8: a run in sync made ${requests} requests`);
    if (
      !isRefused &&
      plan.kept.length + plan.blocked.length === 0 &&
      open.length > 0 &&
      life.second === undefined &&
      isSelfInflicted(open, plan, life)
    )
      violations.push(`I9: never done: ${open.map(({ key, message }) => `${key} ${message}`).join('; ')}`);
  }
}

/**
 * Failures that nobody but the files has caused. After a death a record without a stamp whose slug the author changed
 * before the next run may be left behind under its old slug, and then stand in the way: no witness says whose it is.
 */
function isSelfInflicted(
  open: readonly { readonly key: Key; readonly message: string }[],
  plan: Plan,
  life: Life,
): boolean {
  return (
    !life.world.model.hasEditor() &&
    !open.every(({ key }) => isInUseUnseen(key, life) || isNamedInTheWay(key, plan, life)) &&
    life.crashes === 0 &&
    open.every(({ message }) => /slug in use|reference|unclear|in use|has translations/.test(message))
  );
}

/**
 * Its slug is borne by a record whose file went before its create was known to have arrived: nobody's, so it stays, and
 * the plan names it, with the file that it was if its stamp tells that (8.8).
 */
function isNamedInTheWay(key: Key, { unmanaged }: Plan, { world, folder }: Life): boolean {
  const { service, machine } = world;
  const file = folder.get(key);
  const texts = new Set([...folder.values()].map(({ uid }) => uid));
  return unmanaged.some(({ kind, id, was }) => {
    const row = service.rows.get(id);
    const inTheWay = kind === file?.kind && row?.fields['slug'] === file.slug;
    const isNobodys = row !== undefined && !texts.has(uidOf(row));
    return inTheWay && (was === undefined ? isNobodys : idInState(machine, was as Key) === undefined);
  });
}

/** An article of ours whose file went before its create was known to have arrived is in it, and no list shows that. */
function isInUseUnseen(key: Key, { world, folder }: Life): boolean {
  const { service, machine } = world;
  const id = idInState(machine, key);
  const texts = new Set([...folder.values()].map(({ uid }) => uid));
  return [...service.rows.values()].some(
    (row) =>
      [...idsIn(row.fields['categories']), ...idsIn(row.fields['tags'])].includes(id ?? '') &&
      !texts.has(uidOf(row)),
  );
}

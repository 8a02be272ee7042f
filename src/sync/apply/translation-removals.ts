import { familyOf, isOriginal, keyIn } from '../../model/key.ts';
import type { Key } from '../../model/key.ts';
import type { KnownRecord } from '../../model/record.ts';
import type { Change, Plan } from '../../plan/plan.ts';
import { readMany } from '../../remote/read-many.ts';
import type { ReadOutcome } from '../../remote/read-many.ts';
import type { Result } from '../report.ts';
import type { Run } from '../run.ts';
import { resultOf } from '../run.ts';

export type RemovalGate = (change: Change, remove: () => Promise<Result>) => Promise<Result>;

const TAKES_ALL =
  'kept: the service deletes all languages of a record with one of them, so kbsync deletes no translation there; delete it on the site';

const UNREAD = 'kept: its original could not be read before the first delete of a translation';

const ODD_ANSWER_MS = 300;

/**
 * The first delete of a translation goes alone, and its original is read afterwards: a service may delete all languages of a record with
 * one of them. The other deletes of translations wait for what the first one shows.
 */
export function removalGate({ changes }: Plan, run: Run): RemovalGate {
  const going = new Set(changes.filter(({ action }) => action === 'delete').map(({ key }) => key));
  let turn: Promise<unknown> = Promise.resolve();

  const inTurn = (work: () => Promise<Result>): Promise<Result> => {
    const next = turn.then(work);
    turn = next.catch(() => undefined);
    return next;
  };

  return (change, remove) => {
    if (isOriginal(change.key, run.desired)) return remove();
    const known = (): 'yes' | 'no' | undefined => run.remote.capabilities()['delete-lang'];
    if (known() === 'yes') return remove();
    return inTurn(async () => {
      if (known() === 'no') return resultOf(change, 'skipped', TAKES_ALL);
      return known() === 'yes' ? remove() : checkedRemoval(change, remove, { run, going });
    });
  };
}

async function checkedRemoval(
  change: Change,
  remove: () => Promise<Result>,
  { run, going }: { readonly run: Run; readonly going: ReadonlySet<Key> },
): Promise<Result> {
  const before = await originalOf(change, run);
  // A translation without an original takes nothing along.
  if (before?.state === 'absent') return remove();
  if (before?.state !== 'found') return resultOf(change, 'skipped', UNREAD);
  const result = await remove();
  if (result.outcome !== 'done' || !run.deleted.has(change.key)) return result;
  let after = await originalOf(change, run);
  // One odd answer would say of the service for good that it does so.
  if (after?.state === 'absent') {
    await run.clock.sleep(ODD_ANSWER_MS, run.signal);
    after = await originalOf(change, run);
  }
  if (after?.state === 'found') run.remote.learn({ 'delete-lang': 'yes' });
  if (after?.state !== 'absent') return result;
  run.remote.learn({ 'delete-lang': 'no' });
  const original = keyIn(familyOf(change.key), run.desired.defaultLanguage);
  return going.has(original) ? result : lost(change, { original, record: before.record }, run);
}

async function originalOf({ key, kind }: Change, run: Run): Promise<ReadOutcome | undefined> {
  const id = run.ids.get(familyOf(key));
  if (id === undefined) return { state: 'absent' };
  return (await readMany(run.remote, [{ name: key, kind, id, lang: undefined }], 1)).get(key);
}

/** Our delete took the page along. What it said is kept, and where its file is, the next run makes it again. */
async function lost(
  change: Change,
  { original, record }: { readonly original: Key; readonly record: KnownRecord },
  run: Run,
): Promise<Result> {
  await run.saveTrash(original, record);
  const family = familyOf(original);
  const keys = [...run.records.keys()].filter((key) => familyOf(key) === family);
  const isMadeAgain = run.desired.records.has(original);
  if (isMadeAgain) {
    for (const key of keys) run.records.delete(key);
    run.ids.delete(family);
  }
  const next = isMadeAgain
    ? 'run kbsync sync, which makes the page again from its files; kbsync restore has what the page said besides'
    : `put the page back with kbsync restore last ${original}`;
  const message = `the service deleted ${original} and all its languages with this translation: ${next}. kbsync deletes no other translation there`;
  return { ...resultOf(change, 'failed', message), hasWritten: true };
}

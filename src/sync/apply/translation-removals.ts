import { familyOf, isOriginal, keyIn } from '../../model/key.ts';
import type { Family, Key } from '../../model/key.ts';
import type { KnownRecord } from '../../model/record.ts';
import type { Change, Plan } from '../../plan/plan.ts';
import { RemoteError } from '../../remote/error.ts';
import { readMany } from '../../remote/read-many.ts';
import type { ReadOutcome } from '../../remote/read-many.ts';
import type { Result } from '../report.ts';
import type { Run } from '../run.ts';
import { resultOf, stopWords } from '../run.ts';

export type RemovalGate = (change: Change, remove: () => Promise<Result>) => Promise<Result>;

const TAKES_ALL =
  'kept: the service deletes all languages of a record with one of them, so kbsync deletes no translation there; delete it on the site';

const UNREAD = 'kept: its original could not be read before the first delete of a translation';

const IN_DOUBT =
  'kept: kbsync has deleted another translation, and the list does not confirm that the original of that one is still there; run again';

const ODD_ANSWER_MS = 300;

/**
 * The first delete of a translation goes alone, and its original is read afterwards: a service may delete all languages of a record with
 * one of them. The other deletes of translations wait for what the first one shows.
 */
export function removalGate({ changes }: Plan, run: Run): RemovalGate {
  const going = new Set(changes.filter(({ action }) => action === 'delete').map(({ key }) => key));
  const seen: Seen = { taken: new Set(), isInDoubt: false };
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
      const stopped = stopWords(run);
      if (stopped !== undefined) return resultOf(change, 'skipped', stopped);
      if (seen.taken.has(familyOf(change.key)))
        return run.records.has(change.key) ? remove() : resultOf(change, 'done', 'deleted');
      if (known() === 'no') return resultOf(change, 'skipped', TAKES_ALL);
      if (seen.isInDoubt) return resultOf(change, 'skipped', IN_DOUBT);
      return known() === 'yes' ? remove() : checkedRemoval(change, remove, { run, going, seen });
    });
  };
}

/** What the first deletes have shown. */
interface Seen {
  /** Pages that the service deleted with one of their translations. */
  readonly taken: Set<Family>;
  /** Reads and lists say two things of an original. */
  isInDoubt: boolean;
}

async function checkedRemoval(
  change: Change,
  remove: () => Promise<Result>,
  { run, going, seen }: { readonly run: Run; readonly going: ReadonlySet<Key>; readonly seen: Seen },
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
  if (after?.state === 'found') {
    const isListed = await isStillListed(change, run);
    if (isListed === true) run.remote.learn({ 'delete-lang': 'yes' });
    seen.isInDoubt = isListed === false;
  }
  if (after?.state !== 'absent') return result;
  run.remote.learn({ 'delete-lang': 'no' });
  seen.taken.add(familyOf(change.key));
  const original = keyIn(familyOf(change.key), run.desired.defaultLanguage);
  return going.has(original) ? result : lost(change, { original, record: before.record }, run);
}

async function originalOf({ key, kind }: Change, run: Run): Promise<ReadOutcome | undefined> {
  const id = run.ids.get(familyOf(key));
  if (id === undefined) return { state: 'absent' };
  return (await readMany(run.remote, [{ name: key, kind, id, lang: undefined }], 1)).get(key);
}

/** A cache may show for a minute what is gone: the list is another witness. Undefined: it did not show the original before either. */
async function isStillListed({ key, kind }: Change, run: Run): Promise<boolean | undefined> {
  const family = familyOf(key);
  if (!run.input.views.has(family)) return undefined;
  try {
    const { items } = await run.remote.list(kind);
    return items.some(({ id }) => id === run.ids.get(family));
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    return false;
  }
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

import { familyOf } from '../model/key.ts';
import type { Kind } from '../model/key.ts';
import type { ListedRecord } from '../model/record.ts';
import type { Change } from '../plan/plan.ts';
import { reconcile } from '../plan/reconcile.ts';
import { RemoteError } from '../remote/error.ts';
import { readMany, stopsEverything } from '../remote/read-state.ts';
import type { ReadOutcome, ReadWant } from '../remote/read-state.ts';
import type { Result } from './report.ts';
import type { Run } from './run.ts';
import { conditionOf, isOriginal, newOperation, noteDeleted, readLang, resultOf } from './run.ts';
import { sideOf } from './remote-side.ts';

const TRIES_MAX = 3;

/**
 * Deletes a record: read first, only while it equals the base, its pre-image saved first. A lost answer is settled by
 * reading: a delete is done when the record is gone.
 */
export async function deleteRecord(change: Change, run: Run): Promise<Result> {
  const base = run.records.get(change.key);
  if (base === undefined) throw new Error(`bug: delete of ${change.key}, which the base does not know`);
  let lastError: RemoteError | undefined;
  for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
    if (attempt > 1) await run.clock.sleep(run.random() * 200 * 2 ** attempt, run.signal);
    const want = { name: 0, kind: change.kind, id: base.id, lang: readLang(change.key, run) };
    const read = (await readMany(run.remote, [want], 1)).get(0);
    if (read?.state === 'absent') return gone(change, run);
    const side = read === undefined ? undefined : sideOf(read);
    if (side?.state !== 'known')
      return resultOf(change, 'failed', 'it could not be read before the delete, so it stays');
    const { verdict } = reconcile({ file: undefined, base, remote: side }, run.input.choices);
    if (verdict !== 'delete') return resultOf(change, 'skipped', 'it was edited on the service, so it stays');
    const { record } = side;
    if (!isOriginal(change.key, run) && record.ownId === base.id) {
      return resultOf(
        change,
        'skipped',
        'the service shows no id of its own for this translation, so it cannot be deleted alone',
      );
    }
    const use = await useOf(change, run);
    if (use !== undefined) return resultOf(change, 'skipped', use);
    await run.saveTrash(change.key, record);
    const op = newOperation(run);
    const { key, name, slug } = change;
    await run.journal.intend({
      op,
      action: 'delete',
      key,
      id: record.ownId,
      name,
      slug,
      atMs: run.clock.now(),
    });
    try {
      const written = await run.remote.remove(change.kind, record.ownId, conditionOf(record, run));
      await run.journal.settle(op, undefined);
      noteDeleted(run, change.key, written);
      return gone(change, run, record.ownId);
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      if (stopsEverything(error)) run.stop = error.message;
      if (error.code === 'aborted') return resultOf(change, 'pending', error.message, record.ownId);
      if (error.code === 'rejected' || stopsEverything(error)) {
        // "No such record" may mean that the delete was done: by a proxy that repeated it, or by somebody else.
        const isGone = error.code === 'rejected' && (await readAgain(want, run)) === 'absent';
        await run.journal.settle(op, isGone ? undefined : base);
        if (!isGone) return resultOf(change, 'failed', error.message, record.ownId);
        noteDeleted(run, change.key, undefined);
        return gone(change, run, record.ownId);
      }
      lastError = error;
    }
  }
  return resultOf(change, 'pending', `${lastError?.message ?? 'no answer'} (${TRIES_MAX} tries)`, base.id);
}

async function readAgain(want: ReadWant<number>, run: Run): Promise<ReadOutcome['state'] | undefined> {
  return (await readMany(run.remote, [want], 1)).get(0)?.state;
}

/**
 * Why a category or tag must stay, if so: some services delete the articles of a category with it, or take them out of
 * it. The list is read once a kind and run, when everything else that was to go is gone.
 */
async function useOf({ kind, key }: Change, run: Run): Promise<string | undefined> {
  if (kind === 'article' || !isOriginal(key, run)) return undefined;
  const items = run.deleteLists.get(kind) ?? (await listOrWhy(kind, run));
  if (typeof items === 'string') return items;
  run.deleteLists.set(kind, items);
  const id = run.ids.get(familyOf(key));
  const item = items.find((each) => each.id === id);
  if (item?.view.inUse === true)
    return 'it stays, because an article that is not in these files is in it; take it out there, or add it to the files';
  const isGone = (other: string) =>
    [...run.input.ids].some(([family, known]) => known === other && !run.ids.has(family));
  const child = items.find(
    ({ id: other, view }) => view.parentName === item?.name && other !== id && !isGone(other),
  );
  return child === undefined || kind !== 'category' || item === undefined
    ? undefined
    : `it stays, because the category ${JSON.stringify(child.name)} (${child.id}) is below a category of its name`;
}

async function listOrWhy(kind: Kind, run: Run): Promise<readonly ListedRecord[] | string> {
  try {
    return (await run.remote.list(kind)).items;
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    if (stopsEverything(error)) run.stop = error.message;
    return `it stays, because what is in it could not be read: ${error.message}`;
  }
}

function gone(change: Change, run: Run, id?: string): Result {
  run.records.delete(change.key);
  if (isOriginal(change.key, run)) run.ids.delete(familyOf(change.key));
  return resultOf(change, 'done', 'deleted', id);
}

import { familyOf } from '../model/key.ts';
import type { Change } from '../plan/plan.ts';
import { reconcile } from '../plan/reconcile.ts';
import { RemoteError } from '../remote/error.ts';
import { readMany, stopsEverything } from '../remote/read-state.ts';
import type { Result } from './report.ts';
import type { Run } from './run.ts';
import { isOriginal, newOperation, noteDeleted, readLang, resultOf } from './run.ts';
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
      const { lastEdited } = await run.remote.remove(
        change.kind,
        record.ownId,
        record.etag === undefined ? {} : { ifMatch: record.etag },
      );
      await run.journal.settle(op, undefined);
      noteDeleted(run, change.key, lastEdited);
      return gone(change, run, record.ownId);
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      if (stopsEverything(error)) run.stop = error.message;
      if (error.code === 'aborted') return resultOf(change, 'pending', error.message, record.ownId);
      if (error.code === 'rejected' || stopsEverything(error)) {
        await run.journal.settle(op, base);
        return resultOf(change, 'failed', error.message, record.ownId);
      }
      lastError = error;
    }
  }
  return resultOf(change, 'pending', `${lastError?.message ?? 'no answer'} (${TRIES_MAX} tries)`, base.id);
}

function gone(change: Change, run: Run, id?: string): Result {
  run.records.delete(change.key);
  if (isOriginal(change.key, run)) run.ids.delete(familyOf(change.key));
  return resultOf(change, 'done', 'deleted', id);
}

import type { Intent, LoadedBase } from '../../base/base.ts';
import type { Key } from '../../model/key.ts';
import { intentsNow, LATE_MS } from '../survey/pending.ts';
import type { Run } from '../run.ts';

/**
 * Ends the intents of earlier runs that this run's survey has answered: a create whose record was found, or that was
 * proved not to be there; an edit whose record was read; a delete whose record is gone or still there. Returns those that
 * stay open.
 */
export async function closeIntents(loaded: LoadedBase, run: Run): Promise<readonly Intent[]> {
  const open: Intent[] = [];
  const now = intentsNow(loaded, run.desired);
  for (const [at, intent] of loaded.open.entries()) {
    const key = now[at]?.key ?? intent.key;
    if (run.input.pending.has(key)) {
      open.push(intent);
      continue;
    }
    if (intent.action === 'create') {
      // What has its name is not known to be it, and it may still arrive. A record that is in conflict with its file is known by it.
      if (!run.records.has(key) && (isYoung(intent, run) || run.input.remote.get(key)?.state === 'known')) {
        open.push(intent);
        continue;
      }
      if (!run.records.has(key) && run.policy.allow.has('incomplete-list')) run.vouchedFor.add(key);
      await endUnder(key, intent, run);
      continue;
    }
    if (intent.action === 'update') {
      if (await isEditClosed(intent, run)) continue;
      open.push(intent);
      continue;
    }
    const record = run.records.get(intent.key);
    const isGone = run.input.remote.get(intent.key)?.state === 'absent';
    await run.journal.end(intent.op, isGone ? undefined : record);
  }
  return open;
}

function isYoung({ atMs }: Intent, { startMs, policy: { lateMs = LATE_MS } }: Run): boolean {
  return startMs - atMs < lateMs;
}

/** An edit is answered by a read of its record, or by the list where a service shows no translations, under the key that it has now. */
async function isEditClosed({ op, key }: Intent, run: Run): Promise<boolean> {
  const move = run.input.moves.find((learnt) => learnt.how === 'moved' && learnt.from === key);
  const now = move?.how === 'moved' ? move.record.key : key;
  if (run.input.remote.get(now)?.state === 'unknown') return false;
  await endUnder(now, { op, key }, run);
  return true;
}

/** An intent ends under its own key; what its record has become under another one is noted beside it. */
async function endUnder(now: Key, { op, key }: Pick<Intent, 'op' | 'key'>, run: Run): Promise<void> {
  const record = run.records.get(now);
  if (now !== key && record !== undefined) await run.journal.note(record);
  await run.journal.end(op, now === key ? record : undefined);
}

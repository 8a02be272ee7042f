import type { Intent, LoadedBase } from '../base/base.ts';
import type { Run } from './run.ts';

/**
 * Ends the intents of earlier runs that this run's survey has answered: a create whose record was found, or that was
 * proved not to be there; a delete whose record is gone or still there. Returns those that stay open.
 */
export async function settleLookedUp(loaded: LoadedBase, run: Run): Promise<readonly Intent[]> {
  const open: Intent[] = [];
  for (const intent of loaded.open) {
    if (run.input.pending.has(intent.key)) {
      open.push(intent);
      continue;
    }
    if (intent.action === 'create') {
      await run.journal.settle(intent.op, run.records.get(intent.key));
      continue;
    }
    const record = run.records.get(intent.key);
    const isGone = run.input.remote.get(intent.key)?.state === 'absent';
    await run.journal.settle(intent.op, isGone ? undefined : record);
  }
  return open;
}

import type { Key } from '../model/key.ts';
import { familyOf, keyIn } from '../model/key.ts';
import type { Plan } from '../plan/plan.ts';
import type { Run } from './run.ts';

/**
 * Lists show no slug and no text of a category or tag: when a run dies between such an edit and its journal entry, and
 * the file goes back to what it said, nothing would ever tell the two apart again. What the lists showed is therefore
 * given up, durably, before the first write; the run that ends gives it back. So is that of a record which somebody else
 * has edited: this run has read it, and after its death no other would have a reason to.
 */
export async function distrustEdited(
  { changes, conflicts, drift }: Plan,
  freed: ReadonlySet<Key>,
  run: Run,
): Promise<void> {
  if (changes.length === 0) return;
  const edited = changes.filter(({ action, key }) => action === 'update' || freed.has(key));
  const originals = new Set(
    [...edited, ...conflicts, ...drift]
      .filter(({ kind }) => kind !== 'article')
      .map(({ key }) => keyIn(familyOf(key), run.desired.defaultLanguage)),
  );
  await Promise.all([...originals].map((key) => distrust(key, run)));
}

async function distrust(key: Key, run: Run): Promise<void> {
  const record = run.records.get(key);
  if (record === undefined || run.input.base.records.get(key)?.seen === undefined) return;
  const { seen: _, ...unseen } = record;
  run.records.set(key, unseen);
  await run.journal.note(unseen, 'durable');
}

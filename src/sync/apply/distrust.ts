import type { Key } from '../../model/key.ts';
import { familyOf, keyIn } from '../../model/key.ts';
import { seenAs } from '../../model/record.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Run } from '../run.ts';

/**
 * Lists do not show a category's slug or text. If a run dies between editing one and journalling the edit, and the file is
 * then reverted, no later list would reveal the difference. So before the first write the run durably drops the stored list
 * fingerprint of every category and tag that it is about to edit; a run that completes stores it again. The same holds for
 * a record with edits of somebody else: this run has read them, and after its death no other run would have a reason to.
 */
export async function dropFingerprints(
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
  const unseen = seenAs(record, undefined);
  run.records.set(key, unseen);
  await run.journal.note(unseen, 'durable');
}

import type { Key } from '../../model/key.ts';
import { kindOf, langOf } from '../../model/key.ts';
import type { KnownRecord } from '../../model/record.ts';
import { RemoteError } from '../../remote/error.ts';
import { readMany, stopsEverything } from '../../remote/read-many.ts';
import type { ReadOutcome } from '../../remote/read-many.ts';
import type { Result } from '../report.ts';
import type { Run } from '../run.ts';
import { conditionOf, readLang } from '../run.ts';
import { isAtOnce } from './learn-habits.ts';

export interface Publishing {
  /** What the records show then. */
  readonly reads: ReadonlyMap<Key, ReadOutcome>;
  /** Records that were sent once more: a list that was read before says nothing of them. */
  readonly sent: ReadonlySet<Key>;
}

/**
 * Whether a record that was sent as a published one is a draft right after it was made. Nobody else has written it: some
 * services make a draft of whatever is created.
 */
export function isMadeDraft(key: Key, shown: KnownRecord, result: Result | undefined, run: Run): boolean {
  return (
    result?.action === 'create' &&
    result.outcome === 'done' &&
    run.written.get(key)?.['status'] === 'published' &&
    shown.fields['status'] === 'draft' &&
    isAtOnce(key, shown, run)
  );
}

/** Sends what the service made a draft of once more, as an edit: that publishes it. What stays a draft is told. */
export async function publishDrafts(
  reads: ReadonlyMap<Key, ReadOutcome>,
  results: ReadonlyMap<Key, Result>,
  run: Run,
): Promise<Publishing> {
  const now = new Map(reads);
  const sent = new Set<Key>();
  for (const [key, read] of reads) {
    if (read.state !== 'found' || !isMadeDraft(key, read.record, results.get(key), run)) continue;
    if (run.signal?.aborted === true || run.stop !== undefined) break;
    const { id } = read.record;
    const [kind, lang] = [kindOf(key), langOf(key)];
    try {
      await run.remote.edit(kind, id, lang, run.written.get(key) ?? {}, conditionOf(read.record, run));
      run.writtenAtMs.set(key, run.clock.now());
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      if (stopsEverything(error)) run.stop = error.message;
    }
    sent.add(key);
    const want = { name: key, kind, id, lang: readLang(key, run) };
    const after = (await readMany(run.remote, [want], 1)).get(key);
    if (after !== undefined) now.set(key, after);
    const isStill = after?.state !== 'found' || after.record.fields['status'] === 'draft';
    if (isStill) run.lost.push({ kind, key, lang, field: 'status', what: 'draft' });
  }
  return { reads: now, sent };
}

import { same } from '../../model/digest.ts';
import { bodyFieldOf, nameFieldOf } from '../../model/fields.ts';
import type { Key } from '../../model/key.ts';
import { familyOf, isOriginal, keyIn, kindOf, langOf } from '../../model/key.ts';
import type { KnownRecord } from '../../model/record.ts';
import { splitStamp } from '../../model/stamp.ts';
import { RemoteError } from '../../remote/error.ts';
import { readMany, stopsEverything } from '../../remote/read-many.ts';
import type { ReadOutcome } from '../../remote/read-many.ts';
import type { Result } from '../report.ts';
import type { Run } from '../run.ts';
import { conditionOf } from '../run.ts';

/**
 * Some services make a translation as a copy of its original, whatever the edit that asks for it says; the next edit fills
 * it. So what was made in this run and shows its original word for word is sent once more. Returns what the records show then.
 */
export async function withoutCopies(
  reads: ReadonlyMap<Key, ReadOutcome>,
  results: ReadonlyMap<Key, Result>,
  run: Run,
): Promise<ReadonlyMap<Key, ReadOutcome>> {
  const now = new Map(reads);
  for (const [key, read] of reads) {
    const result = results.get(key);
    const original = reads.get(keyIn(familyOf(key), run.desired.defaultLanguage));
    const isMade = result?.action === 'create' && result.outcome === 'done' && !isOriginal(key, run.desired);
    if (!isMade || read.state !== 'found' || original?.state !== 'found') continue;
    if (!isCopy(read.record, original.record, run.written.get(key) ?? {})) continue;
    if (run.signal?.aborted !== true && (await isFilled(key, read.record, run))) {
      const want = { name: key, kind: kindOf(key), id: read.record.id, lang: langOf(key) };
      for (const [, filled] of await readMany(run.remote, [want], 1)) now.set(key, filled);
    }
  }
  return now;
}

function isCopy({ kind, fields }: KnownRecord, original: KnownRecord, sent: KnownRecord['fields']): boolean {
  const names = [nameFieldOf(kind), bodyFieldOf(kind)];
  const shows = (name: string): boolean => same(fields[name] ?? null, original.fields[name] ?? null);
  const differs = (name: string): boolean => {
    const value = sent[name];
    if (value === undefined) return false;
    const ours = typeof value === 'string' ? splitStamp(value).body : value;
    return !same(ours, original.fields[name] ?? null);
  };
  return names.every(shows) && names.some(differs);
}

async function isFilled(key: Key, shown: KnownRecord, run: Run): Promise<boolean> {
  const fields = run.written.get(key);
  if (fields === undefined) return false;
  try {
    await run.remote.edit(kindOf(key), shown.id, langOf(key), fields, conditionOf(shown, run));
    run.writtenAtMs.set(key, run.clock.now());
    return true;
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    if (stopsEverything(error)) run.stop = error.message;
    return false;
  }
}

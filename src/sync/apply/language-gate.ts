import { same } from '../../model/digest.ts';
import { bodyFieldOf } from '../../model/fields.ts';
import type { KnownFields } from '../../model/fields.ts';
import { familyOf, langOf } from '../../model/key.ts';
import type { KnownRecord } from '../../model/record.ts';
import { splitStamp } from '../../model/stamp.ts';
import type { Change } from '../../plan/plan.ts';
import { RemoteError } from '../../remote/error.ts';
import { readMany, stopsEverything } from '../../remote/read-many.ts';
import type { Result } from '../report.ts';
import type { Run } from '../run.ts';
import { conditionOf, desiredOf, resultOf } from '../run.ts';
import { fieldsAsShown, fieldsToCreate, ownedNow } from './fields.ts';

/**
 * Carries out a write of another language and looks whether it left the original as it was. An original that shows
 * now what was sent for the translation was overwritten: it is put back. One that was changed in any other way was
 * edited by somebody meanwhile, which proves nothing, and stays as it is.
 */
export async function checkedAgainstOriginal(
  change: Change,
  run: Run,
  write: () => Promise<Result>,
): Promise<Result> {
  const id = run.ids.get(familyOf(change.key));
  if (id === undefined) return resultOf(change, 'skipped', 'its original was not created');
  const want = { name: 0, kind: change.kind, id, lang: undefined };
  const before = (await readMany(run.remote, [want], 1)).get(0);
  if (before?.state !== 'found')
    return resultOf(
      change,
      'failed',
      'its original could not be read before the first write in this language',
      id,
    );
  const result = await write();
  const after = (await readMany(run.remote, [want], 1)).get(0);
  if (after?.state !== 'found')
    return resultOf(change, 'pending', 'its original could not be read after the write', id);
  const changed = Object.keys(before.record.fields).filter((name) =>
    isOther(before.record, after.record, name),
  );
  if (changed.length === 0) {
    const languages = [...(run.remote.capabilities().languages ?? []), langOf(change.key)];
    if (result.outcome === 'done') run.remote.learn({ languages });
    return result;
  }
  const desired = desiredOf(change, run);
  const sent = run.written.get(change.key) ?? fieldsToCreate(desired, ownedNow(desired, run), run);
  if (!changed.every((name) => isSent(after.record, name, sent))) return result;
  return putBack(change, changed, { before: before.record, after: after.record }, run);
}

function isOther(before: KnownRecord, after: KnownRecord, name: string): boolean {
  const [left, right] = [before.fields[name], after.fields[name]];
  return left !== undefined && right !== undefined && !same(left, right);
}

/** Whether the original shows what was sent for the translation. */
function isSent({ kind, fields }: KnownRecord, name: string, sent: KnownFields): boolean {
  const value = sent[name];
  const shown = fields[name];
  if (value === undefined || shown === undefined) return false;
  if (name !== bodyFieldOf(kind) || typeof value !== 'string') return same(value, shown);
  // A service may rewrite HTML on its way in.
  return typeof shown === 'string' && textOf(splitStamp(value).body) === textOf(shown);
}

function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

async function putBack(
  change: Change,
  changed: readonly string[],
  { before, after }: { readonly before: KnownRecord; readonly after: KnownRecord },
  run: Run,
): Promise<Result> {
  const { kind, key } = change;
  const { id } = before;
  run.remote.learn({ 'edit-lang': 'no' });
  run.records.delete(key);
  run.written.delete(key);
  const words = `the service ignored \`lang\` and changed the original (${changed.join(', ')})`;
  try {
    const { defaultLanguage } = run.desired;
    await run.remote.edit(kind, id, defaultLanguage, fieldsAsShown(before), conditionOf(after, run));
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    if (stopsEverything(error)) run.stop = error.message;
    return resultOf(change, 'failed', `${words}; restoring it failed: ${error.message}`, id);
  }
  return resultOf(
    change,
    'failed',
    `${words}; the original was restored, and no translation is sent to this service`,
    id,
  );
}

import { bodyFieldOf, fieldsOf, isNothing, nameFieldOf } from '../../../model/fields.ts';
import type { KnownFields } from '../../../model/fields.ts';
import { familyOf, keyIn, isOriginal } from '../../../model/key.ts';
import type { DesiredRecord, KnownRecord } from '../../../model/record.ts';
import type { Change } from '../../../plan/plan.ts';
import type { Decision } from '../../../plan/reconcile.ts';
import type { RemoteSide } from '../../../plan/sides.ts';
import { remoteIsBase } from '../../../plan/field-standing.ts';
import type { Result } from '../../report.ts';
import type { Run } from '../../run.ts';
import { resultOf } from '../../run.ts';
import { isSharedField } from '../../../plan/shared-fields.ts';
import { readOriginal } from './check-original.ts';
import { echoOf, fieldsToCreate, fieldsToEdit } from './fields.ts';

/** The record that an edit is about. */
export interface Target {
  readonly change: Change;
  readonly desired: DesiredRecord;
  readonly owned: KnownFields;
  readonly id: string;
}

/** All fields that the edit carries, or the result, if they cannot be known. */
export async function fieldsToSend(
  decision: Decision,
  side: RemoteSide,
  { change, desired, owned, id }: Target,
  run: Run,
): Promise<Result | { readonly sent: KnownFields }> {
  const shared = side.state === 'known' ? {} : await sharedValues(change, run);
  const begun = side.state === 'absent' ? await beginningOf(change, side.copy, run) : {};
  if (shared === undefined || begun === undefined)
    return resultOf(change, 'pending', 'its original could not be read before the write', id);
  if (decision.verdict === 'update' && side.state === 'known')
    return { sent: fieldsToEdit(desired, owned, side.record, decision.fields, run) };
  // An original that is absent cannot be edited into being; a translation can.
  if (!desired.isOriginal && (decision.verdict === 'update' || decision.verdict === 'create'))
    return { sent: { ...begun, ...fieldsToCreate(desired, owned, run), ...shared } };
  return resultOf(change, 'skipped', `cannot be written now: ${decision.verdict}`);
}

/** The original's values of what the service keeps once for all languages; undefined: it could not be read. */
async function sharedValues(change: Change, run: Run): Promise<KnownFields | undefined> {
  const { kind, key } = change;
  const names = [...fieldsOf(kind).keys()].filter((name) =>
    isSharedField(kind, name, run.remote.capabilities()),
  );
  if (isOriginal(key, run.desired) || names.length === 0) return {};
  const original = await readOriginal(change, run);
  if (original === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(original.fields).filter(([name, value]) => names.includes(name) && value !== null),
  );
}

/**
 * A new translation is a copy of its original, says the API. A service that keeps a field once for all languages, and empties
 * what a write leaves out, would empty the original's: so what the original has and no file says is sent along. Undefined: the
 * original could not be read. Of a copy that is there, its own: an editor may have set what no file says.
 */
async function beginningOf(
  change: Change,
  copy: KnownRecord | undefined,
  run: Run,
): Promise<KnownFields | undefined> {
  const { kind, key } = change;
  const isSpared = copy === undefined && run.remote.capabilities()['edit-lang'] === 'yes';
  if (isOriginal(key, run.desired) || isSpared) return {};
  const original = keyIn(familyOf(key), run.desired.defaultLanguage);
  const side = run.input.remote.get(original);
  const isMadeNow = side === undefined || side.state === 'absent';
  const shown =
    copy ?? (side?.state === 'known' ? side.record : isMadeNow ? undefined : await readOriginal(change, run));
  if (shown === undefined && !isMadeNow) return undefined;
  const before = run.input.base.records.get(original);
  const isEdited = (name: string): boolean =>
    copy !== undefined && before !== undefined && !remoteIsBase(name, before, copy.fields[name]);
  const written = Object.entries(run.written.get(original) ?? {}).filter(([name]) => !isEdited(name));
  const fields: KnownFields = { ...shown?.fields, ...Object.fromEntries(written) };
  const own = new Set([nameFieldOf(kind), bodyFieldOf(kind), 'slug']);
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined || own.has(name) || isNothing(value)
        ? []
        : [[name, echoOf(kind, name, value, run)]],
    ),
  );
}

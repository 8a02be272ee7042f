import { emptyBody } from '../model/input-digest.ts';
import type { DesiredFields, FieldValue } from '../model/fields.ts';
import { OF_ORDER, bodyFieldOf, fieldsOf } from '../model/fields.ts';
import { kindOf } from '../model/key.ts';
import type { BaseRecord, DesiredRecord } from '../model/record.ts';
import { sameAsBase } from './compare.ts';
import { remoteIsBase } from './field-standing.ts';
import type { PlanInput } from './plan-input.ts';
import { baseOf } from './plan-input.ts';

/**
 * The files of a site generator say all that a page is: without `draft` it is public, and at the top of the tree it is in no
 * category. So what a sync has written and such a file does not say any more is taken back: the field gets the value that a new
 * page would get. If somebody has changed it on the site since, it is theirs.
 *
 * A category that is a folder alone has no text, in which its stamp could stand. So it is made with an empty one, and that is what
 * its file says as long as nobody has written another.
 */
export function withRemovedFields(input: PlanInput): PlanInput {
  const { desired } = input;
  if (desired.isWhole !== true) return input;
  const changed = new Map<DesiredRecord['key'], DesiredRecord>();
  const keys = input.focus === undefined ? desired.records.keys() : input.focus.keys;
  for (const key of keys) {
    const base = baseOf(key, input);
    const record = base === undefined && kindOf(key) !== 'category' ? undefined : desired.records.get(key);
    const now = record === undefined ? undefined : restated(record, base, input);
    if (now !== undefined) changed.set(key, now);
  }
  if (changed.size === 0) return input;
  const records = new Map([...desired.records].map(([key, record]) => [key, changed.get(key) ?? record]));
  return { ...input, desired: { ...desired, records } };
}

function restated(
  record: DesiredRecord,
  base: BaseRecord | undefined,
  input: PlanInput,
): DesiredRecord | undefined {
  const { kind, fields, body, key } = record;
  const remote = input.remote.get(key) ?? { state: 'absent' };
  const text = bodyFieldOf(kind);
  if (base === undefined)
    return body === undefined && remote.state === 'absent' ? { ...record, body: emptyBody(kind) } : undefined;
  const isAsBefore = (name: string): boolean =>
    remote.state === 'base' ||
    (remote.state === 'known' && remoteIsBase(name, base, remote.record.fields[name], input.ways));
  const back: Record<string, FieldValue> = {};
  for (const [name, value] of Object.entries(base.sent)) {
    if (fields[name] !== undefined || name === text) continue;
    const own = ownOf(record, name);
    if (own === undefined || sameAsBase(own, value) || !isAsBefore(name)) continue;
    back[name] = own;
  }
  const isEmptied = body === undefined && base.sent[text] !== undefined && isAsBefore(text);
  if (!isEmptied && Object.keys(back).length === 0) return undefined;
  // References among them are empty: no family is in them.
  const stated = { ...record, fields: { ...fields, ...back } as DesiredFields };
  return isEmptied ? { ...stated, body: emptyBody(kind) } : stated;
}

/** What a new record has where its file says nothing; undefined: nothing of its own, or no edit can say so. */
function ownOf({ kind, initial, isOriginal }: DesiredRecord, name: string): FieldValue | undefined {
  // A new translation stands where its original stands.
  if (!isOriginal && OF_ORDER.has(name)) return undefined;
  const spec = fieldsOf(kind).get(name);
  if (spec === undefined) return undefined;
  if (initial[name] !== undefined) return initial[name];
  switch (spec.type) {
    case 'refs':
      return [];
    case 'flag':
      return false;
    case 'text':
      return spec.empty ?? '';
    default:
      return spec.empty ?? null;
  }
}

import { unreadDigest } from '../../../model/compare/difference.ts';
import type { FieldValue, KnownFields } from '../../../model/fields.ts';
import { OF_ORDER, bodyFieldOf, fieldsOf } from '../../../model/fields.ts';
import type { BaseRecord, DesiredRecord, KnownRecord } from '../../../model/record.ts';
import { keyIn, kindOf } from '../../../model/key.ts';
import type { Key, Kind } from '../../../model/key.ts';
import { cutAdditions } from '../../../model/html/additions.ts';
import { unescaped } from '../../../model/html/canonical-text.ts';
import { withStamp } from '../../../model/stamp.ts';
import { formedType, habitName, habitOf, isMadeOf } from '../../../plan/likeness.ts';
import { baseValuesOf, idToCome, sameAsBase, withIds } from '../../../plan/compare.ts';
import type { Change } from '../../../plan/plan.ts';
import { unreadForms } from '../../../plan/observed.ts';
import { fileIsBase, isShownAsPath, remoteIsBase } from '../../../plan/field-standing.ts';
import type { Run } from '../../run.ts';
import { waysOf } from '../../run.ts';

/** What the file owns, body included, references as the ids of now. `last`: nobody will ask for that body again. */
export function ownedNow(desired: DesiredRecord, run: Run, asked?: 'last'): KnownFields {
  const { body, fields, kind } = desired;
  const owned: Record<string, FieldValue> = {};
  Object.assign(
    owned,
    withIds(kind, fields, (family) => run.ids.get(family) ?? idToCome(family)),
  );
  if (body !== undefined) owned[body.field] = body.render(asked);
  return owned;
}

/** The complete body of a create: what the file owns, then defaults, then the emptiest value the API takes. */
export function fieldsToCreate(desired: DesiredRecord, owned: KnownFields, run: Run): KnownFields {
  const initial = {
    ...withIds(desired.kind, desired.initial, (family) => run.ids.get(family) ?? idToCome(family)),
    ...placeOfOriginal(desired, run),
  };
  const fields: Record<string, FieldValue> = {};
  for (const [name, spec] of fieldsOf(desired.kind)) {
    const value = owned[name] === undefined ? (initial[name] ?? spec.empty) : owned[name];
    // A translation starts as a copy of its original: only there is something to clear.
    if (value !== undefined && (value !== null || (!desired.isOriginal && owned[name] === null)))
      fields[name] = value;
  }
  return stamped(desired, owned, fields, run);
}

/** A translation that says no place stands where its original stands, as far as this run knows that. */
function placeOfOriginal({ kind, family, isOriginal }: DesiredRecord, run: Run): KnownFields {
  if (isOriginal) return {};
  const original = keyIn(family, run.desired.defaultLanguage);
  const side = run.input.remote.get(original);
  const shown = side?.state === 'known' ? side.record.fields : run.records.get(original)?.sent;
  for (const name of [...OF_ORDER].filter((each) => fieldsOf(kind).has(each))) {
    const value =
      run.desired.records.get(original)?.fields[name] ?? run.written.get(original)?.[name] ?? shown?.[name];
    if (typeof value === 'number') return { [name]: value };
  }
  return {};
}

/**
 * The complete body of an edit: what the service shows, overlaid with the changed fields. Of a field that the file owns and
 * nobody changed, the file's own value, because what a service shows may be what it made of that. Empty fields that are not
 * ours are left out: there is nothing to keep, and not every service takes null.
 */
export function fieldsToEdit(
  desired: DesiredRecord,
  owned: KnownFields,
  shown: KnownRecord,
  changed: readonly string[],
  run: Run,
): KnownFields {
  const { kind } = desired;
  const fields: Record<string, FieldValue> = {};
  for (const name of fieldsOf(kind).keys()) {
    const [ours, theirs] = [owned[name], shown.fields[name] ?? undefined];
    const isOurs =
      changed.includes(name) ||
      (ours !== undefined &&
        theirs !== undefined &&
        (isMadeOf({ kind, name }, ours, theirs, waysOf(run)) ||
          isUntouched({ key: desired.key, name }, { ours, theirs }, run)));
    const value = isOurs
      ? ours
      : theirs === undefined
        ? leftOut(kind, name, run)
        : echoOf(kind, name, theirs, run);
    if (value !== undefined) fields[name] = value;
  }
  return stamped(desired, owned, fields, run);
}

/** A field that this service leaves out where it is empty has that value; where the API asks for none, it stays left out. */
function leftOut(kind: Kind, name: string, run: Run): FieldValue | undefined {
  const isLeftOut = run.remote.capabilities().leavesOut?.includes(habitName({ kind, name })) === true;
  return isLeftOut ? fieldsOf(kind).get(name)?.empty : undefined;
}

/**
 * Whether a text is on both sides as the base says, so what the service shows is what it made of the file's. An edit of the
 * site that somebody let stand is not.
 */
function isUntouched(
  { key, name }: { readonly key: Key; readonly name: string },
  { ours, theirs }: { readonly ours: FieldValue; readonly theirs: FieldValue },
  run: Run,
): boolean {
  const base = run.records.get(key) ?? run.input.stamped.get(key);
  if (base === undefined || base.accepted?.includes(name) === true) return false;
  if (name === 'slug') return fileIsBase(name, ours, base) && isShownAsPath(theirs, base);
  if (formedType({ kind: kindOf(key), name }) === undefined) return false;
  return fileIsBase(name, ours, base) && remoteIsBase(name, base, theirs, waysOf(run));
}

/**
 * A record's fields as an edit sends them back unchanged, its stamp included. `owned` is what its file says: where the
 * service shows that, in its own form, it is what was sent and what must be sent again.
 */
export function fieldsAsShown(
  { kind, fields, stamp }: KnownRecord,
  owned: KnownFields | undefined,
  run: Run,
): KnownFields {
  const body = bodyFieldOf(kind);
  const shown = Object.entries(fields).flatMap(([name, value]) => {
    if (value === null) return [];
    const ours = name === body ? undefined : owned?.[name];
    const isOurs = ours !== undefined && ours !== null && isMadeOf({ kind, name }, ours, value, waysOf(run));
    return [[name, isOurs ? ours : echoOf(kind, name, value, run)] as const];
  });
  const sent = Object.fromEntries(shown);
  const html = sent[body];
  return stamp === undefined || typeof html !== 'string' ? sent : { ...sent, [body]: `${html}\n${stamp}` };
}

/**
 * What leaves a value as it is shown. A service that escapes texts as it saves them would escape one again that looks
 * escaped; only where it was seen not to, such a text is sent as it is. What the service adds to a body it would add again.
 */
export function echoOf(kind: Kind, name: string, shown: FieldValue, run: Run): FieldValue {
  const type = fieldsOf(kind).get(name)?.type;
  if (typeof shown !== 'string' || name === 'slug') return shown;
  if (type === 'html') return cutAdditions(shown, habitOf({ kind, name }, waysOf(run)).additions);
  if (type !== 'text') return shown;
  return run.remote.capabilities()['keeps-texts'] === 'yes' ? shown : (unescaped(shown) ?? shown);
}

function stamped(desired: DesiredRecord, owned: KnownFields, fields: KnownFields, run: Run): KnownFields {
  const { body, key } = desired;
  const html = body === undefined ? undefined : fields[body.field];
  if (!run.policy.stamp || body === undefined || typeof html !== 'string') return fields;
  // Where readers see stamps, an editor's text gets none.
  const isOurs = html === owned[body.field];
  if (!isOurs && run.remote.capabilities()['hides-comments'] === 'no') return fields;
  const { forms } = formsOf(desired, owned, run);
  const form = forms?.[body.field];
  const marks = { repository: run.repository.id, form: form === undefined ? undefined : unreadDigest(form) };
  return { ...fields, [body.field]: withStamp(html, key, owned, marks) };
}

/** A service that keeps HTML as it came gives it no other form. */
function formsOf({ kind }: DesiredRecord, sent: KnownFields, run: Run): Pick<BaseRecord, 'forms'> {
  return run.remote.capabilities()['keeps-html'] === 'yes' ? {} : unreadForms(kind, sent, waysOf(run));
}

/** What the base holds after a write that worked. */
export function baseAfterWrite(
  change: Change,
  desired: DesiredRecord,
  owned: KnownFields,
  id: string,
  run: Run,
): BaseRecord {
  const before = run.records.get(change.key) ?? run.input.stamped.get(change.key);
  const acknowledged = (change.acknowledged ?? []).flatMap((field) => {
    const side = run.input.remote.get(change.key);
    const value = side?.state === 'known' ? side.record.fields[field] : undefined;
    return value === undefined ? [] : [[field, value] as const];
  });
  const sent = baseValuesOf(desired.kind, owned);
  // What the service shows of a field that was not written is what it showed before.
  const kept = Object.entries(change.action === 'create' ? {} : (before?.observed ?? {})).filter(([name]) => {
    const [ours, known] = [owned[name], before?.sent[name]];
    const isWritten = change.fields.some(({ field }) => field === name);
    return !isWritten && ours !== undefined && known !== undefined && sameAsBase(ours, known);
  });
  const observed = {
    ...Object.fromEntries(kept),
    ...baseValuesOf(desired.kind, Object.fromEntries(acknowledged)),
  };
  const accepted = [
    ...(before?.accepted ?? []).filter((field) => kept.some(([name]) => name === field)),
    ...acknowledged.map(([name]) => name),
  ];
  const body = bodyFieldOf(desired.kind);
  const isSame = kept.some(([name]) => name === body) && before?.forms !== undefined;
  return {
    key: change.key,
    id,
    ...(isSame ? { forms: before.forms } : formsOf(desired, owned, run)),
    ...(before?.lost === undefined ? {} : { lost: before.lost }),
    ownership: before?.ownership ?? (change.action === 'create' ? 'created' : 'adopted'),
    sent,
    ...(Object.keys(observed).length > 0 ? { observed } : {}),
    ...(accepted.length === 0 ? {} : { accepted: [...new Set(accepted)].sort() }),
    ...(desired.body === undefined ? {} : { input: desired.body.inputDigest }),
  };
}

/** What a first write sends besides what the file says: no base remembers it. */
export function withoutOwned(fields: KnownFields, owned: KnownFields): KnownFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => owned[name] === undefined));
}

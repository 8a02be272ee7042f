import { digestOf, same } from '../model/digest.ts';
import type { DesiredFields, FieldValue, Fields, KnownFields } from '../model/fields.ts';
import { fieldsOf, referenceFieldsOf } from '../model/fields.ts';
import type { Family, Kind, RemoteId } from '../model/key.ts';
import type { BaseRecord, BaseValue, DesiredRecord } from '../model/record.ts';

/** Texts up to this many UTF-16 units are kept in the base as they are, so a conflict can print them. */
const SHORT_CHARS = 200;

/** How the base remembers a value: itself where it is short, else its digest. */
export function baseValueOf(kind: Kind, field: string, value: FieldValue): BaseValue {
  const isBody = fieldsOf(kind).get(field)?.type === 'html';
  const isLong = typeof value === 'string' && value.length > SHORT_CHARS;
  return isBody || isLong ? { digest: digestOf(value) } : value;
}

export function baseValuesOf(kind: Kind, fields: Fields): Readonly<Record<string, BaseValue>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, baseValueOf(kind, name, value)]),
  );
}

/** Whether a value is the one the base remembers. A digest may be shortened (the stamp's is), so the prefix decides. */
export function sameAsBase(value: FieldValue, base: BaseValue): boolean {
  return isDigest(base) ? digestOf(value).startsWith(base.digest) : same(value, base);
}

export function isDigest(value: BaseValue): value is Exclude<BaseValue, FieldValue> {
  return typeof value === 'object' && value !== null && 'digest' in value;
}

const TO_COME = 'new:';

/** What stands for the id of a record that is yet to be made. */
export function idToCome(family: Family): RemoteId {
  return `${TO_COME}${family}`;
}

/** The family that such a text stands for; undefined for an id of the service. */
export function familyToCome(id: RemoteId): Family | undefined {
  // `idToCome` put nothing but a family after it.
  return id.startsWith(TO_COME) ? (id.slice(TO_COME.length) as Family) : undefined;
}

/** Owned fields without the body, references turned into ids by `idOf`. */
export function ownedFields(desired: DesiredRecord, idOf: (family: Family) => RemoteId): KnownFields {
  return withIds(desired.kind, desired.fields, idOf);
}

/** The same for fields of any kind. */
export function withIds(kind: Kind, fields: DesiredFields, idOf: (family: Family) => RemoteId): KnownFields {
  const owned: Record<string, FieldValue> = { ...fields };
  for (const { name } of referenceFieldsOf(kind)) {
    const value = fields[name];
    if (value === undefined || value === null) continue;
    owned[name] = typeof value === 'string' ? idOf(value) : sortedSet(value.map(idOf));
  }
  return owned;
}

/** Families that a desired record refers to. */
export function referencesOf(desired: DesiredRecord): readonly Family[] {
  return referenceFieldsOf(desired.kind).flatMap(({ name }) => desired.fields[name] ?? []);
}

/**
 * Whether the file says something else than the base remembers. The body is rendered only when its input digest
 * differs, because equal input means equal HTML.
 */
export function differsFromBase(desired: DesiredRecord, owned: Fields, base: BaseRecord): boolean {
  for (const name in owned) {
    // A name that the loop gives has a value.
    const value = owned[name] as FieldValue;
    const known = base.sent[name];
    if (known === undefined || !sameAsBase(value, known)) return true;
  }
  if (desired.body === undefined || desired.body.inputDigest === base.input) return false;
  const known = base.sent[desired.body.field];
  return known === undefined || !sameAsBase(desired.body.render(), known);
}

function sortedSet(values: readonly string[]): readonly string[] {
  return values.length < 2 ? values : [...new Set(values)].sort();
}

import { digestOf, same } from '../model/digest.ts';
import type { FieldValue, Fields } from '../model/fields.ts';
import { fieldsOf } from '../model/fields.ts';
import type { Family, Kind } from '../model/key.ts';
import type { BaseRecord, BaseValue, DesiredRecord } from '../model/record.ts';

/** Texts up to this many UTF-16 units are kept in the base as they are, so that a conflict can print them. */
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

/** What stands for the id of a record that is yet to be made. */
export function idToCome(family: Family): string {
  return `new:${family}`;
}

/** Owned fields without the body, references turned into ids by `idOf`. */
export function ownedFields(desired: DesiredRecord, idOf: (family: Family) => string): Fields {
  return withIds(desired.kind, desired.fields, idOf);
}

/** The same for fields of any kind: families in reference fields become ids. */
export function withIds(kind: Kind, fields: Fields, idOf: (family: Family) => string): Fields {
  const owned: Record<string, FieldValue> = { ...fields };
  for (const { name } of referenceFieldsOf(kind)) {
    const value = fields[name];
    // Reference fields of a desired record hold families; the content reader put nothing else there.
    if (value === undefined || value === null) continue;
    if (isList(value)) owned[name] = sortedSet(value.map((ref) => idOf(ref as Family)));
    else owned[name] = idOf(value as Family);
  }
  return owned;
}

/** Families that a desired record refers to. */
export function referencesOf(desired: DesiredRecord): readonly Family[] {
  const families: Family[] = [];
  for (const { name } of referenceFieldsOf(desired.kind)) {
    const value = desired.fields[name];
    // Reference fields of a desired record hold families, nothing else.
    if (typeof value === 'string') families.push(value as Family);
    else if (value !== undefined && isList(value)) families.push(...(value as readonly Family[]));
  }
  return families;
}

interface ReferenceField {
  readonly name: string;
  readonly of: Kind;
}

/** Fields that name other records, and of which kind those are. */
export function referenceFieldsOf(kind: Kind): readonly ReferenceField[] {
  return REFERENCE_FIELDS[kind];
}

/** Asked for every record of every run: looking through all fields each time costs more than the comparison. */
const REFERENCE_FIELDS: Readonly<Record<Kind, readonly ReferenceField[]>> = {
  category: referencesAmong('category'),
  tag: referencesAmong('tag'),
  article: referencesAmong('article'),
};

function referencesAmong(kind: Kind): readonly ReferenceField[] {
  return [...fieldsOf(kind)].flatMap(([name, { of }]) => (of === undefined ? [] : [{ name, of }]));
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

export function isList(value: FieldValue): value is readonly string[] {
  return typeof value === 'object' && value !== null;
}

function sortedSet(values: readonly string[]): readonly string[] {
  return values.length < 2 ? values : [...new Set(values)].sort();
}

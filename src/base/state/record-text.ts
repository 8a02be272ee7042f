import { familyFrom, isKind, parseKey } from '../../model/key.ts';
import type { BaseRecord, BaseValue, UnmanagedRecord } from '../../model/record.ts';
import { isJsonObject } from '../../text/json-value.ts';

type Values = Readonly<Record<string, BaseValue>>;

/** One record as one line of JSON: fixed order of names, fields sorted, so equal records are equal text. */
export function recordText(record: BaseRecord): string {
  return JSON.stringify({
    key: record.key,
    id: record.id,
    ownership: record.ownership,
    input: record.input,
    original: record.original,
    seen: record.seen,
    sent: sorted(record.sent),
    observed: record.observed === undefined ? undefined : sorted(record.observed),
    accepted: record.accepted,
    forms: record.forms === undefined ? undefined : sorted(record.forms),
    lost: record.lost,
  });
}

/** The record that parsed JSON holds, or a sentence that says what is wrong with it. */
export function recordFrom(json: unknown): BaseRecord | string {
  if (!isJsonObject(json)) return 'a record is not an object';
  const { key, id, ownership, input, original, seen, sent, observed, accepted, forms, lost } = json;
  if (typeof key !== 'string' || parseKey(key) === undefined) return `key ${show(key)} is not a key`;
  if (typeof id !== 'string' || id === '') return `${key}: id ${show(id)} is not an id`;
  if (ownership !== 'created' && ownership !== 'adopted') return `${key}: ownership is ${show(ownership)}`;
  if (input !== undefined && typeof input !== 'string') return `${key}: input ${show(input)} is not a digest`;
  if (original !== undefined && typeof original !== 'string')
    return `${key}: original ${show(original)} is not a digest`;
  if (seen !== undefined && typeof seen !== 'string') return `${key}: seen ${show(seen)} is not text`;
  const wrong = wrongValue(sent) ?? (observed === undefined ? undefined : wrongValue(observed));
  if (wrong !== undefined) return `${key}: ${wrong}`;
  if (accepted !== undefined && !isTextList(accepted))
    return `${key}: accepted ${show(accepted)} is not a list of fields`;
  if (forms !== undefined && !(isJsonObject(forms) && isTextList(Object.values(forms))))
    return `${key}: forms ${show(forms)} are not texts by field`;
  if (lost !== undefined && !isTextList(lost)) return `${key}: lost ${show(lost)} is not a list of texts`;
  // Checked above, name by name. It is the parsed object itself: ten thousand copies cost more than the checks.
  return json as unknown as BaseRecord;
}

/** An unmanaged record with the name it has in the state's map. */
export function unmanagedText(name: string, record: UnmanagedRecord): string {
  const { kind, id, slug, seen, isTranslation, was, by, waits } = record;
  const wait = waits === undefined ? undefined : { family: waits.family, name: waits.name };
  return JSON.stringify({ name, kind, id, slug, seen, isTranslation, was, by, waits: wait });
}

export function unmanagedFrom(json: unknown): readonly [string, UnmanagedRecord] | string {
  if (!isJsonObject(json)) return 'an unmanaged record is not an object';
  const { name, kind, id, slug, seen, isTranslation, was, by, waits } = json;
  if (typeof name !== 'string') return `the name of an unmanaged record is ${show(name)}`;
  if (typeof kind !== 'string' || !isKind(kind)) return `unmanaged ${name}: kind is ${show(kind)}`;
  if (typeof id !== 'string' || typeof slug !== 'string' || typeof seen !== 'string') {
    return `unmanaged ${name}: id, slug and seen are not all text`;
  }
  return [
    name,
    {
      kind,
      id,
      slug,
      seen,
      ...(isTranslation === true ? { isTranslation } : {}),
      ...(typeof was === 'string' ? { was } : {}),
      ...(typeof by === 'string' ? { by } : {}),
      ...waitFrom(waits),
    },
  ];
}

function waitFrom(json: unknown): Pick<UnmanagedRecord, 'waits'> {
  const { family, name } = isJsonObject(json) ? json : {};
  if (typeof family !== 'string' || typeof name !== 'string') return {};
  const key = parseKey(`${family}@en`);
  return key === undefined ? {} : { waits: { family: familyFrom(key.kind, key.path), name } };
}

export function isTextList(json: unknown): json is readonly string[] {
  return Array.isArray(json) && json.every((item) => typeof item === 'string');
}

/** A value in a message: short, and as JSON, so control characters do not reach the terminal. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function sorted(values: Values): Values {
  const names = Object.keys(values);
  let isSorted = true;
  let before = '';
  for (const name of names) {
    const value = values[name];
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new Error(`bug: ${name} is a number that JSON cannot hold`);
    }
    isSorted &&= before <= name;
    before = name;
  }
  // Records that were read from a state are sorted already, and those are nearly all.
  return isSorted ? values : Object.fromEntries(names.sort().map((name) => [name, values[name] ?? null]));
}

/** What is wrong with the values of a record's fields, if anything is. */
export function wrongValue(values: unknown): string | undefined {
  if (!isJsonObject(values)) return `fields ${show(values)} are not an object`;
  for (const name in values) {
    if (!isBaseValue(values[name])) return `field ${name} is ${show(values[name])}`;
  }
  return undefined;
}

function isBaseValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true; // JSON has no other scalars than ours
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return 'digest' in value && typeof value.digest === 'string' && Object.keys(value).length === 1;
}

import type { DesiredFields, FieldValue, Fields } from '../model/fields.ts';
import { fieldsOf } from '../model/fields.ts';
import { same } from '../model/digest.ts';
import type { Family, Kind, RemoteId } from '../model/key.ts';
import type { BaseRecord, Capabilities, DesiredRecord } from '../model/record.ts';
import { idKey, isOriginal, kindOf, pathOf } from '../model/key.ts';
import { familyToCome } from './compare.ts';
import { habitName } from './likeness.ts';

/** Whether the service was seen keeping one value of a field for all languages of a record. */
export function isSharedField(kind: Kind, name: string, { shared }: Capabilities): boolean {
  return shared?.includes(habitName({ kind, name })) === true;
}

/**
 * A translation without the fields that its service keeps once for all languages: they are the original's. What the file
 * says of them is `unkept`.
 */
export function withoutSharedFields(desired: DesiredRecord, capabilities: Capabilities): DesiredRecord {
  if (desired.isOriginal || capabilities.shared === undefined) return desired;
  const isKept = ([name]: readonly [string, FieldValue]): boolean =>
    !isSharedField(desired.kind, name, capabilities);
  const named = Object.entries(desired.fields);
  return {
    ...desired,
    fields: Object.fromEntries(named.filter(isKept)),
    initial: Object.fromEntries(Object.entries(desired.initial).filter(isKept)),
    unkept: { ...desired.unkept, ...Object.fromEntries(named.filter((field) => !isKept(field))) },
  };
}

/** What the base says of a translation, without what is its original's. */
export function withoutSharedValues(
  record: BaseRecord,
  capabilities: Capabilities,
  desired: { readonly defaultLanguage: string },
): BaseRecord {
  const kind = kindOf(record.key);
  const isShared = (name: string): boolean => isSharedField(kind, name, capabilities);
  if (isOriginal(record.key, desired) || !Object.keys(record.sent).some(isShared)) return record;
  const own = <T>(values: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !isShared(name)));
  return {
    ...record,
    sent: own(record.sent),
    ...(record.observed === undefined ? {} : { observed: own(record.observed) }),
  };
}

/**
 * What the author must be told: which values of a translation's file are not on the site, because the original's are.
 * Undefined: none. `ofOriginal` is in the file's terms or in the service's, as `unkept` is; undefined where it is not known.
 */
export function unkeptWords(
  { unkept = {} }: { readonly unkept?: DesiredFields | Fields | undefined },
  ofOriginal: (name: string) => FieldValue | undefined,
  nameOf: (name: string, value: FieldValue) => unknown = (_, value) => value,
): string | undefined {
  const shown = (name: string, value: FieldValue): string => JSON.stringify(nameOf(name, value));
  const differing = Object.entries(unkept).flatMap(([name, ours]) => {
    const theirs = ofOriginal(name);
    return theirs === undefined || same(ours, theirs)
      ? []
      : [`${name} is ${shown(name, ours)} in this translation and ${shown(name, theirs)} in the original`];
  });
  return differing.length === 0
    ? undefined
    : `${differing.join('; ')}: the service keeps one value for all languages, so the original's stays; give both the same value`;
}

/** In the place of an id of a category or a tag, the path that files give it, if one does. */
export function pathsForIds(kind: Kind, ids: Ids): (name: string, value: FieldValue) => unknown {
  return (name, value) => {
    const of = fieldsOf(kind).get(name)?.of;
    if (of === undefined) return value;
    const paths = pathsById(ids);
    const pathFor = (id: unknown): unknown => {
      const coming = familyToCome(String(id));
      return coming === undefined ? (paths.get(idKey(of, String(id))) ?? id) : pathOf(coming);
    };
    return Array.isArray(value) ? value.map(pathFor) : pathFor(value);
  };
}

type Ids = ReadonlyMap<Family, RemoteId>;

/** Many records may be named with theirs in one run. */
const known = new WeakMap<Ids, { readonly size: number; readonly paths: ReadonlyMap<string, string> }>();

function pathsById(ids: Ids): ReadonlyMap<string, string> {
  const before = known.get(ids);
  if (before?.size === ids.size) return before.paths;
  const paths = new Map([...ids].map(([family, id]) => [idKey(kindOf(family), id), pathOf(family)]));
  known.set(ids, { size: ids.size, paths });
  return paths;
}

import { fieldsOf } from '../model/fields.ts';
import type { FrontMatter } from './front-matter.ts';
import type { ContentOptions } from './options.ts';
import type { Dialect } from './presets/preset.ts';
import type { DocumentPlace } from './read-fields.ts';
import type { Spot } from './source-text.ts';

export interface ForeignFields {
  readonly source: FrontMatter;
  /** Our field → the key it was found under. */
  readonly fields: Readonly<Record<string, string>>;
  /** As written, from the root. */
  readonly addresses: readonly string[];
}

/** Keys that are read although they are no fields. */
const OWN_KEYS = ['translationKey', 'lang'];

/**
 * Another system's front matter as ours: of its keys only those that mean one of our fields, with flags turned into our
 * values. Its other keys are the system's business. `fields` says under which key each field was found, for messages.
 */
export function foreignFields(
  source: FrontMatter,
  place: DocumentPlace,
  dialect: Dialect,
  mapping: ContentOptions['fields'],
): ForeignFields {
  const written = flattened(source.values);
  const plain = (key: string): string => (dialect.hasCaselessKeys ? key.toLowerCase() : key);
  const spelled = new Map<string, string>();
  for (const key of written.keys()) if (!spelled.has(plain(key))) spelled.set(plain(key), key);
  const values = new Map<string, unknown>();
  const fields: Record<string, string> = {};
  const spelling = new Map<string, string>();
  const missing: (readonly [field: string, key: string])[] = [];
  for (const field of [...fieldsOf(place.kind).keys(), ...OWN_KEYS]) {
    const own = Object.hasOwn(mapping, field) ? mapping[field] : undefined;
    const wanted = own === undefined ? (dialect.fields[field] ?? []) : [own];
    const found = wanted
      .map((name) => ({ isOpposite: OPPOSITE.test(name), key: spelled.get(plain(name.replace(/^!/, ''))) }))
      .find(({ key }) => key !== undefined);
    if (found?.key === undefined) {
      missing.push([field, wanted[0] ?? field]);
      continue;
    }
    const key = OWN_KEYS.includes(field) ? field : found.key;
    spelling.set(key, found.key);
    fields[field] = key;
    values.set(key, converted(field, written.get(found.key), found.isOpposite));
  }
  // A key that was picked for one field must not be read for another that happens to have its name.
  for (const [field, key] of missing) fields[field] = values.has(key) ? `${key} (${field})` : key;
  return {
    fields,
    addresses: dialect.addressKeys.flatMap((name) =>
      addressesIn(written.get(spelled.get(plain(name)) ?? name)),
    ),
    source: { ...source, values, spotOf: (key) => spotIn(source, spelling.get(key) ?? key) },
  };
}

/** One address or several; only those from the root, without patterns. */
function addressesIn(value: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.filter((item) => typeof item === 'string').filter((item) => /^\/?[^\s:*]+$/.test(item));
}

/** `sidebar: { order: 1 }` as `sidebar.order` besides. */
function flattened(values: FrontMatter['values']): ReadonlyMap<string, unknown> {
  const all = new Map<string, unknown>(values);
  for (const [key, value] of values) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    for (const [inner, its] of Object.entries(value)) all.set(`${key}.${inner}`, its);
  }
  return all;
}

function spotIn(source: FrontMatter, key: string): Spot {
  return source.spotOf(source.values.has(key) ? key : (key.split('.')[0] ?? key));
}

/** `!search: false` hides, `published: false` is a draft. */
const OPPOSITE = /^!|^publish(?:ed)?$/i;

/** `draft: true` is a status, `search: false` hides. */
function converted(field: string, value: unknown, isOpposite: boolean): unknown {
  if (typeof value !== 'boolean') return value;
  if (field === 'status') return value === isOpposite ? 'published' : 'draft';
  return isOpposite ? !value : value;
}

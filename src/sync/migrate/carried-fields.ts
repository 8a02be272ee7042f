import { cutExcerpt, EXCERPT_CHARS_MAX } from '../../content/document/excerpt.ts';
import { type FieldValue, type Fields, isList } from '../../model/fields.ts';
import { bodyFieldOf, fieldsOf, nameFieldOf } from '../../model/fields.ts';
import type { Kind } from '../../model/key.ts';
import { idKey } from '../../model/key.ts';
import { safeName } from '../pull/places/file-name.ts';
import type { Names } from './name-records.ts';
import type { SourceRecord } from './read-source.ts';

/** The fields of a record for the target, without its body, and which values had to change. */
export interface Carried {
  /** Every field of the kind, in canonical form; references are families. */
  readonly fields: Fields;
  readonly changes: readonly string[];
}

export interface Carrying {
  /** Also by the ids that translations have of their own. */
  readonly familyOf: Names;
  /** Originals that the source did not show, by kind and id. */
  readonly unseen: ReadonlySet<string>;
  /** Gives each slug once within a kind and language. */
  readonly freeSlug: (record: SourceRecord, slug: string) => string;
  /** Categories whose parents lead back to themselves. */
  readonly circular: ReadonlySet<string>;
}

/** The fields of a record as the write contract takes them. A status that it does not know becomes a draft, never public. */
export function carriedFields(record: SourceRecord, carrying: Carrying): Carried {
  const changes: string[] = [];
  const fields: Record<string, FieldValue> = {};
  for (const [name, { of }] of fieldsOf(record.kind)) {
    const value = record.fields[name];
    if (name === bodyFieldOf(record.kind) || value === undefined) continue;
    fields[name] = of === undefined ? value : references(record, { name, of, value }, carrying, changes);
  }
  const change = (name: string, value: FieldValue, why: string): void => {
    if (fields[name] === value) return;
    changes.push(why);
    fields[name] = value;
  };
  const title = textOf(fields[nameFieldOf(record.kind)]);
  const slug = textOf(fields['slug']);
  const wanted = slug === '' ? safeName(title === '' ? record.id : title) : slug;
  const free = carrying.freeSlug(record, wanted);
  change('slug', free, `slug ${slug === '' ? 'is missing' : `${slug} is there twice`}: ${free}`);
  if (title === '') change(nameFieldOf(record.kind), free, `${nameFieldOf(record.kind)} is empty: ${free}`);
  if (record.kind !== 'article') return { fields, changes };
  const status = textOf(fields['status']);
  if (status !== 'published')
    change('status', 'draft', `status ${status === '' ? 'is empty' : status}: draft`);
  const excerpt = textOf(fields['excerpt']);
  if (excerpt.length > EXCERPT_CHARS_MAX)
    change(
      'excerpt',
      cutExcerpt(excerpt),
      `excerpt has ${excerpt.length} characters: cut to ${EXCERPT_CHARS_MAX}`,
    );
  return { fields, changes };
}

function references(
  record: SourceRecord,
  { name, of, value }: { readonly name: string; readonly of: Kind; readonly value: FieldValue },
  { familyOf, unseen, circular }: Carrying,
  changes: string[],
): FieldValue {
  if (value === null) return null;
  const ids = isList(value) ? value : [String(value)];
  const families = ids.flatMap((id) => {
    const at = idKey(of, id);
    const family = familyOf.get(at);
    if (family === undefined)
      changes.push(`${name}: the ${of} ${id} ${unseen.has(at) ? 'was left out' : 'does not exist'}`);
    return family ?? [];
  });
  if (isList(value)) return [...new Set(families)].sort();
  if (families.length > 0 && circular.has(idKey(record.kind, record.id))) {
    changes.push(`${name}: it is below itself`);
    return null;
  }
  return families[0] ?? null;
}

function textOf(value: FieldValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Categories that are below themselves: in such a circle, no category is above the others. */
export function circularCategories(
  records: readonly SourceRecord[],
  defaultLanguage: string,
): ReadonlySet<string> {
  const parents = new Map(
    records
      .filter(({ kind, lang }) => kind === 'category' && lang === defaultLanguage)
      .filter(({ fields }) => typeof fields['categoryParent'] === 'string')
      .map(({ id, fields }) => [id, String(fields['categoryParent'])]),
  );
  const isCircular = (start: string): boolean => {
    const seen = new Set<string>();
    for (let at = parents.get(start); at !== undefined && !seen.has(at); at = parents.get(at)) {
      if (at === start) return true;
      seen.add(at);
    }
    return false;
  };
  return new Set([...parents.keys()].filter(isCircular).map((id) => idKey('category', id)));
}

/** Gives each slug once within its kind and language. A second record gets its id added, so every run gives it the same slug. */
export function uniqueSlugs(): Carrying['freeSlug'] {
  const taken = new Set<string>();
  return ({ kind, lang, id }, slug) => {
    const nameOf = (text: string): string => `${kind} ${lang} ${text}`;
    let free = slug;
    for (let count = 1; taken.has(nameOf(free)); count += 1)
      free = `${slug}-${safeName(id).toLowerCase()}${count === 1 ? '' : `-${count}`}`;
    taken.add(nameOf(free));
    return free;
  };
}

import { differenceOf, meaningDigest } from '../../model/compare/difference.ts';
import { bodyFieldOf, nameFieldOf } from '../../model/fields.ts';
import type { Family, RemoteId } from '../../model/key.ts';
import type { DesiredRecord, KnownRecord } from '../../model/record.ts';
import type { Ways } from '../../plan/likeness.ts';
import { isMadeSlug } from '../made-slug.ts';

/**
 * Records without a stamp that have the title and the text of a file which has no record, and another slug. A service may make
 * slugs by itself and strip comments: what is there may be the file's page, so nobody makes it a second time. Where neither has
 * a text, as most tags, it must have the file's description, or a slug that a service may have made of the file's. A category in another
 * place is another one, if the base knows the place of the file's: many have the same name. `idOf`: what the base knows.
 */
export function twinsOf<T extends ShownRecord>(
  homeless: readonly DesiredRecord[],
  records: readonly T[],
  ways: Ways,
  idOf: (family: Family) => RemoteId | undefined,
): ReadonlyMap<Family, T> {
  const byName = new Map<string, T[]>();
  for (const record of records) {
    const mark = record.stamp === undefined ? nameMark(record, ways) : undefined;
    const namesakes = mark === undefined ? undefined : byName.get(mark);
    if (namesakes !== undefined) namesakes.push(record);
    else if (mark !== undefined) byName.set(mark, [record]);
  }
  if (byName.size === 0) return new Map();
  return new Map(
    homeless.flatMap((desired) => {
      const namesakes = byName.get(nameMark(desired, ways) ?? '') ?? [];
      const html = namesakes.length === 0 ? '' : (desired.body?.render() ?? '');
      const twin = namesakes.find(
        (record) =>
          hasText(desired, html, record, ways) ||
          (isBareTwin(desired, html, record, ways) && !isElsewhere(desired, record, idOf)),
      );
      return twin === undefined ? [] : [[desired.family, twin] as const];
    }),
  );
}

/**
 * Where a page was found by its title and text under a slug that the service made, the service makes slugs. So a record that has
 * the title of another file, another text and a slug that the service may have made of it can be that file's page as it was
 * before an edit. Each file and each record must be alone with its title.
 */
export function editedTwinsOf<T extends ShownRecord>(
  homeless: readonly DesiredRecord[],
  records: readonly T[],
  twins: ReadonlyMap<Family, T>,
  ways: Ways,
): ReadonlyMap<Family, T> {
  const isMade = ({ kind, fields }: DesiredRecord, { fields: { slug } }: ShownRecord): boolean =>
    kind === 'article' &&
    typeof slug === 'string' &&
    isMadeSlug(slug, [fields['slug'], fields[nameFieldOf(kind)]]);
  const isProved = homeless.some((desired) => {
    const twin = twins.get(desired.family);
    return twin !== undefined && isMade(desired, twin);
  });
  if (!isProved) return new Map();
  const marked = (all: readonly (T | DesiredRecord)[]): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const one of all) {
      const mark = nameMark(one, ways) ?? '';
      counts.set(mark, (counts.get(mark) ?? 0) + 1);
    }
    return counts;
  };
  const files = marked(homeless);
  const shown = marked(records);
  const byMark = new Map(records.map((record) => [nameMark(record, ways) ?? '', record] as const));
  return new Map(
    homeless.flatMap((desired) => {
      const mark = nameMark(desired, ways) ?? '';
      const only = byMark.get(mark);
      const isAlone = mark !== '' && files.get(mark) === 1 && shown.get(mark) === 1;
      const isTwin =
        only?.stamp === undefined &&
        only !== undefined &&
        isAlone &&
        !twins.has(desired.family) &&
        isMade(desired, only);
      return isTwin ? [[desired.family, only] as const] : [];
    }),
  );
}

type ShownRecord = Pick<KnownRecord, 'kind' | 'fields' | 'stamp'>;

/** The same for two records whose names say the same; thousands are not compared one by one. */
export function nameMark(
  { kind, fields }: Pick<KnownRecord | DesiredRecord, 'kind' | 'fields'>,
  { origin }: Ways,
): string | undefined {
  const name = fields[nameFieldOf(kind)];
  const mark = typeof name === 'string' ? meaningDigest('text', name, { origin }) : undefined;
  return mark === undefined ? undefined : `${kind} ${mark}`;
}

function hasText({ body }: DesiredRecord, html: string, { fields }: ShownRecord, { origin }: Ways): boolean {
  const shown = body === undefined ? undefined : fields[body.field];
  if (html === '' || shown === undefined || shown === '') return false;
  return differenceOf('html', html, shown, { origin }) !== undefined;
}

function isBareTwin(
  { kind, fields }: DesiredRecord,
  html: string,
  record: ShownRecord,
  { origin }: Ways,
): boolean {
  const { slug, description: theirs } = record.fields;
  if (html !== '' || !isBare(record) || typeof slug !== 'string') return false;
  const { description: ours } = fields;
  const isDescribed = typeof ours === 'string' && ours !== '' && typeof theirs === 'string' && theirs !== '';
  if (isDescribed && differenceOf('text', ours, theirs, { origin }) !== undefined) return true;
  return isMadeSlug(slug, [fields['slug'], fields[nameFieldOf(kind)]]);
}

function isElsewhere(
  { fields }: DesiredRecord,
  { fields: { categoryParent: theirs } }: ShownRecord,
  idOf: (family: Family) => RemoteId | undefined,
): boolean {
  const { categoryParent: parent } = fields;
  const ours = typeof parent === 'string' ? idOf(parent) : undefined;
  return ours !== undefined && theirs !== undefined && theirs !== ours;
}

function isBare({ kind, fields }: ShownRecord): boolean {
  return (fields[bodyFieldOf(kind)] ?? '') === '';
}

export function twinWords(twin: KnownRecord, isEdited = false): string {
  const { id, kind, fields } = twin;
  const alike = isEdited || isBare(twin) ? nameFieldOf(kind) : `${nameFieldOf(kind)} and text`;
  return `the record ${id} has its ${alike} but another slug, ${JSON.stringify(fields['slug'])}: it may be this ${kind === 'article' ? 'page' : kind} already; give the file that slug, or rename or delete that record`;
}

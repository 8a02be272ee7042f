import { differenceOf, meaningDigest } from '../../model/compare/difference.ts';
import { bodyFieldOf, nameFieldOf } from '../../model/fields.ts';
import type { Family, RemoteId } from '../../model/key.ts';
import type { DesiredRecord, KnownRecord } from '../../model/record.ts';
import type { Ways } from '../../plan/likeness.ts';
import { groupedBy } from '../../text/grouped.ts';
import { isMadeSlug, madeOf, slugText } from '../made-slug.ts';
import { kinIndex } from './kin.ts';
import { slugsOfPath } from './pairing.ts';

/**
 * Records without a stamp that have the title and the text of a file which has no record, and another slug. A service may make
 * slugs by itself and strip comments: what is there may be the file's page, so nobody makes it a second time. Where neither has
 * a text, as most tags, it must have the file's description, or a slug that a service may have made of the file's. A category in another
 * place is another one, if the base knows the place of the file's: many have the same name. `idOf`: what the base knows.
 *
 * A service may also cut titles or take tags out of them, and an editor may have renamed the page: a record with the text of the
 * file is looked at, too, if its title begins as the file's does, or its slug may have been made of the file's.
 */
export function twinsOf<T extends ShownRecord>(
  homeless: readonly DesiredRecord[],
  records: readonly T[],
  ways: Ways,
  idOf: (family: Family) => RemoteId | undefined,
): ReadonlyMap<Family, T> {
  const unstamped = records.filter(({ stamp }) => stamp === undefined);
  if (unstamped.length === 0) return new Map();
  const byName = groupedBy(unstamped, (record) => {
    const mark = nameMark(record, ways);
    return mark === undefined ? [] : [mark];
  });
  const kinOf = kinIndex(unstamped.filter((record) => !isBare(record)));
  return new Map(
    homeless.flatMap((desired) => {
      const namesakes = byName.get(nameMark(desired, ways) ?? '') ?? [];
      const kin = desired.body === undefined ? [] : kinOf(desired);
      const html = namesakes.length + kin.length === 0 ? '' : (desired.body?.render() ?? '');
      const twin =
        namesakes.find(
          (record) =>
            hasText(desired, html, record, ways) ||
            (isBareTwin(desired, html, record, ways) && !isElsewhere(desired, record, idOf)),
        ) ?? kin.find((record) => hasText(desired, html, record, ways));
      return twin === undefined ? [] : [[desired.family, twin] as const];
    }),
  );
}

/**
 * Where a page was found by its title and text under a slug that the service made, the service makes slugs. So a record that has
 * the title of another file, another text and a slug that the service may have made of it can be that file's page as it was
 * before an edit. Each file and each record must be alone with its title. The same holds for a record whose title is another one,
 * if its slug was made of the file's in the very way in which the proved ones were, and each is alone with that. A slug that differs
 * from the file's in its spelling alone (`my-page` for `My-Page`) needs no such proof, nor does the slug of the file's path: the
 * author may have given the file another one since.
 */
export function editedTwinsOf<T extends ShownRecord>(
  homeless: readonly DesiredRecord[],
  records: readonly T[],
  twins: ReadonlyMap<Family, T>,
  ways: Ways,
): ReadonlyMap<Family, T> {
  const isMade = ({ kind, fields }: DesiredRecord, { fields: { slug } }: ShownRecord): boolean =>
    typeof slug === 'string' && isMadeSlug(slug, [fields['slug'], fields[nameFieldOf(kind)]]);
  const proved = homeless.flatMap((desired) => {
    const twin = twins.get(desired.family);
    return twin !== undefined && isMade(desired, twin) ? [[desired, twin] as const] : [];
  });
  const unstamped = records.filter(({ stamp }) => stamp === undefined);
  if (unstamped.length === 0) return new Map();
  const taken = new Set(twins.values());
  const free = unstamped.filter((record) => !taken.has(record));
  const open = homeless.filter(({ family }) => !twins.has(family));
  const edited = new Map(proved.length === 0 ? [] : twinsBySlug(open, free, proved));
  const isProved = proved.some(([{ kind }]) => kind === 'article');
  const shown = groupedBy(records, (record) => [nameMark(record, ways) ?? '']);
  const files = groupedBy(homeless, (desired) => [nameMark(desired, ways) ?? '']);
  for (const desired of open) {
    const mark = nameMark(desired, ways) ?? '';
    const [only, ...more] = shown.get(mark) ?? [];
    const isAlone = mark !== '' && files.get(mark)?.length === 1 && more.length === 0;
    if (
      only?.stamp === undefined &&
      only !== undefined &&
      isAlone &&
      only.kind === 'article' &&
      ((isProved ? isMade(desired, only) : isSpeltAnew(desired, only)) || hasSlugOfPath(desired, only))
    )
      edited.set(desired.family, only);
  }
  return edited;
}

/** Whether the record has the slug that the file would have if its front matter named none. */
function hasSlugOfPath({ family }: DesiredRecord, { fields: { slug } }: ShownRecord): boolean {
  return typeof slug === 'string' && slugsOfPath(family).includes(slug);
}

/** Whether the slugs differ in the case of letters and in the signs between words alone. */
function isSpeltAnew(
  { fields: { slug: ours } }: DesiredRecord,
  { fields: { slug: theirs } }: ShownRecord,
): boolean {
  const words = slugText(ours);
  return words !== '' && words === slugText(theirs);
}

/** Files and records whose slugs fit each other alone, in a way that the proved pairs show. */
function* twinsBySlug<T extends ShownRecord>(
  open: readonly DesiredRecord[],
  free: readonly T[],
  proved: readonly (readonly [DesiredRecord, T])[],
): Generator<readonly [Family, T]> {
  const textsOf = ({ kind, fields }: DesiredRecord): readonly string[] =>
    [fields['slug'], fields[nameFieldOf(kind)]].map(slugText).filter((text) => text !== '');
  const ways = new Set(
    proved.flatMap(([desired, { fields }]) => {
      const texts = textsOf(desired);
      return madeOf(String(fields['slug'])).flatMap(({ text, added }) =>
        texts.includes(text) ? [added] : [],
      );
    }),
  );
  const bySource = groupedBy(free, ({ kind, fields: { slug } }) =>
    typeof slug !== 'string'
      ? []
      : madeOf(slug).flatMap(({ text, added }) => (ways.has(added) ? [`${kind} ${text}`] : [])),
  );
  const fits = open.map((desired) => {
    const marks = textsOf(desired).map((text) => `${desired.kind} ${text}`);
    return [desired, new Set(marks.flatMap((mark) => bySource.get(mark) ?? []))] as const;
  });
  const wanted = groupedBy(fits, ([, records]) => [...records]);
  for (const [{ family }, records] of fits) {
    const [only] = records;
    if (only !== undefined && records.size === 1 && wanted.get(only)?.length === 1) yield [family, only];
  }
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

/** What a file and the record that may be its page have in common. */
type Likeness = 'name' | 'name and text' | 'text' | 'slug' | 'earlier';

export function twinWords(
  twin: KnownRecord,
  desired: DesiredRecord | undefined,
  ways: Ways,
  isEdited = false,
): string {
  const { id, kind, fields } = twin;
  const field = nameFieldOf(kind);
  const slug = JSON.stringify(fields['slug']);
  const other = `another ${field}, ${JSON.stringify(fields[field])}`;
  const alike: Readonly<Record<Likeness, string>> = {
    name: `has its ${field} but another slug, ${slug}`,
    'name and text': `has its ${field} and text but another slug, ${slug}`,
    text: `has its text but ${other}, and another slug, ${slug}`,
    slug: `has ${other}, and the slug ${slug}, which the service may have made of this file's`,
    earlier: `was like this file before the file was edited, and has ${other}, and the slug ${slug}`,
  };
  return `the record ${id} ${alike[likenessOf(twin, desired, ways, isEdited)]}: it may be this ${kind === 'article' ? 'page' : kind} already; give the file that slug, or rename or delete that record`;
}

function likenessOf(
  twin: KnownRecord,
  desired: DesiredRecord | undefined,
  ways: Ways,
  isEdited: boolean,
): Likeness {
  const isNamed = desired === undefined || nameMark(twin, ways) === nameMark(desired, ways);
  const sources = [desired?.fields['slug'], desired?.fields[nameFieldOf(twin.kind)]];
  const isMade = isMadeSlug(String(twin.fields['slug']), sources);
  if (!isNamed && isEdited) return isMade ? 'slug' : 'earlier';
  if (!isNamed) return 'text';
  return isEdited || isBare(twin) ? 'name' : 'name and text';
}

function isBare({ kind, fields }: ShownRecord): boolean {
  return (fields[bodyFieldOf(kind)] ?? '') === '';
}

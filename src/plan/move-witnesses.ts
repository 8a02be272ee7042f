import { nameFieldOf } from '../model/fields.ts';
import { textOfInput } from '../model/input-digest.ts';
import type { Digest } from '../model/digest.ts';
import type { Family, Kind, Lang } from '../model/key.ts';
import { familyOf, kindOf, langOf } from '../model/key.ts';
import { once } from '../model/once.ts';
import type { BaseRecord, BaseState, DesiredRecord, DesiredState } from '../model/record.ts';
import { groupedBy } from '../text/grouped.ts';

/** What a record and a file have in common if the file is the record's under another name. */
interface Witness {
  readonly old: (record: BaseRecord) => Marks;
  readonly now: (record: DesiredRecord) => Marks;
  readonly hasMany?: true;
}

type Pair = readonly [Family, Family];

type Marks = readonly string[] | string | undefined;

export interface OneMark extends Witness {
  readonly old: (record: BaseRecord) => string | undefined;
  readonly now: (record: DesiredRecord) => string | undefined;
}

export const slugWitness: OneMark = {
  old: ({ key, sent }) =>
    typeof sent['slug'] === 'string' ? `${kindOf(key)} ${langOf(key)} ${sent['slug']}` : undefined,
  now: ({ kind, lang, fields }) =>
    typeof fields['slug'] === 'string' ? `${kind} ${lang} ${fields['slug']}` : undefined,
};

export const textWitness: OneMark = {
  old: ({ key, input }) => (input === undefined ? undefined : `${kindOf(key)} ${langOf(key)} ${input}`),
  now: ({ kind, lang, body }) => (body === undefined ? undefined : `${kind} ${lang} ${body.inputDigest}`),
};

/** Of several pages with one text, the one that has the title too. */
export const titledTextWitness: OneMark = {
  old: (record) => both(textWitness.old(record), nameOf(kindOf(record.key), record.sent)),
  now: (file) => both(textWitness.now(file), nameOf(file.kind, file.fields)),
};

/** The text as it is written, and the title: of pages that were moved together, the links lead to other addresses. */
export const writtenWitness: OneMark = {
  old: ({ key, input, sent }) => written(kindOf(key), langOf(key), input, sent),
  now: ({ kind, lang, body, fields }) => written(kind, lang, body?.inputDigest, fields),
};

function written(
  kind: Kind,
  lang: Lang,
  input: Digest | undefined,
  fields: Readonly<Record<string, unknown>>,
): string | undefined {
  const text = input === undefined ? undefined : textOfInput(input);
  return text === undefined ? undefined : both(`${kind} ${lang} ${text}`, nameOf(kind, fields));
}

/** Of several pages with one text and one title, the one that has the texts of the translations too. */
export function familyWitness({ olds, news }: FamilyTexts): Witness {
  return {
    old: (record) => both(titledTextWitness.old(record), JSON.stringify(olds().get(familyOf(record.key)))),
    now: (file) => both(titledTextWitness.now(file), JSON.stringify(news().get(file.family))),
  };
}

/**
 * Of several such pages, the one that has the text of one translation at least, where nobody else has that: the others may be left from a
 * language that the files no longer have.
 */
export function translationWitness({ olds, news }: FamilyTexts): Witness {
  const withEach = (own: string | undefined, texts: readonly string[]): readonly string[] =>
    texts.filter((text) => text !== '').flatMap((text) => known(both(own, text)));
  return {
    hasMany: true,
    old: (record) => withEach(titledTextWitness.old(record), known(olds().get(familyOf(record.key)))),
    now: (file) => withEach(titledTextWitness.now(file), known(news().get(file.family))),
  };
}

/** The texts of all languages of a record. */
interface FamilyTexts {
  readonly olds: () => ReadonlyMap<Family, readonly string[]>;
  readonly news: () => ReadonlyMap<Family, readonly string[]>;
}

export function familyTexts(desired: DesiredState, base: BaseState): FamilyTexts {
  return {
    olds: once(() => textsByFamily(base.records.values(), ({ key }) => familyOf(key), textWitness.old)),
    news: once(() => textsByFamily(desired.records.values(), ({ family }) => family, textWitness.now)),
  };
}

function textsByFamily<T>(
  items: Iterable<T>,
  familyIn: (item: T) => Family,
  textOf: (item: T) => string | undefined,
): ReadonlyMap<Family, readonly string[]> {
  const families = groupedBy([...items], (item) => [familyIn(item)]);
  return new Map(
    [...families].map(([family, all]) => [family, all.map((item) => textOf(item) ?? '').toSorted()]),
  );
}

/** A category or a tag is hardly more than its name. */
export const nameWitness: Witness = {
  old: ({ key, sent }) =>
    kindOf(key) === 'article' ? undefined : both(`${kindOf(key)} ${langOf(key)}`, nameOf(kindOf(key), sent)),
  now: ({ kind, lang, fields }) =>
    kind === 'article' ? undefined : both(`${kind} ${lang}`, nameOf(kind, fields)),
};

function nameOf(kind: Kind, fields: Readonly<Record<string, unknown>>): string | undefined {
  const name = fields[nameFieldOf(kind)];
  return typeof name === 'string' ? name : undefined;
}

function both(mark: string | undefined, more: string | undefined): string | undefined {
  return mark === undefined || more === undefined ? undefined : `${mark} ${more}`;
}

/** Pairs that share a mark which nobody else on either side has. */
export function pairs(
  gone: readonly BaseRecord[],
  arrived: readonly DesiredRecord[],
  witness: Witness,
): readonly Pair[] {
  const olds = groupedBy(gone, (record) => known(witness.old(record)));
  const news = groupedBy(arrived, (record) => known(witness.now(record)));
  const found = [...olds].flatMap(([mark, records]): readonly Pair[] => {
    const [old, ...moreOld] = records;
    const [now, ...moreNow] = news.get(mark) ?? [];
    if (now === undefined || moreOld.length + moreNow.length > 0) return [];
    return [[familyOf(old.key), now.family]];
  });
  return witness.hasMany === true ? undisputed(found) : found;
}

/** Where a page has many marks, no two of them may say different things. */
function undisputed(found: readonly Pair[]): readonly Pair[] {
  const sides = [...groupedBy(found, ([from]) => [from]), ...groupedBy(found, ([, to]) => [to])];
  const disputed = new Set(
    sides.flatMap(([family, [first, ...more]]) =>
      more.some(([from, to]) => from !== first[0] || to !== first[1]) ? [family] : [],
    ),
  );
  return found.filter(([from, to]) => !disputed.has(from) && !disputed.has(to));
}

function known(marks: Marks): readonly string[] {
  if (marks === undefined) return [];
  return typeof marks === 'string' ? [marks] : marks;
}

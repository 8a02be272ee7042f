import { cutExcerpt, EXCERPT_CHARS_MAX } from '../../content/document/excerpt.ts';
import { digestOfText } from '../../model/digest.ts';
import type { Fields } from '../../model/fields.ts';
import type { Kind } from '../../model/key.ts';
import { addAll } from '../../text/many.ts';
import { oneLine } from '../text/plain-text.ts';
import type { SourceTag } from '../record.ts';
import type { SortedOut, WantedRecord } from './sort-out.ts';
import { freeSlugs, slugOf } from './slugs.ts';

/** A record with the values of its front matter; references are ids of the source. */
export interface Arranged {
  readonly kind: Kind;
  readonly id: string;
  readonly lang: string;
  readonly fields: Fields;
  readonly notes: readonly string[];
  /** Undefined for what the import makes itself: tags, and names of categories that the default language lacks. */
  readonly source: WantedRecord | undefined;
}

const LOST: Pick<WantedRecord, 'id' | 'mark' | 'title'> = {
  id: 'imported',
  mark: 'imported',
  title: 'Imported',
};

interface Draft {
  readonly kind: Kind;
  readonly id: string;
  readonly mark: string;
  readonly lang: string;
  readonly title: string;
  readonly slug?: string | undefined;
  readonly fields: Fields;
  readonly notes: string[];
  readonly source: WantedRecord | undefined;
}

/**
 * Gives records their slugs, numbers and references. Categories and tags exist in the default language, because
 * nothing else could name them.
 */
export function arrange({ records, defaultLanguage }: SortedOut): readonly Arranged[] {
  const categories = records.filter(({ kind }) => kind === 'category');
  const articles = records.filter(({ kind }) => kind === 'article');
  const parentOf = parents(categories);
  const known = new Set(categories.map(({ id }) => id));
  const tags = tagsOf(articles);
  const numbers = new Map([...ranks(categories), ...ranks(articles)]);
  const drafts: Draft[] = [
    ...categories.map((record): Draft => {
      const { parent, note } = parentOf(record);
      const numbered = numbers.get(record);
      const fields = {
        name: record.title,
        ...(parent === undefined ? {} : { categoryParent: parent }),
        ...(numbered === undefined ? {} : { priority: numbered }),
        ...(record.summary === undefined ? {} : { description: oneLine(record.summary) }),
        ...(record.iconUrl === undefined ? {} : { iconUrl: record.iconUrl }),
      };
      return draftOf(record, fields, [...record.notes, ...(note === undefined ? [] : [note])]);
    }),
    ...articles.map((record) => articleDraft(record, { known, tags, number: numbers.get(record) })),
  ];
  const isLost =
    drafts.some(({ fields }) => [fields['categories']].flat().includes(LOST.id)) && !known.has(LOST.id);
  if (isLost)
    drafts.push({
      kind: 'category',
      ...LOST,
      lang: defaultLanguage,
      fields: { name: LOST.title },
      notes: [],
      source: undefined,
    });
  for (const tag of new Set(tags.values())) {
    const { name, slug, description } = tag;
    const fields = {
      name: oneLine(name),
      ...(description === undefined ? {} : { description: oneLine(description) }),
    };
    const mark = digestOfText(tagName(tag)).slice(0, 8);
    drafts.push({
      kind: 'tag',
      id: tagName(tag),
      mark,
      lang: defaultLanguage,
      title: name,
      slug,
      fields,
      notes: [],
      source: undefined,
    });
  }
  addAll(drafts, namedInDefault(categories, defaultLanguage, parentOf));
  const slugs = freeSlugs(drafts);
  return drafts.map((draft) => {
    const { kind, id, lang, fields, notes, source } = draft;
    return { kind, id, lang, notes, source, fields: { ...fields, slug: slugs.get(draft) ?? draft.mark } };
  });
}

function draftOf(record: WantedRecord, fields: Fields, notes: readonly string[]): Draft {
  const { kind, id, mark, lang, title, slug } = record;
  return { kind, id, mark, lang, title, slug, fields, notes: [...notes], source: record };
}

interface Around {
  readonly known: ReadonlySet<string>;
  readonly tags: ReadonlyMap<string, SourceTag>;
  readonly number: number | undefined;
}

function articleDraft(record: WantedRecord, { known, tags, number }: Around): Draft {
  const notes = [...record.notes];
  const found = record.parents.filter((id) => known.has(id));
  const isLost = found.length === 0 && record.parents.length > 0;
  if (isLost) notes.push(`its category ${record.parents[0] ?? ''} is not in the files that kbsync read`);
  const summary = oneLine(record.summary ?? '');
  if (summary.length > EXCERPT_CHARS_MAX) {
    notes.push(`its excerpt had ${summary.length} characters and was cut to ${EXCERPT_CHARS_MAX}`);
  }
  const fields: Fields = {
    title: record.title,
    categories: isLost ? [LOST.id] : [...new Set(found)].sort(),
    tags: [...new Set(record.tags.map(tagName))].filter((name) => tags.has(name)).sort(),
    ...(summary === '' ? {} : { excerpt: cutExcerpt(summary) }),
    ...(number === undefined ? {} : { ordering: number }),
    status: record.isDraft || record.restricted !== undefined ? 'draft' : 'published',
    ...(record.hideFromSearch === true ? { hideFromSearch: true } : {}),
    ...(record.bannerUrl === undefined ? {} : { seoBannerUrl: record.bannerUrl }),
  };
  return draftOf(record, fields, notes);
}

/** The parent that a category may have: one that came, and none that would close a circle. */
function parents(
  categories: readonly WantedRecord[],
): (record: WantedRecord) => { readonly parent?: string; readonly note?: string } {
  const above = new Map<string, string>();
  for (const { id, parents: named } of categories) {
    const [parent] = named;
    if (parent !== undefined && !above.has(id)) above.set(id, parent);
  }
  const known = new Set(categories.map(({ id }) => id));
  return ({ id, parents: [parent] }) => {
    if (parent === undefined) return {};
    if (!known.has(parent)) return { note: `its parent ${parent} is not in the files that kbsync read` };
    const seen = new Set([id]);
    for (let at: string | undefined = parent; at !== undefined; at = above.get(at)) {
      if (!seen.has(at)) seen.add(at);
      else if (isFirstOf(id, above))
        return { note: `its parent ${parent} is also below it, so it has no parent now` };
      else break;
    }
    return { parent };
  };
}

/** Of a circle of categories the one with the first id loses its parent; what hangs below the circle keeps its own. */
function isFirstOf(id: string, above: ReadonlyMap<string, string>): boolean {
  const circle: string[] = [];
  for (let at = above.get(id); at !== undefined && !circle.includes(at); at = above.get(at)) circle.push(at);
  return circle.includes(id) && [...circle].sort()[0] === id;
}

/** Names of categories that only another language has. */
function namedInDefault(
  categories: readonly WantedRecord[],
  defaultLanguage: string,
  parentOf: ReturnType<typeof parents>,
): readonly Draft[] {
  const there = new Set(categories.filter(({ lang }) => lang === defaultLanguage).map(({ id }) => id));
  const drafts: Draft[] = [];
  for (const record of categories) {
    if (there.has(record.id)) continue;
    there.add(record.id);
    const { parent } = parentOf(record);
    const fields = { name: record.title, ...(parent === undefined ? {} : { categoryParent: parent }) };
    const note = `it has no name in ${defaultLanguage}, so its name in ${record.lang} is used`;
    drafts.push({ ...draftOf(record, fields, [note]), lang: defaultLanguage, source: undefined });
  }
  return drafts;
}

export function tagName({ name, slug }: SourceTag): string {
  return (slugOf(slug ?? '') || slugOf(name) || oneLine(name)).toLowerCase();
}

/** Tags with the same name in any case are one; the first spelling by name wins. */
function tagsOf(articles: readonly WantedRecord[]): ReadonlyMap<string, SourceTag> {
  const tags = new Map<string, SourceTag>();
  const all = articles.flatMap((article) => article.tags).filter(({ name }) => oneLine(name) !== '');
  for (const tag of all.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))) {
    const at = tagName(tag);
    if (!tags.has(at)) tags.set(at, tag);
  }
  return tags;
}

/**
 * 0, 10, 20… inside each category where the source put its records in an order: its own numbers may be negative, equal,
 * or have ten digits. Ties go by title.
 */
function ranks(records: readonly WantedRecord[]): ReadonlyMap<WantedRecord, number> {
  const groups = new Map<string, WantedRecord[]>();
  for (const record of records) {
    const group = `${record.kind} ${record.lang} ${record.parents[0] ?? ''}`;
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [record]);
    else members.push(record);
  }
  const numbers = new Map<WantedRecord, number>();
  for (const members of groups.values()) {
    const positions = new Set(members.map(({ position }) => position));
    if (positions.size < 2) continue;
    const last = Number.MAX_VALUE;
    members
      .sort(
        (a, b) =>
          (a.position ?? last) - (b.position ?? last) ||
          (a.title < b.title ? -1 : Number(a.title > b.title)) ||
          (a.id < b.id ? -1 : 1),
      )
      .forEach((record, index) => numbers.set(record, index * 10));
  }
  return numbers;
}

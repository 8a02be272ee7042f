import { digestOfText } from '../../../model/digest.ts';
import { finite, idText, isoTime, objectsIn, said, text, texts } from '../../text/json-values.ts';
import { textOfHtml } from '../../text/plain-text.ts';
import type { Harvest, Skipped, SourceRecord, System } from '../../record.ts';
import { idOf, readFile, titleOf } from './files.ts';
import type { Found, Item } from './files.ts';
import type { JsonObject } from '../../../text/json-value.ts';

/** Zendesk Help Center: the pages of its API in any order, single records, recorded answers, and the nested form of apps. */
export const zendesk: System = {
  extensions: ['.json'],
  open: () => {
    const found: Found = { articles: [], sections: [], categories: [], translations: [], isClosed: false };
    const skipped: Skipped[] = [];
    return {
      read: (file) => readFile(file, found, skipped),
      end: () => harvest(found, skipped),
    };
  },
  linkNames,
};

function harvest(found: Found, skipped: Skipped[]): Harvest {
  const byOwner = new Map<string, Item[]>();
  for (const item of found.translations) {
    const owner = `${text(item.value['source_type']).toLowerCase()} ${idText(item.value['source_id']) ?? ''}`;
    byOwner.set(owner, [...(byOwner.get(owner) ?? []), item]);
  }
  const segments = new Map<string, string>();
  for (const { value } of found.articles) {
    const [id, segment] = [idText(value['id']), segmentOf(value)];
    if (id !== undefined && segment !== undefined) segments.set(id, segment);
  }
  const context: Context = { byOwner, segments, isClosed: found.isClosed, used: new Set(), made: new Map() };
  const records = [
    ...found.categories.flatMap((item) => categoryRecords(item, 'category', context)),
    ...found.sections.flatMap((item) => categoryRecords(item, 'section', context)),
    ...found.articles.flatMap((item) => articleRecords(item, context)),
  ];
  for (const item of found.translations) {
    if (context.used.has(item)) continue;
    const what = `translation ${idText(item.value['id']) ?? ''} of ${text(item.value['source_type'])} ${idText(item.value['source_id']) ?? ''}`;
    skipped.push({
      at: item.at,
      what,
      reason: 'broken',
      why: 'what it translates is not in the files that kbsync read',
    });
  }
  return { records, skipped };
}

interface Context {
  readonly byOwner: ReadonlyMap<string, readonly Item[]>;
  /** Article → the segment that alone may read it in any language; not every file says it. */
  readonly segments: ReadonlyMap<string, string>;
  readonly isClosed: boolean;
  readonly used: Set<Item>;
  /** Ids that were made up → the text of their record. */
  readonly made: Map<string, string>;
}

/** The record itself, if no translation says the same, and each translation. */
function versions(item: Item, type: 'article' | 'section' | 'category', context: Context): readonly Item[] {
  const inner = objectsIn(item.value['translations']).map((value, index): Item => {
    return {
      value,
      at: { ...item.at, where: `${item.at.where}.translations[${index}]` },
      inside: item.inside,
    };
  });
  const outer = context.byOwner.get(`${type} ${idText(item.value['id']) ?? ''}`) ?? [];
  for (const each of outer) context.used.add(each);
  const all = [...inner, ...outer];
  const own = text(item.value['locale']).toLowerCase();
  return all.some(({ value }) => text(value['locale']).toLowerCase() === own && own !== '')
    ? all
    : [item, ...all];
}

function categoryRecords(
  item: Item,
  type: 'category' | 'section',
  context: Context,
): readonly SourceRecord[] {
  const { value, inside } = item;
  const scope = type === 'section' ? (inside.category ?? '') : '';
  const id = idOf(value, scope);
  const parent =
    type === 'category'
      ? undefined
      : (prefixed('section', idText(value['parent_section_id'])) ??
        prefixed('category', idText(value['category_id']) ?? idText(value['categoryId']) ?? inside.category));
  const position = finite(value['position']);
  return versions(item, type, context).flatMap(({ value: version, at }): SourceRecord[] => {
    const name = titleOf(version) || said(value['platform']) || '';
    const description = version === value ? version['description'] : version['body'];
    return [
      {
        kind: 'category',
        id: `${type}-${id}`,
        mark: id,
        lang: said(version['locale']) ?? said(value['locale']),
        sourceLang: said(value['source_locale']),
        title: name,
        slug: slugFrom(text(value['html_url'])),
        html: '',
        summary: said(textOfHtml(text(description))),
        parents: parent === undefined ? [] : [parent],
        tags: [],
        isDraft: false,
        position,
        updated: isoTime(value['updated_at']),
        addresses: addressesOf(version, value),
        names: [`${type} ${id}`],
        notes: version['draft'] === true || version['hidden'] === true ? ['its translation was a draft'] : [],
        at,
      },
    ];
  });
}

function articleRecords(item: Item, context: Context): readonly SourceRecord[] {
  const { value, inside } = item;
  const id = articleId(item, context);
  const section = prefixed('section', idText(value['section_id']) ?? inside.section);
  const restricted = restriction(segmentOf(value) ?? context.segments.get(id), context);
  return versions(item, 'article', context).map(({ value: version, at }): SourceRecord => {
    const isHidden = version['hidden'] === true;
    return {
      kind: 'article',
      id,
      mark: id,
      lang: said(version['locale']) ?? said(value['locale']),
      sourceLang: said(value['source_locale']),
      title: titleOf(version) || (version === value ? '' : titleOf(value)),
      slug: slugFrom(text(version['html_url'])) ?? (version === value ? undefined : slugIn(value, version)),
      html: text(version['body']),
      parents: section === undefined ? [] : [section],
      tags: texts(value['label_names']).map((name) => ({ name })),
      isDraft: (version['draft'] ?? value['draft']) === true || isHidden,
      restricted,
      position: finite(value['position']),
      updated: isoTime(version['updated_at']) ?? isoTime(value['updated_at']),
      author: idText(value['author_id']),
      addresses: addressesOf(version, value),
      names: [`article ${id}`],
      notes: articleNotes(value),
      at,
    };
  });
}

/** Two records that say the same where an id would be made of it are told apart by their texts. */
function articleId({ value, inside }: Item, { made }: Context): string {
  const own = idText(value['id']);
  if (own !== undefined) return own;
  const body = text(value['body']);
  const id = idOf(value, `${inside.category ?? ''} ${inside.section ?? ''}`);
  const other = made.get(id);
  if (other === undefined || other === body) {
    made.set(id, body);
    return id;
  }
  return digestOfText(`${id} ${body}`).slice(0, 8);
}

function prefixed(type: 'section' | 'category', id: string | undefined): string | undefined {
  return id === undefined ? undefined : `${type}-${id}`;
}

function restriction(segment: string | undefined, { isClosed }: Context): string | undefined {
  if (segment !== undefined) return `only the user segment ${segment} may read it`;
  return isClosed ? 'the help centre asks for a sign-in' : undefined;
}

function segmentOf(value: JsonObject): string | undefined {
  return idText(value['user_segment_id']) ?? idText([value['user_segment_ids']].flat()[0]);
}

function articleNotes(value: JsonObject): readonly string[] {
  const contentTags = [value['content_tag_ids']].flat().flatMap((id) => idText(id) ?? []);
  const attachments = objectsIn(value['attachments']).length;
  return [
    ...(value['promoted'] === true ? ['it was promoted: shown before all others'] : []),
    ...(contentTags.length === 0
      ? []
      : [`its content tags have no names in the export: ${contentTags.join(', ')}`]),
    ...(attachments === 0 ? [] : [`kbsync does not import its attachments: ${attachments}`]),
  ];
}

/** `/hc/en-us/articles/123-Some-title-` → `Some-title-`; the language's own title made it, if the language says the same. */
function slugFrom(url: string): string | undefined {
  const name = /\/(?:articles|sections|categories)\/\d+-([^/?#]*)/.exec(url)?.[1];
  if (name === undefined) return undefined;
  try {
    return said(decodeURIComponent(name).replaceAll(/-+/g, ' '));
  } catch {
    return undefined;
  }
}

/** The record's address is in its own language; another language makes its slug of its own title. */
function slugIn(value: JsonObject, version: JsonObject): string | undefined {
  const isSame = text(value['locale']).toLowerCase() === text(version['locale']).toLowerCase();
  return isSame ? slugFrom(text(value['html_url'])) : undefined;
}

function addressesOf(version: JsonObject, value: JsonObject): readonly string[] {
  const isOwn = text(value['locale']).toLowerCase() === text(version['locale']).toLowerCase();
  const all = [...(isOwn || version === value ? [value['html_url']] : []), version['html_url']];
  return [...new Set(all.flatMap((url) => said(url) ?? []).filter((url) => /^https?:\/\//.test(url)))];
}

const LINK =
  /^(?:https?:\/\/[^/]+)?\/(?:hc\/(?:[a-z]{2,3}(?:-[\w-]+)?\/)?(articles|sections|categories)|(entries))\/(\d+)/i;
const TYPES: Readonly<Record<string, string>> = {
  articles: 'article',
  entries: 'article',
  sections: 'section',
  categories: 'category',
};

/** By id, with any language, host and title in the address. */
function linkNames(url: string): readonly string[] {
  const [, list, old, id] = LINK.exec(url.trim()) ?? [];
  const type = TYPES[(list ?? old ?? '').toLowerCase()];
  return type === undefined || id === undefined ? [] : [`${type} ${id}`];
}

import { finite, idText, isoTime, objectsIn, parsedJson, said, text } from '../text/json-values.ts';
import { textOfHtml, unlessTooDeep } from '../text/plain-text.ts';
import type { InputText, Skipped, SourcePlace, SourceRecord, System } from '../record.ts';
import {
  classesOf,
  parseHtml,
  type ElementContent,
  type HastContent,
} from '../../content/html-to-markdown/hast.ts';
import { htmlOf } from '../../content/html-to-markdown/serialise.ts';
import { labelsFor } from '../../content/labels.ts';
import { isJsonObject, type JsonObject } from '../../text/json-value.ts';

/** Intercom: answers of its API with articles and collections, one or many, in any order. */
export const intercom: System = {
  extensions: ['.json'],
  open: ({ language }) => {
    const records: SourceRecord[] = [];
    const skipped: Skipped[] = [];
    return {
      read: (file) => readFile(file, { records, skipped, language }),
      end: () => ({ records, skipped }),
    };
  },
  linkNames: (url) => {
    const [, list, id] = /\/(articles|collections)\/(\d+)/i.exec(url) ?? [];
    return id === undefined ? [] : [`${list?.toLowerCase() === 'articles' ? 'article' : 'collection'} ${id}`];
  },
};

interface Out {
  readonly language: string;
  readonly records: SourceRecord[];
  readonly skipped: Skipped[];
}

const DEPTH_MAX = 8;

function readFile({ path, text: source }: InputText, out: Out): void {
  const parsed = parsedJson(path, source);
  if ('skipped' in parsed) return void out.skipped.push(parsed.skipped);
  const before = out.records.length + out.skipped.length;
  collect(parsed.value, { file: path, where: '' }, out, 0);
  if (out.records.length + out.skipped.length > before) return;
  const why = 'there are no articles or collections in it';
  out.skipped.push({ at: { file: path, where: 'file' }, what: 'file', reason: 'kind', why });
}

/** Records wherever they stand: lists, pages of a search, recorded answers. */
function collect(value: unknown, at: SourcePlace, out: Out, depth: number): void {
  if (depth > DEPTH_MAX) return;
  if (Array.isArray(value)) {
    value.forEach((each: unknown, index) =>
      collect(each, { ...at, where: `${at.where}[${index}]` }, out, depth + 1),
    );
    return;
  }
  if (!isJsonObject(value)) return;
  const place = { ...at, where: at.where === '' ? 'file' : at.where };
  const what = text(value['object']);
  if (value['deleted'] === true && /^(?:internal_)?(?:article|collection)$/.test(what)) {
    const id = idText(value['id']) ?? '';
    out.skipped.push({ at: place, what: `${what} ${id}`, reason: 'trash', why: 'it was deleted' });
  } else if (value['type'] === 'article' && typeof value['title'] === 'string' && 'state' in value) {
    out.records.push(...articles(value, place, out.language));
  } else if (isInternal(value)) out.records.push(internal(value, place));
  else if (isCollection(value)) out.records.push(...collections(value, place));
  else {
    for (const [name, each] of Object.entries(value)) {
      collect(each, { ...at, where: at.where === '' ? name : `${at.where}.${name}` }, out, depth + 1);
    }
  }
}

/** Articles for the team have neither a type nor a state. */
function isInternal(value: JsonObject): boolean {
  return 'owner_id' in value && typeof value['body'] === 'string' && idText(value['id']) !== undefined;
}

/** Collections have no `type` of their own. */
function isCollection(value: JsonObject): boolean {
  const isNamed = typeof value['name'] === 'string' && idText(value['id']) !== undefined;
  const isOurs = value['type'] === undefined || value['type'] === 'collection' || value['type'] === 'section';
  return isNamed && isOurs && ('help_center_id' in value || ('order' in value && 'parent_id' in value));
}

interface Version {
  readonly lang: string | undefined;
  readonly value: JsonObject;
}

/** The record itself is its default language; the others stand below it, null where there is none. */
function versions(value: JsonObject): readonly Version[] {
  const own = said(value['default_locale']) ?? languageIn(text(value['url']));
  const translated = isJsonObject(value['translated_content']) ? value['translated_content'] : {};
  const others = Object.entries(translated).flatMap(([lang, version]): readonly Version[] =>
    isJsonObject(version) ? [{ lang, value: version }] : [],
  );
  return others.some(({ lang }) => lang === own) ? others : [{ lang: own, value }, ...others];
}

function languageIn(url: string): string | undefined {
  return /^https?:\/\/[^/]+(?:\/[^/]+)?\/([a-z]{2}(?:-[a-z]{2})?)\/(?:articles|collections)\//i.exec(
    url,
  )?.[1];
}

function articles(value: JsonObject, at: SourcePlace, language: string): readonly SourceRecord[] {
  const id = idText(value['id']) ?? text(value['title']);
  const many = [value['parent_ids']].flat().flatMap((parent) => idText(parent) ?? []);
  const one = idText(value['parent_id']);
  const parents = many.length > 0 ? many : one === undefined ? [] : [one];
  const tags = isJsonObject(value['tags']) ? objectsIn(value['tags']['tags']) : objectsIn(value['tags']);
  return versions(value).map(({ lang, value: version }): SourceRecord => {
    const url = text(version['url'] ?? (version === value ? undefined : null));
    return {
      kind: 'article',
      id,
      mark: id,
      lang,
      sourceLang: said(value['default_locale']),
      title: text(version['title']),
      slug: /\/articles\/\d+-([^/?#]+)/.exec(url)?.[1],
      html: withBoxes(text(version['body']), lang ?? language),
      summary: said(textOfHtml(text(version['description']))),
      parents: parents.map((parent) => `collection-${parent}`),
      tags: tags.map((tag) => ({ name: text(tag['name']) })),
      isDraft: (version['state'] ?? value['state']) !== 'published',
      updated: isoTime(version['updated_at'], 's') ?? isoTime(value['updated_at'], 's'),
      author: idText(version['author_id']),
      // An address without the number is the help centre's own.
      addresses: /\/articles\/\d/.test(url) ? [url] : [],
      names: [`article ${id}`],
      notes: [],
      at,
    };
  });
}

/** For the team alone; it has no state and no address. */
function internal(value: JsonObject, at: SourcePlace): SourceRecord {
  const id = idText(value['id']) ?? text(value['title']);
  return {
    kind: 'article',
    id: `internal-${id}`,
    mark: id,
    lang: said(value['locale']),
    title: text(value['title']),
    html: text(value['body']),
    parents: [],
    tags: [],
    isDraft: true,
    restricted: 'it was an internal article',
    updated: isoTime(value['updated_at'], 's'),
    author: idText(value['author_id']),
    addresses: [],
    names: [],
    notes: [],
    at,
  };
}

function collections(value: JsonObject, at: SourcePlace): readonly SourceRecord[] {
  const id = idText(value['id']) ?? '';
  const parent = idText(value['parent_id']);
  const icon = text(value['icon']);
  return versions(value).map(({ lang, value: version }): SourceRecord => {
    const url = text(version['url']);
    return {
      kind: 'category',
      id: `collection-${id}`,
      mark: id,
      lang,
      sourceLang: said(value['default_locale']),
      title: text(version['name']),
      html: '',
      summary: said(textOfHtml(text(version['description']))),
      parents: parent === undefined ? [] : [`collection-${parent}`],
      tags: [],
      isDraft: false,
      position: finite(value['order']),
      updated: isoTime(value['updated_at'], 's'),
      addresses: /\/collections\/\d/.test(url) ? [url] : [],
      names: [`collection ${id}`],
      iconUrl: icon.startsWith('https://') ? icon : undefined,
      notes: [],
      at,
    };
  });
}

/** Intercom's coloured boxes as the notes that our files know; everything else stays as it is. */
function withBoxes(html: string, lang: string): string {
  if (!html.includes('intercom-interblocks-callout')) return html;
  const title: ElementContent = {
    type: 'element',
    tagName: 'p',
    properties: { className: ['admonition-title'] },
    children: [{ type: 'text', value: labelsFor(lang).note }],
  };
  const boxed = <N extends HastContent>(node: N): N => {
    if (node.type !== 'element') return node;
    const children = node.children.map(boxed);
    if (!classesOf(node).includes('intercom-interblocks-callout')) return { ...node, children };
    return {
      ...node,
      tagName: 'div',
      properties: { className: ['admonition', 'note'] },
      children: [title, ...children],
    };
  };
  return unlessTooDeep(() => htmlOf(parseHtml(html).children.map(boxed)), html);
}

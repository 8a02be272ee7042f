import { basename, dirname } from 'node:path';
import { yaml } from '../../../content/parsers.ts';
import { digestOfText } from '../../../model/digest.ts';
import { finite, idText, isoTime, objectsIn, parsedJson, said, text } from '../../text/json-values.ts';
import type { InputText, Skipped, SourcePlace } from '../../record.ts';
import { UNSAID, type ConfluencePage } from './page.ts';
import {
  elementsOf,
  parseHtml,
  textOf,
  type HastElement,
  type HastParent,
} from '../../../content/html-to-markdown/hast.ts';
import { htmlOf } from '../../../content/html-to-markdown/serialise.ts';
import { oneLine, unlessTooDeep } from '../../text/plain-text.ts';
import { isJsonObject, type JsonObject } from '../../../text/json-value.ts';

export interface PagesFound {
  readonly pages: ConfluencePage[];
  readonly skipped: Skipped[];
  /** Ids of pages that only some may read. */
  readonly restricted: Set<string>;
  /** What a file beside a text says of it, by their folder. */
  readonly beside: Map<string, JsonObject>;
}

/** Takes the pages of a file in any of its forms. */
export function readPages({ path, text: source }: InputText, found: PagesFound): void {
  const { pages, skipped } = found;
  const at = { file: path, where: 'file' };
  const leave = (reason: Skipped['reason'], why: string): void =>
    void skipped.push({ at, what: 'file', reason, why });
  const plain = source.replace(/^\uFEFF/, '');
  if (/\.json$/i.test(path) || /^\s*[[{]/.test(plain)) {
    const parsed = parsedJson(path, plain);
    if ('skipped' in parsed) return void skipped.push(parsed.skipped);
    const before = pages.length + skipped.length;
    collect(parsed.value, { at: { file: path, where: '' }, base: undefined, found, depth: 0 });
    if (pages.length + skipped.length === before) leave('kind', 'there are no pages in it');
  } else if (/\.ya?ml$/i.test(path)) {
    const value = yamlOf(plain);
    if (isJsonObject(value) && value['type'] === 'page' && typeof value['title'] === 'string')
      found.beside.set(dirname(path), value);
    else leave('kind', 'there is no page in it');
  } else if (/<hibernate-generic\b/.test(plain.slice(0, 2000))) {
    leave(
      'broken',
      'kbsync cannot read a space that was exported as XML: export it as HTML, or name files with answers of the REST API',
    );
  } else if (/id="main-content"/.test(plain)) {
    const page = exportedPage(path, plain);
    if (page === undefined) leave('kind', 'it lists the pages of the export');
    else pages.push(page);
  } else if (plain.trim() === '') leave('broken', 'it is empty');
  else pages.push(storageFile(path, plain));
}

/** A bare text; its folder or file names it until a file beside it does. */
function storageFile(path: string, storage: string): ConfluencePage {
  const stem = basename(path).replace(/\.\w+$/, '');
  const name = stem === 'page' ? basename(dirname(path)) : stem;
  const id = /^\d+$/.test(name) ? name : digestOfText(path).slice(0, 8);
  return { ...UNSAID, id, title: name, isNamedByFile: true, storage, at: { file: path, where: 'file' } };
}

function yamlOf(source: string): unknown {
  try {
    return yaml().parse(source, { schema: 'core', logLevel: 'silent' });
  } catch {
    return undefined;
  }
}

interface Walk {
  readonly at: SourcePlace;
  readonly base: string | undefined;
  readonly found: PagesFound;
  readonly depth: number;
}

const DEPTH_MAX = 8;

function collect(value: unknown, walk: Walk): void {
  if (walk.depth > DEPTH_MAX) return;
  const { at, found } = walk;
  if (Array.isArray(value)) {
    value.forEach((each: unknown, index) =>
      collect(each, { ...walk, at: { ...at, where: `${at.where}[${index}]` }, depth: walk.depth + 1 }),
    );
    return;
  }
  if (!isJsonObject(value)) return;
  const base = baseIn(value) ?? walk.base;
  if (isPage(value)) {
    found.pages.push(apiPage(value, base, { ...at, where: at.where === '' ? 'file' : at.where }));
    return;
  }
  if (value['operation'] === 'read' && isJsonObject(value['restrictions'])) {
    const of = isJsonObject(value['_expandable'])
      ? /content\/(\d+)/.exec(text(value['_expandable']['content']))?.[1]
      : undefined;
    if (of !== undefined && isLimited(value['restrictions'])) found.restricted.add(of);
    return;
  }
  for (const [name, each] of Object.entries(value)) {
    if (name.startsWith('_')) continue;
    const where = at.where === '' ? name : `${at.where}.${name}`;
    collect(each, { ...walk, base, at: { ...at, where }, depth: walk.depth + 1 });
  }
}

function isPage(value: JsonObject): boolean {
  if (typeof value['title'] !== 'string' || idText(value['id']) === undefined) return false;
  return (
    value['type'] === 'page' || value['type'] === 'blogpost' || ('spaceId' in value && 'status' in value)
  );
}

/** Users or groups that alone may read. */
function isLimited(restrictions: JsonObject): boolean {
  return ['user', 'group'].some((name) => {
    const list = restrictions[name];
    return isJsonObject(list) && objectsIn(list['results']).length > 0;
  });
}

function baseIn(value: JsonObject): string | undefined {
  const links = isJsonObject(value['_links']) ? value['_links'] : {};
  return (
    said(links['base']) ?? /^https?:\/\/[^/]+(?:\/wiki)?(?=\/rest\/api\/)/.exec(text(links['self']))?.[0]
  );
}

/** A record of REST v1 or v2. */
export function apiPage(value: JsonObject, base: string | undefined, at: SourcePlace): ConfluencePage {
  const object = (name: string, of: JsonObject = value): JsonObject =>
    isJsonObject(of[name]) ? of[name] : {};
  const links = object('_links');
  const ancestors = objectsIn(value['ancestors']).flatMap((each) => {
    const id = idText(each['id']);
    return id === undefined ? [] : [{ id, title: text(each['title']) }];
  });
  const version = object('version');
  const labels = [
    ...objectsIn(object('labels', object('metadata'))['results']),
    ...objectsIn(object('labels')['results']),
  ];
  const read = object('read', object('restrictions'));
  return {
    ...UNSAID,
    id: idText(value['id']) ?? '',
    title: text(value['title']),
    status: said(value['status']) ?? 'draft',
    parent: idText(value['parentId']) ?? ancestors.at(-1)?.id,
    ancestors,
    storage: text(object('storage', object('body'))['value']),
    labels: labels
      .filter((label) => (said(label['prefix']) ?? 'global') === 'global')
      .flatMap((label) => said(label['name']) ?? []),
    position: finite(value['position']) ?? finite(object('extensions')['position']),
    updated: isoTime(version['when']) ?? isoTime(version['createdAt']),
    author: idText(value['authorId']),
    isRestricted: isLimited(object('restrictions', read)),
    base: baseIn(value) ?? base,
    paths: ['webui', 'tinyui'].flatMap((name) => said(links[name]) ?? []),
    at,
  };
}

/** A page of an export as HTML; undefined for the list of pages. */
function exportedPage(path: string, html: string): ConfluencePage | undefined {
  if (/^index\.html?$/i.test(basename(path))) return undefined;
  return unlessTooDeep(() => pageIn(path, html), undefined) ?? { ...pageIn(path, ''), html };
}

function pageIn(path: string, html: string): ConfluencePage {
  const tree = parseHtml(html);
  const title = elementWith(tree, 'title-text');
  const content = elementWith(tree, 'main-content');
  const crumbs = elementWith(tree, 'breadcrumbs');
  const parents = (crumbs === undefined ? [] : linksIn(crumbs)).flatMap(({ href, text }) => {
    const id = pageIdIn(href);
    return id === undefined ? [] : [{ id, title: text }];
  });
  // "Space : Title"
  const name = oneLine(title === undefined ? '' : textOf(title)).replace(/^.*? : /, '');
  return {
    ...UNSAID,
    id: pageIdIn(basename(path)) ?? digestOfText(path).slice(0, 8),
    title:
      name === ''
        ? basename(path)
            .replace(/(?:_\d+)?\.html?$/i, '')
            .replaceAll('-', ' ')
        : name,
    parent: parents.at(-1)?.id,
    ancestors: parents,
    html: content === undefined ? '' : htmlOf(content.children),
    isNamedByFile: name === '',
    at: { file: path, where: 'file' },
  };
}

/** `Title_123.html`, `123.html` */
export function pageIdIn(name: string): string | undefined {
  return /(?:^|[_/])(\d+)\.html?(?:[?#].*)?$/i.exec(name)?.[1];
}

function elementWith(parent: HastParent, id: string): HastElement | undefined {
  for (const element of elementsOf(parent)) {
    const found = element.properties['id'] === id ? element : elementWith(element, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function linksIn(parent: HastParent): readonly { readonly href: string; readonly text: string }[] {
  return elementsOf(parent).flatMap((element) => {
    const { href } = element.properties;
    return typeof href === 'string' ? [{ href, text: oneLine(textOf(element)) }] : linksIn(element);
  });
}

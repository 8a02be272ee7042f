import { basename, dirname } from 'node:path';
import { yaml } from '../../content/lazy.ts';
import { digestOfText } from '../../model/digest.ts';
import { finite, idText, isObject, isoTime, objectsIn, parsedJson, said, text } from '../json-values.ts';
import type { JsonObject } from '../json-values.ts';
import type { InputText, Skipped, SourcePlace } from '../record.ts';
import { exportedPage } from './confluence-html.ts';

/** A page as any of the forms says it. */
export interface ConfluencePage {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly parent: string | undefined;
  /** From the top; titles of pages that may not be among what was read. */
  readonly ancestors: readonly { readonly id: string; readonly title: string }[];
  /** Its text: storage format, or HTML of an export as HTML. */
  readonly storage: string;
  readonly html: string | undefined;
  readonly labels: readonly string[];
  readonly position: number | undefined;
  readonly updated: string | undefined;
  readonly author: string | undefined;
  readonly isRestricted: boolean;
  /** `https://x.atlassian.net/wiki`, where the record says it. */
  readonly base: string | undefined;
  /** Below the base. */
  readonly paths: readonly string[];
  /** It had none: the name of its file stands in. */
  readonly isNamedByFile: boolean;
  readonly at: SourcePlace;
}

export interface PagesFound {
  readonly pages: ConfluencePage[];
  readonly skipped: Skipped[];
  /** Ids of pages that only some may read. */
  readonly restricted: Set<string>;
  /** What a file beside a text says of it, by their folder. */
  readonly beside: Map<string, JsonObject>;
}

/** Takes up the pages of a file, whatever form it has. */
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
    if (isObject(value) && value['type'] === 'page' && typeof value['title'] === 'string')
      found.beside.set(dirname(path), value);
    else leave('kind', 'there is no page in it');
  } else if (/<hibernate-generic\b/.test(plain.slice(0, 2000))) {
    leave(
      'broken',
      'an export of a space as XML is not read: export it as HTML, or give answers of the REST API',
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
  return { ...NOTHING, id, title: name, isNamedByFile: true, storage, at: { file: path, where: 'file' } };
}

const NOTHING = {
  status: 'current',
  parent: undefined,
  ancestors: [],
  storage: '',
  html: undefined,
  labels: [],
  position: undefined,
  updated: undefined,
  author: undefined,
  isRestricted: false,
  base: undefined,
  paths: [],
  isNamedByFile: false,
} as const;

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
  if (!isObject(value)) return;
  const base = baseIn(value) ?? walk.base;
  if (isPage(value)) {
    found.pages.push(apiPage(value, base, { ...at, where: at.where === '' ? 'file' : at.where }));
    return;
  }
  if (value['operation'] === 'read' && isObject(value['restrictions'])) {
    const of = isObject(value['_expandable'])
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
    return isObject(list) && objectsIn(list['results']).length > 0;
  });
}

function baseIn(value: JsonObject): string | undefined {
  const links = isObject(value['_links']) ? value['_links'] : {};
  return (
    said(links['base']) ?? /^https?:\/\/[^/]+(?:\/wiki)?(?=\/rest\/api\/)/.exec(text(links['self']))?.[0]
  );
}

/** A record of REST v1 or v2. */
export function apiPage(value: JsonObject, base: string | undefined, at: SourcePlace): ConfluencePage {
  const object = (name: string, of: JsonObject = value): JsonObject => (isObject(of[name]) ? of[name] : {});
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
    ...NOTHING,
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

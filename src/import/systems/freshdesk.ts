import { basename, dirname } from 'node:path';
import { finite, idText, isoTime, objectsIn, parsedJson, said, text, texts } from '../text/json-values.ts';
import { languageCode } from '../records/language.ts';
import { textOfHtml } from '../text/plain-text.ts';
import type {
  Harvest,
  InputText,
  ReaderOptions,
  Skipped,
  SourcePlace,
  SourceRecord,
  System,
} from '../record.ts';
import { isJsonObject, type JsonObject } from '../../text/json-value.ts';

/** Freshdesk solutions: answers of its API (articles, folders, categories; one file per language) in any order. */
export const freshdesk: System = {
  extensions: ['.json'],
  open: (options) => {
    const items: Item[] = [];
    const skipped: Skipped[] = [];
    return { read: (file) => readFile(file, items, skipped), end: () => harvest(items, skipped, options) };
  },
  linkNames: (url) => {
    const [, folder, id] = /\/solutions?\/(?:(articles|folders|categories)\/)?(\d+)/i.exec(url) ?? [];
    if (id === undefined) return [];
    return [`${{ articles: 'article', folders: 'folder' }[folder?.toLowerCase() ?? ''] ?? 'category'} ${id}`];
  },
};

type Kind = 'article' | 'folder' | 'category';

interface Item {
  readonly kind: Kind;
  readonly value: JsonObject;
  readonly lang: string | undefined;
  readonly at: SourcePlace;
}

const LISTS = { articles: 'article', folders: 'folder', categories: 'category' } as const;

function readFile({ path, text: source }: InputText, items: Item[], skipped: Skipped[]): void {
  const parsed = parsedJson(path, source);
  if ('skipped' in parsed) return void skipped.push(parsed.skipped);
  const before = items.length + skipped.length;
  const lang = languageOfFile(path);
  const add = (value: unknown, where: string, list: Kind | undefined): void => {
    const at = { file: path, where };
    if (!isJsonObject(value))
      return void skipped.push({ at, what: 'item', reason: 'broken', why: 'it is not an object' });
    const kind = list ?? kindOf(value, path);
    if (kind === undefined)
      return void skipped.push({
        at,
        what: 'item',
        reason: 'kind',
        why: 'it is not an article, folder or category',
      });
    items.push({ kind, value, lang, at });
    below(value, `${where}.`);
  };
  const below = (value: JsonObject, where: string): void => {
    for (const [name, kind] of Object.entries(LISTS)) {
      const list: unknown = value[name];
      if (Array.isArray(list))
        list.forEach((each: unknown, index) => add(each, `${where}${name}[${index}]`, kind));
    }
  };
  if (Array.isArray(parsed.value))
    parsed.value.forEach((each: unknown, index) => add(each, `[${index}]`, undefined));
  else if (isJsonObject(parsed.value) && kindOf(parsed.value, path) === 'article')
    add(parsed.value, 'file', 'article');
  else if (isJsonObject(parsed.value)) below(parsed.value, '');
  if (items.length + skipped.length > before) return;
  const why = 'there are no articles, folders or categories in it';
  skipped.push({ at: { file: path, where: 'file' }, what: 'file', reason: 'kind', why });
}

/** Folders and categories look alike in small answers: the name of the file tells them apart then. */
function kindOf(value: JsonObject, path: string): Kind | undefined {
  if ('title' in value && ('folder_id' in value || 'status' in value)) return 'article';
  if (!('name' in value)) return undefined;
  if (['visibility', 'category_id', 'parent_folder_id', 'articles_count'].some((name) => name in value))
    return 'folder';
  return /folder/i.test(basename(path)) ? 'folder' : 'category';
}

/** A language is part of the request and not of the answer: `articles_fr.json`, `fr/articles.json`. */
function languageOfFile(path: string): string | undefined {
  const inName = /(?:^|[_.-])([a-z]{2,3}(?:[-_][a-z]{2,4})?)\.json$/i.exec(basename(path))?.[1];
  return [inName, basename(dirname(path))].flatMap((name) => knownLanguage(name) ?? [])[0];
}

function knownLanguage(name: string | undefined): string | undefined {
  if (name === undefined || !/^[a-z]{2,3}(?:[-_][a-z]{2,4})?$/i.test(name)) return undefined;
  const code = languageCode(name);
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  return code !== undefined && names.of(code) !== undefined ? code : undefined;
}

function harvest(items: readonly Item[], skipped: readonly Skipped[], options: ReaderOptions): Harvest {
  const folders = new Map<string, readonly JsonObject[]>();
  for (const { kind, value } of items) {
    if (kind !== 'folder') continue;
    const id = idText(value['id']) ?? '';
    folders.set(id, [...(folders.get(id) ?? []), value]);
  }
  const articles = items.filter(({ kind }) => kind === 'article');
  // Small answers leave out which category a folder is in; its articles say it.
  const categoryOf = new Map(
    articles.map(({ value }) => [idText(value['folder_id']) ?? '', idText(value['category_id'])] as const),
  );
  const { site, publish } = options;
  const context: Context = { site, publish, folders, categoryOf };
  const records = [
    ...items.filter(({ kind }) => kind !== 'article').map((item) => category(item, context)),
    ...articles.map((item) => article(item, context)),
  ];
  const known = new Set(
    records.filter(({ kind }) => kind === 'category').map(({ id, lang }) => `${id} ${lang ?? ''}`),
  );
  const named = articles
    .flatMap((item) => hierarchyOf(item))
    .filter(({ id, lang }) => !known.has(`${id} ${lang ?? ''}`));
  const distinct = new Map(named.map((record) => [`${record.id} ${record.lang ?? ''}`, record]));
  return { records: [...distinct.values(), ...records], skipped };
}

interface Context {
  readonly site: string | undefined;
  readonly publish: boolean;
  readonly folders: Folders;
  readonly categoryOf: ReadonlyMap<string, string | undefined>;
}

function article({ value, lang, at }: Item, { site, publish, folders }: Context): SourceRecord {
  const id = idText(value['id']) ?? text(value['title']);
  const folder = idText(value['folder_id']);
  const category = idText(value['category_id']);
  const seo = isJsonObject(value['seo_data']) ? value['seo_data'] : {};
  const address = site === undefined ? undefined : `${site}/support/solutions/articles/${id}`;
  const attachments = objectsIn(value['attachments']).length + objectsIn(value['cloud_files']).length;
  return {
    kind: 'article',
    id,
    mark: id,
    lang: languageIn(value) ?? lang,
    title: text(value['title']),
    html: text(value['description']),
    summary: said(seo['meta_description']),
    parents:
      folder !== undefined ? [`folder-${folder}`] : category !== undefined ? [`category-${category}`] : [],
    tags: texts(value['tags']).map((name) => ({ name })),
    isDraft: value['status'] !== 2,
    restricted: closedFolder(folder, folders) ?? (publish ? undefined : unknownFolder(folder, folders)),
    position: finite(value['position']),
    updated: isoTime(value['updated_at']),
    author: idText(value['agent_id']),
    addresses: address === undefined ? [] : [address],
    names: [`article ${id}`],
    notes: [
      ...(value['type'] === 2 ? ['it was a workaround'] : []),
      ...(attachments === 0 ? [] : [`kbsync does not import its attachments: ${attachments}`]),
    ],
    at,
  };
}

function category({ kind, value, lang, at }: Item, { site, folders, categoryOf }: Context): SourceRecord {
  const id = idText(value['id']) ?? text(value['name']);
  const outer = idText(value['parent_folder_id']);
  const top = idText(value['category_id']) ?? categoryOf.get(id);
  const parent =
    kind === 'category'
      ? undefined
      : outer !== undefined
        ? `folder-${outer}`
        : top === undefined
          ? undefined
          : `category-${top}`;
  const path = kind === 'folder' ? `folders/${id}` : id;
  const portals = value['visible_in_portals'];
  const isNowhere = Array.isArray(portals) && portals.length === 0;
  return {
    ...plain(kind === 'folder' ? 'folder' : 'category', id),
    lang: languageIn(value) ?? lang,
    title: text(value['name']),
    summary: said(textOfHtml(text(value['description']))),
    parents: parent === undefined ? [] : [parent],
    restricted: kind === 'folder' ? closedFolder(id, folders) : isNowhere ? 'it was in no portal' : undefined,
    position: finite(value['position']),
    updated: isoTime(value['updated_at']),
    addresses: site === undefined ? [] : [`${site}/support/solutions/${path}`],
    at,
  };
}

function plain(kind: 'folder' | 'category', id: string) {
  const none = { html: '', parents: [], tags: [], isDraft: false, addresses: [], notes: [] };
  return { ...none, kind: 'category' as const, id: `${kind}-${id}`, mark: id, names: [`${kind} ${id}`] };
}

/** Categories and folders by the names that an article's own path gives them. */
function hierarchyOf({ value, lang, at }: Item): readonly SourceRecord[] {
  const levels = objectsIn(value['hierarchy']).flatMap((level) => {
    const inner = isJsonObject(level['data']) ? level['data'] : {};
    const id = idText(inner['id']);
    const kind = level['type'] === 'category' ? ('category' as const) : ('folder' as const);
    return id === undefined || said(inner['name']) === undefined ? [] : [{ kind, id, inner }];
  });
  return levels.map(({ kind, id, inner }, index): SourceRecord => {
    const outer = levels[index - 1];
    const parents = outer === undefined ? [] : [`${outer.kind}-${outer.id}`];
    return {
      ...plain(kind, id),
      lang: said(inner['language']) ?? lang,
      title: text(inner['name']),
      parents,
      at,
    };
  });
}

function languageIn(value: JsonObject): string | undefined {
  const levels = objectsIn(value['hierarchy']).flatMap((level) =>
    isJsonObject(level['data']) ? [level['data']] : [],
  );
  return said(value['language']) ?? levels.flatMap((inner) => said(inner['language']) ?? [])[0];
}

/** By id, all that was read of a folder: files in other languages and small answers say less of it. */
export type Folders = ReadonlyMap<string, readonly JsonObject[]>;

const VISIBLE: Readonly<Record<number, string>> = {
  2: 'people who are signed in',
  3: 'agents',
  4: 'some companies',
};

/** Who alone may see a folder, by itself or by one that it lies in; 1 is everybody. */
function closedFolder(id: string | undefined, folders: Folders): string | undefined {
  const visibility = foldersAround(id, folders)
    .flatMap((at) => visibilities(at, folders))
    .find((each) => each !== 1);
  if (visibility === undefined) return undefined;
  return `only ${VISIBLE[Number(visibility)] ?? `visibility ${idText(visibility) ?? ''}`} may see its folder`;
}

/** Whether everybody may see it is said nowhere: of a folder that did not come, or in an answer that leaves it out. */
function unknownFolder(id: string | undefined, folders: Folders): string | undefined {
  const isSaid = id !== undefined && visibilities(id, folders).length > 0;
  return isSaid ? undefined : 'no file says who may see its folder; --publish publishes it';
}

function visibilities(id: string, folders: Folders): readonly unknown[] {
  return (folders.get(id) ?? []).flatMap(({ visibility }) => visibility ?? []);
}

/** The folder, the one that it lies in, and so on. */
function foldersAround(id: string | undefined, folders: Folders): readonly string[] {
  const around = new Set<string>();
  for (let at = id; at !== undefined && !around.has(at);) {
    around.add(at);
    at = (folders.get(at) ?? []).flatMap((value) => idText(value['parent_folder_id']) ?? [])[0];
  }
  return [...around];
}

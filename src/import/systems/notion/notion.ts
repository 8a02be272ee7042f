import { basename, dirname, join } from 'node:path';
import { decoded } from '../../../model/address/percent.ts';
import { digestOfText } from '../../../model/digest.ts';
import { unlessTooDeep } from '../../text/plain-text.ts';
import type { Harvest, InputText, ReaderOptions, Skipped, SourceRecord, System } from '../../record.ts';
import { htmlPage } from './html-page.ts';
import { idIn, markdownPage, nameIn, type NotionPage } from './page.ts';

/** Notion's export, unpacked, as HTML or as Markdown and CSV: a page is a file, what lies below it a folder of the same name. */
export const notion: System = {
  extensions: ['.md', '.csv', '.html'],
  open: (options) => {
    const pages: NotionPage[] = [];
    const databases: Database[] = [];
    const skipped: Skipped[] = [];
    return {
      read: (file) => readFile(file, { pages, databases, skipped }, options),
      end: () => harvest(pages, databases, { skipped, options }),
    };
  },
  linkNames: (url) => {
    const id = /([0-9a-f]{32})(?:\.(?:md|csv|html))?(?:[?#].*)?$/i.exec(decoded(url))?.[1];
    return id === undefined ? [] : [`page ${id.toLowerCase()}`];
  },
};

interface Database {
  readonly path: string;
  readonly id: string;
  readonly name: string;
}

interface Out {
  readonly pages: NotionPage[];
  readonly databases: Database[];
  readonly skipped: Skipped[];
}

function readFile(
  { path, text: source }: InputText,
  { pages, databases, skipped }: Out,
  { language }: ReaderOptions,
): void {
  const text = source.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const at = { file: path, where: 'file' };
  const leave = (what: string, reason: Skipped['reason'], why: string): void =>
    void skipped.push({ at, what, reason, why });
  if (/\.html$/i.test(path)) {
    const page = unlessTooDeep<NotionPage | 'deep' | undefined>(() => htmlPage(path, text, language), 'deep');
    if (page === 'deep') leave('file', 'broken', 'its elements are nested too deeply for kbsync to read');
    else if (page !== undefined) pages.push(page);
    else if (/^index\.html$/i.test(basename(path))) leave('file', 'kind', 'it lists the files of the export');
    else leave('file', 'kind', 'there is no page of Notion in it');
  } else if (/\.csv$/i.test(path)) {
    const stem = path.replace(/(?:_all)?\.csv$/i, '');
    if (databases.some((database) => database.path === stem)) return;
    databases.push({ path: stem, id: idIn(path) ?? digestOfText(stem), name: nameIn(path) });
    const why = 'its rows are imported as pages; the table itself is not';
    leave(`database ${JSON.stringify(nameIn(path))}`, 'kind', why);
  } else pages.push(markdownPage(path, text, language));
}

function harvest(
  pages: readonly NotionPage[],
  databases: readonly Database[],
  { skipped, options }: { readonly skipped: readonly Skipped[]; readonly options: ReaderOptions },
): Harvest {
  const paged = new Set(pages.map(({ id }) => id));
  // As HTML, a database is a page with a table, beside its CSV.
  const all = [...databases.filter(({ id }) => !paged.has(id)), ...pages];
  // Newer exports leave the id out of the names of folders.
  const owners: Owners = new Map([
    ...all.map((owner) => [join(dirname(owner.path), nameIn(owner.path)), owner] as const),
    ...all.map((owner) => [owner.path, owner] as const),
  ]);
  const outer = new Set(pages.flatMap(({ path }) => ownerOf(path, owners) ?? []));
  const categories = all.filter(({ id }) => outer.has(`page-${id}`)).map((owner) => category(owner, owners));
  return {
    records: [...categories, ...pages.map((each) => article(each, { owners, outer, options }))],
    skipped,
  };
}

type Owners = ReadonlyMap<string, NotionPage | Database>;

/** The page or database that a file lies below. */
function ownerOf(path: string, owners: Owners): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const owner = owners.get(folder);
    if (owner !== undefined) return `page-${owner.id}`;
    if (folder === dirname(folder)) return undefined;
  }
}

function category(owner: NotionPage | Database, owners: Owners): SourceRecord {
  const parent = ownerOf(owner.path, owners);
  const isDatabase = 'name' in owner;
  return {
    kind: 'category',
    id: `page-${owner.id}`,
    mark: owner.id.slice(0, 8),
    lang: undefined,
    title: isDatabase ? owner.name : owner.title,
    html: '',
    parents: parent === undefined ? [] : [parent],
    tags: [],
    isDraft: false,
    addresses: [],
    names: isDatabase ? [`page ${owner.id}`] : [],
    notes: [],
    at: { file: isDatabase ? `${owner.path}.csv` : owner.file, where: 'file' },
  };
}

const PUBLIC = /^(?:published|public|live)$/i;

function article(
  { path, file, id, title, properties, summary, bannerUrl, html }: NotionPage,
  {
    owners,
    outer,
    options,
  }: { readonly owners: Owners; readonly outer: ReadonlySet<string>; readonly options: ReaderOptions },
): SourceRecord {
  const status = properties.get('status');
  const isSaid = PUBLIC.test(status ?? '');
  const parent = outer.has(`page-${id}`) ? `page-${id}` : ownerOf(path, owners);
  const tags = (properties.get('tags') ?? '').split(',').filter((name) => name.trim() !== '');
  const left = [...properties.keys()].filter((name) => !['tags', 'status', 'created'].includes(name));
  return {
    kind: 'article',
    id,
    mark: id.slice(0, 8),
    lang: undefined,
    title,
    html,
    summary,
    bannerUrl,
    parents: parent === undefined ? [] : [parent],
    tags: tags.map((name) => ({ name: name.trim() })),
    isDraft: status !== undefined && !isSaid,
    restricted:
      isSaid || options.publish
        ? undefined
        : 'the export does not say who may read it; --publish publishes it',
    addresses: [],
    names: [`page ${id}`],
    notes: left.length === 0 ? [] : [`kbsync does not import its properties: ${left.join(', ')}`],
    at: { file, where: 'file' },
  };
}

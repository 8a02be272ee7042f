import { decoded } from '../../model/address/percent.ts';
import { basename, dirname, join } from 'node:path';
import { renderedBody } from '../../content/markdown/render.ts';
import { digestOfText } from '../../model/digest.ts';
import { said } from '../text/json-values.ts';
import { oneLine } from '../text/plain-text.ts';
import type { Harvest, InputText, ReaderOptions, Skipped, SourceRecord, System } from '../record.ts';

/** Notion's export as Markdown and CSV, unpacked: a page is a file, what lies below it a folder of the same name. */
export const notion: System = {
  extensions: ['.md', '.csv', '.html'],
  open: (options) => {
    const pages: Page[] = [];
    const databases: Database[] = [];
    const skipped: Skipped[] = [];
    return {
      read: (file) => readFile(file, { pages, databases, skipped }),
      end: () => harvest(pages, databases, { skipped, options }),
    };
  },
  linkNames: (url) => {
    const id = /([0-9a-f]{32})(?:\.(?:md|csv|html))?(?:[?#].*)?$/i.exec(decoded(url))?.[1];
    return id === undefined ? [] : [`page ${id.toLowerCase()}`];
  },
};

interface Page {
  readonly path: string;
  readonly id: string;
  readonly title: string;
  readonly properties: ReadonlyMap<string, string>;
  readonly markdown: string;
}

interface Database {
  readonly path: string;
  readonly id: string;
  readonly name: string;
}

interface Out {
  readonly pages: Page[];
  readonly databases: Database[];
  readonly skipped: Skipped[];
}

function readFile({ path, text: source }: InputText, { pages, databases, skipped }: Out): void {
  const text = source.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const at = { file: path, where: 'file' };
  if (/\.html$/i.test(path)) {
    const isIndex = /^index\.html$/i.test(basename(path));
    const why = isIndex
      ? 'it lists the files of the export'
      : 'pages are read from the export as Markdown and CSV, not from that as HTML';
    skipped.push({ at, what: 'file', reason: isIndex ? 'kind' : 'broken', why });
  } else if (/\.csv$/i.test(path)) {
    const stem = path.replace(/(?:_all)?\.csv$/i, '');
    if (databases.some((database) => database.path === stem)) return;
    databases.push({ path: stem, id: idIn(path) ?? digestOfText(stem), name: nameIn(path) });
    const why = 'its rows come as the pages that they are; the table itself does not';
    skipped.push({ at, what: `database ${JSON.stringify(nameIn(path))}`, reason: 'kind', why });
  } else pages.push(page(path, text));
}

/** The title is the first line, because file names are cut; then properties up to the first empty line. */
function page(path: string, text: string): Page {
  const [, title = '', rest = ''] = /^\s*# ([^\n]*)\n?([\s\S]*)$/.exec(text) ?? [undefined, '', text];
  const [, properties = ''] = /^\n*((?:[^\n:]{1,80}: [^\n]*(?:\n|$))+)(?:\n|$)/.exec(rest) ?? [];
  const pairs = properties.split('\n').flatMap((line): readonly (readonly [string, string])[] => {
    const colon = line.indexOf(': ');
    return colon < 0 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 2).trim()]];
  });
  const markdown = properties === '' ? rest : rest.slice(rest.indexOf(properties) + properties.length);
  const stem = path.replace(/\.md$/i, '');
  const id = idIn(path) ?? digestOfText(stem);
  return {
    path: stem,
    id,
    title: said(oneLine(title)) ?? nameIn(path),
    properties: new Map(pairs),
    markdown,
  };
}

function idIn(path: string): string | undefined {
  return /([0-9a-f]{32})(?:_all)?(?:\.\w+)?$/i.exec(basename(path))?.[1]?.toLowerCase();
}

/** The file's name without the id. */
function nameIn(path: string): string {
  return basename(path)
    .replace(/\.\w+$/, '')
    .replace(/_all$/, '')
    .replace(/\s*[0-9a-f]{32}$/i, '')
    .trim();
}

function harvest(
  pages: readonly Page[],
  databases: readonly Database[],
  { skipped, options }: { readonly skipped: readonly Skipped[]; readonly options: ReaderOptions },
): Harvest {
  const all = [...databases, ...pages];
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

type Owners = ReadonlyMap<string, Page | Database>;

/** The page or database that a file lies below. */
function ownerOf(path: string, owners: Owners): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const owner = owners.get(folder);
    if (owner !== undefined) return `page-${owner.id}`;
    if (folder === dirname(folder)) return undefined;
  }
}

function category(owner: Page | Database, owners: Owners): SourceRecord {
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
    at: { file: `${owner.path}${isDatabase ? '.csv' : '.md'}`, where: 'file' },
  };
}

const PUBLIC = /^(?:published|public|live)$/i;

function article(
  { path, id, title, properties, markdown }: Page,
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
    html: renderedBody(markdown, {
      links: new Map(),
      html: 'trust',
      needsSanitiser: false,
      lang: options.language,
    }),
    parents: parent === undefined ? [] : [parent],
    tags: tags.map((name) => ({ name: name.trim() })),
    isDraft: status !== undefined && !isSaid,
    restricted:
      isSaid || options.publish
        ? undefined
        : 'the export does not say who may read it; --publish publishes it',
    addresses: [],
    names: [`page ${id}`],
    notes: left.length === 0 ? [] : [`its properties do not come: ${left.join(', ')}`],
    at: { file: `${path}.md`, where: 'file' },
  };
}

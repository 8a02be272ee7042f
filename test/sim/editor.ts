import type { PlainRequest } from '../../src/remote/http/exchange.ts';
import type { Folder } from './files.ts';
import type { Chance } from './random.ts';
import type { Row, SimKind, SimService } from './service.ts';
import { idsIn } from './service.ts';

export interface Editor {
  readonly service: SimService;
  readonly chance: Chance;
  readonly newUid: () => string;
  /** Editors make what the author is about to make. */
  readonly folder: Folder;
}

const PATHS: Readonly<Record<SimKind, string>> = { article: 'articles', category: 'categories', tag: 'tags' };
export const EDITOR = 'editor';

/** One thing that somebody does in the web editor. Returns what it was, for the trace. */
export function editRemote(editor: Editor): string {
  const { service, chance, newUid } = editor;
  const rows = [...service.rows.values()];
  const row = chance.pick(rows);
  const rev = newUid();
  const roll = chance.below(16);
  if (row === undefined || roll >= 14) return create(editor, rev);
  if (roll < 6) return change(row, editor, textChange(row, chance, rev));
  if (roll < 8) return change(row, editor, { [row.kind === 'article' ? 'title' : 'name']: `edited ${rev}` });
  if (roll === 8) return change(row, editor, { slug: `edited-${rev}` });
  if (roll === 9)
    return change(row, editor, row.kind === 'article' ? { seoBannerUrl: `https://x/${rev}` } : {});
  if (roll === 10) return refile(row, editor);
  if (roll === 11 && row.parent === null) {
    const lang = chance.oneOf('fr', 'de');
    return change(row, editor, { ...textChange(row, chance, rev), slug: `edited-${rev}`, lang });
  }
  if (roll === 12) return request(editor, 'DELETE', row.kind, row.id);
  return change(row, editor, textChange(row, chance, rev));
}

function textChange(row: Row, chance: Chance, rev: string): Readonly<Record<string, unknown>> {
  if (row.kind === 'category') return { description: `edited ${rev}` };
  const field = row.kind === 'article' ? 'content' : 'longDescription';
  const before = String(row.fields[field]);
  // A person's editor may keep the comment at the end, or drop it with the rest.
  return {
    [field]: chance.happens(0.5) ? `<p>edited ${rev}</p>` : before.replace('<p>', `<p>edited ${rev} `),
  };
}

function change(row: Row, editor: Editor, fields: Readonly<Record<string, unknown>>): string {
  const lang = row.lang ?? 'en';
  const body = { ...wire(row.fields), lang, ...wire(fields) };
  return request(editor, 'POST', row.kind, row.parent ?? row.id, body);
}

function refile(row: Row, editor: Editor): string {
  const { service, chance } = editor;
  const category = chance.pick(service.originals('category'));
  if (category === undefined || row.kind === 'tag') return 'nothing';
  return change(
    row,
    editor,
    row.kind === 'category' ? { categoryParent: category.id } : { categories: [category.id] },
  );
}

function create(editor: Editor, rev: string): string {
  const { chance, folder } = editor;
  const wanted = chance.pick([...folder.values()].filter(({ lang }) => lang === 'en'));
  const isTwin = wanted !== undefined && chance.happens(0.4);
  const slug = isTwin ? wanted.slug : `own-${rev}`;
  const name = isTwin && chance.happens(0.5) ? wanted.title : `own ${rev}`;
  if ((wanted?.kind ?? 'article') === 'article') {
    const body = { title: name, slug, categories: [], excerpt: '', ordering: 0, status: 'published' };
    return request(editor, 'PUT', 'article', undefined, { ...body, content: `<p>own ${rev}</p>` });
  }
  return request(editor, 'PUT', wanted?.kind ?? 'tag', undefined, { name, slug, description: `own ${rev}` });
}

function request(
  { service }: Editor,
  method: string,
  kind: SimKind,
  id?: string,
  body?: Readonly<Record<string, unknown>>,
): string {
  const path = `${PATHS[kind]}${id === undefined ? '' : `/${id}`}`;
  const plain: PlainRequest = {
    method,
    url: `https://help.example.com/api/v2/${path}`,
    headers: {},
    body: body === undefined ? undefined : JSON.stringify(body),
    bytesMax: 0,
  };
  return `${method} ${path} ${service.handle(plain, EDITOR).status}`;
}

/** Reference lists as the wire has them. */
function wire(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Array.isArray(value) ? idsIn(value).map((ref) => ({ value: ref })) : value,
    ]),
  );
}

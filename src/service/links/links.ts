import type { Link } from '../../contract/index.ts';
import type { Context, WriteContext } from '../context.ts';
import type { Sql } from '../store/store.ts';
import { insertRows } from '../store/many-rows.ts';
import { isoDate } from '../time.ts';

/** Keeps the rows of addresses that stay, so what a check found out about them stays too. */
export async function saveLinks(
  sql: Sql,
  context: WriteContext,
  found: {
    readonly articleId: string;
    readonly urls: readonly string[];
    readonly createdAt: number;
    /** The article was made by this write, so it has no links yet. */
    readonly isNew: boolean;
  },
): Promise<void> {
  const { articleId, urls, createdAt, isNew } = found;
  const before = isNew
    ? []
    : await sql.all<{ readonly id: string; readonly url: string }>(
        'select id, url from links where article_id = ?',
        articleId,
      );
  const wanted = new Set(urls);
  const known = new Set(before.map(({ url }) => url));
  for (const { id, url } of before) if (!wanted.has(url)) await sql.run('delete from links where id = ?', id);
  const { knowledgeBase, newId } = context;
  const added = urls
    .filter((url) => !known.has(url))
    .map((url) => [newId(), knowledgeBase.id, articleId, url, createdAt]);
  await insertRows(sql, 'links', ['id', 'site_id', 'article_id', 'url', 'created_at'], added);
}

interface LinkRow {
  readonly id: string;
  readonly site_id: string;
  readonly article_id: string;
  readonly url: string;
  readonly created_at: number;
  readonly working: number | null;
  readonly name: string;
}

/** Spec, GET /api/v2/tools/link_manager. A link that was never checked is not known to be broken: it counts as working. */
export async function linkList(sql: Sql, _context: Context) {
  const rows = await sql.all<LinkRow>(
    `select l.id as id, l.site_id as site_id, l.article_id as article_id, l.url as url,
       l.created_at as created_at, l.working as working, a.name as name
     from links l join articles a on a.id = l.article_id order by l.url, l.id`,
  );
  const data: readonly Link[] = rows.map((row) => ({
    id: row.id,
    site_id: row.site_id,
    article_id: row.article_id,
    url: row.url,
    created_date: isoDate(row.created_at),
    working: row.working !== 0,
    articles: { id: row.article_id, name: row.name },
  }));
  return { body: { success: true, message: `${data.length} links found.`, data }, total: data.length };
}

import type { ReadArticle } from '../../contract/index.ts';
import type { Sql } from '../store/store.ts';
import { isoDate } from '../time.ts';

const DAY_MICROS = 86_400_000_000;

interface Row {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly views: number;
  readonly edited_at: number;
}

/** Published originals that somebody read, the largest product of views and days without an edit first. */
export async function listStale(
  sql: Sql,
  siteId: string,
  { now, count }: { readonly now: number; readonly count: number },
): Promise<readonly ReadArticle[]> {
  const rows = await sql.all<Row>(
    `select id, name, slug, views, edited_at from articles
     where site_id = ? and language_parent is null and status = 'published' and views > 0
     order by views * ((cast(? as bigint) - edited_at) / ${DAY_MICROS}) desc, views desc, id limit ?`,
    siteId,
    now,
    count,
  );
  return rows.map(({ edited_at, ...row }) => ({ ...row, last_edited_date: isoDate(edited_at) }));
}

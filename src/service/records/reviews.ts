import type { ReviewDate } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import { creatorOf, listCreators } from './lists.ts';
import type { ArticleRow } from '../store/rows.ts';
import type { Sql } from '../store/store.ts';

type ReviewRow = Pick<ArticleRow, 'id' | 'name' | 'status' | 'language' | 'created_by'> & {
  readonly article_review_date: string;
};

/** Spec, GET /api/v2/tools/review_dates: originals and translations that have a date, the next one first. */
export async function reviewDateList(sql: Sql, _context: Context) {
  const rows = await sql.all<ReviewRow>(
    `select id, name, status, article_review_date, language, created_by from articles
     where article_review_date is not null order by article_review_date, id`,
  );
  const creators = await listCreators(sql);
  const data: readonly ReviewDate[] = rows.map((row) => ({
    id: row.id,
    name: row.name,
    status: row.status,
    article_review_date: row.article_review_date,
    language: row.language,
    users_articles_created_byTousers: creatorOf(creators, row.created_by),
  }));
  const message = `${data.length} articles with a review date found.`;
  return { body: { success: true, message, data }, total: data.length };
}

import type { ArticleFeedback } from '../../contract/index.ts';
import type { Sql, Store } from '../store/store.ts';
import { isoDate } from '../time.ts';

/** What a reader says to “Was this page helpful?”. */
export type Verdict = 'helpful' | 'not-helpful';

/**
 * Counts answers below one article or translation, by the id of its own row. `at` in microseconds since 1970. Moves no date, no
 * version and no tag; answers about an article that is gone, or is a draft, are not counted.
 */
export async function countFeedback(
  store: Store,
  { articleId, verdict }: { readonly articleId: string; readonly verdict: Verdict },
  { times, at }: { readonly times: number; readonly at: number },
): Promise<void> {
  const [helpful, notHelpful] = verdict === 'helpful' ? [times, 0] : [0, times];
  // An insert that meets its row counts up, and no other writer stands between.
  await store.write((sql) =>
    sql.run(
      `insert into article_feedback (article_id, helpful, not_helpful, last_at)
       select id, cast(? as bigint), cast(? as bigint), cast(? as bigint) from articles where id = ? and status = 'published'
       on conflict (article_id) do update set helpful = article_feedback.helpful + excluded.helpful,
         not_helpful = article_feedback.not_helpful + excluded.not_helpful, last_at = excluded.last_at`,
      helpful,
      notHelpful,
      at,
      articleId,
    ),
  );
}

/** Whether a reader can see an article, by the id of its row. */
export async function isPublished(sql: Sql, articleId: string): Promise<boolean> {
  const row = await sql.get(`select id from articles where id = ? and status = 'published'`, articleId);
  return row !== undefined;
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly language: string | null;
  readonly helpful: number;
  readonly not_helpful: number;
  readonly views: number;
  readonly last_at: number;
}

/** Published articles, the one that most readers found not helpful first. */
export async function listFeedback(sql: Sql, count: number): Promise<readonly ArticleFeedback[]> {
  const rows = await sql.all<Row>(
    `select a.id as id, a.name as name, a.slug as slug, a.language as language, f.helpful as helpful,
       f.not_helpful as not_helpful, o.views as views, f.last_at as last_at
     from article_feedback f join articles a on a.id = f.article_id
     join articles o on o.id = coalesce(a.language_parent, a.id)
     where a.status = 'published' order by f.not_helpful desc, f.helpful, a.id limit ?`,
    count,
  );
  return rows.map(({ last_at, ...row }) => ({ ...row, last_date: isoDate(last_at) }));
}

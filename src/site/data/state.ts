import type { Sql } from '../../service/store/store.ts';

/** The state of all that pages show, as the store marks it with each write of a record. */
export interface State {
  readonly mark: string;
  readonly hasReleases: boolean;
  /** Some published article carries a tag. */
  readonly hasTags: boolean;
}

export async function readState(sql: Sql): Promise<State> {
  const marks = await sql.all<{ readonly mark: string }>('select mark from list_marks order by list, shard');
  const release = await sql.get('select id from versions where released_version = 1 limit 1');
  const hasReleases = release !== undefined;
  // Not a join: SQLite would go through all articles where none has a tag, at each request.
  const tagged = await sql.get(
    `select r.id from article_tags r
     where exists (select 1 from articles a where a.id = r.article_id and a.status = 'published') limit 1`,
  );
  const hasTags = tagged !== undefined;
  return { mark: JSON.stringify([hasReleases, ...marks.map(({ mark }) => mark)]), hasReleases, hasTags };
}

import type { Sql } from '../../service/store/store.ts';

/** The state of all that pages show, as the store marks it with each write of a record. */
export interface State {
  readonly mark: string;
  readonly hasReleases: boolean;
  /** Some article carries a tag. */
  readonly hasTags: boolean;
}

export async function readState(sql: Sql): Promise<State> {
  const marks = await sql.all<{ readonly mark: string }>('select mark from list_marks order by list, shard');
  const release = await sql.get('select id from versions where released_version = 1 limit 1');
  const hasReleases = release !== undefined;
  const hasTags = (await sql.get('select id from article_tags limit 1')) !== undefined;
  return { mark: JSON.stringify([hasReleases, ...marks.map(({ mark }) => mark)]), hasReleases, hasTags };
}

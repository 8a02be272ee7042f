import type { Store } from '../store/store.ts';

/**
 * Counts readers of an article, for `_count.tracking` of the list. A translation's readers count for its original, which is
 * what the list shows. Moves no date, no version and no tag; an article that is gone is not counted.
 */
export async function countViews(store: Store, articleId: string, count = 1): Promise<void> {
  await store.write((sql) =>
    sql.run(
      `update articles set views = views + ?
       where id = (select coalesce(language_parent, id) from articles where id = ?)`,
      count,
      articleId,
    ),
  );
}

import { type Category, readCategories } from './categories.ts';
import type { Edition } from './edition.ts';

/** Article's id → the topics above it, from the top down; of the first topic in which it is filed. */
export type Standings = ReadonlyMap<string, readonly Category[]>;

/** Where articles stand among the topics; one that stands nowhere is not in the answer. */
export async function standingsOf(edition: Edition, ids: readonly string[]): Promise<Standings> {
  if (ids.length === 0) return new Map();
  const rows = await edition.sql.all<{ readonly article_id: string; readonly category_id: string }>(
    `select article_id, category_id from article_categories where article_id in (${ids.map(() => '?').join(', ')})
     order by article_id, position desc, id desc`,
    ...ids,
  );
  // The last one of an article is its first.
  const first = new Map(rows.map(({ article_id, category_id }) => [article_id, category_id]));
  const { byId } = await readCategories(edition);
  return new Map(
    [...first].flatMap(([id, categoryId]) => {
      const category = byId.get(categoryId);
      return category === undefined ? [] : [[id, [...category.path, category]] as const];
    }),
  );
}

/** `Docs › Install`; empty: at no topic. */
export function topicName(path: readonly Category[] = []): string {
  return path.map(({ name }) => name).join(' › ');
}

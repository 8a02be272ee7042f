import type { WriteContext } from '../context.ts';
import { Refusal } from '../refusal.ts';
import { insertRows, rowsByIds } from '../store/many-rows.ts';
import { TABLES } from '../store/rows.ts';
import type { Sql, SqlValue } from '../store/store.ts';
import type { Identity } from './rows.ts';

/** The two things an article is filed under. Both name originals, in every language of the article. */
export const RELATIONS = {
  categories: { field: 'categories', kind: 'category', table: 'article_categories', column: 'category_id' },
  tags: { field: 'tags', kind: 'tag', table: 'article_tags', column: 'tag_id' },
} as const;
export type Relation = (typeof RELATIONS)[keyof typeof RELATIONS];

export interface RelationRow {
  readonly id: string;
  readonly target: string;
  /** The original's name. */
  readonly label: string;
}

/** In the order in which the article names them. */
export function relationsOf(
  sql: Sql,
  relation: Relation,
  articleId: string,
): Promise<readonly RelationRow[]> {
  return sql.all<RelationRow>(
    `select r.id as id, r.${relation.column} as target, t.name as label
     from ${relation.table} r join ${relation.field} t on t.id = r.${relation.column}
     where r.article_id = ? order by r.position`,
    articleId,
  );
}

/** @throws Refusal 422 for the first id that is unknown or names a translation */
export async function checkTargets(
  sql: Sql,
  { field, kind }: { readonly field: string; readonly kind: 'category' | 'tag' },
  ids: readonly string[],
): Promise<void> {
  const targets = await rowsByIds<Pick<Identity, 'id' | 'language' | 'language_parent'>>(
    sql,
    `select id, language, language_parent from ${TABLES[kind].name}`,
    ids,
  );
  for (const id of ids) {
    const target = targets.get(id);
    if (target === undefined) {
      throw new Refusal(422, `${field}: no ${kind} has the id ${JSON.stringify(id)}`);
    }
    if (target.language_parent === null) continue;
    throw new Refusal(
      422,
      `${field}: ${JSON.stringify(id)} is the ${target.language} translation of ${kind} ` +
        `${target.language_parent}; name the original`,
    );
  }
}

/** Keeps the rows, and so the ids and dates, of what was there before. */
export async function saveRelations(
  sql: Sql,
  context: WriteContext,
  relation: Relation,
  wanted: {
    readonly articleId: string;
    readonly targets: readonly string[];
    readonly addedAt: number;
    /** The article was made by this write, so nothing hangs on it yet. */
    readonly isNew: boolean;
  },
): Promise<void> {
  const { articleId, targets, addedAt, isNew } = wanted;
  const { table, column } = relation;
  const before = isNew
    ? []
    : await sql.all<{ readonly id: string; readonly target: string; readonly position: number }>(
        `select id, ${column} as target, position from ${table} where article_id = ?`,
        articleId,
      );
  const kept = new Map(before.map((row) => [row.target, row]));
  for (const row of before) {
    if (!targets.includes(row.target)) await sql.run(`delete from ${table} where id = ?`, row.id);
  }
  const added: (readonly SqlValue[])[] = [];
  for (const [position, target] of targets.entries()) {
    const row = kept.get(target);
    if (row === undefined) {
      const { knowledgeBase, userId } = context;
      added.push([context.newId(), knowledgeBase.id, articleId, target, position, userId, addedAt]);
    } else if (row.position !== position) {
      await sql.run(`update ${table} set position = ? where id = ?`, position, row.id);
    }
  }
  const columns = ['id', 'site_id', 'article_id', column, 'position', 'added_by', 'added_at'];
  await insertRows(sql, table, columns, added);
}

import type { CategoryEditBody, CategoryListItem, CategoryReply } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import { creatorOf, listCreators, listLanguages } from './lists.ts';
import type { Found, RecordKind } from './records.ts';
import { Refusal } from '../refusal.ts';
import { checkTargets } from './relations.ts';
import type { CategoryRow } from '../store/rows.ts';
import type { Sql } from '../store/store.ts';
import { isoDate } from '../time.ts';
import { usersOf } from './rows.ts';

export type CategoryBody = Omit<CategoryEditBody, 'lang'>;

export const CATEGORY: RecordKind<'category', CategoryBody> = {
  kind: 'category',
  blank: {
    order_by: 0,
    parent_id: null,
    thumbnail_url: null,
    icon_url: null,
    description: null,
    long_description: null,
  },
  merged(base, body) {
    return {
      ...base,
      name: body.name ?? base.name,
      slug: body.slug ?? base.slug,
      order_by: body.priority ?? base.order_by,
      parent_id: body.categoryParent === undefined ? base.parent_id : body.categoryParent,
      thumbnail_url: body.thumbnailUrl === undefined ? base.thumbnail_url : body.thumbnailUrl,
      icon_url: body.iconUrl === undefined ? base.icon_url : body.iconUrl,
      description: body.description === undefined ? base.description : body.description,
      long_description: body.longDescription === undefined ? base.long_description : body.longDescription,
    };
  },
  async check(sql, row, body) {
    // A new translation takes over the original's parent, which may close a cycle in its own language.
    const isMoved = body.categoryParent !== undefined || (row.version === 1 && row.language !== null);
    if (row.parent_id === null || !isMoved) return;
    await checkTargets(sql, { field: 'categoryParent', kind: 'category' }, [row.parent_id]);
    // Two moves that are each harmless make a cycle together, so the walk and the write must not interleave.
    await sql.lock('categories');
    await checkPlace(sql, row, row.parent_id);
  },
  saved: async () => undefined,
  async usedBy(sql, row) {
    return usersOf([
      await sql.all(
        `select 'category' as kind, id, name, language from categories where parent_id = ? order by id`,
        row.id,
      ),
      await sql.all(
        `select 'article' as kind, a.id as id, a.name as name, a.language as language
         from article_categories r join articles a on a.id = r.article_id where r.category_id = ? order by a.id`,
        row.id,
      ),
    ]);
  },
};

/** Deeper than any help centre; each level costs every reader's menu a step. */
export const CATEGORY_LEVELS_MAX = 100;

/**
 * Walks up from the new parent through the records of the same language, and down to what moves along. Each language has its
 * own parents (an edit sends one), so each is a tree of its own; the originals' tree is the one that counts for readers.
 */
async function checkPlace(sql: Sql, row: CategoryRow, parentId: string): Promise<void> {
  const self = row.language_parent ?? row.id;
  const language = (row.language ?? '').toLowerCase();
  const path = await sql.all<{ readonly id: string; readonly name: string }>(
    `with recursive up (id, depth) as (
       select id, 1 from categories where id = ?
       union
       select c.parent_id, up.depth + 1 from up join categories c
         on coalesce(c.language_parent, c.id) = up.id and lower(coalesce(c.language, '')) = ?
       where c.parent_id is not null and up.id <> ? and up.depth <= ${CATEGORY_LEVELS_MAX}
     )
     select up.id as id, o.name as name from up join categories o on o.id = up.id order by up.depth`,
    parentId,
    language,
    self,
  );
  if (path.some(({ id }) => id === self)) {
    const chain = [row.name, ...path.map(({ name }) => name)].map((name) => JSON.stringify(name)).join(' → ');
    throw new Refusal(409, `categoryParent: ${JSON.stringify(parentId)} would close a cycle: ${chain}`);
  }
  const below = await sql.get<{ readonly levels: number | null }>(
    `with recursive down (id, depth) as (
       select id, 1 from categories where id = ?
       union
       select coalesce(c.language_parent, c.id), down.depth + 1 from down join categories c
         on c.parent_id = down.id and lower(coalesce(c.language, '')) = ?
       where down.depth <= ${CATEGORY_LEVELS_MAX}
     )
     select max(depth) as levels from down`,
    self,
    language,
  );
  // A record that is not written yet has nothing below it.
  const levels = path.length + (below?.levels ?? 1);
  if (levels > CATEGORY_LEVELS_MAX) {
    throw new Refusal(
      409,
      `categoryParent: under ${JSON.stringify(parentId)} there would be ${path.length > CATEGORY_LEVELS_MAX ? 'more than ' : ''}${levels} levels; at most ${CATEGORY_LEVELS_MAX}`,
    );
  }
}

/** Spec, "Category (single read, `data`)". */
export async function categoryReply(
  _sql: Sql,
  { row, newVersion }: Found<'category'>,
): Promise<CategoryReply> {
  return {
    success: true,
    message: newVersion
      ? `No ${row.language} version yet: this is a copy of the original.`
      : 'Category found.',
    data: {
      id: row.id,
      name: row.name,
      slug: row.slug,
      order_by: row.order_by,
      parent_id: row.parent_id,
      thumbnail_url: row.thumbnail_url,
      description: row.description,
      long_description: row.long_description,
      icon_url: row.icon_url,
      language: row.language,
      language_parent: row.language_parent,
    },
    newVersion,
  };
}

type ListRow = Pick<CategoryRow, 'id' | 'name' | 'order_by' | 'created_by'> & {
  readonly parent_name: string | null;
};

interface FiledRow {
  readonly id: string;
  readonly site_id: string;
  readonly category_id: string;
  readonly added_at: number;
}

/** Spec, GET /api/v2/categories: all originals, in the order of their making. */
export async function categoryList(sql: Sql, _context: Context) {
  const rows = await sql.all<ListRow>(
    `select c.id as id, c.name as name, c.order_by as order_by, c.created_by as created_by, p.name as parent_name
     from categories c left join categories p on p.id = c.parent_id
     where c.language_parent is null order by c.id`,
  );
  const filed = await sql.all<FiledRow>(
    `select id, site_id, category_id, added_at from article_categories
     where id in (select min(r.id) from article_categories r join articles a on a.id = r.article_id
       where a.language_parent is null group by r.category_id)`,
  );
  const firstFiled = new Map(filed.map((row) => [row.category_id, row]));
  const languages = await listLanguages(sql, 'category');
  const creators = await listCreators(sql);
  const data: readonly CategoryListItem[] = rows.map((row) => ({
    id: row.id,
    name: row.name,
    order_by: row.order_by,
    other_categories_categories_language_parentTocategories: languages.get(row.id) ?? [],
    users_categories_created_byTousers: creatorOf(creators, row.created_by),
    article_relationships: relationshipOf(firstFiled.get(row.id)),
    other_categories_categories_parent_idTocategories:
      row.parent_name === null ? null : { name: row.parent_name },
  }));
  return { body: { success: true, data }, total: data.length };
}

/** The spec shows one object, not a list: the article that was filed here first; null while there is none. */
function relationshipOf(row: FiledRow | undefined) {
  if (row === undefined) return null;
  return {
    added_date: isoDate(row.added_at),
    category_id: row.category_id,
    id: row.id,
    site_id: row.site_id,
  };
}

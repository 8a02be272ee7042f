import type { TagEditBody, TagListItem, TagReply } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import { enabledLanguages } from '../language.ts';
import { creatorOf, listCreators, listLanguages, usedLanguages } from './lists.ts';
import type { Found, RecordKind } from './records.ts';
import type { TagRow } from '../store/rows.ts';
import type { Sql } from '../store/store.ts';
import { isoDate } from '../time.ts';
import { usersOf } from './rows.ts';

export type TagBody = Omit<TagEditBody, 'lang' | 'id'>;

export const TAG: RecordKind<'tag', TagBody> = {
  kind: 'tag',
  blank: { description: null, long_description: null },
  merged(base, body) {
    return {
      ...base,
      name: body.name ?? base.name,
      slug: body.slug ?? base.slug,
      description: body.description === undefined ? base.description : body.description,
      long_description: body.longDescription === undefined ? base.long_description : body.longDescription,
    };
  },
  check: async () => undefined,
  saved: async () => undefined,
  async usedBy(sql, row) {
    return usersOf([
      await sql.all(
        `select 'article' as kind, a.id as id, a.name as name, a.language as language
         from article_tags r join articles a on a.id = r.article_id where r.tag_id = ? order by a.id`,
        row.id,
      ),
    ]);
  },
};

/** Spec, "Tag (single read, `data`)". */
export async function tagReply(_sql: Sql, { row, newVersion }: Found<'tag'>): Promise<TagReply> {
  return {
    success: true,
    message: newVersion ? `No ${row.language} version yet: this is a copy of the original.` : 'Tag found.',
    data: {
      id: row.id,
      name: row.name,
      slug: row.slug,
      description: row.description,
      long_description: row.long_description,
      language: row.language,
      language_parent: row.language_parent,
    },
    newVersion,
  };
}

type ListRow = Pick<TagRow, 'id' | 'name' | 'slug' | 'created_by'>;

interface TaggedRow {
  readonly added_by: string;
  readonly added_at: number;
  readonly article_id: string;
  readonly id: string;
  readonly site_id: string;
  readonly tag_id: string;
}

/** Spec, GET /api/v2/tags: all originals, in the order of their making, with the originals that carry them. */
export async function tagList(sql: Sql, context: Context) {
  const rows = await sql.all<ListRow>(
    'select id, name, slug, created_by from tags where language_parent is null order by id',
  );
  const tagged = await sql.all<TaggedRow>(
    `select r.added_by as added_by, r.added_at as added_at, r.article_id as article_id, r.id as id,
       r.site_id as site_id, r.tag_id as tag_id
     from article_tags r
     where r.article_id not in (select id from articles where language_parent is not null) order by r.id`,
  );
  const byTag = new Map<string, TagListItem['tag_relationship']>();
  for (const { added_by, added_at, article_id, id, site_id, tag_id } of tagged) {
    // Named one by one: of a large knowledge base there are many, and a spread costs more than the query.
    const relationship = { added_by, added_date: isoDate(added_at), article_id, id, site_id, tag_id };
    const known = byTag.get(tag_id);
    if (known === undefined) byTag.set(tag_id, [relationship]);
    else known.push(relationship);
  }
  const translations = await listLanguages(sql, 'tag');
  const creators = await listCreators(sql);
  const data: readonly TagListItem[] = rows.map((row) => ({
    id: row.id,
    name: row.name,
    slug: row.slug,
    other_tags: translations.get(row.id) ?? [],
    users_tags_created_byTousers: creatorOf(creators, row.created_by),
    tag_relationship: byTag.get(row.id) ?? [],
  }));
  const languages = enabledLanguages(context.rule, await usedLanguages(sql));
  const message = `${data.length} tags found.`;
  return { body: { success: true, message, data, languages }, total: data.length };
}

import { idsIn, listDate } from './service-wire.ts';
import type { Row } from './service-words.ts';

export const ALL_CAPABILITIES =
  'location, if-match, idempotency-key, read-lang, edit-lang, full-lists, last-edited';

type Rows = ReadonlyMap<string, Row>;

/** Spec: the single reads of the three kinds. */
export function singleReply(row: Row, newVersion: boolean, rows: Rows): unknown {
  const { fields, kind, id, lang, parent } = row;
  const shared = {
    id,
    name: fields['title'] ?? fields['name'],
    slug: fields['slug'],
    language: lang,
    language_parent: parent,
  };
  if (kind === 'tag') {
    const data = {
      ...shared,
      description: fields['description'],
      long_description: fields['longDescription'],
    };
    return { success: true, message: 'ok', newVersion, data };
  }
  if (kind === 'category') {
    const data = {
      ...shared,
      order_by: fields['priority'],
      parent_id: fields['categoryParent'],
      thumbnail_url: fields['thumbnailUrl'],
      description: fields['description'],
      long_description: fields['longDescription'],
      icon_url: fields['iconUrl'],
    };
    return { success: true, message: 'ok', newVersion, data };
  }
  const categories = idsIn(fields['categories']);
  const tags = idsIn(fields['tags']);
  const labelled = (ids: readonly string[]) =>
    ids.map((value) => ({ id: `r${value}`, label: nameOf(value, rows), value }));
  const data = {
    ...shared,
    tags_relationship: tags.map((tag) => ({ id: `r${tag}`, tag_id: tag })),
    article_relationships: categories.map((category) => ({ id: `r${category}`, category_id: category })),
    content: fields['content'],
    excerpt: fields['excerpt'],
    order_by: fields['ordering'],
    status: fields['status'],
    created_date: null,
    article_parent: null,
    last_edited_Date: String(row.editedMs),
    seo_banner_url: fields['seoBannerUrl'],
    hide_from_search: fields['hideFromSearch'],
    article_review_date: fields['articleReviewDate'],
  };
  const more = { isDraft: null, categories: labelled(categories), tags: labelled(tags) };
  return { success: true, message: 'ok', newVersion, data, ...more };
}

/** Spec: the list items of the three kinds. */
/** `users`: the articles in it, as far as the service shows them. */
export function listItem(row: Row, translations: readonly Row[], rows: Rows, users: readonly Row[]): unknown {
  const { fields, kind, id } = row;
  const languages = translations.map(({ lang }) => ({ language: lang }));
  const parent = fields['categoryParent'];
  switch (kind) {
    case 'article':
      return {
        id,
        name: fields['title'],
        status: fields['status'],
        last_edited_date: listDate(row.editedMs),
        ai_summary: null,
        other_articles: languages,
        users_articles_created_byTousers: null,
        _count: { tracking: 0 },
      };
    case 'category':
      return {
        id,
        name: fields['name'],
        order_by: fields['priority'],
        other_categories_categories_language_parentTocategories: languages,
        users_categories_created_byTousers: null,
        article_relationships: users.map((user) => ({ ...linkOf(user), category_id: id }))[0] ?? null,
        other_categories_categories_parent_idTocategories:
          typeof parent === 'string' ? { name: nameOf(parent, rows) } : null,
      };
    case 'tag':
      return {
        id,
        name: fields['name'],
        slug: fields['slug'],
        other_tags: languages,
        users_tags_created_byTousers: null,
        tag_relationship: users.map((user) => ({
          ...linkOf(user),
          added_by: null,
          article_id: user.id,
          tag_id: id,
        })),
      };
  }
}

function linkOf({ id }: Row): Readonly<Record<string, unknown>> {
  return { added_date: '2026-11-20T10:00:00Z', id: `r${id}`, site_id: '1' };
}

function nameOf(id: string, rows: Rows): string {
  const fields = rows.get(id)?.fields;
  const name = fields?.['title'] ?? fields?.['name'];
  return typeof name === 'string' ? name : '';
}

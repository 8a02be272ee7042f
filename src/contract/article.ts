import { z } from 'zod';
import { creator, id, languages, listTimestamp, timestamp } from './envelope.ts';

export const EXCERPT_CHARS_MAX = 160;
export const articleStatus = z.enum(['draft', 'published']);

/** Spec, "Article (single read, `data`)". `last_edited_Date` is written with this capital D in single reads. */
export const article = z.looseObject({
  id,
  tags_relationship: z.array(z.looseObject({ id, tag_id: id })),
  article_relationships: z.array(z.looseObject({ id, category_id: id })),
  name: z.string(),
  content: z.string().nullable(),
  slug: z.string(),
  excerpt: z.string().nullable(),
  order_by: z.number().nullable(),
  status: z.string(),
  created_date: timestamp.nullable(),
  article_parent: id.nullable(),
  last_edited_Date: timestamp.nullable(),
  seo_banner_url: z.string().nullable(),
  hide_from_search: z.boolean().nullable(),
  article_review_date: timestamp.nullable(),
  language: z.string().nullable(),
  language_parent: id.nullable(),
});
export type Article = z.infer<typeof article>;

const labelled = z.array(z.looseObject({ id, label: z.string(), value: id }));

/** Spec, single read of an article: top-level fields. `isDraft` is `{id}` of an open draft copy. */
export const articleReply = z.looseObject({
  success: z.literal(true),
  message: z.string().optional(),
  data: article,
  isDraft: z.looseObject({ id: id.nullable() }).nullable(),
  newVersion: z.boolean(),
  categories: labelled,
  tags: labelled,
});
export type ArticleReply = z.infer<typeof articleReply>;

/** Spec, "Article (list item, `data[]`)". */
export const articleListItem = z.looseObject({
  id,
  name: z.string(),
  status: z.string(),
  last_edited_date: listTimestamp.nullable(),
  ai_summary: z.string().nullable(),
  other_articles: languages,
  users_articles_created_byTousers: creator.nullable(),
  _count: z.looseObject({ tracking: z.number() }),
});
export type ArticleListItem = z.infer<typeof articleListItem>;

export const articleListReply = z.looseObject({
  success: z.literal(true),
  data: z.array(articleListItem),
  timezone: z.string(),
  limit: z.number(),
  languages: z.array(z.string()),
  aiSummary: z.boolean(),
});
export type ArticleListReply = z.infer<typeof articleListReply>;

const idRefs = z.array(z.strictObject({ value: id }));

/**
 * Spec, "Article create and edit body". The optional fields take null too: that is how a value is cleared (gap:
 * the spec shows no way to clear one).
 */
export const articleCreateBody = z.strictObject({
  title: z.string().min(1),
  slug: z.string().min(1),
  categories: idRefs,
  tags: idRefs.optional(),
  excerpt: z.string(),
  ordering: z.number(),
  status: articleStatus,
  content: z.string(),
  hideFromSearch: z.boolean().nullable().optional(),
  seoBannerUrl: z.string().nullable().optional(),
  articleReviewDate: z.string().nullable().optional(),
});
export type ArticleCreateBody = z.infer<typeof articleCreateBody>;

export const articleEditBody = z.strictObject({ ...articleCreateBody.shape, lang: z.string().min(1) });
export type ArticleEditBody = z.infer<typeof articleEditBody>;

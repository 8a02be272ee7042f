import { z } from 'zod';
import { count, creator, id, languages, listTimestamp, timestamp } from './envelope.ts';
import {
  contentText,
  dateText,
  excerptText,
  idText,
  languageCode,
  orderNumber,
  REFERENCES_MAX,
  slugText,
  titleText,
  webAddress,
} from './texts.ts';

export const articleStatus = z.enum(['draft', 'published']);

/** Spec, "Article (single read, `data`)". `last_edited_Date` is written with this capital D in single reads. */
export const article = z.strictObject({
  id,
  tags_relationship: z.array(z.strictObject({ id, tag_id: id })),
  article_relationships: z.array(z.strictObject({ id, category_id: id })),
  name: z.string(),
  content: z.string(),
  slug: z.string(),
  excerpt: z.string(),
  order_by: z.number(),
  status: articleStatus,
  created_date: timestamp,
  article_parent: id.nullable(),
  last_edited_Date: timestamp,
  seo_banner_url: z.string().nullable(),
  hide_from_search: z.boolean(),
  article_review_date: timestamp.nullable(),
  language: z.string().min(1).nullable(),
  language_parent: id.nullable(),
});
export type Article = z.infer<typeof article>;

const labelled = z.array(z.strictObject({ id, label: z.string(), value: id }));

/** Spec, single read of an article: top-level fields. `isDraft` is `{id}` of an open draft copy, and null without one. */
export const articleReply = z.strictObject({
  success: z.literal(true),
  message: z.string(),
  data: article,
  isDraft: z.strictObject({ id }).nullable(),
  newVersion: z.boolean(),
  categories: labelled,
  tags: labelled,
});
export type ArticleReply = z.infer<typeof articleReply>;

/** Spec, "Article (list item, `data[]`)". */
export const articleListItem = z.strictObject({
  id,
  name: z.string(),
  status: articleStatus,
  last_edited_date: listTimestamp,
  ai_summary: z.string(),
  other_articles: languages,
  users_articles_created_byTousers: creator,
  _count: z.strictObject({ tracking: count }),
});
export type ArticleListItem = z.infer<typeof articleListItem>;

export const articleListReply = z.strictObject({
  success: z.literal(true),
  data: z.array(articleListItem),
  timezone: z.string(),
  limit: count,
  languages: z.array(z.string().min(1)),
  aiSummary: z.boolean(),
});
export type ArticleListReply = z.infer<typeof articleListReply>;

const idRefs = z.array(z.strictObject({ value: idText })).meta({ maxItems: REFERENCES_MAX });

/**
 * Spec, "Article create and edit body". The optional fields take null too: that is how a value is cleared (gap:
 * the spec shows no way to clear one).
 */
export const articleCreateBody = z.strictObject({
  title: titleText,
  slug: slugText,
  categories: idRefs,
  tags: idRefs.optional(),
  excerpt: excerptText,
  ordering: orderNumber,
  status: articleStatus,
  content: contentText,
  hideFromSearch: z.boolean().nullable().optional(),
  seoBannerUrl: webAddress.nullable().optional(),
  articleReviewDate: dateText.nullable().optional(),
});
export type ArticleCreateBody = z.infer<typeof articleCreateBody>;

export const articleEditBody = z.strictObject({ ...articleCreateBody.shape, lang: languageCode });
export type ArticleEditBody = z.infer<typeof articleEditBody>;

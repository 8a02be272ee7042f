import { z } from 'zod';
import { creator, id, languages, timestamp } from './envelope.ts';
import {
  htmlText,
  idText,
  languageCode,
  orderNumber,
  plainText,
  slugText,
  titleText,
  webAddress,
} from './texts.ts';

/** Spec, "Category (single read, `data`)". */
export const category = z.strictObject({
  id,
  name: z.string(),
  slug: z.string(),
  order_by: z.number(),
  parent_id: id.nullable(),
  thumbnail_url: z.string().nullable(),
  description: z.string().nullable(),
  long_description: z.string().nullable(),
  icon_url: z.string().nullable(),
  language: z.string().min(1).nullable(),
  language_parent: id.nullable(),
});
export type Category = z.infer<typeof category>;

export const categoryReply = z.strictObject({
  success: z.literal(true),
  message: z.string(),
  data: category,
  newVersion: z.boolean(),
});
export type CategoryReply = z.infer<typeof categoryReply>;

/** Spec: one link object, of the article that was filed here first. */
const articleRelationship = z.strictObject({ added_date: timestamp, category_id: id, id, site_id: id });

/** Spec, "Category (list item, `data[]`)". */
export const categoryListItem = z.strictObject({
  id,
  name: z.string(),
  order_by: z.number(),
  other_categories_categories_language_parentTocategories: languages,
  users_categories_created_byTousers: creator,
  article_relationships: articleRelationship.nullable(),
  other_categories_categories_parent_idTocategories: z.strictObject({ name: z.string() }).nullable(),
});
export type CategoryListItem = z.infer<typeof categoryListItem>;

export const categoryListReply = z.strictObject({
  success: z.literal(true),
  data: z.array(categoryListItem),
});
export type CategoryListReply = z.infer<typeof categoryListReply>;

/** Spec, "Category create body"; null clears an optional value. */
export const categoryCreateBody = z.strictObject({
  name: titleText,
  slug: slugText,
  priority: orderNumber,
  categoryParent: idText.nullable().optional(),
  description: plainText.nullable().optional(),
  longDescription: htmlText.nullable().optional(),
  thumbnailUrl: webAddress.nullable().optional(),
  iconUrl: webAddress.nullable().optional(),
});
export type CategoryCreateBody = z.infer<typeof categoryCreateBody>;

/** "The same plus `lang`"; which fields an edit requires is a gap: none is, and what is left out stays. */
export const categoryEditBody = z.strictObject({
  ...categoryCreateBody.partial().shape,
  lang: languageCode.optional(),
});
export type CategoryEditBody = z.infer<typeof categoryEditBody>;

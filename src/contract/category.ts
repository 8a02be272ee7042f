import { z } from 'zod';
import { creator, id, languages, timestamp } from './envelope.ts';

/** Spec, "Category (single read, `data`)". */
export const category = z.looseObject({
  id,
  name: z.string(),
  slug: z.string(),
  order_by: z.number().nullable(),
  parent_id: id.nullable(),
  thumbnail_url: z.string().nullable(),
  description: z.string().nullable(),
  long_description: z.string().nullable(),
  icon_url: z.string().nullable(),
  language: z.string().nullable(),
  language_parent: id.nullable(),
});
export type Category = z.infer<typeof category>;

export const categoryReply = z.looseObject({
  success: z.literal(true),
  message: z.string().optional(),
  data: category,
  newVersion: z.boolean(),
});
export type CategoryReply = z.infer<typeof categoryReply>;

/** Spec: one link object; a service may as well send a list of them, or null where no article is in the category. */
const articleRelationship = z.looseObject({ added_date: timestamp, category_id: id, id, site_id: id });

/** Spec, "Category (list item, `data[]`)". */
export const categoryListItem = z.looseObject({
  id,
  name: z.string(),
  order_by: z.number().nullable(),
  other_categories_categories_language_parentTocategories: languages,
  users_categories_created_byTousers: creator.nullable(),
  article_relationships: z.union([articleRelationship, z.array(articleRelationship)]).nullable(),
  other_categories_categories_parent_idTocategories: z.looseObject({ name: z.string() }).nullable(),
});
export type CategoryListItem = z.infer<typeof categoryListItem>;

export const categoryListReply = z.looseObject({ success: z.literal(true), data: z.array(categoryListItem) });
export type CategoryListReply = z.infer<typeof categoryListReply>;

/** Spec, "Category create body"; null clears an optional value. */
export const categoryCreateBody = z.strictObject({
  name: z.string().min(1),
  slug: z.string().min(1),
  priority: z.number(),
  categoryParent: id.nullable().optional(),
  description: z.string().nullable().optional(),
  longDescription: z.string().nullable().optional(),
  thumbnailUrl: z.string().nullable().optional(),
  iconUrl: z.string().nullable().optional(),
});
export type CategoryCreateBody = z.infer<typeof categoryCreateBody>;

/** "The same plus `lang`"; which fields an edit requires is a gap: none is, and what is left out stays. */
export const categoryEditBody = z.strictObject({
  ...categoryCreateBody.partial().shape,
  lang: z.string().min(1).optional(),
});
export type CategoryEditBody = z.infer<typeof categoryEditBody>;

import { z } from 'zod';
import { creator, id, languages, timestamp } from './envelope.ts';
import { htmlText, idText, languageCode, plainText, slugText, titleText } from './texts.ts';

/** Spec, "Tag (single read, `data`)". */
export const tag = z.strictObject({
  id,
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  long_description: z.string().nullable(),
  language: z.string().min(1).nullable(),
  language_parent: id.nullable(),
});
export type Tag = z.infer<typeof tag>;

export const tagReply = z.strictObject({
  success: z.literal(true),
  message: z.string(),
  data: tag,
  newVersion: z.boolean(),
});
export type TagReply = z.infer<typeof tagReply>;

const tagRelationship = z.strictObject({
  added_by: id,
  added_date: timestamp,
  article_id: id,
  id,
  site_id: id,
  tag_id: id,
});

/** Spec, "Tag (list item, `data[]`)". */
export const tagListItem = z.strictObject({
  id,
  name: z.string(),
  slug: z.string(),
  other_tags: languages,
  users_tags_created_byTousers: creator,
  tag_relationship: z.array(tagRelationship),
});
export type TagListItem = z.infer<typeof tagListItem>;

export const tagListReply = z.strictObject({
  success: z.literal(true),
  message: z.string(),
  data: z.array(tagListItem),
  languages: z.array(z.string().min(1)),
});
export type TagListReply = z.infer<typeof tagListReply>;

/** Spec, "Tag create body": four fields; which are required is a gap: the name and the slug are. */
export const tagCreateBody = z.strictObject({
  name: titleText,
  slug: slugText,
  description: plainText.nullable().optional(),
  longDescription: htmlText.nullable().optional(),
});
export type TagCreateBody = z.infer<typeof tagCreateBody>;

/** Spec, tag edit body: "the same four fields plus `id` and `lang`"; what is left out stays (gap). */
export const tagEditBody = z.strictObject({
  ...tagCreateBody.partial().shape,
  id: idText.optional(),
  lang: languageCode.optional(),
});
export type TagEditBody = z.infer<typeof tagEditBody>;

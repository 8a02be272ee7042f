import { z } from 'zod';
import { articleStatus } from './article.ts';
import { creator, id, timestamp } from './envelope.ts';

/** Spec, "Version (`data[]` of the versions list)". */
export const version = z.strictObject({
  id,
  version: z.string(),
  name: z.string(),
  release_timestamp: timestamp,
  active_version: z.boolean(),
  released_version: z.boolean(),
  changelog_features: z.array(
    z.strictObject({
      id,
      changelog_version: id,
      name: z.string(),
      description: z.string().nullable(),
      image_url: z.string().nullable(),
    }),
  ),
});
export type Version = z.infer<typeof version>;

/** Spec, "Link (`data[]` of Link Manager)". */
export const link = z.strictObject({
  id,
  site_id: id,
  article_id: id,
  url: z.string(),
  created_date: timestamp,
  working: z.boolean(),
  articles: z.strictObject({ id, name: z.string() }),
});
export type Link = z.infer<typeof link>;

/** Spec, "Review-date entry (`data[]` of Review Dates)". */
export const reviewDate = z.strictObject({
  id,
  name: z.string(),
  status: articleStatus,
  article_review_date: timestamp,
  language: z.string().min(1).nullable(),
  users_articles_created_byTousers: creator,
});
export type ReviewDate = z.infer<typeof reviewDate>;

function listOf<T extends z.ZodType>(item: T) {
  return z.strictObject({ success: z.literal(true), message: z.string(), data: z.array(item) });
}

export const versionListReply = listOf(version);
export const linkListReply = listOf(link);
export const reviewDateListReply = listOf(reviewDate);

import { z } from 'zod';
import { creator, id, timestamp } from './envelope.ts';

/** Spec, "Version (`data[]` of the versions list)". */
export const version = z.looseObject({
  id,
  version: z.string(),
  name: z.string(),
  release_timestamp: timestamp.nullable(),
  active_version: z.boolean(),
  released_version: z.boolean(),
  changelog_features: z.array(
    z.looseObject({
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
export const link = z.looseObject({
  id,
  site_id: id,
  article_id: id,
  url: z.string(),
  created_date: timestamp,
  working: z.boolean().nullable(),
  articles: z.looseObject({ id, name: z.string() }),
});
export type Link = z.infer<typeof link>;

/** Spec, "Review-date entry (`data[]` of Review Dates)". */
export const reviewDate = z.looseObject({
  id,
  name: z.string(),
  status: z.string(),
  article_review_date: timestamp,
  language: z.string().nullable(),
  users_articles_created_byTousers: creator.nullable(),
});
export type ReviewDate = z.infer<typeof reviewDate>;

function listOf<T extends z.ZodType>(item: T) {
  return z.looseObject({ success: z.literal(true), message: z.string().optional(), data: z.array(item) });
}

export const versionListReply = listOf(version);
export const linkListReply = listOf(link);
export const reviewDateListReply = listOf(reviewDate);

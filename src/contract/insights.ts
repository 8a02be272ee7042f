import { z } from 'zod';
import type { Route } from './routes.ts';

const count = z.int().min(0).meta({ format: 'int64' });
const moment = z.iso.datetime();

/** What readers searched for, and no page was found. */
export const searchMiss = z.strictObject({
  query: z.string().min(1),
  /** Of the page that was searched from. */
  language: z.string().min(1),
  times: count,
  last_date: moment,
});
export type SearchMiss = z.infer<typeof searchMiss>;

/** What readers answered below an article, or a translation of one. */
export const articleFeedback = z.strictObject({
  id: z.string().min(1),
  name: z.string(),
  slug: z.string(),
  /** Null: the original. */
  language: z.string().nullable(),
  helpful: count,
  not_helpful: count,
  /** Of the original and its translations together. */
  views: count,
  last_date: moment,
});
export type ArticleFeedback = z.infer<typeof articleFeedback>;

/** An original that readers open, and when it or a translation of it was last edited. */
export const readArticle = z.strictObject({
  id: z.string().min(1),
  name: z.string(),
  slug: z.string(),
  views: count,
  last_edited_date: moment,
});
export type ReadArticle = z.infer<typeof readArticle>;

function listOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({ success: z.literal(true), message: z.string(), data: z.array(item) });
}

/**
 * Beyond the spec, and announced with `insights` in KB-Capabilities: what readers looked for and did not find, what they said
 * of articles, and what many read though nobody edited it for long. `?count=` cuts a list; the most important stand first.
 */
export const INSIGHT_ROUTES = {
  listSearchMisses: {
    method: 'GET',
    path: '/api/v2/insights/searches',
    reply: listOf(searchMiss),
  },
  listFeedback: { method: 'GET', path: '/api/v2/insights/feedback', reply: listOf(articleFeedback) },
  listStaleArticles: { method: 'GET', path: '/api/v2/insights/stale', reply: listOf(readArticle) },
} as const satisfies Record<string, Route>;

export type InsightRouteName = keyof typeof INSIGHT_ROUTES;

/** What stands in KB-Capabilities of a service that gives insights. */
export const INSIGHTS_TOKEN = 'insights' as const;
/** Rows of one list. */
export const INSIGHTS_MAX = 1000;

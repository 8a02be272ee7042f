import type { z } from 'zod';
import { articleCreateBody, articleEditBody, articleListReply, articleReply } from './article.ts';
import { categoryCreateBody, categoryEditBody, categoryListReply, categoryReply } from './category.ts';
import { doneReply } from './envelope.ts';
import { tagCreateBody, tagEditBody, tagListReply, tagReply } from './tag.ts';
import { linkListReply, reviewDateListReply, versionListReply } from './tools.ts';

export interface Route {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** `{id}` stands for the identifier of the record, percent-encoded. */
  readonly path: string;
  readonly body?: z.ZodType;
  readonly reply: z.ZodType;
}

/** Every endpoint of the spec. Client, service and the OpenAPI document are derived from this table. */
export const ROUTES = {
  listArticles: { method: 'GET', path: '/api/v2/articles', reply: articleListReply },
  readArticle: { method: 'GET', path: '/api/v2/articles/{id}', reply: articleReply },
  createArticle: { method: 'PUT', path: '/api/v2/articles', body: articleCreateBody, reply: doneReply },
  editArticle: { method: 'POST', path: '/api/v2/articles/{id}', body: articleEditBody, reply: doneReply },
  deleteArticle: { method: 'DELETE', path: '/api/v2/articles/{id}', reply: doneReply },
  listCategories: { method: 'GET', path: '/api/v2/categories', reply: categoryListReply },
  readCategory: { method: 'GET', path: '/api/v2/categories/{id}', reply: categoryReply },
  createCategory: { method: 'PUT', path: '/api/v2/categories', body: categoryCreateBody, reply: doneReply },
  editCategory: { method: 'POST', path: '/api/v2/categories/{id}', body: categoryEditBody, reply: doneReply },
  deleteCategory: { method: 'DELETE', path: '/api/v2/categories/{id}', reply: doneReply },
  listTags: { method: 'GET', path: '/api/v2/tags', reply: tagListReply },
  readTag: { method: 'GET', path: '/api/v2/tags/{id}', reply: tagReply },
  createTag: { method: 'PUT', path: '/api/v2/tags', body: tagCreateBody, reply: doneReply },
  editTag: { method: 'POST', path: '/api/v2/tags/{id}', body: tagEditBody, reply: doneReply },
  deleteTag: { method: 'DELETE', path: '/api/v2/tags/{id}', reply: doneReply },
  listVersions: { method: 'GET', path: '/api/v2/versions', reply: versionListReply },
  listLinks: { method: 'GET', path: '/api/v2/tools/link_manager', reply: linkListReply },
  listReviewDates: { method: 'GET', path: '/api/v2/tools/review_dates', reply: reviewDateListReply },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;
// The keys of a constant are its type's keys.
export const ROUTE_NAMES = Object.keys(ROUTES) as readonly RouteName[];
export type ReplyOf<N extends RouteName> = z.infer<(typeof ROUTES)[N]['reply']>;
export type BodyOf<N extends RouteName> = (typeof ROUTES)[N] extends {
  readonly body: infer B extends z.ZodType;
}
  ? z.infer<B>
  : undefined;

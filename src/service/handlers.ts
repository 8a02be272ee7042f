import {
  articleCreateBody,
  articleEditBody,
  categoryCreateBody,
  categoryEditBody,
  type RouteName,
  tagCreateBody,
  tagEditBody,
} from '../contract/index.ts';
import { ARTICLE, articleBodyOf, articleList, articleReply } from './articles.ts';
import { CATEGORY, categoryList, categoryReply } from './categories.ts';
import type { Context, WriteContext, Written } from './context.ts';
import type { Preconditions } from './etag.ts';
import { once } from './idempotency.ts';
import type { Kind } from './kind.ts';
import { linkList } from './links.ts';
import {
  createRecord,
  editRecord,
  findRecord,
  type Found,
  type RecordKind,
  removeRecord,
} from './records.ts';
import { Refusal } from './refusal.ts';
import { reviewDateList } from './reviews.ts';
import type { Sql, Transaction } from './store/store.ts';
import { TAG, tagList, tagReply } from './tags.ts';
import { listDate } from './time.ts';
import { validate } from './validate.ts';
import { versionList } from './versions.ts';

/** What a read is asked; `query` holds the names that the handler lists. */
export interface ReadCall {
  readonly id: string;
  readonly query: Readonly<Record<string, string | undefined>>;
}

export interface WriteCall {
  readonly id: string;
  /** Parsed JSON, not yet validated; undefined for deletes. */
  readonly body: unknown;
  readonly keyId: string;
  readonly preconditions: Preconditions;
  readonly idempotencyKey: string | undefined;
}

export interface ReadReply {
  readonly body: unknown;
  readonly etag?: string;
  /** Lists: how many records there are. */
  readonly total?: number;
}

export type Handler =
  | {
      readonly type: 'read';
      /** Query parameters that are understood; any other is refused. */
      readonly query: readonly string[];
      readonly run: (sql: Sql, context: Context, call: ReadCall) => Promise<ReadReply>;
    }
  | {
      readonly type: 'write';
      /** Refuses a wrong body before the store is asked for a transaction; the work itself runs inside one. */
      readonly prepare: (call: WriteCall) => (sql: Transaction, context: WriteContext) => Promise<Written>;
    };

/** One handler for each route of the contract: a route without one does not compile. */
export const HANDLERS: Readonly<Record<RouteName, Handler>> = {
  listArticles: list(articleList),
  readArticle: single('article', articleReply),
  createArticle: create('createArticle', ARTICLE, (body) => articleBodyOf(validate(articleCreateBody, body))),
  editArticle: edit(ARTICLE, (body) => {
    const { lang, ...fields } = validate(articleEditBody, body);
    return { lang, fields: articleBodyOf(fields) };
  }),
  deleteArticle: remove(ARTICLE),
  listCategories: list(categoryList),
  readCategory: single('category', categoryReply),
  createCategory: create('createCategory', CATEGORY, (body) => validate(categoryCreateBody, body)),
  editCategory: edit(CATEGORY, (body) => {
    const { lang, ...fields } = validate(categoryEditBody, body);
    return { lang, fields };
  }),
  deleteCategory: remove(CATEGORY),
  listTags: list(tagList),
  readTag: single('tag', tagReply),
  createTag: create('createTag', TAG, (body) => validate(tagCreateBody, body)),
  editTag: edit(TAG, (body, id) => {
    const { lang, id: named, ...fields } = validate(tagEditBody, body);
    if (named !== undefined && named !== id) {
      throw new Refusal(400, `id: is ${JSON.stringify(named)}, but the path names ${JSON.stringify(id)}`);
    }
    return { lang, fields };
  }),
  deleteTag: remove(TAG),
  listVersions: {
    type: 'read',
    query: ['count'],
    run: (sql, context, { query }) => versionList(sql, context, query['count']),
  },
  listLinks: list(linkList),
  listReviewDates: list(reviewDateList),
};

function list(run: (sql: Sql, context: Context) => Promise<ReadReply>): Handler {
  return { type: 'read', query: [], run };
}

function single<K extends Kind>(kind: K, reply: (sql: Sql, found: Found<K>) => Promise<unknown>): Handler {
  return {
    type: 'read',
    query: ['lang'],
    async run(sql, context, { id, query }) {
      const found = await findRecord(sql, context, { kind, id, lang: query['lang'] });
      return { body: await reply(sql, found), etag: found.etag };
    },
  };
}

function create<K extends Kind, Body extends object>(
  route: RouteName,
  kind: RecordKind<K, Body>,
  parse: (body: unknown) => Body,
): Handler {
  return {
    type: 'write',
    prepare({ body: json, keyId, idempotencyKey }) {
      const body = parse(json);
      const repeatable = { keyId, token: idempotencyKey, request: [route, body] } as const;
      return (sql, context) =>
        once(sql, context, repeatable, async () => {
          const { row, ...written } = await createRecord(sql, context, kind, body);
          return { ...written, ...datesOf(kind.kind, row.edited_at) };
        });
    },
  };
}

function edit<K extends Kind, Body extends object>(
  kind: RecordKind<K, Body>,
  parse: (body: unknown, id: string) => { readonly lang: string | undefined; readonly fields: Body },
): Handler {
  return {
    type: 'write',
    prepare({ id, body, preconditions }) {
      const { lang, fields } = parse(body, id);
      const asked = { id, lang, body: fields, preconditions };
      return async (sql, context) => {
        const { row: _row, editedAt, beforeAt, ...written } = await editRecord(sql, context, kind, asked);
        return { ...written, ...datesOf(kind.kind, editedAt, beforeAt) };
      };
    },
  };
}

function remove<K extends Kind, Body extends object>(kind: RecordKind<K, Body>): Handler {
  return {
    type: 'write',
    prepare:
      ({ id, preconditions }) =>
      async (sql, context) => {
        const { editedAt, beforeAt, ...written } = await removeRecord(sql, context, kind, {
          id,
          preconditions,
        });
        return { ...written, ...datesOf(kind.kind, editedAt, beforeAt) };
      },
  };
}

/** Only the article list shows dates. */
function datesOf(
  kind: Kind,
  editedAt: number | undefined,
  beforeAt?: number,
): Pick<Written, 'lastEdited' | 'previousEdited'> {
  if (kind !== 'article' || editedAt === undefined) return {};
  const lastEdited = listDate(editedAt);
  return beforeAt === undefined ? { lastEdited } : { lastEdited, previousEdited: listDate(beforeAt) };
}

import {
  articleCreateBody,
  articleEditBody,
  categoryCreateBody,
  categoryEditBody,
  type RouteName,
  tagCreateBody,
  tagEditBody,
} from '../../contract/index.ts';
import { ARTICLE, articleBodyOf, articleList, articleReply } from '../records/articles.ts';
import { CATEGORY, categoryList, categoryReply } from '../records/categories.ts';
import type { Context, WriteContext, WriteAnswer } from '../context.ts';
import { isShown, type Preconditions } from '../records/etag.ts';
import { once } from './idempotency.ts';
import type { Kind } from '../kind.ts';
import { listTag, type MarkedList } from '../records/list-tag.ts';
import { linkList } from '../links/links.ts';
import {
  createRecord,
  editRecord,
  findRecord,
  type Found,
  type RecordKind,
  removeRecord,
} from '../records/records.ts';
import { Refusal } from '../refusal.ts';
import { reviewDateList } from '../records/reviews.ts';
import type { Dialect, Sql, Transaction } from '../store/store.ts';
import { checkLongText } from '../records/article-text.ts';
import { TAG, tagList, tagReply } from '../records/tags.ts';
import { listDate } from '../time.ts';
import { validate } from './validate.ts';
import { versionList } from '../versions/versions.ts';

/** What a read is asked; `query` holds the names that the handler lists. */
export interface ReadCall {
  readonly id: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly ifNoneMatch: string | undefined;
}

export interface WriteCall {
  readonly id: string;
  /** Parsed JSON, not yet validated; undefined for deletes. */
  readonly body: unknown;
  readonly keyId: string;
  readonly preconditions: Preconditions;
  readonly idempotencyKey: string | undefined;
  readonly dialect: Dialect;
}

export interface ReadReply {
  readonly body?: unknown;
  /** The body as JSON already, instead of `body`. */
  readonly text?: string;
  readonly etag?: string;
  /**
   * Whether the tag names every byte of the reply, so a read with `If-None-Match` may be answered with 304. An
   * article shows names of its categories and tags and the date of its translations, which its own tag does not tell.
   * There is no body where the read saw that nothing else than a 304 is asked for.
   */
  readonly isNamedByTag?: boolean;
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
      readonly prepare: (call: WriteCall) => Promise<PreparedWrite>;
    };

export type PreparedWrite = (sql: Transaction, context: WriteContext) => Promise<WriteAnswer>;

/** One handler for each route of the contract: a route without one does not compile. */
export const HANDLERS: Readonly<Record<RouteName, Handler>> = {
  listArticles: list(articleList, 'articles'),
  readArticle: single('article', articleReply),
  createArticle: create('createArticle', ARTICLE, (body) => validate(articleCreateBody, body), articleBodyOf),
  editArticle: edit(
    ARTICLE,
    (body) => {
      const { lang, ...fields } = validate(articleEditBody, body);
      return { lang, fields };
    },
    articleBodyOf,
  ),
  deleteArticle: remove(ARTICLE),
  listCategories: list(categoryList, 'categories'),
  readCategory: single('category', categoryReply),
  createCategory: create(
    'createCategory',
    CATEGORY,
    (body) => validate(categoryCreateBody, body),
    withLongText,
  ),
  editCategory: edit(
    CATEGORY,
    (body) => {
      const { lang, ...fields } = validate(categoryEditBody, body);
      return { lang, fields };
    },
    withLongText,
  ),
  deleteCategory: remove(CATEGORY),
  listTags: list(tagList, 'tags'),
  readTag: single('tag', tagReply),
  createTag: create('createTag', TAG, (body) => validate(tagCreateBody, body), withLongText),
  editTag: edit(
    TAG,
    (body, id) => {
      const { lang, id: named, ...fields } = validate(tagEditBody, body);
      if (named !== undefined && named !== id) {
        throw new Refusal(400, `id: is ${JSON.stringify(named)}, but the path names ${JSON.stringify(id)}`);
      }
      return { lang, fields };
    },
    withLongText,
  ),
  deleteTag: remove(TAG),
  listVersions: {
    type: 'read',
    query: ['count'],
    run: (sql, context, { query }) => versionList(sql, context, query['count']),
  },
  listLinks: list(linkList),
  listReviewDates: list(reviewDateList),
};

/** A list that the client has is not read: the tag is kept by the store. */
function list(run: (sql: Sql, context: Context) => Promise<ReadReply>, marked?: MarkedList): Handler {
  if (marked === undefined) return { type: 'read', query: [], run };
  return {
    type: 'read',
    query: [],
    async run(sql, context, { ifNoneMatch }) {
      const etag = await listTag(sql, context, marked);
      const isNamedByTag = true;
      if (ifNoneMatch !== undefined && isShown(ifNoneMatch, { etag, exists: true })) {
        return { etag, isNamedByTag };
      }
      return { ...(await run(sql, context)), etag, isNamedByTag };
    },
  };
}

function single<K extends Kind>(kind: K, reply: (sql: Sql, found: Found<K>) => Promise<unknown>): Handler {
  return {
    type: 'read',
    query: ['lang'],
    async run(sql, context, { id, query }) {
      const found = await findRecord(sql, context, { kind, id, lang: query['lang'] });
      const isNamedByTag = kind !== 'article' && !found.newVersion;
      return { body: await reply(sql, found), etag: found.etag, isNamedByTag };
    },
  };
}

/** What the kind reads out of a body before the store is asked for a transaction. */
type Complete<Fields, Body> = (fields: Fields, dialect: Dialect) => Promise<Body>;

async function withLongText<Body extends { readonly longDescription?: string | null | undefined }>(
  body: Body,
): Promise<Body> {
  await checkLongText('longDescription', body.longDescription);
  return body;
}

function create<K extends Kind, Fields extends object, Body extends object>(
  route: RouteName,
  kind: RecordKind<K, Body>,
  parse: (body: unknown) => Fields,
  complete: Complete<Fields, Body>,
): Handler {
  return {
    type: 'write',
    async prepare({ body: json, keyId, idempotencyKey, dialect }) {
      const fields = parse(json);
      const body = await complete(fields, dialect);
      const repeatable = { keyId, token: idempotencyKey, request: [route, fields] } as const;
      return (sql, context) =>
        once(sql, context, repeatable, async () => {
          const { row, ...written } = await createRecord(sql, context, kind, body);
          return { ...written, ...datesOf(kind.kind, row.edited_at) };
        });
    },
  };
}

function edit<K extends Kind, Fields extends object, Body extends object>(
  kind: RecordKind<K, Body>,
  parse: (body: unknown, id: string) => { readonly lang: string | undefined; readonly fields: Fields },
  complete: Complete<Fields, Body>,
): Handler {
  return {
    type: 'write',
    async prepare({ id, body, preconditions, dialect }) {
      const { lang, fields } = parse(body, id);
      const asked = { id, lang, body: await complete(fields, dialect), preconditions };
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
    prepare: async ({ id, preconditions }) => {
      return async (sql, context) => {
        const { editedAt, beforeAt, ...written } = await removeRecord(sql, context, kind, {
          id,
          preconditions,
        });
        return { ...written, ...datesOf(kind.kind, editedAt, beforeAt) };
      };
    },
  };
}

/** Only the article list shows dates. */
function datesOf(
  kind: Kind,
  editedAt: number | undefined,
  beforeAt?: number,
): Pick<WriteAnswer, 'lastEdited' | 'previousEdited'> {
  if (kind !== 'article' || editedAt === undefined) return {};
  const lastEdited = listDate(editedAt);
  return beforeAt === undefined ? { lastEdited } : { lastEdited, previousEdited: listDate(beforeAt) };
}

import {
  doneReply,
  HEADERS,
  idText,
  type Route,
  type RouteName,
  TELLING_LISTS,
} from '../../../contract/index.ts';
import type { JsonObject } from '../../../text/json-value.ts';
import { HANDLERS } from '../handlers.ts';
import { jsonOf, refusalsOf, refused, reply } from './replies.ts';
import { schemaOf } from './schemas.ts';

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: JsonObject;
  readonly responses: Readonly<Record<string, JsonObject>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonObject;
}

export const TAGS = [
  ['articles', 'Articles and their translations.'],
  ['categories', 'Categories, which form a tree.'],
  ['tags', 'Tags.'],
  ['versions', 'Release versions with their changelog; read only.'],
  ['tools', 'Links found in articles, and articles with a review date; read only.'],
] as const;

/** What the summary does not say. */
const DESCRIPTIONS: Readonly<Record<RouteName, string>> = {
  listArticles: 'Every article, drafts too, in the order of their making. The list is never cut.',
  readArticle:
    'The record that the id names, or with `lang` its translation. A language without a translation shows the original as it would be copied, with `newVersion: true`.',
  createArticle: 'Makes an article in the default language. Translations are made by an edit with `lang`.',
  editArticle:
    'Edits the article in the language of `lang`; a translation that does not exist is made. An optional field that is left out stays, null clears it.',
  deleteArticle: 'Deletes exactly the record that the id names. An original goes after its translations.',
  listCategories: 'Every category, in the order of their making. The list is never cut.',
  readCategory: 'The record that the id names, or with `lang` its translation.',
  createCategory: 'Makes a category in the default language, below `categoryParent` if there is one.',
  editCategory: 'What is left out stays, null clears it. With `lang`, edits or makes the translation.',
  deleteCategory: 'Deletes a category without articles, children and translations.',
  listTags: 'Every tag with the articles that carry it, in the order of their making. The list is never cut.',
  readTag: 'The record that the id names, or with `lang` its translation.',
  createTag: 'Makes a tag in the default language.',
  editTag:
    'What is left out stays, null clears it. With `lang`, edits or makes the translation. `id`, if given, is the id of the path.',
  deleteTag: 'Deletes a tag without articles and translations.',
  listVersions: 'Release versions with their changelog, the newest release first.',
  listLinks: 'The addresses that articles link to. One that was never checked counts as working.',
  listReviewDates: 'Articles and translations with a review date, the next one first.',
};

export function operationOf(
  name: RouteName,
  { method, path, body, reply: shape }: Route,
  hasRedirectSets: boolean,
): Operation {
  const schema = shape === doneReply ? 'done' : `${name}Reply`;
  const tellsSets = hasRedirectSets && TELLING_LISTS.has(name);
  const headers = [...replyHeaders(name, method), ...(tellsSets ? [HEADERS.redirectSets] : [])];
  return {
    operationId: name,
    summary: summaryOf(name),
    description: DESCRIPTIONS[name],
    tags: [TAGS.find(([tag]) => path.startsWith(`/api/v2/${tag}`))?.[0] ?? 'tools'],
    parameters: parametersOf(name, method, path),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: jsonOf(`#/components/schemas/${name}Body`) } }),
    responses: {
      [method === 'PUT' ? '201' : '200']: reply('Done.', schema, headers),
      ...(KNOWN_BY_TAG.has(name)
        ? { 304: reply('What If-None-Match names is what there is.', undefined, headers) }
        : {}),
      ...refused(refusalsOf(method, path)),
    },
  };
}

/** Reads whose tag names every byte of the reply. */
const KNOWN_BY_TAG: ReadonlySet<RouteName> = new Set<RouteName>([
  'readCategory',
  'readTag',
  'listArticles',
  'listCategories',
  'listTags',
]);

function summaryOf(name: RouteName): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const text = /^(?:read|create|edit|delete) /.test(words)
    ? words.replace(/ (?=a)/, ' an ').replace(/ (?=[ct])/, ' a ')
    : words;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function parametersOf(name: RouteName, method: Route['method'], path: string): readonly Parameter[] {
  const handler = HANDLERS[name];
  const header = (title: string, description: string, schema: JsonObject = {}): Parameter => ({
    name: title,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', ...schema },
  });
  return [
    ...(path.includes('{id}')
      ? [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: 'Identifier of the record.',
            schema: schemaOf(idText, 'input'),
          } as const,
        ]
      : []),
    ...(handler.type === 'read' ? handler.query.map((query) => QUERY[query] ?? unknownQuery(query)) : []),
    ...(method === 'PUT'
      ? [
          header(
            HEADERS.idempotencyKey,
            'A repeated create with the same key and body is done once, for 24 hours.',
            { minLength: 1, maxLength: 255 },
          ),
        ]
      : []),
    ...(method === 'POST' || method === 'DELETE'
      ? [header('If-Match', 'The ETag of the version that is meant.', ENTITY_TAGS)]
      : []),
    ...(method === 'POST'
      ? [header('If-None-Match', '`*`: only if the translation does not exist yet.', ENTITY_TAGS)]
      : []),
    ...(KNOWN_BY_TAG.has(name)
      ? [header('If-None-Match', 'The ETag of what the client has: answered with 304 if it is the same.')]
      : []),
  ];
}

/** RFC 9110, 8.8.3, as clients write it. */
const ENTITY_TAGS = {
  pattern: '^(?:\\*|(?:W/)?"[!#-~\\u0080-\\u00ff]*"(?:, ?(?:W/)?"[!#-~\\u0080-\\u00ff]*")*)$',
};

const QUERY: Readonly<Record<string, Parameter>> = {
  lang: {
    name: 'lang',
    in: 'query',
    required: false,
    description: 'Language of the record to read, like `fr` or `pt-BR`.',
    schema: { $ref: '#/components/schemas/language' },
  },
  count: {
    name: 'count',
    in: 'query',
    required: false,
    description: 'Only that many of the newest versions.',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 100 },
  },
};

function unknownQuery(name: string): never {
  throw new Error(`bug: query parameter ${name} is not described`);
}

function replyHeaders(name: RouteName, method: Route['method']): readonly string[] {
  const isWrite = method !== 'GET';
  return [
    ...(name.startsWith('list') ? [HEADERS.totalCount, HEADERS.defaultLanguage] : []),
    ...(method === 'PUT' ? ['Location'] : []),
    ...(name.startsWith('read') || KNOWN_BY_TAG.has(name) || method === 'PUT' || method === 'POST'
      ? ['ETag']
      : []),
    ...(isWrite && name.endsWith('Article') ? [HEADERS.lastEdited] : []),
    ...(isWrite && method !== 'PUT' && name.endsWith('Article') ? [HEADERS.previousEdited] : []),
    ...(isWrite ? [HEADERS.listTags] : []),
  ];
}

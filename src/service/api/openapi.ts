import { z } from 'zod';
import {
  doneReply,
  errorReply,
  FILE_DIGEST,
  FILE_NAME,
  FILE_ROUTES,
  HEADERS,
  INSIGHT_ROUTES,
  type InsightRouteName,
  INSIGHTS_MAX,
  languageCode,
  REDIRECT_ROUTES,
  redirectSetBody,
  redirectSetReply,
  redirectsWrittenReply,
  REPOSITORY_NAME,
  type Route,
  type RouteName,
  ROUTE_NAMES,
  ROUTES,
  storedFileReply,
} from '../../contract/index.ts';
import { HANDLERS } from './handlers.ts';
import { enabledLanguages, type LanguageRule } from '../language.ts';
import type { JsonObject } from '../../text/json-value.ts';

/** The part of OpenAPI 3.1 that this service needs to describe itself. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: JsonObject;
  readonly servers: readonly JsonObject[];
  readonly security: readonly JsonObject[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> } & JsonObject;
}

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

/** What a service may offer beyond the API text. */
export interface Beyond {
  readonly hasFiles?: boolean;
  readonly hasInsights?: boolean;
  readonly hasRedirectSets?: boolean;
}

/**
 * The API of this service as an OpenAPI 3.1 document, made of the route table and the contract's schemas. `rule`: with fixed
 * languages, they are the values of `lang`.
 */
export function openApiDocument(
  rule?: LanguageRule,
  { hasFiles = false, hasInsights = false, hasRedirectSets = false }: Beyond = {},
): OpenApiDocument {
  const schemas: Record<string, JsonObject> = {
    error: schemaOf(errorReply, 'output'),
    done: schemaOf(doneReply, 'output'),
    language: languageSchema(rule),
  };
  const paths: Record<string, Record<string, Operation>> = {};
  for (const name of ROUTE_NAMES) {
    const route: Route = ROUTES[name];
    if (route.body !== undefined) schemas[`${name}Body`] = withLanguage(schemaOf(route.body, 'input'));
    if (route.reply !== doneReply) schemas[`${name}Reply`] = schemaOf(route.reply, 'output');
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(name, route);
  }
  if (hasFiles) {
    schemas['storedFileReply'] = schemaOf(storedFileReply, 'output');
    Object.assign(paths, filePaths());
  }
  if (hasInsights) {
    for (const name of insightNames())
      schemas[`${name}Reply`] = schemaOf(INSIGHT_ROUTES[name].reply, 'output');
    Object.assign(paths, insightPaths());
  }
  if (hasRedirectSets) {
    schemas['replaceRedirectsBody'] = schemaOf(redirectSetBody, 'input');
    schemas['readRedirectsReply'] = schemaOf(redirectSetReply, 'output');
    schemas['replaceRedirectsReply'] = schemaOf(redirectsWrittenReply, 'output');
    Object.assign(paths, redirectPaths());
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Knowledge Base Management API',
      version: '2',
      description:
        'Articles, categories and tags of one knowledge base, its release versions, its links and its review dates. ' +
        'What this service adds to the API text travels in headers only; a client that does not know them loses nothing.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Whoever runs this knowledge base' },
    },
    servers: [{ url: '/', description: 'The service that this document comes from.' }],
    security: [{ key: [] }],
    tags: [
      ...TAGS,
      ...(hasFiles ? [FILES_TAG] : []),
      ...(hasInsights ? [INSIGHTS_TAG] : []),
      ...(hasRedirectSets ? [REDIRECTS_TAG] : []),
    ].map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'The API key of the knowledge base.' },
      },
      responses: Object.fromEntries(
        Object.entries<Refused>(REFUSALS).map(([status, { when, headers = [] }]) => [
          `refused${status}`,
          {
            description: when,
            headers: headerReferences([...COMMON_HEADERS, ...headers]),
            content: jsonOf('#/components/schemas/error'),
          },
        ]),
      ),
      headers: Object.fromEntries(
        Object.entries(REPLY_HEADERS).map(([name, { description, schema = { type: 'string' } }]) => [
          name,
          { description, schema },
        ]),
      ),
    },
  };
}

const TAGS = [
  ['articles', 'Articles and their translations.'],
  ['categories', 'Categories, which form a tree.'],
  ['tags', 'Tags.'],
  ['versions', 'Release versions with their changelog; read only.'],
  ['tools', 'Links found in articles, and articles with a review date; read only.'],
] as const;

const FILES_TAG = [
  'files',
  'Images and files that articles show. Beyond the API text, and announced with `files` in KB-Capabilities. Readers get a file without a key at `/files/{digest}/{name}`.',
] as const;

const INSIGHTS_TAG = [
  'insights',
  'What readers looked for in vain, what they said of articles, and what they read. Beyond the API text, and announced with `insights` in KB-Capabilities.',
] as const;

const REDIRECTS_TAG = [
  'redirects',
  'Old addresses of pages, one set for each repository. Beyond the API text, and announced with `redirect-sets` in KB-Capabilities. Lists tell in KB-Redirect-Sets which sets there are.',
] as const;

/** What a reply may carry; a client that does not know a header loses nothing. */
const REPLY_HEADERS: Readonly<
  Record<string, { readonly description: string; readonly schema?: JsonObject }>
> = {
  [HEADERS.capabilities]: { description: 'Which gaps of the API text this service fills.' },
  'X-Request-Id': { description: 'Names the request in the log of the service, if it keeps one.' },
  RateLimit: { description: 'What is left of the share of this key, if the service has a limit.' },
  'RateLimit-Policy': { description: 'How many requests a key may send in which time.' },
  [HEADERS.totalCount]: {
    description: 'How many records there are.',
    schema: { type: 'integer', format: 'int64', minimum: 0 },
  },
  Location: { description: 'Path of the new record; its last segment is the id.' },
  ETag: { description: 'Names this version of what was read or written.' },
  [HEADERS.lastEdited]: { description: 'The `last_edited_date` that the list shows after this write.' },
  [HEADERS.previousEdited]: { description: 'The `last_edited_date` that the list showed before it.' },
  [HEADERS.redirectSets]: {
    description:
      'Which repositories have old addresses here, each with the tag of its set; `*`: there are more. On lists, if the service keeps such sets.',
  },
  'Retry-After': {
    description: 'Seconds to wait.',
    schema: { type: 'integer', format: 'int32', minimum: 1 },
  },
  'WWW-Authenticate': { description: 'Always `Bearer`.' },
};
const COMMON_HEADERS = [HEADERS.capabilities, 'X-Request-Id'] as const;
const SHARE_HEADERS = ['RateLimit', 'RateLimit-Policy'] as const;

interface Refused {
  readonly when: string;
  readonly headers?: readonly string[];
}

/** Every refusal has the error body of the spec; see gaps.md. */
const REFUSALS = {
  400: {
    when: 'The request or its body is wrong; the message names each wrong field. What the schema cannot say: content with more than 5,000 addresses, elements nested more than 256 deep, more than 10,000 JSON values, a field given twice.',
  },
  401: {
    when: 'No valid API key. One answer for a missing, malformed, unknown, expired and revoked key.',
    headers: ['WWW-Authenticate'],
  },
  403: { when: 'The key may only read.' },
  404: { when: 'No record has this id, no file this digest.' },
  408: { when: 'The request did not arrive in time.' },
  409: { when: 'The slug is in use, the record is in use, or the parent would close a cycle.' },
  412: {
    when: 'The record is not the version that If-Match names, or it exists and If-None-Match says `*`.',
    headers: ['ETag'],
  },
  413: {
    when: 'The body is too large. A file: it, all files together, or the pixels of a picture are more than the service takes.',
  },
  415: {
    when: 'The body is not application/json in UTF-8. A file: its bytes are of no known format, or of another than its name says.',
  },
  422: {
    when: 'A record that the body names does not exist, or the Idempotency-Key was used for another request.',
  },
  429: {
    when: 'Too many requests with this key; Retry-After says when to come back.',
    headers: [...SHARE_HEADERS, 'Retry-After'],
  },
  431: { when: 'The headers are larger than 16 KiB.' },
  500: { when: 'The service failed; the cause is in its log. Whether a write was done is not known.' },
  503: { when: 'Not now; nothing was written if Retry-After is there.', headers: ['Retry-After'] },
} as const satisfies Readonly<Record<number, Refused>>;

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

function operationOf(name: RouteName, { method, path, body, reply }: Route): Operation {
  const isCreate = method === 'PUT';
  const done = reply === doneReply;
  return {
    operationId: name,
    summary: summaryOf(name),
    description: DESCRIPTIONS[name],
    tags: [TAGS.find(([tag]) => path.startsWith(`/api/v2/${tag}`))?.[0] ?? 'tools'],
    parameters: parametersOf(name, { method, path, reply }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: jsonOf(`#/components/schemas/${name}Body`) } }),
    responses: {
      [isCreate ? '201' : '200']: {
        description: 'Done.',
        headers: headerReferences([...COMMON_HEADERS, ...SHARE_HEADERS, ...replyHeaders(name, method)]),
        content: jsonOf(`#/components/schemas/${done ? 'done' : `${name}Reply`}`),
      },
      ...(KNOWN_BY_TAG.has(name)
        ? {
            304: {
              description: 'What If-None-Match names is what there is.',
              headers: headerReferences([...COMMON_HEADERS, ...SHARE_HEADERS, ...replyHeaders(name, method)]),
            },
          }
        : {}),
      ...Object.fromEntries(
        refusalsOf(method, path).map((status) => [
          status,
          { $ref: `#/components/responses/refused${status}` },
        ]),
      ),
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

function parametersOf(name: RouteName, { method, path }: Route): readonly Parameter[] {
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
            schema: { type: 'string', minLength: 1 },
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
      ? [header('If-Match', 'The ETag of the version that is meant.')]
      : []),
    ...(method === 'POST'
      ? [header('If-None-Match', '`*`: only if the translation does not exist yet.')]
      : []),
    ...(KNOWN_BY_TAG.has(name)
      ? [header('If-None-Match', 'The ETag of what the client has: answered with 304 if it is the same.')]
      : []),
  ];
}

const INSIGHTS: Readonly<Record<InsightRouteName, readonly [summary: string, description: string]>> = {
  listSearchMisses: [
    'List searches without a result',
    'Queries of the last 90 days for which the help centre found no page, the most frequent first. Queries that may say who asked are not kept.',
  ],
  listFeedback: [
    'List what readers said of articles',
    'Answers to “Was this page helpful?” by article and translation, the most negative first.',
  ],
  listStaleArticles: [
    'List articles that are read and not edited',
    'Published originals by views multiplied by the days since they or a translation were last edited.',
  ],
};

function insightPaths(): Readonly<Record<string, Readonly<Record<string, Operation>>>> {
  const count: Parameter = {
    name: 'count',
    in: 'query',
    required: false,
    description: 'Only so many; 100 if it is left out.',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: INSIGHTS_MAX },
  };
  return Object.fromEntries(
    insightNames().map((name) => {
      const [summary, description] = INSIGHTS[name];
      const responses = {
        200: {
          description: 'Done.',
          headers: headerReferences([...COMMON_HEADERS, ...SHARE_HEADERS]),
          content: jsonOf(`#/components/schemas/${name}Reply`),
        },
        ...Object.fromEntries(
          refusalsOf('GET', INSIGHT_ROUTES[name].path).map((status) => [
            status,
            { $ref: `#/components/responses/refused${status}` },
          ]),
        ),
      };
      const get = {
        operationId: name,
        summary,
        description,
        tags: ['insights'],
        parameters: [count],
        responses,
      };
      return [INSIGHT_ROUTES[name].path, { get }];
    }),
  );
}

function insightNames(): readonly InsightRouteName[] {
  // The keys of a constant are its type's keys.
  return Object.keys(INSIGHT_ROUTES) as InsightRouteName[];
}

function redirectPaths(): Readonly<Record<string, Readonly<Record<string, Operation>>>> {
  const repository: Parameter = {
    name: 'repository',
    in: 'query',
    required: true,
    description: 'The name of the repository, as `id` of its kbsync.yaml.',
    schema: { type: 'string', pattern: REPOSITORY_NAME.source },
  };
  const responses = (name: string, statuses: readonly (keyof typeof REFUSALS)[]) => ({
    200: {
      description: 'Done.',
      headers: headerReferences([...COMMON_HEADERS, ...SHARE_HEADERS, HEADERS.redirectSets]),
      content: jsonOf(`#/components/schemas/${name}Reply`),
    },
    ...Object.fromEntries(
      statuses.map((status) => [status, { $ref: `#/components/responses/refused${status}` }]),
    ),
  });
  return {
    [REDIRECT_ROUTES.readRedirects.path]: {
      get: {
        operationId: 'readRedirects',
        summary: 'Read the old addresses of a repository',
        description: 'An empty tag says that the repository has none.',
        tags: ['redirects'],
        parameters: [repository],
        responses: responses('readRedirects', [400, 401, 429, 431, 500, 503]),
      },
      put: {
        operationId: 'replaceRedirects',
        summary: 'Replace the old addresses of a repository',
        description:
          'Replaces all of them or none. The help centre leads an old address on only if it has no page there. A set without lines is deleted. The sets of other repositories stay as they are, and an address that one of them had before stays with it.',
        tags: ['redirects'],
        parameters: [repository],
        requestBody: { required: true, content: jsonOf('#/components/schemas/replaceRedirectsBody') },
        responses: responses('replaceRedirects', [400, 401, 403, 408, 413, 415, 429, 431, 500, 503]),
      },
    },
  };
}

/** The two endpoints for files, whose bodies are bytes and not JSON. */
function filePaths(): Readonly<Record<string, Readonly<Record<string, Operation>>>> {
  const digest: Parameter = {
    name: 'digest',
    in: 'path',
    required: true,
    description: 'SHA-256 of the bytes of the file, in hexadecimal.',
    schema: { type: 'string', pattern: FILE_DIGEST.source },
  };
  const name: Parameter = {
    name: 'name',
    in: 'query',
    required: true,
    description: 'The last part of its public address, like `refund.png`.',
    schema: { type: 'string', pattern: FILE_NAME.source },
  };
  const reply = (description: string): JsonObject => ({
    description,
    headers: headerReferences([...COMMON_HEADERS, ...SHARE_HEADERS]),
    content: jsonOf('#/components/schemas/storedFileReply'),
  });
  const refused = (statuses: readonly (keyof typeof REFUSALS)[]): Readonly<Record<string, JsonObject>> =>
    Object.fromEntries(
      statuses.map((status) => [status, { $ref: `#/components/responses/refused${status}` }]),
    );
  return {
    [FILE_ROUTES.readFile.path]: {
      get: {
        operationId: 'readFile',
        summary: 'Read what is known of a file',
        description:
          'Says whether a file is stored, so no file is sent twice. Who asks for a file keeps it from being swept.',
        tags: ['files'],
        parameters: [digest],
        responses: { 200: reply('The file is there.'), ...refused([400, 401, 404, 429, 431, 500, 503]) },
      },
      put: {
        operationId: 'storeFile',
        summary: 'Store a file',
        description:
          'Stores the bytes of the body under their SHA-256. What they are is told by the bytes and not by the name or a Content-Type; an SVG is kept without scripts and addresses of others.',
        tags: ['files'],
        parameters: [digest, name],
        requestBody: { required: true, content: { 'application/octet-stream': {} } },
        responses: {
          200: reply('The file was there already.'),
          201: reply('The file is stored.'),
          ...refused([400, 401, 403, 408, 413, 415, 429, 431, 500, 503]),
        },
      },
    },
  };
}

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
    ...(name.startsWith('list') ? [HEADERS.totalCount] : []),
    ...(method === 'PUT' ? ['Location'] : []),
    ...(name.startsWith('read') || KNOWN_BY_TAG.has(name) || method === 'PUT' || method === 'POST'
      ? ['ETag']
      : []),
    ...(isWrite && name.endsWith('Article') ? [HEADERS.lastEdited] : []),
    ...(isWrite && method !== 'PUT' && name.endsWith('Article') ? [HEADERS.previousEdited] : []),
  ];
}

function headerReferences(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function refusalsOf(method: Route['method'], path: string): readonly (keyof typeof REFUSALS)[] {
  const hasId = path.includes('{id}');
  const hasBody = method === 'PUT' || method === 'POST';
  const rows: readonly (readonly [keyof typeof REFUSALS, boolean])[] = [
    [400, true],
    [401, true],
    [403, method !== 'GET'],
    [404, hasId],
    [408, hasBody],
    [409, method !== 'GET'],
    [412, hasId && method !== 'GET'],
    [413, hasBody],
    [415, hasBody],
    [422, hasBody],
    [429, true],
    [431, true],
    [500, true],
    [503, true],
  ];
  return rows.filter(([, applies]) => applies).map(([status]) => status);
}

function jsonOf($ref: string): JsonObject {
  return { 'application/json': { schema: { $ref } } };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, '~standard': _standard, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}

/** One place for what codes are taken. */
function withLanguage(body: JsonObject): JsonObject {
  const properties = body['properties'] as JsonObject | undefined; // a body is an object
  if (properties?.['lang'] === undefined) return body;
  return { ...body, properties: { ...properties, lang: { $ref: '#/components/schemas/language' } } };
}

function languageSchema(rule: LanguageRule | undefined): JsonObject {
  if (rule?.languages === undefined) return schemaOf(languageCode, 'input');
  return {
    type: 'string',
    description: 'A language of this knowledge base, in any case.',
    enum: enabledLanguages(rule, []),
  };
}

import { z } from 'zod';
import { doneReply, errorReply, HEADERS, type Route, type RouteName, ROUTES } from '../../contract/index.ts';
import { HANDLERS } from './handlers.ts';

type Json = Readonly<Record<string, unknown>>;

/** The part of OpenAPI 3.1 that this service needs to describe itself. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Json;
  readonly security: readonly Json[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> } & Json;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Json;
  readonly responses: Readonly<Record<string, Json>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Json;
}

/** The API as an OpenAPI 3.1 document, made of the route table and the schemas that the service itself checks with. */
export function openApiDocument(): OpenApiDocument {
  const schemas: Record<string, Json> = {
    error: schemaOf(errorReply, 'output'),
    done: schemaOf(doneReply, 'output'),
  };
  const paths: Record<string, Record<string, Operation>> = {};
  for (const name of routeNames()) {
    const route: Route = ROUTES[name];
    if (route.body !== undefined) schemas[`${name}Body`] = schemaOf(route.body, 'input');
    if (route.reply !== doneReply) schemas[`${name}Reply`] = schemaOf(route.reply, 'output');
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(name, route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Knowledge Base Management API',
      version: '2',
      description:
        'Articles, categories and tags of one knowledge base, its release versions, its links and its review dates. ' +
        'What this service adds to the API text travels in headers only; a client that does not know them loses nothing.',
    },
    security: [{ key: [] }],
    tags: TAGS.map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'The API key of the knowledge base.' },
      },
      responses: Object.fromEntries(
        Object.entries(REFUSALS).map(([status, description]) => [
          `refused${status}`,
          refusedWith(description),
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

/** Every refusal has the error body of the spec; see gaps.md. */
const REFUSALS = {
  400: 'The request or its body is wrong; the message names each wrong field.',
  401: 'No valid API key. One answer for a missing, malformed, unknown, expired and revoked key.',
  403: 'The key may only read.',
  404: 'No record has this id.',
  409: 'The slug is in use, the record is in use, or the parent would close a cycle.',
  412: 'The record is not the version that If-Match names.',
  413: 'The body is too large.',
  415: 'The body is not application/json in UTF-8.',
  422: 'A record that the body names does not exist.',
  429: 'Too many requests with this key; Retry-After says when to come back.',
  503: 'Not now; nothing was written if Retry-After is there.',
} as const;

function operationOf(name: RouteName, { method, path, body, reply }: Route): Operation {
  const isCreate = method === 'PUT';
  const done = reply === doneReply;
  return {
    operationId: name,
    summary: summaryOf(name),
    tags: [TAGS.find(([tag]) => path.startsWith(`/api/v2/${tag}`))?.[0] ?? 'tools'],
    parameters: parametersOf(name, { method, path, reply }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: jsonOf(`#/components/schemas/${name}Body`) } }),
    responses: {
      [isCreate ? '201' : '200']: {
        description: 'Done.',
        headers: replyHeaders(name, method),
        content: jsonOf(`#/components/schemas/${done ? 'done' : `${name}Reply`}`),
      },
      ...Object.fromEntries(
        refusalsOf(method, path).map((status) => [
          status,
          { $ref: `#/components/responses/refused${status}` },
        ]),
      ),
    },
  };
}

function summaryOf(name: RouteName): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const text = /^(?:read|create|edit|delete) /.test(words)
    ? words.replace(/ (?=a)/, ' an ').replace(/ (?=[ct])/, ' a ')
    : words;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function parametersOf(name: RouteName, { method, path }: Route): readonly Parameter[] {
  const handler = HANDLERS[name];
  const header = (title: string, description: string): Parameter => ({
    name: title,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
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
          ),
        ]
      : []),
    ...(method === 'POST' || method === 'DELETE'
      ? [header('If-Match', 'The ETag of the version that is meant.')]
      : []),
    ...(method === 'POST'
      ? [header('If-None-Match', '`*`: only if the translation does not exist yet.')]
      : []),
  ];
}

const QUERY: Readonly<Record<string, Parameter>> = {
  lang: {
    name: 'lang',
    in: 'query',
    required: false,
    description: 'Language of the record to read, like `fr` or `pt-BR`.',
    schema: { type: 'string', minLength: 1 },
  },
  count: {
    name: 'count',
    in: 'query',
    required: false,
    description: 'Only that many of the newest versions.',
    schema: { type: 'integer', minimum: 1, maximum: 100 },
  },
};

function unknownQuery(name: string): never {
  throw new Error(`bug: query parameter ${name} is not described`);
}

function replyHeaders(name: RouteName, method: Route['method']): Json {
  const headers: Record<string, string> = {
    [HEADERS.capabilities]: 'Which gaps of the API text this service fills.',
    ...(name.startsWith('list') ? { [HEADERS.totalCount]: 'How many records there are.' } : {}),
    ...(method === 'PUT' ? { Location: 'Path of the new record; its last segment is the id.' } : {}),
    ...(name.startsWith('read') || method === 'PUT' || method === 'POST'
      ? { ETag: 'Names this version of the record.' }
      : {}),
    ...(method !== 'GET' && name.endsWith('Article')
      ? { [HEADERS.lastEdited]: 'The `last_edited_date` that the list will show.' }
      : {}),
  };
  return Object.fromEntries(
    Object.entries(headers).map(([title, description]) => [
      title,
      { description, schema: { type: 'string' } },
    ]),
  );
}

function refusalsOf(method: Route['method'], path: string): readonly (keyof typeof REFUSALS)[] {
  const hasId = path.includes('{id}');
  const hasBody = method === 'PUT' || method === 'POST';
  const rows: readonly (readonly [keyof typeof REFUSALS, boolean])[] = [
    [400, true],
    [401, true],
    [403, method !== 'GET'],
    [404, hasId],
    [409, method !== 'GET'],
    [412, hasId && method !== 'GET'],
    [413, hasBody],
    [415, hasBody],
    [422, hasBody],
    [429, true],
    [503, true],
  ];
  return rows.filter(([, applies]) => applies).map(([status]) => status);
}

function refusedWith(description: string): Json {
  return { description, content: jsonOf('#/components/schemas/error') };
}

function jsonOf($ref: string): Json {
  return { 'application/json': { schema: { $ref } } };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, '~standard': _standard, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}

function routeNames(): readonly RouteName[] {
  // The keys of a constant are its type's keys.
  return Object.keys(ROUTES) as RouteName[];
}

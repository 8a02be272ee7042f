import { HEADERS, type Route } from '../../../contract/index.ts';
import type { JsonObject } from '../../../text/json-value.ts';

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
  [HEADERS.defaultLanguage]: {
    description: 'The language of the originals, if the service was told which languages it has.',
  },
  Location: { description: 'Path of the new record; its last segment is the id.' },
  ETag: { description: 'Names this version of what was read or written.' },
  [HEADERS.lastEdited]: { description: 'The `last_edited_date` that the list shows after this write.' },
  [HEADERS.previousEdited]: { description: 'The `last_edited_date` that the list showed before it.' },
  [HEADERS.listTags]: {
    description:
      'The ETags of each list that this write changed, before and after it: `"articles.6Rk" "articles.b0w"`. On a write with `Prefer: list-tags`.',
  },
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
/** On every reply. */
const COMMON_HEADERS = [HEADERS.capabilities, 'X-Request-Id'] as const;
/** On every reply to a key. */
const SHARE_HEADERS = ['RateLimit', 'RateLimit-Policy'] as const;

interface Refused {
  readonly when: string;
  readonly headers?: readonly string[];
}

/** Every refusal has the error body of the spec; see gaps.md. */
const REFUSALS = {
  400: {
    when: 'The request or its body is wrong; the message names each wrong field. What the schema cannot say: content with more than 5,000 addresses, elements nested more than 256 deep, more than 10,000 JSON values, a field given twice; of old addresses, one that two lines have, lines that lead in a circle, another form than NFC.',
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
export type RefusedStatus = keyof typeof REFUSALS;

/** The shared parts that `reply` and `refused` point to. */
export function replyComponents(): JsonObject {
  return {
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
  };
}

/** A reply to a key, with these headers besides. `schema` names one of the document; without it, the reply has no body. */
export function reply(description: string, schema?: string, headers: readonly string[] = []): JsonObject {
  return {
    description,
    headers: headerReferences([...COMMON_HEADERS, ...SHARE_HEADERS, ...headers]),
    ...(schema === undefined ? {} : { content: jsonOf(`#/components/schemas/${schema}`) }),
  };
}

export function refused(statuses: readonly RefusedStatus[]): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/refused${status}` }]),
  );
}

/** With what a request may be refused. */
export function refusalsOf(method: Route['method'], path: string): readonly RefusedStatus[] {
  const hasId = path.includes('{id}');
  const hasBody = method === 'PUT' || method === 'POST';
  const rows: readonly (readonly [RefusedStatus, boolean])[] = [
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

function headerReferences(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function jsonOf($ref: string): JsonObject {
  return { 'application/json': { schema: { $ref } } };
}

import type { Kind } from '../../../src/model/key.ts';
import type { Send } from '../../../src/remote/remote.ts';

/** One switch: a service behind a service. Made anew for each knowledge base, because some remember things. */
export type Oddity = (world: OddWorld) => (send: Send) => Send;

export interface OddWorld {
  readonly now: () => number;
  /** What the service did that the client must never bring about; a test expects it to stay empty. */
  readonly harm: string[];
}

export type Json = Record<string, unknown>;

/** What a request asks for, in the words of the spec. `kind` undefined: one of the read-only tools. */
export interface Asked {
  readonly method: string;
  readonly kind: Kind | undefined;
  /** undefined: the list, or a create. */
  readonly id: string | undefined;
  readonly lang: string | undefined;
}

const KIND_OF: Readonly<Record<string, Kind>> = { articles: 'article', categories: 'category', tags: 'tag' };
export const PATH_OF: Readonly<Record<Kind, string>> = {
  article: 'articles',
  category: 'categories',
  tag: 'tags',
};

export function askedOf({ method, url }: Request): Asked {
  const { pathname, searchParams } = new URL(url);
  const found = /\/api\/v2\/([^/]+)(?:\/(.+))?$/.exec(pathname);
  const kind = KIND_OF[found?.[1] ?? ''];
  const id = found?.[2];
  return {
    method,
    kind,
    id: id === undefined ? undefined : decodeURIComponent(id),
    lang: searchParams.get('lang') ?? undefined,
  };
}

export function isList(asked: Asked): asked is Asked & { readonly kind: Kind } {
  return asked.method === 'GET' && asked.kind !== undefined && asked.id === undefined;
}

export function isRead(asked: Asked): asked is Asked & { readonly kind: Kind; readonly id: string } {
  return asked.method === 'GET' && asked.kind !== undefined && asked.id !== undefined;
}

export function isWrite({ method }: Asked): boolean {
  return method === 'PUT' || method === 'POST';
}

/** Bodies of the service and of the client are objects. */
export async function jsonOf(message: Request | Response): Promise<Json> {
  return (await message.json()) as Json;
}

/** The same request with another body, address or set of headers. */
export async function changedRequest(
  request: Request,
  change: { readonly body?: Json; readonly url?: string | URL; readonly without?: readonly string[] },
): Promise<Request> {
  const headers = new Headers(request.headers);
  for (const name of change.without ?? []) headers.delete(name);
  const text = change.body === undefined ? await textOf(request) : JSON.stringify(change.body);
  return new Request(change.url ?? request.url, {
    method: request.method,
    headers,
    body: text === '' ? null : text,
  });
}

function textOf(request: Request): Promise<string> | string {
  return request.method === 'GET' ? '' : request.text();
}

/** The same status and headers with another body. */
export function changedResponse(response: Response, body: Json, status = response.status): Response {
  return new Response(JSON.stringify(body), { status, headers: response.headers });
}

export function refusal(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
  return Response.json({ success: false, message }, { status, headers });
}

/** A request of the service's own, with the key of the request that it was asked by. */
export function inner(asking: Request, method: string, path: string, body?: Json): Request {
  const { origin } = new URL(asking.url);
  const headers = new Headers(asking.headers);
  for (const name of ['If-Match', 'Idempotency-Key', 'If-None-Match', 'content-length']) headers.delete(name);
  return new Request(`${origin}/api/v2/${path}`, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
}

export interface Row {
  readonly id: string;
  readonly name: string;
  readonly languages: readonly string[];
  readonly item: Json;
}

const LANGUAGES_OF: Readonly<Record<Kind, string>> = {
  article: 'other_articles',
  category: 'other_categories_categories_language_parentTocategories',
  tag: 'other_tags',
};

export function languagesFieldOf(kind: Kind): string {
  return LANGUAGES_OF[kind];
}

/** What a list reply holds, item by item. */
export function rowsOf(kind: Kind, body: Json): readonly Row[] {
  return itemsOf(body).map((item) => ({
    id: String(item['id']),
    name: String(item['name']),
    languages: (item[LANGUAGES_OF[kind]] as readonly { language: string }[]).map(({ language }) => language),
    item,
  }));
}

export function itemsOf(body: Json): Json[] {
  return body['data'] as Json[];
}

/** The record in a single read's reply. */
export function recordOf(body: Json): Json {
  return body['data'] as Json;
}

export async function listOf(kind: Kind, asking: Request, send: Send): Promise<readonly Row[]> {
  return rowsOf(kind, await jsonOf(await send(inner(asking, 'GET', PATH_OF[kind]))));
}

export async function readOf(
  kind: Kind,
  id: string,
  asking: Request,
  send: Send,
  lang?: string,
): Promise<Json | undefined> {
  const query = lang === undefined ? '' : `?lang=${lang}`;
  const response = await send(inner(asking, 'GET', `${PATH_OF[kind]}/${encodeURIComponent(id)}${query}`));
  return response.ok ? jsonOf(response) : undefined;
}

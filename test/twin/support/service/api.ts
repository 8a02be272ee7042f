import type { About, Handler, Json, Surroundings } from './habit.ts';
import type { Replies } from './replies.ts';
import { NAME_OF, nameOf } from './row.ts';
import type { Actor, Kind, Row, Value, Values } from './row.ts';
import { shownId } from './site.ts';
import type { Done, Site } from './site.ts';

const KINDS: Readonly<Record<string, Kind>> = { articles: 'article', categories: 'category', tags: 'tag' };
const WORD = { article: 'article', category: 'category', tag: 'tag' } as const;

export interface ApiOptions {
  readonly site: Site;
  readonly replies: Replies;
  /** Key → whose it is. */
  readonly keys: ReadonlyMap<string, Actor>;
  readonly around: Surroundings;
  readonly shape: (body: Json, about: About) => unknown;
  readonly write: (text: string, about: About) => string;
}

interface Asked {
  readonly by: Actor;
  readonly kind: Kind;
  readonly id: string | undefined;
  readonly url: URL;
  readonly request: Request;
}

/** The endpoints of the API text over a site. */
export function createApi(options: ApiOptions): Handler {
  const { site, replies, keys, around } = options;
  const { rules } = site;

  const json = (
    status: number,
    body: Json,
    about: About,
    headers: Readonly<Record<string, string>> = {},
  ): Response =>
    new Response(options.write(JSON.stringify(options.shape(body, about)), about), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });

  const failed = (status: number, message: string, kind: Kind | undefined): Response => {
    const shownAs = { codes: status, '200': 200, '500': 500, '400': 400 }[rules.errors];
    return json(shownAs, { success: false, message }, { reply: 'error', kind });
  };

  const unknown = (kind: Kind, id: string): Response => {
    const status = Number(rules.unknownId);
    return json(
      rules.errors === 'codes' ? status : 200,
      { success: false, message: `There is no ${WORD[kind]} ${id}.` },
      { reply: 'error', kind },
    );
  };

  const list = ({ kind, by, url }: Asked): Response => {
    if ([...url.searchParams].length > 0) return failed(400, 'Unknown query parameter.', kind);
    const rows = listed(site, kind, around);
    for (const row of rows) site.saw(by, row);
    const about: About = { reply: 'list', kind };
    const data = rows.map((row) => replies.item(row));
    const languages = [...new Set([...rules.languages, ...site.living(kind).map((row) => row.language)])];
    if (kind === 'category') return json(200, { success: true, data }, about);
    if (kind === 'tag') return json(200, { success: true, message: 'OK', data, languages }, about);
    const { limitSays } = rules;
    const limit = limitSays === 'length' ? data.length : limitSays;
    return json(
      200,
      {
        success: true,
        data,
        timezone: 'Europe/Lisbon',
        ...(limit === 'none' ? {} : { limit }),
        languages,
        aiSummary: true,
      },
      about,
    );
  };

  const read = ({ kind, id = '', url, by, request }: Asked): Response => {
    const wanted = url.searchParams.get('lang') ?? undefined;
    const about: About = { reply: 'read', kind };
    if (wanted !== undefined && rules.readsLanguage === 'refused')
      return failed(400, 'Unknown query parameter "lang".', kind);
    const row = readable(site, kind, id, around);
    if (row === undefined) return unknown(kind, id);
    const lang = rules.readsLanguage === 'query' ? wanted : undefined;
    const original = row.original ?? row;
    const target = lang === undefined ? row : site.inLanguage(original, lang);
    const isHidden = (each: Row): boolean => rules.hidesDrafts && each.stored['status'] === 'draft';
    if (target === undefined || (target.visibleMs > around.now() && target.original !== undefined)) {
      if (lang === undefined || rules.missingLanguage === 'not-found') return unknown(kind, id);
      if (rules.missingLanguage === 'original') return json(200, replies.record(original, undefined), about);
      return json(200, replies.newVersion(original, lang), about);
    }
    if (isHidden(target)) return unknown(kind, id);
    target.views++;
    site.saw(by, target);
    const tag = etagOf(target);
    if (tag !== undefined && request.headers.get('if-none-match') === tag)
      return new Response(null, { status: 304, headers: { etag: tag } });
    return json(200, replies.record(target, lang), about, tag === undefined ? {} : { etag: tag });
  };

  const etagOf = (row: Row): string | undefined => {
    if (rules.etags === 'none') return undefined;
    const isWeak = rules.etags === 'weak-compared-strongly' || rules.etags === 'weak-shown';
    return `${isWeak ? 'W/' : ''}"${row.id}.${row.version}"`;
  };

  /** The answer of a precondition that does not hold; undefined where it holds or nobody looks at it. */
  const precondition = (row: Row | undefined, { request, kind }: Asked): Response | undefined => {
    if (rules.etags === 'none' || rules.etags === 'ignored') return undefined;
    const match = request.headers.get('if-match');
    const isStale =
      match !== null &&
      match !== '*' &&
      // A weak tag never equals anything in If-Match (RFC 9110, 13.1.1); where tags become weak on their way out, the
      // service itself knows strong ones alone.
      (row === undefined || match !== `"${row.id}.${row.version}"`);
    const isThere = request.headers.get('if-none-match') === '*' && row !== undefined;
    return isStale || isThere ? failed(412, 'The record was changed in between.', kind) : undefined;
  };

  const answered = (done: Done, { kind }: Asked, message: string, extra: Json = {}, headers = {}): Response =>
    done.ok
      ? json(200, { success: true, message, ...extra }, { reply: 'write', kind }, headers)
      : failed(done.status, done.message, kind);

  const create = async (asked: Asked): Promise<Response> => {
    const { kind, by } = asked;
    const body = await bodyOf(asked.request);
    if (body === undefined) return failed(400, 'The body is not JSON.', kind);
    const wrong = wrongBody(kind, body, rules.errors === '500');
    if (wrong !== undefined) return failed(400, wrong, kind);
    const done = site.create(by, kind, valuesOf(kind, body));
    const name = String(body[NAME_OF[kind]]);
    const told = done.ok && done.row !== undefined ? toldOf(done.row) : { extra: {}, headers: {} };
    const message = `The ${WORD[kind]} "${name}" has been created.`;
    if (!done.ok) return answered(done, asked, message);
    return json(
      rules.createStatus,
      { success: true, message, ...told.extra },
      { reply: 'write', kind },
      told.headers,
    );
  };

  const toldOf = (row: Row): { readonly extra: Json; readonly headers: Readonly<Record<string, string>> } => {
    const id = shownId(row, rules);
    const path = `/api/v2/${collectionOf(row.kind)}/${encodeURIComponent(id)}`;
    switch (rules.createTells) {
      case 'nothing':
        return { extra: {}, headers: {} };
      case 'location':
        return { extra: {}, headers: { location: `https://help.acme.test${path}` } };
      case 'location-relative':
        return { extra: {}, headers: { location: path } };
      case 'location-of-slug':
        return {
          extra: {},
          headers: { location: `/api/v2/${collectionOf(row.kind)}/${String(row.stored['slug'])}` },
        };
      case 'location-of-first': {
        const first = site.living(row.kind)[0] ?? row;
        return { extra: {}, headers: { location: `/api/v2/${collectionOf(row.kind)}/${first.id}` } };
      }
      case 'id':
        return { extra: { id }, headers: {} };
      case 'data-id':
        return { extra: { data: { id } }, headers: {} };
      case 'data': {
        const { data } = replies.record(row, undefined);
        return { extra: { data }, headers: {} };
      }
    }
  };

  const edit = async (asked: Asked): Promise<Response> => {
    const { kind, id = '', by } = asked;
    const body = await bodyOf(asked.request);
    if (body === undefined) return failed(400, 'The body is not JSON.', kind);
    const row = site.find(kind, id);
    if (row === undefined) return unknown(kind, id);
    const lang = typeof body['lang'] === 'string' ? body['lang'] : undefined;
    const target = lang === undefined ? row : site.inLanguage(row.original ?? row, lang);
    const stopped = precondition(target, asked);
    if (stopped !== undefined) return stopped;
    if (kind === 'article' && lang === undefined && rules.editsDefault !== 'refuses')
      return failed(400, '"lang" is missing.', kind);
    if (kind === 'article') {
      const wrong = wrongBody(kind, body, rules.errors === '500');
      if (wrong !== undefined) return failed(400, wrong, kind);
    }
    const done = site.edit(by, row, lang, valuesOf(kind, body));
    const headers = done.ok && done.row !== undefined ? etagHeader(done.row) : {};
    return answered(done, asked, `The ${WORD[kind]} has been edited successfully.`, {}, headers);
  };

  const etagHeader = (row: Row): Readonly<Record<string, string>> => {
    const tag = etagOf(row);
    return tag === undefined ? {} : { etag: tag };
  };

  const remove = (asked: Asked): Response => {
    const { kind, id = '', by } = asked;
    const row = site.find(kind, id);
    if (row === undefined) return unknown(kind, id);
    const stopped = precondition(row, asked);
    if (stopped !== undefined) return stopped;
    return answered(site.remove(by, row), asked, `The ${WORD[kind]} "${nameOf(row)}" has been deleted.`);
  };

  const tool = (name: string): Response | undefined => {
    const articles = site.living('article');
    const about: About = { reply: 'tool', kind: undefined };
    if (name === 'tools/link_manager') {
      const data = articles.flatMap((row) =>
        [...String(row.stored['content']).matchAll(/<a [^>]*href="([^"]*)"/g)].map((found, number) =>
          replies.link(row, found[1] ?? '', number),
        ),
      );
      return json(200, { success: true, message: 'OK', data }, about);
    }
    if (name === 'tools/review_dates') {
      const data = articles
        .filter((row) => row.stored['articleReviewDate'] !== null)
        .map((row) => replies.review(row));
      return json(200, { success: true, message: 'OK', data }, about);
    }
    if (name !== 'versions') return undefined;
    return json(200, { success: true, message: 'OK', data: [RELEASE] }, about);
  };

  return async (request) => {
    const url = new URL(request.url);
    const by = keys.get(/^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? '');
    if (by === undefined) return failed(401, 'The API key is not valid.', undefined);
    const path = /^\/api\/v2\/(.+?)\/?$/.exec(url.pathname)?.[1] ?? '';
    const found = request.method === 'GET' ? tool(path) : undefined;
    if (found !== undefined) return found;
    const [collection = '', ...rest] = path.split('/');
    const kind = KINDS[collection];
    if (kind === undefined || rest.length > 1) return failed(404, 'Not found.', undefined);
    const [encoded] = rest;
    const asked: Asked = {
      by,
      kind,
      id: encoded === undefined ? undefined : decodeURIComponent(encoded),
      url,
      request,
    };
    switch (`${request.method} ${encoded === undefined ? 'all' : 'one'}`) {
      case 'GET all':
        return list(asked);
      case 'GET one':
        return read(asked);
      case 'PUT all':
        return create(asked);
      case 'POST one':
        return edit(asked);
      case 'DELETE one':
        return remove(asked);
    }
    return failed(405, 'Method not allowed.', kind);
  };
}

const RELEASE = {
  id: 'v-1',
  version: '1.2.0',
  name: 'Spring',
  release_timestamp: '2026-01-02T09:00:00.000Z',
  active_version: true,
  released_version: true,
  changelog_features: [
    {
      id: 'f-1',
      changelog_version: 'v-1',
      name: 'Search',
      description: 'Finds more',
      image_url: 'https://cdn.acme.test/f.png',
    },
  ],
};

/** The rows that a list shows, in its order. */
function listed(site: Site, kind: Kind, around: Surroundings): readonly Row[] {
  const { rules } = site;
  const now = around.now();
  const isGone = ({ deleted }: Row): boolean => {
    if (deleted === undefined) return false;
    if (rules.deletes === 'listed-404' || rules.deletes === 'status') return false;
    return deleted.atMs + rules.deleteVisibleMs <= now;
  };
  const rows = site.rows.filter(
    (row) =>
      row.kind === kind &&
      !isGone(row) &&
      row.listedMs <= now &&
      (rules.listTranslations || row.original === undefined || row.original.deleted !== undefined) &&
      (row.original === undefined || row.deleted === undefined) &&
      (rules.listDrafts || kind !== 'article' || row.stored['status'] !== 'draft'),
  );
  const order = orderOf(rules.listOrder, around);
  const sorted = order === undefined ? rows : [...rows].sort(order);
  const cut = rules.listCut[kind];
  if (cut === undefined || sorted.length <= cut) return sorted;
  if (rules.listCutKeeps === 'oldest') return sorted.slice(0, cut);
  if (rules.listCutKeeps === 'newest') return sorted.slice(-cut);
  return [...sorted].sort((a, b) => b.editedMs - a.editedMs).slice(0, cut);
}

function orderOf(
  order: Site['rules']['listOrder'],
  { random }: Surroundings,
): ((a: Row, b: Row) => number) | undefined {
  switch (order) {
    case 'created':
      return undefined;
    case 'newest':
      return (a, b) => b.createdMs - a.createdMs;
    case 'edited':
      return (a, b) => b.editedMs - a.editedMs;
    case 'name':
      return (a, b) => nameOf(a).localeCompare(nameOf(b));
    case 'random':
      return () => random() - 0.5;
  }
}

function readable(site: Site, kind: Kind, id: string, { now }: Surroundings): Row | undefined {
  const { rules } = site;
  const living = site.find(kind, id);
  if (living !== undefined) return living.visibleMs <= now() ? living : undefined;
  const dead = site.rows.find((row) => row.kind === kind && row.id === id && row.deleted !== undefined);
  if (dead?.deleted === undefined) return undefined;
  if (rules.deletes === 'status') return dead;
  return dead.deleted.atMs + rules.deleteVisibleMs > now() ? dead : undefined;
}

function collectionOf(kind: Kind): string {
  return kind === 'category' ? 'categories' : `${kind}s`;
}

async function bodyOf(request: Request): Promise<Json | undefined> {
  try {
    const body: unknown = JSON.parse(await request.text());
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Json) : undefined;
  } catch {
    return undefined;
  }
}

const REQUIRED = {
  article: ['title', 'slug', 'categories', 'excerpt', 'ordering', 'status', 'content'],
  category: ['name', 'slug', 'priority'],
  tag: ['name', 'slug'],
} as const;

function wrongBody(kind: Kind, body: Json, isTerse: boolean): string | undefined {
  const missing = REQUIRED[kind].filter((field) => body[field] === undefined || body[field] === null);
  if (missing.length > 0) return isTerse ? 'Internal error.' : `Required: ${missing.join(', ')}.`;
  const { excerpt, status } = body;
  if (kind === 'article' && Array.from(String(excerpt)).length > 160)
    return 'The excerpt has more than 160 characters.';
  if (kind === 'article' && status !== 'draft' && status !== 'published')
    return 'status: draft or published.';
  return undefined;
}

/** The body's fields as values; relations as ids. */
function valuesOf(kind: Kind, body: Json): Values {
  return Object.fromEntries(
    Object.entries(body)
      .filter(([field]) => field !== 'lang' && !(field === 'id' && kind === 'tag'))
      .map(([field, value]) => [field, valueOf(value)]),
  );
}

function valueOf(value: unknown): Value {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value))
    return value.map((each: unknown) =>
      typeof each === 'object' && each !== null && 'value' in each ? String(each.value) : String(each),
    );
  return null;
}

import type { Kind } from '../../../src/model/key.ts';
import {
  askedOf,
  changedRequest,
  changedResponse,
  isList,
  isRead,
  itemsOf,
  jsonOf,
  languagesFieldOf,
  readOf,
  recordOf,
  rowsOf,
} from './seam.ts';
import type { Json, Oddity } from './seam.ts';

/** Lists hold 25 records and no more. `limit` is what the article list says of it; `pages`: `?page=2` shows the others. */
export function cutLists(options: { keep: 'oldest' | 'newest'; limit: number; pages?: boolean }): Oddity {
  return () => (send) => async (request) => {
    const asked = askedOf(request);
    if (!isList(asked)) return send(request);
    const page = Number(new URL(request.url).searchParams.get('page') ?? '1');
    const url = new URL(request.url);
    url.searchParams.delete('page');
    const response = await send(await changedRequest(request, { url }));
    const body = await jsonOf(response);
    const all = options.keep === 'oldest' ? itemsOf(body) : itemsOf(body).toReversed();
    const from = options.pages === true ? (page - 1) * 25 : 0;
    const data = all.slice(from, from + 25);
    const limit = asked.kind === 'article' ? { limit: options.limit } : {};
    return changedResponse(response, { ...body, data, ...limit });
  };
}

/** A new record is missing from the next `lists` lists of its kind. */
export function laggingLists(lists: number): Oddity {
  return () => {
    const hidden = new Map<string, number>();
    return (send) => async (request) => {
      const asked = askedOf(request);
      const response = await send(request);
      const id = response.headers.get('Location')?.split('/').at(-1);
      if (asked.method === 'PUT' && id !== undefined) hidden.set(id, lists);
      if (!isList(asked)) return response;
      const body = await jsonOf(response);
      const data = itemsOf(body).filter((item) => {
        const left = hidden.get(String(item['id'])) ?? 0;
        if (left > 0) hidden.set(String(item['id']), left - 1);
        return left === 0;
      });
      return changedResponse(response, { ...body, data });
    };
  };
}

/** Single reads show a record as it was before its last write, `reads` times. */
export function laggingReads(reads: number): Oddity {
  return () => {
    const old = new Map<string, { readonly response: Response; left: number }>();
    return (send) => async (request) => {
      const asked = askedOf(request);
      const { kind, id } = asked;
      if (kind === undefined || id === undefined) {
        const response = await send(request);
        const made = response.headers.get('Location')?.split('/').at(-1);
        if (asked.method === 'PUT' && made !== undefined) {
          const missing = Response.json({ success: false, message: 'no such record' }, { status: 404 });
          old.set(`${kind} ${made} `, { response: missing, left: reads });
        }
        return response;
      }
      if (isRead(asked)) {
        const shown = old.get(`${kind} ${id} ${asked.lang ?? ''}`);
        if (shown === undefined || shown.left === 0) return send(request);
        shown.left -= 1;
        return shown.response.clone();
      }
      if (asked.method !== 'POST') return send(request);
      const { lang } = (await request.clone().json()) as { readonly lang?: string };
      const other = lang === undefined || lang === 'en' ? '' : lang;
      const url = `${request.url}${other === '' ? '' : `?lang=${other}`}`;
      const before = await send(new Request(url, { headers: request.headers }));
      const response = await send(request);
      if (response.ok) old.set(`${kind} ${id} ${other}`, { response: before, left: reads });
      return response;
    };
  };
}

/** Every translation is listed as a record of its own, after the originals. */
export const translationRows: Oddity = () => (send) => async (request) => {
  const asked = askedOf(request);
  const response = await send(request.clone());
  if (!isList(asked)) return response;
  const { kind } = asked;
  const body = await jsonOf(response);
  const extra: Json[] = [];
  for (const { id, item, languages } of rowsOf(kind, body)) {
    for (const lang of languages) {
      const shown = await readOf(kind, id, request, send, lang);
      if (shown === undefined) continue;
      const { id: ownId, name, slug } = recordOf(shown);
      extra.push({
        ...item,
        id: ownId,
        name,
        ...(kind === 'tag' ? { slug } : {}),
        [languagesFieldOf(kind)]: [],
      });
    }
  }
  return changedResponse(response, { ...body, data: [...itemsOf(body), ...extra] });
};

/** The list's date of an original stays when one of its translations is written. */
export const translationKeepsDate: Oddity = () => {
  const dates = new Map<string, { readonly shown: unknown; readonly date: unknown; readonly text: string }>();
  return (send) => async (request) => {
    const asked = askedOf(request);
    const response = await send(request.clone());
    if (!isList(asked) || asked.kind !== 'article') return response;
    const body = await jsonOf(response);
    const data: Json[] = [];
    for (const item of itemsOf(body)) {
      const id = String(item['id']);
      const date = item['last_edited_date'];
      let known = dates.get(id);
      if (known === undefined || known.date !== date) {
        const { last_edited_Date: _, ...rest } = recordOf((await readOf('article', id, request, send)) ?? {});
        const text = JSON.stringify(rest);
        known = { shown: known?.text === text ? known.shown : date, date, text };
        dates.set(id, known);
      }
      data.push({ ...item, last_edited_date: known.shown });
    }
    return changedResponse(response, { ...body, data });
  };
};

/** Dates are told in the local time of Auckland, where days begin earlier. */
export const otherZone: Oddity = () => (send) => async (request) => {
  const asked = askedOf(request);
  const response = await send(request);
  if (!isList(asked) || asked.kind !== 'article') return response;
  const body = await jsonOf(response);
  const data = itemsOf(body).map((item) => {
    const [seconds = '', fraction = ''] = String(item['last_edited_date']).split('.');
    const utcMs = Date.parse(`${seconds.replace(' ', 'T')}Z`);
    const local = new Date(utcMs + 13 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    return { ...item, last_edited_date: `${local}.${fraction}` };
  });
  return changedResponse(response, { ...body, data, timezone: 'Pacific/Auckland' });
};

/** Looking at a record moves its date. */
export const viewsMoveDates: Oddity = () => {
  const views = new Map<string, number>();
  return (send) => async (request) => {
    const asked = askedOf(request);
    const response = await send(request);
    if (isRead(asked)) views.set(asked.id, (views.get(asked.id) ?? 0) + 1);
    if (!isList(asked) || asked.kind !== 'article') return response;
    const body = await jsonOf(response);
    const data = itemsOf(body).map((item) => ({
      ...item,
      last_edited_date: `${String(item['last_edited_date']).slice(0, 19)}.${String(views.get(String(item['id'])) ?? 0).padStart(6, '0')}`,
    }));
    return changedResponse(response, { ...body, data });
  };
};

/** Lists name no translation of any record. */
export const translationsUnnamed: Oddity = () => (send) => async (request) => {
  const asked = askedOf(request);
  const response = await send(request);
  if (!isList(asked)) return response;
  const body = await jsonOf(response);
  const field = languagesFieldOf(asked.kind);
  return changedResponse(response, {
    ...body,
    data: itemsOf(body).map((item) => ({ ...item, [field]: [] })),
  });
};

const ID_NAMES = new Set([
  'id',
  'tag_id',
  'category_id',
  'article_id',
  'parent_id',
  'language_parent',
  'value',
]);

/** Ids of another shape: `/`, spaces and letters that an address must encode, or numbers that count in each kind. */
export function otherIds(shape: 'text' | 'number'): Oddity {
  return () => {
    const outer = new Map<string, string | number>();
    const innerOf = new Map<string, string>();
    const counts = new Map<string, number>();
    const toOuter = (kind: Kind, id: string): string | number => {
      const known = outer.get(id);
      if (known !== undefined) return known;
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      const made = shape === 'number' ? count : `a/b c?ü%2F-${count}`;
      outer.set(id, made);
      innerOf.set(`${kind} ${made}`, id);
      return made;
    };
    const toInner = (kind: Kind, id: unknown): string => innerOf.get(`${kind} ${String(id)}`) ?? String(id);
    return (send) => async (request) => {
      const asked = askedOf(request);
      const { kind, id } = asked;
      if (kind === undefined) return send(request);
      const url = new URL(request.url);
      if (id !== undefined) {
        const path = url.pathname.slice(0, url.pathname.indexOf('/api/v2/'));
        const [, , , collection] = url.pathname.slice(path.length).split('/');
        url.pathname = `${path}/api/v2/${collection}/${encodeURIComponent(toInner(kind, id))}`;
      }
      const text = request.method === 'GET' ? '' : await request.text();
      const body = text === '' ? undefined : innerBody(JSON.parse(text) as Json, kind, toInner);
      const response = await send(
        new Request(url, {
          method: request.method,
          headers: request.headers,
          body: body === undefined ? null : JSON.stringify(body),
        }),
      );
      const made = response.headers.get('Location')?.split('/').at(-1);
      if (made !== undefined) {
        const location = `/api/v2/${url.pathname.split('/').at(-1)}/${encodeURIComponent(String(toOuter(kind, made)))}`;
        response.headers.set('Location', location);
      }
      const shown = outerBody(await jsonOf(response), kind, toOuter) as Json;
      const { message } = shown;
      if (typeof message !== 'string') return changedResponse(response, shown);
      const told = [...outer].reduce((text, [from, to]) => text.replaceAll(from, String(to)), message);
      return changedResponse(response, { ...shown, message: told });
    };
  };
}

const REFERENCES: Readonly<Record<string, Kind>> = {
  categories: 'category',
  tags: 'tag',
  article_relationships: 'category',
  tags_relationship: 'tag',
};

function innerBody(body: Json, kind: Kind, toInner: (kind: Kind, id: unknown) => string): Json {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const of = REFERENCES[name];
      if (of !== undefined && Array.isArray(value)) {
        return [name, value.map((ref: Json) => ({ value: toInner(of, ref['value']) }))];
      }
      if (name === 'categoryParent' && value !== null) return [name, toInner('category', value)];
      return name === 'id' ? [name, toInner(kind, value)] : [name, value];
    }),
  );
}

/** Ids of links between records stay as they are: nobody addresses them. */
function outerBody(
  value: unknown,
  kind: Kind,
  toOuter: (kind: Kind, id: string) => unknown,
  name = '',
): unknown {
  if (Array.isArray(value)) return value.map((item) => outerBody(item, kind, toOuter, name));
  if (typeof value === 'object' && value !== null) {
    const of = REFERENCES[name] ?? kind;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, outerBody(item, of, toOuter, key)]),
    );
  }
  if (typeof value !== 'string' || !ID_NAMES.has(name)) return value;
  const of =
    name === 'tag_id'
      ? 'tag'
      : name === 'category_id' || name === 'parent_id'
        ? 'category'
        : name === 'article_id'
          ? 'article'
          : kind;
  return toOuter(of, value);
}

/** `order_by` is told as text. */
export const orderAsText: Oddity = () => (send) => async (request) => {
  const response = await send(request);
  if (request.method !== 'GET' || !response.ok) return response;
  return changedResponse(response, orderAsTextIn(await jsonOf(response)) as Json);
};

function orderAsTextIn(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => orderAsTextIn(item));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, orderAsTextIn(item, key)]));
  }
  return name === 'order_by' && typeof value === 'number' ? String(value) : value;
}

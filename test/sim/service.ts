import type { PlainResponse } from '../../src/remote/http/exchange.ts';
import type { Row, ServiceOptions, SimKind, SimService } from './service-words.ts';
export type * from './service-words.ts';
import { dated, etagOf, idsIn, pathOf, wireFields } from './service-wire.ts';
import { ALL_CAPABILITIES, listItem, singleReply } from './service-replies.ts';

const COLLECTIONS: Readonly<Record<string, SimKind>> = {
  articles: 'article',
  categories: 'category',
  tags: 'tag',
};
const DEFAULT = 'en';
const BLANK: Readonly<Record<SimKind, Readonly<Record<string, unknown>>>> = {
  article: { tags: [], hideFromSearch: false, seoBannerUrl: null, articleReviewDate: null },
  category: {
    categoryParent: null,
    description: '',
    longDescription: '',
    thumbnailUrl: null,
    iconUrl: null,
    priority: 0,
  },
  tag: { description: '', longDescription: '' },
};

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Asked {
  readonly method: string;
  readonly kind: SimKind;
  readonly id: string | undefined;
  readonly lang: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly by: string;
}

export function createService(options: ServiceOptions): SimService {
  const { personality, now, wrote, shown, listed } = options;
  const rows = new Map<string, Row>();
  const onceOnly = new Map<string, string>();
  let nextId = 1;
  const capabilities = ALL_CAPABILITIES + (personality.html === 'keep' ? ', keeps-html' : '');

  const translation = (id: string, lang: string): Row | undefined => {
    for (const row of rows.values()) if (row.parent === id && row.lang === lang) return row;
    return undefined;
  };
  const translationsOf = (id: string): readonly Row[] =>
    [...rows.values()].filter(({ parent }) => parent === id);
  const articlesIn = (id: string): readonly Row[] =>
    originals('article').filter(
      ({ fields }) => idsIn(fields['categories']).includes(id) || idsIn(fields['tags']).includes(id),
    );
  const originals = (kind: SimKind): readonly Row[] =>
    [...rows.values()].filter((row) => row.kind === kind && row.parent === null);
  const mustFind = (kind: SimKind, id: string): Row => {
    const row = rows.get(id);
    if (row === undefined || row.kind !== kind) throw new Refused(404, `no ${kind} has the id ${id}`);
    return row;
  };

  const put = (row: Row): Row => {
    rows.set(row.id, row);
    // The list shows the original's date, which moves with every language.
    const original = row.parent === null ? undefined : rows.get(row.parent);
    if (original !== undefined) rows.set(original.id, { ...original, editedMs: row.editedMs });
    return row;
  };
  const dateAfter = (id: string | undefined): number => {
    const row = id === undefined ? undefined : rows.get(id);
    return Math.max(now(), (row?.editedMs ?? 0) + 0.001);
  };

  const checkRow = (row: Row): void => {
    const { fields, kind, lang, id } = row;
    const doubles = [...rows.values()].some(
      (other) =>
        other.id !== id &&
        other.kind === kind &&
        other.lang === lang &&
        other.fields['slug'] === fields['slug'],
    );
    if (doubles && personality.slugs === 'refuse-doubles') throw new Refused(409, `slug in use`);
    for (const [name, target] of [
      ['categories', 'category'],
      ['tags', 'tag'],
    ] as const) {
      for (const ref of idsIn(fields[name])) {
        const found = rows.get(ref);
        if (found?.kind !== target || found.parent !== null)
          throw new Refused(422, `reference ${name}: ${ref}`);
      }
    }
    const seen = new Set<string>([id]);
    for (
      let at = fields['categoryParent'];
      typeof at === 'string';
      at = rows.get(at)?.fields['categoryParent']
    ) {
      if (rows.get(at)?.kind !== 'category') throw new Refused(422, `reference categoryParent: ${at}`);
      if (seen.has(at)) throw new Refused(422, 'reference categoryParent: a cycle');
      seen.add(at);
    }
  };

  const stored = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
    personality.html === 'keep'
      ? fields
      : Object.fromEntries(
          Object.entries(fields).map(([name, value]) => [
            name,
            typeof value === 'string' ? value.replaceAll(/\s*<!--.*?-->/g, '') : value,
          ]),
        );

  const create = ({ kind, body, idempotencyKey, by }: Asked): PlainResponse => {
    const known = idempotencyKey === undefined ? undefined : onceOnly.get(idempotencyKey);
    if (known !== undefined && personality.headers)
      return done({ location: `/api/v2/${pathOf(kind)}/${known}` });
    const id = String(nextId);
    const fields = stored({ ...BLANK[kind], ...wireFields(body) });
    const row: Row = {
      kind,
      id,
      lang: null,
      parent: null,
      fields,
      version: 1,
      editedMs: dateAfter(undefined),
      maker: by,
      author: by,
    };
    checkRow(row);
    nextId += 1;
    put(row);
    if (idempotencyKey !== undefined) onceOnly.set(idempotencyKey, id);
    wrote({ by, action: 'create', before: undefined, after: row, ifMatch: false });
    return done({ location: `/api/v2/${pathOf(kind)}/${id}`, ...dated(row) });
  };

  const edit = ({ kind, id = '', body, ifMatch, ifNoneMatch, by }: Asked): PlainResponse => {
    const named = mustFind(kind, id);
    const original = named.parent === null ? named : mustFind(kind, named.parent);
    const lang = typeof body['lang'] === 'string' ? body['lang'] : (named.lang ?? DEFAULT);
    const before = lang === DEFAULT ? original : translation(original.id, lang);
    if (ifMatch !== undefined && personality.headers && ifMatch !== etagOf(before))
      throw new Refused(412, 'stale');
    if (ifNoneMatch === '*' && personality.headers && before !== undefined) throw new Refused(412, 'exists');
    const base = before ?? original;
    const { lang: _, id: __, ...rest } = body;
    const row: Row = {
      ...base,
      id: before?.id ?? String(nextId),
      lang: lang === DEFAULT ? null : lang,
      parent: lang === DEFAULT ? null : original.id,
      fields: stored({ ...base.fields, ...wireFields(rest) }),
      version: before === undefined ? 1 : before.version + 1,
      editedMs: dateAfter(original.id),
      maker: before?.maker ?? by,
      author: by,
    };
    checkRow(row);
    if (before === undefined) nextId += 1;
    put(row);
    wrote({ by, action: 'edit', before, after: row, ifMatch: ifMatch !== undefined && personality.headers });
    return done(dated(rows.get(original.id) ?? row, original));
  };

  const remove = ({ kind, id = '', ifMatch, by }: Asked): PlainResponse => {
    const row = mustFind(kind, id);
    if (ifMatch !== undefined && personality.headers && ifMatch !== etagOf(row))
      throw new Refused(412, 'stale');
    const below = translationsOf(id);
    if (below.length > 0 && personality.originalDelete === 'refuse')
      throw new Refused(409, 'has translations');
    const isUsed = [...rows.values()].some(
      ({ fields }) =>
        fields['categoryParent'] === id ||
        idsIn(fields['categories']).includes(id) ||
        idsIn(fields['tags']).includes(id),
    );
    if (row.parent === null && isUsed) throw new Refused(409, 'in use');
    for (const gone of [...below, row]) {
      rows.delete(gone.id);
      wrote({
        by,
        action: 'delete',
        before: gone,
        after: undefined,
        ifMatch: ifMatch !== undefined && personality.headers,
        isCascade: gone !== row,
      });
    }
    const original = row.parent === null ? undefined : rows.get(row.parent);
    if (original === undefined) return done({});
    const moved = { ...original, editedMs: dateAfter(original.id) };
    rows.set(moved.id, moved);
    return done(dated(moved, original));
  };

  const read = ({ kind, id = '', lang, by }: Asked): PlainResponse => {
    const named = mustFind(kind, id);
    const isOther = lang !== undefined && lang !== DEFAULT;
    const row = isOther ? translation(id, lang) : named;
    shown({ originalId: named.parent ?? id, lang: lang ?? named.lang ?? DEFAULT, row }, by);
    if (row === undefined)
      return json(200, singleReply({ ...named, lang: lang ?? null, parent: id }, true, rows), {});
    return json(200, singleReply(row, false, rows), { etag: etagOf(row) });
  };

  const list = (kind: SimKind): PlainResponse => {
    const all = originals(kind);
    const users = (id: string): readonly Row[] => (personality.showsUse ? articlesIn(id) : []);
    const items = all.map((row) => listItem(row, translationsOf(row.id), rows, users(row.id)));
    const body = { success: true, data: items, languages: ['en', 'fr', 'de'], message: 'ok' };
    return json(
      200,
      kind === 'article' ? { ...body, timezone: 'UTC', limit: 10_000, aiSummary: false } : body,
      { 'x-total-count': String(all.length) },
    );
  };

  const json = (status: number, body: unknown, headers: Readonly<Record<string, string>>): PlainResponse => ({
    status,
    headers: {
      'content-type': 'application/json',
      ...(personality.headers ? { ...headers, 'kb-capabilities': capabilities } : {}),
    },
    body: Buffer.from(JSON.stringify(body)),
  });
  const done = (headers: Readonly<Record<string, string>>): PlainResponse =>
    json(200, { success: true, message: 'done' }, headers);

  const route = (asked: Asked): PlainResponse => {
    if (asked.method === 'PUT') return create(asked);
    if (asked.method === 'POST') return edit(asked);
    if (asked.method === 'DELETE') return remove(asked);
    if (asked.id !== undefined) return read(asked);
    listed(asked.kind, asked.by);
    return list(asked.kind);
  };

  return {
    rows,
    translation,
    originals,
    handle(request, by) {
      const url = new URL(request.url);
      const [, , , collection = '', id] = url.pathname.split('/');
      const kind = COLLECTIONS[collection];
      if (kind === undefined) return json(200, { success: true, data: [] }, {});
      try {
        return route({
          method: request.method,
          kind,
          id: id === undefined ? undefined : decodeURIComponent(id),
          lang: url.searchParams.get('lang') ?? undefined,
          body:
            request.body === undefined ? {} : (JSON.parse(String(request.body)) as Record<string, unknown>),
          ifMatch: request.headers['if-match'],
          ifNoneMatch: request.headers['if-none-match'],
          idempotencyKey: request.headers['Idempotency-Key'],
          by,
        });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return json(error.status, { success: false, message: error.message }, {});
      }
    },
  };
}

export { idsIn } from './service-wire.ts';

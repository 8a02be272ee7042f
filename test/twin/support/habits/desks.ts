import type { About, Habit, Handler, Json, Store } from '../service/habit.ts';
import type { Row, Value, Values } from '../service/row.ts';

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
const isWrite = ({ method }: Request): boolean => method !== 'GET';
const behind = (change: (next: Handler) => Handler): Habit => ({ gateway: () => change });
const isBody = (field: string): boolean => field === 'content' || field === 'longDescription';
const idIn = (request: Request): string | undefined =>
  /\/(?:articles|categories|tags)\/([^/?]+)/.exec(request.url)?.[1];

const body =
  (change: (html: string, keeping: Parameters<Store>[3]) => string): Store =>
  (value, field, _, keeping) =>
    typeof value === 'string' && isBody(field) && value !== '' ? change(value, keeping) : value;

/** What single reads and lists show of a record. */
const shown =
  (change: (record: Json, row: Row, about: About) => Json): NonNullable<Habit['shapes']> =>
  ({ rows }) =>
  (reply, about) => {
    const seen = (record: unknown): unknown => {
      const { id } = record as { readonly id?: unknown };
      const row = rows().find((each) => each.id === id && each.kind === about.kind);
      return row === undefined ? record : change(record as Json, row, about);
    };
    const data: unknown = reply['data'];
    if (about.reply === 'list' && Array.isArray(data)) return { ...reply, data: data.map(seen) };
    return about.reply === 'read' && typeof data === 'object' && data !== null
      ? { ...reply, data: seen(data) }
      : reply;
  };

/** The same answer as bytes of another encoding. */
const encoded = (charset: string, bytes: (text: string) => Uint8Array): Habit =>
  behind((next) => async (request) => {
    const response = await next(request);
    return new Response(new Uint8Array(bytes(await response.text())), {
      status: response.status,
      headers: {
        ...Object.fromEntries(response.headers),
        'content-type': `application/json; charset=${charset}`,
      },
    });
  });

const escaped = (text: string): string =>
  text.replaceAll(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const clean = (html: string): string =>
  html
    .replaceAll(/ class="[^"]*"/g, '')
    .replaceAll(/<a (?!rel)/g, '<a rel="noopener" ')
    .replaceAll(/<(\/?)strong>/g, '<$1b>');

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const asWords = (date: unknown): string => {
  const at = new Date(`${String(date).slice(0, 19).replace(' ', 'T')}Z`);
  return `${MONTHS[at.getUTCMonth()] ?? ''} ${at.getUTCDate()}, ${at.getUTCFullYear()} ${at.toISOString().slice(11, 19)}`;
};

const dated =
  (change: (date: unknown, now: number) => unknown): NonNullable<Habit['shapes']> =>
  (around) =>
    shown((record) =>
      Object.fromEntries(
        Object.entries(record).map(([name, value]) => [
          name,
          /^last_edited_date$/i.test(name) ? change(value, around.now()) : value,
        ]),
      ),
    )(around);

const slugged = (text: Value | undefined): string =>
  String(text ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

const titleOf = (sent: Values, row: Row | undefined): Value | undefined =>
  sent['title'] ?? sent['name'] ?? row?.stored['title'] ?? row?.stored['name'];

/** What help desks and wikis do beyond saving what they are sent. */
export const DESKS = {
  'single-reads-are-old-now-and-then': { rules: { oldSinglesEvery: 4 } },
  'single-reads-are-old-each-sixth-time': { rules: { oldSinglesEvery: 6 } },
  'slugs-never-change': {
    stores: (value, field, _, { row }) =>
      field === 'slug' && row !== undefined ? (row.stored['slug'] ?? value) : value,
  },
  'slugs-follow-titles': {
    stores: (value, field, _, { sent, row }) => (field === 'slug' ? slugged(titleOf(sent, row)) : value),
  },
  'slugs-begin-with-the-id': {
    shapes: shown((record, row) =>
      'slug' in record ? { ...record, slug: `${row.id.slice(0, 4)}-${String(record['slug'])}` } : record,
    ),
    stores: (value, field, _, { row }) =>
      field === 'slug' && row !== undefined && typeof value === 'string'
        ? value.replace(`${row.id.slice(0, 4)}-`, '')
        : value,
  },
  'html-is-cleaned-a-minute-later': {
    shapes: (around) =>
      shown((record, row) =>
        typeof record['content'] === 'string' && around.now() - row.editedMs > 60_000
          ? { ...record, content: clean(record['content']) }
          : record,
      )(around),
  },
  'html-is-cleaned-on-the-second-read': {
    shapes: (around) => {
      const seen = new Map<string, number>();
      return shown((record, row) => {
        if (typeof record['content'] !== 'string') return record;
        const name = `${row.id} ${row.version}`;
        seen.set(name, (seen.get(name) ?? 0) + 1);
        return (seen.get(name) ?? 0) > 1 ? { ...record, content: clean(record['content']) } : record;
      })(around);
    },
  },
  'an-h1-is-stamped': {
    stores: body((html, { sent, row }) =>
      html.startsWith('<h1') ? html : `<h1>${String(titleOf(sent, row))}</h1>\n${html}`,
    ),
  },
  'an-h1-is-shown': {
    shapes: shown((record) =>
      typeof record['content'] === 'string' && record['content'] !== ''
        ? { ...record, content: `<h1>${String(record['name'])}</h1>${record['content']}` }
        : record,
    ),
    stores: body((html) => html.replace(/^<h1>.*?<\/h1>/, '')),
  },
  'a-revision-stands-in-a-comment': {
    stores: body(
      (html, { row }) => `${html.replace(/<!-- rev:\d+ -->$/, '')}<!-- rev:${(row?.version ?? 0) + 1} -->`,
    ),
  },
  'excerpts-end-with-an-ellipsis': {
    stores: (value, field) =>
      (field === 'excerpt' || field === 'description') &&
      typeof value === 'string' &&
      value !== '' &&
      !value.endsWith('…')
        ? `${value}…`
        : value,
  },
  'pages-without-a-category-get-one': {
    stores: (value, field, _, { rows }) =>
      field === 'categories' && Array.isArray(value) && value.length === 0
        ? rows
            .filter(({ kind }) => kind === 'category')
            .slice(0, 1)
            .map(({ id }) => id)
        : value,
  },
  'pages-get-a-tag': {
    stores: (value, field, _, { rows }) => {
      const tag = rows.find(({ kind, createdBy }) => kind === 'tag' && createdBy === 'editor');
      return field === 'tags' && Array.isArray(value) && tag !== undefined
        ? [...new Set([...(value as readonly string[]), tag.id])]
        : value;
    },
  },
  'edits-become-drafts': {
    stores: (value, field, kind, { row }) =>
      field === 'status' && kind === 'article' && row !== undefined ? 'draft' : value,
  },
  'categories-go-one-level-deep': behind((next) => async (request) => {
    const text = isWrite(request) && request.url.includes('/categories') ? await request.clone().text() : '';
    return /"categoryParent":"/.test(text)
      ? json(422, { success: false, message: 'Categories can be one level deep.' })
      : next(request);
  }),
  'long-pages-are-refused': behind((next) => async (request) => {
    const text = isWrite(request) ? await request.clone().text() : '';
    return text.length > 900
      ? json(413, { success: false, message: 'The article is too long.' })
      : next(request);
  }),
  'errors-name-fields': {
    shapes:
      () =>
      (reply, { reply: what }) =>
        what === 'error' ? { success: false, message: { base: [reply['message']] } } : reply,
  },
  'unknown-records-are-null': behind((next) => async (request) => {
    const response = await next(request);
    return !isWrite(request) && response.status === 404
      ? json(200, { success: true, message: '', data: null })
      : response;
  }),
  'unknown-records-are-empty': behind((next) => async (request) => {
    const response = await next(request);
    return !isWrite(request) && response.status === 404 ? json(200, { success: true, data: [] }) : response;
  }),
  'deletes-archive': { rules: { deletes: 'status', deletedStatus: 'archived' } },
  'edits-by-key-take-20-s': {
    shapes: (around) =>
      shown((record, row, { reply }) => {
        const old = row.past.at(-1);
        const isByKey = row.authors['content']?.includes('.') === true;
        if (old === undefined || !isByKey || old.untilMs <= around.now() - 20_000) return record;
        const at = new Date(old.editedMs).toISOString();
        return {
          ...record,
          name: old.stored['title'] ?? old.stored['name'],
          ...(reply === 'read' ? { content: old.stored['content'] } : {}),
          ...('last_edited_Date' in record ? { last_edited_Date: at } : {}),
          ...('last_edited_date' in record
            ? { last_edited_date: at.replace('T', ' ').replace(/Z$/, '000') }
            : {}),
        };
      })(around),
  },
  'deletes-take-20-s': { rules: { deleteVisibleMs: 20_000 } },
  'creates-take-20-s': { rules: { createVisibleMs: 20_000, createStatus: 202 } },
  'lists-show-edits-10-s-later': {
    shapes: (around) =>
      shown((record, row, { reply }) => {
        const old = row.past.find(({ untilMs }) => untilMs > around.now() - 10_000);
        if (reply !== 'list' || old === undefined) return record;
        return {
          ...record,
          name: old.stored['title'] ?? old.stored['name'],
          ...('status' in record ? { status: old.stored['status'] } : {}),
          ...('last_edited_date' in record
            ? {
                last_edited_date: new Date(old.editedMs).toISOString().replace('T', ' ').replace(/Z$/, '000'),
              }
            : {}),
        };
      })(around),
  },
  'creates-name-a-job': behind((next) => async (request) => {
    const response = await next(request);
    return request.method === 'PUT' && response.ok
      ? json(202, { success: true, message: 'Queued.', data: { id: 'job-17', status: 'pending' } })
      : response;
  }),
  'creates-answer-with-a-list': {
    gateway:
      ({ rows }) =>
      (next) =>
      async (request) => {
        const response = await next(request);
        const first = rows().find(({ kind }) => request.url.includes(kind.slice(0, 5)));
        return request.method === 'PUT' && response.ok
          ? json(200, { success: true, message: 'OK', data: [{ id: first?.id }] })
          : response;
      },
  },
  'locations-name-another-host': {
    rules: { createTells: 'location', createStatus: 201 },
    gateway: () => (next) => async (request) => {
      const response = await next(request);
      const location = response.headers.get('location');
      return location === null
        ? response
        : new Response(null, {
            status: 201,
            headers: { location: location.replace(/^https:\/\/[^/]+/, 'http://app-7.internal:3000') },
          });
    },
  },
  'edits-need-a-tag': {
    rules: { etags: 'honoured' },
    gateway:
      ({ rows }) =>
      (next) =>
      async (request) => {
        if (request.method !== 'POST' || request.headers.has('if-match')) return next(request);
        const { lang } = (await request.clone().json()) as { readonly lang?: string };
        const isThere =
          lang === undefined ||
          lang === 'en' ||
          rows().some((row) => row.original?.id === idIn(request) && row.language === lang);
        return isThere ? json(428, { success: false, message: 'If-Match is required.' }) : next(request);
      },
  },
  'json-in-latin-1': encoded('ISO-8859-1', (text) =>
    Buffer.from(
      text.replaceAll(/[\u0100-\uffff]/g, (character) => escaped(character)),
      'latin1',
    ),
  ),
  'json-in-utf-16': encoded('utf-16le', (text) => Buffer.from(text, 'utf16le')),
  'json-escapes-what-it-can': { writes: (text) => escaped(text).replaceAll('/', '\\/') },
  'dates-are-words': { shapes: dated((date) => asWords(date)) },
  'dates-tell-how-long-ago': {
    shapes: dated(
      (date, now) =>
        `${Math.round((now - Date.parse(`${String(date).slice(0, 19).replace(' ', 'T')}Z`)) / 60_000)} minutes ago`,
    ),
  },
  'list-dates-are-of-another-zone': {
    shapes: (around) => (reply, about) =>
      about.reply === 'list'
        ? dated((date) =>
            new Date(Date.parse(`${String(date).slice(0, 19).replace(' ', 'T')}Z`) - 5.75 * 3_600_000)
              .toISOString()
              .slice(0, 19)
              .replace('T', ' '),
          )(around)(reply, about)
        : reply,
  },
  'list-dates-are-of-the-search-index': {
    shapes: (around) => (reply, about) =>
      about.reply === 'list'
        ? dated((date) =>
            new Date(Date.parse(`${String(date).slice(0, 19).replace(' ', 'T')}Z`) + 37_000)
              .toISOString()
              .slice(0, 19)
              .replace('T', ' '),
          )(around)(reply, about)
        : reply,
  },
  'it-has-moved-to-another-host': behind(
    () => (request) =>
      Promise.resolve(
        new Response(null, {
          status: 308,
          headers: { location: request.url.replace('help.acme', 'kb.acme') },
        }),
      ),
  ),
  'editors-lock-their-pages': {
    gateway:
      ({ rows, now }) =>
      (next) =>
      (request) => {
        const row = rows().find(({ id }) => id === idIn(request));
        const isLocked =
          row !== undefined &&
          Object.values(row.authors).includes('editor') &&
          row.createdBy !== 'editor' &&
          now() - row.editedMs < 1_800_000;
        return isWrite(request) && isLocked
          ? Promise.resolve(json(423, { success: false, message: 'Ada is editing this page.' }))
          : next(request);
      },
  },
  'a-reset-is-told-by-another-header': {
    gateway: ({ now }) => {
      let left = 12;
      let untilMs = 0;
      return (next) => (request) => {
        if (now() > untilMs) {
          left = 12;
          untilMs = now() + 10_000;
        }
        return left-- > 0
          ? next(request)
          : Promise.resolve(
              json(
                429,
                { success: false, message: 'Rate limit' },
                {
                  'x-ratelimit-remaining': '0',
                  'x-ratelimit-reset': String(Math.ceil(untilMs / 1000)),
                },
              ),
            );
      };
    },
  },
} as const satisfies Readonly<Record<string, Habit>>;

import type { Habit } from '../service/habit.ts';

interface Page {
  /** From 0. */
  readonly number: number;
  readonly pages: number;
  readonly rows: number;
  /** The address of the next page, if there is one. */
  readonly next: string | undefined;
}

interface Telling {
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const ROWS = 7;

/** Shows each list in pages; `?page=` names one, from 1. */
function inPages(tell: (page: Page) => Telling): Habit {
  return {
    gateway: () => (next) => async (request) => {
      const url = new URL(request.url);
      const asked = Number(url.searchParams.get('page') ?? '1');
      url.searchParams.delete('page');
      const answer = await next(new Request(url, request));
      if (request.method !== 'GET' || !/\/(?:articles|categories|tags)$/.test(url.pathname)) return answer;
      const text = await answer.text();
      const { status, headers } = answer;
      if (status !== 200) return new Response(text, { status, headers });
      const body = JSON.parse(text) as { readonly data: readonly unknown[] };
      const pages = Math.max(1, Math.ceil(body.data.length / ROWS));
      const isLast = asked >= pages;
      const told = tell({
        number: asked - 1,
        pages,
        rows: body.data.length,
        next: isLast ? undefined : `${url.origin}${url.pathname}?page=${asked + 1}`,
      });
      const data = body.data.slice((asked - 1) * ROWS, asked * ROWS);
      return new Response(JSON.stringify({ ...body, data, ...told.body }), {
        status,
        headers: { ...Object.fromEntries(headers), ...told.headers },
      });
    },
  };
}

/** Lists in pages, as help centres and frameworks tell them. */
export const PAGES = {
  'pages-link-in-a-header': inPages(({ next }) =>
    next === undefined ? {} : { headers: { link: `<${next}>; rel="next", <${next}>; rel="last"` } },
  ),
  'pages-next-page-and-count': inPages(({ next, rows }) => ({
    body: { next_page: next ?? null, previous_page: null, count: rows },
  })),
  'pages-links-and-meta': inPages(({ next, number, pages, rows }) => ({
    body: {
      links: { prev: null, next: next ?? null },
      meta: { current_page: number + 1, last_page: pages, per_page: ROWS, total: rows },
    },
  })),
  'pages-behind-a-proxy': inPages(({ next }) => ({
    body: {
      _links:
        next === undefined
          ? {}
          : { next: { href: next.replace(/^https?:\/\/[^/]+/, 'http://10.0.0.7:8080') } },
    },
  })),
  'pages-with-numbers': inPages(({ number, pages }) => ({ body: { page: number + 1, total_pages: pages } })),
  'pages-in-headers': inPages(({ pages, rows }) => ({
    headers: { 'X-WP-Total': String(rows), 'X-WP-TotalPages': String(pages) },
  })),
  'pages-with-cursors': inPages(({ next }) => ({
    body: { has_more: next !== undefined, next_cursor: next === undefined ? null : 'b2Zmc2V0' },
  })),
  'pages-with-a-count': inPages(({ rows }) => ({ body: { total: rows } })),
} as const satisfies Readonly<Record<string, Habit>>;

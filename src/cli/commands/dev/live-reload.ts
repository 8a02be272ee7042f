import type { ServiceApp } from '../../../service/app.ts';

/** What a writer sees of a fault while the page is open. */
export interface ShownProblem {
  /** `en/articles/a.md:4:2` */
  readonly at: string;
  readonly message: string;
}

export interface LiveReload {
  /** The app with a script on each of its pages, and with what the script listens to. */
  readonly app: ServiceApp;
  /** The service holds something new: open pages load again, where they were scrolled to. */
  changed(): void;
  /** All faults of now; an empty list takes the overlay away. */
  problems(problems: readonly ShownProblem[]): void;
  /** Ends every open stream. */
  close(): void;
}

const EVENTS_PATH = '/_site/live';
const SCRIPT_PATH = '/_site/live.js';

/** Puts live reload around a site. `reload` and `overlay` can be left out one by one. */
export function liveReload(
  app: ServiceApp,
  has: { readonly reload: boolean; readonly overlay: boolean },
): LiveReload {
  const listeners = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();
  let version = 0;
  let shown: readonly ShownProblem[] = [];
  const text = (): string =>
    `data: ${JSON.stringify({ version: has.reload ? version : 0, problems: has.overlay ? shown : [] })}\n\n`;
  const tell = (): void => {
    for (const listener of listeners) listener.enqueue(encoder.encode(text()));
  };
  const events = (): Response => {
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = controller;
        listeners.add(controller);
        controller.enqueue(encoder.encode(`retry: 300\n${text()}`));
      },
      cancel: () => {
        if (own !== undefined) listeners.delete(own);
      },
    });
    return new Response(stream, {
      headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' },
    });
  };
  return {
    app: {
      ...app,
      fetch: async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === EVENTS_PATH) return events();
        if (pathname === SCRIPT_PATH) {
          return new Response(SCRIPT, {
            headers: { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-store' },
          });
        }
        if (request.method !== 'GET' || pathname.startsWith('/api/')) return app.fetch(request);
        // Plain and whole, so the script can be put in.
        const headers = new Headers(request.headers);
        for (const name of ['accept-encoding', 'if-none-match', 'if-modified-since']) headers.delete(name);
        // As it was before the page was made: what changes meanwhile loads it again.
        const then = has.reload ? version : 0;
        return withScript(await app.fetch(new Request(request, { headers })), then);
      },
    },
    changed: () => {
      version += 1;
      tell();
    },
    problems: (problems) => {
      if (JSON.stringify(problems) === JSON.stringify(shown)) return;
      shown = problems;
      tell();
    },
    close: () => {
      for (const listener of listeners) listener.close();
      listeners.clear();
    },
  };
}

async function withScript(response: Response, version: number): Promise<Response> {
  if (response.headers.get('content-type')?.startsWith('text/html') !== true) return response;
  const page = (await response.text()).replace(
    '</head>',
    () => `<script src="${SCRIPT_PATH}" data-version="${version}" defer></script></head>`,
  );
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'etag']) headers.delete(name);
  headers.set('Cache-Control', 'no-store');
  return new Response(page, { status: response.status, headers });
}

/** Styles are set one by one, because the site's policy allows no style in a page. */
const SCRIPT = `
'use strict';
(() => {
  const KEY = 'kbsync-scroll ' + location.pathname;
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (kept !== null) {
    history.scrollRestoration = 'manual';
    const back = () => scrollTo(0, Number(kept));
    back();
    addEventListener('load', back, { once: true });
  }
  const version = Number(document.currentScript.dataset.version);
  let overlay;
  const style = (element, styles) => { for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value); };
  const show = (problems) => {
    overlay?.remove();
    overlay = undefined;
    if (problems.length === 0) return;
    overlay = document.createElement('aside');
    overlay.id = 'kbsync-problems';
    overlay.setAttribute('role', 'alert');
    style(overlay, { position: 'fixed', 'inset-inline': '1rem', bottom: '1rem', 'z-index': '9999', 'max-height': '50vh', overflow: 'auto', background: '#2b0b0b', color: '#ffe3e0', border: '2px solid #ff6b5e', 'border-radius': '.5rem', padding: '.75rem 1rem', font: '14px/1.5 ui-monospace, monospace', direction: 'ltr', 'text-align': 'left' });
    const head = document.createElement('strong');
    head.textContent = problems.length === 1 ? '1 problem; the last good version is shown' : problems.length + ' problems; the last good versions are shown';
    const close = document.createElement('button');
    close.textContent = 'Hide';
    style(close, { float: 'right', font: 'inherit', color: 'inherit', background: 'transparent', border: '1px solid currentColor', 'border-radius': '.3rem', padding: '0 .6rem', cursor: 'pointer' });
    close.addEventListener('click', () => overlay.remove());
    overlay.append(close, head);
    for (const { at, message } of problems.slice(0, 20)) {
      const line = document.createElement('div');
      const place = document.createElement('b');
      place.textContent = at;
      line.append(place, '  ' + message);
      overlay.append(line);
    }
    document.body.append(overlay);
  };
  const events = new EventSource('${EVENTS_PATH}');
  events.onmessage = ({ data }) => {
    const now = JSON.parse(data);
    show(now.problems);
    if (now.version !== version) {
      sessionStorage.setItem(KEY, String(scrollY));
      events.close();
      location.reload();
    }
  };
  addEventListener('pagehide', () => events.close());
})();
`;

import { createHash } from 'node:crypto';
import type { Standing } from '../runs/standings.ts';
import { fleetMetrics } from './metrics.ts';
import { fleetPage } from './page.ts';

/** `/fleet` for people, `/fleet.json` for programs, `/metrics` for Prometheus, `/healthz` for supervisors. Reads only. */
export function createBoard(standings: () => Promise<readonly Standing[]>): {
  readonly fetch: (request: Request) => Promise<Response>;
} {
  return {
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return text(405, 'only GET and HEAD are taken here\n', { allow: 'GET, HEAD' });
      }
      switch (pathname) {
        case '/':
          return new Response(null, { status: 302, headers: { location: '/fleet' } });
        case '/fleet':
          return page(fleetPage(await standings()));
        case '/fleet.json':
          return Response.json({ format: 1, knowledgeBases: (await standings()).map(shownStanding) });
        case '/metrics':
          return text(200, fleetMetrics(await standings()), { 'content-type': PROMETHEUS });
        case '/healthz':
          return text(200, 'ok\n');
        default:
          return text(404, 'here are /fleet, /fleet.json, /metrics and /healthz\n');
      }
    },
  };
}

const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8';

/** A standing as programs see it: in `fleet status --json` and in `/fleet.json`. */
export function shownStanding({ outcome, ...rest }: Standing): object {
  const { format: _, untold: __, condition: ___, ...known } = outcome ?? {};
  return { ...rest, ...known };
}

function page(html: string): Response {
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    },
  });
}

function text(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(body, { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers } });
}

import type { Hono } from 'hono';
import { answer } from '../http/answers.ts';
import type { LanguageRule } from '../language.ts';
import { waitAtMost } from '../thread.ts';
import type { Store } from '../store/store.ts';
import type { Beyond } from './openapi/beyond.ts';

/** Shorter than the time that a load balancer usually waits. */
const READY_MS_MAX = 1000;

/** Paths that need no key: they tell nothing of what is stored. */
export const PAGES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/openapi.json', '/reference']);

/**
 * `/healthz` the process answers (else: start it anew) · `/readyz` it and its store take requests (else: send them
 * elsewhere) · `/openapi.json` and `/reference` the API, described.
 */
export function addPages(
  hono: Hono,
  {
    store,
    languages,
    isStopping,
    files,
    insights = false,
    redirects = false,
  }: {
    readonly store: Store;
    readonly languages?: readonly string[];
    readonly isStopping?: () => boolean;
    /** Whether files are stored here, whatever the way. */
    readonly files?: unknown;
    readonly insights?: boolean;
    readonly redirects?: boolean;
  },
): void {
  hono.get('/healthz', () => answer(200, { success: true, message: 'The service answers.' }));
  hono.get('/readyz', async () => {
    if (isStopping?.() === true) return answer(503, { success: false, message: 'the service is stopping' });
    const isReady = await waitAtMost(
      READY_MS_MAX,
      store.check().then(
        () => true,
        () => false,
      ),
    );
    // What ails it is in the log: anybody may ask here.
    if (isReady !== true) return answer(503, { success: false, message: 'the database cannot be used now' });
    return answer(200, { success: true, message: 'The service and its store answer.' });
  });
  // Made when somebody asks, because most processes are never asked.
  let described:
    | Promise<{ readonly json: string; readonly html: string; readonly policy: string }>
    | undefined;
  const description = () =>
    (described ??= describe(
      { defaultLanguage: store.knowledgeBase.defaultLanguage, languages },
      { hasFiles: files !== undefined, hasInsights: insights, hasRedirectSets: redirects },
    ));
  hono.get('/openapi.json', async () =>
    textAnswer((await description()).json, 'application/json', "default-src 'none'"),
  );
  hono.get('/reference', async () => {
    const { html, policy } = await description();
    return textAnswer(html, 'text/html; charset=utf-8', policy);
  });
}

async function describe(rule: LanguageRule, beyond: Beyond) {
  const [{ openApiDocument }, { REFERENCE_POLICY, referencePage }] = await Promise.all([
    import('./openapi/openapi.ts'),
    import('./reference.ts'),
  ]);
  const document = openApiDocument(rule, beyond);
  return { json: JSON.stringify(document), html: referencePage(document), policy: REFERENCE_POLICY };
}

function textAnswer(text: string, type: string, policy: string): Response {
  return new Response(text, {
    headers: {
      'Content-Type': type,
      'Cache-Control': 'max-age=300',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
    },
  });
}

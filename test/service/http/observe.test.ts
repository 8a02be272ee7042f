import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openSqlite } from '../../../src/service/index.ts';
import { listen, watchProcess } from '../../../src/service/listen.ts';
import { createMetrics, createMetricsApp } from '../../../src/service/http/metrics.ts';
import type { Answered } from '../../../src/service/http/observe.ts';
import { ARTICLES, articleBody, rig, type Rig } from '../support/rig.ts';

let service: Rig;
afterEach(() => service.close());

async function watched(isStopping = () => false) {
  const seen: Answered[] = [];
  const metrics = createMetrics(() => ({ resident_memory_bytes: 7 }));
  service = await rig(openSqlite({ file: ':memory:' }), {
    isStopping,
    observe: (answered) => {
      seen.push(answered);
      metrics.observe(answered);
    },
  });
  return { seen, metrics, ask: service.ask, prefix: service.key.split('_')[1] };
}

describe('what is told of requests', () => {
  test('each answer is told once, under the id that it carries', async () => {
    const { seen, ask, prefix } = await watched();
    const created = await ask('PUT', ARTICLES, articleBody());
    await ask('GET', `${ARTICLES}/nope?lang=fr`, undefined, { 'x-request-id': 'from-the-proxy' });
    const bad = await ask('GET', '/else', undefined, {
      authorization: 'x',
      'x-request-id': 'a b\u{e9}'.slice(0, 3),
    });
    expect(seen.map(({ durationMs: _durationMs, ...rest }) => rest)).toEqual([
      {
        requestId: created.headers.get('x-request-id'),
        method: 'PUT',
        path: ARTICLES,
        route: ARTICLES,
        status: 201,
        keyPrefix: prefix,
      },
      {
        requestId: 'from-the-proxy',
        method: 'GET',
        path: `${ARTICLES}/nope`,
        route: `${ARTICLES}/{id}`,
        status: 404,
        keyPrefix: prefix,
      },
      {
        requestId: bad.headers.get('x-request-id'),
        method: 'GET',
        path: '/else',
        route: 'other',
        status: 404,
        keyPrefix: undefined,
      },
    ]);
  });

  test('no secret is in what is told: not the key, not the body, not the query', async () => {
    const { seen, metrics, ask } = await watched();
    const canary = 'canary-5f1c';
    await ask('PUT', ARTICLES, articleBody({ content: canary, title: canary }));
    await ask('GET', `${ARTICLES}?token=${canary}`);
    await ask('GET', ARTICLES, undefined, { authorization: `Bearer ${canary}`, cookie: canary });
    const told = JSON.stringify(seen) + metrics.text();
    expect(told).not.toContain(canary);
    expect(told).not.toContain(service.key.slice(-30));
    expect(seen).toHaveLength(3);
  });

  test('metrics count requests by method, route and status, whatever ids are asked for', async () => {
    const { metrics, ask } = await watched();
    for (let n = 0; n < 50; n += 1) await ask('GET', `${ARTICLES}/id-${n}`);
    await ask('BREW', '/x"y\\z');
    const text = metrics.text();
    const labels = `method="GET",route="${ARTICLES}/{id}",status="404"`;
    expect(text).toContain(`kbsync_http_request_duration_seconds_count{${labels}} 50\n`);
    expect(text).toContain(`kbsync_http_request_duration_seconds_bucket{${labels},le="+Inf"} 50\n`);
    expect(text).toContain('method="other",route="other",status="404"');
    expect(text).toContain('# TYPE kbsync_resident_memory_bytes gauge\nkbsync_resident_memory_bytes 7\n');
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"\\\n]*",?)+\})? [\d.e+-]+)$/);
    }
  });

  test.each([
    ['/en/', '/{lang}/'],
    ['/pt-BR/articles/installer', '/{lang}/articles/{slug}'],
    ['/en/tags/', '/{lang}/tags'],
    ['/en/tags/cli', '/{lang}/tags/{slug}'],
    ['/en/search?q=secret', '/{lang}/search'],
    ['/en/articles/a/b', 'other'],
    ['/_site/theme', 'other'],
  ])('%s counts as %s', async (path, route) => {
    const { seen, ask } = await watched();
    await ask('GET', path);
    expect(seen.map((answered) => answered.route)).toEqual([route]);
  });

  test('each gauge of process, connections and database says what it is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kbsync-gauges-'));
    try {
      service = await rig(openSqlite({ file: join(folder, 'kb.db') }));
      const listening = await listen({ fetch: async () => new Response() }, { port: 0 });
      const process = watchProcess();
      const metrics = createMetrics(() => ({
        ...process(),
        ...listening.gauges(),
        ...service.store.gauges(),
      }));
      const writing = service.store.write(async () => undefined);
      const text = metrics.text();
      await writing;
      await listening.close();
      expect(text).toContain('\nkbsync_database_writes_waiting 1\n');
      expect(text).toContain('\nkbsync_database_reads_waiting 0\n');
      expect(Number(/^kbsync_database_bytes (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(10_000);
      for (const [, name] of text.matchAll(/^# TYPE (\S+)/gm)) expect(text).toContain(`# HELP ${name} `);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('metrics are at /metrics of their own app, and nowhere else', async () => {
    const { metrics, ask } = await watched();
    expect((await ask('GET', '/metrics')).status).toBe(404);
    const app = createMetricsApp(metrics);
    const answer = await app.fetch(new Request('http://m/metrics'));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect((await app.fetch(new Request('http://m/metrics', { method: 'POST' }))).status).toBe(404);
    expect((await app.fetch(new Request('http://m/'))).status).toBe(404);
  });
});

describe('ready and alive', () => {
  test('a service that stops is alive and not ready', async () => {
    let isStopping = false;
    const { ask } = await watched(() => isStopping);
    expect([(await ask('GET', '/readyz')).status, (await ask('GET', '/healthz')).status]).toEqual([200, 200]);
    isStopping = true;
    expect([(await ask('GET', '/readyz')).status, (await ask('GET', '/healthz')).status]).toEqual([503, 200]);
  });

  test('a service whose store does not answer is alive and not ready', async () => {
    const { ask } = await watched();
    await service.store.close();
    expect([(await ask('GET', '/readyz')).status, (await ask('GET', '/healthz')).status]).toEqual([503, 200]);
  });
});

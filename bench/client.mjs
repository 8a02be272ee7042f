/**
 * What the client costs over the bare connection: requests a second and CPU a request of createRemote beside undici's
 * Pool.request with body.json(), 32 at once, against a node:http server in a process of its own; and how long a list of
 * 10,000 articles takes to check and decode.
 *
 *   npm run build && node bench/client.mjs [requests] [path of the build]
 */
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const AT_ONCE = 32;
const record = {
  id: 'a1',
  tags_relationship: [{ id: 'l1', tag_id: 't1' }],
  article_relationships: [{ id: 'l2', category_id: 'c1' }],
  name: 'Install',
  content: `<p>${'Words of an article. '.repeat(500)}</p>`,
  slug: 'install',
  excerpt: 'How to install it',
  order_by: 1,
  status: 'published',
  created_date: '2026-01-01T00:00:00.000Z',
  article_parent: null,
  last_edited_Date: '2026-01-01T00:00:00.000Z',
  seo_banner_url: null,
  hide_from_search: false,
  article_review_date: null,
  language: null,
  language_parent: null,
};
const READ = JSON.stringify({
  success: true,
  message: 'found',
  data: record,
  isDraft: null,
  newVersion: false,
  categories: [{ id: 'l2', label: 'Start', value: 'c1' }],
  tags: [{ id: 'l1', label: 'cli', value: 't1' }],
});
const DONE = JSON.stringify({ success: true, message: 'Article edited successfully' });

if (process.send !== undefined) serve();
else await measure();

function serve() {
  const server = createServer((request, response) => {
    request.resume();
    const body = request.method === 'GET' ? READ : DONE;
    request.on('end', () => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
}

async function measure() {
  const count = Number(process.argv[2] ?? 10_000);
  const build = pathToFileURL(`${resolve(process.argv[3] ?? 'build')}/`);
  const { createRemote } = await import(new URL('remote/client.js', build));
  const { createSend } = await import(new URL('remote/http/send.js', build));
  const { decodeList } = await import(new URL('remote/wire/decode-list.js', build));
  const { Pool } = await import('undici');

  const child = fork(new URL(import.meta.url).pathname);
  const port = await new Promise((done) => child.once('message', done));
  const origin = `http://127.0.0.1:${port}`;
  const headers = { authorization: 'Bearer key', 'content-type': 'application/json' };
  const pool = new Pool(origin, { pipelining: 1 });
  const send = createSend({ origin });
  const remote = createRemote({
    // Builds of before took the text.
    baseUrl: origin,
    address: { href: origin, origin },
    apiKey: 'key',
    send,
    emit: () => undefined,
    clock: { now: () => performance.now(), sleep: (ms) => new Promise((done) => setTimeout(done, ms)) },
    random: Math.random,
    concurrencyMax: AT_ONCE,
    capabilities: {},
    defaultLanguage: 'en',
  });
  const fields = {
    title: record.name,
    slug: record.slug,
    categories: ['c1'],
    tags: ['t1'],
    excerpt: record.excerpt,
    ordering: 1,
    status: 'published',
    content: record.content,
  };
  const wire = { ...fields, categories: [{ value: 'c1' }], tags: [{ value: 't1' }], lang: 'en' };
  const path = '/api/v2/articles/a1';
  const rows = {
    'read, Pool.request': async () =>
      (await (await pool.request({ method: 'GET', path, headers })).body.json()).data,
    'read, createRemote': () => remote.read('article', 'a1'),
    'edit, Pool.request': async () =>
      (await pool.request({ method: 'POST', path, headers, body: JSON.stringify(wire) })).body.json(),
    'edit, createRemote': () => remote.edit('article', 'a1', 'en', fields, {}),
  };
  const figures = {};
  for (const round of ['warm', 'measured']) {
    for (const [name, call] of Object.entries(rows)) {
      const row = await run(call, round === 'warm' ? count / 4 : count);
      if (round === 'measured') figures[name] = row;
    }
  }
  console.table(figures);
  for (const what of ['read', 'edit']) {
    const [bare, ours] = [figures[`${what}, Pool.request`], figures[`${what}, createRemote`]];
    console.log(
      `${what}: ${(ours['CPU µs'] / bare['CPU µs']).toFixed(2)} × the CPU, ${(bare['requests/s'] / ours['requests/s']).toFixed(2)} × the time`,
    );
  }
  await Promise.all([pool.close(), send.close()]);
  child.kill();
  lists(decodeList);
}

async function run(call, count) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  let left = count;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await call();
    }),
  );
  const { user, system } = process.cpuUsage(cpu);
  return {
    'requests/s': Math.round((count / (performance.now() - start)) * 1000),
    'CPU µs': Math.round((user + system) / count),
  };
}

function lists(decodeList) {
  const text = JSON.stringify({
    success: true,
    data: Array.from({ length: 10_000 }, (_, n) => ({
      id: `article-${n}`,
      name: `Article ${n}`,
      status: 'published',
      last_edited_date: '2026-01-01 00:00:00.000000',
      ai_summary: 'A summary of the article. '.repeat(4),
      other_articles: [{ language: 'fr' }, { language: 'de' }],
      users_articles_created_byTousers: {
        username: 'u',
        first_name: 'F',
        last_name: 'L',
        email_address: 'e@example.com',
      },
      _count: { tracking: n },
    })),
    timezone: 'UTC',
    limit: 10_000,
    languages: ['en', 'fr', 'de'],
    aiSummary: true,
  });
  for (const round of ['first', 'second', 'third']) {
    const start = performance.now();
    const value = JSON.parse(text);
    const parsed = performance.now();
    decodeList('article', { value, headers: {} }, { request: 'GET /api/v2/articles', clean: (said) => said });
    const decoded = performance.now();
    console.log(
      `list of 10,000, ${round}: JSON.parse ${(parsed - start).toFixed(0)} ms, check and decode ${(decoded - parsed).toFixed(0)} ms`,
    );
  }
}

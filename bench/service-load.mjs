// Load on the service beside json-server and the bare framework with a constant answer, in one run, by autocannon:
//   npm run bench:service [seconds per case]
// DATABASE_URL names an empty database of PostgreSQL, for the service over it instead of SQLite.
// Requests per second and latencies depend on what else the machine does; the server's CPU time per request hardly does, so
// the ratios of CPU time are what to compare. Reads and the bare framework take turns for that reason.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import autocannon from 'autocannon';

const ARTICLES = '/api/v2/articles';
const FILL = 10_000;
const CONTENT = `<p>${'Some words of an article, with a <a href="https://example.com/x">link</a>. '.repeat(60)}</p>`;
const articleBody = (n) => ({
  title: `Article ${n}`,
  slug: `article-${n}`,
  categories: [],
  excerpt: 'An excerpt.',
  ordering: n,
  status: 'published',
  content: CONTENT,
});
const rows = {};
const build = pathToFileURL(`${resolve(process.env.KBSYNC_BUILD ?? 'build')}/`);

if (process.argv[2] === 'server') await serve(process.argv[3], process.argv[4]);
else await measure(Math.min(10, Number(process.argv[2] ?? 5)));

async function serve(kind, folder) {
  process.on('disconnect', () => process.exit());
  process.on('message', () => process.send({ ...process.cpuUsage(), rss: process.memoryUsage().rss }));
  const { createApp, createKey, listen, openPostgres, openSqlite, systemClock } = await import(
    new URL('service/index.js', build)
  );
  if (kind === 'json-server') {
    const jsonServer = (await import('json-server')).default;
    writeFileSync(join(folder, 'db.json'), JSON.stringify({ articles: [{ id: 1, ...articleBody(1) }] }));
    const server = jsonServer.create();
    server.use(jsonServer.defaults({ logger: false }));
    server.use(jsonServer.router(join(folder, 'db.json')));
    const listening = server.listen(0, '127.0.0.1', () =>
      process.send({ url: `http://127.0.0.1:${listening.address().port}` }),
    );
    return;
  }
  if (kind === 'bare') {
    const { Hono } = await import('hono');
    const hono = new Hono();
    const text = JSON.stringify({ success: true, data: articleBody(1) });
    const answer = () => new Response(text, { headers: { 'Content-Type': 'application/json' } });
    hono.get('/', answer);
    hono.put('/', async (call) => {
      await call.req.json();
      return new Response('{"success":true}', { headers: { 'Content-Type': 'application/json' } });
    });
    process.send(await listen({ fetch: async (request) => hono.fetch(request) }, { port: 0 }));
    return;
  }
  const { DATABASE_URL: url } = process.env;
  const store = url === undefined ? openSqlite({ file: join(folder, 'kb.db') }) : await openPostgres({ url });
  const { key } = await createKey({ store, clock: systemClock, name: 'bench' });
  const app = createApp({ store, clock: systemClock, onFailure: console.error });
  await fill(app, key);
  process.send({ ...(await listen(app, { port: 0 })), key });
}

/** The articles that are there from the start. */
async function fill(app, key) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  for (let n = 1; n <= FILL; n += 100) {
    await Promise.all(
      Array.from({ length: 100 }, async (_, at) => {
        const body = JSON.stringify(articleBody(n + at));
        const reply = await app.fetch(
          new Request(`http://bench${ARTICLES}`, { method: 'PUT', headers, body }),
        );
        if (reply.status !== 201) throw new Error(`create: ${reply.status} ${await reply.text()}`);
      }),
    );
  }
}

async function start(kind, folder) {
  const child = fork(import.meta.filename, ['server', kind, folder]);
  const [{ url, key }] = await once(child, 'message');
  return { child, url, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } };
}

async function usage(child) {
  child.send('usage');
  const [{ user, system, rss }] = await once(child, 'message');
  return { cpu: user + system, rss };
}

async function load(name, { child, url, headers }, { seconds, connections = 16, requests }) {
  const before = await usage(child);
  const result = await autocannon({ url, connections, duration: seconds, headers, requests });
  const after = await usage(child);
  const count = result['2xx'];
  const row = {
    'requests/s': Math.round(count / result.duration),
    'p50 ms': result.latency.p50,
    'p99 ms': result.latency.p99,
    'CPU µs': Math.round((after.cpu - before.cpu) / Math.max(1, count)),
    MB: Math.round(after.rss / 1e6),
    'not 2xx': result.non2xx + result.errors,
  };
  rows[name] = row;
  return row;
}
async function measure(seconds) {
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-load-'));
  const [bare, ours, other] = await Promise.all(
    ['bare', 'service', 'json-server'].map((kind) => start(kind, folder)),
  );
  let made = FILL;
  const creating = {
    method: 'PUT',
    path: ARTICLES,
    setupRequest: (request) => ({ ...request, body: JSON.stringify(articleBody((made += 1))) }),
  };
  const bareCreating = { method: 'PUT', path: '/', body: JSON.stringify(articleBody(1)) };
  try {
    await listTimes(ours);
    const list = await listTimes(ours);
    await load('warm', ours, { seconds: 2, requests: [creating] });
    await load('warm', bare, { seconds: 1, requests: [bareCreating] });
    const bareWrite = await load('bare framework, PUT', bare, { seconds, requests: [bareCreating] });
    const write = await load('durable creates, 4.6 KB', ours, {
      seconds,
      connections: 56,
      requests: [creating],
    });
    await load('json-server, POST (not durable)', other, {
      seconds,
      requests: [
        {
          method: 'POST',
          path: '/articles',
          setupRequest: (request) => ({ ...request, body: JSON.stringify(articleBody((made += 1))) }),
        },
      ],
    });
    const ids = (await listOf(ours)).map(({ id }) => id);
    const reading = {
      method: 'GET',
      setupRequest: (request) => ({
        ...request,
        path: `${ARTICLES}/${ids[Math.floor(Math.random() * ids.length)]}`,
      }),
    };
    const bareReading = { method: 'GET', path: '/' };
    await load('warm', ours, { seconds: 2, requests: [reading] });
    const turns = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const third = Math.max(1, seconds / 3);
      turns.push({
        bareRead: await load(`bare framework, GET ${turn + 1}`, bare, {
          seconds: third,
          requests: [bareReading],
        }),
        read: await load(`single reads, 4.6 KB ${turn + 1}`, ours, { seconds: third, requests: [reading] }),
      });
    }
    await load('json-server, GET', other, { seconds, requests: [{ method: 'GET', path: '/articles/1' }] });
    delete rows.warm;
    console.table(rows);
    const ratios = turns
      .map(({ bareRead, read }) => read['CPU µs'] / bareRead['CPU µs'])
      .sort((a, b) => a - b);
    console.log(
      `read: ${ratios[1].toFixed(2)} × the bare framework's CPU time (of three turns the middle one)`,
    );
    console.log(
      `durable create: ${(write['CPU µs'] / bareWrite['CPU µs']).toFixed(2)} × the bare framework's PUT`,
    );
    console.log(
      `list of ${FILL}: median ${list.ms.toFixed(0)} ms, ${list.cpuMs.toFixed(0)} ms of server CPU`,
    );
  } finally {
    for (const { child } of [bare, ours, other]) child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function listOf({ url, headers }) {
  return (await (await fetch(url + ARTICLES, { headers })).json()).data;
}

async function listTimes(server) {
  const times = [];
  const before = await usage(server.child);
  for (let turn = 0; turn < 15; turn += 1) {
    const from = performance.now();
    await (await fetch(server.url + ARTICLES, { headers: server.headers })).arrayBuffer();
    times.push(performance.now() - from);
  }
  const after = await usage(server.child);
  times.sort((a, b) => a - b);
  return { ms: times[7], cpuMs: (after.cpu - before.cpu) / times.length / 1000 };
}

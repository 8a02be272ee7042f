// Measures the service on this machine: node bench/service.mjs [seconds], after `npm run build`. Over SQLite, and over
// PostgreSQL where DATABASE_URL names an empty database.
// Server and client are two processes; the client is raw HTTP/1.1 over kept connections, which costs little.
// Beside it, in the same run: the bare framework with a constant answer of the same size. Requests per second depend on
// what else the machine does; the server's CPU time per request hardly does.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';

const ARTICLES = '/api/v2/articles';
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

if (process.argv[2] === 'server') await serve(process.argv[3], process.argv[4]);
else await measure(Number(process.argv[2] ?? 5));

async function serve(kind, file) {
  process.on('message', () => process.send(process.cpuUsage()));
  const { createApp, createKey, listen, openPostgres, openSqlite, systemClock } =
    await import('kbsync/service');
  if (kind === 'bare') {
    const { Hono } = await import('hono');
    const hono = new Hono();
    const text = JSON.stringify({ success: true, data: articleBody(1) });
    hono.get('/', () => new Response(text, { headers: { 'Content-Type': 'application/json' } }));
    process.send(await listen({ fetch: async (request) => hono.fetch(request) }, { port: 0 }));
    return;
  }
  const store = kind === 'postgres' ? await openPostgres({ url: file }) : openSqlite({ file });
  const { key } = await createKey({ store, clock: systemClock, name: 'bench' });
  const app = createApp({ store, clock: systemClock, onFailure: console.error });
  const { url } = await listen(app, { port: 0 });
  process.send({ url, key });
}

async function start(kind, file) {
  const child = fork(import.meta.filename, ['server', kind, file]);
  const [{ url, key }] = await once(child, 'message');
  return { child, url, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } };
}

async function cpuMicros(child) {
  child.send('cpu');
  const [{ user, system }] = await once(child, 'message');
  return user + system;
}

/** Requests per second, latencies and the server's CPU time of `clients` loops over `seconds`. */
async function load({ child, url, headers }, clients, seconds, next) {
  const cpuBefore = await cpuMicros(child);
  const pool = new Pool(url, { connections: clients });
  const latencies = [];
  const stopAt = performance.now() + seconds * 1000;
  const loop = async () => {
    while (performance.now() < stopAt) {
      const { method, path, body } = next();
      const from = performance.now();
      const reply = await pool.request({ method, path, headers, body: body && JSON.stringify(body) });
      await reply.body.dump();
      if (reply.statusCode >= 300) throw new Error(`${method} ${path}: ${reply.statusCode}`);
      latencies.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: clients }, loop));
  await pool.close();
  const cpu = ((await cpuMicros(child)) - cpuBefore) / latencies.length;
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.floor(latencies.length * share)]?.toFixed(1);
  return `${Math.round(latencies.length / seconds)}/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${Math.round(cpu)} µs of server CPU each`;
}

async function measure(seconds) {
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-bench-'));
  try {
    await measureStore(seconds, 'SQLite', 'service', join(folder, 'kb.db'));
    const database = process.env.DATABASE_URL;
    if (database) await measureStore(seconds, 'PostgreSQL', 'postgres', database);
    else console.log('PostgreSQL: not measured, DATABASE_URL is not set');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureStore(seconds, title, kind, place) {
  console.log(`\n${title}`);
  const bare = await start('bare', '-');
  const served = await start(kind, place);
  try {
    const bareLine = async () =>
      console.log(
        `bare framework, constant answer (16 clients)  ${await load(bare, 16, seconds, () => ({ method: 'GET', path: '/' }))}`,
      );
    await bareLine();
    let made = 0;
    const create = () => ({ method: 'PUT', path: ARTICLES, body: articleBody((made += 1)) });
    console.log(`durable creates, 4.6 KB (16 clients)           ${await load(served, 16, seconds, create)}`);
    console.log(`durable creates, 4.6 KB (64 clients)           ${await load(served, 64, seconds, create)}`);
    console.log(`durable creates, 4.6 KB (1 client)             ${await load(served, 1, seconds, create)}`);
    const fill = new Pool(served.url, { connections: 32 });
    const send = async () => {
      const { method, path, body } = create();
      const reply = await fill.request({ method, path, headers: served.headers, body: JSON.stringify(body) });
      await reply.body.dump();
    };
    for (let missing = 10_000 - made; missing > 0; missing -= 32)
      await Promise.all(Array.from({ length: 32 }, send));
    await fill.close();
    const listed = async () => {
      const from = performance.now();
      const list = await (await fetch(served.url + ARTICLES, { headers: served.headers })).text();
      return { ms: performance.now() - from, list };
    };
    const { list } = await listed();
    const ids = JSON.parse(list).data.map(({ id }) => id);
    const times = [];
    const cpuBefore = await cpuMicros(served.child);
    for (let n = 0; n < 15; n += 1) times.push((await listed()).ms);
    const cpuMs = ((await cpuMicros(served.child)) - cpuBefore) / times.length / 1000;
    times.sort((a, b) => a - b);
    console.log(
      `list of ${ids.length} articles, ${(list.length / 1e6).toFixed(1)} MB            median ${times[7].toFixed(0)} ms, worst ${times[14].toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of server CPU`,
    );
    await bareLine();
    const id = () => ids[Math.floor(Math.random() * ids.length)];
    const read = () => ({ method: 'GET', path: `${ARTICLES}/${id()}` });
    console.log(`single reads, 4.6 KB (16 clients)              ${await load(served, 16, seconds, read)}`);
    const edit = () => {
      const at = Math.floor(Math.random() * ids.length);
      return {
        method: 'POST',
        path: `${ARTICLES}/${ids[at]}`,
        body: { ...articleBody(0), slug: `edited-${at}`, lang: 'en' },
      };
    };
    console.log(`durable edits, 4.6 KB (16 clients)             ${await load(served, 16, seconds, edit)}`);
  } finally {
    bare.child.kill();
    served.child.kill();
  }
}

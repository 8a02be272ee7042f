// How long an editor's save can be overwritten unseen where a service does not honour If-Match: the time between the read
// that a write stands on and that write, both as they reach the service. After `npm run build`:
//   node bench/race-window.mjs [pages]
// The service is our own, its ETag and KB-Capabilities headers left out, behind a round trip of 0, 60 and 150 ms.
import { createServer } from 'node:http';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, createKey, openSqlite, systemClock } from 'kbsync/service';
import { timed } from './processes.mjs';

const BIN = new URL('../dist/cli/bin.js', import.meta.url).pathname;
const pages = Number(process.argv[2] ?? 200);

for (const roundTripMs of [0, 60, 150]) console.log(await measured(roundTripMs));

async function measured(roundTripMs) {
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-window-'));
  const store = openSqlite({ file: join(folder, 'kb.db') });
  const { key } = await createKey({ store, clock: systemClock, name: 'bench' });
  const app = createApp({ store, clock: systemClock });
  const reads = new Map();
  const windows = [];
  const server = createServer((incoming, outgoing) => void carry(incoming, outgoing));

  async function carry(incoming, outgoing) {
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    await waited(roundTripMs / 2);
    const { method, url } = incoming;
    const at = performance.now();
    if (method === 'POST' && reads.has(url)) windows.push(at - reads.get(url));
    const body = method === 'GET' || method === 'DELETE' ? undefined : Buffer.concat(chunks);
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).filter(([name]) => !['if-match', 'host', 'connection'].includes(name)),
    );
    const reply = await app.fetch(new Request(`http://service${url}`, { method, headers, body }));
    const text = Buffer.from(await reply.arrayBuffer());
    if (method === 'GET') reads.set(url, at);
    await waited(roundTripMs / 2);
    outgoing.writeHead(reply.status, { 'content-type': 'application/json' });
    outgoing.end(text);
  }

  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const articles = join(folder, 'content/en/articles');
  mkdirSync(articles, { recursive: true });
  writeFileSync(
    join(folder, 'kbsync.yaml'),
    `id: window\nbaseUrl: http://127.0.0.1:${server.address().port}\nconcurrency: 16\n`,
  );
  const write = (version) => {
    for (let n = 0; n < pages; n++)
      writeFileSync(join(articles, `page-${n}.md`), `---\ntitle: Page ${n}\n---\n\nVersion ${version}.\n`);
  };
  const sync = async () => {
    const run = await timed(process.execPath, [BIN, 'sync', '--yes'], {
      cwd: folder,
      env: { ...process.env, KBSYNC_API_KEY: key },
    });
    if (run.exit !== 0) throw new Error(run.stdout + run.stderr);
  };
  try {
    write(1);
    await sync();
    write(2);
    windows.length = 0;
    await sync();
    windows.sort((a, b) => a - b);
    const at = (share) =>
      windows[Math.min(windows.length - 1, Math.floor(windows.length * share))].toFixed(0);
    return `round trip ${roundTripMs} ms: ${windows.length} edits, ${at(0.5)} ms (median), ${at(0.99)} ms (p99), ${at(1)} ms (longest)`;
  } finally {
    server.close();
    server.closeAllConnections();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function waited(ms) {
  return ms === 0 ? undefined : new Promise((done) => setTimeout(done, ms));
}

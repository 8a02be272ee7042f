// The service among hostile clients on loopback: npm run campaign:hostile [-- --seconds 600] [--json]
// One honest client writes and reads all the time, first alone, then among clients that never read, read slowly, send slowly,
// send 400 MB, hold 1,000 connections, search without end, and open texts made to take long. Told are the honest client's
// latencies, the service's memory and the delay of its event loop, beside the delay of a process that only waits: on a busy
// machine that is what the machine itself makes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startService } from './processes.mjs';

const ARTICLES = '/api/v2/articles';
const WRITE_PAUSE_MS = 50;
let count = 0;

async function measure() {
  const { values } = parseArgs({
    options: { seconds: { type: 'string', default: '600' }, json: { type: 'boolean', default: false } },
  });
  const seconds = Number(values.seconds);
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-hostile-'));
  const service = await startService(folder, { languages: undefined, metrics: true });
  let attacker;
  try {
    const paths = await fill(service);
    const alone = await phase(service, Math.max(5, seconds / 10));
    attacker = fork(import.meta.filename, ['attack', service.url], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    attacker.send(paths);
    const among = await phase(service, seconds);
    attacker.send('end');
    const [attacks] = await once(attacker, 'message');
    await once(attacker, 'exit');
    const after = await phase(service, 5);
    const kept = await keptOf(service, [...alone.made, ...among.made, ...after.made]);
    const report = {
      seconds,
      alone: alone.told,
      among: among.told,
      after: after.told,
      attacks,
      ...kept,
      'MB max': Math.max(alone.told['MB max'], among.told['MB max'], after.told['MB max']),
      peakMB: Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(statusOf(service))?.[1]) / 1000),
      complaints: service
        .complaints()
        .split('\n')
        .filter((line) => /\b500\b|failed|Error/.test(line))
        // A text made to take long is ended after its time, and its reader is told so: that is a bound at work.
        .filter((line) => !/the task took more than|^GET \/en\/articles\/\S+\.md {2}500$/.test(line))
        .slice(0, 5),
    };
    if (values.json) console.log(JSON.stringify(report));
    else {
      console.table({ alone: report.alone, 'among hostile clients': report.among, afterwards: report.after });
      console.log(report);
    }
  } finally {
    attacker?.kill();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function statusOf({ pid }) {
  return readFileSync(`/proc/${pid}/status`, 'utf8');
}

const articleOf = (slug, content) => ({
  title: slug,
  slug,
  categories: [],
  excerpt: '',
  ordering: 1,
  status: 'published',
  content,
});

async function ask({ url, key }, method, path, body) {
  return fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Articles that take long, and their addresses. */
async function fill(service) {
  const code = (language, text) => `<pre><code class="language-${language}">${text}</code></pre>`;
  const texts = {
    first: '<p>what readers read</p>',
    'large-words': '<p>words of an article </p>'.repeat(70_000),
    'large-tags': '<b>x</b><br>'.repeat(150_000),
    'large-headings': '<h2>a</h2>'.repeat(100_000),
    'large-code': code('js', 'export const value = compute(`${a}`, { b: [1, 2, 3] });\n'.repeat(600)).repeat(
      40,
    ),
    'stuck-terraform': code('terraform', `key = "${'A'.repeat(1600)}"\n`.repeat(20)),
    'stuck-bash': code('bash', `${'&lt;'.repeat(390)}\n`.repeat(20)),
    'stuck-cpp': code('cpp', `${'('.repeat(390)}\n`.repeat(20)),
    'many-words': Array.from({ length: 20_000 }, (_, n) => `w${n}`).join(' '),
  };
  for (const [slug, content] of Object.entries(texts)) {
    const reply = await ask(service, 'PUT', ARTICLES, articleOf(slug, content));
    if (reply.status !== 201) throw new Error(`${slug}: ${reply.status} ${await reply.text()}`);
  }
  return Object.keys(texts).map((slug) => `/en/articles/${slug}`);
}

async function phase(service, seconds) {
  const untilMs = performance.now() + seconds * 1000;
  const control = monitorEventLoopDelay({ resolution: 10 });
  control.enable();
  const before = await service.metrics();
  const fromMs = performance.now();
  const writes = [];
  const reads = [];
  const made = [];
  let failed = 0;
  const timed = async (times, work) => {
    const from = performance.now();
    const isGood = await work().catch(() => false);
    times.push(performance.now() - from);
    if (!isGood) failed += 1;
  };
  const writing = async () => {
    while (performance.now() < untilMs) {
      const slug = `honest-${(count += 1)}`;
      await timed(writes, async () => {
        const reply = await ask(service, 'PUT', ARTICLES, articleOf(slug, `<p>${'text '.repeat(800)}</p>`));
        await reply.arrayBuffer();
        if (reply.status === 201) made.push(slug);
        return reply.status === 201;
      });
      await sleep(WRITE_PAUSE_MS);
    }
  };
  const reading = async () => {
    while (performance.now() < untilMs) {
      await timed(reads, async () => {
        const reply = await fetch(`${service.url}/en/articles/first`);
        await reply.arrayBuffer();
        return reply.status === 200;
      });
      await sleep(WRITE_PAUSE_MS * 4);
    }
  };
  const delays = [];
  const memory = [];
  const scraping = async () => {
    while (performance.now() < untilMs) {
      await sleep(2000);
      const gauges = await service.metrics();
      delays.push(gauges.nodejs_eventloop_delay_p999_seconds * 1000);
      memory.push(gauges.process_resident_memory_bytes / 1e6);
    }
  };
  await Promise.all([writing(), reading(), scraping()]);
  control.disable();
  const cpu = (await service.metrics()).process_cpu_seconds_total - before.process_cpu_seconds_total;
  return {
    made,
    told: {
      writes: writes.length,
      'write p50 ms': at(writes, 0.5),
      'write p99 ms': at(writes, 0.99),
      'read p50 ms': at(reads, 0.5),
      'read p99 ms': at(reads, 0.99),
      failed,
      'CPU % of a core': Math.round((cpu * 100_000) / (performance.now() - fromMs)),
      'MB max': Math.round(Math.max(...memory)),
      'loop p99.9 ms, median of 2 s': at(delays, 0.5),
      'loop p99.9 ms, of a process that waits': Math.round(control.percentile(99.9) / 1e6),
    },
  };
}

function at(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
}

/** Every write that was acknowledged is there, once. */
async function keptOf(service, slugs) {
  const { data } = await (await ask(service, 'GET', ARTICLES)).json();
  const kept = new Map();
  for (const { name } of data) kept.set(name, (kept.get(name) ?? 0) + 1);
  return {
    acknowledged: slugs.length,
    lost: slugs.filter((slug) => !kept.has(slug)).length,
    doubled: slugs.filter((slug) => kept.get(slug) > 1).length,
  };
}

/** A process of its own: what it costs must not stand in the honest client's times. */
async function attack(url) {
  const { hostname, port, host } = new URL(url);
  const counts = {};
  const note = (what) => (counts[what] = (counts[what] ?? 0) + 1);
  const end = new AbortController();
  const isOver = () => end.signal.aborted;
  const open = new Set();
  process.on('message', (message) => {
    if (message === 'end') end.abort();
  });
  const [paths] = await once(process, 'message');
  const socketOf = async (what) => {
    const socket = connect(Number(port), hostname);
    socket.setMaxListeners(0);
    socket.on('error', () => undefined);
    open.add(socket);
    socket.on('close', () => {
      open.delete(socket);
      note(`${what}: closed`);
    });
    await Promise.race([once(socket, 'connect').catch(() => undefined), sleep(5000)]);
    note(what);
    return socket;
  };
  const lasting = async (socket) => {
    while (!isOver() && !socket.destroyed) await sleep(500);
    socket.destroy();
  };
  const again = async (pauseMs, work) => {
    while (!isOver()) {
      await work().catch(() => undefined);
      await sleep(pauseMs * (0.5 + Math.random()));
    }
  };
  const asking = (path, headers = '') => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`;
  const any = () => paths[Math.floor(Math.random() * paths.length)];
  const neverReads = async () => {
    const socket = await socketOf('never reads');
    socket.pause();
    socket.write(asking(any()));
    await lasting(socket);
  };
  const readsSlowly = async () => {
    const socket = await socketOf('reads slowly');
    socket.pause();
    socket.write(asking(any()));
    while (!isOver() && !socket.destroyed) {
      socket.read(1000);
      await sleep(1000);
    }
    socket.destroy();
  };
  const sendsSlowly = async () => {
    const socket = await socketOf('sends slowly');
    const text = `POST /_site/theme HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 4000\r\n\r\n${'x'.repeat(4000)}`;
    for (let from = 0; from < text.length && !isOver() && !socket.destroyed; from += 8) {
      socket.write(text.slice(from, from + 8));
      await sleep(1000);
    }
    socket.destroy();
  };
  const holds = async () => {
    const socket = await socketOf('holds a connection');
    socket.write(asking('/healthz'));
    socket.resume();
    await lasting(socket);
  };
  const sends400MB = async (path, isChunked) => {
    const socket = await socketOf('sends 400 MB');
    const bytes = 400_000_000;
    const piece = Buffer.alloc(256 * 1024, 'a');
    const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`;
    socket.resume();
    socket.write(`${path} HTTP/1.1\r\nHost: ${host}\r\n${length}\r\n\r\n`);
    for (let sent = 0; sent < bytes && !isOver() && !socket.destroyed; sent += piece.length) {
      if (isChunked) socket.write(`${piece.length.toString(16)}\r\n`);
      const isFull = !socket.write(piece);
      if (isChunked) socket.write('\r\n');
      if (isFull) await Promise.race([once(socket, 'drain').catch(() => undefined), sleep(1000)]);
    }
    socket.destroy();
  };
  const gets = async (path) => {
    const reply = await fetch(url + path);
    await reply.arrayBuffer();
    note(`${path.split('?')[0].replace(/.*\/articles\/[^.]*/, 'article')}: ${reply.status}`);
  };
  const broken = async () => {
    const socket = await socketOf('no request');
    const texts = [
      'hello\r\n\r\n',
      asking('/', `X: ${'x'.repeat(20_000)}\r\n`),
      `GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`,
      asking('/%E0%A4%A'),
      asking('/en/search?q=the').repeat(50),
      `PUT ${ARTICLES} HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nzz\r\n`,
    ];
    socket.resume();
    socket.write(texts[Math.floor(Math.random() * texts.length)]);
    await sleep(1000);
    socket.destroy();
  };
  const many = (number, pauseMs, work) => Array.from({ length: number }, () => again(pauseMs, work));
  await Promise.all([
    ...many(1000, 500, holds),
    ...many(100, 500, neverReads),
    ...many(50, 500, readsSlowly),
    ...many(100, 500, sendsSlowly),
    ...many(2, 200, () => sends400MB('POST /_site/theme', false)),
    ...many(1, 200, () => sends400MB('POST /_site/theme', true)),
    ...many(1, 200, () => sends400MB(`PUT ${ARTICLES}`, false)),
    ...many(4, 50, () => gets(`/en/search?q=${['the', 'words', 'w', 'a x article of'][count++ % 4]}`)),
    ...many(2, 500, () => gets(any())),
    ...many(1, 1000, () => gets(`${any()}.md`)),
    ...many(1, 1000, () => gets('/sitemap.xml')),
    ...many(4, 200, broken),
  ]);
  for (const socket of open) socket.destroy();
  process.send(counts);
  process.disconnect();
}

if (process.argv[2] === 'attack') await attack(process.argv[3]);
else await measure();

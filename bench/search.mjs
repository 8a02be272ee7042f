// Searches of readers, by autocannon: npm run bench:search [seconds] [folder of Markdown]
// The folder is a knowledge base in files, by default the otel-docs corpus beside the repository; without it only the 30 long
// articles are searched. Told are requests per second, latencies, the service's CPU time for each search, and the delay of its
// event loop. On a busy machine only the CPU time says something.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import autocannon from 'autocannon';
import { kbsync, startService } from './processes.mjs';

const ARCHIVE = new URL('../../shared/corpora/dev-neutral.tar.xz', import.meta.url).pathname;
const CORPUS = 'neutral/dev/otel-docs';
const ALLOWED = 'dead-link, dead-anchor, missing-image, html-dropped, orphan-translation';
const WORDS =
  'the span of a trace is what an exporter sends to the collector with its attributes and context when sampling';
const QUERIES = [
  't',
  'the',
  'span',
  'collector exporter',
  'the span of a trace',
  'attributes',
  'zzzz',
  'sampling head',
];

const seconds = Number(process.argv[2] ?? 10);
const folder = mkdtempSync(join(tmpdir(), 'kbsync-search-'));
const rows = {};
try {
  const corpus = corpusFolder(process.argv[3]);
  if (corpus === undefined)
    console.log('the otel-docs corpus is not beside the repository: only long articles');
  else await measure(`otel-docs, ${QUERIES.length} queries`, (service) => fillFrom(corpus, service));
  await measure('30 articles of 190 kB', fillLong);
  console.table(rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function corpusFolder(given) {
  if (given !== undefined) return resolve(given);
  if (!existsSync(ARCHIVE)) return undefined;
  execFileSync('tar', ['-xJf', ARCHIVE, '-C', folder, CORPUS]);
  return join(folder, CORPUS);
}

async function measure(name, fill) {
  const home = mkdtempSync(join(folder, 'service-'));
  const service = await startService(home, { languages: undefined, metrics: true });
  try {
    await fill({ ...service, home });
    for (const query of QUERIES) await (await fetch(searchOf(service, query))).arrayBuffer();
    await service.metrics();
    const before = await service.metrics();
    const requests = QUERIES.map((query) => ({
      path: searchOf({ url: '' }, query),
      // Each search from somebody else: one reader may search ten times a second only.
      setupRequest: (request) => ({
        ...request,
        headers: { ...request.headers, 'x-forwarded-for': someone() },
      }),
    }));
    const result = await autocannon({ url: service.url, connections: 4, duration: seconds, requests });
    const after = await service.metrics();
    const cpu = after.process_cpu_seconds_total - before.process_cpu_seconds_total;
    rows[name] = {
      'searches/s': Math.round(result['2xx'] / result.duration),
      'p50 ms': result.latency.p50,
      'p99 ms': result.latency.p99,
      'CPU ms': Math.round((cpu / result['2xx']) * 10_000) / 10,
      'loop p99.9 ms': Math.round(after.nodejs_eventloop_delay_p999_seconds * 1000),
      'not 2xx': result.non2xx + result.errors,
    };
  } finally {
    await service.stop();
  }
}

function searchOf({ url }, query) {
  return `${url}/en/search?q=${encodeURIComponent(query)}`;
}

function someone() {
  const part = () => Math.floor(Math.random() * 256);
  return `8.${part()}.${part()}.${part()}`;
}

async function fillFrom(corpus, { url, key, home }) {
  writeFileSync(
    join(home, 'kbsync.yaml'),
    `baseUrl: ${url}\ncontent: ${corpus}\nid: search\nallow: [${ALLOWED}]\n`,
  );
  await kbsync(['sync', '--yes', '--quiet'], { cwd: home, key });
}

async function fillLong({ url, key }) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const words = WORDS.split(' ');
  for (let n = 0; n < 30; n += 1) {
    let content = '';
    for (let at = 0; content.length < 190_000; at += 1) content += `${words[(at * (n + 3)) % words.length]} `;
    const body = JSON.stringify({
      title: `Article ${n}`,
      slug: `article-${n}`,
      categories: [],
      excerpt: '',
      ordering: n,
      status: 'published',
      content: `<p>${content}</p>`,
    });
    const reply = await fetch(`${url}/api/v2/articles`, { method: 'PUT', headers, body });
    if (reply.status !== 201) throw new Error(`create: ${reply.status} ${await reply.text()}`);
  }
}

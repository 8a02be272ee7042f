/**
 * Pages of the help centre a second, of `kbsync serve` over SQLite, by autocannon on the same machine: one page that everybody asks for,
 * and all of them in turn. CPU is that of the service's process (Linux), which other work on the machine disturbs less than the rate.
 *
 *   node bench/site-pages.mjs [--articles 1000] [--seconds 5]        (after npm run build)
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { writeProject } from './cases.mjs';
import { realParagraphs, writeCorpus } from './corpus.mjs';
import { kbsync, startService } from './processes.mjs';

const { values } = parseArgs({
  options: { articles: { type: 'string', default: '1000' }, seconds: { type: 'string', default: '5' } },
});
const folder = mkdtempSync(join(tmpdir(), 'kbsync-pages-'));
const project = join(folder, 'project');
mkdirSync(project);
writeProject(project);
writeCorpus(join(project, 'content'), Number(values.articles), realParagraphs().paragraphs);
const service = await startService(folder);
try {
  const sent = await kbsync(['sync', '--base-url', service.url, '--concurrency', '16', '--yes', '--quiet'], {
    cwd: project,
    key: service.key,
  });
  if (sent.exit !== 0) throw new Error(sent.stderr);
  const pages = await pagesOf('/sitemap.xml');
  await load('warm', pages);
  console.table([
    await load('one page', pages.slice(-1)),
    await load(`${pages.length} pages in turn`, pages),
  ]);
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Paths of all pages: a sitemap names pages or other sitemaps. */
async function pagesOf(path) {
  const text = await (await fetch(`${service.url}${path}`)).text();
  const paths = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => new URL(url).pathname);
  return text.includes('<sitemapindex') ? (await Promise.all(paths.map(pagesOf))).flat() : paths;
}

async function load(name, paths) {
  const before = cpuMs();
  const result = await autocannon({
    url: service.url,
    connections: 16,
    duration: Number(values.seconds),
    requests: paths.map((path) => ({ method: 'GET', path })),
  });
  const count = result['2xx'];
  return {
    pages: name,
    'a second': Math.round(count / result.duration),
    'CPU µs': Math.round(((cpuMs() - before) * 1000) / Math.max(1, count)),
    'p99 ms': result.latency.p99,
    'not 2xx': result.non2xx + result.errors,
  };
}

/** User and system time of the service, in milliseconds. */
function cpuMs() {
  const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  const fields = readFileSync(`/proc/${service.pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

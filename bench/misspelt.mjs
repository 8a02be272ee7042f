// Misspelt searches and suggestions while typing: npm run bench:misspelt [folder of Markdown]
// From each English title of the folder (by default the otel-docs corpus beside the repository) a query with one wrong word: told is
// how often the page is among the first five hits, and how often the title itself finds it there. Then suggestions for what readers have
// typed so far, over 10,000 articles that are named with the words of these titles. All choices come from one seed.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { kbsync, startService } from './processes.mjs';

const ARCHIVE = new URL('../../shared/corpora/dev-neutral.tar.xz', import.meta.url).pathname;
const CORPUS = 'neutral/dev/otel-docs';
const ALLOWED = 'dead-link, dead-anchor, missing-image, image-not-hosted, html-dropped, orphan-translation';
const QUERIES_MAX = 500;
const ARTICLES = 10_000;
const TYPED = 1000;

let seed = 20_261_122;
/** A whole number below `end` (xorshift32). */
function below(end) {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return (seed >>> 0) % end;
}
const pick = (list) => list[below(list.length)];

const folder = mkdtempSync(join(tmpdir(), 'kbsync-misspelt-'));
try {
  const corpus = corpusFolder(process.argv[2]);
  const titles = await inService(async (service) => {
    await fillFrom(corpus, service);
    return misspelt(service);
  });
  await inService(async (service) => {
    await fillNamed(titles, service);
    await typed(titles, service);
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function corpusFolder(given) {
  if (given !== undefined) return resolve(given);
  execFileSync('tar', ['-xJf', ARCHIVE, '-C', folder, CORPUS]);
  return join(folder, CORPUS);
}

async function inService(work) {
  const home = mkdtempSync(join(folder, 'service-'));
  const service = await startService(home, { languages: undefined });
  try {
    return await work({ ...service, home });
  } finally {
    await service.stop();
  }
}

async function fillFrom(corpus, { url, key, home }) {
  const settings = `baseUrl: ${url}\ncontent: ${corpus}\nid: misspelt\nallow: [${ALLOWED}]\n`;
  writeFileSync(join(home, 'kbsync.yaml'), settings);
  await kbsync(['sync', '--yes', '--quiet'], { cwd: home, key });
}

/** Each from another reader: one may search ten times a second only. */
async function asked(service, path) {
  const from = Array.from({ length: 3 }, () => below(256)).join('.');
  const reply = await fetch(service.url + path, { headers: { 'x-forwarded-for': `8.${from}` } });
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  return reply.text();
}

async function misspelt(service) {
  const pages = await pagesOf(service);
  const names = new Map();
  for (const { name } of pages) names.set(name, (names.get(name) ?? 0) + 1);
  // Where two pages have one name, nobody could say which is meant.
  const own = pages.filter(({ name }) => names.get(name) === 1 && wordsOf(name).length > 0);
  const found = { exact: 0, misspelt: 0 };
  const queries = Array.from({ length: QUERIES_MAX }, (_, at) => own[at % own.length]);
  const missed = [];
  for (const { name, slug } of queries) {
    const wrong = withMistake(name);
    found.exact += Number(await isFound(service, name, slug));
    const isThere = await isFound(service, wrong, slug);
    found.misspelt += Number(isThere);
    if (!isThere) missed.push(wrong);
  }
  const share = (count) => `${((100 * count) / queries.length).toFixed(1)} %`;
  console.log(`${queries.length} queries from ${own.length} titles; the page is among the first five:`);
  console.log(`  as the title is written  ${share(found.exact)}`);
  console.log(`  with one word misspelt   ${share(found.misspelt)}`);
  for (const query of missed.slice(0, 10)) console.log(`  not found: ${query}`);
  return pages.map(({ name }) => name);
}

/** Names and slugs of the public pages, as the site lists them for programs. */
async function pagesOf(service) {
  const list = await asked(service, '/en/llms.txt');
  const parts = [...list.matchAll(/\/en\/llms-\d+\.txt/g)].map(([path]) => asked(service, path));
  const text = [list, ...(await Promise.all(parts))].join('\n');
  return [...text.matchAll(/^- \[(.*?)\]\(\S*\/en\/articles\/(\S+)\.md\)/gm)].map(([, name, slug]) => ({
    name: name.replaceAll(/\\(.)/g, '$1'),
    slug: decodeURIComponent(slug),
  }));
}

function wordsOf(title) {
  return title.match(/[A-Za-z]{5,}/g) ?? [];
}

/** One letter is missing, doubled, another one, or has changed places with the next. */
function withMistake(title) {
  const word = pick(wordsOf(title));
  const at = 1 + below(word.length - 2);
  const [before, letter, after] = [word.slice(0, at), word[at], word.slice(at + 1)];
  const wrong = pick([
    before + after,
    before + letter + letter + after,
    before + String.fromCodePoint(97 + below(26)) + after,
    before + after[0] + letter + after.slice(1),
  ]);
  return title.replace(word, wrong);
}

async function isFound(service, query, slug) {
  const page = await asked(service, `/en/search?q=${encodeURIComponent(query)}`);
  const hits = page.slice(page.indexOf('<ol class="hits"'));
  const paths = [...hits.matchAll(/href="\/en\/articles\/([^"]+)"/g)].map(([, path]) =>
    decodeURIComponent(path),
  );
  return [...new Set(paths)].slice(0, 5).includes(slug);
}

async function fillNamed(titles, { url, key }) {
  const words = [...new Set(titles.flatMap((title) => title.split(/\s+/)))];
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  for (let start = 0; start < ARTICLES; start += 100) {
    await Promise.all(
      Array.from({ length: 100 }, async (_, at) => {
        const title = Array.from({ length: 3 + below(4) }, () => pick(words)).join(' ');
        const content = `<p>${Array.from({ length: 60 }, () => pick(words).replaceAll(/[<&]/g, '')).join(' ')}</p>`;
        const article = {
          title,
          slug: `article-${start + at}`,
          categories: [],
          excerpt: '',
          status: 'published',
          content,
        };
        const body = JSON.stringify({ ...article, ordering: start + at });
        const reply = await fetch(`${url}/api/v2/articles`, { method: 'PUT', headers, body });
        if (reply.status !== 201) throw new Error(`create: ${reply.status} ${await reply.text()}`);
      }),
    );
  }
}

/** What a reader has typed of a title, sometimes with a mistake in it; four readers at a time. */
async function typed(titles, service) {
  const times = [];
  const reader = async () => {
    while (times.length < TYPED) {
      const title = pick(titles);
      const given = below(5) === 0 && wordsOf(title).length > 0 ? withMistake(title) : title;
      const query = given.slice(0, 2 + below(Math.max(1, given.length - 2)));
      const startMs = performance.now();
      await asked(service, `/en/search.json?q=${encodeURIComponent(query)}`);
      times.push(performance.now() - startMs);
    }
  };
  await Promise.all(Array.from({ length: 4 }, reader));
  times.sort((a, b) => a - b);
  const at = (share) => `${times[Math.floor(times.length * share)].toFixed(1)} ms`;
  console.log(`suggestions over ${ARTICLES} articles: p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}`);
}

// The service with very many articles: node bench/service-large.mjs [articles] [seconds] [words in the names of requests], after
// `npm run build`; KBSYNC_BUILD names the modules of another build (`build`, as tsc wrote them). On SQLite; on PostgreSQL where DATABASE_URL names a database that is empty, or
// that an earlier call filled with as many articles. Told are the median and the 95th percentile of each request, the longest time that the event loop stood still meanwhile (in ms; on a busy machine
// the loop of a process that only waits stands still too), bytes, and the memory.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';

const CATEGORIES = 400;
const TAGS = 200;
const AT_ONCE = 64;
const WORDS =
  `agent alert archive backup branch browser build cache certificate channel cluster command config connection console
  container cookie cursor dashboard database deploy device digest domain editor endpoint event export field file filter folder
  gateway group handler header history host image import index install invoice key label layer library license limit list log
  manager message metric migration mirror module monitor network node notice number object operator order owner package page
  panel partition password patch payment permission pipeline plugin policy pool portal process profile project prompt protocol
  provider proxy query queue quota receipt record region registry release replica report repository request resource response
  restore role route rule runner sample schedule schema scope script secret segment server service session setting shard signal
  site snapshot socket source space stack state status storage store stream subnet switch sync table tag target task team
  template tenant terminal test thread ticket token topic trace traffic trigger tunnel type update upload usage user value
  vault version view volume webhook widget window worker workflow zone`
    .trim()
    .split(/\s+/);

const build = pathToFileURL(`${resolve(process.env.KBSYNC_BUILD ?? join(import.meta.dirname, '../build'))}/`);

if (process.argv[2] === 'server') await serve(process.argv[3], Number(process.argv[4]));
else await measure(Number(process.argv[2] ?? 100_000), Number(process.argv[3] ?? 3));

/** Words by a number, the common ones often: so do texts. */
function wordsOf(seed, count) {
  let state = (seed * 2_654_435_761) >>> 0;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return WORDS[Math.floor((state / 2 ** 32) ** 2 * WORDS.length)];
  });
}

async function serve(place, articles) {
  process.on('disconnect', () => process.exit());
  const { createApp, createKey, listen, openPostgres, openSqlite, systemClock } = await import(
    new URL('service/index.js', build)
  );
  const { createSite } = await import(new URL('site/create-site.js', build));
  const { siteBeside } = await import(new URL('site/with-service.js', build));
  const store = place.startsWith('postgres')
    ? await openPostgres({ url: place })
    : openSqlite({ file: place });
  const { key } = await createKey({ store, clock: systemClock, name: 'bench' });
  const api = createApp({ store, clock: systemClock, onFailure: console.error });
  const app = siteBeside(api, createSite({ store, onFailure: console.error }));
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send({
      cpuMs: (user + system) / 1000,
      MB: Math.round(process.memoryUsage().rss / 1e6),
      loopMs: Math.round(delay.max / 1e6),
    });
    delay.reset();
  });
  const filled = await store.read((sql) => sql.get('select count(*) as articles from articles'));
  if (filled.articles === 0) await fill(app, key, articles);
  // As autovacuum does within a minute.
  if (place.startsWith('postgres')) await store.write((sql) => sql.run('analyze'));
  const { url } = await listen(app, { port: 0 });
  process.send({ url, key });
}

async function fill(app, key, articles) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const create = async (path, body) => {
    const request = new Request(`http://bench/api/v2/${path}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify(body),
    });
    const reply = await app.fetch(request);
    if (reply.status !== 201) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return reply.headers.get('location').split('/').at(-1);
  };
  const categories = [];
  for (let n = 0; n < CATEGORIES; n += 1) {
    const categoryParent = n < 20 ? undefined : categories[n % 20];
    categories.push(
      await create('categories', {
        name: `Category ${n}`,
        slug: `category-${n}`,
        priority: n,
        ...(categoryParent === undefined ? {} : { categoryParent }),
      }),
    );
  }
  const tags = [];
  for (let n = 0; n < TAGS; n += 1) tags.push(await create('tags', { name: `Tag ${n}`, slug: `tag-${n}` }));
  let next = 0;
  const creating = async () => {
    for (let n = next++; n < articles; n = next++) {
      const words = wordsOf(n, 130);
      await create('articles', {
        title: `${words.slice(0, 5).join(' ')} ${n}`,
        slug: `article-${n}`,
        categories: [{ value: categories[20 + (n % (CATEGORIES - 20))] }],
        tags: [{ value: tags[n % TAGS] }],
        excerpt: words.slice(5, 15).join(' '),
        ordering: n,
        status: 'published',
        content: `<h2>${words[15]}</h2><p>${words.slice(16).join(' ')} <a href="https://example.com/${n % 5000}">more</a></p>`,
      });
    }
  };
  const startMs = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, creating));
  const seconds = (performance.now() - startMs) / 1000;
  console.log(
    `${articles} articles made in ${seconds.toFixed(0)} s, ${Math.round(articles / seconds)} a second`,
  );
}

function suggestionsAt(query) {
  return `/en/search.json?q=${encodeURIComponent(query)}`;
}

function typed(seed) {
  const words = wordsOf(seed, 1 + (seed % 3));
  return [...words.slice(1), (words[0] ?? '').slice(0, 2 + (seed % 7))].join(' ');
}

/** Two neighbours of a word changed places. */
function misspelt(seed) {
  const [word = ''] = wordsOf(seed, 1);
  return word.slice(0, 2) + (word[3] ?? '') + (word[2] ?? '') + word.slice(4);
}

async function measure(articles, seconds) {
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-large-'));
  try {
    if (process.env.ONLY !== 'postgres')
      await measureStore('SQLite', join(folder, 'kb.db'), articles, seconds);
    const database = process.env.DATABASE_URL;
    if (database) await measureStore('PostgreSQL', database, articles, seconds);
    else console.log('PostgreSQL: not measured, DATABASE_URL is not set');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureStore(title, place, articles, seconds) {
  const child = fork(import.meta.filename, ['server', place, String(articles)]);
  const usage = async () => {
    child.send('usage');
    const [told] = await once(child, 'message');
    return told;
  };
  try {
    const [{ url, key }] = await once(child, 'message');
    const { data } = await (
      await fetch(`${url}/api/v2/articles`, { headers: { authorization: `Bearer ${key}` } })
    ).json();
    const anyId = () => data[Math.floor(Math.random() * data.length)].id;
    const any = () => Math.floor(Math.random() * articles);
    const paths = {
      'list of articles': () => '/api/v2/articles',
      'list of categories': () => '/api/v2/categories',
      'list of tags': () => '/api/v2/tags',
      'link manager': () => '/api/v2/tools/link_manager',
      'single read': () => `/api/v2/articles/${anyId()}`,
      home: () => '/en/',
      'category page': () => `/en/categories/category-${20 + (any() % (CATEGORIES - 20))}`,
      'tag page': () => `/en/tags/tag-${any() % TAGS}`,
      'article page': () => `/en/articles/article-${any()}`,
      'no such article': () => `/en/articles/articel-${any()}`,
      'search, common word': () => '/en/search?q=agent',
      'search, three words': () => '/en/search?q=cluster+token+webhook',
      'search, misspelt': () => '/en/search?q=dashbaord',
      // What a reader has typed after two to eight letters of each word, sometimes with a slip.
      suggestions: () => suggestionsAt(typed(any())),
      'suggestions, misspelt': () => suggestionsAt(misspelt(any())),
      sitemap: () => '/sitemap.xml',
      'part of the sitemap': () => '/sitemap-1.xml',
      'llms.txt': () => '/llms.txt',
    };
    const rows = {};
    const memory = [];
    const wanted = process.argv[4] ?? '';
    for (const [name, path] of Object.entries(paths).filter(([name]) => name.includes(wanted))) {
      const times = [];
      let bytes = 0;
      const statuses = new Set();
      const before = await usage();
      const untilMs = performance.now() + seconds * 1000;
      for (let turn = 0; turn < 3 || (performance.now() < untilMs && turn < 300); turn += 1) {
        const from = performance.now();
        const reply = await fetch(url + path(), {
          headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': `8.8.${turn % 256}.8` },
        });
        bytes = (await reply.arrayBuffer()).byteLength;
        statuses.add(reply.status);
        times.push(performance.now() - from);
      }
      const after = await usage();
      memory.push(after.MB);
      times.sort((a, b) => a - b);
      rows[name] = {
        'median ms': Math.round(times[Math.floor(times.length / 2)] * 10) / 10,
        'p95 ms': Math.round(times[Math.floor(times.length * 0.95)] * 10) / 10,
        'CPU ms': Math.round(((after.cpuMs - before.cpuMs) / times.length) * 10) / 10,
        'loop max ms': after.loopMs,
        kB: Math.round(bytes / 1000),
        MB: after.MB,
        status: [...statuses].join(' '),
      };
    }
    console.log(`${title}, ${articles} articles; memory ${Math.max(...memory)} MB at most`);
    console.table(rows);
  } finally {
    child.kill();
  }
}

/**
 * The git histories of other teams, played through a real service: of each repository so many commits in their order, each synced
 * with --prune, and after each one the service must hold what a first sync of that commit into an empty one makes.
 *
 *   node bench/histories.mjs [--steps 40] [--state keep|none] [--since YEAR] [--edits 2] REPOSITORY[:FOLDER]...
 *
 * A REPOSITORY is a git directory with its history. FOLDER is where `init` runs (`website`); by default the root. `--state none`
 * forgets the state before each commit, as CI without a state does. `--edits 2`: before each commit, somebody edits two pages on
 * the site; no edit may go without a word. Refusals and renamed pages are answered as their messages say. Prints a Markdown table,
 * and each fault on stderr.
 */
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMap, parseDocument } from 'yaml';
import { numbers } from './corpus.mjs';
import { asking, git, kbsync, startService } from './processes.mjs';

/** Pictures and the like: pages need only their names, and a snapshot may lack the bytes. */
const HEAVY =
  'png jpg jpeg gif svg webp avif mp4 webm mov pdf zip gz woff woff2 ttf otf eot psd ico mp3 wav bin wasm jar exe'.split(
    ' ',
  );
/** Errors that a page may have and be sent all the same, so that a history plays with most of its pages. */
const ALLOWED =
  'wrong-type,missing-field,duplicate-slug,unknown-category,unknown-tag,dead-link,dead-anchor,missing-image,image-not-hosted,unknown-component,html-swallows,text-lost,include-failed,merge-marker,wrong-move'.split(
    ',',
  );
const STAMP = /\s*<!--\s*kbsync[\s\S]*?-->\s*$/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    steps: { type: 'string', default: '40' },
    state: { type: 'string', default: 'keep' },
    since: { type: 'string', default: '2021' },
    edits: { type: 'string', default: '0' },
    seed: { type: 'string', default: '7' },
  },
});
console.log(
  '| history of | commits | pages at the end | created | updated | deleted | moved | refused | edits | faults |',
);
console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|');
for (const repository of positionals) {
  try {
    console.log(await rowOf(repository));
  } catch (error) {
    console.log(`| ${repository} | ${String(error.message).split('\n')[0]} |`);
    console.error(error);
  }
}

async function rowOf(named) {
  const [source, folder = ''] = named.split(':');
  const name = basename(dirname(source)) + (folder === '' ? '' : `/${folder}`);
  const root = mkdtempSync(join(tmpdir(), 'kbsync-history-'));
  const clone = join(root, 'clone');
  const cwd = join(clone, folder);
  const random = numbers(Number(values.seed));
  const sums = { created: 0, updated: 0, deleted: 0, moved: 0, refused: 0, edits: 0, faults: 0 };
  const fault = (commit, text) => {
    sums.faults += 1;
    console.error(`FAULT ${name} ${commit.slice(0, 10)}: ${text}`);
  };
  mkdirSync(join(root, 'service'));
  let service;
  try {
    git(root, 'clone', '-q', '--shared', '--no-checkout', source, clone);
    const settings = join(cwd, 'kbsync.yaml');
    git(clone, 'sparse-checkout', 'set', '--no-cone', '/*', ...HEAVY.map((end) => `!*.${end}`));
    git(clone, 'checkout', '-q', '-f', 'HEAD');
    const made = await kbsync(['init'], { cwd });
    if (made.exit !== 0) throw new Error(`init: ${made.stderr}`);
    const content = /^content: "?([^"\n]+)"?/m.exec(readFileSync(settings, 'utf8'))?.[1] ?? '.';
    appendFileSync(settings, `\nallow: [${ALLOWED.join(', ')}]\n`);
    service = await startService(join(root, 'service'), { languages: 'any', cwd });
    const commits = stepsOf(clone, join(folder, content));
    let pages = 0;
    for (const commit of commits) {
      git(clone, 'checkout', '-q', '-f', commit);
      if (values.state === 'none') rmSync(join(cwd, '.kbsync'), { recursive: true, force: true });
      const before = await shown(service);
      const edits = await edited(service, before, random);
      sums.edits += edits.length;
      const document = await synced(cwd, service, sums, (text) => fault(commit, text));
      if (document === undefined) continue;
      const after = await shown(service);
      for (const { key, words } of edits) {
        const now = after.get(key);
        const isSaid = JSON.stringify([document.conflicts, document.drift, document.kept]).includes(
          key.split(' ')[0],
        );
        // Under its new slug it may have moved on.
        const isKept = [...after.values()].some(({ content: text }) => text.includes(words));
        if (now === undefined ? !isSaid && !isKept : !now.content.includes(words))
          fault(commit, `the edit of ${key} went ${now === undefined ? 'with its page' : 'without a word'}`);
      }
      const fresh = await freshOf(root, cwd);
      compare({ after, fresh, document, edits }, (text) => fault(commit, text));
      await givenBack(service, edits);
      pages = after.size;
    }
    return `| ${name} | ${commits.length} | ${pages} | ${sums.created} | ${sums.updated} | ${sums.deleted} | ${sums.moved} | ${sums.refused} | ${sums.edits} | ${sums.faults} |`;
  } finally {
    await service?.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

/** Commits that changed the content, evenly taken, the oldest first. */
function stepsOf(clone, content) {
  const all = git(
    clone,
    'log',
    '--first-parent',
    '--reverse',
    '--format=%H',
    `--since=${values.since}-01-01`,
    '--',
    content,
  )
    .trim()
    .split('\n');
  const count = Math.min(Number(values.steps), all.length);
  return Array.from(
    { length: count },
    (_, at) => all[Math.floor((at * (all.length - 1)) / Math.max(1, count - 1))],
  );
}

/** A sync as a person makes it who reads the messages: undefined if the commit cannot be synced at all. */
async function synced(cwd, service, sums, fault) {
  const flags = new Set(['--allow-older-commit']);
  for (let turn = 0; turn < 6; turn += 1) {
    const run = await kbsync(['sync', '--prune', '--yes', '--json', '--base-url', service.url, ...flags], {
      cwd,
      key: service.key,
    });
    let document;
    try {
      document = JSON.parse(run.stdout);
    } catch {
      fault(`exit ${run.exit} without a document: ${run.stderr.slice(-600)}`);
      return undefined;
    }
    if (document.error !== undefined) {
      if (
        !/no (?:pages|records|files)|content folder|nothing was sent|files have errors/.test(
          document.error.message,
        )
      )
        fault(`exit ${run.exit}: ${document.error.message}`);
      return undefined;
    }
    if (run.exit === 1) return undefined; // settings of the generator that nobody can read, or errors in all files
    const { summary } = document;
    sums.created += summary.created ?? 0;
    sums.updated += summary.updated ?? 0;
    sums.deleted += summary.deleted ?? 0;
    const refusals = document.refusals ?? [];
    const renamed = (document.blocked ?? []).filter(({ reason }) => reason === 'renamed');
    if (refusals.length > 0) {
      sums.refused += 1;
      let isNew = false;
      for (const { flag } of refusals) {
        const words = (flag ?? '').split(' ');
        if (words[0] === '' || flags.has(words[0])) continue;
        isNew = true;
        for (const word of words) flags.add(word);
      }
      if (isNew) continue;
      fault(`refused for good: ${refusals.map(({ message }) => message).join('; ')}`);
      return undefined;
    }
    if (renamed.length > 0 && turn < 5) {
      sums.moved += renamed.length;
      moved(join(cwd, 'kbsync.yaml'), renamed);
      continue;
    }
    return document;
  }
  fault('no end after six runs');
  return undefined;
}

/** The lines of `moved` that the messages name. */
function moved(file, renamed) {
  const document = parseDocument(readFileSync(file, 'utf8'));
  const list = document.toJS().moved ?? [];
  const entries = renamed
    .map(({ message }) => /`moved: \[(.+?)\]`/.exec(message)?.[1])
    .map((text) => parseDocument(text).toJS());
  const targets = new Set(entries.map(({ to }) => to));
  document.set('moved', [...list.filter((entry) => !targets.has(entry.to)), ...entries]);
  if (!isMap(document.contents)) throw new Error('kbsync.yaml is no map');
  writeFileSync(file, document.toString());
}

/** What a first sync of the same files makes, in an empty service. */
async function freshOf(root, cwd) {
  const folder = mkdtempSync(join(root, 'fresh-'));
  const service = await startService(folder, { languages: 'any', cwd });
  try {
    const run = await kbsync(
      [
        'sync',
        '--yes',
        '--json',
        '--base-url',
        service.url,
        '--state',
        join(folder, 'state.json'),
        '--allow-renamed',
      ],
      { cwd, key: service.key },
    );
    if (run.exit !== 0 && run.exit !== 5)
      console.error(`first sync: exit ${run.exit} ${run.stdout.slice(0, 500)} ${run.stderr.slice(-500)}`);
    return await shown(service);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function compare({ after, fresh, document, edits }, fault) {
  const open = new Set(
    [
      ...(document.blocked ?? []),
      ...(document.conflicts ?? []),
      ...(document.drift ?? []),
      ...(document.kept ?? []),
    ].map(({ key }) => key),
  );
  if (edits.length === 0 && (document.conflicts ?? []).length > 0)
    fault(
      `${document.conflicts.length} conflicts although nobody edited: ${JSON.stringify(document.conflicts[0]).slice(0, 600)}`,
    );
  const touched = (key) => edits.some(({ words }) => after.get(key)?.content.includes(words));
  for (const [key, page] of fresh) {
    const now = after.get(key);
    if (now === undefined && (edits.length === 0 || open.size === 0))
      fault(`${key} is missing (open: ${[...open].slice(0, 4).join(', ')})`);
    else if (now !== undefined && !touched(key)) {
      for (const field of ['title', 'status', 'categories', 'tags', 'content']) {
        if (JSON.stringify(now[field]) === JSON.stringify(page[field])) continue;
        fault(
          `${key}: ${field} is ${JSON.stringify(now[field]).slice(0, 300)}, a first sync makes ${JSON.stringify(page[field]).slice(0, 300)}`,
        );
        break;
      }
    }
  }
  const extra = [...after.keys()].filter((key) => !fresh.has(key));
  const kept =
    (document.kept ?? []).length + (document.conflicts ?? []).length + (document.blocked ?? []).length;
  if (extra.length > kept)
    fault(
      `${extra.length} pages more than a first sync makes, ${kept} said: ${extra.slice(0, 4).join(', ')}`,
    );
}

/** Every article in every language, by `slug language`. */
async function shown(service) {
  const ask = asking(service);
  const slugOf = new Map();
  for (const kind of ['categories', 'tags']) {
    for (const { id } of (await ask('GET', `/${kind}`)).data)
      slugOf.set(id, (await ask('GET', `/${kind}/${id}`)).data.slug);
  }
  const pages = new Map();
  for (const { id, other_articles: others = [] } of (await ask('GET', '/articles')).data) {
    const languages = [undefined, ...others.map(({ language }) => language)];
    for (const lang of new Set(languages)) {
      const { data } = await ask('GET', `/articles/${id}${lang === undefined ? '' : `?lang=${lang}`}`);
      const key = `${data.slug} ${data.language ?? ''}`;
      const page = {
        id,
        lang: data.language,
        title: data.name,
        slug: data.slug,
        status: data.status,
        excerpt: data.excerpt,
        ordering: data.order_by,
        categoryIds: data.article_relationships.map(({ category_id: value }) => ({ value })),
        tagIds: data.tags_relationship.map(({ tag_id: value }) => ({ value })),
        categories: data.article_relationships.map(({ category_id: of }) => slugOf.get(of)).sort(),
        tags: data.tags_relationship.map(({ tag_id: of }) => slugOf.get(of)).sort(),
        whole: data.content,
        content: data.content.replace(STAMP, ''),
      };
      if (pages.has(key)) console.error(`two pages at ${key}`);
      pages.set(key, page);
    }
  }
  return pages;
}

/** Somebody adds a paragraph to some pages. */
async function edited(service, pages, random) {
  const originals = [...pages].filter(([, { lang }]) => lang === null || lang === undefined);
  const edits = [];
  for (let count = 0; count < Number(values.edits) && originals.length > 0; count += 1) {
    const [[key, page]] = originals.splice(Math.floor(random() * originals.length), 1);
    const words = `Somebody wrote this ${Math.floor(random() * 1e9)}.`;
    await written(service, page, `<p>${words}</p>\n${page.whole}`);
    edits.push({ key, page, words });
  }
  return edits;
}

/** The page says again what it said, but for what a sync has changed meanwhile. */
async function givenBack(service, edits) {
  const pages = await shown(service);
  for (const { words } of edits) {
    // Under the slug that it has now.
    const page = [...pages.values()].find(({ content }) => content.includes(words));
    if (page !== undefined) await written(service, page, page.whole.replace(`<p>${words}</p>\n`, ''));
  }
}

async function written(service, page, content) {
  const { title, slug, status, excerpt, ordering, categoryIds: categories, tagIds: tags } = page;
  await asking(service)('POST', `/articles/${page.id}`, {
    title,
    slug,
    status,
    excerpt,
    ordering,
    categories,
    tags,
    content,
    lang: page.lang ?? 'en',
  });
}

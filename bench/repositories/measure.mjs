/** One repository: copied, initialised, checked with the real command, then every page rendered and looked at. */
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve, sep } from 'node:path';
import { loadConfig, loadContent } from 'kbsync';
import { kbsync } from '../processes.mjs';
import { pageFaults } from './page.mjs';

const DOCUMENT = /\.(?:md|mdx|markdown)$/i;
const CONFIG = 'kbsync.yaml';

/**
 * `byHand`: keys of kbsync.yaml that a person adds; `folder` is where in the repository the command runs. `keepsFiles`: count a
 * second time, for a service that is sent the files that pages show.
 */
export async function measureRepository(
  repository,
  { folder = '.', ...byHand },
  { isPublic = false, keepsFiles = false } = {},
) {
  const copy = mkdtempSync(join(tmpdir(), 'kbsync-repository-'));
  try {
    cpSync(repository, copy, { recursive: true, verbatimSymlinks: true, filter: isCopied(repository) });
    const cwd = resolve(copy, folder);
    rmSync(join(cwd, CONFIG), { force: true });
    const init = await initialised(cwd, byHand);
    if (isPublic) takeHost(join(cwd, CONFIG));
    const report = { name: basename(repository), init };
    return existsSync(join(cwd, CONFIG)) ? { ...report, ...(await measured(cwd, keepsFiles)) } : report;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** The history and the packages are not looked at; where the clone came from is. */
function isCopied(repository) {
  return (path) =>
    !/^(?:\.git\/(?!(?:config|HEAD)$)|(?:.*\/)?node_modules$)/.test(
      relative(repository, path).split(sep).join('/'),
    );
}

/** What the comments of `init` ask a person to do if the host shows the files of the repository to everybody. */
function takeHost(config) {
  if (!existsSync(config)) return;
  const written = readFileSync(config, 'utf8');
  const [assets] = /^# assets: \{ baseUrl: "https:\/\/(?:raw|gitlab|codeberg)[^\n]*$/m.exec(written) ?? [];
  const [site] = /^# siteUrl: "https:\/\/(?:github|gitlab|codeberg)[^\n]*$/m.exec(written) ?? [];
  const taken = assets === undefined ? written : written.replaceAll(/^assets: [^\n]*\n/gm, '');
  writeFileSync(
    config,
    [assets, site].reduce(
      (text, line) => (line === undefined ? text : text.replace(line, line.slice(2))),
      taken,
    ),
  );
}

async function initialised(cwd, byHand) {
  const run = await kbsync(['init', '--json'], { cwd });
  const said = parsed(run.stdout);
  const linesByHand = Object.keys(byHand).length;
  const config = join(cwd, CONFIG);
  if (linesByHand > 0) {
    const written = existsSync(config) ? readFileSync(config, 'utf8') : '';
    const kept = written
      .split('\n')
      .filter((line) => !Object.keys(byHand).some((key) => line.startsWith(`${key}:`)));
    const added = Object.entries(byHand).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    writeFileSync(config, [...kept, ...added, ''].join('\n'));
  }
  return {
    seconds: run.wallMs / 1000,
    linesByHand,
    ...(run.exit === 0
      ? { preset: said.preset, content: said.content, languages: said.languages }
      : { refused: said?.error?.message ?? run.stderr.trim() }),
  };
}

async function measured(cwd, keepsFiles) {
  const run = await kbsync(['check', '--json', '--no-cache'], { cwd });
  const check = parsed(run.stdout);
  const cost = { seconds: run.wallMs / 1000, megabytes: run.rssMb };
  if (check?.problems === undefined)
    return { check: { ...cost, failed: check?.error?.message ?? run.stderr.trim() } };
  const config = await loadConfig({ cwd });
  const { state, problems } = await loadContent({ ...config.content, cwd, cacheFile: undefined });
  const records = [...state.records.values()];
  const published = records.filter(({ kind }) => kind === 'article');
  return {
    read: {
      preset: config.content.preset,
      content: relative(cwd, resolve(cwd, config.content.contentDir)) || '.',
      languages: state.languages,
    },
    check: { ...cost, problems: byCode(problems) },
    articles: {
      ...leftOut(cwd, config.content, records, problems),
      planned: published.length,
      categories: records.filter(({ kind }) => kind === 'category').length,
      languages: state.languages.length,
    },
    ...pages(cwd, records, problems, config.content.urls),
    ...(keepsFiles ? { withFiles: await withFiles(cwd, config.content) } : {}),
  };
}

/** As `init` sets a repository up for a service that keeps files: nothing else serves them. */
async function withFiles(cwd, content) {
  const { state, problems } = await loadContent({
    ...content,
    cwd,
    cacheFile: undefined,
    assetsBaseUrl: undefined,
    assetsRootUrl: undefined,
    keepsFiles: true,
  });
  const { text, faulty } = pages(cwd, [...state.records.values()], problems, content.urls);
  return { text, faulty };
}

/** Counts, most first, errors and warnings apart. */
function byCode(problems) {
  const counts = {};
  for (const { code, severity } of problems) {
    counts[code] ??= { error: 0, warning: 0 };
    counts[code][severity] += 1;
  }
  return Object.fromEntries(
    Object.entries(counts).sort(([, a], [, b]) => b.error - a.error || b.warning - a.warning),
  );
}

/** Files of Markdown in the whole repository that make no record, by the reason. */
function leftOut(cwd, { contentDir }, records, problems) {
  const content = resolve(cwd, contentDir);
  const made = new Set(records.map(({ at }) => resolve(cwd, at.file)));
  const files = readdirSync(cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && DOCUMENT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  const why = {};
  const blocking = new Map(problems.map(({ at, code }) => [resolve(cwd, at.file), code]));
  for (const file of files) {
    if (made.has(file)) continue;
    const inside = relative(content, file);
    const reason = inside.startsWith('..')
      ? 'outside the content folder'
      : blocking.has(file)
        ? `problem ${blocking.get(file)}`
        : 'left aside by the layout';
    const folders = (why[reason] ??= {});
    const folder = relative(cwd, file).split(sep).slice(0, -1).slice(0, 2).join('/') || '.';
    folders[folder] = (folders[folder] ?? 0) + 1;
  }
  return { found: files.length, leftOut: why };
}

/** Every article as it would be sent, beside its source. */
function pages(cwd, records, problems, urls) {
  const addresses = new Set(records.map((record) => addressOf(record, urls)));
  const said = new Set(
    problems.filter(({ code }) => /^(?:unknown-component|raw-syntax)$/.test(code)).map(({ at }) => at.file),
  );
  const lossSaid = new Set(
    problems.filter(({ code }) => /^(?:text-lost|html-swallows)$/.test(code)).map(({ at }) => at.file),
  );
  const faults = {};
  const raw = {};
  const faulty = [];
  const sum = {
    pages: 0,
    words: 0,
    wordsLost: 0,
    overAThird: 0,
    overAThirdUnsaid: 0,
    rawUnsaid: 0,
    rootLinks: 0,
    failed: 0,
  };
  for (const record of records) {
    if (record.kind !== 'article' || record.body === undefined) continue;
    sum.pages += 1;
    let html;
    try {
      html = record.body.render();
    } catch (error) {
      sum.failed += 1;
      faulty.push({ file: record.at.file, faults: ['cannot be rendered'], message: String(error) });
      continue;
    }
    const source = readFileSync(resolve(cwd, record.at.file), 'utf8');
    const page = pageFaults({
      source,
      html,
      title: String(record.fields.title ?? ''),
      isMdx: record.at.file.endsWith('.mdx'),
      isKnown: (address) => addresses.has(address),
    });
    sum.words += page.words;
    sum.wordsLost += page.wordsLost;
    sum.rootLinks += page.rootLinks;
    if (page.isLost) sum.overAThird += 1;
    if (page.isLost && !lossSaid.has(record.at.file)) sum.overAThirdUnsaid += 1;
    if (page.raw.length > 0 && !said.has(record.at.file)) sum.rawUnsaid += 1;
    for (const fault of page.faults) faults[fault] = (faults[fault] ?? 0) + 1;
    for (const { kind, count } of page.raw) {
      const known = (raw[kind] ??= { pages: 0, times: 0, unsaid: 0 });
      known.pages += 1;
      known.times += count;
      if (!said.has(record.at.file)) known.unsaid += 1;
    }
    if (page.faults.length > 0) faulty.push({ file: record.at.file, ...page });
  }
  return { text: { ...sum, faults, raw, withFault: faulty.length }, faulty };
}

function addressOf({ kind, lang, fields }, urls) {
  return urls[kind]
    .replaceAll('{lang}', encodeURIComponent(lang))
    .replaceAll('{slug}', encodeURIComponent(String(fields.slug)));
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

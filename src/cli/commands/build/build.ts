import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import pLimit from 'p-limit';
import { loadSettings, shown, type Settings } from '../../../config/settings.ts';
import { pageAddress, ADDRESS_TEMPLATES } from '../../../model/address/page-address.ts';
import { type Redirect, redirectsText } from '../../../model/address/redirect.ts';
import type { Key } from '../../../model/key.ts';
import type { DesiredState } from '../../../model/record.ts';
import { visible } from '../../../model/visible.ts';
import type { FileBytes } from '../../../service/files/bytes.ts';
import type { Store } from '../../../service/store/store.ts';
import {
  type Answer,
  type FileName,
  type Keep,
  redirectFile,
  type SiteFile,
} from '../../../site/static/site-files.ts';
import { eventPrinter } from '../../print/terminal/events.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { screen as screenOf } from '../../print/terminal/screen.ts';
import { changedFiles } from '../../run/choice.ts';
import { EXIT } from '../../run/exit.ts';
import { printFindings, readContent } from '../../run/read-files.ts';
import type { World } from '../../world.ts';
import { lastCommits } from '../status/last-commits.ts';
import type { BuildFlags } from './command.ts';
import { fillStore } from './filled-store.ts';
import { openSiteFolder, OWN_NAMES, type SiteFolder } from './folder.ts';

const DEFAULT_ORIGIN = 'http://localhost';

interface ChangedPage {
  readonly key: string;
  readonly title: string;
  readonly path: string;
}

/** `kbsync build`: the pages that `kbsync serve` would show of these files, as files. Nothing leaves this machine. */
export async function build(flags: BuildFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const printer = eventPrinter(screen, world.clock);
  const startMs = world.clock.now();
  let folder: SiteFolder | undefined;
  try {
    const settings = await buildSettings(flags, world);
    const out = resolve(world.cwd, flags.out);
    folder = await openSiteFolder(out, flags.out, world);
    printer.emit({ type: 'phase', phase: 'read files' });
    // Pictures that no server has yet are no reason to show no page.
    const allow = [...flags.allow, 'image-not-hosted'];
    const { content, findings } = await readContent(settings, { ...flags, allow }, world, {
      keepsFiles: true,
    });
    printer.close();
    const broken = findings.filter(({ severity }) => severity === 'error');
    await printFindings(broken, screen.complain, { screen, world, hasFrames: false });
    const changed = await changedPages(content.state, flags, settings, world);
    const keep = writable(folder.keep);
    const made = await pagesOf({ flags, world, settings, desired: content.state, changed, keep });
    const old = redirectFiles(made.names, content.state.redirects ?? []);
    for (const file of old) await keep(file);
    const named = [...made.names, ...old];
    await folder.publish();
    const written = named.filter(hasName);
    const failures = [...made.blocked.map(({ key, message }) => ({ key, message })), ...tooLong(named)];
    const pages = written.filter(({ isPage }) => isPage).length;
    const seconds = ((world.clock.now() - startMs) / 1000).toFixed(1);
    if (screen.isJson) {
      screen.document({
        format: JSON_FORMAT,
        out,
        files: written.length,
        pages,
        changed,
        errors: broken.length,
        blocked: failures.length,
        failures,
      });
    } else {
      screen.answer(`${counted(pages, 'page')} in ${shown(out, world)}/ in ${seconds} s`);
      if (changed.length > 0) screen.answer(`${counted(changed.length, 'article')} marked as changed`);
      for (const { key, message } of failures) screen.complain(visible(`? ${key}  ${message}`));
      if (failures.length > 0) screen.answer(`${counted(failures.length, 'record')} could not be shown`);
    }
    return failures.length + broken.length > 0 ? EXIT.failed : EXIT.done;
  } finally {
    printer.close();
    await folder?.close();
  }
}

/** Linux takes so many bytes (NAME_MAX of limits.h), macOS and Windows as many letters. */
const NAME_BYTES_MAX = 255;

function nameBytes({ file }: FileName): number {
  return Math.max(...file.split('/').map((part) => Buffer.byteLength(part)));
}

function hasName(file: FileName): boolean {
  return nameBytes(file) <= NAME_BYTES_MAX;
}

/** Without those that no disk takes: they are told of at the end. */
function writable(keep: Keep): Keep {
  return async (file) => {
    if (hasName(file)) await keep(file);
  };
}

/** Addresses whose files cannot have their names, each once with its longest; the order in which they were made says nothing. */
function tooLong(files: readonly FileName[]): readonly { readonly key: string; readonly message: string }[] {
  const bytes = new Map<string, number>();
  for (const one of files.filter((file) => !hasName(file))) {
    const address = one.file.replace(/\/index\.html$|\.md$/, '');
    bytes.set(address, Math.max(bytes.get(address) ?? 0, nameBytes(one)));
  }
  return [...bytes]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, length]) => ({
      key,
      message: `its file would have a name of ${length} bytes, and a disk takes at most ${NAME_BYTES_MAX}; give the page a shorter slug`,
    }));
}

/** Links in the pages lead to these pages, whatever address the service has. */
async function buildSettings(flags: BuildFlags, world: World): Promise<Settings> {
  const settings = await loadSettings(flags, world);
  const { articleUrl: _, categoryUrl: __, tagUrl: ___, ...file } = settings.file;
  return { ...settings, file };
}

async function changedPages(
  { records }: DesiredState,
  { changedSince, drafts }: BuildFlags,
  settings: Settings,
  world: World,
): Promise<readonly ChangedPage[]> {
  if (changedSince === undefined) return [];
  const files = await changedFiles(changedSince, settings, world);
  return [...records.values()]
    .filter((record) => record.kind === 'article' && files.has(record.at.file))
    .flatMap((record) => {
      const { key, lang, fields } = record;
      const { slug, title, status } = fields as Readonly<Record<string, unknown>>;
      if (typeof slug !== 'string' || (!drafts && status !== 'published')) return [];
      return [{ key, title: String(title), path: pageAddress(ADDRESS_TEMPLATES, 'article', lang, slug) }];
    });
}

/** A page for each old address, for any server of files; and the list that Netlify and Cloudflare Pages answer by. */
function redirectFiles(pages: readonly FileName[], redirects: readonly Redirect[]): readonly SiteFile[] {
  const there = new Set(pages.map(({ file }) => file));
  // Cloudflare Pages follows its list where there is a page, too.
  // A file cannot tell `/?p=1` from `/`.
  const old = redirects.filter(
    ({ from, to }) =>
      !from.includes('?') && (!from.startsWith('/') || !there.has(redirectFile(from, to).file)),
  );
  if (old.length === 0) return [];
  const list = Buffer.from(redirectsText(old, 'netlify', ''));
  const files: SiteFile[] = [{ file: '_redirects', bytes: list, isPage: false }];
  const take = createNames([...OWN_NAMES, '_redirects', ...there]);
  for (const { from, to } of old) {
    if (!from.startsWith('/')) continue;
    const page = redirectFile(from, to);
    if (take(page.file)) files.push(page);
  }
  return files;
}

/** Takes a name for a file; false: a file or a folder has it, at least on a disk that knows no capital letters. */
function createNames(taken: readonly string[]): (name: string) => boolean {
  const files = new Set<string>();
  const folders = new Set<string>();
  const take = (name: string): boolean => {
    const plain = name.normalize('NFC').toLowerCase();
    const parts = plain.split('/');
    const above = parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
    if (files.has(plain) || folders.has(plain) || above.some((folder) => files.has(folder))) return false;
    files.add(plain);
    for (const folder of above) folders.add(folder);
    return true;
  };
  for (const name of taken) take(name);
  return take;
}

interface Making {
  readonly flags: BuildFlags;
  readonly world: World;
  readonly settings: Settings;
  readonly desired: DesiredState;
  readonly changed: readonly ChangedPage[];
  readonly keep: Keep;
}

async function pagesOf({ flags, world, settings, desired, changed, keep }: Making) {
  const [{ createApp }, { openSqlite }, { createSite }, { siteLook, siteOrigin, SITE_SETTINGS }] =
    await Promise.all([
      import('../../../service/app.ts'),
      import('../../../service/store/sqlite/sqlite.ts'),
      import('../../../site/create-site.ts'),
      import('../../run/site-look.ts'),
    ]);
  const [{ wholeSite }, { siteBeside }] = await Promise.all([
    import('../../../site/static/whole-site.ts'),
    import('../../../site/with-service.ts'),
  ]);
  const { file, root } = settings;
  const defaultLanguage = file.defaultLanguage ?? 'en';
  const given = flags.siteUrl ?? world.env['KBSYNC_SITE_URL'];
  const origin = given === undefined ? DEFAULT_ORIGIN : siteOrigin(given);
  const look = await siteLook(file.site ?? {}, { root, called: SITE_SETTINGS });
  const store = openSqlite({ file: ':memory:', defaultLanguage });
  const failures: unknown[] = [];
  const onFailure = (error: unknown): void => {
    failures.push(error);
  };
  try {
    const { clock } = world;
    const bytes = filesInMemory();
    const api = createApp({ store, clock, onFailure, files: { bytes, fileBytesMax: FILE_BYTES_MAX } });
    const site = createSite({
      store,
      ...look,
      origin,
      onFailure,
      // A page that is read once has its colours at once.
      colourPatienceMs: PATIENCE_MS,
      // The file of all pages has the Markdown of each page again.
      texts: {
        blockMs: BLOCK_MS,
        markdownMs: MARKDOWN_MS,
        markdownCharsMax: MARKDOWN_CHARS_MAX,
        threads: textThreads(),
        youngMb: YOUNG_MB,
        aheadMax: AHEAD_MAX,
      },
      ...(flags.drafts ? { showsDrafts: true, languages: desired.languages } : {}),
      changed: new Set(changed.map(({ path }) => path)),
    });
    const { fetch } = siteBeside(api, site);
    const early = beginMarkdown(fetch, desired);
    const { results } = await fillStore(store, api, {
      desired,
      settings,
      languages: flags.lang,
      world,
      onStored: early.begin,
    });
    await keepDates(store, desired, settings, world);
    const names = await wholeSite({
      store,
      answer: (request) => fetch(request),
      origin,
      drafts: flags.drafts ? { languages: desired.languages } : undefined,
      keep,
    });
    await early.ended();
    if (failures.length > 0) throw failures[0];
    return { names, blocked: results.filter(({ outcome }) => outcome !== 'done') };
  } finally {
    await store.close();
  }
}

/**
 * Markdown takes most of the time, in threads of its own: it is begun when its article is stored, while others are still
 * written. The site remembers it until the file is made.
 */
function beginMarkdown(fetch: Answer, { records }: DesiredState) {
  const limit = pLimit(MARKDOWN_AT_ONCE);
  const begun: Promise<unknown>[] = [];
  return {
    begin: (key: Key): void => {
      const { kind, lang, fields } = records.get(key) ?? {};
      const slug = (fields as Readonly<Record<string, unknown>> | undefined)?.['slug'];
      if (kind !== 'article' || lang === undefined || typeof slug !== 'string') return;
      const path = `${pageAddress(ADDRESS_TEMPLATES, 'article', lang, slug)}.md`;
      begun.push(
        limit(() => fetch(new Request(DEFAULT_ORIGIN + path, { headers: { 'user-agent': 'bot' } }))),
      );
    },
    ended: () => Promise.all(begun),
  };
}

const MARKDOWN_AT_ONCE = 8;
const PATIENCE_MS = 600_000;
/** Nobody waits, and the same files must make the same pages on a machine that is busy. */
const BLOCK_MS = 10_000;
const MARKDOWN_MS = 60_000;
const MARKDOWN_CHARS_MAX = 64_000_000;
/** Each may take 160 MB. */
const TEXT_THREADS_MAX = 3;

/** One processor is for the rest. On two, a second thread costs 5 to 9 % more processor time and ends no earlier. */
function textThreads(): number {
  return Math.min(Math.max(availableParallelism() - 1, 1), TEXT_THREADS_MAX);
}
/** No stranger makes these threads fill their memory. With less, collecting garbage takes a fifth of their time. */
const YOUNG_MB = 16;
/** This thread is busy all the time, and theirs must not wait for it. */
const AHEAD_MAX = 4;
/** Larger files are not read either. */
const FILE_BYTES_MAX = 200_000_000;

function filesInMemory(): FileBytes {
  const files = new Map<string, Buffer>();
  return {
    write: async (digest, bytes) => void files.set(digest, bytes),
    read: async (digest, at, length) => files.get(digest)?.subarray(at, at + length),
    remove: async (digest) => void files.delete(digest),
  };
}

/** In a repository an article was updated when its file was; else the service's own date stays, which is today. */
async function keepDates(
  store: Store,
  { records }: DesiredState,
  { contentDir }: Settings,
  { cwd }: World,
): Promise<void> {
  const commits = await lastCommits(contentDir, cwd);
  if (commits === undefined) return;
  await store.write(async (sql) => {
    for (const { kind, at, lang, fields } of records.values()) {
      const seconds = commits.get(at.file)?.seconds;
      const { slug } = fields as Readonly<Record<string, unknown>>;
      if (kind !== 'article' || seconds === undefined || typeof slug !== 'string') continue;
      await sql.run(
        'update articles set edited_at = ? where slug = ? and lower(coalesce(language, ?)) = ?',
        seconds * 1_000_000,
        slug,
        store.knowledgeBase.defaultLanguage,
        lang.toLowerCase(),
      );
    }
  });
}

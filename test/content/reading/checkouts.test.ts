import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadDesired } from '../../../src/content/load-content.ts';
import type { ContentOptions, LoadedContent } from '../../../src/content/options.ts';
import { OPTIONS, page, write } from '../support/support.ts';
import { settled } from '../support/settled.ts';

/** A repository with a submodule, a page that git writes a value into, and a picture beside its page. */
const root = mkdtempSync(join(tmpdir(), 'kbsync-checkouts-'));
const part = join(root, 'part');
const origin = join(root, 'origin');
const checkout = join(root, 'checkout');
const cache = join(root, 'cache');
const cacheFile = join(cache, 'content.json');

beforeAll(() => {
  write(part, { 'c.md': page('title: C', 'Of the submodule.\n') });
  commit(part, 'the part');
  write(origin, {
    'en/articles/a.md': page('title: A', 'See [b](b.md).\n'),
    'en/articles/b.md': page('title: B', 'Of revision $Id$.\n\n![x](x.png)\n'),
    'en/articles/x.png': 'png',
  });
  writeFileSync(join(origin, '.gitattributes'), 'b.md ident\n');
  commit(origin, 'all', () =>
    git(origin, 'submodule', 'add', '-q', join(part, 'content'), 'content/en/articles/part'),
  );
});
afterAll(() => rmSync(root, { recursive: true }));

beforeEach(() => clone());
afterEach(() => rmSync(cache, { recursive: true, force: true }));

function git(cwd: string, ...args: readonly string[]): void {
  const who = ['-c', 'user.name=T', '-c', 'user.email=t@example.com', '-c', 'protocol.file.allow=always'];
  execFileSync('git', [...who, ...args], { cwd, stdio: 'ignore' });
}

/** A part is a repository itself: its content folder is what others take in. */
function commit(folder: string, message: string, before = (): void => undefined): void {
  const at = folder === part ? join(folder, 'content') : folder;
  if (message !== 'later') git(at, 'init', '-q');
  before();
  git(at, 'add', '-A');
  git(at, 'commit', '-q', '-m', message);
}

/** As each job of a CI makes one: nothing is left of the last. */
function clone(...settings: readonly string[]): void {
  rmSync(checkout, { recursive: true, force: true });
  git(root, 'clone', '-q', '--recurse-submodules', ...settings, 'origin', 'checkout');
}

const ASSETS = { assetsBaseUrl: 'https://cdn.example.com' };

const read = (): Promise<LoadedContent> => loadDesired({ ...OPTIONS, ...ASSETS, cwd: checkout, cacheFile });

/** Of the files as they are, whatever was read before. */
const readAnew = (): Promise<LoadedContent> => loadDesired({ ...OPTIONS, ...ASSETS, cwd: checkout });

function shown({ state, problems }: LoadedContent) {
  const records = [...state.records.values()].map(({ key, fields, body }) => [key, fields, body?.render()]);
  return { records, problems };
}

test('a fresh checkout of the same files is known: nothing of it is parsed', async () => {
  const first = await read();
  const rows = `${cacheFile}.rows`;
  writeFileSync(rows, readFileSync(rows, 'utf8').replace('"title":"A"', '"title":"from the cache"'));
  clone();
  const again = await read();
  expect([...again.state.records.values()].map(({ fields }) => fields['title'])).toEqual([
    'from the cache',
    'B',
    'C',
  ]);
  expect(again.digest).toBe(first.digest);
  expect(again.digest).toBeDefined();
});

test('a file of the same size and time, and of other content, is read', async () => {
  const first = await read();
  const file = join(checkout, 'content/en/articles/a.md');
  const { mtime, size } = statSync(file);
  writeFileSync(file, readFileSync(file, 'utf8').replace('See', 'Cf.'));
  utimesSync(file, mtime, mtime);
  expect([statSync(file).size, Math.round(statSync(file).mtimeMs)]).toEqual([size, mtime.getTime()]);
  const now = await read();
  expect(now.digest).not.toBe(first.digest);
  expect(shown(now)).toEqual(shown(await readAnew()));
  expect(now.state.records.get([...(now.edited?.[0]?.keys ?? [])][0] ?? never())?.body?.render()).toContain(
    'Cf.',
  );
});

test('a checkout with other line endings is read as it stands on the disk', async () => {
  const first = await read();
  clone('-c', 'core.autocrlf=true');
  expect(readFileSync(join(checkout, 'content/en/articles/a.md'), 'utf8')).toContain('\r\n');
  const now = await read();
  expect(now.digest).not.toBe(first.digest);
  expect(shown(now)).toEqual(shown(await readAnew()));
});

test('what a filter of git writes into a file counts, though git says that the file is the same', async () => {
  const file = join(checkout, 'content/en/articles/b.md');
  expect(readFileSync(file, 'utf8')).toMatch(/\$Id: [0-9a-f]{40} \$/);
  const first = await read();
  writeFileSync(join(checkout, '.git/info/attributes'), 'b.md -ident\n');
  rmSync(file);
  git(checkout, 'checkout', '--', 'content/en/articles/b.md');
  expect(readFileSync(file, 'utf8')).toContain('$Id$');
  const now = await read();
  expect(now.digest).not.toBe(first.digest);
  expect(shown(now)).toEqual(shown(await readAnew()));
});

test('another commit of a submodule is seen', async () => {
  const first = await read();
  const moved = join(checkout, 'content/en/articles/part');
  git(moved, 'checkout', '-q', '-b', 'later');
  writeFileSync(join(moved, 'c.md'), page('title: C', 'Later.\n'));
  git(moved, 'commit', '-q', '-a', '-m', 'later');
  const now = await read();
  expect(now.digest).not.toBe(first.digest);
  expect(shown(now)).toEqual(shown(await readAnew()));
});

test('another picture beside a page is seen, and the same one in a fresh checkout is known', async () => {
  const withFiles = (): Promise<LoadedContent> =>
    loadDesired({ ...OPTIONS, cwd: checkout, cacheFile, keepsFiles: true });
  const first = await withFiles();
  clone();
  const again = await withFiles();
  // Pictures that were made just now are not kept, so there may be nothing to compare yet.
  expect(again.digest).toBe(first.digest);
  writeFileSync(join(checkout, 'content/en/articles/x.png'), 'gnp');
  const [file] = (await withFiles()).state.files?.keys() ?? [];
  expect(file).not.toBe([...(first.state.files?.keys() ?? [])][0]);
});

describe('another place on the same machine, with the cache of the first', () => {
  const [first, second] = [join(root, 'first'), join(root, 'second')];
  const at = (folder: string): ContentOptions => ({
    ...OPTIONS,
    preset: 'docfx',
    keepsFiles: true,
    cwd: join(folder, 'kb'),
    cacheFile: join(folder, 'cache.json'),
  });
  let digest: string | undefined;

  beforeAll(async () => {
    write(join(first, 'kb'), {
      'a.md': page('title: A', '![x](x.png)\n\n[!INCLUDE [part](../../part.inc)]\n'),
      'x.png': 'png',
      '../../part.inc': 'The part.\n',
    });
    mkdirSync(join(first, '.git'));
    await settled(root);
    ({ digest } = await loadDesired(at(first)));
  });
  beforeEach(() => {
    rmSync(second, { recursive: true, force: true });
    cpSync(first, second, { recursive: true });
  });

  test('has its own picture', async () => {
    writeFileSync(join(second, 'kb/content/x.png'), 'gnp');
    const now = await loadDesired(at(second));
    expect(now.digest).not.toBe(digest);
    expect(await picturesOf(now)).toEqual(['gnp']);
  });

  test('takes in no text from outside of its own repository', async () => {
    rmSync(join(second, '.git'), { recursive: true });
    const now = await loadDesired(at(second));
    expect(now.problems.map(({ code }) => code)).toEqual(['include-failed']);
  });

  test('is known by what is in its own files', async () => {
    expect(digest).toBeDefined();
    const now = await loadDesired(at(second));
    expect(now.digest).toBe(digest);
    rmSync(join(first, 'kb/content/x.png'));
    expect(await picturesOf(now)).toEqual(['png']);
  });
});

function never(): never {
  throw new Error('test: nothing was edited');
}

async function picturesOf({ state }: Awaited<ReturnType<typeof loadDesired>>): Promise<readonly string[]> {
  const read = [...(state.files?.values() ?? [])].map(async (file) => (await file.read())?.toString() ?? '');
  return Promise.all(read);
}

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSite } from '../../../../src/site/create-site.ts';
import { fakeWorld, SMALL, type FakeWorld } from '../../support/fake-world.ts';

const EXAMPLE = join(import.meta.dirname, '../../../../content-example');
const ORIGIN = 'https://docs.example.com';

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld(SMALL);
});
afterEach(() => world.close());

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(world.cwd, folder), { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(world.cwd, folder).length + 1))
    .sort();

test('build writes what serve shows of the same files, byte for byte, but for the search', async () => {
  await world.remove('content');
  await cp(EXAMPLE, join(world.cwd, 'content'), { recursive: true });
  await world.remove('content/kbsync.yaml');
  await world.write('kbsync.yaml', 'assets: { baseUrl: https://cdn.example.com/lumen/ }\n');
  const run = await world.run('build', '--out', 'site', '--site-url', ORIGIN);
  expect(run).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^\d+ pages in site\/ in/) });
  expect(world.sent).toEqual([]);

  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  const site = createSite({ store: world.service.store, origin: ORIGIN, colourPatienceMs: 60_000 });
  const different: string[] = [];
  let compared = 0;
  for (const file of filesIn('site')) {
    if (/search|^404\.html$|^index\.html$|^\.kbsync-build\.json$/.test(file)) continue;
    const path = `/${file.replace(/index\.html$/, '')}`;
    const isFolder = /^\/[a-z]{2}\/(tags\/)?$/.test(path);
    const address = path.endsWith('/') && !isFolder ? path.slice(0, -1) : path;
    const reply = await site.fetch(
      new Request(ORIGIN + address, { headers: { accept: 'text/html', 'user-agent': 'bot' } }),
    );
    const served = Buffer.from(await reply.arrayBuffer());
    compared += 1;
    const built = readFileSync(join(world.cwd, 'site', file), 'utf8').split('\n');
    const lines = served.toString('utf8').split('\n');
    const at = lines.findIndex((line, index) => line !== built[index]);
    if (at >= 0 || lines.length !== built.length) {
      different.push(`${reply.status} ${file}: ${lines[at]} | ${built[at]}`);
    }
  }
  expect(different).toEqual([]);
  expect(compared).toBeGreaterThan(60);
});

test('the root leads to the default language, and a missing page has a page', async () => {
  await world.run('build', '--out', 'site');
  expect(await world.read('site/index.html')).toContain('content="0; url=/en/"');
  expect(await world.read('site/404.html')).toContain('Page not found');
});

test('the search has titles, texts and the words of the language', async () => {
  await world.run('build', '--out', 'site');
  const { index } = JSON.parse(await world.read('site/en/search-index.json')) as {
    index: { title: string }[];
  };
  expect(index.length).toBeGreaterThan(1);
  expect(await world.read('site/en/search/index.html')).toMatch(
    /<script src="\/_site\/search\.[0-9a-f]{12}\.js" defer data-index="\/en\/search-index\.json" data-results="Results for/,
  );
});

test('a second build removes what it does not write again, and a folder of something else is left alone', async () => {
  await world.write('content/en/articles/gone.md', '---\ntitle: Gone\n---\n\nText.\n');
  await world.run('build', '--out', 'site');
  expect(existsSync(join(world.cwd, 'site/en/articles/gone/index.html'))).toBe(true);
  await world.write('site/CNAME', 'docs.example.com\n');
  await world.remove('content/en/articles/gone.md');
  expect((await world.run('build', '--out', 'site')).exit).toBe(0);
  expect(existsSync(join(world.cwd, 'site/en/articles/gone/index.html'))).toBe(false);
  expect(await world.read('site/CNAME')).toBe('docs.example.com\n');

  expect(await world.run('build', '--out', 'content')).toMatchObject({
    exit: 4,
    stderr: expect.stringContaining('that no build wrote'),
  });
});

test('a page whose name no disk takes is named, and all others are written', async () => {
  const slug = '長'.repeat(86);
  await world.write('content/en/articles/long.md', `---\ntitle: Long\nslug: ${slug}\n---\n\nText.\n`);
  const run = await world.run('build', '--out', 'site', '--json');
  const { failures } = JSON.parse(run.stdout) as { failures: unknown };
  const message = (bytes: number): string =>
    `its file would have a name of ${bytes} bytes, and a disk takes at most 255; give the page a shorter slug`;
  expect([run.exit, failures]).toEqual([
    1,
    // The Markdown form of a page is only in its own language.
    [
      { key: `en/articles/${slug}`, message: message(261) },
      { key: `fr/articles/${slug}`, message: message(258) },
    ],
  ]);
  expect(existsSync(join(world.cwd, 'site/404.html'))).toBe(true);
});

test('a list of an earlier build cannot name what lies outside the folder', async () => {
  await world.write('kept.txt', 'kept');
  await world.write('site/.kbsync-build.json', JSON.stringify({ files: ['../kept.txt', 'old.html'] }));
  await world.write('site/old.html', 'old');
  expect((await world.run('build', '--out', 'site')).exit).toBe(0);
  expect([await world.read('kept.txt'), existsSync(join(world.cwd, 'site/old.html'))]).toEqual([
    'kept',
    false,
  ]);
});

test('drafts are shown with --drafts alone, and what a branch changes is marked and listed', async () => {
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: world.cwd,
      stdio: 'ignore',
    });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'one');
  await world.write('content/en/articles/new.md', '---\ntitle: New page\nstatus: published\n---\n\nText.\n');
  await world.write('content/en/articles/plan.md', '---\ntitle: Plan\nstatus: draft\n---\n\nText.\n');
  const open = await world.run('build', '--out', 'open', '--changed-since', 'main', '--json');
  expect((JSON.parse(open.stdout) as { changed: unknown }).changed).toEqual([
    { key: 'article/new@en', title: 'New page', path: '/en/articles/new' },
  ]);
  expect(existsSync(join(world.cwd, 'open/en/articles/plan/index.html'))).toBe(false);
  expect(await world.read('open/en/articles/new/index.html')).toContain('<span class="badge">Changed</span>');

  await world.run('build', '--out', 'all', '--drafts', '--changed-since', 'main');
  const plan = await world.read('all/en/articles/plan/index.html');
  expect(plan).toContain('<span class="badge">Draft</span>');
  expect(plan).toContain('<meta name="robots" content="noindex"');
  expect(plan).not.toContain('?preview=off');
});

test('a record that the service would refuse is named, with the reason', async () => {
  await world.write('content/en/articles/odd.md', '---\ntitle: "Odd\\u009d"\n---\n\nText.\n');
  const run = await world.run('build', '--out', 'site');
  expect([run.exit, run.stderr]).toEqual([
    1,
    expect.stringMatching(/^\? article\/odd@en {2}.*control characters/m),
  ]);
  expect(run.stdout).toContain('1 record could not be shown');
  const { stdout } = await world.run('build', '--out', 'site', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ blocked: 1, failures: [{ key: 'article/odd@en' }] });
});

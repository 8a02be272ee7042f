import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fakeWorld, SMALL } from '../../cli/support/fake-world.ts';
import type { FakeWorld } from '../../cli/support/fake-world.ts';
import { siteOf } from '../../cli/support/site.ts';

let world: FakeWorld;
afterEach(() => world.close());

const page = (title: string, body: string): string => `---\ntitle: ${title}\n---\n\n${body}`;

async function started(files: Readonly<Record<string, string>>, settings = '') {
  world = await fakeWorld(files);
  if (settings !== '') await world.write('kbsync.yaml', settings);
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  return siteOf(world);
}

async function isInSync(): Promise<void> {
  const plan = JSON.parse((await world.run('plan', '--json')).stdout) as Record<string, readonly unknown[]>;
  expect([plan['changes'], plan['conflicts'], plan['drift']]).toEqual([[], [], []]);
}

const DOCUSAURUS = 'preset: docusaurus\n';

test('a new article lies beside the others of its category and says its slug under our own key', async () => {
  const site = await started(
    {
      'content/docs/guide/01-install.md': page('Install', 'Run it.\n'),
      'content/docs/other/a.md': page('A', 'B.\n'),
    },
    DOCUSAURUS,
  );
  const { data } = (await site.ask('GET', '/api/v2/categories')) as { data: { id: string; name: string }[] };
  const guide = data.find(({ name }) => name === 'Guide')?.id;
  await site.ask('PUT', '/api/v2/articles', {
    title: 'Say hello',
    slug: 'hello',
    categories: [{ value: guide }],
    excerpt: '',
    ordering: 0,
    status: 'draft',
    content: '<p>Hello.</p>',
  });
  expect(await world.run('pull')).toMatchObject({ exit: 0 });
  expect(await world.read('content/docs/guide/hello.md')).toBe(
    '---\ntitle: Say hello\nkbSlug: hello\ndraft: true\n---\n\nHello.\n',
  );
  await isInSync();
});

test('what a shortcode brings in is not guessed: the site’s version lies beside the file, which stays', async () => {
  const before = page('Install', '{{< figure src="https://e.test/a.png" alt="Old words" >}}\n\nRun it.\n');
  const site = await started(
    { 'content/guide/install.md': before, 'content/guide/b.md': page('B', 'C.\n') },
    'preset: hugo\n',
  );
  await site.edit('Install', (body) => {
    body['content'] = String(body['content']).replace(
      '<p>Run it.</p>',
      '<div class="admonition tip"><p class="admonition-title">Tip</p>\n<p>Run it.</p>\n</div>',
    );
  });
  const ran = await world.run('pull');
  expect(ran.exit).toBe(3);
  expect(ran.stdout).toMatch(
    /! content\/guide\/\.install\.remote\.md  content  line 7: this layout cannot write a note \(`> \[!NOTE\]`\)/,
  );
  expect(await world.read('content/guide/install.md')).toBe(before);
  expect((await readdir(join(world.cwd, 'content/guide'))).sort()).toEqual([
    '.install.remote.md',
    'b.md',
    'install.md',
  ]);
  expect((await world.run('plan')).stdout).not.toContain('remote.md');
});

test('a byte order mark, line ends of Windows, TOML and its comments stay', async () => {
  const text = '\uFEFF+++\r\n# ours\r\ntitle = "Install"\r\n[params]\r\nx = 1\r\n+++\r\n\r\nRun *it*\r\nnow.';
  const site = await started(
    { 'content/guide/install.md': text, 'content/guide/b.md': page('B', 'C.\n') },
    'preset: hugo\n',
  );
  await site.edit('Install', (body) => {
    body['title'] = 'Install "it"';
    body['content'] = String(body['content']).replace('now', 'later');
  });
  expect(await world.run('pull')).toMatchObject({ exit: 0 });
  expect(await world.read('content/guide/install.md')).toBe(
    text.replace('"Install"', String.raw`"Install \"it\""`).replace('now', 'later'),
  );
  await isInSync();
});

test('an edit that somebody accepted reaches the file, and the service’s own writing does not', async () => {
  const site = await started(SMALL);
  await site.edit(
    'Install',
    (body) => (body['content'] = String(body['content']).replace('machine', 'computer')),
  );
  expect(await world.run('resolve', 'article/install@en', '--remote')).toMatchObject({ exit: 0 });
  await isInSync();
  expect(await world.run('pull')).toMatchObject({ exit: 0 });
  expect(await world.read('content/en/articles/install.md')).toContain('on your computer');
  await isInSync();
  expect((await world.run('pull')).stdout).toMatch(/^0 created, 5 unchanged/m);
});

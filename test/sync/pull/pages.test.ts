import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { fakeWorld, SMALL } from '../../cli/support/fake-world.ts';
import type { FakeWorld } from '../../cli/support/fake-world.ts';
import { siteOf } from '../../cli/support/site.ts';
import { newArticle } from './support/editor.ts';

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

test('a new article goes where the settings say that docs are, also after the last page was deleted', async () => {
  const site = await started(
    {
      'content/docusaurus.config.js': "module.exports = { presets: [['classic', { docs: {} }]] };\n",
      'content/docs/a.md': page('A', 'B.\n'),
    },
    DOCUSAURUS,
  );
  await world.remove('content/docs/a.md');
  expect(await world.run('sync', '--prune', '--yes', '--allow-vanished')).toMatchObject({ exit: 0 });
  await site.ask('PUT', '/api/v2/articles', {
    title: 'Say hello',
    slug: 'hello',
    categories: [],
    excerpt: '',
    ordering: 0,
    status: 'published',
    content: '<p>Hello.</p>',
  });
  expect(await world.run('pull')).toMatchObject({ exit: 0 });
  expect(await world.read('content/docs/hello.md')).toContain('Hello.');
  await isInSync();
});

test('a title that the page shows as a heading comes home into the heading; the other one stays', async () => {
  const site = await started(
    { 'content/docs/a.md': page('Synology', '# Install on Synology\n\nRun it.\n') },
    DOCUSAURUS,
  );
  await site.edit('Install on Synology', (body) => (body['title'] = 'Set up on Synology'));
  expect(await world.run('pull')).toMatchObject({ exit: 0 });
  expect(await world.read('content/docs/a.md')).toBe(page('Synology', '# Set up on Synology\n\nRun it.\n'));
  await isInSync();
});

test.each([
  ['Set up A', '<h1 align="center">Set up A</h1>'],
  ['Use "A" & <B>', '<h1 align="center">Use &quot;A&quot; &amp; &lt;B&gt;</h1>'],
])('a title that the page shows as a heading of HTML comes home into it: %s', async (title, heading) => {
  const body = (shown: string): string => `${shown}\n\nRun it.\n`;
  const site = await started(
    { 'content/a.md': body('<h1 align="center">Install A</h1>') },
    'preset: plain\n',
  );
  await site.edit('Install A', (article) => (article['title'] = title));
  expect(await world.run('pull')).toMatchObject({ exit: 0 });
  expect(await world.read('content/a.md')).toBe(body(heading));
  await isInSync();
});

test('a new article that begins with a heading of its own keeps title and heading', async () => {
  const site = await started({ 'content/docs/a.md': page('A', 'B.\n') }, DOCUSAURUS);
  await site.ask('PUT', '/api/v2/articles', {
    title: 'Say hello',
    slug: 'hello',
    categories: [],
    excerpt: '',
    ordering: 0,
    status: 'published',
    content: '<h1>Another</h1><p>Hello.</p>',
  });
  expect(await world.run('pull')).toMatchObject({ exit: 0 });
  expect(await world.read('content/docs/hello.md')).toBe(
    '---\ntitle: Say hello\n---\n\n# Say hello\n\n# Another\n\nHello.\n',
  );
  await isInSync();
});

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
    /! content\/guide\/\.install\.remote\.md  content  the site’s version of content\/guide\/install\.md  line 7: this layout cannot write a note \(`> \[!NOTE\]`\)/,
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

test('an edit of a translation comes home beside one of its original, whose categories it shares', async () => {
  const site = await started({
    'content/en/categories/a.md': '---\nname: A\n---\n',
    'content/en/categories/b.md': '---\nname: B\n---\n',
    'content/en/articles/install.md': '---\ntitle: Install\ncategories: [a]\n---\n\nRun it.\n',
    'content/fr/articles/install.md': '---\ntitle: Installer\n---\n\nLancez-le.\n',
  });
  const { data } = (await site.ask('GET', '/api/v2/categories')) as { data: { id: string }[] };
  const both = data.map(({ id }) => ({ value: id }));
  await site.edit('Install', (body) => (body['title'] = 'Installer vite'), 'fr');
  await site.edit('Install', (body) => (body['categories'] = both));
  expect(await world.run('pull')).toMatchObject({ exit: 0 });
  expect(await world.read('content/fr/articles/install.md')).toBe(
    '---\ntitle: Installer vite\n---\n\nLancez-le.\n',
  );
  // Its file says by being silent that it is in both.
  expect((await world.run('sync')).stdout).toContain('1 updated');
  expect((await world.run('sync')).stdout).toContain('in sync');
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

describe('a new article of a layout with a navigation', () => {
  const pages = { 'install.md': '# Install\n\nGo.\n', 'update.md': '# Update\n\nGo.\n' };
  const inFolder = (folder: string): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(pages).map(([name, text]) => [`${folder}/${name}`, text]));

  test('that builds only what is listed is entered there, after the pages of its list', async () => {
    const summary =
      '# Summary\r\n\r\n- [Install](install.md)\r\n- [Update](update.md)\r\n\r\n---\r\n\r\n[About](about.md)\r\n';
    const site = await started({
      ...inFolder('src'),
      'src/about.md': '# About\n\nUs.\n',
      'kbsync.yaml': 'preset: mdbook\ncontent: src\nid: docs\n',
      'src/SUMMARY.md': summary,
    });
    await newArticle(site, 'x1');
    await newArticle(site, 'x2');
    // The entry moves this page on, and its own edit comes home all the same.
    await site.edit('About', (body) => (body['content'] = '<p>Us all.</p>'));
    const ran = await world.run('pull');
    expect([ran.exit, ran.stdout]).toEqual([
      0,
      expect.stringContaining('+ src/new-x1.md  entered in src/SUMMARY.md\n'),
    ]);
    expect(await world.read('src/SUMMARY.md')).toBe(
      summary.replace('update.md)\r\n', 'update.md)\r\n- [New x1](new-x1.md)\r\n- [New x2](new-x2.md)\r\n'),
    );
    expect(await world.read('src/new-x1.md')).toContain('# New x1\n\nSomebody wrote this.');
    expect(await world.read('src/about.md')).toBe('# About\n\nUs all.\n');
    // The pages behind it have other places in the book.
    const plan = (await world.run('plan')).stdout;
    expect(plan).toContain('~ article  about  ordering');
    expect(plan).toContain('0 create, 1 update, 0 delete, 4 unchanged');
    expect((await world.run('sync')).exit).toBe(0);
    expect((await world.run('sync', '--prune')).stdout).toContain('in sync: 5 records');
  });

  test('that builds only what is listed says where it is to be entered, if the list is in no form for that', async () => {
    const summary = '# Summary\n\n1. [Install](install.md)\n2. [Update](update.md)\n';
    const site = await started({
      ...inFolder('src'),
      'kbsync.yaml': 'preset: mdbook\ncontent: src\nid: docs\n',
      'src/SUMMARY.md': summary,
    });
    await newArticle(site, 'x1');
    const ran = await world.run('pull');
    expect([ran.exit, ran.stdout]).toEqual([
      5,
      expect.stringContaining(
        'would not read new-x1.md as an article: SUMMARY.md does not list it, so mdBook does not build it; enter that file there, and pull again',
      ),
    ]);
    await world.write('src/SUMMARY.md', `${summary}3. [New x1](new-x1.md)\n`);
    expect((await world.run('pull')).stdout).toContain('+ src/new-x1.md\n');
    expect(await world.read('src/new-x1.md')).toContain('# New x1\n\nSomebody wrote this.');
    expect((await world.run('sync')).stdout).toContain('in sync: 3 records');
  });

  test('that lies above the content folder names it too', async () => {
    const settings = 'site_name: Docs\nnav: # ours\n  - Start: install.md\n  - update.md\n';
    const site = await started({
      ...inFolder('docs'),
      'kbsync.yaml': 'preset: mkdocs\ncontent: docs\nid: docs\n',
      'mkdocs.yml': settings,
    });
    await newArticle(site, 'x1');
    expect((await world.run('pull', '--dry-run')).stdout).toContain(
      '+ docs/new-x1.md  entered in mkdocs.yml\n',
    );
    expect(await world.read('mkdocs.yml')).toBe(settings);
    const { records } = JSON.parse((await world.run('pull', '--json')).stdout) as { records: unknown[] };
    expect(records).toEqual([
      expect.objectContaining({ action: 'created', file: 'new-x1.md', navigations: ['../mkdocs.yml'] }),
    ]);
    expect(await world.read('mkdocs.yml')).toBe(`${settings}  - New x1: new-x1.md\n`);
    expect((await world.run('sync')).stdout).toContain('in sync: 3 records');
  });

  test('and a page whose title it says comes home with another title, in both places', async () => {
    const settings = 'site_name: Docs\nnav:\n  - Install: install.md\n  - Other: update.md\n';
    const site = await started({
      ...inFolder('docs'),
      'docs/update.md': 'Words.\n',
      'kbsync.yaml': 'preset: mkdocs\ncontent: docs\nid: docs\n',
      'mkdocs.yml': settings,
    });
    await site.edit('Install', (body) => {
      body['title'] = 'Set up';
      body['content'] = String(body['content']).replace('Go.', 'Run it.');
    });
    await site.edit('Other', (body) => (body['title'] = 'Yes'));
    const ran = await world.run('pull');
    expect([ran.exit, ran.stdout]).toEqual([
      0,
      expect.stringContaining('~ docs/install.md  title, content  renamed in mkdocs.yml\n'),
    ]);
    expect(await world.read('docs/install.md')).toBe('# Set up\n\nRun it.\n');
    expect(await world.read('docs/update.md')).toBe('Words.\n');
    expect(await world.read('mkdocs.yml')).toBe(
      settings.replace('Install:', 'Set up:').replace('Other:', '"Yes":'),
    );
    await isInSync();
  });

  test('says another title than a navigation in a form of its own, which stays', async () => {
    const settings = 'site_name: Docs\nnav: [{ Install: install.md }, { Other: update.md }]\n';
    const site = await started({
      ...inFolder('docs'),
      'kbsync.yaml': 'preset: mkdocs\ncontent: docs\nid: docs\n',
      'mkdocs.yml': settings,
    });
    await site.edit('Install', (body) => (body['title'] = 'Set up'));
    const ran = await world.run('pull');
    expect([ran.exit, ran.stdout]).toEqual([0, expect.stringContaining('~ docs/install.md  title\n')]);
    expect(await world.read('docs/install.md')).toBe('# Set up\n\nGo.\n');
    expect(await world.read('mkdocs.yml')).toBe(settings);
    await isInSync();
  });

  test('is not entered in another list of its settings', async () => {
    const settings =
      'site_name: Docs\nplugins:\n  - linkcheck:\n      skip:\n        - install.md\n        - update.md\n';
    const site = await started({
      ...inFolder('docs'),
      'kbsync.yaml': 'preset: mkdocs\ncontent: docs\nid: docs\n',
      'mkdocs.yml': settings,
    });
    await newArticle(site, 'x1');
    expect((await world.run('pull')).stdout).toContain(
      '+ docs/new-x1.md  ../mkdocs.yml names install.md and not this page; if it is a navigation, enter the page there',
    );
    expect(await world.read('mkdocs.yml')).toBe(settings);
  });

  test('that lists every file by itself says nothing', async () => {
    const site = await started({
      ...inFolder('docs'),
      'kbsync.yaml': 'preset: mkdocs\ncontent: docs\nid: docs\n',
      'mkdocs.yml': 'site_name: Docs\n',
    });
    await newArticle(site, 'x1');
    expect((await world.run('pull')).stdout).toContain('+ docs/new-x1.md\n');
  });
});

test('a new article lies where the layout wants it, if the folder of the other pages holds only dated posts', async () => {
  const site = await started({
    'kbsync.yaml': 'preset: jekyll\ncontent: site\nid: docs\n',
    'site/_config.yml': 'title: Notes\n',
    'site/_posts/2024-01-02-install.md': '---\ntitle: Install\n---\n\nGo.\n',
    'site/_posts/2024-01-03-update.md': '---\ntitle: Update\n---\n\nGo.\n',
  });
  await newArticle(site, 'x1');
  expect((await world.run('pull')).stdout).toContain('+ site/new-x1.md\n');
  expect((await world.run('sync')).stdout).toContain('in sync: 4 records');
});

test('a file that waits for a record of its name under another slug gets no second file', async () => {
  const site = await started({
    'kbsync.yaml': 'baseUrl: https://help.acme.test\ndefaultLanguage: en\n',
    'content/en/articles/install.md': page('Install', 'Words of the page.\n'),
  });
  await world.write('content/en/categories/deep.md', '---\nname: Deep dive\n---\n');
  await world.write('content/en/articles/fish.md', page('Fish & chips', 'Words about fish.\n'));
  await site.ask('PUT', '/api/v2/categories', { name: 'Deep dive', slug: 'deep-dive', priority: 1 });
  await site.ask('PUT', '/api/v2/articles', {
    title: 'Fish & chips',
    slug: 'fish-chips',
    excerpt: '',
    status: 'published',
    ordering: 0,
    categories: [],
    content: '<p>Words about fish.</p>',
  });
  expect(await world.run('sync')).toMatchObject({ exit: 5 });
  const pulled = await world.run('pull');
  expect([pulled.exit, pulled.stdout]).toEqual([3, expect.not.stringContaining('+ ')]);
  expect(pulled.stdout).toContain('! content/en/categories/deep.remote.md  slug');
  expect(pulled.stdout).toContain('! content/en/articles/fish.remote.md  slug');
  // What the sync and the pull have said.
  await world.write('content/en/categories/deep.md', '---\nname: Deep dive\nslug: deep-dive\n---\n');
  await world.write(
    'content/en/articles/fish.md',
    '---\ntitle: Fish & chips\nslug: fish-chips\n---\n\nWords about fish.\n',
  );
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  const { data } = (await site.ask('GET', '/api/v2/categories')) as { data: readonly unknown[] };
  expect(data).toHaveLength(1);
  await isInSync();
});

/** This file, and on the site a page about fish under this title and slug; both came after the first sync. */
async function fishOnBoth(file: string, title: string, slug: string): Promise<void> {
  const site = await started({
    'kbsync.yaml': 'baseUrl: https://help.acme.test\ndefaultLanguage: en\n',
    'content/en/articles/install.md': page('Install', 'Words of the page.\n'),
  });
  await world.write('content/en/articles/fish.md', file);
  await site.ask('PUT', '/api/v2/articles', {
    title,
    slug,
    excerpt: '',
    status: 'published',
    ordering: 0,
    categories: [],
    content: '<p>Words about fish.</p>',
  });
}

test('such a record is known too where the service spells its name in another way', async () => {
  await fishOnBoth(page('Fish & chips', 'Words about fish.\n'), 'Fish &amp; chips', 'fish-chips');
  expect(await world.run('sync')).toMatchObject({ exit: 5 });
  const pulled = await world.run('pull');
  expect([pulled.exit, pulled.stdout]).toEqual([3, expect.not.stringContaining('+ ')]);
});

test('such a record is known too where the file’s text is another one by now, if its slug is spelt in another way', async () => {
  await fishOnBoth(page('Fish\nslug: the_fish', 'Other words.\n'), 'Fish', 'the-fish');
  expect(await world.run('sync')).toMatchObject({ exit: 5 });
  const pulled = await world.run('pull');
  expect([pulled.exit, pulled.stdout]).toEqual([3, expect.not.stringContaining('+ ')]);
  expect(pulled.stdout).toContain('! content/en/articles/fish.remote.md  slug, content');
  expect(pulled.stdout).toContain('that file waits for this record; kbsync sync says what to do\n');
  expect(pulled.stdout).not.toContain('next: ');
  expect((await world.run('sync')).stdout).toContain('blocked   article/fish@en');
});

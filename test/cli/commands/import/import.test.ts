import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fakeWorld } from '../../support/fake-world.ts';
import type { FakeWorld } from '../../support/fake-world.ts';

let world: FakeWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const CONFIG = 'defaultLanguage: en-US\n';
const host = 'https://acme.zendesk.com';

function article(id: number, more: object = {}): object {
  return {
    id,
    title: `Article ${id}`,
    body: `<p>Text ${id}.</p>`,
    section_id: 2,
    locale: 'en-us',
    source_locale: 'en-us',
    draft: false,
    user_segment_id: null,
    html_url: `${host}/hc/en-us/articles/${id}-Article-${id}`,
    ...more,
  };
}

const TREE = {
  categories: [
    { id: 1, name: 'Product', locale: 'en-us', html_url: `${host}/hc/en-us/categories/1-Product` },
  ],
  sections: [
    {
      id: 2,
      category_id: 1,
      name: 'Start',
      locale: 'en-us',
      position: -3,
      html_url: `${host}/hc/en-us/sections/2-Start`,
    },
    { id: 3, category_id: 1, parent_section_id: 2, name: 'Deep', locale: 'en-us', position: 5 },
  ],
};

async function imported(files: Readonly<Record<string, unknown>>, ...flags: readonly string[]) {
  const texts = Object.entries(files).map(([name, value]) => [
    `export/${name}`,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  world = await fakeWorld({ 'kbsync.yaml': CONFIG, ...Object.fromEntries(texts) });
  return world.run('import', 'zendesk', 'export', '--out', 'help', ...flags);
}

test('where nothing came, the run has failed, and asks whether it is the right system', async () => {
  await imported({ 'a.json': { articles: [article(10)] }, 'tree.json': TREE });
  const ran = await world?.run('import', 'ghost', 'export', '--out', 'other');
  expect(ran).toMatchObject({ exit: 1 });
  expect(`${ran?.stdout}${ran?.stderr}`).toContain('kbsync imported nothing: is this what ghost exports?');
});

test('without a kbsync.yaml the next command is init, which finds folder and languages', async () => {
  world = await fakeWorld({ 'export/a.json': JSON.stringify({ articles: [article(10)], ...TREE }) });
  await rm(join(world.cwd, 'kbsync.yaml'), { force: true });
  const ran = await world.run('import', 'zendesk', 'export', '--out', 'help');
  expect(`${ran.stdout}${ran.stderr}`).toContain('next: kbsync init --content help');
  expect((await world.run('init', '--content', 'help')).exit).toBe(0);
  expect(await world.run('check')).toMatchObject({ exit: 0 });
});

/** `kbsync check` finds nothing wrong. */
async function expectClean(): Promise<void> {
  const checked = await world?.run('check', '--content', 'help');
  expect(checked).toMatchObject({ exit: 0 });
}

const written = (path: string): Promise<string> => readFile(join(world?.cwd ?? '', 'help', path), 'utf8');

test('an export becomes files, links by id become file links, old addresses a map', async () => {
  const link =
    '<p>See <a href="/hc/de/articles/11-whatever#h_1">that</a> and <a href="/hc/en-us/requests/new">us</a>.</p>';
  const ran = await imported({
    'a.json': { articles: [article(10, { body: link, label_names: ['SSO', 'sso'] })] },
    'b.json': { articles: [article(11, { body: '<h2 id="h_1">Part</h2><p>Text.</p>', section_id: 3 })] },
    'tree.json': TREE,
  });
  expect(ran.exit).toBe(0);
  expect(ran.stdout).toContain(
    '2 articles, 3 categories, 1 tag in 1 language from 3 files into help: 6 created',
  );
  expect(await written('en-US/articles/product/start/article-10.md')).toBe(
    `---\ntitle: Article 10\ntags: [sso]\n---\n\nSee [that](deep/article-11.md#h_1) and [us](${host}/hc/en-us/requests/new).\n`,
  );
  expect(await written('redirects.csv')).toContain(
    `${host}/hc/en-us/articles/10-Article-10,/en-US/articles/article-10,,\r\n`,
  );
  await expectClean();
  const again = await world?.run('import', 'zendesk', 'export', '--out', 'help');
  expect(again?.stdout).toContain('into help: 6 unchanged');
});

test('what not everybody may read comes as a draft, and a category of nothing else does not come', async () => {
  const ran = await imported({
    'all.json': {
      ...TREE,
      articles: [
        article(10),
        article(11, { user_segment_id: 77, section_id: 3 }),
        article(12, {
          translations: [
            { locale: 'en-us', title: 'Shown', body: '<p>a</p>', draft: false },
            { locale: 'fr', title: 'Caché', body: '<p>b</p>', draft: false, hidden: true },
            { locale: 'de', title: 'Entwurf', body: '<p>c</p>', draft: true },
          ],
        }),
      ],
    },
  });
  expect(ran.exit).toBe(0);
  expect(ran.stdout).toContain('draft: only the user segment 77 may read it');
  expect(ran.stdout).toContain('category section-3 "Deep" in en-US: no article in it is for everybody');
  expect(await written('en-US/articles/product/start/article-11.md')).toContain('status: draft');
  expect(await written('en-US/articles/product/start/article-12.md')).not.toContain('status');
  expect(await written('fr/articles/product/start/article-12.md')).toContain('status: draft');
  expect(await written('de/articles/product/start/article-12.md')).toContain('status: draft');
  expect(await written('redirects.csv')).not.toContain('articles/11-');
  await expectClean();
});

test('a help centre behind a sign-in gives drafts only', async () => {
  await imported({
    'a.json': { articles: [article(10)] },
    'settings.json': { help_center: { settings: { preferences: { sign_in_required: true } } } },
  });
  expect(await written('en-US/articles/imported/article-10.md')).toContain('status: draft');
});

test('broken records and files are named with their place and stop nothing', async () => {
  const ran = await imported({
    'a.json': {
      articles: [null, article(10), { id: 11, title: '', body: null }, article(12, { locale: 'e?' })],
    },
    'cut.json': '{"articles": [\n{"id": 1,',
    'other.json': { labels: [] },
    'old.json': { articles: [article(10, { title: 'Old', updated_at: '2020-01-01T00:00:00Z' })] },
  });
  expect(ran.exit).toBe(5);
  expect(ran.stdout).toContain('? export/a.json articles[0]: item: it is not an object');
  expect(ran.stdout).toContain('? export/a.json articles[2]: article 11: it has no title and no text');
  expect(ran.stdout).toContain('`e?` is not a language code such as `en-US`');
  expect(ran.stdout).toMatch(/\? export\/cut\.json \S+.*: it is not valid JSON/);
  expect(ran.stdout).toContain('export/old.json has a newer copy');
  expect(ran.stdout).toContain('left out: 1 record that a help centre does not show');
  expect(await written('en-US/articles/imported/article-10.md')).toContain('title: Old');
  const { stdout } = (await world?.run('import', 'zendesk', 'export', '--out', 'help', '--json')) ?? {
    stdout: '',
  };
  expect(JSON.parse(stdout)).toMatchObject({
    format: 1,
    system: 'zendesk',
    summary: { files: 4, unchanged: 2, created: 0, skipped: { broken: 4, copy: 1, kind: 1 } },
  });
});

test('titles that repeat take the id of the source, whatever the order of files', async () => {
  const same = (id: number): object => article(id, { title: 'FAQ', html_url: null, section_id: null });
  await imported({ 'a.json': { articles: [same(20), same(10)] } });
  expect(await written('en-US/articles/faq-10.md')).toContain('title: FAQ');
  expect(await written('en-US/articles/faq-20.md')).toContain('title: FAQ');
  await expectClean();
});

test('a file that says something else stays, is named, and the rest is written', async () => {
  await imported({ 'a.json': { articles: [article(10), article(11)] } });
  await world?.write('help/en-US/articles/imported/article-10.md', 'Mine.\n');
  const ran = await world?.run('import', 'zendesk', 'export', '--out', 'help');
  expect(ran?.exit).toBe(5);
  expect(ran?.stdout).toContain(
    '? help/en-US/articles/imported/article-10.md  a file of this name is there with another text; move it away, or name another folder: --out DIR',
  );
  expect(await written('en-US/articles/imported/article-10.md')).toBe('Mine.\n');
});

test('positions of any kind become 0, 10, 20 in their category', async () => {
  await imported({
    'a.json': {
      ...TREE,
      articles: [article(10, { position: 7 }), article(11, { position: -6 }), article(12, { position: 7 })],
    },
  });
  expect(await written('en-US/articles/product/start/article-11.md')).not.toContain('ordering');
  expect(await written('en-US/articles/product/start/article-10.md')).toContain('ordering: 10');
  expect(await written('en-US/articles/product/start/article-12.md')).toContain('ordering: 20');
});

test('a dry run writes nothing, and wrong flags are told', async () => {
  const ran = await imported({ 'a.json': { articles: [article(10)] } }, '--dry-run');
  expect(ran.stdout).toContain('would be: 1 article');
  await expect(written('redirects.csv')).rejects.toThrow('ENOENT');
  for (const [argv, reason] of [
    [['import', 'zendesk', 'export'], 'required option'],
    [
      ['import', 'zendsk', 'export', '--out', 'help'],
      'error: <system> is `zendsk`; it takes zendesk, intercom, freshdesk, wordpress, ghost, confluence, notion, did you mean `zendesk`?\n',
    ],
    [['import', 'zendesk', 'export', '--out', 'help', '--site', 'x'], '--site: `x` is not an address'],
    [
      ['import', 'zendesk', 'export', '--out', 'help', '--language', '?'],
      '--language: `?` is not a language code',
    ],
  ] as const) {
    const wrong = await world?.run(...argv);
    expect(wrong?.exit).toBe(64);
    expect(wrong?.stderr).toContain(reason);
  }
  expect((await world?.run('import', 'zendesk', 'nowhere', '--out', 'help'))?.exit).toBe(1);
  expect((await world?.run('import', 'zendesk', 'export', '--out', 'kbsync.yaml'))?.exit).toBe(4);
});

test('only the languages that are asked for come', async () => {
  const translations = [
    { locale: 'en-us', title: 'One', body: 'a' },
    { locale: 'fr', title: 'Un', body: 'b' },
  ];
  const ran = await imported({ 'a.json': { articles: [article(10, { translations })] } }, '--lang', 'en-US');
  expect(ran.stdout).toContain('left out: 1 record in other languages');
  await expect(written('fr/articles/imported/one.md')).rejects.toThrow('ENOENT');
});

test('a title that was read in a wrong encoding once has no control character that a service refuses', async () => {
  await imported({
    'a.json': { articles: [article(10, { title: 'Refund\u009d \u0080now' })] },
    'tree.json': TREE,
  });
  expect(await written('en-US/articles/product/start/article-10.md')).toContain('title: Refund now\n');
});

test('an old address leads to a page that is shown: of a category without articles to the next one above', async () => {
  await imported({ 'a.json': { articles: [article(10)] }, 'tree.json': TREE_AND_DEEP });
  const map = await written('redirects.csv');
  expect(map).toContain(`${host}/hc/en-us/sections/3-Deep,/en-US/categories/start`);
  expect(map).toContain(`${host}/hc/en-us/sections/2-Start,/en-US/categories/start`);
  expect(map).not.toContain('sections/4-Alone');
});

test('languages of sections that name each other in a circle end the search for a page above', async () => {
  const section = (id: number, locale: string, above?: number) => ({
    id,
    category_id: 9,
    ...(above === undefined ? {} : { parent_section_id: above }),
    name: `Empty ${id}`,
    locale,
    html_url: `${host}/hc/${locale}/sections/${id}`,
  });
  const sections = [
    section(10, 'en-us', 11),
    section(10, 'fr', 12),
    section(11, 'en-us'),
    section(12, 'en-us', 10),
  ];
  await imported({
    'a.json': { articles: [article(10)] },
    'tree.json': { ...TREE_AND_DEEP, sections: [...TREE_AND_DEEP.sections, ...sections] },
  });
  expect(await written('redirects.csv')).not.toContain('empty');
});

const TREE_AND_DEEP = {
  ...TREE,
  categories: [...TREE.categories, { id: 9, name: 'Other', locale: 'en-us' }],
  sections: [
    ...TREE.sections.map((section) => ({
      ...section,
      html_url: `${host}/hc/en-us/sections/${section.id}-${section.name}`,
    })),
    { id: 4, category_id: 9, name: 'Alone', locale: 'en-us', html_url: `${host}/hc/en-us/sections/4-Alone` },
  ],
};

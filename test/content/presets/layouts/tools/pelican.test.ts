import { expect, test } from 'vitest';
import { bodyOf, linksOf, loader } from '../../support/support.ts';

const plain = loader('plain');

const DATE = 'Date: 2026-01-02\n';

function statusOf(loaded: Awaited<ReturnType<typeof plain>>) {
  return Object.fromEntries(
    [...loaded.records.values()]
      .filter(({ kind }) => kind === 'article')
      .map(({ at, fields }) => [at.file.replace('content/', ''), fields['status'] ?? 'published']),
  );
}

test('where pelicanconf.py lies, keys above the text need no YAML, and Pelican says what is published', async () => {
  const loaded = await plain({
    '../pelicanconf.py': "PATH = 'content'\nARTICLE_EXCLUDES = ['notes']\n",
    'a.md': `Title: "A": a title\n${DATE}Category: News\nTags: one, two\nSummary: What it says.\n\nText.\n`,
    'fenced.md': `---\ntitle: Fenced: too\n${DATE}status: published\n---\nText.\n`,
    'draft.md': `Title: Draft\n${DATE}Status: draft\n\nText.\n`,
    'hidden.md': `Title: Hidden\n${DATE}Status: Hidden\n\nText.\n`,
    'skip.md': `Title: Skip\n${DATE}Status: skip\n\nText.\n`,
    'untitled.md': `${DATE}\n# A heading is no title\n\nText.\n`,
    'undated.md': 'Title: Undated\n\nText.\n',
    '2026-01-02-named.md': 'Title: Named\n\nText.\n',
    'pages/undated.md': 'Title: A page\n\nText.\n',
    'french.md': `Title: Français\n${DATE}Lang: fr\n\nTexte.\n`,
    'notes/a.md': `Title: Note\n${DATE}\nText.\n`,
  });
  expect(loaded.places).toEqual([]);
  expect(statusOf(loaded)).toEqual({
    'a.md': 'published',
    'fenced.md': 'published',
    'draft.md': 'draft',
    'hidden.md': 'draft',
    '2026-01-02-named.md': 'published',
    'pages/undated.md': 'published',
  });
  expect(loaded.record('article', 'a').fields).toMatchObject({
    title: '"A": a title',
    excerpt: 'What it says.',
  });
  expect(loaded.record('article', 'fenced').fields).toMatchObject({ title: 'Fenced: too' });
  expect(bodyOf(loaded, 'fenced')).toBe('<p>Text.</p>');
});

test('a status for all pages, dates to come and folders of articles are those of pelicanconf.py', async () => {
  const conf =
    "DEFAULT_METADATA = {'status': 'draft'}\nWITH_FUTURE_DATES = False\nARTICLE_PATHS = ['blog']\n";
  const loaded = await plain({
    '../pelicanconf.py': conf,
    'blog/usual.md': `Title: A\n${DATE}\nText.\n`,
    'blog/said.md': `Title: B\n${DATE}Status: published\n\nText.\n`,
    'blog/future.md': 'Title: C\nDate: 2030-01-02\nStatus: published\n\nText.\n',
    'beside.md': `Title: D\n${DATE}Status: published\n\nText.\n`,
  });
  expect(loaded.places).toEqual([]);
  expect(statusOf(loaded)).toEqual({
    'blog/usual.md': 'draft',
    'blog/said.md': 'published',
    'blog/future.md': 'draft',
  });
});

test('a status that pelicanconf.py gives to paths counts where the page says none', async () => {
  const files = {
    'a.md': `Title: A\n${DATE}\nText.\n`,
    'drafts/b.md': `Title: B\n${DATE}\nText.\n`,
    'drafts/c.md': `Title: C\n${DATE}Status: published\n\nText.\n`,
  };
  const extra =
    "PATH = 'content'\nEXTRA_PATH_METADATA = {\n  'drafts': {'lang': 'en', 'status': 'draft'},\n}\n";
  expect(statusOf(await plain({ '../pelicanconf.py': extra, ...files }))).toEqual({
    'a.md': 'published',
    'drafts/b.md': 'draft',
    'drafts/c.md': 'published',
  });
  const pattern = "PATH = 'content'\nPATH_METADATA = r'(?P<status>drafts)?/?.*'\n";
  expect(statusOf(await plain({ '../pelicanconf.py': pattern, ...files }))).toMatchObject({
    'a.md': 'draft',
    'drafts/c.md': 'published',
  });
});

test('folders of pelicanconf.py count from PATH, and what articles exclude may be pages', async () => {
  const conf = "PATH = './content/'\nARTICLE_PATHS = ['blog']\nARTICLE_EXCLUDES = ['pages']\n";
  const files = {
    'blog/a.md': `Title: A\n${DATE}\nText.\n`,
    'beside.md': `Title: B\n${DATE}\nText.\n`,
    'pages/about.md': 'Title: About\n\nText.\n',
  };
  const inside = Object.entries(files).map(([path, text]) => [`content/${path}`, text] as const);
  const whole = await plain({
    'pelicanconf.py': conf,
    'notes.md': `Title: N\n${DATE}\nText.\n`,
    ...Object.fromEntries(inside),
  });
  expect(Object.keys(statusOf(whole))).toEqual(['content/blog/a.md', 'content/pages/about.md']);
  const part = await plain({ '../../pelicanconf.py': conf, 'a.md': 'Title: A\n\nText.\n' });
  expect(Object.keys(statusOf(part))).toEqual(['a.md']);
});

test('where file names give titles, a page needs none of its own', async () => {
  const conf = "FILENAME_METADATA = r'(?P<date>\\d{4}-\\d{2}-\\d{2})-(?P<title>.*)'\n";
  const loaded = await plain({ '../pelicanconf.py': conf, '2026-01-02-start.md': 'Tags: a\n\nText.\n' });
  expect(Object.keys(statusOf(loaded))).toEqual(['2026-01-02-start.md']);
});

test('addresses name files of the content folder and pages that Pelican makes', async () => {
  const loaded = await plain({
    '../pelicanconf.py': '',
    'a.md': `Title: A\n${DATE}\n[b]({filename}blog/b.md#part) [root]({filename}/blog/b.md) [old](|filename|blog/b.md) [tag]({tag}x) \`({filename}a)\`\n`,
    'blog/b.md': `Title: B\n${DATE}\n## Part\n\nText.\n`,
  });
  expect(loaded.problems.filter(({ code }) => code === 'dead-link')).toEqual([]);
  expect(linksOf(bodyOf(loaded, 'a'))).toEqual([
    '/en/articles/blog-b#part',
    '/en/articles/blog-b',
    '/en/articles/blog-b',
    '/tag/x',
  ]);
  expect(bodyOf(loaded, 'a')).toContain('({filename}a)');
});

test('without pelicanconf.py such lines are text', async () => {
  const loaded = await plain({ 'a.md': '# A\n\nText.\n', 'b.md': 'Status: draft\n\nText.\n' });
  expect(bodyOf(loaded, 'b')).toContain('Status: draft');
});

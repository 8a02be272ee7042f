import { expect, test } from 'vitest';
import { headingTitle } from '../../../src/content/presets/syntax/heading-title.ts';
import { load, page } from '../support/support.ts';

test.each([
  ['front matter', page('title: Said', '# Other\n'), 'Said', '<h1 id="other">Other</h1>'],
  [
    'front matter, said again',
    page('title: Get *started*!', '# get  started\n\nText.\n'),
    'Get *started*!',
    '<p>Text.</p>',
  ],
  ['a heading that ends in braces', '# GET /users/{id}\n\nText.\n', 'GET /users/{id}', '<p>Text.</p>'],
  ['a metric with its labels', '# up{job="api"}\n\nText.\n', 'up{job="api"}', '<p>Text.</p>'],
  ['a heading with attributes', '# A {.big #own}\n\nText.\n', 'A', '<p>Text.</p>'],
  ['a heading with a comment', '# A <!-- omit in toc -->\n\nText.\n', 'A', '<p>Text.</p>'],
  ['a heading about comments', '# Write \\<!-- x -->\n\nText.\n', 'Write <!-- x -->', '<p>Text.</p>'],
  ['the first heading', '<!-- x -->\n\n# A `b` {#own}\n\nText.\n', 'A b', '<p>Text.</p>'],
  [
    'a heading of HTML that says it again',
    page('title: A & B', '<h1 align="center">A &amp; <b>B</b></h1>\n\nText.\n'),
    'A & B',
    '<p>Text.</p>',
  ],
  [
    'a heading of HTML',
    '<div align="center">\n<h1 id="x">\n  Name\n</h1>\n</div>\n\nText.\n',
    'Name',
    undefined,
  ],
  [
    'not a picture in a heading',
    '<h1><img src="https://e.com/a.png" alt="A"> Logo</h1>\n\nText.\n',
    'Set it up',
    undefined,
  ],
  [
    'a heading of the second level',
    '## First\n\nText.\n\n## Second\n',
    'First',
    '<p>Text.</p>\n<h2 id="second">Second</h2>',
  ],
  [
    'a heading below badges',
    '[![b](https://e.com/b.svg)](https://e.com)\n\n# Title\n\nText.\n',
    'Title',
    undefined,
  ],
  [
    'a heading below a script',
    '<script setup>\nimport x from "y"\n# no\n</script>\n\n# Title\n',
    'Title',
    undefined,
  ],
  ['no heading in code', '```sh\n# comment\n```\n\n# Title\n', 'Title', undefined],
  ['the name in words', 'Text.\n\n## Later\n', 'Set it up', '<p>Text.</p>\n<h2 id="later">Later</h2>'],
])('the title is %s', async (_, text, title, html) => {
  for (const preset of ['hugo', 'starlight', 'jekyll', 'plain'] as const) {
    const { record, places } = await load(
      { 'guides/set-it_up.md': text, 'guides/b.md': page('title: B') },
      { preset },
    );
    const found = record('article', 'guides/set-it_up');
    expect(found.fields['title']).toBe(title);
    expect(places.filter((place) => place.includes('missing-field'))).toEqual([]);
    const body = html === undefined || preset !== 'plain' ? undefined : found.body?.render();
    expect(body).toBe(preset === 'plain' ? html : undefined);
  }
});

test.each(['docusaurus', 'docfx', 'vitepress', 'vuepress', 'mkdocs', 'nextra', 'rspress'] as const)(
  '%s: a page that begins with a heading shows that one, whatever its title for navigations is',
  async (preset) => {
    const { record } = await load(
      {
        'a.md': page('title: Synology', '# Install on *Synology*\n\nText.\n'),
        'b.md': page('title: B', 'Text.\n\n# Later\n'),
        'c.md': page('title: C', '## Second level\n'),
        'e.md': page('title: E', '<h1>Other</h1>\n\nText.\n'),
        'd.md': page('title: The *same*', '# The same\n\nText.\n'),
      },
      { preset },
    );
    const seen = (path: string) => [
      record('article', path).fields['title'],
      record('article', path).body?.render(),
    ];
    expect(seen('a')).toEqual(['Install on Synology', '<p>Text.</p>']);
    expect(seen('b')).toEqual(['B', '<p>Text.</p>\n<h1 id="later">Later</h1>']);
    expect(seen('c')).toEqual(['C', '<h2 id="second-level">Second level</h2>']);
    expect(seen('d')).toEqual(['The *same*', '<p>Text.</p>']);
    // They look at Markdown alone.
    expect(seen('e')).toEqual(['E', '<h1>Other</h1>\n<p>Text.</p>']);
  },
);

test('a heading of a wiki that repeats the name of the page is not shown, also with a comment behind it', async () => {
  const { record } = await load(
    { 'Home.md': 'Hi.\n', 'Set-it-up.md': '# Set it up <!-- omit in toc -->\n\nText.\n' },
    { preset: 'wiki' },
  );
  expect(record('article', 'Set-it-up').body?.render()).toBe('<p>Text.</p>');
});

test('a theme of VuePress that writes the title above the text shows the title', async () => {
  const { record } = await load(
    {
      '.vuepress/config.ts':
        "import { hopeTheme } from 'vuepress-theme-hope';\nexport default { theme: hopeTheme({}) };\n",
      'a.md': page('title: Synology', '# Install\n\nText.\n'),
    },
    { preset: 'vuepress' },
  );
  expect(record('article', 'a').fields['title']).toBe('Synology');
});

test('a title underlined with = counts, a list above it does not hide it', () => {
  expect(headingTitle('Title\n=====\n')).toMatchObject({ title: 'Title', start: 0 });
  expect(headingTitle('- a\n\nTitle\n===\n')).toMatchObject({ title: 'Title', start: 5 });
});

test('what stands in the code of a heading is a part of the title, whatever it looks like', () => {
  expect(headingTitle('# `<angle>`\n')).toMatchObject({ title: '<angle>' });
  expect(headingTitle('# The `<a> {b}` and <b>x</b> {#id}\n')).toMatchObject({
    title: 'The <a> {b} and x',
    id: 'id',
  });
  // As TypeDoc writes the names of generic types.
  expect(headingTitle('# Interface: Store\\<Id, S\\>\n')).toMatchObject({ title: 'Interface: Store<Id, S>' });
});

test('such a title stands on its page once', async () => {
  const { record } = await load({ 'a.md': '# `<angle>`\n\nText.\n' }, { preset: 'plain' });
  const found = record('article', 'a');
  expect(found.fields['title']).toBe('<angle>');
  expect(found.body?.render()).toBe('<p>Text.</p>');
});

test('a quoted number is a number', async () => {
  const { record } = await load({ 'en/articles/a.md': page('title: A\nordering: "15"') });
  expect(record('article', 'a').fields['ordering']).toBe(15);
});

test('a long excerpt is cut after a word, with a warning', async () => {
  const { record, problems } = await load({
    'en/articles/a.md': page(`title: A\nexcerpt: ${'word '.repeat(60)}`),
  });
  expect(problems).toMatchObject([{ code: 'excerpt-long', severity: 'warning' }]);
  expect(String(record('article', 'a').fields['excerpt'])).toMatch(/^(?:word )+word…$/);
});

import { expect, test } from 'vitest';
import { page } from '../../support/support.ts';
import { keysOf, linksOf, loader, bodyOf } from '../support/support.ts';

const gitbook = loader('gitbook');

test('SUMMARY.md gives order, titles and tree; a page that it does not list is not published', async () => {
  const loaded = await gitbook({
    'SUMMARY.md': `# Table of contents

* [Welcome](README.md)

## Using it

* [Setup](setup/README.md)
  * [Keys](setup/keys.md "API keys")
  * [Same page](setup/README.md#keys)
* [Website](https://example.com)

## Empty
`,
    'README.md': page('description: Hello', '# Welcome\n\n[Keys](setup/keys.md)\n'),
    'setup/README.md': '# Setup\n',
    'setup/keys.md': '# Keys\n',
    'internal/plan.md': '# Plan\n',
    'CONTRIBUTING.md': 'For people.\n',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/home@en',
    'article/setup/keys@en',
    'category/setup@en',
    'category/using-it@en',
  ]);
  expect(loaded.record('article', 'home').fields).toMatchObject({ title: 'Welcome', excerpt: 'Hello' });
  expect(loaded.record('category', 'setup').fields).toMatchObject({ categoryParent: 'category/using-it' });
  expect(loaded.record('article', 'setup/keys').fields['categories']).toEqual(['category/setup']);
  expect(linksOf(bodyOf(loaded, 'home'))).toEqual(['/en/articles/setup-keys']);
});

test('.gitbook.yaml says where the pages and the summary lie', async () => {
  const loaded = await gitbook({
    '.gitbook.yaml': 'root: ./docs/\nstructure:\n  summary: nav/TOC.md\n',
    'docs/nav/TOC.md': '* [A](../a.md)\n',
    'docs/a.md': 'Text.\n',
    'docs/b.md': 'Text.\n',
    'README.md': 'For people.\n',
  });
  expect(keysOf(loaded)).toEqual(['article/a@en']);
  expect(loaded.record('article', 'a').fields).toMatchObject({ title: 'A' });
});

test('LANGS.md: each language has a summary; the tree is the default language’s', async () => {
  const loaded = await gitbook({
    'LANGS.md': '* [English](en/)\n* [Français](fr)\n',
    'en/SUMMARY.md': '# S\n\n## Guide\n\n* [Start](start.md)\n* [Only English](only.md)\n',
    'en/start.md': 'Text.\n',
    'en/only.md': 'Text.\n',
    'fr/SUMMARY.md': '# S\n\n## Guide fr\n\n* [Début](start.md)\n',
    'fr/start.md': 'Texte.\n',
    'fr/old.md': 'Texte.\n',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/only@en',
    'article/start@en',
    'article/start@fr',
    'category/guide@en',
  ]);
  expect(loaded.record('article', 'start', 'fr').fields).toMatchObject({ title: 'Début', ordering: 1 });
  expect(loaded.record('article', 'start', 'fr').fields['categories']).toEqual(['category/guide']);
});

test('without a summary the folders are the tree', async () => {
  const loaded = await gitbook({
    'README.md': '# Home\n',
    'guide/README.md': '# Guide\n',
    'guide/a.md': '# A\n',
    'CHANGELOG.md': 'For people.\n',
  });
  expect(keysOf(loaded)).toEqual(['article/guide/a@en', 'article/home@en', 'category/guide@en']);
});

test('a file is a link with its caption; braces are text, but where a book.json has templates', async () => {
  const files = {
    'README.md':
      '# A\n\n{% file src=".gitbook/assets/plan.pdf" %}\nThe plan\n{% endfile %}\n\n{% file src=".gitbook/assets/list.txt" %}\n\nWrite {{database}} or `{{name}}`.\n',
    '.gitbook/assets/plan.pdf': 'x',
    '.gitbook/assets/list.txt': 'x',
  };
  const options = { assetsBaseUrl: 'https://files.example.com/' };
  const loaded = await gitbook(files, options);
  expect(loaded.messages).toEqual([]);
  const html = bodyOf(loaded, 'home');
  expect(html).toContain('Write {{database}} or <code>{{name}}</code>.');
  expect(html).toMatch(
    /<a href="[^"]*plan\.pdf">The plan<\/a>[\s\S]*<a href="[^"]*list\.txt">list\.txt<\/a>/,
  );
  const book = await gitbook({ ...files, 'book.json': '{}' }, options);
  expect(book.messages).toEqual([expect.stringContaining('{{database}}')]);
});

test('code is text in every GitBook, with templates or without', async () => {
  const text =
    '# A\n\n```sh\ndocker ps --format "{{.ID}}"\n{% raw %}\n{% hint %}\n```\n\n`{{ .Names }}`\n\n{{ gone }}\n';
  const unknown = { code: 'unknown-component', name: 'gone' };
  const files = { 'SUMMARY.md': '* [A](a.md)\n', 'a.md': text };
  const book = await gitbook({ ...files, 'book.json': '{}' });
  expect(book.problems).toMatchObject([unknown]);
  expect(bodyOf(book, 'a')).toContain('{% raw %}\n{% hint %}\n');
  expect((await gitbook(files)).problems).toEqual([]);
});

test('book.json gives the variables of its pages', async () => {
  const loaded = await gitbook({
    'README.md': '# A\n\nOpen [it]({{book.url}}/start) with {{ book.tool.name }}.\n',
    'book.json': '{"variables": {"url": "https://example.com", "tool": {"name": "npm"}}}',
  });
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'home')).toContain('<a href="https://example.com/start">it</a> with npm.');
});

test('SUMMARY.md names a page with the escapes that GitBook writes', async () => {
  const loaded = await gitbook({
    'SUMMARY.md': String.raw`# Table of contents

* [New\_things](release\_notes/whats\_new\_214.md)
* [Brackets](notes/a\(b\).md)
* [Angles](<notes/my\_page.md>)
`,
    'release_notes/whats_new_214.md': 'Text.\n',
    'notes/a(b).md': 'Text.\n',
    'notes/my_page.md': 'Text.\n',
  });
  expect(keysOf(loaded)).toEqual([
    'article/notes/a(b)@en',
    'article/notes/my_page@en',
    'article/release_notes/whats_new_214@en',
  ]);
});

test('LANGS.md names all languages: a folder beside them that has a SUMMARY.md is not published', async () => {
  const loaded = await gitbook({
    'LANGS.md': '* [English](en/)\n* [Français](fr/)\n',
    'en/SUMMARY.md': '* [Start](start.md)\n',
    'en/start.md': 'Text.\n',
    'fr/SUMMARY.md': '* [Début](start.md)\n',
    'fr/start.md': 'Texte.\n',
    'de/SUMMARY.md': '* [Anfang](start.md)\n',
    'de/start.md': 'Noch nicht.\n',
  });
  expect(keysOf(loaded)).toEqual(['article/start@en', 'article/start@fr']);
});

test('the SUMMARY.md of one language says nothing about the pages of the others', async () => {
  const loaded = await gitbook({
    'a.md': '# A\n',
    'b.md': '# B\n',
    'fr/SUMMARY.md': '* [A fr](a.md)\n',
    'fr/a.md': '# A fr\n',
    'fr/b.md': '# B fr\n',
  });
  expect(keysOf(loaded)).toEqual(['article/a@en', 'article/a@fr', 'article/b@en']);
});

test('a reference to a page shows the page’s title, as SUMMARY.md or the page gives it', async () => {
  const reference = (url: string, text: string): string =>
    `{% content-ref url="${url}" %}\n[${text}](${url})\n{% endcontent-ref %}\n\n`;
  const loaded = await gitbook({
    'README.md': `# Home\n\n${reference('api.md', 'api.md')}${reference('guide/', 'guide')}${reference('https://example.com', 'Website')}${reference('api.md#keys', 'api.md#keys')}`,
    'api.md': '---\ndescription: All calls\n---\n\n# The *API*\n\n## Keys\n',
    'guide/README.md': '# Guide\n',
  });
  expect(loaded.messages).toEqual([]);
  const shown = [...bodyOf(loaded, 'home').matchAll(/<a [^>]*>[^]*?<\/a>/g)].map(([whole]) => whole);
  expect(shown).toEqual([
    '<a href="/en/articles/api">The API</a>',
    '<a href="/en/articles/guide">Guide</a>',
    '<a href="https://example.com">Website</a>',
    '<a href="/en/articles/api#keys">api.md#keys</a>',
  ]);
  const listed = await gitbook({
    'SUMMARY.md': '* [Home](README.md)\n* [All calls](api.md)\n',
    'README.md': `# Home\n\n${reference('api.md', 'api.md')}`,
    'api.md': '# The API\n',
  });
  expect(bodyOf(listed, 'home')).toContain('<a href="/en/articles/api">All calls</a>');
});

test('a table of cards is a card for each row, and a hidden column is not shown', async () => {
  const head =
    '<th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th>';
  const row = (...cells: readonly string[]): string =>
    `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  const rows = [
    row(
      '<strong>Start</strong>',
      'In <em>minutes</em>',
      '<a href="api.md">api.md</a>',
      '<a href="a.png">a.png</a>',
    ),
    row('<h4>Help</h4>', '', '', ''),
    row('', '', '<a href="api.md">api.md</a>', ''),
  ];
  const table = `<table data-view="cards"><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
  const plain =
    '<table><thead><tr><th>Name</th><th data-hidden>Notes</th></tr></thead><tbody><tr><td>A</td><td>secret</td></tr></tbody></table>';
  const loaded = await gitbook({
    'README.md': `# Home\n\n${table}\n\n${plain}\n\n\`\`\`html\n${plain}\n\`\`\`\n`,
    'api.md': '# The API\n',
    'a.png': 'picture',
  });
  const body = bodyOf(loaded, 'home');
  expect(body).toContain(`<p><strong><a href="/en/articles/api">Start</a></strong></p>
<p>In <em>minutes</em></p>
<p><strong>Help</strong></p>
<p><strong><a href="/en/articles/api">The API</a></strong></p>`);
  expect(body).toContain('<img src="a.png"');
  expect(body).not.toContain('<strong>api.md');
  expect(body).toContain(
    '<table><thead><tr><th>Name</th></tr></thead><tbody><tr><td>A</td></tr></tbody></table>',
  );
  expect(body).toContain('&lt;th data-hidden&gt;Notes');
});

test.each([
  ['in the content folder', 'book.json', 'docs/'],
  ['above it', '../book.json', ''],
])('book.json of HonKit %s says where the pages and the summary lie', async (_, book, root) => {
  const loaded = await gitbook({
    [book]: '{"root": "./docs/", "structure": {"summary": "README.md"}, "variables": {"version": "7"}}',
    [`${root}README.md`]: '# Contents\n\n* [Start](index.md)\n* [A](a/README.md)\n',
    [`${root}index.md`]: '# Start\n\nVersion {{ book.version }}.\n',
    [`${root}a/README.md`]: 'Text.\n',
    [`${root}b.md`]: 'Text.\n',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual(['article/a@en', 'article/home@en']);
  expect(bodyOf(loaded, 'home')).toBe('<p>Version 7.</p>');
});

test('book.json above the pages that speaks of no folder is not theirs', async () => {
  const loaded = await gitbook({
    '../book.json': '{"variables": {"a": "1"}}',
    'a.md': '# A\n\n{{ book.a }}\n',
  });
  expect(bodyOf(loaded, 'a')).toBe('<p>{{ book.a }}</p>');
});

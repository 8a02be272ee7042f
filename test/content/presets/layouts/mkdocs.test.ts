import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf, loadFrom, page } from '../../support/support.ts';
import { NOTE, bodyOf, keysOf, linksOf, loader } from '../support/support.ts';

const mkdocs = loader('mkdocs');

const NAV = `site_name: Docs
plugins: !ENV [PLUGINS, []]
nav:
  - Start: index.md
  - User guide:
      - guide/write.md
      - Read on: guide/read.md
`;

function withNavigation(nav: string) {
  const folder = folderOf({
    'index.md': '# Hello\n',
    'guide/read.md': 'Text.\n\n# Reading\n',
    'guide/write.md': '# Writing\n',
    'guide/read.fr.md': '# Lire\n',
  });
  writeFileSync(join(folder, 'mkdocs.yml'), nav);
  return loadFrom(folder, { preset: 'mkdocs' });
}

test('the row below the head of a table may have blanks among its signs, and cells of nothing else', async () => {
  const table = (row: string): string => `| A | B |\n${row}\n| 1 | 2 |\n`;
  const loaded = await mkdocs({
    'a.md': page('title: A', table('| - -- | : - |')),
    'b.md': page('title: B', table('|:---|   |')),
    // As many cells as the head has, and the head begins its block.
    'c.md': page('title: C', table('| - - |')),
    'd.md': page('title: D', `Text.\n${table('| - - | - |')}`),
    'e.md': page('title: E', `\`\`\`\n\n${table('| - - | - |')}\`\`\`\n`),
  });
  expect(bodyOf(loaded, 'a')).toContain('<td>1</td>');
  expect(bodyOf(loaded, 'b')).toContain('<td align="left">1</td>');
  for (const key of ['c', 'd', 'e']) expect(bodyOf(loaded, key)).not.toContain('<td>');
  expect(bodyOf(loaded, 'e')).toContain('| - - | - |');
});

test('a page has the title that it shows: its heading, else that of the navigation, which gives order and names of folders', async () => {
  const loaded = await withNavigation(NAV);
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/guide/read@en',
    'article/guide/read@fr',
    'article/guide/write@en',
    'article/home@en',
    'category/guide@en',
  ]);
  expect(loaded.record('article', 'home').fields).toMatchObject({ title: 'Hello', ordering: 1 });
  expect(loaded.record('article', 'guide/read').fields).toMatchObject({ title: 'Read on', ordering: 2 });
  expect(loaded.record('article', 'guide/write').fields).toMatchObject({ title: 'Writing' });
  expect(loaded.record('article', 'guide/read', 'fr').fields).toMatchObject({ title: 'Lire', ordering: 2 });
  expect(loaded.record('category', 'guide').fields).toMatchObject({ name: 'User guide', priority: 2 });
});

test('Zensical: the keys of mkdocs.yml stand in the table `project` of zensical.toml, which goes first', async () => {
  const folder = folderOf({ 'index.md': 'Hello\n', 'guide/read.md': '--8<-- "x.txt"\n' });
  mkdirSync(join(folder, 'snips'));
  writeFileSync(join(folder, 'snips/x.txt'), 'From a file.\n');
  writeFileSync(join(folder, 'mkdocs.yml'), 'nav:\n  - Old: index.md\n');
  writeFileSync(
    join(folder, 'zensical.toml'),
    '[project]\nnav = [{"Start" = "index.md"}, {"User guide" = [{"Read on" = "guide/read.md"}]}]\n[project.markdown_extensions.pymdownx.snippets]\nbase_path = ["snips"]\n',
  );
  const loaded = await loadFrom(folder, { preset: 'mkdocs' });
  expect(loaded.places).toEqual([]);
  expect(loaded.record('article', 'home').fields).toMatchObject({ title: 'Start', ordering: 1 });
  expect(loaded.record('article', 'guide/read').fields).toMatchObject({ title: 'Read on', ordering: 1 });
  expect(bodyOf(loaded, 'guide/read')).toContain('From a file.');
});

test('ProperDocs: properdocs.yml has the keys of mkdocs.yml, and goes first', async () => {
  const folder = folderOf({ 'index.md': 'Hello\n', 'draft.md': '# Not yet\n' });
  writeFileSync(join(folder, 'mkdocs.yml'), 'nav:\n  - Old: index.md\n');
  writeFileSync(join(folder, 'properdocs.yml'), 'exclude_docs: draft.md\nnav:\n  - Start: index.md\n');
  const loaded = await loadFrom(folder, { preset: 'mkdocs' });
  expect(loaded.record('article', 'home').fields).toMatchObject({ title: 'Start' });
  expect(keysOf(loaded).filter((key) => key.includes('draft'))).toEqual([]);
});

test('a navigation that cannot be read is a problem at its place', async () => {
  expect((await withNavigation('nav: &nav\n  - A: *nav\n')).places).toEqual([
    expect.stringContaining('mkdocs.yml:1:1'),
  ]);
  for (const deep of ['nav: '.padEnd(60_000, '['), 'nav:\n'.padEnd(60_000, '- '), '\n'.repeat(400_000)])
    expect((await withNavigation(deep)).places).toEqual([expect.stringContaining('mkdocs.yml:1:1')]);
  const { places } = await withNavigation('nav:\n  - a: "b\n');
  expect(places).toEqual([expect.stringMatching(/^mkdocs\.yml:\d+:\d+ unreadable-settings$/)]);
});

test('attributes with bare values behind a link, a picture or a heading are not shown', async () => {
  const loaded = await mkdocs(
    {
      'a.md': page(
        'title: A',
        "![p](p.png){ loading=lazy } [x](https://e.com){target=_blank}, `c`{lang='x'}; set{a=b} and ${HOME=x}.\n\n### [y](https://e.com){target=_blank}\n\nText.\n{ width=75% }\n",
      ),
      'p.png': 'x',
    },
    { assetsBaseUrl: 'https://files.example.com/' },
  );
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'a')).toBe(
    '<p><img src="https://files.example.com/p.png" alt="p"> <a href="https://e.com">x</a>, <code>c</code>; set{a=b} and ${HOME=x}.</p>\n<h3 id="y"><a href="https://e.com">y</a></h3>\n<p>Text.</p>',
  );
});

test('braces with bare values that stand elsewhere are text: formulas, calls, a paragraph of its own', async () => {
  const formula = String.raw`The $\sum_{n=1}^k \xrightarrow[T]{x=1}$ and rate(http_total){job=api}.`;
  const loaded = await mkdocs({
    'a.md': page(
      'title: A',
      `${formula}\n\n{a=b}\n\n*c*{d=e} **c**{d=e} _c_{d=e} __c__{d=e} [c](https://e.com "x (y)"){d=e} <https://e.com>{d=e}\n`,
    ),
  });
  expect(bodyOf(loaded, 'a')).toBe(
    `<p>${formula}</p>\n<p>{a=b}</p>\n<p><em>c</em> <strong>c</strong> <em>c</em> <strong>c</strong> <a href="https://e.com" title="x (y)">c</a> <a href="https://e.com">https://e.com</a></p>`,
  );
});

test('attributes in the title of a box are no words of it', async () => {
  const loaded = await mkdocs({
    'a.md': page(
      'title: A',
      '!!! info "By [Ann](https://a.example){:target="_blank"}."\n    One.\n\n!!! info "`/users/`{id}"\n    Two.\n',
    ),
  });
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'a')).toBe(
    `${NOTE('<p>One.</p>', 'By Ann.')}\n${NOTE('<p>Two.</p>', '/users/{id}')}`,
  );
});

test('blocks become boxes by their indent, in lists and inside each other', async () => {
  const loaded = await mkdocs({
    'a.md': page(
      'title: A',
      '!!! note "Mind"\n    One.\n\n    !!! tip\n        Two.\n\n        ```\n        code\n        ```\n\nAfter.\n\n* x\n\n    !!! warning\n        In.\n\n??? tip "More *of* it"\n    Folded.\n',
    ),
  });
  expect(loaded.places).toEqual([]);
  const html = bodyOf(loaded, 'a');
  expect(html).toContain(
    NOTE(`<p>One.</p>\n${NOTE('<p>Two.</p>\n<pre><code>code\n</code></pre>', 'Tip', 'tip')}`, 'Mind'),
  );
  expect(html).toContain('<p>After.</p>');
  expect(html).toContain(NOTE('<p>In.</p>', 'Warning', 'warning'));
  expect(html).toContain('<details><summary>More <em>of</em> it</summary>\n<p>Folded.</p>\n</details>');
});

test('a call of a macro is named, and a rule of kbsync.yaml replaces it; in code, and without the plugin, it is text', async () => {
  const body = 'See {{ diagram("a.drawio", page=2) }} and {{ chart(id=\'7\') }}.\n\n`{{ chart(1) }}`\n';
  const files = { 'docs/a.md': page('title: A', body) };
  const settings = 'site_name: S\nplugins:\n  - macros\n';
  const options = { contentDir: 'content/docs', components: { chart: { replace: '<https://e.test/{id}>' } } };
  const loaded = await mkdocs({ ...files, 'mkdocs.yml': settings }, options);
  expect(loaded.problems).toEqual([
    expect.objectContaining({
      code: 'unknown-component',
      name: 'diagram',
      shown: '{{ diagram("a.drawio", page=2) }}',
    }),
  ]);
  const html = bodyOf(loaded, 'a');
  expect(linksOf(html)).toEqual(['https://e.test/7']);
  expect(html).toContain('<code>{{ chart(1) }}</code>');
  const plain = await mkdocs({ ...files, 'mkdocs.yml': 'site_name: S\n' }, options);
  expect(plain.problems.map(({ code }) => code)).toEqual(['raw-syntax']);
});

test('the blank before the type of a box may be missing, and the type may be a word of any language', async () => {
  const loaded = await mkdocs({
    'a.md': page(
      'title: A',
      '!!!info\n    One.\n\n???note "More"\n    Folded.\n\n!!! 注意 "Mind"\n    Two.\n\n==="Tab"\n    Text.\n',
    ),
  });
  const html = bodyOf(loaded, 'a');
  expect(html).toContain(NOTE('<p>One.</p>', 'Info'));
  expect(html).toContain('<details><summary>More</summary>\n<p>Folded.</p>\n</details>');
  expect(html).toContain(NOTE('<p>Two.</p>', 'Mind'));
  expect(html).toContain('==="Tab"');
});

test('a box without a title of its own has its word for one, as Python-Markdown gives it', async () => {
  const words = ['note', 'Note', 'danger', 'SUCCESS', 'quote', 'warning', 'zebra'];
  const loaded = await mkdocs({
    'a.md': page('title: A', words.map((word) => `!!! ${word}\n    Text.\n`).join('\n')),
  });
  const titles = [...bodyOf(loaded, 'a').matchAll(/admonition-title">([^<]*)</g)].map(([, title]) => title);
  expect(titles).toEqual(['Note', 'Note', 'Danger', 'Success', 'Quote', 'Warning', 'Zebra']);
});

test('a tab indents a block as four blanks do, in lists and inside each other, as Python-Markdown has it', async () => {
  const loaded = await mkdocs({
    'a.md': page(
      'title: A',
      '- **Option**\n\n\tWhat it does.\n\n\t??? note "One"\n\t    Folded.\n\n\t??? note "Two"\n\n\t\tAlso.\n\n!!! note\n\tIn.\n\n\t!!! tip\n\t\tDeeper.\n\nAfter.\n',
    ),
  });
  expect(loaded.places).toEqual([]);
  const html = bodyOf(loaded, 'a');
  expect(html).not.toMatch(/\?\?\?|!!!|<pre>/);
  expect(html).toMatch(/<li>[\s\S]*<summary>One<\/summary>\n<p>Folded.<\/p>\n *<\/details>[\s\S]*<\/li>/);
  expect(html).toMatch(/<summary>Two<\/summary>\n<p>Also.<\/p>\n *<\/details>\n<\/li>/);
  expect(html).toContain(NOTE(`<p>In.</p>\n${NOTE('<p>Deeper.</p>', 'Tip', 'tip')}`, 'Note'));
  expect(html).toContain('<p>After.</p>');
});

test('tabs keep their names, snippets have rules; attribute lists go, ids of headings stay', async () => {
  const files = {
    'a.md': page(
      'title: A',
      '=== "Mac"\n\n    Press it.\n\n--8<-- "x.md"\n\n## Head { #own }\n\n[x](https://x.test){ .md-button }\n',
    ),
  };
  expect((await mkdocs(files)).places).toEqual(['content/a.md:8:1 include-failed']);
  const loaded = await mkdocs(files, { components: { '--8<--': 'drop' } });
  expect(loaded.places).toEqual([]);
  expect(bodyOf(loaded, 'a')).toBe(
    '<p><strong>Mac</strong></p>\n<p>Press it.</p>\n<h2 id="own">Head</h2>\n<p><a href="https://x.test">x</a></p>',
  );
});

test('links follow files, in the reader’s language first', async () => {
  const loaded = await mkdocs({
    'a.md': page('title: A', '[b](g/b.md#x) [i](g/)\n'),
    'a.fr.md': page('title: A fr', '[b](g/b.md)\n'),
    'g/index.md': page('title: G'),
    'g/b.md': page('title: B', '## X\n'),
    'g/b.fr.md': page('title: B fr'),
  });
  expect(loaded.places).toEqual([]);
  expect(linksOf(bodyOf(loaded, 'a'))).toEqual(['/en/articles/g-b#x', '/en/categories/g']);
  expect(linksOf(bodyOf(loaded, 'a', 'fr'))).toEqual(['/fr/articles/g-b']);
});

test('a fold that ends with a block of code ends behind it, and so does a fold in a list or a fold', async () => {
  const fence = (indent: string): string => `${indent}\`\`\` json\n${indent}{}\n${indent}\`\`\``;
  const loaded = await mkdocs({
    'a.md': page('title: A', `??? example "E"\n\n${fence('    ')}\n\n## Behind\n\nText.\n`),
    'b.md': page('title: B', `- One\n\n    ??? note "N"\n\n${fence('        ')}\n\n- Two\n`),
    'c.md': page('title: C', `??? note "N"\n\n    ??? tip "T"\n\n${fence('        ')}\n\nText.\n`),
    'd.md': page('title: D', `??? note "N"\n\n${fence('    ')}`),
  });
  expect(loaded.places).toEqual([]);
  expect(bodyOf(loaded, 'a')).toMatch(
    /\{\}\n<\/code><\/pre>\s*<\/details>\s*<h2 id="behind">Behind<\/h2>\s*<p>Text\.<\/p>$/,
  );
  expect(bodyOf(loaded, 'b')).toMatch(/<\/code><\/pre>\s*<\/details>\s*<\/li>\s*<li>\s*<p>Two<\/p>/);
  expect(bodyOf(loaded, 'c')).toMatch(/<\/code><\/pre>\s*<\/details>\s*<\/details>\s*<p>Text\.<\/p>$/);
  expect(bodyOf(loaded, 'd')).toMatch(/<\/code><\/pre>\s*<\/details>$/);
});

test('pages behind a password of the plugin `encryptcontent` are not published', async () => {
  const pages = async (plugins: string, passwords?: string): Promise<readonly string[]> => {
    const folder = folderOf({
      'inner.md': page("title: Inner\npassword: ''\nlevel: ''"),
      'open.md': page("title: Open\npassword: ''"),
      'locked.md': page('title: Locked\npassword: 1234'),
      'staff.md': page('title: Staff\nlevel: staff'),
      'other.md': page('title: Other'),
    });
    writeFileSync(join(folder, 'mkdocs.yml'), plugins);
    if (passwords !== undefined) writeFileSync(join(folder, 'p.yml'), passwords);
    return keysOf(await loadFrom(folder, { preset: 'mkdocs' })).map((key) => key.replace(/.*\/|@en/g, ''));
  };
  const plugin = (options: string): string => `plugins:\n  - encryptcontent: { ${options} }\n`;
  expect(await pages('plugins:\n  - encryptcontent:\n')).toEqual(['inner', 'open', 'other']);
  expect(await pages(plugin('global_password: x'))).toEqual(['inner', 'open']);
  expect(await pages(plugin('password_inventory: { _global: x, staff: y }'))).toEqual(['inner']);
  expect(await pages(plugin('password_inventory: { staff: y }'))).toEqual(['inner', 'open', 'other']);
  expect(await pages(plugin('password_file: p.yml'), 'staff: y\n')).toEqual(['inner', 'open', 'other']);
  expect(await pages(plugin('password_file: p.yml'), '_global: x\n')).toEqual(['inner']);
  // A file that only the build has may name a password for all.
  expect(await pages(plugin('password_file: p.yml'))).toEqual(['inner']);
  expect(await pages('plugins: [search]\n')).toEqual(['inner', 'open', 'other', 'staff']);
});

test('code in titles of boxes and in cells of tables keeps all its signs, as Python-Markdown has it', async () => {
  const loaded = await mkdocs({
    'a.md':
      '# A\n\n!!! warning "No `@` in `<a_b|c>` & d_e"\n\n!!! info "See [x](https://x.example "Its title") *now*"\n\n    Text.\n\n| a | `b|c` |\n|---|---|\n| ```Host(`x|y`)``` | `p\\|q` |\n| `open | end |\n\n```\n| `a|b` |\n```\n',
  });
  const html = bodyOf(loaded, 'a');
  expect(html).toContain('<p class="admonition-title">No @ in &lt;a_b|c&gt; &amp; d_e</p>');
  expect(html).toContain('<p class="admonition-title">See x now</p>');
  expect(html).toContain('<th><code>b|c</code></th>');
  expect(html).toContain('<td><code>Host(`x|y`)</code></td>');
  expect(html).toContain('<td><code>p|q</code></td>');
  expect(html).toContain('<td>`open</td>\n<td>end</td>');
  expect(html).toContain('<code>| `a|b` |\n</code>');
});

test('blocks of slashes need no blank before their name', async () => {
  const loaded = await mkdocs({
    'a.md': page('title: A', '///tab | One\nText.\n///\n///note\nMind.\n///\n'),
  });
  expect(loaded.places).toEqual([]);
  const html = bodyOf(loaded, 'a');
  expect(html).toContain('<strong>One</strong>');
  expect(html).not.toContain('///');
});

test('a fence directly below a tag of HTML is code', async () => {
  const loaded = await mkdocs({
    'a.md': page('title: A', '<div class="result">\n```json\n# {}\n\n[x]\n```\n</div>\n\nAfter *it*.\n'),
  });
  const html = bodyOf(loaded, 'a');
  expect(html).toContain('<pre><code class="language-json"># {}\n\n[x]\n</code></pre>');
  expect(html).toContain('<p>After <em>it</em>.</p>');
});

test('tabs have the ids that pymdownx.tabbed gives them', async () => {
  const files = (options: string) => ({
    'a.md': '# A\n\n[one](b.md#__tabbed_1_2) [two](b.md#__tabbed_2_1) [three](b.md#mac-os)\n',
    'b.md': [
      '# B',
      '',
      '## Linux',
      '',
      '=== "Linux"',
      '',
      '    Of Linux.',
      '',
      '=== "Mac OS"',
      '',
      '    Of Mac.',
      '',
      '===! "Other set"',
      '',
      '    Of others.',
      '',
    ].join('\n'),
    'mkdocs.yml': `site_name: X\nmarkdown_extensions:\n  - pymdownx.tabbed${options}\n`,
  });
  const anchors = async (options: string) => {
    const loaded = await mkdocs(files(options));
    const ids = [...bodyOf(loaded, 'b').matchAll(/<a id="([^"]*)">/g)].map(([, id]) => id);
    const dead = loaded.problems.flatMap((problem) => ('anchor' in problem ? [problem.anchor] : []));
    return { ids, dead };
  };
  expect(await anchors(':\n      alternate_style: true')).toEqual({
    ids: ['__tabbed_1_1', '__tabbed_1_2', '__tabbed_2_1'],
    dead: ['mac-os'],
  });
  expect(await anchors(':\n      slugify: !!python/object/apply:pymdownx.slugs.slugify')).toEqual({
    ids: ['linux_1', 'mac-os', 'other-set'],
    dead: ['__tabbed_1_2', '__tabbed_2_1'],
  });
  expect((await anchors(':\n      combine_header_slug: true\n      slugify: x')).ids).toEqual([]);
});

test('an image of HTML is looked for as a browser does: `..` stops at the root of the site', async () => {
  const loaded = await mkdocs(
    {
      'en/guide/in/a.md': '# A\n\n<img src="../../../../assets/x.png">\n',
      'de/guide/in/a.md':
        '# A\n\n<img src="../../../../assets/x.png">\n\n<img src="../../../../assets/y.png">\n',
      'en/assets/x.png': 'x',
    },
    { assetsBaseUrl: 'https://cdn.example' },
  );
  expect(linksOf(bodyOf(loaded, 'guide/in/a'))).toEqual(['https://cdn.example/en/assets/x.png']);
  expect(linksOf(bodyOf(loaded, 'guide/in/a', 'de'))[0]).toBe('https://cdn.example/en/assets/x.png');
  expect(loaded.problems.map(({ code }) => code)).toEqual(['missing-image']);
});

test('lines `key: value` above a text without YAML are its metadata, as MkDocs reads them', async () => {
  const loaded = await mkdocs({
    'a.md': 'Title: Long: a title\n    of two lines\ndescription: What it says.\n\nText of A.\n',
    'b.md': 'title: B\ndraft: true\nText of B.\n',
    'c.md': '# C\n\nNote: text of C.\n',
    'd.md': '\nNote: text of D.\n',
    'e.md': '---\ntitle: E\n---\nnote: text of E.\n',
  });
  expect(loaded.places).toEqual([]);
  expect(loaded.record('article', 'a').fields).toMatchObject({
    title: 'Long: a title of two lines',
    excerpt: 'What it says.',
  });
  expect(bodyOf(loaded, 'a')).toBe('<p>Text of A.</p>');
  expect(loaded.record('article', 'b').fields).toMatchObject({ title: 'B', status: 'draft' });
  expect(bodyOf(loaded, 'b')).toBe('<p>Text of B.</p>');
  expect(bodyOf(loaded, 'c')).toBe('<p>Note: text of C.</p>');
  expect(bodyOf(loaded, 'd')).toBe('<p>Note: text of D.</p>');
  expect(bodyOf(loaded, 'e')).toBe('<p>note: text of E.</p>');
});

test('mkdocstrings: a module without a dot in its name is reference too, a box of another program is not', async () => {
  const loaded = await mkdocs({
    'mkdocs.yml': 'site_name: S\n',
    'docs/a.md': page('title: A', '::: core\n    options:\n        show_source: false\n'),
    'docs/b.md': page('title: B', '::: warning\nText.\n:::\n'),
  });
  expect(loaded.messages.join('\n')).toContain('`::: core`');
  expect(loaded.messages.filter((message) => message.includes('mkdocstrings'))).toHaveLength(1);
});

test('lists of attributes and icons are no words that a page loses', async () => {
  const item = (name: string): string =>
    `- [:octicons-home-16:](https://${name}.example){ .card-link title="A long tooltip about ${name} for those who point there" }\n`;
  const loaded = await mkdocs({
    'a.md': page('title: A', ['one', 'two', 'three', 'four', 'five', 'six'].map(item).join('')),
  });
  expect(loaded.messages).toEqual([]);
});

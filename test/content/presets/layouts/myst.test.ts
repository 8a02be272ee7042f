import { expect, test } from 'vitest';
import { page } from '../../support/support.ts';
import { NOTE, bodyOf, keysOf, linksOf, loader } from '../support/support.ts';

const myst = loader('myst');

test('Sphinx shows a picture in `_images` by its name, and files of `html_static_path` in `_static`', async () => {
  const loaded = await myst(
    {
      'conf.py': "extensions = ['myst_parser']\nhtml_static_path = ['_static', 'more/']\n",
      'guide/a.md':
        '# A\n\n![one](../images/one.png) ![two](../images/two.png) ![static](/_static/s.png) ![more](/more/x/m.svg) [file](../images/f.pdf) ![beside](../../one.png)\n',
      // Not the picture of this name that lies below the content.
      '../one.png': 'y',
      'images/one.png': 'x',
      'images/two.png': 'x',
      'guide/two.png': 'x',
      'images/f.pdf': 'x',
      '_static/s.png': 'x',
      'more/x/m.svg': 'x',
    },
    { assetsRootUrl: 'https://docs.acme.dev/help/' },
  );
  expect(linksOf(bodyOf(loaded, 'guide/a'))).toEqual([
    'https://docs.acme.dev/help/_images/one.png',
    '../images/two.png',
    'https://docs.acme.dev/help/_static/s.png',
    'https://docs.acme.dev/help/_static/x/m.svg',
    '../images/f.pdf',
    '../../one.png',
  ]);
});

test('exclude_patterns of conf.py leave pages out; toctrees give order, names and tree', async () => {
  const loaded = await myst({
    'conf.py':
      "extensions = ['myst_parser']\nexclude_patterns = [\n  'drafts',  # not 'yet'\n  \"**/inc_*\",\n 'page[12].md',\n]\nexclude_patterns += ['other']\ntemplates_path = ['_templates']\n",
    'index.md':
      '# Home\n\n```{toctree}\n:caption: Begin here\n:maxdepth: 2\n\nguide/index\nText <about>\n```\n\n:::{toctree}\nhttps://example.com\n:::\n',
    'guide/index.md': '# The guide\n\n```{toctree}\n:glob:\n\nb\n*\n```\n',
    'guide/a.md': '# A\n',
    'guide/b.md': '# B\n',
    'guide/inc_x.md': '# X\n',
    'drafts/d.md': '# D\n',
    '_templates/t.md': '# T\n',
    '_build/out.md': '# O\n',
    'about.md': '# About\n',
    'page1.md': '# One\n',
    'other/o.md': '# Other\n',
    'alone.md': '# Alone\n',
  });
  expect(loaded.messages).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/about@en',
    'article/alone@en',
    'article/guide/a@en',
    'article/guide/b@en',
    'article/home@en',
    'category/begin-here@en',
    'category/guide@en',
  ]);
  const at = (path: string): unknown => loaded.record('article', path).fields['categories'];
  expect([at('guide/a'), at('about'), at('alone')]).toEqual([
    ['category/guide'],
    ['category/begin-here'],
    undefined,
  ]);
  expect(loaded.record('article', 'guide/b').fields['ordering']).toBeLessThan(
    Number(loaded.record('article', 'guide/a').fields['ordering']),
  );
});

test('mystmd builds what `toc` lists; _toc.yml of Jupyter Book gives order alone', async () => {
  const files = { 'a.md': '# A\n', 'b.md': '# B\n', 'index.md': '# I\n' };
  const listed = await myst({
    ...files,
    'myst.yml':
      'project:\n  exclude: [b.md]\n  toc:\n    - file: index.md\n    - title: Part\n      children:\n        - file: a.md\n        - file: b.md\n',
  });
  expect(keysOf(listed)).toEqual(['article/a@en', 'article/home@en', 'category/part@en']);
  const book = await myst({
    ...files,
    '_toc.yml': 'format: jb-book\nroot: index\nparts:\n  - caption: One\n    chapters:\n      - file: a\n',
  });
  expect(keysOf(book)).toEqual(['article/a@en', 'article/b@en', 'article/home@en', 'category/one@en']);
});

test('what conf.py appends, what it includes, and what Jupyter Book builds of its table decide what is public', async () => {
  const files = { 'index.md': '# I\n', 'a.md': '# A\n', 'secret.md': '# S\n', 'draft.md': '# D\n' };
  const left = await myst({
    ...files,
    'conf.py':
      'exclude_patterns = []\nexclude_patterns.append("secret.md")\nexclude_patterns.insert(0, \'draft.md\')\n',
  });
  expect(keysOf(left)).toEqual(['article/a@en', 'article/home@en']);
  const included = await myst({ ...files, 'conf.py': "include_patterns = ['index.md', 'a*']\n" });
  expect(keysOf(included)).toEqual(['article/a@en', 'article/home@en']);
  const book = await myst({
    ...files,
    '_config.yml': 'only_build_toc_files: true\n',
    '_toc.yml': 'format: jb-book\nroot: index\nchapters:\n  - file: a\n',
  });
  expect(keysOf(book)).toEqual(['article/a@en', 'article/home@en']);
});

test('a directive with the name of what every object has is one that nobody knows', async () => {
  const text = '# A\n\n```{constructor} x\nKept words.\n```\n\n:::{__proto__}\nMore words.\n:::\n';
  const html = bodyOf(await myst({ 'a.md': text }), 'a');
  expect(html).not.toContain('native code');
  expect([html.includes('Kept words.'), html.includes('More words.')]).toEqual([true, true]);
});

test('directives in fences and colons are boxes, folds, tabs, cards, pictures and code', async () => {
  const loaded = await myst(
    {
      'a.md': [
        '# A',
        '```{note}\nOne.\n```',
        ':::{warning} Two\nthree.\n:::',
        '````{admonition} Mind\n:class: tip\n\n```{code-block} python\n:caption: a.py\n:linenos:\n\nprint(1)\n```\n````',
        '::::{tab-set}\n:::{tab-item} npm\nUse npm.\n:::\n:::{tab-item} pnpm\nUse pnpm.\n:::\n::::',
        ':::{dropdown} More\nFolded.\n:::',
        '::::{grid} 1 2\n:::{grid-item-card} Title\n:link: https://example.com/x\nText.\n:::\n::::',
        '```{figure} p.png\n:alt: A picture\n:name: fig-p\n\nThe caption.\n```',
        '```{image} p.png\n```',
        '```{versionadded} 2.0\nIt is new.\n```',
        '```{list-table} Sizes\n:header-rows: 1\n\n* - Name\n  - Size\n* - one\n  - 1 | 2\n```',
        '```{mermaid}\ngraph TD\n```',
        '```{toctree}\nb\n```\n\n% a comment\n\n+++\n\n```python\n{ref}`x`\n```\n',
      ].join('\n\n'),
      'p.png': 'x',
      'b.md': '# B\n',
    },
    { assetsBaseUrl: 'https://files.example.com/' },
  );
  expect(loaded.messages).toEqual([]);
  const html = bodyOf(loaded, 'a');
  expect(html).toContain(NOTE('<p>One.</p>'));
  expect(html).toContain('<p>Two\nthree.</p>');
  expect(html).toMatch(/Mind<\/p>[\s\S]*<strong>a\.py<\/strong>[\s\S]*language-python">print\(1\)\n<\/code>/);
  expect(html).toMatch(/<strong>npm<\/strong>[\s\S]*Use npm[\s\S]*<strong>pnpm<\/strong>/);
  expect(html).toContain('<summary>More</summary>');
  expect(html).toMatch(/<a href="https:\/\/example\.com\/x">Title<\/a>[\s\S]*Text\./);
  expect(html).toMatch(/id="fig-p"[\s\S]*alt="A picture"[\s\S]*The caption\./);
  expect(html).toContain('Added in version 2.0');
  expect(html).toMatch(/<th>Name<\/th>[\s\S]*<td>1 \| 2<\/td>/);
  expect(html).toContain('language-mermaid');
  expect(html).toContain('{ref}`x`');
  expect(html).not.toMatch(/:::|a comment|\+\+\+|toctree|linenos/);
});

test('attributes above a block of code are not shown', async () => {
  const loaded = await myst({
    'conf.py': "extensions = ['myst_parser']\n",
    'a.md': '# A\n\n{lineno-start=1 emphasize-lines="2"}\n```nix\nlet\n```\n',
  });
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'a')).toBe('<pre><code class="language-nix">let\n</code></pre>');
});

test('a toctree is shown where it stands, as a list of links, unless it is hidden or its page is the category of these pages', async () => {
  const loaded = await myst({
    'conf.py': "extensions = ['myst_parser']\nexclude_patterns = ['guide/draft*']\n",
    'index.md':
      '# Home\n\nRead on:\n\n```{toctree}\n:caption: Begin *here*\n:maxdepth: 1\n\nguide/index\nAbout us <about>\nNews <https://example.com/news>\nno/such\n```\n\n```{toctree}\n:hidden:\n\nalone\n```\n',
    'guide/index.md': '# The guide\n\nWhat it is.\n\n```{toctree}\na\nb\n```\n',
    'guide/a.md': '# A\n',
    'guide/b.md': '---\ntitle: Bee\n---\n',
    'guide/draft.md': '# Draft\n',
    'about.md': '# About\n',
    'alone.md': '# Alone\n',
    'apart.md': '# Apart\n\n:::{toctree}\n---\nglob: true\n---\nguide/*\n:::\n',
  });
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'home')).toBe(
    '<p>Read on:</p>\n<p><strong>Begin *here*</strong></p>\n<ul>\n<li><a href="/en/categories/guide">The guide</a></li>\n<li><a href="/en/articles/about">About us</a></li>\n<li><a href="https://example.com/news">News</a></li>\n</ul>',
  );
  expect(linksOf(bodyOf(loaded, 'apart'))).toEqual([
    '/en/articles/guide-a',
    '/en/articles/guide-b',
    '/en/categories/guide',
  ]);
  expect(loaded.record('category', 'guide').body?.render()).toBe('<p>What it is.</p>');
});

test('a toctree does not name pages that the table of contents leaves out', async () => {
  const loaded = await myst({
    '_config.yml': 'only_build_toc_files: true\n',
    '_toc.yml': 'format: jb-book\nroot: index\nchapters:\n- file: a\n',
    'index.md': '# Home\n\n```{toctree}\na\nplan\n```\n',
    'a.md': '# A\n',
    'plan.md': '# Secret plan\n',
  });
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'home')).toBe('<ul>\n<li><a href="/en/articles/a">A</a></li>\n</ul>');
});

test('roles, labels and links without a text show what they lead to', async () => {
  const loaded = await myst({
    'conf.py': "extensions = []\nmyst_substitutions = {\n  'tool': 'npm',\n}\n",
    'a.md': page(
      'myst:\n  substitutions:\n    own: mine',
      [
        '# A',
        '{ref}`part-two`, {ref}`there <part-two>`, [x](#part-two), [y](part-two), [](#part-two)',
        '{doc}`g/b`, {doc}`the page </g/b>`, [](g/b.md), <project:g/b.md>',
        '{kbd}`Ctrl-C` {sub}`2` {guilabel}`Save` {py:func}`~a.b.run` {term}`Word <w>` `{ref}`',
        '{{ tool }} and {{own}}, [z](https://example.com)',
        '(here)=\n## Here\n\n[up](#here)',
      ].join('\n\n'),
    ),
    'g/b.md': '# The *page* B\n\n(part-two)=\n\n## Part `two`\n',
  });
  expect(loaded.messages).toEqual([]);
  const html = bodyOf(loaded, 'a');
  const b = '/en/articles/g-b';
  expect(linksOf(html)).toEqual([
    ...Array.from({ length: 5 }, () => `${b}#part-two`),
    ...Array.from({ length: 4 }, () => b),
    'https://example.com',
    '#here',
  ]);
  expect(html).toContain(`<a href="${b}#part-two">Part two</a>, <a href="${b}#part-two">there</a>`);
  expect(html).toContain(`<a href="${b}">The page B</a>`);
  expect(html).toContain(
    '<kbd>Ctrl-C</kbd> <sub>2</sub> <strong>Save</strong> <code>run</code> Word <code>{ref}</code>',
  );
  expect(html).toContain('npm and mine');
});

test('files are taken in by parts; a directive that needs Python is named and stays code', async () => {
  const loaded = await myst({
    'a.md':
      '# A\n\n```{include} parts/p.md\n:start-after: <!-- from -->\n:end-before: <!-- to -->\n```\n\n```{literalinclude} x.py\n:lines: 2-\n```\n\n```{eval-rst}\n.. autofunction:: x\n```\n\n```{include} none.md\n```\n',
    'parts/p.md': 'No.\n<!-- from -->\nYes **it** is.\n<!-- to -->\nNo.\n',
    'x.py': 'a = 1\nb = 2\n',
  });
  expect(loaded.problems.map(({ code }) => code)).toEqual(['unknown-component', 'include-failed']);
  const html = bodyOf(loaded, 'a');
  expect(html).toContain('<p>Yes <strong>it</strong> is.</p>');
  expect(html).toContain('language-python">b = 2\n</code>');
  expect(html).toContain('<code>.. autofunction:: x\n</code>');
});

test('pages of nothing but roles and of directives without an end are read', async () => {
  const loaded = await myst({
    'a.md': `# A\n\n${'{kbd}`a` '.repeat(5_000)}\n`,
    'b.md': `# B\n\n${':::{note}\n'.repeat(500)}`,
    'c.md': `# C\n\n${'```{tip}\n'.repeat(500)}`,
    'd.md': `# D\n\n${'[a '.repeat(3_000)}${'{x}`'.repeat(3_000)}`,
  });
  expect(keysOf(loaded)).toContain('article/a@en');
});

test('labels may have colons and slashes; objects of code keep their text; a substitution is MyST', async () => {
  const loaded = await myst({
    'conf.py': "extensions = []\nmyst_substitutions = {'role': '[role](#syntax/roles)'}\n",
    'a.md':
      '# A\n\n[one](howto:rest) [two](syntax/roles) {{role}} [](#Spawner.start) [db](Hub.db) [x](inv:py#y) [z](https://example.com/a)\n',
    'b.md': '# B\n\n(howto:rest)=\n\n## One\n\n(syntax/roles)=\n## Two\n',
  });
  expect(loaded.messages).toEqual([]);
  const html = bodyOf(loaded, 'a');
  expect(linksOf(html)).toEqual([
    '/en/articles/b#howto:rest',
    '/en/articles/b#syntaxroles',
    '/en/articles/b#syntaxroles',
    'https://example.com/a',
  ]);
  expect(html).toContain('<code>Spawner.start</code> db x <a');
});

test('attributes behind a link, a code or a picture are none of the text where conf.py turns them on', async () => {
  const text = '# A\n\n[z](https://example.com){.external #there} and `x`{.py}, [here](#there)\n';
  const on = await myst({
    'conf.py': "extensions = []\nmyst_enable_extensions = ['attrs_inline']\n",
    'a.md': text,
  });
  expect(on.messages).toEqual([]);
  expect(bodyOf(on, 'a')).toContain(
    '<a href="https://example.com">z</a><a id="there"></a> and <code>x</code>, <a href="#there">here</a>',
  );
  const off = await myst({ 'conf.py': 'extensions = []\n', 'a.md': text });
  expect(bodyOf(off, 'a')).toContain('{.external #there}');
  const bare = await myst({
    'conf.py': "extensions = []\nmyst_enable_extensions = ['attrs_inline', 'dollarmath']\n",
    'a.md': '# A\n\n[z](https://example.com){a=b} `x`{l=py} f(x){a=b} $\\xrightarrow[k]{t=0}$\n',
  });
  expect(bodyOf(bare, 'a')).toBe(
    '<p><a href="https://example.com">z</a> <code>x</code> f(x){a=b} <span class="math inline">\\(\\xrightarrow[k]{t=0}\\)</span></p>',
  );
});

test('substitutions may stand in files of YAML that conf.py loads', async () => {
  const loaded = await myst({
    'conf.py':
      "extensions = []\nmyst_substitutions = {}\nif os.path.exists('./reuse/words.yaml'):\n    with open('./reuse/words.yaml', 'r') as fd:\n        myst_substitutions.update(yaml.safe_load(fd.read()))\n",
    'reuse/words.yaml': '{more: "How to:\\n\\n- {ref}`two`",\nversion: 5.21}\n',
    'a.md': '# A\n\n(two)=\n## Two\n\nVersion {{version}}.\n\n{{more}}\n',
  });
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'a')).toContain(
    '<p>Version 5.21.</p>\n<p>How to:</p>\n<ul>\n<li><a href="#two">Two</a></li>\n</ul>',
  );
});

test('an unknown directive with fences inside ends where it ends, and cells of a table are MyST', async () => {
  const loaded = await myst(
    {
      'a.md':
        '# A\n\n:::{example}\n`````{note}\n````{tip}\nText.\n````\n`````\n:::\n\n(after)=\n\n## After\n\n[](#after)\n\n```{list-table}\n:header-rows: 1\n\n* - Name\n  - See\n* - b\n  - [](#other) {kbd}`x`\n```\n',
      'b.md': '# B\n\n(other)=\n\n## Other\n\n+++ {"label": "block"}\n\nText.\n',
      'c.md': '# C\n\n![](#block) ![](#other)\n',
    },
    { components: { example: 'keep' } },
  );
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'a')).toContain('<a href="#after">After</a>');
  expect(bodyOf(loaded, 'a')).toContain('<td><a href="/en/articles/b#other">Other</a> <kbd>x</kbd></td>');
  expect(linksOf(bodyOf(loaded, 'c'))).toEqual(['/en/articles/b#block', '/en/articles/b#other']);
});

test('a pattern that is empty or one slash leaves nothing out', async () => {
  const loaded = await myst({
    'conf.py': "extensions = ['myst_parser']\nexclude_patterns = ['/', './', 'gone']\n",
    'a.md': '# A\n',
    'gone/b.md': '# B\n',
  });
  expect(keysOf(loaded)).toEqual(['article/a@en']);
});

test('options behind the name of a directive are none of its title; a cell of another notebook stays code', async () => {
  const loaded = await myst({
    'a.md':
      '# A\n\n:::{note .wide #here icon=false} Time to learn\nText.\n:::\n\n```{tip open="no"}\nMore.\n```\n\n[Up](#here)\n\n```{python echo=false}\nx = 1\n```\n',
  });
  expect(loaded.places).toEqual([]);
  const html = bodyOf(loaded, 'a');
  expect(html).toContain(NOTE('<p>Time to learn\nText.</p>'));
  expect(html).toContain('<a id="here"></a>');
  expect(html).toContain('<p class="admonition-title">Tip</p>');
  expect(html).toContain('x = 1\n</code>');
});

test('code with backticks in its caption stays code, a frame becomes a link, a name with a dot is no file', async () => {
  const loaded = await myst({
    'a.md': page(
      'title: A',
      '```{code} yaml\n:caption: The `x.yml`.\n:name: code:x\n\n# no heading\n```\n\n:::{iframe} https://example.com/film\nA *film*.\n:::\n\n[b](hub.extraConfig) [x](#code:x)\n',
    ),
    'b.md': page('title: B'),
  });
  const html = bodyOf(loaded, 'a');
  expect(html).toContain('# no heading\n</code>');
  expect(html).toContain('<a href="https://example.com/film">https://example.com/film</a>');
  expect(html).toContain('<em>film</em>');
  expect(loaded.places.filter((place) => /dead-/.test(place))).toEqual([]);
});

test('the argument of a box is its title in mystmd, and the beginning of its text in Sphinx', async () => {
  const body = page('title: A', ':::{important} Objective\nText.\n:::\n');
  const mystmd = bodyOf(await myst({ 'a.md': body, 'myst.yml': 'version: 1\n' }), 'a');
  expect(mystmd).toContain('<p class="admonition-title">Objective</p>\n<p>Text.</p>');
  const sphinx = bodyOf(await myst({ 'a.md': body, 'conf.py': 'extensions = ["myst_parser"]\n' }), 'a');
  expect(sphinx).toContain('<p>Objective\nText.</p>');
});

test('exercises, solutions and proofs are boxes with their names; hidden ones are not published', async () => {
  const body =
    '```{prf:theorem} (Orthogonal basis)\n:label: thm\n\nText.\n```\n\n```{prf:proof}\nSo.\n```\n\n```{exercise}\n:label: ex\n\nDo it.\n```\n\n' +
    '```{solution} ex\n:class: dropdown\n\nDone.\n```\n\n```{exercise-start} Again\n:label: two\n```\n\n:::{tip}\nTry.\n:::\n\n```python\nx = 1\n```\n\n```{exercise-end}\n```\n\n' +
    '```{solution-start} two\n:class: dropdown\n```\n\nThere.\n\n```{solution-end}\n```\n\n```{exercise}\n:hidden:\n\nSecret.\n```\n\nEnd.\n';
  const loaded = await myst({ 'a.md': page('title: A', body) });
  expect(loaded.places).toEqual([]);
  const html = bodyOf(loaded, 'a');
  expect(html).toContain(`<a id="thm"></a></p>\n${NOTE('<p>Text.</p>', 'Theorem (Orthogonal basis)')}`);
  expect(html).toContain(NOTE('<p>So.</p>', 'Proof'));
  expect(html).toContain(NOTE('<p>Do it.</p>', 'Exercise'));
  expect(html).toContain('<details><summary>Solution</summary>\n<p>Done.</p>\n</details>');
  expect(html).toContain(
    NOTE(
      `${NOTE('<p>Try.</p>', 'Tip', 'tip')}\n<pre><code class="language-python">x = 1\n</code></pre>`,
      'Exercise (Again)',
    ),
  );
  expect(html).toContain('<details><summary>Solution</summary>\n<p>There.</p>\n</details>');
  expect(html).not.toMatch(/Secret|:::/);
});

test('solutions that the settings hide are not published, and a hidden pair stops its page', async () => {
  const conf = { '_config.yml': 'sphinx:\n  config:\n    hide_solutions: true\n', '_toc.yml': 'root: a\n' };
  const loaded = await myst({
    ...conf,
    'a.md': page('title: A', 'Begin.\n\n```{solution} ex\n\nSecret.\n```\n\nEnd.\n'),
  });
  expect(bodyOf(loaded, 'a')).toBe('<p>Begin.</p>\n<p>End.</p>');
  const pair = await myst({
    'a.md': page('title: A', '```{exercise-start}\n:hidden:\n```\n\nSecret.\n\n```{exercise-end}\n```\n'),
  });
  expect(pair.places.filter((place) => place.includes('unknown-component'))).toHaveLength(1);
});

import { expect, test } from 'vitest';
import { page } from '../../support/support.ts';
import { NOTE, bodyOf, keysOf, linksOf, loader } from '../support/support.ts';

const jekyll = loader('jekyll');

test('pages, posts, drafts and collections are articles; the system’s own files are none', async () => {
  const loaded = await jekyll({
    'index.md': page('title: Home'),
    'guides/first-steps.md': page('nav_order: 2\ncategories: [How to]'),
    '_posts/2024-05-06-big-news.md': page('tags: [News]'),
    '_drafts/soon.md': page('title: Soon'),
    '_docs/install.md': page('title: Install\npublished: false'),
    '_docs/fr/install.md': page('title: Installer'),
    '_includes/x.md': 'Part.\n',
    '_layouts/page.html': '<html>',
    'README.md': 'For people.\n',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/docs/install@en',
    'article/docs/install@fr',
    'article/drafts/soon@en',
    'article/guides/first-steps@en',
    'article/home@en',
    'article/posts/big-news@en',
    'category/docs@en',
    'category/drafts@en',
    'category/how-to@en',
    'category/posts@en',
    'tag/news@en',
  ]);
  expect(loaded.record('article', 'guides/first-steps').fields).toMatchObject({
    title: 'First steps',
    ordering: 2,
    categories: ['category/how-to'],
  });
  expect(loaded.record('article', 'posts/big-news').fields).toMatchObject({ title: 'Big news' });
  expect(loaded.record('article', 'docs/install').fields).toMatchObject({ status: 'draft' });
  expect(loaded.record('article', 'drafts/soon').fields).toMatchObject({ status: 'draft' });
});

test('Liquid: links, raw text, code and comments are known; the rest is a problem at its place', async () => {
  const loaded = await jekyll({
    'a.md': page(
      'title: A',
      '[1]({% link _docs/b.md %}) [2]({{ site.baseurl }}{% post_url 2024-05-06-news %}) [3]({{ "/docs/b" | relative_url }})\n\n{% raw %}{{ kept }}{% endraw %}\n\n{% highlight ruby %}\nputs 1\n{% endhighlight %}\n\n{% comment %}gone{% endcomment %}\n\n{% include box.html text="x" %} {{ page.title }}\n',
    ),
    '_docs/b.md': page('title: B'),
    '_posts/2024-05-06-news.md': page('title: News'),
  });
  expect(loaded.places).toEqual(['content/a.md:14:1 unknown-component']);
  const html = bodyOf(loaded, 'a');
  expect(linksOf(html)).toEqual(['/en/articles/docs-b', '/en/articles/posts-news', '/en/articles/docs-b']);
  expect(html).toContain('<p>{{ kept }}</p>\n<pre><code class="language-ruby">puts 1\n</code></pre>');
  expect(html).not.toContain('gone');
});

test('an include has its rule by the name of its file', async () => {
  const loaded = await jekyll(
    { 'a.md': page('title: A', '{% include youtube.html id="abc" %}\n') },
    { components: { 'youtube.html': { replace: '<https://youtu.be/{id}>' } } },
  );
  expect(loaded.places).toEqual([]);
  expect(linksOf(bodyOf(loaded, 'a'))).toEqual(['https://youtu.be/abc']);
});

test('a class of a box above a paragraph or a quote makes it one; other attribute lists go', async () => {
  const loaded = await jekyll({
    'a.md': page(
      'title: A',
      '# Head\n{: .no_toc }\n\n{: .warning }\nHot.\nStill.\n\n{: .note }\n> Quoted.\n\n[x](https://x.test){:target="_blank"}\n',
    ),
  });
  expect(bodyOf(loaded, 'a')).toBe(
    `<h1 id="head">Head</h1>\n${NOTE('<p>Hot.\nStill.</p>', 'Warning', 'warning')}\n${NOTE('<p>Quoted.</p>')}\n<p><a href="https://x.test">x</a></p>`,
  );
});

test('a folder of a collection is a language if a page of that collection stands in it too', async () => {
  const loaded = await jekyll({
    '_monitor/index.md': page('title: Monitor', 'M.\n'),
    '_monitor/pa/index.md': page('title: Analyzer', 'P.\n'),
    '_monitor/pa/api.md': page('title: API', 'P.\n'),
    '_monitor/fr/setup.md': page('title: Installer', 'F.\n'),
    '_monitor/setup.md': page('title: Set up', 'S.\n'),
    '_ops/api.md': page('title: Ops API', 'O.\n'),
    '_ops/ne/api.md': page('title: Network', 'O.\n'),
    '_net/ne/lines.md': page('title: Lines', 'N.\n'),
    '_net/start.md': page('title: Start', 'N.\n'),
  });
  const articles = [...loaded.records.values()].filter(({ kind }) => kind === 'article');
  expect(articles.map(({ at, lang }) => `${at.file.replace('content/', '')} ${lang}`).sort()).toEqual([
    '_monitor/fr/setup.md fr',
    '_monitor/pa/api.md en',
    '_monitor/setup.md en',
    '_net/ne/lines.md en',
    '_net/start.md en',
    '_ops/api.md en',
    '_ops/ne/api.md ne',
  ]);
  expect(loaded.languages).toEqual(['en', 'fr', 'ne']);
});

test('a mapping of data is sorted as pairs of key and value', async () => {
  const loaded = await jekyll({
    '_data/parts/b.yml': 'name: Two\n',
    '_data/parts/a.yml': 'name: One\n',
    'a.md': page(
      'title: A',
      '{% assign parts = site.data.parts | sort %}{% for part in parts %}{{ part[0] }} {{ part[1].name }}. {% endfor %}\n',
    ),
  });
  expect(loaded.places).toEqual([]);
  expect(bodyOf(loaded, 'a')).toBe('<p>a One. b Two.</p>');
});

test('a part shows code that a page captured, by `highlight`, with its blank lines', async () => {
  const loaded = await jekyll({
    '_data/code.yml': 'langs:\n  - {id: py, name: Python}\n  - {id: rb, name: Ruby}\n',
    '_includes/tabs.html':
      '<div class="tabs">\n  {% for lang in site.data.code.langs %}\n    {% assign its = include[lang.id] %}\n    {% if its != nil %}\n      <p>{{ lang.name }}</p>\n\n      {%- case lang.id -%}{%- when "py" -%}{% highlight python %}{{ its | strip }}{% endhighlight -%}{%- else -%}{% highlight text %}{{ its | strip }}{% endhighlight -%}{%- endcase -%}\n    {% endif %}\n  {% endfor %}\n</div>\n',
    'a.md': page(
      'title: A',
      '{% capture one %}\nif a < b:\n\n    {% raw %}print("{{ x }}"){% endraw %}\n{% endcapture %}\n\n{% include tabs.html\n    py=one %}\n\nAfter.\n\n{% highlight ruby %}\nputs {{ page.title }}\n{% endhighlight %}\n',
    ),
  });
  expect(loaded.places).toEqual([]);
  expect(bodyOf(loaded, 'a')).toBe(
    '<div class="tabs">\n<p>Python</p><pre><code class="language-python">if a &lt; b:\n\n    print("{{ x }}")\n</code></pre>\n</div>\n<p>After.</p>\n<pre><code class="language-ruby">puts A\n</code></pre>',
  );
});

test('extensions of kramdown: what is inside comes as it is, or not at all', async () => {
  const loaded = await jekyll({
    'a.md': page(
      'title: A',
      '{::options parse_block_html="true" /}\n\n{::nomarkdown}<img src="https://x.test/i.png" alt="i">{:/} **Note** it.\n\nOne {::comment}not shown{:/comment} two.\n\n{::comment}\nNor this.\n{:/}\n\n```\n{::nomarkdown}\n```\n',
    ),
  });
  expect(loaded.places).toEqual([]);
  expect(bodyOf(loaded, 'a')).toBe(
    '<p><img src="https://x.test/i.png" alt="i" /> <strong>Note</strong> it.</p>\n<p>One  two.</p>\n<pre><code>{::nomarkdown}\n</code></pre>',
  );
});

test('tables of kramdown: the line below the heads may have other columns, and a table needs no heads', async () => {
  const loaded = await jekyll({
    'a.md': page(
      'title: A',
      '| A | B |\n|:---|:---|---|\n| 1 | 2 |\n\n| C | `x|y` | D |\n|---+:--|\n| 3 | 4 | 5 |\n\n| 6 | 7 |\n| 8 | 9 |\n\n```\n| a | b |\n|---|\n```\n',
    ),
  });
  const html = bodyOf(loaded, 'a');
  const cells = [...html.matchAll(/<t([hd])[^>]*>(.*?)<\/t/g)].map(([, kind, text]) => `${kind}:${text}`);
  expect(cells).toEqual(
    'h:A h:B d:1 d:2 h:C h:<code>x|y</code> h:D d:3 d:4 d:5 h: h: d:6 d:7 d:8 d:9'.split(' '),
  );
  expect(html).toContain('<pre><code>| a | b |\n|---|\n</code></pre>');
});

test('tables of kramdown need no signs at the ends of their rows; longer rows, lines between rows, and text with signs', async () => {
  const loaded = await jekyll({
    'a.md': page(
      'title: A',
      'A | B | C\n:--- | ---: : :---\n1 | 2 | 3\n\n{:.left}\nM|N\n1|`a|b`\n\n| D |\n|---|\n| 4 | 5 |\n|===|\n| 6 | 7 |\n{: .x }\n\nText with a | sign.\n\nText with a | sign\nand a second line.\n\n- x | y\n- z | w\n',
    ),
  });
  const html = bodyOf(loaded, 'a');
  const cells = [...html.matchAll(/<t([hd])[^>]*>(.*?)<\/t/g)].map(([, kind, text]) => `${kind}:${text}`);
  expect(cells).toEqual(
    'h:A h:B h:C d:1 d:2 d:3 h: h: d:M d:N d:1 d:<code>a|b</code> h:D h: d:4 d:5 d:6 d:7'.split(' '),
  );
  expect(html).toContain('<p>Text with a | sign.</p>');
  expect(html).toContain('<p>Text with a | sign\nand a second line.</p>');
  expect(html).toContain('<li>x | y</li>');
});

test('a list in whose place kramdown puts the contents goes, and so does its heading if nothing else is below it', async () => {
  const loaded = await jekyll({
    'a.md': page(
      'title: A',
      'Text.\n\n## Table of contents\n{: .no_toc .text-delta }\n\n1. TOC\n{:toc}\n\n---\n\n## One\n\nMore.\n',
    ),
    'b.md': page(
      'title: B',
      '## On this page\n\n* contents\n{: toc max_level=2 }\n\nText below.\n\n- Kept\n{: .wide }\n',
    ),
  });
  expect(loaded.places).toEqual([]);
  expect(bodyOf(loaded, 'a')).toBe('<p>Text.</p>\n<hr>\n<h2 id="one">One</h2>\n<p>More.</p>');
  expect(bodyOf(loaded, 'b')).toBe(
    '<h2 id="on-this-page">On this page</h2>\n<p>Text below.</p>\n<ul>\n<li>Kept</li>\n</ul>',
  );
});

test.each([
  [
    'a heading below a tag of a line',
    'Text.\n\n<br>\n### Head\n',
    '<p>Text.</p>\n<br />\n<h3 id="head">Head</h3>',
  ],
  [
    'text below pictures',
    '<img src="https://x.test/a.png">\n<img src="https://x.test/b.png">\n**Bold**\n',
    '<strong>Bold</strong>',
  ],
  [
    'text below a block of HTML',
    '<h4>Head</h4>\nSee [x](https://x.test).\n',
    '<a href="https://x.test">x</a>',
  ],
])('HTML ends where kramdown has it: %s', async (_, body, shown) => {
  const loaded = await jekyll({ 'a.md': page('title: A', body) });
  expect(bodyOf(loaded, 'a')).toContain(shown);
});

test('an element of HTML goes on behind an empty line, however deep its lines are', async () => {
  const loaded = await jekyll({
    'a.md': page(
      'title: A',
      '<div>\n  <ul>\n\n    <li>One</li>\n\n      <li>\n        Two\n      </li>\n  </ul>\n</div>\n\n    code\n',
    ),
  });
  const html = bodyOf(loaded, 'a');
  expect(html).toMatch(/<ul>\s*<li>One<\/li>\s*<li>\s*Two\s*<\/li>\s*<\/ul>/);
  expect(html).toContain('<pre><code>code\n</code></pre>');
});

test('text below an element inside another one is HTML, as in kramdown', async () => {
  const loaded = await jekyll({ 'a.md': page('title: A', '<div>\n<p>One.</p>\n*Two*\n</div>\n') });
  expect(bodyOf(loaded, 'a')).toContain('*Two*');
});

test('links from the root find pages by their permalinks and old addresses', async () => {
  const loaded = await jekyll({
    'a.md': page('title: A', '[1](/help/b/) [2](/old.html#x) [3](/help/nowhere/) [4](/fr/help/b)\n'),
    '_docs/b.md': page(
      'title: B\npermalink: /help/b/\nredirect_from: [/old.html, "/posts/:title"]',
      '## X\n',
    ),
    'fr/a.md': page('title: A fr', '[1](/help/b/)\n'),
    '_docs/fr/b.md': page('title: B fr\npermalink: /help/b/'),
  });
  expect(loaded.places).toEqual(['content/a.md:4:32 outside-link']);
  expect(linksOf(bodyOf(loaded, 'a'))).toEqual([
    '/en/articles/docs-b',
    '/en/articles/docs-b#x',
    '/help/nowhere/',
    '/fr/articles/docs-b',
  ]);
  expect(linksOf(bodyOf(loaded, 'a', 'fr'))).toEqual(['/fr/articles/docs-b']);
});

test('the text of an element with `markdown="1"` is Markdown, whatever its indent', async () => {
  const loaded = await jekyll({
    'a.md': page(
      'title: A',
      `Before.

<aside markdown="1" class="quote">
  <img src="https://a.example/a.png" alt="face">
  I **did** it.
  <p markdown="1" class="credit">
— Ann, ["Tips"](https://a.example/tips)
  </p>
</aside>

* One

  <div markdown="1">
  Still *in* the list.
  </div>
* Two

<div markdown="0">**raw**</div>
`,
    ),
  });
  expect(loaded.places).toEqual([]);
  const html = bodyOf(loaded, 'a');
  expect(html).toMatch(/<p><img [^>]*alt="face"[^>]*>\s+I <strong>did<\/strong> it\.<\/p>/);
  expect(html).toMatch(/— Ann, <a href="https:\/\/a\.example\/tips">.Tips.<\/a>/);
  expect(html).toMatch(
    /<li>\s*<p>One<\/p>\s*<div>\s*<p>Still <em>in<\/em> the list\.<\/p>\s*<\/div>\s*<\/li>/,
  );
  expect(html).toContain('**raw**');
});

test('Liquid that other pages, the clock or a plugin decide stays a problem; a rule of the user goes before a value', async () => {
  const loaded = await jekyll(
    {
      '_config.yml': 'version: 4\nname: Site\n',
      'a.md': page(
        'title: A',
        '{{ site.time }} {{ site.version }} {{ site.name }} {{ site.none }}\n\n{% for post in site.posts %}{{ post.title }}{% endfor %}\n\n{% assign x = site.posts | where: "a", "b" %}{{ x.size }}\n\n{% if site.github.fork %}fork {{ site.version }}{% endif %}\n',
      ),
    },
    { components: { 'site.name': { replace: 'Ours' } } },
  );
  expect(loaded.problems.map((problem) => ('name' in problem ? problem.name : problem.code))).toEqual([
    'site.time',
    'site.none',
    'for',
    'post.title',
    'assign',
    'x.size',
    'if',
  ]);
  expect(loaded.problems).toContainEqual(
    expect.objectContaining({ name: 'assign', shown: '{% assign x = site.posts | where: "a", "b" %}' }),
  );
  expect(bodyOf(loaded, 'a')).toContain(' 4 Ours ');
});

test('parts of HTML, data and conditions become text; what a value says is no Liquid', async () => {
  const loaded = await jekyll({
    '_config.yml': 'data_dir: facts\n',
    'facts/tools.json': '[{ "name": "{{ saw }}" }]',
    '_includes/box.html':
      '<div>\n\n    <b>{{ include.text }}</b>\n  {% if include.more %}more{% endif %}\n</div>\n',
    '_includes/run.html': '<script>1</script>',
    'a.md': page(
      'title: A',
      '{% include box.html text="x" %}\n\n{% for tool in site.data.tools %}{{ tool.name }}{% endfor %}\n\n{% include run.html %}\n',
    ),
  });
  expect(loaded.places).toEqual(['content/a.md:8:1 unknown-component']);
  expect(bodyOf(loaded, 'a')).toContain('<b>x</b>');
  expect(bodyOf(loaded, 'a')).toContain('<p>{{ saw }}</p>');
});

test('loops in loops end', async () => {
  const loop = (name: string): string => `{% for ${name} in (1..999) %}`;
  const loaded = await jekyll({
    'a.md': page('title: A', `${loop('a')}${loop('b')}${loop('c')}.${'{% endfor %}'.repeat(3)}\n`),
  });
  expect(loaded.places).toContain('content/a.md:4:1 unknown-component');
});

test('an id of an attribute list is a place in the page, also of a paragraph or a table', async () => {
  const loaded = await jekyll({
    'a.md': page(
      'title: A',
      '[1](#one) [2](#two) [3](#three)\n\nText.\n{: #one}\n\n| a |\n|---|\n| b |\n{: #two .wide}\n\n{: #three}\nMore.\n',
    ),
  });
  expect(loaded.places).toEqual([]);
  expect(bodyOf(loaded, 'a')).toContain('</table>');
  expect(bodyOf(loaded, 'a')).not.toContain('<td><a');
});

test('posts of one name: the first keeps it, later ones keep their dates, translations go by the date', async () => {
  const loaded = await jekyll({
    '_posts/2013-08-29-call.md': page('title: A'),
    '_posts/2016-08-26-call.md': page('title: B'),
    'fr/_posts/2016-08-26-call.md': page('title: B fr'),
    'fr/index.md': page('title: fr'),
    'index.md': page('title: en'),
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual(
    expect.arrayContaining([
      'article/posts/call@en',
      'article/posts/2016-08-26-call@en',
      'article/posts/2016-08-26-call@fr',
    ]),
  );
});

test('of a key that is written twice the last one counts, as in Ruby', async () => {
  const loaded = await jekyll({
    'a.md': page('title: First\nnav_order: 2\ntitle: Last', '{{ page.title }}\n'),
  });
  expect(loaded.places).toEqual([]);
  expect(loaded.record('article', 'a').fields).toMatchObject({ title: 'Last', ordering: 2 });
  expect(bodyOf(loaded, 'a')).toContain('<p>Last</p>');
});

test('parts and loops share names as in Liquid; what may be set or not is unknown', async () => {
  const loaded = await jekyll({
    '_includes/names.html': '{% assign said = "from the part" %}',
    'a.md': page(
      'title: A',
      [
        '{% include names.html %}{{ said }}',
        '{% assign all = "a,b" | split: "," %}{% for x in all %}{% for y in all limit: 1 %}{{ x }}{{ y }}{% endfor %}{% unless forloop.last %}; {% endunless %}{% endfor %}',
        '{% assign mark = "old" %}{% if site.github.fork %}{% assign mark = "new" %}{% endif %}{{ mark }}',
        '{% assign last = "old" %}{% for x in all %}{% assign last = x %}{% plugin %}{% endfor %}{{ last }}',
        '{{ "a b" | url_encode }} {{ "😀" | truncate: 1, "" | url_encode }}',
      ].join('\n\n'),
    ),
  });
  expect(loaded.problems.map((problem) => ('name' in problem ? problem.name : problem.code))).toEqual([
    'if',
    'mark',
    'for',
    'assign',
    'plugin',
    'last',
  ]);
  const html = bodyOf(loaded, 'a');
  for (const text of ['from the part', 'aa; ba', 'a+b %EF%BF%BD']) expect(html).toContain(`<p>${text}</p>`);
});

test('texts that grow without an end stop, and so do data that hold themselves', async () => {
  const grow = (times: number): string =>
    `{% assign s = "xxxxxxxxxx" %}{% for i in (1..${times}) %}{% assign s = s | append: s %}{% endfor %}`;
  const loaded = await jekyll({
    '_data/ring.yml': 'a: &a [1, *a]\n',
    'a.md': page(
      'title: A',
      `${grow(60)}{{ s }}\n\n${grow(13)}{% assign s = s | replace: "x", s %}{{ s }}\n\n{{ site.data.ring.a }}\n`,
    ),
  });
  expect(loaded.problems.map((problem) => ('name' in problem ? problem.name : problem.code))).toEqual([
    'for',
    'assign',
    's',
    'assign',
    's',
    'site.data.ring.a',
  ]);
});

test('names of data files and of parts lead nowhere else', async () => {
  const loaded = await jekyll({
    '_data/__proto__/polluted.yml': 'yes it is\n',
    '_data/tools.yml': 'name: saw\n',
    '_data/tools/__proto__/polluted.yml': 'yes it is\n',
    'secret.txt': 'Secret.\n',
    '_includes/in.html': 'In.\n',
    'a.md': page('title: A', '{{ site.data.tools.name }}\n\n{% include {{ "../secret.txt" }} %}\n'),
  });
  expect(Reflect.get({}, 'polluted')).toBe(undefined);
  expect(bodyOf(loaded, 'a')).toContain('<p>saw</p>');
  expect(loaded.places).toEqual(['content/a.md:6:1 unknown-component']);
});

test('a post is named without its extension, and an include between `raw` is shown as it is', async () => {
  const loaded = await jekyll({
    'a.md': page(
      'title: A',
      '[1]({% post_url 2024-05-06-news %})\n\n{% raw %}`{% include gone.md %}`{% endraw %}\n',
    ),
    '_posts/2024-05-06-news.markdown': page('title: News', 'Text.\n'),
  });
  expect(loaded.places).toEqual([]);
  expect(loaded.record('article', 'a').body?.render()).toBe(
    '<p><a href="/en/articles/posts-news">1</a></p>\n<p><code>{% include gone.md %}</code></p>',
  );
});

test('no heading is missed on a page whose include is not there', async () => {
  const { places } = await jekyll({
    'a.md': page('title: A', '{% include gone.md %}\n\n[1](#made)\n'),
  });
  expect(places).toEqual(['content/a.md:4:1 include-failed']);
});

test('a collection that is called by a language holds translations of the others', async () => {
  const loaded = await jekyll({
    '_config.yml': `collections:
  tour: { output: true, permalink: '/:collection/:path.html' }
  books: { output: true, permalink: '/book/:path.html' }
  fr: { output: true, permalink: '/:collection/:path.html' }
  ui: { output: true }
`,
    '_tour/basics.md': page('title: Basics'),
    '_fr/tour/basics.md': page('title: Bases', '[types](types.html) [en](/tour/types.html)\n'),
    '_fr/tour/types.md': page('title: Types'),
    '_tour/types.md': page('title: Types'),
    '_ui/page.md': page('title: Interface'),
    '_books/colours.md': page('title: Colours', '## Red\n'),
    '_fr/book/colours.md': page('title: Couleurs', '[rouge](/fr/book/colours.html#rouge)\n\n## Rouge\n'),
  });
  expect(loaded.places).toEqual(['content/_fr/book/colours.md:1:1 orphan-translation']);
  expect(keysOf(loaded).filter((key) => key.startsWith('article/'))).toEqual([
    'article/book/colours@fr',
    'article/books/colours@en',
    'article/tour/basics@en',
    'article/tour/basics@fr',
    'article/tour/types@en',
    'article/tour/types@fr',
    'article/ui/page@en',
  ]);
  expect(linksOf(bodyOf(loaded, 'tour/basics', 'fr'))).toEqual([
    '/fr/articles/tour-types',
    '/fr/articles/tour-types',
  ]);
});

test('kramdown asks for no blank around what is bold', async () => {
  const text =
    '**Note:**text, word**(more)**, **查询：**apply, **कंपनी,**सुनिश्चित. `**a:**b` and **as usual:** text, 2**(a), (b)** c.\n';
  const html = bodyOf(await jekyll({ 'a.md': page('title: A', text) }), 'a');
  expect(html).toContain('<strong>Note:</strong>text, word<strong>(more)</strong>');
  expect(html).toContain('<strong>查询：</strong>apply, <strong>कंपनी,</strong>सुनिश्चित');
  expect(html).toContain('<code>**a:**b</code> and <strong>as usual:</strong> text');
});

test('a file with front matter is a page, whatever its name; without it, texts of the repository are none', async () => {
  const loaded = await jekyll({
    '_config.yml': 'title: Site\n',
    'index.md': page('title: Home', '[Changes]({% link CHANGELOG.md %})\n'),
    'CHANGELOG.md': page('title: Changes', 'All of them.\n'),
    'CONTRIBUTING.md': '# For people\n',
    'README.md': '# For people\n',
  });
  expect(loaded.messages).toEqual([]);
  expect(keysOf(loaded)).toEqual(['article/CHANGELOG@en', 'article/home@en']);
});

test('a tag of a line of text begins a paragraph', async () => {
  const loaded = await jekyll({
    '_config.yml': 'title: Site\n',
    'a.md': page(
      'title: A',
      '<div class="code-example" markdown="1">\n<span class="fs-6">\n[Large](https://example.com/){: .btn }\n</span>\n\n</div>\n\n<span class="fs-3">\n**Bold**\n</span>\n',
    ),
  });
  expect(bodyOf(loaded, 'a')).toContain('<a href="https://example.com/">Large</a>');
  expect(bodyOf(loaded, 'a')).not.toContain('](');
});

test('the word `markdown` in a value of an attribute stays', async () => {
  const logo = '<img alt="The new markdown logo" src="https://example.com/a.png">';
  const loaded = await jekyll({
    'a.md': page(
      'title: A',
      `A ${logo} and <span title='a markdown text' markdown="1">*one*</span>.\n\n<div title="a markdown block">\nText\n</div>\n`,
    ),
  });
  const html = bodyOf(loaded, 'a');
  expect(html).toContain('alt="The new markdown logo"');
  expect(html).toContain('title="a markdown text"');
  expect(html).toContain('title="a markdown block"');
  expect(html).not.toContain('markdown="1"');
});

test('the page that hosts show for a missing one is none', async () => {
  const loaded = await jekyll({
    'a.md': page('title: A'),
    '404.md': page('title: Not found'),
    'lost.md': page('title: Lost\npermalink: /404.html'),
    'errors/404.md': page('title: What 404 means'),
  });
  expect(keysOf(loaded).filter((key) => key.startsWith('article'))).toEqual([
    'article/a@en',
    'article/errors/404@en',
  ]);
});

test('a loop over the pages of a collection is a list of them', async () => {
  const loop = (list: string): string =>
    `{% assign docs = ${list} %}\n{% for doc in docs %}\n* [{{doc.title}}]({{doc.url | relative_url}}){% endfor %}\n`;
  const files = {
    '_config.yml':
      'collections:\n  docs:\n    output: true\n  notes: {}\ndefaults:\n  - scope: { path: _docs/late }\n    values: { categories: assets, order: 9 }\n',
    'index.md': page('title: Home', loop('site.docs | where: "categories", "assets" | sort: "order"')),
    '_docs/a.md': page('title: Second\ncategories: assets\norder: 2'),
    '_docs/b.md': page('title: First\ncategories: assets\norder: 1'),
    '_docs/c.md': page('title: Other\ncategories: x\norder: 3'),
    '_docs/hidden.md': page('title: Hidden\npublished: false\ncategories: assets\norder: 0'),
    '_docs/late/more-of_it.md': page('nav: 1'),
  };
  const loaded = await jekyll(files);
  expect(loaded.messages).toEqual([]);
  expect(loaded.record('article', 'home').body?.render()).toBe(
    '<ul>\n<li><a href="/en/articles/docs-b">First</a></li>\n<li><a href="/en/articles/docs-a">Second</a></li>\n<li><a href="/en/articles/docs-late-more-of_it">More Of It</a></li>\n</ul>',
  );
  const unknown = async (list: string): Promise<readonly string[]> =>
    (await jekyll({ ...files, 'index.md': page('title: Home', loop(list)) })).messages;
  // Not published, made by a build, and no collection.
  expect(await unknown('site.notes')).not.toEqual([]);
  expect(await unknown('site.posts')).not.toEqual([]);
  expect(await unknown('site.docs | sort: "date"')).not.toEqual([]);
  const withHtml = await jekyll({ ...files, '_docs/page.html': '---\ntitle: P\n---\n' });
  expect(withHtml.messages).not.toEqual([]);
});

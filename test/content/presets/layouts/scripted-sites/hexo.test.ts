import { expect, test } from 'vitest';
import { bodyOf, keysOf, linksOf, loader } from '../../support/support.ts';

const hexo = loader('hexo');
const CONFIG = '../_config.yml';

test('posts are pages at the addresses of `permalink`; drafts, parts and what `skip_render` names are none', async () => {
  const loaded = await hexo({
    [CONFIG]:
      'url: https://blog.example.com\nroot: /b/\npermalink: :year/:month/:title/\nnew_post_name: :year-:month-:day-:title.md\nskip_render: "demo/*.md"\n',
    'index.md': '---\ntitle: Home\n---\n\n[1](/2026/01/first/) [2](/b/own/address/) [3](/2026/02/none/)\n',
    '_posts/2026-01-02-first.md': '---\ntitle: First\ndate: 2026-01-02 10:00:00\n---\n\nText.\n',
    '_posts/notes/second.md': '---\ntitle: Second\ndate: 2026-01-03\npermalink: own/address/\n---\n\nText.\n',
    '_posts/hidden.md': '---\ntitle: Hidden\npublished: false\n---\n\nText.\n',
    '_drafts/later.md': '---\ntitle: Later\n---\n\nText.\n',
    '_data/notes.md': '# None\n',
    'demo/raw.md': '# None\n',
  });
  expect(loaded.places).toEqual(['content/index.md:5:43 outside-link']);
  expect(keysOf(loaded)).toEqual([
    'article/home@en',
    'article/posts/2026-01-02-first@en',
    'article/posts/hidden@en',
    'article/posts/later@en',
    'article/posts/notes/second@en',
    'category/posts/notes@en',
    'category/posts@en',
  ]);
  for (const path of ['posts/hidden', 'posts/later'])
    expect(loaded.record('article', path).fields).toMatchObject({ status: 'draft' });
  expect(linksOf(bodyOf(loaded, 'home')).slice(0, 2)).toEqual([
    '/en/articles/posts-2026-01-02-first',
    '/en/articles/posts-notes-second',
  ]);
});

test('of `future: false` a post waits for its date; otherwise it is public before', async () => {
  const post = { '_posts/a.md': '---\ntitle: A\ndate: 2999-01-01 00:00:00\n---\n\nText.\n' };
  const hides = await hexo({ [CONFIG]: 'future: false\n', ...post });
  expect(hides.record('article', 'posts/a').fields).toMatchObject({ status: 'draft' });
  const shows = await hexo({ [CONFIG]: 'future: true\n', ...post });
  expect(shows.record('article', 'posts/a').fields).not.toHaveProperty('status');
});

test('the line above the keys may be missing; a text without keys is a text', async () => {
  const loaded = await hexo({
    'a.md': 'title: Set up\ntags:\n  - one\nslug_: x\n---\n\nText.\n\n[1](b#none)\n',
    'b.md': '# B\n\nNote: a line\n---\n\nMore.\n',
    // One way to read each line: with more, the time grows with the product of their lengths.
    'long.md': `Note: ${'a word and '.repeat(20)}\n${'some more words\n'.repeat(100)}\nText.\n`,
    'c.md': 'First: a sentence.\n\nSecond.\n\n---\n\nThird.\n',
  });
  expect(loaded.places).toEqual(['content/a.md:9:1 dead-anchor']);
  expect(loaded.record('article', 'a').fields).toMatchObject({ title: 'Set up' });
  expect(bodyOf(loaded, 'a')).not.toContain('title:');
  expect(bodyOf(loaded, 'b')).toContain('Note: a line');
});

test('ids of headings keep their capital letters', async () => {
  const body = bodyOf(await hexo({ 'a.md': '# A\n\n## Über & under (2.0)\n\n## `x.y`\n' }), 'a');
  expect(body).toContain('<h2 id="Uber-under-2-0">');
  expect(body).toContain('<h2 id="x-y">');
});

test('ids of headings have quotes and dashes as the renderer sets them, unless `smartypants` is off', async () => {
  const page = { 'a.md': '# A\n\n## What\'s "on" -- `--all` 한글 Łódź\n' };
  expect(bodyOf(await hexo(page), 'a')).toContain('<h2 id="What’s-“on”-–-all-한글-Lodz">');
  const plain = await hexo({ [CONFIG]: 'marked:\n  smartypants: false\n', ...page });
  expect(bodyOf(plain, 'a')).toContain('<h2 id="What-s-on-all-한글-Lodz">');
});

test('a date in the name counts as `new_post_name` reads it', async () => {
  const posts = {
    '_posts/2999-01-02-a.md': '---\ntitle: A\n---\n\nText.\n',
    '_posts/2999-01-02-b.md': '---\ntitle: B\ndate: 2020-01-01\n---\n\nText.\n',
    'index.md': '---\ntitle: Home\n---\n\n[1](/2020/01/01/b/)\n',
  };
  const named = await hexo({
    [CONFIG]: 'future: false\nnew_post_name: :year-:month-:day-:title.md\n',
    ...posts,
  });
  expect(named.places).toEqual([]);
  expect(named.record('article', 'posts/2999-01-02-a').fields).toMatchObject({ status: 'draft' });
  expect(named.record('article', 'posts/2999-01-02-b').fields).toMatchObject({ status: 'published' });
  const unnamed = await hexo({ [CONFIG]: 'future: false\n', ...posts });
  expect(unnamed.places).toEqual(['content/index.md:5:1 outside-link']);
  expect(unnamed.record('article', 'posts/2999-01-02-a').fields).not.toHaveProperty('status');
});

test('what `exclude` and `ignore` name, and posts of other folders, are no pages; `include` brings a hidden page', async () => {
  const text = '---\ntitle: T\n---\n\nText.\n';
  const loaded = await hexo({
    [CONFIG]: 'exclude: [left/**]\nignore: ["**/put-aside"]\ninclude: [_shown/a.md]\n',
    'left/a.md': text,
    'put-aside/a.md': text,
    'fr/_posts/a.md': text,
    '_shown/a.md': text,
    '_shown/b.md': text,
    'about.md': text,
  });
  expect(keysOf(loaded)).toEqual(['article/about@en', 'article/shown/a@en', 'category/shown@en']);
});

test('fences may be longer, and keys may have empty lines between them; JSON is an error', async () => {
  const loaded = await hexo({
    'long.md': '-----\ntitle: Long\npublished: false\n-----\n\nText.\n\n[1](none.md)\n',
    'spaced.md': 'title: Spaced\n\ntags:\n- a\n\npublished: false\n---\n\nText.\n\n[1](none.md)\n',
    'json.md': '"title": "J",\n"published": false\n;;;\n\nText.\n',
    'json-fenced.md': ';;;\n"title": "J"\n;;;\n\nText.\n',
  });
  expect(loaded.places).toEqual([
    'content/json-fenced.md:1:1 front-matter-yaml',
    'content/json.md:1:1 front-matter-yaml',
    'content/long.md:8:1 dead-link',
    'content/spaced.md:11:1 dead-link',
  ]);
  for (const name of ['long', 'spaced']) {
    expect(loaded.record('article', name).fields).toMatchObject({ status: 'draft' });
    expect(bodyOf(loaded, name)).not.toContain('published');
  }
});

test('the address of a post is made of its title, its categories and defaults too', async () => {
  const post =
    '---\ntitle: "A Post: one"\ndate: 2026-02-03 04:05:06\ncategories: [Big News, Old]\n---\n\nText.\n';
  for (const [rule, address] of [
    [':category/:post_title.html', '/Big-News/Old/a-post-one.html'],
    [':lang/:i_month/:i_day/:hour:minute/:name/', '/en-us/2/3/0405/a/'],
  ] as const) {
    const loaded = await hexo({
      [CONFIG]: `permalink: ${rule}\npermalink_defaults:\n  lang: en-us\n`,
      '_posts/sub/a.md': post,
      'index.md': `---\ntitle: Home\n---\n\n[1](${address})\n`,
    });
    expect(loaded.places).toEqual([]);
  }
});

test('tag plugins', async () => {
  const loaded = await hexo({
    '_posts/2026-01-02-other.md': '---\ntitle: Other\n---\n\nText.\n',
    '_posts/a/shot.png': 'x',
    'downloads/code/run.js': 'run();\n',
    '_posts/a.md': `---
title: A
---

See {% post_link 2026-01-02-other 'the <b>other</b>' %} and {% post_link 2026-01-02-other other %}.

{% note warn "Careful!" %}
Keep the **key**.
{% endnote %}

{% blockquote Ada, Letters https://a.example/ The letter %}
A *quote*.
{% endblockquote %}

{% codeblock start.sh lang:sh %}
run
{% endcodeblock %}

{% raw %}{{ not a template }} {% note %}{% endraw %}

{% asset_img shot.png 200 "A shot" %}

{% youtube lJIrF4YjHfQ %}

{% include_code lang:javascript run.js %}

{% tabs kinds %}
<!-- tab npm@icon -->
Use npm.
<!-- endtab -->
<!-- tab yarn -->
Use yarn.
<!-- endtab -->
{% endtabs %}

\`{% note %}\`

{% own_tag x %}

Version {{ config.version }}.
`,
  });
  expect(loaded.places.filter((place) => !place.endsWith('image-not-hosted'))).toEqual([
    'content/_posts/a.md:38:1 unknown-component',
    'content/_posts/a.md:40:9 unknown-component',
  ]);
  const body = bodyOf(loaded, 'posts/a');
  expect(linksOf(body)).toContain('/en/articles/posts-2026-01-02-other');
  expect(body).toMatch(/>the other<\/a> and <a [^>]*>other<\/a>/);
  expect(body).toContain('<p class="admonition-title">Careful!</p>');
  expect(body).toMatch(/<blockquote>\s*<p>A <em>quote<\/em>\.<\/p>\s*<p>— <a href="https:\/\/a\.example\/">/);
  expect(body).toMatch(/<strong>start\.sh<\/strong><\/p>\s*<pre><code class="language-sh">/);
  expect(body).toContain('{{ not a template }}');
  expect(body).toContain('https://www.youtube.com/watch?v=lJIrF4YjHfQ');
  expect(body).toContain('run();');
  expect(body).toMatch(/<strong>npm<\/strong><\/p>\s*<p>Use npm\.<\/p>\s*<p><strong>yarn<\/strong>/);
  expect(body).toContain('<code>{% note %}</code>');
});

test('code of more lines than a call takes is shown', async () => {
  const code = 'a\n'.repeat(150_000);
  const loaded = await hexo({
    [CONFIG]: 'url: https://blog.example.com\n',
    'a.md': `---\ntitle: A\n---\n\n{% codeblock %}\n${code}{% endcodeblock %}\n`,
  });
  expect(bodyOf(loaded, 'a')?.length).toBeGreaterThan(code.length);
});

import { expect, test } from 'vitest';
import { bodyOf, keysOf, linksOf, loader } from '../../support/support.ts';

const hexo = loader('hexo');
const CONFIG = '../_config.yml';

test('posts are pages at the addresses of `permalink`; drafts, parts and what `skip_render` names are none', async () => {
  const loaded = await hexo({
    [CONFIG]:
      'url: https://blog.example.com\nroot: /b/\npermalink: :year/:month/:title/\nskip_render: "demo/*.md"\n',
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
  expect(body).toContain('<h2 id="Uber-amp-under-2-0">');
  expect(body).toContain('<h2 id="x-y">');
});

test('tag plugins', async () => {
  const loaded = await hexo({
    '_posts/2026-01-02-other.md': '---\ntitle: Other\n---\n\nText.\n',
    '_posts/a/shot.png': 'x',
    'downloads/code/run.js': 'run();\n',
    '_posts/a.md': `---
title: A
---

See {% post_link other 'the <b>other</b>' %} and {% post_link other %}.

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

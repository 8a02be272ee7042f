import { expect, test } from 'vitest';
import { bodyOf, keysOf, linksOf, loader } from '../../support/support.ts';

const nuxt = loader('nuxt');

test('numbers in front of names are the order and no part of addresses; folders are named by a file of their own', async () => {
  const loaded = await nuxt({
    'index.md': '---\ntitle: Home\n---\n\nText.\n',
    '1.guide/.navigation.yml': 'title: Handbook\nicon: i-lucide-book\n',
    '1.guide/0.index.md':
      '# The guide\n\n[1](/guide/install) [2](/guide/2.use) [3](./2.use.md#_1-first-last)\n',
    '1.guide/1.install.md': '# Install\n',
    '1.guide/2.use.md': '# Use\n\n## 1. First & last\n',
    '2.api/_dir.yml': 'title: API\n',
    '2.api/1.2.md': '# Version 1.2\n',
    '2.api/soon.draft.md': '# Soon\n',
    '2.api/later.md': '---\ndraft: true\n---\n\n# Later\n',
    '2.api/-hidden.md': '# Hidden\n',
  });
  expect(loaded.places).toEqual(['content/1.guide/0.index.md:3:21 outside-link']);
  expect(keysOf(loaded)).toEqual([
    'article/api/1.2@en',
    'article/api/later@en',
    'article/api/soon@en',
    'article/guide/install@en',
    'article/guide/use@en',
    'article/home@en',
    'category/api@en',
    'category/guide@en',
  ]);
  expect(loaded.record('category', 'guide').fields).toMatchObject({ name: 'The guide', priority: 1 });
  expect(loaded.record('category', 'api').fields).toMatchObject({ name: 'API', priority: 2 });
  expect(loaded.record('article', 'guide/use').fields).toMatchObject({ title: 'Use', ordering: 2 });
  for (const path of ['api/soon', 'api/later'])
    expect(loaded.record('article', path).fields).toMatchObject({ status: 'draft' });
  expect(bodyOf(loaded, 'guide/use')).toContain('<h2 id="_1-first-last">');
});

test('only collections of pages are public, at the addresses of their prefix', async () => {
  const loaded = await nuxt({
    '../content.config.ts': `import { defineContentConfig, defineCollection } from '@nuxt/content'
export default defineContentConfig({ collections: {
  docs: defineCollection({ type: 'page', source: { include: 'docs/**', exclude: ['docs/secret.md'], prefix: '/' } }),
  authors: defineCollection({ type: 'data', source: 'authors/**' }),
} })\n`,
    'docs/1.start.md': '# Start\n\n[1](/deep/use)\n',
    'docs/deep/use.md': '# Use\n',
    'docs/secret.md': '# Secret\n',
    'authors/ada.md': '# Ada\n',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded).filter((key) => key.startsWith('article'))).toEqual([
    'article/docs/deep/use@en',
    'article/docs/start@en',
  ]);
  expect(linksOf(bodyOf(loaded, 'docs/start'))).toEqual(['/en/articles/docs-deep-use']);
});

test('collections that a program makes leave every page public', async () => {
  const config = { '../content.config.ts': 'export default defineContentConfig({ collections: made() })\n' };
  expect(keysOf(await nuxt({ ...config, 'a.md': '# A\n' }))).toEqual(['article/a@en']);
});

test('MDC: components of a block and of a line, properties as YAML, slots, attributes of parts of a line', async () => {
  const loaded = await nuxt({
    'a.md': `# A

::warning
Keep the **key**.
::

::card-group
  :::u-page-card
  ---
  title: Card of mine
  to: /b
  icon: i-lucide-key
  ---
  About *it*.
  :::

  :::card{title="Second" to="/b"}
  #description
  More of it.
  :::
::

::tabs
  :::tabs-item{label="npm" icon="i-npm"}
  \`\`\`sh
  npm i ::x:: [a]{.b}
  \`\`\`
  :::
::

::accordion
  :::accordion-item{label="Why?"}
  Because.
  :::
::

Press :kbd{value="meta"} at 10:30, :icon{name="i-x"} [wide]{.wide} words :badge[New]{color="red"}.

::read-more{to="/b" title="Read B"}
::

:own-part{to="/b"}
`,
    'b.md': '# B\n',
  });
  expect(loaded.places).toEqual(['content/a.md:42:1 unknown-component']);
  const body = bodyOf(loaded, 'a');
  expect(body).toContain('<div class="admonition warning">');
  expect(body).toMatch(/<strong><a href="[^"]*b">Card of mine<\/a><\/strong>/);
  expect(body).toContain('<p>About <em>it</em>.</p>');
  expect(body).toContain('<p>More of it.</p>');
  expect(body).toContain('npm i ::x:: [a]{.b}');
  expect(body).toMatch(/<details><summary>Why\?<\/summary>\s*<p>Because\.<\/p>/);
  expect(body).toContain('Press <kbd>meta</kbd> at 10:30,  wide words <strong>New</strong>.');
  expect(body).toMatch(/<a href="[^"]*b">Read B<\/a>/);
  expect(body).not.toMatch(/lucide|---|#description/);
});

import { expect, test } from 'vitest';
import { page } from '../../support/support.ts';
import { bodyOf, keysOf, linksOf, loader } from '../support/support.ts';

const docfx = loader('docfx');

test('a tab may be bold already, and a second mark in a quote begins a second box', async () => {
  const loaded = await docfx({
    'docfx.json': '{ "build": { "content": [{ "files": "**/*.md" }] } }',
    'a.md':
      '# A\n\n### [**Visual `Code`**](#tab/x)\n\n> [!NOTE]\n> One.\n>\n> [!TIP]\n> Two.\n> [!important]\n> Three.\n\n- Item\n\n  > [!NOTE]\n  > Four.\n  > [!TIP]\n  > Five.\n',
  });
  expect(loaded.messages).toEqual([]);
  const html = bodyOf(loaded, 'a');
  expect(html).toContain('<p><strong>Visual `Code`</strong></p>');
  expect(html.match(/class="[^"]*\bnote\b/g)).not.toBeNull();
  for (const word of ['One', 'Two', 'Three', 'Four', 'Five']) expect(html).toContain(`<p>${word}.</p>`);
  expect(html).not.toMatch(/\[!|\*\*/);
});

test('docfx.json says which files are pages, TOCs that name each other give order and tree', async () => {
  const loaded = await docfx({
    'docfx.json': JSON.stringify({
      build: { content: [{ files: ['**/*.{md,yml}'], exclude: ['archive/**'] }] },
    }),
    'toc.yml': '- name: Articles\n  href: articles/\n- name: Home\n  href: index.md\n',
    'articles/toc.yml':
      'items:\n- name: Basics\n  items:\n  - name: In the tree\n    href: a.md\n- name: Section\n  href: b.md\n  items:\n  - href: c.md\n',
    'index.md': '# Home\n\n[a](~/articles/a.md) [b](articles/b.md#x)\n',
    'articles/a.md': '# The page A\n',
    'articles/b.md': page('title: B', '## X\n'),
    'articles/c.md': '# C\n',
    'articles/unlisted.md': '# Unlisted\n',
    'articles/includes/part.md': 'Part.\n',
    'archive/old.md': '# Old\n',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/articles/a@en',
    'article/articles/c@en',
    'article/articles/unlisted@en',
    'article/home@en',
    'category/articles/b@en',
    'category/articles/basics@en',
    'category/articles@en',
  ]);
  expect(loaded.record('article', 'articles/a').fields).toMatchObject({
    title: 'The page A',
    categories: ['category/articles/basics'],
  });
  expect(linksOf(bodyOf(loaded, 'home'))).toEqual(['/en/articles/articles-a', '/en/categories/articles-b#x']);
});

test('TOC.md: headings are the tree', async () => {
  const loaded = await docfx({
    'TOC.md':
      '# [Start](start.md)\n# Guide\n## [One](one.md)\n### Deep\n#### [Two](two.md)\n# [Site](/other/site)\n',
    'start.md': '# Start\n',
    'one.md': '# One\n',
    'two.md': '# Two\n',
  });
  expect(keysOf(loaded)).toEqual([
    'article/start@en',
    'article/two@en',
    'category/guide@en',
    'category/one/deep@en',
    'category/one@en',
  ]);
});

test('pictures, rows, zones, videos, tabs and names of code are plain Markdown', async () => {
  const loaded = await docfx(
    {
      'a.md':
        '# A\n\n:::image type="content" source="media/x.png" alt-text="A screen" border="true":::\n\n:::row:::\n   :::column span="2":::\n   Left.\n   :::column-end:::\n:::row-end:::\n\n::: moniker range=">=1"\n\nNew.\n\n::: moniker-end\n\n> [!VIDEO https://x.test/v]\n\n> [!div class="nextstepaction"]\n> [b](b.md)\n\n## [Linux](#tab/linux)\n\nText with <xref:System.String>.\n\n***\n',
      'b.md': '# B\n',
      'media/x.png': 'x',
    },
    { assetsBaseUrl: 'https://files.test' },
  );
  expect(loaded.places).toEqual([]);
  const html = bodyOf(loaded, 'a');
  expect(html).toContain('<img src="https://files.test/media/x.png" alt="A screen">');
  expect(html).toContain('<a href="https://x.test/v">');
  expect(html).toContain('<strong>Linux</strong>');
  expect(html).toContain('<code>System.String</code>');
  expect(html).toContain('Left.');
  expect(html).not.toMatch(/:::|\[!|moniker|#tab/);
});

test('a glob that begins a part with two stars means every folder below, in small or capital letters', async () => {
  const loaded = await docfx({
    'docfx.json': JSON.stringify({
      build: { content: [{ files: ['articles/**.md', '*.md'], exclude: ['Articles/Old/**'] }] },
    }),
    'index.md': '# Home\n',
    'articles/a.md': '# A\n',
    'articles/deep/er/b.MD': '# B\n',
    'articles/old/c.md': '# C\n',
    'other/d.md': '# D\n',
  });
  expect(keysOf(loaded).filter((key) => key.startsWith('article/'))).toEqual([
    'article/articles/a@en',
    'article/articles/deep/er/b@en',
    'article/home@en',
  ]);
});

test('an image is where `build.resource` publishes it', async () => {
  const loaded = await docfx(
    {
      'docfx.json': JSON.stringify({
        build: {
          content: [{ files: '**/*.md' }],
          resource: [{ src: 'pictures', files: ['**/*.png'], dest: 'img' }, { files: 'images/**' }],
        },
      }),
      'a.md': '# A\n\n![x](pictures/in/x.png) ![y](images/y.png) ![z](z.png)\n',
      'pictures/in/x.png': 'x',
      'images/y.png': 'y',
      'z.png': 'z',
    },
    { assetsRootUrl: 'https://acme.dev' },
  );
  expect(linksOf(bodyOf(loaded, 'a')).slice(0, 2)).toEqual([
    'https://acme.dev/img/in/x.png',
    'https://acme.dev/images/y.png',
  ]);
  expect(loaded.problems.map(({ code }) => code)).toEqual(['image-not-hosted']);
});

test('`xref:` leads to the page with that uid; other names keep their text', async () => {
  const loaded = await docfx({
    'docfx.json': '{ "build": { "content": [{ "files": "**/*.md" }] } }',
    'a.md':
      '# A\n\n[one](xref:Guides.One) [part](xref:Guides.One#part) [no](xref:Guides.One#gone) [code](xref:Acme.Code)\n',
    'in/b.md': '---\nuid: Guides.One\n---\n# B\n\n## Part\n\n[a](../a.md)\n',
  });
  const html = bodyOf(loaded, 'a');
  expect(linksOf(html).slice(0, 2)).toEqual(['/en/articles/in-b', '/en/articles/in-b#part']);
  expect(html).toContain('code');
  expect(html).not.toContain('xref');
  expect(loaded.problems.map(({ code }) => code).sort()).toEqual(['dead-anchor', 'html-dropped']);
});

test('`[text](<xref:uid>)` keeps its text; a name of code, with brackets in it, is no broken link', async () => {
  const loaded = await docfx({
    'docfx.json': '{ "build": { "content": [{ "files": "**/*.md" }] } }',
    'a.md': '# A\n\n[**Run**](<xref:Acme.Game.Run(Acme.Time)>), [B](<xref:Guides.One>), <xref:Acme.Code>.\n',
    'in/b.md': '---\nuid: Guides.One\n---\n# B\n',
  });
  expect(loaded.problems.map(({ code }) => code)).toEqual(['html-dropped']);
  expect(linksOf(bodyOf(loaded, 'a'))).toEqual(['/en/articles/in-b']);
  expect(bodyOf(loaded, 'a')).toContain('<strong>Run</strong>');
});

test('with `CustomContainers` of docfx.json any name is a class, else it is named', async () => {
  const files = { 'a.md': '# A\n\n1. One?\n\n   :::question-answer\n   The *answer*.\n   :::\n' };
  const content = '"content": [{ "files": "**/*.md" }]';
  const bare = await docfx({ ...files, 'docfx.json': `{ "build": { ${content} } }` });
  expect(bare.problems.map(({ code }) => code)).toEqual(['unknown-component']);
  const loaded = await docfx({
    ...files,
    'docfx.json': `{ "build": { ${content}, "markdownEngineProperties": { "markdigExtensions": ["Figures", "CustomContainers"] } } }`,
  });
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'a')).toContain('<p>The <em>answer</em>.</p>');
  expect(bodyOf(loaded, 'a')).not.toContain(':::');
});

test('`@uid` and `<xref:uid>` are links with the title of the page; other names stay', async () => {
  const loaded = await docfx({
    'docfx.json': '{"build": {"content": [{"files": ["**/*.md"]}]}}',
    'a.md':
      '# A\n\nSee @Guides.One. Or @"Guides.Two", <xref:Guides.One> and (<xref:Guides.Three?displayProperty=name>).\n\n- @Guides.One\n\n@Acme.Code, a/@Guides.One and `@Guides.One` stay.\n',
    'one.md': '---\nuid: Guides.One\ntitle: Said\n---\n\n# The *first* one\n',
    'two.md': '---\ntitle: "Second"\nuid: "Guides.Two"\n---\n\nText.\n',
    'three.md': '---\nuid: Guides.Three\n---\n\nText.\n',
  });
  expect(loaded.messages).toEqual([]);
  const one = '<a href="/en/articles/one">The first one</a>';
  expect(bodyOf(loaded, 'a')).toContain(
    `<p>See ${one}. Or <a href="/en/articles/two">Second</a>, ${one} and (<a href="/en/articles/three">Guides.Three</a>).</p>`,
  );
  expect(bodyOf(loaded, 'a')).toContain(`<li>${one}</li>`);
  expect(bodyOf(loaded, 'a')).toContain(
    '<p>@Acme.Code, a/@Guides.One and <code>@Guides.One</code> stay.</p>',
  );
});

import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PresetName } from '../../../../src/content/presets/names.ts';
import { folderOf, load, loadFrom, page } from '../../support/support.ts';
import type { Files } from '../../support/support.ts';
import { bodyOf } from '../support/support.ts';

async function bodyIn(preset: PresetName, files: Files, path = 'a') {
  const loaded = await load(files, { preset });
  expect(loaded.messages).toEqual([]);
  return bodyOf(loaded, path);
}

test('MDX: imports of a part that is set in are no text of the page', async () => {
  const loaded = await load(
    {
      'astro.config.mjs': 'export default {};\n',
      'docs/a.mdx': page('title: A', "import Cta from './_cta.mdx'\n\n1. One\n\n    <Cta />\n\n2. Two\n"),
      'docs/_cta.mdx':
        "import { Tabs, TabItem } from '@astrojs/starlight/components';\nimport {\n  Icon,\n} from '@astrojs/starlight/components';\n\nRun *it*.\n\n```js\nimport a from 'a';\n```\n",
    },
    { preset: 'starlight', contentDir: 'content/docs' },
  );
  expect(loaded.messages).toEqual([]);
  const html = bodyOf(loaded, 'a');
  expect(html).not.toContain('starlight');
  expect(html).toContain('<p>Run <em>it</em>.</p>');
  expect(html).toContain("import a from 'a';");
});

test('mdBook: files, lines and regions, in code too; the marks of regions go', async () => {
  const html = await bodyIn('mdbook', {
    'SUMMARY.md': '- [A](a.md)\n',
    'a.md':
      '{{#title Other}}\n```rust\n{{#rustdoc_include code/x.rs:main}}\n```\n\n{{#include part.md:2}}\n\n\\{{#include no.md}}\n',
    'code/x.rs':
      'use a;\n// ANCHOR: main\nfn main() {}\n// ANCHOR: inner\n// ANCHOR_END: inner\n// ANCHOR_END: main\n',
    'part.md': 'One.\nTwo *strong*.\n',
  });
  expect(html).toContain('fn main() {}\n</code>');
  expect(html).not.toMatch(/ANCHOR|use a|#title/);
  expect(html).toContain('<p>Two <em>strong</em>.</p>');
  expect(html).toContain('{{#include no.md}}');
});

test('VitePress: pages, lines, headings, regions of code', async () => {
  const html = await bodyIn('vitepress', {
    'a.md': page(
      'title: A',
      '<!--@include: ./parts/_p.md-->\n\n<!-- @include: @parts/_p.md{4-4} -->\n\n<!-- @include: @/parts/_p.md{4,4} -->\n\n<!--@include: ./parts/_p.md#there-->\n\n<<< @/x.ts#r{1}\n\n<<< ./x.ts\n',
    ),
    'parts/_p.md': '---\nx: 1\n---\nFirst [b](./b).\n\n## There\n\n::: tip\nBox.\n:::\n',
    'b.md': '# B\n',
    'x.ts': '// #region r\nconst r = 1;\n// #endregion\nconst s = 2;\n',
  });
  expect(html).toContain('<a href="/en/articles/b">');
  expect(html.match(/admonition tip/g)).toHaveLength(2);
  expect(html.match(/class="language-ts"/g)).toHaveLength(2);
});

test('VuePress: links of an included page count from its own file', async () => {
  const files = {
    'guide/a.md': page('title: A', '<!-- @include: ../parts/p.md -->\n'),
    'parts/p.md': '[B](./b.md), [C](../c.md)\n',
    'parts/b.md': '# B\n',
    'c.md': '# C\n',
  };
  expect(await bodyIn('vuepress', files, 'guide/a')).toBe(
    '<p><a href="/en/articles/parts-b">B</a>, <a href="/en/articles/c">C</a></p>',
  );
});

test('MDX: a part is imported by a name that tsconfig.json gives to a folder', async () => {
  const html = await bodyIn('fumadocs', {
    'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./*"], "parts/*": ["./parts/*"] } } }',
    'a.mdx': page(
      'title: A',
      'import One from "@/parts/one.mdx"\nimport Two from "parts/two.mdx"\n\n<One />\n\n<Two></Two>\n',
    ),
    'parts/one.mdx': 'One *word*.\n',
    'parts/two.mdx': 'Two.\n',
  });
  expect(html).toBe('<p>One <em>word</em>.</p>\n<p>Two.</p>');
});

test('MyST: the text of a link by label may go over lines', async () => {
  const html = await bodyIn('myst', {
    'a.md': page('title: A', 'See [our\nvalues](values), [not\n\nthis](values).\n'),
    'b.md': '(values)=\n# Values\n',
  });
  expect(html).toContain('<a href="/en/articles/b">our\nvalues</a>');
});

test('MkDocs: snippets by the folder of mkdocs.yml, with their indent, and the plugin for examples', async () => {
  const folder = folderOf({
    'a.md': page('title: A', '!!! note\n\n    --8<-- "inc/p.md:part"\n\n{* ../code/x.py ln[2:3] hl[2] *}\n'),
  });
  mkdirSync(join(folder, 'inc'));
  mkdirSync(join(folder, 'code'));
  writeFileSync(
    join(folder, 'inc/p.md'),
    'No.\n<!-- --8<-- [start:part] -->\nYes,\nall.\n<!-- --8<-- [end:part] -->\n',
  );
  writeFileSync(join(folder, 'code/x.py'), 'a = 1\nb = 2\nc = 3\nd = 4\n');
  const loaded = await loadFrom(folder, { preset: 'mkdocs' });
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'a')).toContain('b = 2\nc = 3\n</code>');
  const html = bodyOf(loaded, 'a');
  expect(html).toMatch(/admonition note[\s\S]*<p>Yes,\nall\.<\/p>\n<\/div>/);
});

test('DocFX: pages in a line and as blocks, code by lines and regions; links count from the part', async () => {
  const html = await bodyIn(
    'docfx',
    {
      'deep/a.md': page(
        'title: A',
        'See [!INCLUDE [x](../includes/inline.md)].\n\n[!INCLUDE [y](~/includes/block.md)]\n\n[!code-csharp[Main](x.cs?range=1-1)]\n\n[!code-csharp[Main](x.cs#Two)]\n',
      ),
      'includes/inline.md': '---\na: 1\n---\n**inline**\n',
      'includes/block.md': '> [!NOTE]\n> Go [there](../b.md).\n',
      'b.md': '# B\n',
      'deep/x.cs': 'one();\n// <Two>\ntwo();\n// </Two>\n',
      'toc.yml': '- name: A\n  href: deep/a.md\n',
    },
    'deep/a',
  );
  expect(html).toContain('<p>See <strong>inline</strong>.</p>');
  expect(html).toContain('<a href="/en/articles/b">there</a>');
  expect(html).toContain('<code class="language-csharp">one();\n</code>');
  expect(html).toContain('<code class="language-csharp">two();\n</code>');
});

test('Microsoft Learn: `:::code` takes in a file, lines of it, or a part by its id', async () => {
  const html = await bodyIn(
    'docfx',
    {
      'guide/a.md': page(
        'title: A',
        ':::code language="csharp" source="a.cs" range="1,3":::\n\n- x\n\n  :::code source="~/b.py" id="part" :::\n\n:::code source="a.cs":::\n',
      ),
      'guide/a.cs': 'one();\ntwo();\nthree();\n',
      'b.py': 'no\n# <part>\nyes\n# </part>\nno\n',
      'toc.yml': '- name: A\n  href: guide/a.md\n',
    },
    'guide/a',
  );
  expect(html).toContain('<code class="language-csharp">one();\nthree();\n</code>');
  expect(html).toMatch(/<li>[^]*<code class="language-(?:py|python)">yes\n<\/code>[^]*<\/li>/);
  expect(html).toContain('one();\ntwo();\nthree();\n</code>');
});

test('DocFX: a part in a part counts from its own folder, and so do its links', async () => {
  const html = await bodyIn('docfx', {
    'a.md': page('title: A', '[!INCLUDE [x](parts/one.md)]\n'),
    'parts/one.md': '[b](../b.md)\n\n[!INCLUDE [y](inner/two.md)]\n',
    'parts/inner/two.md': '[c](../../c.md)\n',
    'b.md': '# B\n',
    'c.md': '# C\n',
    'toc.yml': '- name: A\n  href: a.md\n- name: B\n  href: b.md\n- name: C\n  href: c.md\n',
  });
  expect(html).toContain('<a href="/en/articles/b">b</a>');
  expect(html).toContain('<a href="/en/articles/c">c</a>');
});

test('MkDocs: a folder for each language with a mkdocs.yml of its own: its includes count from there', async () => {
  const html = await bodyIn(
    'mkdocs',
    {
      'en/mkdocs.yml': 'site_name: X\n',
      'en/docs/guide/a.md': page('title: A', '{* ../src/x.py *}\n'),
      'src/x.py': 'a = 1\n',
    },
    'guide/a',
  );
  expect(html).toContain('a = 1');
});

test('MDX: parts that are imported become their text, with the values they are given', async () => {
  const html = await bodyIn('docusaurus', {
    'docs/a.mdx': page(
      'title: A',
      "import Part from './_part.mdx';\nimport Root from '@site/shared/_root.md';\n\n<Part name=\"you\" />\n\n<Root></Root>\n",
    ),
    'docs/_part.mdx': "import Inner from './deep/_inner.mdx';\n\nHello {props.name}.\n\n<Inner />\n",
    'docs/deep/_inner.mdx': '[b](../b.md)\n',
    'docs/b.md': '# B\n',
    'shared/_root.md': 'Root text.\n',
  });
  expect(html).toContain('<p>Hello you.</p>');
  expect(html).toContain('<a href="/en/articles/b">b</a>');
  expect(html).toContain('<p>Root text.</p>');
});

test('Jekyll, Docsify, GitBook, Mintlify', async () => {
  const jekyll = await bodyIn('jekyll', {
    'a.md': page('title: A', '{% include p.md who="you" %}\n'),
    '_includes/p.md': 'Hello {{ include.who }}.\n',
  });
  expect(jekyll).toBe('<p>Hello you.</p>');
  const docsify = await bodyIn('docsify', {
    'a.md': "# A\n\n[p](_media/p.md ':include')\n\n[x](_media/x.js ':include :type=code')\n",
    '_media/p.md': 'Part.\n',
    '_media/x.js': 'let x;\n',
  });
  expect(docsify).toContain('<p>Part.</p>');
  expect(docsify).toContain('<code class="language-js">let x;\n</code>');
  const gitbook = await bodyIn('gitbook', {
    'SUMMARY.md': '* [A](a.md)\n',
    'a.md': '{% include ".gitbook/includes/p.md" %}\n',
    '.gitbook/includes/p.md': '---\ntitle: P\n---\n\nPart.\n',
  });
  expect(gitbook).toBe('<p>Part.</p>');
  const mintlify = await bodyIn('mintlify', {
    'docs.json': '{ "navigation": { "pages": ["a"] } }',
    'a.mdx': page('title: A', "import P from '/snippets/p.mdx'\n\n<P />\n"),
    'snippets/p.mdx': 'Part.\n',
  });
  expect(mintlify).toBe('<p>Part.</p>');
});

test('Markdoc: partials beside the page and of the site; Dumi: files and lines', async () => {
  const plain = await bodyIn(
    'plain',
    {
      'docs/a.md': page(
        'title: A',
        '{% partial file="_b.md" /%}\n\n{% partial file="c.md" /%}\n\n<embed src="../d.md#L2-L3"></embed>\n',
      ),
      'docs/_b.md': 'One.\n',
      'markdoc/partials/c.md': 'Two [there](../../d.md).\n',
      'd.md': 'Zero.\nThree.\nFour.\n',
    },
    'docs/a',
  );
  expect(plain).toBe('<p>One.</p>\n<p>Two <a href="/en/articles/d">there</a>.</p>\n<p>Three.\nFour.</p>');
});

test('a circle, a missing file, a missing part and a file outside the repository are problems, and nothing is put in', async () => {
  const folder = folderOf({
    'a.md': page(
      'title: A',
      '<!--@include: ./_b.md-->\n<!--@include: ./_none.md-->\n<!--@include: ./_c.md#nowhere-->\n<!--@include: ../../secret.md-->\n<!--@include: ./link/secret.md-->\n<!--@include: ../.git/config-->\n<!--@include: ./git/config-->\n',
    ),
    '_b.md': '<!--@include: ./_c.md-->\n',
    '_c.md': '<!--@include: ./_b.md-->\n',
  });
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.git/config'), 'Secret of a build.\n');
  symlinkSync(join(folder, '.git'), join(folder, 'content/git'));
  mkdirSync(join(folder, '../kbsync-outside'), { recursive: true });
  writeFileSync(join(folder, '../secret.md'), 'Secret.\n');
  writeFileSync(join(folder, '../kbsync-outside/secret.md'), 'Secret.\n');
  symlinkSync(join(folder, '../kbsync-outside'), join(folder, 'content/link'));
  const loaded = await loadFrom(folder, { preset: 'vitepress' });
  const failed = loaded.problems.filter(({ code }) => code === 'include-failed');
  expect(failed.map(({ at }) => at.line)).toEqual([4, 5, 6, 7, 8, 9, 10]);
  expect(loaded.messages[0]).toBe(
    '`<!--@include: ./_b.md-->` is not included: files include each other: a.md → _b.md → _c.md → _b.md',
  );
  expect(bodyOf(loaded, 'a')).not.toContain('Secret');
});

test('a page with includes is read again when only the part has changed, cache or not', async () => {
  const folder = folderOf({ 'a.md': page('title: A', '<!--@include: ./_p.md-->\n'), '_p.md': 'One.\n' });
  const options = { preset: 'vitepress', cacheFile: `${folder}/cache.json` } as const;
  const old = new Date(Date.now() - 60_000);
  for (const name of ['a.md', '_p.md']) utimesSync(`${folder}/content/${name}`, old, old);
  expect(bodyOf(await loadFrom(folder, options), 'a')).toBe('<p>One.</p>');
  writeFileSync(`${folder}/content/_p.md`, 'Two.\n');
  expect(bodyOf(await loadFrom(folder, options), 'a')).toBe('<p>Two.</p>');
});

test('a rule goes before: the include is dropped or replaced', async () => {
  const loaded = await load(
    { 'a.md': page('title: A', '<!--@include: ./_none.md-->\n\nEnd.\n') },
    { preset: 'vitepress', components: { '@include': { replace: 'Instead.' } } },
  );
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'a')).toBe('<p>Instead.</p>\n<p>End.</p>');
});

test('Mintlify: variables of docs.json have their values, in code too', async () => {
  const html = await bodyIn('mintlify', {
    'docs.json': '{ "navigation": { "pages": ["a"] }, "variables": { "version": "2.1" } }',
    'a.mdx': page('title: A', 'Version {{version}}, `{{ version }}`.\n'),
  });
  expect(html).toBe('<p>Version 2.1, <code>2.1</code>.</p>');
});

test('Hugo: a shortcode that writes another page takes it in with what it takes in; of a page that may be none now it is unknown', async () => {
  const folder = folderOf({
    'a.md': page('title: A', '{{% include "parts/p" %}}\n\nSee {{% include "/parts/short.md" %}} here.\n'),
    'b.md': page(
      'title: B',
      '{{% include "parts/draft" %}}\n\n{{% include "parts/none" %}}\n\n{{% include "b" %}}\n',
    ),
    'parts/_index.md': '+++\nheadless = true\n+++\n',
    'parts/p.md': '+++\ntitle = "P"\n+++\n**Part** with {{% include "parts/short" %}}\n\n[b](../b.md)\n',
    'parts/short.md': '---\ntitle: S\n---\nshort words\n',
    'parts/draft.md': '---\ntitle: D\ndraft: true\n---\nSecret.\n',
  });
  mkdirSync(join(folder, 'layouts/_shortcodes'), { recursive: true });
  writeFileSync(join(folder, 'hugo.toml'), '');
  writeFileSync(
    join(folder, 'layouts/_shortcodes/include.html'),
    '{{- with .Get 0 }}\n{{- with or ($.Page.GetPage .) (site.GetPage .) }}\n{{- .RenderShortcodes }}\n{{- else }}{{ errorf "no page" }}{{ end }}\n{{- end }}\n',
  );
  const loaded = await loadFrom(folder, { preset: 'hugo' });
  expect(bodyOf(loaded, 'a')).toBe(
    '<p><strong>Part</strong> with short words</p>\n<p><a href="/en/articles/b">b</a></p>\n<p>See short words here.</p>',
  );
  expect(bodyOf(loaded, 'b')).not.toContain('Secret');
  expect(loaded.places).toEqual([
    'content/b.md:4:1 unknown-component',
    'content/b.md:6:1 unknown-component',
    'content/b.md:8:1 include-failed',
  ]);
});

/** As Hugo 0.111 itself writes it, blank lines and the block of code aside. */
test('Hugo: shortcodes of the repository that say by themselves what they write', async () => {
  const folder = folderOf({
    'a.md': page(
      'title: A',
      'Use {{% k8s/version %}} or {{< latest >}} with `{{< latest >}}`.\n\n{{< feature title="A *b*" >}}\n### Below\n\n{{< feature color="red" >}}\n\n{{< wide >}}\nOne **two** {{< latest >}}.\n\n- three\n{{< /wide >}}\n\n{{< part "parts/p.md" >}}\n\n{{< loop >}}\n',
    ),
  });
  const shortcodes = join(folder, 'layouts/shortcodes');
  mkdirSync(join(shortcodes, 'k8s'), { recursive: true });
  mkdirSync(join(folder, 'themes/plain/layouts/shortcodes'), { recursive: true });
  mkdirSync(join(folder, 'parts'));
  writeFileSync(
    join(folder, 'hugo.toml'),
    'theme = "plain"\n[params]\nversion = "v1.2"\n[params.docs]\nname = "Help"\n',
  );
  writeFileSync(join(shortcodes, 'k8s/version.html'), '2.17.0\n');
  writeFileSync(
    join(folder, 'themes/plain/layouts/shortcodes/latest.html'),
    '{{- site.Params.version | replaceRE "v" "" -}}\n',
  );
  writeFileSync(
    join(shortcodes, 'feature.html'),
    '<!-- Copied. -->\n{{- $color := .Get "color" | default "primary" -}}\n{{/* A box. */}}\n<div class="alert alert-{{ $color }}" role="alert">\n\n    {{ with .Get "title" }}<h4>{{ . | markdownify }}</h4>{{ else }}<h4>Look</h4>{{ end }}\n    {{ if eq $color "primary" }}\n    <p>{{ printf "%s of %s" .Site.Params.docs.name site.Params.version }}</p>\n    {{ else if eq $color "red" }}\n    <p>Red</p>\n    {{ end }}\n</div>\n<style>.x { color: red }</style>\n',
  );
  writeFileSync(join(shortcodes, 'wide.html'), '<div class="wide">\n  {{ .Inner | markdownify }}\n</div>\n');
  writeFileSync(join(shortcodes, 'part.html'), '{{ readFile (.Get 0) | markdownify }}');
  writeFileSync(join(shortcodes, 'loop.html'), '{{ range seq 3 }}{{ . }}{{ end }}');
  writeFileSync(join(folder, 'parts/p.md'), 'From *parts*.\n');
  const loaded = await loadFrom(folder, { preset: 'hugo' });
  expect(loaded.places).toEqual([expect.stringMatching(/a\.md:\d+:1 unknown-component$/)]);
  expect(bodyOf(loaded, 'a').split('\n')).toEqual([
    '<p>Use 2.17.0 or 1.2 with <code>1.2</code>.</p>',
    '<div class="alert alert-primary" role="alert">',
    '<h4>A <em>b</em></h4>',
    '<p>Help of v1.2</p>',
    '</div>',
    '<h3 id="below">Below</h3>',
    '<div class="alert alert-red" role="alert">',
    '<h4>Look</h4>',
    '<p>Red</p>',
    '</div>',
    '<div class="wide">',
    '<p>One <strong>two</strong> 1.2.</p>',
    '<ul>',
    '<li>three</li>',
    '</ul>',
    '</div>',
    '<p>From <em>parts</em>.</p>',
  ]);
});

test('Hugo: a rule and kbsync’s own parts go before a template, and nothing outside the repository is read', async () => {
  const folder = folderOf({
    'a.md': page(
      'title: A',
      '{{< tip >}}\nText.\n{{< /tip >}}\n\n{{< mine >}}\n\n{{< leak >}}\n\n{{< ../../leak >}}\n',
    ),
  });
  mkdirSync(join(folder, 'layouts/shortcodes'), { recursive: true });
  writeFileSync(join(folder, 'hugo.toml'), '');
  for (const name of ['tip', 'mine'])
    writeFileSync(join(folder, `layouts/shortcodes/${name}.html`), 'From the template');
  writeFileSync(
    join(folder, 'layouts/shortcodes/leak.html'),
    '{{ readFile "../../../../../../etc/hostname" }}',
  );
  const loaded = await loadFrom(folder, { preset: 'hugo', components: { mine: { replace: 'By rule' } } });
  expect(bodyOf(loaded, 'a')).toMatch(/^<div class="admonition tip">[\s\S]*<p>By rule<\/p>$/);
  expect(loaded.places.map((place) => place.split(' ')[1])).toEqual([
    'unknown-component',
    'unknown-component',
  ]);
});

test('Hugo: of a template, what only scripts use is left out, and each finding is told once for a call', async () => {
  const folder = folderOf({
    'a.md': page(
      'title: A',
      'One.\n\n{{< settings >}}\n\n{{< state "done" >}}\n\n{{< hugo-encryptor "pw" >}}\nSecret.\n{{< /hugo-encryptor >}}\n',
    ),
  });
  const shortcodes = join(folder, 'layouts/shortcodes');
  mkdirSync(shortcodes, { recursive: true });
  writeFileSync(join(folder, 'hugo.toml'), '');
  writeFileSync(
    join(shortcodes, 'settings.html'),
    '<p>\n  <button type="button">Set</button>\n</p>\n<div class="modal" aria-hidden="true">\n  <h1>Variables</h1>\n  <form><label>Host</label><input type="text"></form>\n</div>\n',
  );
  writeFileSync(
    join(shortcodes, 'state.html'),
    '<span data-toggle="a b" title="x data-a=1 y" class="s">{{ .Get 0 }}</span>\n<button>a</button>\n<button>b</button>\n',
  );
  writeFileSync(join(shortcodes, 'hugo-encryptor.html'), '<div>{{ .Get 0 }}{{ .Inner }}</div>\n');
  const loaded = await loadFrom(folder, { preset: 'hugo' });
  expect(bodyOf(loaded, 'a')).toBe(
    '<p>One.</p>\n<p><span title="x data-a=1 y" class="s">done</span> a b</p>',
  );
  expect(loaded.places.map((place) => place.replace(/^.*?:/, ''))).toEqual([
    '8:1 html-dropped',
    '10:1 unknown-component',
  ]);
});

test('Hugo: `readfile` of Docsy finds a file that a mount brings into the content', async () => {
  const folder = folderOf({
    'docs/a.md': page(
      'title: A',
      '{{% readfile file="/inc/part.md" %}}\n\n{{% readfile file="more/b.md" %}}\n\n{{% readfile file="/inc/../../../out.md" %}}\n',
    ),
  });
  writeFileSync(
    join(folder, 'hugo.toml'),
    '[[module.mounts]]\nsource = "content"\ntarget = "content"\n[[module.mounts]]\nsource = "shared/"\ntarget = "content/inc"\n[[module.mounts]]\nsource = "extra"\ntarget = "content/docs/more"\n',
  );
  for (const [name, text] of [
    ['shared', 'part.md'],
    ['extra', 'b.md'],
  ] as const) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, text), `From ${name}.\n`);
  }
  const loaded = await loadFrom(folder, { preset: 'hugo' });
  expect(loaded.places.map((place) => place.split(' ')[1])).toEqual(['include-failed']);
  expect(bodyOf(loaded, 'docs/a')).toBe('<p>From shared.</p>\n<p>From extra.</p>');
});

test('parts that are nested thousands of times are read', async () => {
  const folder = folderOf({
    'a.md': page('title: A', `${'{{< fold >}}'.repeat(6000)}Text.${'{{< /fold >}}'.repeat(6000)}\n`),
  });
  writeFileSync(join(folder, 'hugo.toml'), '');
  const loaded = await loadFrom(folder, { preset: 'hugo', components: { fold: 'keep' } });
  expect(bodyOf(loaded, 'a')).toBe('<p>Text.</p>');
});

test('Hugo: files by `readfile` of Docsy, as text and as code', async () => {
  const html = await bodyIn(
    'hugo',
    {
      'docs/a.md': page(
        'title: A',
        '{{% readfile file="/inc/part.md" %}}\n\n{{< readfile file="x.yaml" code="true" lang="yaml" >}}\n',
      ),
      'docs/x.yaml': 'a: 1\n',
      'inc/part.md': '---\nheadless: true\n---\nA **part**.\n',
    },
    'docs/a',
  );
  expect(html).toContain('<p>A <strong>part</strong>.</p>');
  expect(html).toContain('<pre><code class="language-yaml">a: 1\n</code></pre>');
});

test('MkDocs: the plugin `macros` takes in files and values of `extra`; without it braces stay', async () => {
  const body =
    '{% raw %}`{{ x }}`{% endraw %} {{ unit.price }} {{ config.site_name }}{# no #}\n\n=== "One"\n{% filter indent(width=4) %}\n{% include "p.md" %}\n{% endfilter %}\n';
  const folder = folderOf({ 'a.md': page('title: A', body) });
  mkdirSync(join(folder, 'inc'));
  writeFileSync(join(folder, 'inc/p.md'), 'First {{ unit.price }}.\n\n- second\n');
  writeFileSync(
    join(folder, 'mkdocs.yml'),
    'site_name: Help\nplugins:\n  - macros:\n      include_dir: inc\nextra:\n  unit: { price: 10 }\n',
  );
  const loaded = await loadFrom(folder, { preset: 'mkdocs' });
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'a')).toBe(
    '<p><code>{{ x }}</code> 10 Help</p>\n<p><strong>One</strong></p>\n<p>First 10.</p>\n<ul>\n<li>second</li>\n</ul>',
  );
  writeFileSync(join(folder, 'mkdocs.yml'), 'site_name: Help\n');
  expect(bodyOf(await loadFrom(folder, { preset: 'mkdocs' }), 'a')).toContain('{{ unit.price }}');
});

test('MkDocs: `include_dir` of `macros` counts from the folder of mkdocs.yml, also if that is the content', async () => {
  const folder = folderOf({ 'a.md': page('title: A', '{% include "p.txt" %}\n') });
  mkdirSync(join(folder, 'content/snippets'), { recursive: true });
  writeFileSync(join(folder, 'content/snippets/p.txt'), 'A part.\n');
  writeFileSync(
    join(folder, 'content/mkdocs.yml'),
    'docs_dir: .\nplugins:\n  - macros: { include_dir: snippets }\n',
  );
  const loaded = await loadFrom(folder, { preset: 'mkdocs' });
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'a')).toBe('<p>A part.</p>');
});

test('MkDocs: `macros` with marks of its own, and values of the front matter of the page', async () => {
  const body =
    '-{{ kind }}- -{{ page.meta.unit.price }}- {{ kind }} -{# no #}- -{{% raw %}}--{{ x }}--{{% endraw %}}-\n';
  const folder = folderOf({
    'a.md': page('title: A\nkind: nokia\nunit: { price: 7 }', body),
    'b.md': page('title: B', '-{{ kind }}-\n'),
  });
  const marks = ['block_start: "-{{%"', 'block_end: "%}}-"', 'variable_start: "-{{"', 'variable_end: "}}-"'];
  const options = [...marks, 'comment_start: "-{#"', 'comment_end: "#}-"'].map(
    (mark) => `      j2_${mark.replace(':', '_string:')}`,
  );
  writeFileSync(
    join(folder, 'mkdocs.yml'),
    `plugins:\n  - macros:\n${options.join('\n')}\nextra: { kind: other }\n`,
  );
  const loaded = await loadFrom(folder, { preset: 'mkdocs', allow: new Set(['raw-syntax']) });
  expect(bodyOf(loaded, 'a')).toBe('<p>nokia 7 {{ kind }}  -{{ x }}-</p>');
  expect(bodyOf(loaded, 'b')).toBe('<p>other</p>');
});

test('Mintlify: `<Snippet file>` takes a file of its folder of snippets', async () => {
  const html = await bodyIn('mintlify', {
    'docs.json': '{ "navigation": { "pages": ["a"] } }',
    'a.mdx': page('title: A', '<Snippet file="part.mdx" />\n'),
    '_snippets/part.mdx': 'A *part*.\n',
  });
  expect(html).toBe('<p>A <em>part</em>.</p>');
});

test('MyST: a figure in Markdown keeps its picture, its caption and its target', async () => {
  const html = await bodyIn('myst', {
    'a.md': page('title: A', '```{figure-md} fig-a\n![A](https://e.com/a.png)\n\nThe *caption*.\n```\n'),
  });
  expect(html).toBe(
    '<p><a id="fig-a"></a></p>\n<p><img src="https://e.com/a.png" alt="A" /></p>\n<p>The <em>caption</em>.</p>',
  );
});

test('MkDocs: what `macros` begins and never ends stays, and is named', async () => {
  const folder = folderOf({ 'a.md': page('title: A', '{% raw %} and {# more\n') });
  writeFileSync(join(folder, 'mkdocs.yml'), 'site_name: x\nplugins: [macros]\n');
  const loaded = await loadFrom(folder, { preset: 'mkdocs' });
  expect(bodyOf(loaded, 'a')).toBe('<p>{% raw %} and {# more</p>');
  expect(loaded.places).toEqual([expect.stringMatching(/raw-syntax$/)]);
});

test('MkDocs: the plugin `include-markdown` takes in files, parts between marks, and code', async () => {
  const files = {
    'guide/a.md': page(
      'title: A',
      'Start.\n\n{% include-markdown "parts/p.md" start="<!--s-->\\n" end=\'<!--e-->\' heading-offset=1 %}\n\n{%\n  include-markdown "../parts/q.md"\n  rewrite-relative-urls=false\n%}\n\n- Item\n\n    {% include-markdown "parts/q.md" %}\n\n```yaml\n{% include "./x.yml" %}\n```\n\n{% include-markdown "https://x.example/y.md" %}\n',
    ),
    'parts/p.md': 'No.\n<!--s-->\n# One\n\n[b](../b.md)\n\n```\n# code\n```\n<!--e-->\nNo.\n',
    'parts/q.md': 'From q.\n',
    'guide/x.yml': 'x: 1\n',
    'b.md': '# B\n',
  };
  const folder = folderOf(files);
  writeFileSync(join(folder, 'mkdocs.yml'), 'plugins:\n  - include-markdown\n');
  const loaded = await loadFrom(folder, { preset: 'mkdocs' });
  const html = bodyOf(loaded, 'guide/a');
  expect(html).toContain('<h2 id="one">One</h2>\n<p><a href="/en/articles/b">b</a></p>');
  expect(html).toContain('# code');
  expect(html.match(/From q\./g)).toHaveLength(2);
  expect(html).toMatch(/<li>[^]*From q\.[^]*<\/li>/);
  expect(html).toContain('x: 1\n</code>');
  expect(html).not.toContain('No.');
  // A page of another site is not read.
  expect(loaded.places.map((place) => place.split(' ')[1])).toEqual(['raw-syntax']);
  const off = await loadFrom(folderOf(files), { preset: 'mkdocs' });
  expect(bodyOf(off, 'guide/a')).not.toContain('From q.');
});

test('MkDocs: a part of `include-markdown` whose mark is nowhere is a problem, and so is a circle', async () => {
  const folder = folderOf({
    'a.md': page(
      'title: A',
      '{% include-markdown "p.md" start="<!--x-->" %}\n\n{% include-markdown "c.md" %}\n\n{% include-markdown "none.md" %}\n',
    ),
    'p.md': 'P.\n',
    'c.md': '# C\n\n{% include-markdown "c.md" %}\n',
  });
  writeFileSync(join(folder, 'mkdocs.yml'), 'plugins: { include-markdown: {} }\n');
  const loaded = await loadFrom(folder, { preset: 'mkdocs' });
  expect(loaded.places.filter((place) => place.includes('a.md')).map((place) => place.split(':')[1])).toEqual(
    ['4', '6', '8'],
  );
});

test('Hugo: what a call with % writes is Markdown, with its own lines', async () => {
  const folder = folderOf({
    'a.md': page(
      'title: A',
      'One.\n\n{{% notes "x" %}}\n\nAnd {{% word %}}.\n\n{{% around %}}\nA *b*.\n{{% /around %}}\n',
    ),
  });
  const shortcodes = join(folder, 'layouts/shortcodes');
  mkdirSync(shortcodes, { recursive: true });
  writeFileSync(join(folder, 'hugo.toml'), '');
  writeFileSync(
    join(shortcodes, 'notes.html'),
    '## Before\n\n<div class="note" data-x="1">\n  <svg><path d="x"></path></svg>\n  <b data-toggle="t">{{ .Get 0 }}</b>\n</div>\n\n1. One [link](https://x.example)\n    1. Two **bold**\n',
  );
  writeFileSync(join(shortcodes, 'word.html'), '*word*\n');
  writeFileSync(join(shortcodes, 'around.html'), '<section>{{ .Inner }}</section>\n');
  const loaded = await loadFrom(folder, { preset: 'hugo' });
  expect(loaded.messages).toEqual([]);
  const html = bodyOf(loaded, 'a');
  expect(html).toContain('<h2 id="before">Before</h2>\n<div class="note">\n  <b>x</b>\n</div>');
  expect(html.replaceAll(/\s*\n\s*/g, '')).toContain(
    '<ol><li>One <a href="https://x.example">link</a><ol><li>Two <strong>bold</strong></li></ol></li></ol>',
  );
  expect(html).toContain('<p>And <em>word</em>.</p>');
  expect(html).toContain('<p>A <em>b</em>.</p>');
});

test('Hugo: attributes below a block, and alerts of any kind', async () => {
  const files = {
    'a.md': page(
      'title: A',
      'Text.\n{.lead #here}\n\n| a |\n|---|\n| b |\n{.wide}\n\n> [!NB] Mind this\n> Text.\n\n`{.x}`\n\n{.apart}\n\n```\ncode\n{.y}\n```\n',
    ),
  };
  const folder = folderOf(files);
  writeFileSync(join(folder, 'hugo.toml'), '[markup.goldmark.parser.attribute]\nblock = true\n');
  const html = bodyOf(await loadFrom(folder, { preset: 'hugo' }), 'a');
  expect(html).toContain('<p>Text.</p>\n<p><a id="here"></a></p>');
  expect(html).toContain('<p class="admonition-title">Mind this</p>');
  expect(html.match(/\{\.\w+\}/g)).toEqual(['{.x}', '{.apart}', '{.y}']);
  writeFileSync(join(folder, 'hugo.toml'), '');
  expect(bodyOf(await loadFrom(folder, { preset: 'hugo' }), 'a')).toContain('{.lead #here}');
});

test('Hugo: attributes below a block, in content whose settings lie elsewhere', async () => {
  const text = '![A](https://a.example/a.png)\n{width=1920 height=628}\n\nText.\n{ a }\n';
  const loaded = await loadFrom(folderOf({ 'a.md': page('title: A', text) }), { preset: 'hugo' });
  expect(bodyOf(loaded, 'a')).toBe('<p><img src="https://a.example/a.png" alt="A"></p>\n<p>Text.\n{ a }</p>');
});

test('Hugo: data of the site in a template, by file and by folder; a broken file has none', async () => {
  const folder = folderOf({
    'a.md': page('title: A', '{{< version >}}, {{< people >}}, {{< broken >}}\n\n{{% rows %}}\n'),
  });
  const shortcodes = join(folder, 'layouts/shortcodes');
  for (const name of [shortcodes, join(folder, 'data/people')]) mkdirSync(name, { recursive: true });
  writeFileSync(join(folder, 'hugo.toml'), '');
  writeFileSync(join(folder, 'data/misc.toml'), 'latest = "4.2"\n[[rows]]\na = "x|y"\n');
  writeFileSync(join(folder, 'data/people/team.yaml'), 'ann: { name: Ann }\n');
  writeFileSync(join(folder, 'data/bad.json'), '{ ');
  writeFileSync(join(shortcodes, 'version.html'), '{{ site.Data.misc.latest }}');
  writeFileSync(
    join(shortcodes, 'people.html'),
    '<x-card>{{ range $k, $v := hugo.Data.people.team }}{{ $k }}: {{ $v.name }}{{ end }}</x-card>',
  );
  writeFileSync(join(shortcodes, 'broken.html'), '{{ with site.Data.bad }}{{ . }}{{ else }}nothing{{ end }}');
  writeFileSync(
    join(shortcodes, 'rows.html'),
    '| A |\n|---|\n{{- range site.Data.misc.rows }}\n| {{ .a }} |\n{{- end }}\n',
  );
  const loaded = await loadFrom(folder, { preset: 'hugo' });
  expect(loaded.places).toEqual(['content/a.md:4:34 unknown-component']);
  expect(bodyOf(loaded, 'a')).toMatch(/^<p>4\.2, ann: Ann,<\/p>\n<table>[^]*<td>x<\/td>/);
});

test('Slate: files that the front matter lists stand behind the text, in their order', async () => {
  const loaded = await load(
    {
      'index.html.md': page('title: API\nincludes:\n  - errors\n  - more/last', '# Start\n\nText.\n'),
      'includes/_errors.md': '# Errors\n\nCode 418.\n',
      'includes/more/_last.md': '# Last\n',
    },
    { preset: 'plain' },
  );
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'index.html')).toMatch(/Text\.[^]*Errors[^]*Code 418\.[^]*Last/);
});

test('Slate: a file that is not there is named; a key for something else is left alone', async () => {
  const files = {
    'a.md': page('title: A\nincludes: [errors, gone]', 'Text.\n'),
    'b.md': page('title: B\nincludes: [jquery]', 'Text.\n'),
    'includes/_errors.md': '# Errors\n',
  };
  const loaded = await load(files, { preset: 'plain' });
  expect(loaded.places).toEqual([expect.stringMatching(/^.*a\.md:\d+:\d+ include-failed$/)]);
  expect(loaded.messages.join(' ')).toContain('includes/_gone.md');
});

import { expect, test } from 'vitest';
import { scanMarkdown } from '../../../src/content/markdown/markdown.ts';
import type { PresetName } from '../../../src/content/presets/names.ts';
import type { Files } from '../support/support.ts';
import { bodyOf, loader } from './support/support.ts';

const WRITTEN = `Term
: What it *means*.

\`Other\`

:   One.

    \`\`\`sh
    a
      b
    \`\`\`
:   Two
goes on.
`;
const LIST = `<dl>
<dt>Term</dt>
<dd>What it <em>means</em>.</dd>
<dt><code>Other</code></dt>
<dd>
<p>One.</p>
<pre><code class="language-sh">a
  b
</code></pre>
</dd>
<dd>Two
goes on.</dd>
</dl>`;

async function shown(preset: PresetName, settings: Files, body = WRITTEN): Promise<string> {
  return bodyOf(await loader(preset)({ ...settings, 'a.md': `---\ntitle: A\n---\n\n${body}` }), 'a');
}

const HAS: readonly (readonly [PresetName, Files])[] = [
  ['hugo', {}],
  ['jekyll', {}],
  ['mdbook', { 'SUMMARY.md': '- [A](a.md)\n' }],
  ['mkdocs', { 'mkdocs.yml': 'markdown_extensions:\n  - def_list\n' }],
  ['mkdocs', { 'mkdocs.yml': 'markdown_extensions:\n  - markdown.extensions.extra\n' }],
  ['mkdocs', { 'mkdocs.yml': 'markdown_extensions:\n  pymdownx.extra: {}\n' }],
  ['mkdocs', { 'zensical.toml': '[project]\nsite_name = "A"\n' }],
  ['myst', { 'conf.py': 'myst_enable_extensions = ["deflist"]\n' }],
  ['myst', { '_config.yml': 'parse:\n  myst_enable_extensions:\n    - deflist\n', '_toc.yml': 'root: a\n' }],
  ['myst', { 'myst.yml': 'version: 1\n' }],
  ['vitepress', { '.vitepress/config.js': "import list from 'markdown-it-deflist'\nexport default {}\n" }],
  ['vuepress', { '.vuepress/config.js': "import list from 'markdown-it-deflist'\nexport default {}\n" }],
  ['eleventy', { 'eleventy.config.js': "import list from 'markdown-it-deflist'\nexport default () => {}\n" }],
  ['plain', { 'config.toml': 'base_url = "/"\n[markdown]\ndefinition_list = true\n' }],
  ['plain', { 'pelicanconf.py': 'DEFAULT_DATE = "fs"\n' }],
];

test.each(HAS)(
  'a term with its meaning behind a colon is a list of definitions: %s, %j',
  async (preset, files) => {
    expect(await shown(preset, files)).toContain(LIST);
  },
);

const HAS_NONE: readonly (readonly [PresetName, Files])[] = [
  ['hugo', { 'hugo.toml': '[markup.goldmark.extensions]\ndefinitionList = false\n' }],
  ['jekyll', { '_config.yml': 'markdown: CommonMark\n' }],
  [
    'mdbook',
    {
      'SUMMARY.md': '- [A](a.md)\n',
      'book.toml': '[output.html]\ndefinition-lists = false\n[book]\nsrc = "."\n',
    },
  ],
  ['mkdocs', { 'mkdocs.yml': 'markdown_extensions: [attr_list]\n' }],
  ['mkdocs', { 'zensical.toml': '[project]\nmarkdown_extensions.attr_list = {}\n' }],
  ['myst', { 'conf.py': 'myst_enable_extensions = []\n' }],
  ['vitepress', {}],
  ['docusaurus', {}],
  ['plain', {}],
  ['plain', { 'config.toml': 'base_url = "/"\n' }],
  ['plain', { 'pelicanconf.py': 'DEFAULT_DATE = "fs"\nMARKDOWN = {}\n' }],
];

test.each(HAS_NONE)('it is text where the layout has none: %s, %j', async (preset, files) => {
  const html = await shown(preset, files);
  expect(html).not.toContain('<dl>');
  expect(html).toContain('<p>Term\n: What it <em>means</em>.</p>');
});

test.each([
  ['a row of a table', '| a |\n|---|\n| b |\n: caption\n'],
  ['an item', '- a\n: b\n'],
  ['a heading', '# A\n\n: b\n'],
  ['a quote', '> a\n: b\n'],
  ['code', '```\nTerm\n: b\n```\n'],
  ['nothing', ': b\n'],
  ['words, alone in its line,', 'Term\n:\n\n```sh\na\n```\n'],
  ['two blank lines', 'Term\n\n\n: b\n'],
])('a colon below %s begins no meaning', async (_, body) => {
  expect(await shown('hugo', {}, body)).not.toContain('<dl>');
});

test('links and anchors in a meaning are read, and a change of the setting is a change of the page', async () => {
  const load = loader('mkdocs');
  const page = '# A\n\nTerm\n:   One.\n\n    [b](b.md)\n';
  const files = { 'a.md': page, 'b.md': '# B\n' };
  const on = await load({ ...files, 'mkdocs.yml': 'markdown_extensions: [def_list]\n' });
  const off = await load({ ...files, 'mkdocs.yml': '' });
  expect(bodyOf(on, 'a')).toContain('<a href="/en/articles/b">b</a>');
  expect(on.record('article', 'a', 'en').body?.inputDigest).not.toBe(
    off.record('article', 'a', 'en').body?.inputDigest,
  );
});

test.each([
  ['terms', 'Term\n: meaning\n\n'],
  ['meanings', ': meaning\n'],
  ['a term in each meaning', 'Term\n: Term\n'],
  ['terms without meanings', 'Term\n'],
])('100,000 times %s are read in a moment', (_, line) => {
  const started = performance.now();
  scanMarkdown(`Term\n${line.repeat(100_000)}`, undefined, { hasDefinitionLists: true });
  expect(performance.now() - started).toBeLessThan(5000);
});

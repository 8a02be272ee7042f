import { expect, test } from 'vitest';
import type { PresetName } from '../../../src/content/presets/names.ts';
import { problemMessage, showPlace } from '../../../src/model/problem.ts';
import { load } from '../support/support.ts';

const PAGE = '---\ntitle: A\n---\n\nWords.\n';
const BROKEN_JS = 'export default {\n  sidebar: [,\n';

/** Settings that say what is a draft, what is left out and where pages stand: nobody may think that they were read. */
test.each<[PresetName, string, string, string, 'error' | 'warning']>([
  ['docusaurus', 'docs/a.md', 'docusaurus.config.js', BROKEN_JS, 'warning'],
  ['docusaurus', 'docs/a.md', 'versions.json', '["2.0",', 'error'],
  ['starlight', 'a.md', 'astro.config.mjs', BROKEN_JS, 'warning'],
  ['vitepress', 'a.md', '.vitepress/config.ts', BROKEN_JS, 'warning'],
  ['vuepress', 'a.md', '.vuepress/config.ts', BROKEN_JS, 'warning'],
  ['vocs', 'a.mdx', 'vocs.config.ts', BROKEN_JS, 'warning'],
  ['rspress', 'a.mdx', 'rspress.config.ts', BROKEN_JS, 'warning'],
  ['nextra', 'a.mdx', '_meta.js', BROKEN_JS, 'warning'],
  ['eleventy', 'a.md', 'a.json', '{"permalink": false', 'error'],
  ['eleventy', 'a.md', 'a.11tydata.js', BROKEN_JS, 'warning'],
  ['quarto', 'part/a.qmd', 'part/_metadata.yml', 'draft: [true', 'error'],
  ['quarto', 'a.qmd', '_variables.yml', 'version: [1', 'error'],
])('%s: that %2$s cannot be read is said', async (preset, page, settings, text, severity) => {
  const { problems } = await load({ [page]: PAGE, [settings]: text }, { preset });
  expect(problems.map(({ at, severity }) => [showPlace(at).replace(/:\d+$/, ''), severity])).toEqual([
    [expect.stringMatching(new RegExp(`${settings.replaceAll('.', '\\.')}:[123]$`)), severity],
  ]);
});

test('sidebars of Docusaurus that cannot be read are said', async () => {
  const { problems } = await load(
    {
      'docs/a.md': PAGE,
      'docusaurus.config.js':
        "module.exports = { presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]] };\n",
      'sidebars.js': BROKEN_JS,
    },
    { preset: 'docusaurus' },
  );
  expect(problems.map(({ at, code }) => [at.file.replace(/.*\//, ''), code])).toEqual([
    ['sidebars.js', 'unexpected-file'],
  ]);
});

test.each<[string, string, string]>([
  ['mkdocs.yml', 'site_name: A: B\n', '1:13 a value with `: ` inside needs quotes: `site_name: "A: B"`'],
  [
    'mkdocs.yml',
    'theme:\n\tname: material\n',
    '2:1 a tab indents this line; YAML takes spaces: `  name: material`',
  ],
  ['mkdocs.yml', "site_name: 'A\n", "1:12 this `'` is never closed; a `'` is missing"],
  ['mkdocs.yml', 'nav: [a.md, b.md\n', '1:6 this `[` is never closed; a `]` is missing'],
  ['a.json', '{\n  "title": "A"\n  "layout": "b"\n}\n', "3:3 this is not valid JSON: Expected ',' or '}'"],
])('the fault in %s is told in the words of its form: %j', async (settings, text, says) => {
  const preset = settings.endsWith('.json') ? 'eleventy' : 'mkdocs';
  const { problems } = await load({ 'a.md': PAGE, [settings]: text }, { preset });
  expect(problems.map((problem) => problem.code)).toEqual(['unreadable-settings']);
  const said = problems.map((problem) => {
    const { line, column } = problem.at;
    return `${line}:${column} ${problemMessage(problem)}`.slice(0, says.length);
  });
  expect(said).toEqual([says]);
});

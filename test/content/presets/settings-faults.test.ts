import { expect, test } from 'vitest';
import type { PresetName } from '../../../src/content/presets/names.ts';
import { showPlace } from '../../../src/model/problem.ts';
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

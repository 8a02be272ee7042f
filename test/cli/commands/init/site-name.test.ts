import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fakeWorld } from '../../support/fake-world.ts';
import type { FakeWorld } from '../../support/fake-world.ts';

let world: FakeWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const PAGE = '---\ntitle: A\n---\n\nText.\n';
const NONE = '# site: { name: Acme Help, accent: "#7a1fa2" }';

test.each([
  ['hugo', { 'hugo.toml': 'title = "Acme Docs"\n', 'content/a.md': PAGE }, 'site: { name: "Acme Docs" }'],
  [
    "hugo, the default language's own name",
    {
      'hugo.toml':
        'title = "Other"\ndefaultContentLanguage = "de"\n[languages.de]\ntitle = "Acme Hilfe"\n[languages.en]\ntitle = "Acme Help"\n',
      'content/a.md': PAGE,
    },
    'site: { name: "Acme Hilfe" }',
  ],
  ['mkdocs', { 'mkdocs.yml': 'site_name: Acme\n', 'docs/a.md': PAGE }, 'site: { name: "Acme" }'],
  [
    'docusaurus',
    { 'docusaurus.config.js': 'module.exports = { title: \'Acme "1"\' };\n', 'docs/a.md': PAGE },
    'site: { name: "Acme \\"1\\"" }',
  ],
  [
    'starlight',
    {
      'astro.config.mjs':
        "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'Acme' })] };\n",
      'src/content/docs/a.md': PAGE,
    },
    'site: { name: "Acme" }',
  ],
  [
    'mdbook',
    { 'book.toml': '[book]\ntitle = "The Book"\n', 'src/SUMMARY.md': '- [A](a.md)\n', 'src/a.md': '# A\n' },
    'site: { name: "The Book" }',
  ],
  [
    'vitepress, a name that a program makes',
    {
      'docs/.vitepress/config.js': 'const more = process.env.X;\nexport default { title: `Acme${more}` };\n',
      'docs/a.md': PAGE,
    },
    NONE,
  ],
  [
    'mkdocs, a name from the environment',
    { 'mkdocs.yml': 'site_name: !ENV SITE_NAME\n', 'docs/a.md': PAGE },
    NONE,
  ],
  [
    'hugo, a name that is a page of text',
    { 'hugo.toml': `title = "${'x'.repeat(81)}"\n`, 'content/a.md': PAGE },
    NONE,
  ],
  ['jekyll, an empty name', { '_config.yml': 'title: ""\nplugins: [jekyll-feed]\n', 'a.md': PAGE }, NONE],
])('init takes the name of the site from the settings: %s', async (_, files, line) => {
  world = await fakeWorld(files);
  await world.run('init', '--base-url', 'https://help.acme.test');
  const text = await readFile(join(world.cwd, 'kbsync.yaml'), 'utf8');
  expect(text.split('\n').filter((each) => /^(?:# )?site:/.test(each))).toEqual([line]);
});

test('the help centre of such a repository has its name', async () => {
  world = await fakeWorld({ 'mkdocs.yml': 'site_name: Acme Docs\n', 'docs/a.md': PAGE });
  await world.run('init', '--base-url', 'https://help.acme.test');
  const built = await world.run('build', '--out', 'out');
  expect([built.exit, built.stderr]).toEqual([0, expect.any(String)]);
  expect(await readFile(join(world.cwd, 'out/en/index.html'), 'utf8')).toContain('<title>Acme Docs</title>');
});

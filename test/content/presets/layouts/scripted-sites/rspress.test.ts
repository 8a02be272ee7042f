import { expect, test } from 'vitest';
import { bodyOf, keysOf, linksOf, loader } from '../../support/support.ts';

const rspress = loader('rspress');
const CONFIG = '../rspress.config.ts';

test('`_meta.json` and `_nav.json` give order and names; links are files and addresses, with or without the language', async () => {
  const loaded = await rspress({
    [CONFIG]:
      "import { defineConfig } from '@rspress/core'\nimport path from 'node:path'\nexport default defineConfig({ root: path.join(__dirname, 'content'), base: '/kit/', route: { exclude: ['*/fragments/**'] } })\n",
    'en/_nav.json':
      '[{ "text": "Handbook", "link": "/guide/" }, { "text": "API", "items": [{ "text": "A", "link": "/api/a" }] }]',
    'en/guide/_meta.json':
      '["use.mdx", { "type": "section-header", "label": "More" }, { "type": "file", "name": "start", "label": "Begin" }, { "type": "dir", "name": "deep", "label": "Deeper" }]',
    'en/index.md': '---\npageType: home\ntitle: Home\n---\n',
    'en/guide/start.mdx':
      '# Start {#top}\n\n[1](/guide/use) [2](./use.mdx) [3](/guide/use.html) [4](/zh/guide/use.mdx) [5](/kit/guide/use#own)\n\nimport Part from "../fragments/part.mdx";\n\n<Part />\n',
    'en/guide/use.mdx': '# Use\n\n:::tip{title="Own"}\nText.\n:::\n\n## More {#own}\n',
    'en/guide/deep/a.md': '# A\n\n{not an expression}\n',
    'en/api/a.mdx': '# A of the API\n',
    'en/fragments/part.mdx': 'The part.\n',
    'zh/guide/use.mdx': '# 用\n',
    'zh/guide/_meta.json': '["start"]',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/api/a@en',
    'article/guide/deep/a@en',
    'article/guide/start@en',
    'article/guide/use@en',
    'article/guide/use@zh',
    'article/home@en',
    'category/api@en',
    'category/guide/deep@en',
    'category/guide@en',
  ]);
  expect(loaded.record('article', 'guide/use').fields).toMatchObject({ title: 'Use', ordering: 1 });
  expect(loaded.record('article', 'guide/start').fields).toMatchObject({ title: 'Start', ordering: 2 });
  expect(loaded.record('category', 'guide').fields).toMatchObject({ name: 'Handbook', priority: 1 });
  expect(loaded.record('category', 'guide/deep').fields).toMatchObject({ name: 'Deeper', priority: 3 });
  expect(loaded.record('category', 'api').fields).toMatchObject({ name: 'Api', priority: 2 });
  expect(bodyOf(loaded, 'guide/use')).toContain('<p class="admonition-title">Own</p>');
  expect(bodyOf(loaded, 'guide/deep/a')).toContain('{not an expression}');
  expect(bodyOf(loaded, 'guide/start')).toContain('The part.');
  expect(linksOf(bodyOf(loaded, 'guide/start'))).toEqual([
    '/en/articles/guide-use',
    '/en/articles/guide-use',
    '/en/articles/guide-use',
    '/zh/articles/guide-use',
    '/en/articles/guide-use#own',
  ]);
});

test('of several versions the default one is read, at its own addresses; of one that is here alone too', async () => {
  const pages = { 'v1/guide/a.mdx': '# A\n\n[1](/guide/b)\n', 'v1/guide/b.mdx': '# B\n' };
  const settings = (first: string): string =>
    `export default { multiVersion: { default: ${first}, versions: ['v1', 'v2'] } }\n`;
  const both = await rspress({ [CONFIG]: settings("'v1'"), ...pages, 'v2/guide/a.mdx': '# New A\n' });
  const one = await rspress({ [CONFIG]: settings('versions[0]'), ...pages });
  for (const loaded of [both, one]) {
    expect(loaded.places).toEqual([]);
    expect(keysOf(loaded)).toEqual(['article/guide/a@en', 'article/guide/b@en', 'category/guide@en']);
    expect(linksOf(bodyOf(loaded, 'guide/a'))).toEqual(['/en/articles/guide-b']);
  }
});

test('`_meta.json` that cannot be read is a problem of its own', async () => {
  const loaded = await rspress({
    [CONFIG]: 'export default {}\n',
    'en/guide/_meta.json': '["a"',
    'en/guide/a.md': '# A\n',
  });
  expect(loaded.places).toEqual([expect.stringContaining('content/en/guide/_meta.json:1')]);
});

test('commands for package managers and lists that the site makes', async () => {
  const loaded = await rspress({
    'en/a.mdx':
      '# A\n\n<PackageManagerTabs command="add kit -D" />\n\n<PackageManagerTabs\n  command={{\n    npm: \'npm create kit\',\n    yarn: "yarn create kit",\n  }}\n/>\n\nSee <SourceCode href="https://code.example/a" />.\n\n<Overview />\n',
  });
  expect(loaded.places).toEqual([]);
  const body = bodyOf(loaded, 'a');
  expect(body).toContain('npm add kit -D');
  expect(body).toMatch(
    /<strong>npm<\/strong>[\s\S]*npm create kit[\s\S]*<strong>yarn<\/strong>[\s\S]*yarn create kit/,
  );
  expect(linksOf(body)).toEqual(['https://code.example/a']);
});

test('a folder that `route.exclude` names is out with all in it, and so are `excludeConvention` and `public`', async () => {
  const loaded = await rspress({
    [CONFIG]:
      "export default { route: { exclude: ['left/', 'a/**/put-aside'], excludeConvention: ['**/*.part.md'] } }\n",
    'left/deep/a.md': '# A\n',
    'a/b/put-aside/c.md': '# C\n',
    'some.part.md': '# Part\n',
    'public/note.md': '# Note\n',
    'kept/left.md': '# Kept\n',
  });
  expect(keysOf(loaded)).toEqual(['article/kept/left@en', 'category/kept@en']);
});

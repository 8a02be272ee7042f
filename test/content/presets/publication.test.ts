import { expect, test } from 'vitest';
import { loadDesired } from '../../../src/content/load-content.ts';
import type { ContentOptions } from '../../../src/content/options.ts';
import type { PresetName } from '../../../src/content/presets/names.ts';
import { OPTIONS, folderOf, loadFrom, page } from '../support/support.ts';
import type { Files } from '../support/support.ts';

/** `published`, `draft`, or `none`, by path; the clock of the tests stands at 22 November 2026. */
async function states(preset: PresetName, files: Files, options: Partial<ContentOptions> = {}) {
  const folder = folderOf(files);
  const { records, messages } = await loadFrom(folder, { preset, ...options });
  expect(messages).toEqual([]);
  const articles = [...records.values()].filter(({ kind }) => kind === 'article');
  return Object.fromEntries(
    articles.map(({ at, fields }) => [at.file.replace('content/', ''), fields['status'] ?? 'published']),
  );
}

async function reasons(preset: PresetName, files: Files) {
  const { leftOut } = await loadDesired({ ...OPTIONS, cwd: folderOf(files), preset });
  return Object.fromEntries(
    (leftOut?.() ?? []).map(({ file, reason }) => [file.replace('content/', ''), reason]),
  );
}

test('Hugo publishes no draft, nothing before its publish date and nothing after its expiry date', async () => {
  const files = {
    'now.md': page('title: A\ndate: 2026-01-01'),
    'draft.md': page('title: A\ndraft: true'),
    'future.md': page('title: A\ndate: 2030-01-01'),
    'early.md': page('title: A\ndate: 2030-01-01\npublishDate: 2026-01-01'),
    'late.md': page('title: A\npublishdate: 2026-11-22T13:00:00Z'),
    'gone.md': page('title: A\nexpiryDate: 2026-11-01'),
    'toml.md': '+++\ntitle = "A"\nDate = 2031-05-27T07:32:00Z\n+++\nText.\n',
    'odd.md': page('title: A\npublishDate: soon\npublished: true'),
  };
  expect(await states('hugo', files)).toEqual({
    'now.md': 'published',
    'draft.md': 'draft',
    'future.md': 'draft',
    'early.md': 'published',
    'late.md': 'draft',
    'gone.md': 'draft',
    'toml.md': 'draft',
    'odd.md': 'published',
  });
});

test('the time zone of Hugo says when a day begins, and `buildFuture` publishes what is to come', async () => {
  const files = { 'a.md': page('title: A\ndate: 2026-11-22T21:00:00') };
  const zone = 'timeZone = "Asia/Tokyo"\n';
  expect(await states('hugo', { ...files, '../hugo.toml': zone })).toEqual({ 'a.md': 'published' });
  expect(await states('hugo', files)).toEqual({ 'a.md': 'draft' });
  expect(await states('hugo', { ...files, '../config/_default/hugo.yaml': 'buildFuture: true\n' })).toEqual({
    'a.md': 'published',
  });
  const named = { 'a.md': page('title: A\nreleased: 2030-01-01\ndate: 2020-01-01') };
  const keys = '[frontmatter]\npublishDate = ["released", ":default"]\n';
  expect(await states('hugo', { ...named, '../config.toml': keys })).toEqual({ 'a.md': 'draft' });
});

test('Hugo makes no page of what is headless, not rendered, ignored or in a disabled language', async () => {
  const files = {
    'parts/index.md': page('title: A\nheadless: true'),
    'never.md': page('title: A\nbuild:\n  render: never'),
    'link.md': page('title: A\n_build:\n  render: link'),
    'hidden.md': page('title: A\nbuild:\n  list: never'),
    'inside/_index.md': page('title: A\ncascade:\n  build:\n    render: never'),
    'inside/a.md': page('title: A'),
    'x.skip.md': page('title: A'),
    'a.md': page('title: A'),
    'a.fr.md': page('title: A'),
    '../hugo.toml': 'ignoreFiles = ["\\\\.skip\\\\.md$"]\n[languages.fr]\ndisabled = true\n',
  };
  expect(await states('hugo', files)).toEqual({ 'a.md': 'published', 'hidden.md': 'draft' });
  expect(await reasons('hugo', files)).toMatchObject({
    'parts/index.md': '`headless`: Hugo makes no page of it',
    'inside/a.md': '`build.render: never`: Hugo makes no page of it',
    'x.skip.md': '`ignoreFiles` of Hugo',
    'a.fr.md': 'the language `fr` is disabled in Hugo',
  });
});

test('a section that is a draft gives its name and nothing else', async () => {
  const folder = folderOf({
    'docs/_index.md': page('title: Docs\ndraft: true\ndescription: Secret', 'Secret.\n'),
    'docs/a.md': page('title: A'),
  });
  const { record } = await loadFrom(folder, { preset: 'hugo' });
  expect(record('category', 'docs').fields).toMatchObject({ name: 'Docs', description: '' });
  expect(record('category', 'docs').body?.render()).toBe('');
});

test('Jekyll publishes no draft, no post of the future, and nothing that says `published: false`', async () => {
  const files = {
    'a.md': page('title: A\ndate: 2030-01-01'),
    'b.md': page('title: A\npublished: false'),
    '_drafts/c.md': page('title: A'),
    '_posts/2026-01-01-d.md': page('title: A'),
    '_posts/2030-01-01-e.md': page('title: A'),
    '_posts/2026-01-01-f.md': page('title: A\ndate: 2030-01-01 10:00:00 +0200'),
    'news/_posts/2030-01-01-g.md': page('title: A'),
    '_config.yml': 'title: T\n',
  };
  const said = {
    'a.md': 'published',
    'b.md': 'draft',
    '_drafts/c.md': 'draft',
    '_posts/2026-01-01-d.md': 'published',
    '_posts/2030-01-01-e.md': 'draft',
    '_posts/2026-01-01-f.md': 'draft',
    'news/_posts/2030-01-01-g.md': 'draft',
  };
  expect(await states('jekyll', files)).toEqual(said);
  expect(await states('jekyll', { ...files, '_config.yml': 'future: true\n' })).toMatchObject({
    '_posts/2030-01-01-e.md': 'published',
  });
});

test('Jekyll reads `include`, `exclude`, `defaults` and the collections of _config.yml', async () => {
  const files = {
    'a.md': page('title: A'),
    'internal/b.md': page('title: A'),
    'notes-x/c.md': page('title: A'),
    '_docs/d.md': page('title: A'),
    '_parts/e.md': page('title: A'),
    '_pages/f.md': page('title: A'),
    '_other/g.md': page('title: A'),
    '_guides/h.md': page('title: A'),
    'vendor/bundle/i.md': page('title: A'),
    '_config.yml': [
      'include: [_pages]',
      'exclude: [internal/, "notes-*"]',
      'collections:',
      '  docs: { output: true }',
      '  parts: {}',
      '  guides: { output: true }',
      'defaults:',
      '  - scope: { path: "", type: guides }',
      '    values: { published: false }',
      '',
    ].join('\n'),
  };
  expect(await states('jekyll', files)).toEqual({
    'a.md': 'published',
    '_docs/d.md': 'published',
    '_pages/f.md': 'published',
    '_guides/h.md': 'draft',
  });
  expect(await reasons('jekyll', files)).toMatchObject({
    'internal/b.md': '`exclude` of _config.yml',
    'notes-x/c.md': '`exclude` of _config.yml',
    '_parts/e.md': 'the collection `parts` has no `output`',
    '_other/g.md': '`_other` is not a collection of _config.yml',
  });
});

test('Docusaurus leaves out drafts, unlisted pages, names with `_`, and what `exclude` says', async () => {
  const files = {
    'docs/a.md': page('title: A'),
    'docs/b.md': page('title: A\ndraft: true'),
    'docs/c.md': page('title: A\nunlisted: true'),
    'docs/_d.md': page('title: A'),
    'docs/internal/e.md': page('title: A'),
    'i18n/fr/docusaurus-plugin-content-docs/current/a.md': page('title: A'),
    'i18n/fr/docusaurus-plugin-content-docs/current/internal/e.md': page('title: A'),
    'versioned_docs/version-1/a.md': page('title: A'),
    'docusaurus.config.ts': `import type { Config } from '@docusaurus/types';
      const hidden = ['internal/**'];
      const config: Config = {
        presets: [['classic', { docs: { exclude: [...hidden] } } satisfies Options]],
      };
      export default config;\n`,
  };
  expect(await states('docusaurus', files)).toEqual({
    'docs/a.md': 'published',
    'docs/b.md': 'draft',
    'docs/c.md': 'draft',
    'i18n/fr/docusaurus-plugin-content-docs/current/a.md': 'published',
  });
});

test('the docs of Docusaurus lie where its settings say', async () => {
  const files = {
    'guide/a.md': page('title: A'),
    'docusaurus.config.js': `module.exports = { presets: [[ '@docusaurus/preset-classic', { docs: { path: './guide' } } ]] };\n`,
  };
  const { records } = await loadFrom(folderOf(files), { preset: 'docusaurus' });
  expect([...records.keys()]).toEqual(['article/a@en']);
});

test('VitePress leaves out what `srcExclude` says; the settings are read, never run', async () => {
  const files = {
    'a.md': page('title: A'),
    'parts/b.md': page('title: A'),
    '.vitepress/config.mts': `import { defineConfig } from 'vitepress';
      process.exit(9);
      export default withMermaid(defineConfig({ srcExclude: ['parts/**'], title: run() }));\n`,
  };
  expect(await states('vitepress', files)).toEqual({ 'a.md': 'published' });
});

test('MkDocs reads `exclude_docs` and `draft_docs` as .gitignore, and leaves README.md beside index.md out', async () => {
  const files = {
    'index.md': page('title: A'),
    'README.md': page('title: A'),
    'a.md': page('title: A'),
    'internal/b.md': page('title: A'),
    'internal/shown.md': page('title: A'),
    'x/c.draft.md': page('title: A'),
    'old/d.md': page('title: A'),
    '../mkdocs.yml': [
      'exclude_docs: |',
      '  internal/*',
      '  !internal/shown.md',
      'draft_docs: |',
      '  *.draft.md',
      'not_in_nav: |',
      '  a.md',
      'plugins:',
      '  - search',
      '  - exclude: { glob: ["old/*"] }',
      '',
    ].join('\n'),
  };
  expect(await states('mkdocs', files)).toEqual({
    'index.md': 'published',
    'a.md': 'published',
    'internal/shown.md': 'published',
    'x/c.draft.md': 'draft',
  });
});

test('Docusaurus builds what `include` names, in the languages that `i18n.locales` names', async () => {
  const files = {
    'docusaurus.config.js':
      "module.exports = { i18n: { defaultLocale: 'en', locales: ['en', 'fr'] }, presets: [['classic', { docs: { include: ['guide/**/*.md'] } }]] };\n",
    'docs/guide/a.md': page('title: A'),
    'docs/plans/b.md': page('title: A'),
    'i18n/fr/docusaurus-plugin-content-docs/current/guide/a.md': page('title: A'),
    'i18n/de/docusaurus-plugin-content-docs/current/guide/a.md': page('title: A'),
  };
  expect(Object.keys(await states('docusaurus', files)).sort()).toEqual([
    'docs/guide/a.md',
    'i18n/fr/docusaurus-plugin-content-docs/current/guide/a.md',
  ]);
  expect(await reasons('docusaurus', files)).toMatchObject({
    'docs/plans/b.md': '`include` of Docusaurus',
    'i18n/de/docusaurus-plugin-content-docs/current/guide/a.md':
      '`i18n.locales` of Docusaurus does not name its language',
  });
});

test('Mintlify shows neither what `.mintignore` names nor hidden pages', async () => {
  const files = {
    'docs.json': JSON.stringify({ navigation: { pages: ['a', 'b', 'plans/c'] } }),
    '.mintignore': 'plans/\n',
    'a.mdx': page('title: A'),
    'b.mdx': page('title: A\nhidden: true'),
    'plans/c.mdx': page('title: A'),
  };
  expect(await states('mintlify', files)).toEqual({ 'a.mdx': 'published', 'b.mdx': 'draft' });
  expect(await reasons('mintlify', files)).toMatchObject({ 'plans/c.mdx': '`.mintignore` of Mintlify' });
});

test('GitBook has hidden pages only for those who know the address', async () => {
  const files = {
    'SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n',
    'a.md': page('hidden: false', '# A\n'),
    'b.md': page('hidden: true', '# B\n'),
  };
  expect(await states('gitbook', files)).toEqual({ 'a.md': 'published', 'b.md': 'draft' });
});

test('ReadMe has pages for those with the link only, which are drafts here', async () => {
  const files = {
    'docs/_order.yaml': '- a\n',
    'docs/a.md': page('title: A\nprivacy:\n  view: public'),
    'docs/b.md': page('title: A\nprivacy:\n  view: anyone_with_link'),
    'docs/c.md': page('title: A\nhidden: true'),
  };
  expect(await states('readme', files)).toEqual({
    'docs/a.md': 'published',
    'docs/b.md': 'draft',
    'docs/c.md': 'draft',
  });
});

test.each(['pagePatterns', 'patterns'])('VuePress makes pages of what `%s` names', async (key) => {
  const files = {
    '.vuepress/config.js': `module.exports = { ${key}: ['**/*.md', '!plans', '!**/*.draft.md'] };\n`,
    'a.md': page('title: A'),
    'b.draft.md': page('title: A'),
    'plans/c.md': page('title: A'),
  };
  expect(Object.keys(await states('vuepress', files))).toEqual(['a.md']);
  expect(await reasons('vuepress', files)).toMatchObject({ 'plans/c.md': '`pagePatterns` of VuePress' });
});

test('Fumadocs makes pages of the files that its collection names', async () => {
  const files = {
    '../source.config.ts': [
      "import { defineConfig, defineDocs } from 'fumadocs-mdx/config';",
      "export const docs = defineDocs({ dir: 'content/docs', docs: { files: ['**/*.mdx', '!plans/**'] } });",
      'export default defineConfig({});',
      '',
    ].join('\n'),
    'docs/a.mdx': page('title: A'),
    'docs/plans/b.mdx': page('title: A'),
  };
  expect(Object.keys(await states('fumadocs', files))).toEqual(['docs/a.mdx']);
});

test.each([
  [
    'docusaurus',
    {
      'docusaurus.config.js':
        "module.exports = { i18n: { defaultLocale: 'en', locales: ['en', ...more()] }, presets: [['classic', { docs: { include: ['guide/*.md', ...more()] } }]] };\n",
      'docs/a.md': page('title: A'),
      'i18n/fr/docusaurus-plugin-content-docs/current/a.md': page('title: A'),
    },
  ],
  [
    'docusaurus',
    {
      'docusaurus.config.js':
        "module.exports = { i18n: { defaultLocale: 'en', locales: ['en', 'fr-FR'], localeConfigs: { 'fr-FR': { path: 'fr' } } } };\n",
      'docs/a.md': page('title: A'),
      'i18n/fr/docusaurus-plugin-content-docs/current/a.md': page('title: A'),
    },
  ],
  [
    'vuepress',
    {
      '.vuepress/config.js': "module.exports = { pagePatterns: ['guide/*.md', pattern()] };\n",
      'a.md': page('title: A'),
    },
  ],
  [
    'fumadocs',
    {
      '../source.config.ts':
        "export const docs = defineDocs({ dir: 'content/docs', docs: { files: ['guide/*.mdx', ...more()] } });\n",
      'docs/a.mdx': page('title: A'),
    },
  ],
  [
    'fumadocs',
    {
      '../source.config.ts':
        "export const docs = defineDocs({ dir: folder(), docs: { files: ['guide/*.mdx'] } });\n",
      'docs/a.mdx': page('title: A'),
    },
  ],
] as const)('%s: a setting that is read in part leaves out no page', async (preset, files) => {
  expect(await reasons(preset, files)).toEqual({});
  expect(Object.keys(await states(preset, files))).toHaveLength(Object.keys(files).length - 1);
});

test('keys of sites of one’s own making, and the one of Dumi for developers, make drafts', async () => {
  const said = {
    draft: [
      'draft: true',
      'isDraft: true',
      'published: false',
      'publish: false',
      'unlisted: true',
      'debug: true',
    ],
    published: ['debug: false', 'published: true', 'published: 2020-01-01', 'published: March 2020'],
  };
  const files = Object.fromEntries(
    Object.entries(said).flatMap(([status, keys]) =>
      keys.map((key, index) => [`${status}-${index}.md`, page(`title: A\n${key}`)]),
    ),
  );
  expect(await states('plain', files)).toEqual(
    Object.fromEntries(Object.keys(files).map((name) => [name, name.replace(/-.*/, '')])),
  );
});

test('Starlight publishes no draft', async () => {
  const files = { 'a.md': page('title: A\ndraft: true'), 'b.mdx': page('title: A') };
  expect(await states('starlight', files)).toEqual({ 'a.md': 'draft', 'b.mdx': 'published' });
});

test.each(['hugo', 'docusaurus', 'starlight', 'mkdocs', 'vitepress', 'jekyll', 'plain'] as const)(
  '%s: texts for programs, navigations and parts are no pages',
  async (preset) => {
    const text = page('title: A');
    const files = {
      'a.md': text,
      'AGENTS.md': text,
      'x/CLAUDE.md': text,
      'SUMMARY.md': text,
      'x/TOC.md': text,
      '_sidebar.md': text,
      '_Footer.md': text,
      'includes/part.md': text,
      'summary-of-it.md': text,
    };
    expect(Object.keys(await states(preset, files))).toEqual(['a.md', 'summary-of-it.md']);
    expect(await reasons(preset, files)).toMatchObject({
      'x/CLAUDE.md': 'a text for AI coding tools',
      'SUMMARY.md': 'a navigation, not a page',
      'includes/part.md': 'a part for other pages',
    });
  },
);

test('our own layout makes no article of AGENTS.md', async () => {
  const files = { 'en/articles/a.md': page('title: A'), 'en/articles/AGENTS.md': page('title: A') };
  expect(Object.keys(await states('kbsync', files))).toEqual(['en/articles/a.md']);
});

test('settings above the repository are not read', async () => {
  const files = { 'a.md': page('title: A\ndate: 2030-01-01'), '../hugo.toml': 'buildFuture = true\n' };
  const folder = folderOf(files);
  const { record } = await loadFrom(`${folder}/content`, { preset: 'hugo', contentDir: '.' });
  expect(record('article', 'a').fields['status']).toBe('draft');
});

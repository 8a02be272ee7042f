import { afterEach, expect, test } from 'vitest';
import { EXIT } from '../../../../src/cli/run/exit.ts';
import { fakeWorld } from '../../support/fake-world.ts';
import type { FakeWorld } from '../../support/fake-world.ts';

let world: FakeWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const page = (title: string): string => `---\ntitle: ${title}\n---\n\nText.\n`;

/** A repository; what init says of it, and what its config holds; check then reads it without a fault. */
const REPOSITORIES: readonly (readonly [
  name: string,
  files: Readonly<Record<string, string>>,
  answer: string,
  lines: readonly string[],
])[] = [
  [
    'Hugo with languages in folders',
    {
      'hugo.toml': "defaultContentLanguage = 'de'\n",
      'content/de/a.md': page('A'),
      'content/de/tags/x/_index.md': page('X'),
      'content/pt-br/a.md': page('A pt'),
    },
    'wrote kbsync.yaml for content (hugo): 2 languages (de, pt-br)\n',
    ['preset: hugo', 'content: "content"', 'defaultLanguage: "de"', 'languages: { de: de, pt-br: pt-BR }'],
  ],
  [
    'Hugo with languages as suffixes',
    { 'config.toml': '', 'content/a.md': page('A'), 'content/a.fr.md': page('A fr') },
    'wrote kbsync.yaml for content (hugo): 2 languages (en, fr)\n',
    ['preset: hugo', 'languages: { en: en, fr: fr }'],
  ],
  [
    'Docusaurus in a folder of its own',
    {
      'website/docusaurus.config.ts': "export default { i18n: { defaultLocale: 'en' } };\n",
      'website/docs/a.md': page('A'),
      'website/i18n/fr/docusaurus-plugin-content-docs/current/a.md': page('A fr'),
    },
    'wrote kbsync.yaml for website (docusaurus): 2 languages (en, fr)\n',
    ['preset: docusaurus', 'content: "website"'],
  ],
  [
    'Starlight with a root locale',
    {
      'astro.config.mjs': "starlight({ defaultLocale: 'root' })\n",
      'src/content/docs/a.mdx': page('A'),
      'src/content/docs/ja/a.mdx': page('A ja'),
    },
    'wrote kbsync.yaml for src/content/docs (starlight): 2 languages (en, ja)\n',
    ['preset: starlight', 'content: "src/content/docs"'],
  ],
  [
    'MkDocs',
    { 'mkdocs.yml': 'site_name: X\nnav:\n  - Start: index.md\n', 'docs/index.md': 'Text.\n' },
    'wrote kbsync.yaml for docs (mkdocs): 1 language (en)\n',
    ['preset: mkdocs', 'content: "docs"', '# languages: { zh-cn: zh-CN }'],
  ],
  [
    'Zensical, whose own settings go before those of MkDocs',
    {
      'mkdocs.yml': 'docs_dir: old\n',
      'zensical.toml': '[project]\ndocs_dir = "pages"\ntheme.language = "fr"\n',
      'pages/index.md': '# A\n\nText.\n',
      'old/index.md': '# Old\n\nText.\n',
    },
    'wrote kbsync.yaml for pages (mkdocs): 1 language (fr)\n',
    ['preset: mkdocs', 'content: "pages"', 'defaultLanguage: "fr"'],
  ],
  [
    'ProperDocs, whose own settings go before those of MkDocs',
    {
      'mkdocs.yml': 'docs_dir: old\n',
      'properdocs.yml': 'docs_dir: pages\nnav:\n  - index.md\n',
      'pages/index.md': '# A\n\nText.\n',
      'old/index.md': '# Old\n\nText.\n',
    },
    'wrote kbsync.yaml for pages (mkdocs): 1 language (en)\n',
    ['preset: mkdocs', 'content: "pages"'],
  ],
  [
    'VitePress below docs',
    { 'docs/.vitepress/config.ts': '', 'docs/index.md': page('A'), 'docs/zh/index.md': page('A zh') },
    'wrote kbsync.yaml for docs (vitepress): 2 languages (en, zh)\n',
    ['preset: vitepress', 'content: "docs"'],
  ],
  [
    'Jekyll',
    { '_config.yml': 'lang: fi\n', '_docs/a.md': page('A'), 'index.md': page('Home') },
    'wrote kbsync.yaml for . (jekyll): 1 language (fi)\n',
    ['preset: jekyll', 'content: "."', 'defaultLanguage: "fi"'],
  ],
  [
    'Fumadocs in a folder of a monorepo, where its settings say',
    {
      'apps/docs/source.config.ts':
        "import { defineDocs } from 'fumadocs-mdx/config';\nexport const docs = defineDocs({ dir: 'content/guide' });\n",
      'apps/docs/content/guide/meta.json': '{ "pages": ["b", "a"] }',
      'apps/docs/content/guide/a.mdx': page('A'),
      'apps/docs/content/guide/b.mdx': page('B'),
    },
    'wrote kbsync.yaml for apps/docs/content/guide (fumadocs): 1 language (en)\n',
    ['preset: fumadocs', 'content: "apps/docs/content/guide"'],
  ],
  [
    'Fumadocs with two collections: the one without `dir` is content/docs, and the main one',
    {
      'source.config.ts':
        "import { defineDocs } from 'fumadocs-mdx/config';\nexport const docs = defineDocs({ docs: { async: true } });\nexport const more = defineDocs({ dir: 'content/more' });\n",
      'content/docs/a.mdx': page('A'),
      'content/more/b.mdx': page('B'),
    },
    'wrote kbsync.yaml for content/docs (fumadocs): 1 language (en)\n',
    ['preset: fumadocs', 'content: "content/docs"'],
  ],
  [
    'Fumadocs with a collection whose `dir` is made by the settings: the one that says its folder counts',
    {
      'source.config.ts':
        "import { defineDocs } from 'fumadocs-mdx/config';\nexport const blog = defineDocs({ dir: join('content', 'blog') });\nexport const more = defineDocs(options);\nexport const docs = defineDocs({ dir: 'content/guide' });\n",
      'content/guide/a.mdx': page('A'),
      'content/blog/b.mdx': page('B'),
    },
    'wrote kbsync.yaml for content/guide (fumadocs): 1 language (en)\n',
    ['preset: fumadocs', 'content: "content/guide"'],
  ],
  [
    'MkDocs whose settings take names from the environment',
    {
      'mkdocs.yml':
        'docs_dir: !ENV [BUILD_DOCS, OTHER, "pages"]\nsite_url: !ENV [SITE, "https://docs.acme.dev/"]\nsite_name: !ENV NAME\ntheme:\n  language: !ENV [LANGUAGE, "de"]\n',
      'pages/a.md': page('A'),
    },
    'wrote kbsync.yaml for pages (mkdocs): 1 language (de)\n',
    ['preset: mkdocs', 'siteUrl: "https://docs.acme.dev/"'],
  ],
  [
    'GitBook with a space for each language, each with its SUMMARY.md',
    {
      'SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n',
      'a.md': page('A'),
      'b.md': page('B'),
      'es-ES/SUMMARY.md': '* [A](a.md)\n',
      'es-ES/a.md': page('A es'),
      'es-ES/draft.md': page('Not listed'),
    },
    'wrote kbsync.yaml for . (gitbook): 2 languages (en, es-ES)\n',
    ['preset: gitbook'],
  ],
  [
    'Nextra with the languages of next.config',
    {
      'next.config.ts':
        "import nextra from 'nextra';\nconst withNextra = nextra({});\nexport default withNextra({ i18n: { locales: ['en', 'es'], defaultLocale: 'en' } });\n",
      'content/en/_meta.ts': "export default { a: 'A' };\n",
      'content/en/a.mdx': page('A'),
      'content/es/a.mdx': page('A es'),
    },
    'wrote kbsync.yaml for content (nextra): 2 languages (en, es)\n',
    ['preset: nextra', 'content: "content"', 'languages: { en: en, es: es }'],
  ],
  [
    'a store of Wiki.js',
    {
      'home.md': '---\ntitle: Home\neditor: markdown\ndateCreated: 2020-01-01T00:00:00.000Z\n---\n\nText.\n',
      'install/linux.md': page('Linux'),
    },
    'wrote kbsync.yaml for . (wiki): 1 language (en)\n',
    ['preset: wiki', 'content: "."'],
  ],
  [
    'Docsify without a sidebar of the usual name',
    {
      'docs/index.html': "<script>window.$docsify = { loadSidebar: 'sidebar.md' };</script>\n",
      'docs/start.md': '# Start\n\nText.\n',
    },
    'wrote kbsync.yaml for docs (docsify): 1 language (en)\n',
    ['preset: docsify', 'content: "docs"'],
  ],
  [
    'Docusaurus whose docs lie beside the folder of the site',
    {
      'website/docusaurus.config.js':
        "module.exports = { presets: [['@docusaurus/preset-classic', { docs: { path: '../docs', routeBasePath: '/' } }]] };\n",
      'docs/a.md': `${page('A')}\n[b](/b)\n`,
      'docs/b.md': page('B'),
    },
    'wrote kbsync.yaml for docs (docusaurus): 1 language (en)\n',
    ['preset: docusaurus', 'content: "docs"'],
  ],
  [
    'Docusaurus with two plugins of docs, both beside the folder of the site',
    {
      'site/docusaurus.config.ts':
        "export default { plugins: [['@docusaurus/plugin-content-docs', { id: 'reference', path: './../reference', routeBasePath: '/reference' }], ['@docusaurus/plugin-content-docs', { id: 'book', path: './../book', routeBasePath: '/' }]] };\n",
      'book/a.md': `${page('A')}\n[b](/reference/b) [c](/c)\n`,
      'book/c.md': page('C'),
      'reference/b.md': `${page('B')}\n[a](/a)\n`,
      'site/README.md': '# Site\n',
    },
    'wrote kbsync.yaml for . (docusaurus): 1 language (en)\n',
    ['preset: docusaurus', 'content: "."'],
  ],
  [
    'Markdown with suffix languages and no generator',
    { 'docs/guide/a.de.md': page('A de'), 'docs/guide/a.en.md': page('A') },
    'wrote kbsync.yaml for docs (plain): 2 languages (en, de)\n',
    ['preset: plain', 'languages: { en: en, de: de }'],
  ],
];

test.each(REPOSITORIES)('%s is recognised, and check reads it in place', async (_, files, answer, lines) => {
  world = await fakeWorld(files);
  const ran = await world.run('init');
  expect(ran).toMatchObject({ exit: 0, stdout: answer });
  const text = (await world.read('kbsync.yaml')).split('\n');
  for (const line of lines) expect(text).toContain(line);
  const checked = await world.run('check');
  expect(checked.stdout + checked.stderr).toMatch(/nothing wrong/);
});

test('a store of Wiki.js with more pages in the folder of another language is one wiki in two languages', async () => {
  const home = '---\ntitle: Home\neditor: markdown\ndateCreated: 2020-01-01T00:00:00.000Z\n---\n\nText.\n';
  world = await fakeWorld({ 'home.md': home, 'ru/home.md': home, 'ru/a.md': page('A') });
  const ran = await world.run('init');
  expect(ran.stdout).toBe('wrote kbsync.yaml for . (wiki): 2 languages (en, ru)\n');
  expect(await world.read('kbsync.yaml')).toContain('languages: { en: en, ru: ru }');
});

test('our own layout stays ours, whatever else lies in the repository', async () => {
  world = await fakeWorld({ '_config.yml': 'lang: en\n', 'content/en/articles/a.md': page('A') });
  expect((await world.run('init')).stdout).toBe('wrote kbsync.yaml for content: 1 language (en)\n');
});

test('--json names the preset', async () => {
  world = await fakeWorld({ 'mkdocs.yml': '', 'docs/a.md': page('A') });
  expect(JSON.parse((await world.run('init', '--json')).stdout)).toMatchObject({
    preset: 'mkdocs',
    content: 'docs',
  });
});

test('an unknown preset and a rule that is none are named with their places', async () => {
  world = await fakeWorld({
    'kbsync.yaml': 'preset: hogo\ncomponents:\n  youtube: remove\n',
    'content/en/articles/a.md': page('A'),
  });
  const ran = await world.run('check');
  expect(ran.exit).not.toBe(0);
  expect(ran.stdout + ran.stderr).toContain('kbsync.yaml:1:9');
  expect(ran.stdout + ran.stderr).toContain('kbsync.yaml:3:12');
});

test('a repository read in place is synced, and is in sync afterwards, from the cache as well', async () => {
  world = await fakeWorld({
    'kbsync.yaml': 'preset: hugo\ncontent: content\nlanguages: { en: en, fr: fr }\n',
    'content/en/docs/a.md':
      '---\ntitle: A\ntags: [One]\ncategories: [Guides]\n---\n\n{{% note %}}\nSee [b](../b/).\n{{% /note %}}\n',
    'content/en/docs/b.md': page('B'),
    'content/fr/docs/a.md': page('A fr'),
  });
  const first = await world.run('sync');
  expect(first.stdout).toMatch(/^6 created, 0 unchanged/);
  for (const flags of [[], ['--no-cache'], []]) {
    expect((await world.run('sync', ...flags)).stdout).toMatch(/^in sync: 6 records unchanged/);
  }
  await world.write('content/en/docs/_index.md', page('Documentation'));
  const plan = await world.run('plan');
  expect(plan.stdout).toMatch(/~ category docs\s+name Docs → Documentation/);
  expect(plan.exit).toBe(0);
});

test('pages in a folder of another name are found; several folders are sections of one tree, without the code', async () => {
  world = await fakeWorld({
    'README.md': '# R',
    'src/README.md': '# S',
    'src/notes.md': '# One note',
    'tutorials/a/01.en.md': page('A'),
    'tutorials/a/01.de.md': page('A'),
  });
  expect(await world.run('init')).toMatchObject({
    exit: 0,
    stdout: 'wrote kbsync.yaml for tutorials (plain): 2 languages (en, de)\n',
  });
  await world.remove('kbsync.yaml');
  await world.write('handbook/a.md', page('A'));
  await world.write('handbook/b.md', page('B'));
  await world.write('handbook/c.md', page('C'));
  expect(await world.run('init')).toMatchObject({
    exit: 0,
    stdout: 'wrote kbsync.yaml for . (plain): 2 languages (en, de)\n',
  });
  expect(await world.read('kbsync.yaml')).toContain('exclude: ["src/**"]');
  await world.close();
  world = await fakeWorld({ 'kb/en/articles/a.md': page('A'), 'kb/fr/articles/a.md': page('A') });
  expect((await world.run('init')).stdout).toBe('wrote kbsync.yaml for kb: 2 languages (en, fr)\n');
});

test('settings are found three levels down; the system with most pages wins, and the others are listed', async () => {
  world = await fakeWorld({
    'README.md': '# R',
    'packages/docs/.vitepress/config.mts':
      "export default defineConfig({ srcDir: 'pages', locales: { root: { lang: 'en-US' }, zh: {} } });\n",
    'packages/docs/pages/a.md': page('A'),
    'packages/docs/pages/b.md': page('B'),
    'packages/docs/pages/zh/a.md': page('A zh'),
    'packages/docs/pages/it/left-over.md': page('Left over'),
    'tools/site/mkdocs.yml': 'docs_dir: guide\n',
    'tools/site/guide/a.md': page('A'),
    'notes/x.md': page('X'),
  });
  const ran = await world.run('init');
  expect(ran.stdout).toBe('wrote kbsync.yaml for packages/docs/pages (vitepress): 2 languages (en, zh)\n');
  expect(ran.stderr).toContain('found 4 pages; recognised by packages/docs/.vitepress/config.mts');
  expect(ran.stderr).toContain('also here: tools/site/guide (mkdocs, 1 page)');
  expect(ran.stderr).toContain('not included: 2 pages outside packages/docs/pages (notes 1, tools/site 1)');
});

test('settings of a package may lie four levels down', async () => {
  world = await fakeWorld({
    'README.md': '# R',
    'packages/tool/src/docs/.vitepress/config.ts': "export default { title: 'Tool' };\n",
    'packages/tool/src/docs/a.md': page('A'),
    'packages/tool/src/docs/b.md': page('B'),
    'docs/a.md': page('A'),
  });
  expect((await world.run('init')).stdout).toBe(
    'wrote kbsync.yaml for packages/tool/src/docs (vitepress): 1 language (en)\n',
  );
});

test('`--content` finds the settings above it, and `--preset` takes one system of several', async () => {
  const files = {
    'site/config.yaml':
      'baseURL: https://docs.acme.dev/help/\nlanguages:\n  en: {}\n  nl: { disabled: true }\n',
    'site/content/a.md': page('A'),
    'site/content/b.md': page('B'),
    'book/mkdocs.yml': 'site_url: https://acme.dev/\n',
    'book/docs/a.md': page('A'),
  };
  world = await fakeWorld(files);
  expect((await world.run('init', '--content', 'site/content')).stdout).toBe(
    'wrote kbsync.yaml for site/content (hugo): 1 language (en)\n',
  );
  const text = await world.read('kbsync.yaml');
  expect(text).toContain('siteUrl: "https://docs.acme.dev/help/"');
  expect(text).toContain('assets: { rootUrl: "https://docs.acme.dev/help/" }');
  await world.remove('kbsync.yaml');
  expect((await world.run('init', '--preset', 'material')).stdout).toContain('for book/docs (mkdocs)');
  expect(await world.read('kbsync.yaml')).toContain(
    'assets: { baseUrl: "https://acme.dev/", rootUrl: "https://acme.dev/" }',
  );
  await world.remove('kbsync.yaml');
  expect((await world.run('init', '--preset', 'mkdoc')).stderr).toContain('did you mean `mkdocs`?');
});

test('pages without a generator that name each other in double brackets are a wiki', async () => {
  world = await fakeWorld({
    'notes/Start here.md': 'See [[Second note|the second]].\n',
    'notes/Second note.md': 'Back to [[Start here]].\n',
    'notes/Code.md': 'Bash: `[[ -f x ]]`\n',
  });
  expect((await world.run('init')).stdout).toContain('for notes (wiki)');
  await world.remove('kbsync.yaml');
  await world.write('notes/Second note.md', 'Bash: `if [[ -f x ]]`\n');
  await world.write('notes/Start here.md', '```\n[[Second note]]\n```\n');
  expect((await world.run('init')).stdout).toContain('for notes (plain)');
});

test('pages whose generator has its settings elsewhere are known by what only it has', async () => {
  const tabs = "import Tabs from '@theme/Tabs';\n\n<Tabs>\n</Tabs>\n";
  world = await fakeWorld({ 'docs/a.md': tabs, 'docs/b.md': tabs, 'docs/c.md': page('C') });
  expect((await world.run('init')).stdout).toContain('for docs (docusaurus)');
  await world.remove('kbsync.yaml');
  await world.write('docs/b.md', '```js\nimport Tabs from "@theme/Tabs";\n```\n');
  expect((await world.run('init')).stdout).toContain('for docs (plain)');
  await world.remove('kbsync.yaml');
  await world.write('docs/a.md', 'See [b]({{< ref "b.md" >}}).\n');
  await world.write('docs/b.md', 'See [a]({{<ref "a">}}) and `{{< ref "x" >}}`.\n');
  expect((await world.run('init')).stdout).toContain('for docs (hugo)');
});

const ADMONITION = '!!! note\n    Text of the note.\n';

test('pages without settings are for the one generator whose marks many of them hold', async () => {
  world = await fakeWorld({
    'docs/a.md': `# A\n\n${ADMONITION}`,
    'docs/b.md': '# B\n\n=== "Linux"\n\n    Text.\n',
    'docs/c.md': '# C\n\n:material-check: Done. [Go](a.md){ .md-button }\n',
    'docs/d.md': '# D\n',
  });
  const { stdout, stderr } = await world.run('init');
  expect(stdout).toContain('for docs (mkdocs)');
  expect(stderr).toContain('recognised by `!!! note` in docs/a.md (such marks stand in 3 of 4 pages)\n');
  expect((await world.run('check')).exit).toBe(EXIT.done);
});

test('few marks of a generator, or those of two, leave the pages plain, and init offers its layout', async () => {
  world = await fakeWorld({
    'docs/a.md': `# A\n\n${ADMONITION}`,
    'docs/b.md': `# B\n\n${ADMONITION}`,
    'docs/c.md': '# C\n\n```\n!!! note\n    Code.\n```\n\n`!!! note`\n',
  });
  const few = await world.run('init');
  expect(few.stdout).toContain('for docs (plain)');
  expect(few.stderr).toContain(
    '`!!! note` in docs/a.md is what mkdocs replaces (2 of 3 pages hold such marks); kbsync init --preset mkdocs reads the pages so\n',
  );
  await world.remove('kbsync.yaml');
  await world.write('docs/c.md', `# C\n\n${ADMONITION}`);
  await world.write('docs/d.md', '# D\n\n{% hint style="info" %}\nText.\n{% endhint %}\n');
  const two = await world.run('init');
  expect(two.stdout).toContain('for docs (plain)');
  expect(two.stderr).toContain('kbsync init --preset mkdocs');
  expect(two.stderr).toContain('kbsync init --preset gitbook');
});

test('what several generators have says nothing', async () => {
  const text = '# A\n\n:::note\nText.\n:::\n\n!!! note, this is no box\n\n{{< figure src="a" >}}\n';
  world = await fakeWorld({ 'docs/a.md': text, 'docs/b.md': text, 'docs/c.md': text });
  const { stdout, stderr } = await world.run('init');
  expect(stdout).toContain('for docs (plain)');
  expect(stderr).not.toContain('--preset');
});

test('folders of our own layout say more than marks in their pages', async () => {
  const files = ['a', 'b', 'c'].map((name): [string, string] => [
    `guide/en/articles/${name}.md`,
    `---\ntitle: ${name}\n---\n\n${ADMONITION}`,
  ]);
  world = await fakeWorld(Object.fromEntries(files));
  await world.run('init');
  expect(await world.read('kbsync.yaml')).not.toContain('preset:');
});

test('a folder with a name of code is documentation if pages elsewhere link to half of its pages', async () => {
  const files = {
    'principles.md': '# P\n\nSee [gitleaks](tools/gitleaks.md#use) and [x](scripts/x.md).\n',
    'practices/a.md': '# A\n\nSee [it](/tools/gitleaks.md).\n',
    'tools/gitleaks.md': '# G\n',
    'tools/sonar.md': '# S\n',
    'scripts/x.md': '# X\n',
    'scripts/y.md': '# Y\n',
    'scripts/z.md': '# Z\n',
  };
  world = await fakeWorld(files);
  await world.run('init');
  expect(await world.read('kbsync.yaml')).toContain('exclude: ["scripts/**"]');
  await world.remove('kbsync.yaml');
  await world.write('internal/on-call.md', '# O\n');
  await world.write(
    'practices/a.md',
    '# A\n\nSee [it](/tools/gitleaks.md) and [who](../internal/on-call.md).\n',
  );
  await world.run('init');
  expect(await world.read('kbsync.yaml')).toContain('exclude: ["internal/**", "scripts/**"]');
});

test('a folder beside those for languages is left out, whoever links to it', async () => {
  world = await fakeWorld({
    'docs/a.md': '# A\n\nSee [x](../src/x.md).\n',
    'docs/b.md': '# B\n',
    'docs-fr/a.md': '# A\n',
    'docs-fr/b.md': '# B\n',
    'src/x.md': '# X\n',
  });
  await world.run('init');
  expect(await world.read('kbsync.yaml')).toContain('exclude: ["src/**"]');
});

test('files about the repository are no pages of Docusaurus whose settings lie elsewhere', async () => {
  const tabs = "import Tabs from '@theme/Tabs';\n\n<Tabs>\n</Tabs>\n";
  const files = { 'a.md': tabs, 'b/b.md': tabs, 'c/c.md': page('C'), 'README.md': '# R\n' };
  world = await fakeWorld({ ...files, 'CONTRIBUTING.md': '# C\n' });
  expect((await world.run('init')).stdout).toContain('for . (docusaurus)');
  expect(await world.read('kbsync.yaml')).toContain('exclude: ["{README,CHANGELOG,CONTRIBUTING,');
});

test('pages without a generator are read at the host of the repository, so links to its other files lead there', async () => {
  const files = {
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/config': '[remote "origin"]\n\turl = https://github.com/acme/manual.git\n',
    'docs/a.md': '# A\n\nSee [the code](../src/a.ts) and [the folder](../src/).\n',
    'src/a.ts': 'x',
  };
  const line = 'siteUrl: "https://github.com/acme/manual/blob/main/docs/"\n';
  world = await fakeWorld(files);
  await world.run('init');
  expect(await world.read('kbsync.yaml')).toContain(`\n# ${line}`);
  world = await fakeWorld(files);
  world.elsewhere.set('https://raw.githubusercontent.com', () =>
    Promise.resolve(new Response(null, { status: 200 })),
  );
  await world.run('init');
  expect(await world.read('kbsync.yaml')).toContain(`\n${line}`);
  expect((await world.run('check')).exit).toBe(0);
});

test('Nextra is known behind the wrapper of somebody else', async () => {
  world = await fakeWorld({
    'website/next.config.mjs': 'export default withDocs({ nextraConfig: {} });\n',
    'website/src/pages/_meta.ts': "export default { index: 'Home' };\n",
    'website/src/pages/index.mdx': page('Home'),
  });
  expect((await world.run('init')).stdout).toContain('for website/src/pages (nextra)');
  await world.remove('kbsync.yaml');
  await world.write('website/next.config.mjs', 'export default withGuildDocs({});\n');
  expect((await world.run('init')).stdout).toContain('for website/src/pages (nextra)');
});

test('of languages without a root one the language with most pages is the default', async () => {
  world = await fakeWorld({
    '.vitepress/config.ts': "export default { locales: { 'en-US': {}, 'zh-CN': {} } };\n",
    'en-US/a.md': page('A'),
    'zh-CN/a.md': page('A'),
    'zh-CN/b.md': page('B'),
  });
  await world.run('init');
  expect(await world.read('kbsync.yaml')).toContain('defaultLanguage: "zh-CN"');
});

test('translations do not say what the default language is', async () => {
  const chinese = '安装这个工具以后，你就可以开始使用它。这里是一段足够长的文字。\n';
  world = await fakeWorld({
    'docusaurus.config.js': "module.exports = { i18n: { defaultLocale: 'en', locales: ['en', 'zh-CN'] } };\n",
    'docs/a.md': `${page('A')}Install the tool, then you can start to use it.\n`,
    'i18n/zh-CN/docusaurus-plugin-content-docs/current/a.md': `${page('A')}${chinese}`,
    'i18n/zh-CN/docusaurus-plugin-content-docs/current/b.md': `${page('B')}${chinese}`,
    'i18n/zh-CN/docusaurus-plugin-content-docs/current/c.md': `${page('C')}${chinese}`,
  });
  await world.run('init');
  expect(await world.read('kbsync.yaml')).toContain('defaultLanguage: "en"');
});

test('folders of ReadMe with an order each are one site', async () => {
  world = await fakeWorld({
    'docs/_order.yaml': '- Start\n',
    'docs/Start/_order.yaml': '- a\n- b\n',
    'docs/Start/a.md': page('A'),
    'docs/Start/b.md': page('B'),
    'docs/Start/more/_order.yaml': '- c\n',
    'docs/Start/more/c.md': page('C'),
  });
  expect((await world.run('init')).stdout).toContain('wrote kbsync.yaml for docs (readme)');
  await world.remove('kbsync.yaml');
  await world.write('reference/_order.yaml', '- api\n');
  await world.write('reference/api/d.md', page('D'));
  expect((await world.run('init')).stdout).toContain('wrote kbsync.yaml for . (readme)');
});

test('an address that a setting would refuse is not written into one', async () => {
  world = await fakeWorld({
    '.vitepress/config.ts': "export default { sitemap: { hostname: 'https:/docs.acme.dev' } };\n",
    'a.md': page('A'),
  });
  await world.run('init');
  expect(await world.read('kbsync.yaml')).not.toContain('\nsiteUrl:');
  expect((await world.run('check')).stdout).toContain('nothing wrong');
});

test('docs.yml of Fern says where the site is', async () => {
  world = await fakeWorld({
    'fern/fern.config.json': '{}',
    'fern/docs.yml':
      'instances:\n  - url: a.docs.buildwithfern.com/help\n    custom-domain: acme.dev/help\nproducts:\n  - display-name: Guide\n    path: docs/guide.yml\n',
    'fern/docs/guide.yml': 'navigation:\n  - page: A\n    path: a.mdx\n',
    'fern/docs/a.mdx': page('A'),
    'fern/docs/unlisted.mdx': page('B'),
  });
  expect((await world.run('init')).stderr).toContain('found 1 page');
  expect(await world.read('kbsync.yaml')).toContain('siteUrl: "https://acme.dev/help/"');
});

test.each([
  ['docs.json', { seo: { metatags: { canonical: 'https://acme.dev/docs' } }, navigation: { pages: ['a'] } }],
  ['mint.json', { metadata: { canonical: 'https://acme.dev/docs/' }, navigation: [{ pages: ['a'] }] }],
])('the canonical address in %s of Mintlify is where the site is published', async (name, settings) => {
  world = await fakeWorld({ [name]: JSON.stringify(settings), 'a.mdx': page('A') });
  expect((await world.run('init')).stdout).toContain('(mintlify)');
  expect(await world.read('kbsync.yaml')).toContain('siteUrl: "https://acme.dev/docs/"');
});

test('a docset of Microsoft Learn says where it is published', async () => {
  world = await fakeWorld({
    '.openpublishing.publish.config.json':
      '{ "docsets_to_publish": [{ "build_source_folder": "docs", "build_output_subfolder": "nuget" }] }',
    'docs/docfx.json': '{ "build": { "content": [{ "files": ["**/*.md"] }] } }',
    'docs/index.md': page('A'),
  });
  expect((await world.run('init')).stdout).toContain('for docs (docfx)');
  expect(await world.read('kbsync.yaml')).toContain('siteUrl: "https://learn.microsoft.com/nuget/"');
  await world.remove('kbsync.yaml');
  await world.write(
    'docs/docfx.json',
    '{ "build": { "globalMetadata": { "breadcrumb_path": "/windows/wsl/breadcrumb/toc.json" } } }',
  );
  await world.run('init');
  expect(await world.read('kbsync.yaml')).toContain('siteUrl: "https://learn.microsoft.com/windows/wsl/"');
});

test('the address of images at the host of the repository is ready for who knows that it is public', async () => {
  world = await fakeWorld({
    '.git/HEAD': 'ref: refs/heads/dev/next\n',
    '.git/config': '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@github.com:acme/manual.git\n',
    'mkdocs.yml': 'site_name: X\n',
    'docs/index.md': page('A'),
  });
  await world.run('init');
  expect(await world.read('kbsync.yaml')).toContain(
    '# assets: { baseUrl: "https://raw.githubusercontent.com/acme/manual/dev/next/docs/" }\n',
  );
  await world.remove('kbsync.yaml');
  await world.write('.git/config', '[remote "origin"]\n\turl = https://git.example.com/acme/manual\n');
  await world.run('init');
  expect(await world.read('kbsync.yaml')).toContain('# assets: { baseUrl: https://cdn.example.com/docs/');
});

test('init asks the host of the repository for one page, and where it is shown the images are published there', async () => {
  const asked: string[] = [];
  const files = {
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/config': '[remote "origin"]\n\turl = https://github.com/acme/manual.git\n',
    'docs/mkdocs.yml': 'site_name: X\n',
    'docs/docs/a b.md': page('A'),
  };
  const line = 'assets: { baseUrl: "https://raw.githubusercontent.com/acme/manual/main/docs/docs/" }\n';
  const hostOf = (status: number) => (request: Request) => {
    asked.push(`${request.method} ${request.url} ${String(request.headers.get('authorization'))}`);
    return Promise.resolve(new Response(null, { status }));
  };
  world = await fakeWorld(files);
  world.elsewhere.set('https://raw.githubusercontent.com', hostOf(200));
  await world.run('init');
  expect(await world.read('kbsync.yaml')).toContain(`\n${line}`);
  world = await fakeWorld(files);
  world.elsewhere.set('https://raw.githubusercontent.com', hostOf(404));
  await world.run('init');
  expect(await world.read('kbsync.yaml')).toContain(`\n# ${line}`);
  const request = 'HEAD https://raw.githubusercontent.com/acme/manual/main/docs/docs/a%20b.md null';
  expect(asked).toEqual([request, request]);
});

test('the address has the branch that all clones begin with, and none is taken where pictures are pointers of Git LFS', async () => {
  const files = {
    '.git/HEAD': 'ref: refs/heads/my-work\n',
    '.git/refs/remotes/origin/HEAD': 'ref: refs/remotes/origin/main\n',
    '.git/config': '[remote "origin"]\n\turl = https://github.com/acme/manual.git\n',
    'mkdocs.yml': 'site_name: X\n',
    'docs/a.md': page('A'),
  };
  const line = 'assets: { baseUrl: "https://raw.githubusercontent.com/acme/manual/main/docs/" }\n';
  const shown = () => Promise.resolve(new Response(null, { status: 200 }));
  world = await fakeWorld(files);
  world.elsewhere.set('https://raw.githubusercontent.com', shown);
  await world.run('init');
  expect(await world.read('kbsync.yaml')).toContain(`\n${line}`);
  await world.remove('kbsync.yaml');
  await world.write('.gitattributes', '*.png filter=lfs diff=lfs merge=lfs -text\n');
  await world.run('init');
  expect(await world.read('kbsync.yaml')).toContain(`\n# ${line}`);
});

test('a language of three letters counts where a page stands in both', async () => {
  world = await fakeWorld({
    'docs/en/a.md': page('A'),
    'docs/fil/a.md': page('A fil'),
    'docs/api/b.md': page('B'),
  });
  expect((await world.run('init')).stdout).toBe(
    'wrote kbsync.yaml for docs (plain): 2 languages (en, fil)\n',
  );
});

test('one site for each language is one repository of several languages', async () => {
  world = await fakeWorld({
    'docs/en/mkdocs.yml': 'site_name: X\n',
    'docs/en/docs/a.md': page('A'),
    'docs/en/docs/b.md': page('B'),
    'docs/de/mkdocs.yml': 'INHERIT: ../en/mkdocs.yml\n',
    'docs/de/docs/a.md': page('A de'),
  });
  expect((await world.run('init')).stdout).toBe(
    'wrote kbsync.yaml for docs (mkdocs): 2 languages (en, de)\n',
  );
  expect((await world.run('check')).stdout).toContain('nothing wrong');
  expect((await world.run('plan')).stdout).not.toContain('category');
});

test('a project of MkDocs for each language may lie apart from its pages', async () => {
  const settings = (lang: string): string =>
    `site_name: X\nsite_url: https://acme.dev/\ndocs_dir: ../../docs/${lang}\nexclude_docs: b.md\n`;
  world = await fakeWorld({
    'config/en/mkdocs.yml': settings('en'),
    'config/de/mkdocs.yml': settings('de'),
    'docs/en/a.md': '# A\n\n!!! note\n    Text.\n',
    'docs/en/b.md': '# B\n',
    'docs/de/a.md': '# A de\n\nText.\n',
  });
  expect((await world.run('init')).stdout).toBe(
    'wrote kbsync.yaml for docs (mkdocs): 2 languages (en, de)\n',
  );
  // Where the images of one language are, the address of all does not say.
  expect(await world.read('kbsync.yaml')).toContain('\nassets: { rootUrl: "https://acme.dev/" }');
  expect((await world.run('check')).stdout).toContain('nothing wrong');
  expect((await world.run('plan')).stdout).toContain('2 create, 0 update');
});

test.each([
  [
    'mdBook',
    'book.toml',
    '[book]\ntitle = "X"\n[output.html]\ncname = "book.acme.dev"\nsite-url = "/guide/"\n',
    { 'src/SUMMARY.md': '[A](a.md)\n', 'src/a.md': '# A\n\nText.\n' },
    ['siteUrl: "https://book.acme.dev/guide/"', '\nassets: { rootUrl: "https://book.acme.dev/guide/" }'],
  ],
  [
    'mdBook with CNAME',
    'book.toml',
    '[book]\ntitle = "X"\n[output.html]\nsite-url = "/guide/"\n',
    { 'src/SUMMARY.md': '[A](a.md)\n', 'src/a.md': '# A\n\nText.\n', 'src/CNAME': 'book.acme.dev\n' },
    ['siteUrl: "https://book.acme.dev/guide/"'],
  ],
  [
    'DocFX',
    'docfx.json',
    '{ "build": { "content": [{ "files": "**/*.md" }], "sitemap": { "baseUrl": "https://acme.dev/docs" } } }',
    { 'a.md': '# A\n\nText.\n' },
    ['siteUrl: "https://acme.dev/docs/"'],
  ],
  [
    'Jekyll with CNAME',
    '_config.yml',
    'title: X\nbaseurl: ""\n',
    { 'a.md': '---\ntitle: A\n---\n\nText.\n', CNAME: 'acme.dev' },
    ['siteUrl: "https://acme.dev/"', 'baseUrl: "https://acme.dev/"'],
  ],
  [
    'Docsify with a CNAME that is none',
    'index.html',
    '<script>window.$docsify = {}</script>',
    { 'a.md': '# A\n\nText.\n', CNAME: 'see the settings of the host' },
    ['# siteUrl:'],
  ],
  [
    'bookdown',
    '_bookdown.yml',
    'book_filename: x\n',
    { 'index.Rmd': '---\ntitle: X\nurl: https\\://acme.dev/book\n---\n\n# A\n\nText.\n' },
    ['siteUrl: "https://acme.dev/book/"'],
  ],
  [
    'Retype',
    'retype.yml',
    'input: .\nurl: docs.acme.dev # ours\n',
    { 'a.md': '# A\n\nText.\n' },
    ['siteUrl: "https://docs.acme.dev'],
  ],
])('init reads where the site is published: %s', async (_, name, settings, files, lines) => {
  world = await fakeWorld({ [name]: settings, ...files });
  await world.run('init');
  const written = await world.read('kbsync.yaml');
  for (const line of lines) expect(written).toContain(line);
});

test('settings of Writerside by their older name, and where its site is', async () => {
  world = await fakeWorld({
    'project.ihp':
      '<ihp version="2.0"><topics dir="topics"/><instance src="a.tree" web-path="/docs/"/></ihp>',
    'cfg/buildprofiles.xml':
      '<buildprofiles><variables><web-root>https://acme.dev</web-root></variables></buildprofiles>',
    'topics/a.md': '# A\n\nText.\n',
  });
  const { stdout } = await world.run('init');
  expect(stdout).toContain('for . (writerside)');
  expect(await world.read('kbsync.yaml')).toContain('siteUrl: "https://acme.dev/docs/"');
});

test.each([
  [
    'Zola',
    'docs/config.toml',
    'base_url = "https://a.example"\ntheme = "x"\n',
    'docs/content/a.md',
    'docs/content',
  ],
  ['Pelican', 'pelicanconf.py', "PATH = 'pages'\n", 'pages/a.md', 'pages'],
])(
  '%s has no layout: its pages are plain Markdown, and init says so',
  async (name, marker, text, file, content) => {
    world = await fakeWorld({ [marker]: text, [file]: 'Title: A\nDate: 2026-01-02\n\nText.\n' });
    const { stdout, stderr } = await world.run('init');
    expect(stdout).toBe(`wrote kbsync.yaml for ${content} (plain): 1 language (en)\n`);
    expect(stderr).toContain(`${name}: kbsync has no layout for it, so its pages are read as plain Markdown`);
    expect(await world.read('kbsync.yaml')).toContain(`kbsync has no layout for ${name} yet`);
    expect((await world.run('check')).stdout).toContain('nothing wrong');
  },
);

test('Lume says where its pages are, which files are none, and the address of the site', async () => {
  world = await fakeWorld({
    '_config.ts':
      'import lume from "lume/mod.ts";\nconst site = lume({ src: "./pages", location: new URL("https://docs.acme.dev") });\nsite.ignore("README.md", "old");\nexport default site;\n',
    'pages/a.md': page('A'),
    'pages/guide/_part.md': page('Part'),
    'pages/_includes/x.md': page('X'),
    'pages/README.md': page('Read'),
    'pages/old/b.md': page('B'),
    'pages/guide/later.md': '---\ntitle: Later\ndraft: true\n---\n\nText.\n',
  });
  const { stdout, stderr } = await world.run('init');
  expect(stdout).toBe('wrote kbsync.yaml for pages (plain): 1 language (en)\n');
  expect(stderr).toContain('Lume: kbsync has no layout for it');
  expect(await world.read('kbsync.yaml')).toContain('siteUrl: "https://docs.acme.dev"');
  const plan = JSON.parse((await world.run('check', '--json')).stdout) as { summary: { files: number } };
  expect(plan.summary.files).toBe(2);
});

test('documentation that is no Markdown is named, also where nothing else is', async () => {
  world = await fakeWorld({
    'a.qmd': 'x',
    'b.qmd': 'x',
    'notes.rst': 'x',
    'README.rst': 'x',
    'contents+de.lr': 'x',
  });
  expect((await world.run('init')).stderr).toContain(
    'not read: 4 files in other formats (Quarto 2, reStructuredText 1, Lektor 1); kbsync reads Markdown alone\n',
  );
  await world.close();
  world = await fakeWorld({ 'docs/a.md': '# A\n\nText.\n', 'docs/b.adoc': 'x' });
  expect((await world.run('init')).stderr).toContain('not read: 1 file in other formats (AsciiDoc 1)');
  await world.close();
  world = await fakeWorld({ 'docs/a.rst': 'x' });
  expect(JSON.parse((await world.run('init', '--json')).stdout)).toMatchObject({
    otherFormats: [{ format: 'reStructuredText', files: 1 }],
  });
});

test('a wiki of GitHub begins with its page Home, a repository with its README', async () => {
  const files = { 'Home.md': 'Text.\n', 'A-page.md': '# Other\n\nText.\n' };
  world = await fakeWorld(files);
  expect((await world.run('init')).stdout).toBe('wrote kbsync.yaml for . (wiki): 1 language (en)\n');
  await world.close();
  world = await fakeWorld({ ...files, 'README.md': '# A tool\n' });
  expect((await world.run('init')).stdout).toBe('wrote kbsync.yaml for . (plain): 1 language (en)\n');
});

test('Quartz has no layout: its pages are a wiki', async () => {
  world = await fakeWorld({ 'quartz.config.ts': '', 'content/A note.md': 'Text.\n' });
  expect((await world.run('init')).stdout).toBe('wrote kbsync.yaml for content (wiki): 1 language (en)\n');
});

test('the script of the pages says the language where settings are silent or say what templates say', async () => {
  const pages = { 'docs/index.html': '<html lang="en"><script>window.$docsify = {}</script>' };
  world = await fakeWorld({ ...pages, 'docs/README.md': '# 指南\n\n使用 `kbsync check` 检查全部页面。\n' });
  expect((await world.run('init')).stdout).toBe('wrote kbsync.yaml for docs (docsify): 1 language (zh)\n');
  expect(await world.read('kbsync.yaml')).toContain('defaultLanguage: "zh"');
  await world.close();
  world = await fakeWorld({
    'docs/a.md': '# 使い方\n\nすべてのページを確認します。\n',
    'docs/b.md': '# 手引き\n\nこれは例です。\n',
  });
  expect((await world.run('init')).stdout).toBe('wrote kbsync.yaml for docs (plain): 1 language (ja)\n');
  await world.close();
  world = await fakeWorld({ 'docs/a.md': '# The word 指南\n\nIt means a guide, and no more than that.\n' });
  expect((await world.run('init')).stdout).toBe('wrote kbsync.yaml for docs (plain): 1 language (en)\n');
});

test('mdBook says its language; a folder `pdf` is none of our own; SUMMARY.md that index.html loads is Docsify’s', async () => {
  world = await fakeWorld({
    'book.toml': '[book]\nlanguage = "de"\n',
    'src/SUMMARY.md': '- [A](a.md)\n',
    'src/a.md': '# A\n',
  });
  expect((await world.run('init')).stdout).toBe('wrote kbsync.yaml for . (mdbook): 1 language (de)\n');
  await world.close();
  world = await fakeWorld({
    'docfx.json': '{ "build": { "content": [{ "files": ["articles/**/*.md"] }] } }',
    'pdf/articles/toc.yml': '',
    'articles/a.md': '# A\n',
  });
  expect((await world.run('init')).stdout).toBe('wrote kbsync.yaml for . (docfx): 1 language (en)\n');
  await world.close();
  world = await fakeWorld({
    'index.html': "<script>window.$docsify = { loadSidebar: 'SUMMARY.md', loadNavbar: 'NAV.md' }</script>",
    'SUMMARY.md': '* [B](docs/b.md)\n* [A](docs/a.md)\n',
    'NAV.md': '* [x](docs/a.md)\n',
    'docs/a.md': '# A\n',
    'docs/b.md': '# B\n',
    'docs/b/SUMMARY.md': '* [C](c.md)\n',
    'docs/b/c.md': '# C\n',
  });
  expect((await world.run('init')).stdout).toBe('wrote kbsync.yaml for . (docsify): 1 language (en)\n');
  const plan = (await world.run('plan')).stdout;
  expect(plan).not.toMatch(/nav|summary/i);
});

test('settings of MkDocs may be several files, none of them mkdocs.yml', async () => {
  world = await fakeWorld({
    'mkdocs-common.yml': 'site_name: X\n',
    'mkdocs-online.yml': 'INHERIT: mkdocs-common.yml\n',
    'docs/a.md': '# A\n',
  });
  expect((await world.run('init')).stdout).toBe('wrote kbsync.yaml for docs (mkdocs): 1 language (en)\n');
});

test('settings of nothing but empty lines take no longer than others', async () => {
  const lines = '\n'.repeat(1_000_000);
  world = await fakeWorld({
    'config.yaml': lines,
    'config.toml': lines,
    '_toc.yml': lines,
    'docs.json': lines,
    'docs/a.md': page('A'),
  });
  expect((await world.run('init')).stdout).toContain('wrote kbsync.yaml for docs');
});

test('Sphinx, Jupyter Book and mystmd are read as MyST', async () => {
  for (const [settings, text] of [
    ['conf.py', "extensions = ['myst_parser']\nlanguage = 'pt_BR'\n"],
    ['_toc.yml', 'format: jb-book\nroot: a\n'],
    ['myst.yml', 'version: 1\nproject: {}\n'],
  ] as const) {
    world = await fakeWorld({ [`docs/${settings}`]: text, 'docs/a.md': page('A') });
    const lang = settings === 'conf.py' ? 'pt-br' : 'en';
    const { stdout } = await world.run('init');
    expect(stdout).toBe(`wrote kbsync.yaml for docs (myst): 1 language (${lang})\n`);
    await world.close();
  }
});

test.each([
  ['eleventy', 'eleventy.config.js', 'return { dir: { input: "src" } };\n', 'src/docs/a.md', 'src'],
  ['eleventy', '.eleventy.js', 'config.setInputDirectory("./site");\n', 'site/a.md', 'site'],
  [
    'rspress',
    'rspress.config.ts',
    "import path from 'node:path';\nexport default defineConfig({ root: path.join(__dirname, 'site') });\n",
    'site/a.mdx',
    'site',
  ],
  [
    'rspress',
    'website/rstack.config.ts',
    "import { define } from 'rstack';\n\ndefine.doc({ root: 'site', lang: 'en' });\n",
    'website/site/a.mdx',
    'website/site',
  ],
  [
    'docusaurus',
    'website/docusaurus.config.js',
    "const path = require('path');\nmodule.exports = { presets: [['classic', { docs: { path: path.resolve(__dirname, '../texts') } }]] };\n",
    'texts/a.md',
    'texts',
  ],
  [
    'hexo',
    '_config.yml',
    'title: X\nlanguage:\ntimezone: UTC\nsource_dir: source\nnew_post_name: :title.md\n',
    'source/docs/a.md',
    'source',
  ],
  ['hexo', '_config.yml', 'source_dir: texts\nlanguage: en\n', 'texts/_posts/a.md', 'texts'],
  [
    'nuxt',
    'docs/nuxt.config.ts',
    "export default defineNuxtConfig({ extends: ['docus'] });\n",
    'docs/content/1.a.md',
    'docs/content',
  ],
  [
    'nuxt',
    'content.config.ts',
    "import { defineContentConfig } from '@nuxt/content';\n",
    'content/a.md',
    'content',
  ],
  [
    'nuxt',
    'docs/.config/docs.yaml',
    'name: A\ngithub: a/a\nurl: https://a.dev\n',
    'docs/1.guide/2.a.md',
    'docs',
  ],
  ['vocs', 'vocs.config.ts', 'export default defineConfig({});\n', 'src/pages/a.mdx', 'src/pages'],
  [
    'vocs',
    'vocs.config.tsx',
    "export default defineConfig({ rootDir: 'site', logo: <b /> });\n",
    'site/pages/a.mdx',
    'site/pages',
  ],
])('%s is known by %s', async (preset, marker, text, file, content) => {
  world = await fakeWorld({ [marker]: text, [file]: '# A\n\nText.\n', 'README.md': '# Code\n' });
  expect((await world.run('init')).stdout).toBe(
    `wrote kbsync.yaml for ${content} (${preset}): 1 language (en)\n`,
  );
  expect((await world.run('check')).stdout).toContain('nothing wrong');
});

test('languages of Hugo that have files of their own and folders of their own are found', async () => {
  world = await fakeWorld({
    'config/_default/hugo.toml': "baseURL = 'https://www.acme.dev/'\n",
    'config/_default/languages.en.toml': "contentDir = 'texts/english'\n",
    'config/_default/languages.fr.toml': "contentDir = 'texts/francais'\n",
    'texts/english/a.md': page('A'),
    'texts/francais/a.md': page('A fr'),
    'texts/other/a.md': page('In no language'),
  });
  expect((await world.run('init')).stdout).toBe('wrote kbsync.yaml for texts (hugo): 2 languages (en, fr)\n');
  const { problems } = JSON.parse((await world.run('check', '--json')).stdout) as { problems: unknown[] };
  expect(problems).toEqual([]);
});

test('a language without a page is no default: the one with most pages is', async () => {
  world = await fakeWorld({
    'docs/en/picture.png': 'x',
    'docs/pt/a.md': page('A'),
    'docs/pt/b.md': page('B'),
    'docs/fr/a.md': page('A fr'),
  });
  expect((await world.run('init')).stdout).toBe('wrote kbsync.yaml for docs (plain): 2 languages (pt, fr)\n');
});

test.each(['src/content', 'docs'])('of Next.js the folder with most pages is read: %s', async (folder) => {
  world = await fakeWorld({
    'next.config.mjs': "import createMDX from '@next/mdx';\nexport default createMDX()({});\n",
    'src/app/privacy/page.mdx': '# Privacy\n',
    [`${folder}/guide/a.mdx`]: '# A\n',
    [`${folder}/guide/b.mdx`]: '# B\n',
  });
  expect((await world.run('init')).stdout).toBe(`wrote kbsync.yaml for ${folder} (plain): 1 language (en)\n`);
});

test.each([
  'test',
  'tests',
  'fixtures',
  '__tests__',
  'spec',
  'examples',
  'example',
  'demo',
  'resources/sample_vaults',
  'ci/test_vault',
  'e2e',
  'packages/template',
])('settings below `%s` come last, after pages without settings too', async (folder) => {
  const trial = {
    [`${folder}/mkdocs.yml`]: 'site_name: Trial\n',
    [`${folder}/docs/a.md`]: page('A'),
    [`${folder}/docs/b.md`]: page('B'),
    [`${folder}/docs/c.md`]: page('C'),
  };
  world = await fakeWorld({ ...trial, 'docs/a.md': page('A'), 'docs/b.md': page('B') });
  const ran = await world.run('init');
  expect(ran.stdout).toBe('wrote kbsync.yaml for docs (plain): 1 language (en)\n');
  expect(ran.stderr).toContain(`also here: ${folder}/docs (mkdocs, 3 pages)`);
  await world.close();
  const pages = Array.from({ length: 20 }, (_, n) => [`${folder}/docs/p${n}.md`, page(`P ${n}`)] as const);
  world = await fakeWorld({
    ...trial,
    ...Object.fromEntries(pages),
    'docs/a.md': page('A'),
    'docs/b.md': page('B'),
  });
  expect((await world.run('init')).stdout).toContain('for docs (plain)');
  await world.close();
  world = await fakeWorld({ ...trial, 'web/mkdocs.yml': 'site_name: Docs\n', 'web/docs/a.md': page('A') });
  expect((await world.run('init')).stdout).toContain('for web/docs (mkdocs)');
  await world.close();
  world = await fakeWorld(trial);
  expect((await world.run('init')).stdout).toContain(`for ${folder}/docs (mkdocs)`);
});

test('what init wrote without content is written again once there is some, with the same name', async () => {
  world = await fakeWorld({ 'notes.txt': 'x' });
  expect((await world.run('init')).stdout).toBe('wrote kbsync.yaml; no content found yet\n');
  const first = await world.read('kbsync.yaml');
  expect((await world.run('init')).stderr).toContain('exists already');
  await world.write('docs/a.md', '# A\n\nText.\n');
  await world.write('mkdocs.yml', 'site_name: X\n');
  expect((await world.run('init')).stdout).toBe('wrote kbsync.yaml for docs (mkdocs): 1 language (en)\n');
  const second = await world.read('kbsync.yaml');
  expect(/^id: .*$/m.exec(second)?.[0]).toBe(/^id: .*$/m.exec(first)?.[0]);
  // What a person may have written stays.
  await world.write('kbsync.yaml', `${first}defaults: { status: draft }\n`);
  expect((await world.run('init')).stderr).toContain('exists already; nothing was written');
  await world.write('kbsync.yaml', second);
  expect((await world.run('init')).stderr).toContain('exists already; nothing was written');
});

test('init takes only flags that it uses, and its help says that it looks for the content folder', async () => {
  const world = await fakeWorld();
  const { stdout } = await world.run('init', '--help');
  expect(stdout).toMatch(/--content <dir> +the content folder; without it, init looks for it/);
  expect(await world.run('init', '--lang', 'fr')).toMatchObject({
    exit: EXIT.usage,
    stderr: expect.stringContaining("unknown option '--lang'") as string,
  });
  await world.close();
});

test('a folder `translations` holds the pages of other languages, settings of Logseq a wiki', async () => {
  world = await fakeWorld({
    'index.html': '<script>window.$docsify = {}</script>',
    'README.md': '# Course\n\nText.\n',
    'lessons/1.md': '# One\n\nText.\n',
    'translations/fr/README.md': '# Cours\n\nTexte.\n',
    'translations/fr/lessons/1.md': '# Un\n\nTexte.\n',
    'translations/de/lessons/1.md': '# Eins\n\nText.\n',
    'translations/it/notes/other.md': '# Notes about IT\n\nText.\n',
  });
  const { stdout } = await world.run('init');
  expect(stdout).toContain('3 languages (en, de, fr)');
  world = await fakeWorld({ 'logseq/config.edn': '{}', 'pages/A.md': 'public:: true\n\n- Text\n' });
  expect((await world.run('init')).stdout).toContain('for . (wiki)');
});

test('`_config.yml` beside the settings of a book is a theme for the same pages', async () => {
  const files = {
    '_config.yml': 'theme: jekyll-theme-slate\n',
    'SUMMARY.md': '# Summary\n\n* [Start](README.md)\n* [One](a.md)\n',
    'README.md': '# Start\n\nText.\n',
    'a.md': '# A\n\nText.\n',
    'notes.md': '# Notes\n\nNot listed.\n',
    'more.md': '# More\n\nNot listed.\n',
  };
  world = await fakeWorld({ ...files, 'book.json': '{ "title": "A book" }' });
  expect((await world.run('init')).stdout).toContain('for . (gitbook)');
  world = await fakeWorld(files);
  expect((await world.run('init')).stdout).toContain('for . (jekyll)');
});

test('a `.gitbook.yaml` without a summary is left from before, if pages hold what GitBook does not know and nothing of its own', async () => {
  const files = {
    '.gitbook.yaml': 'redirects:\n  old: a.md\n',
    'a.md': '# A\n\n::: warning\nText.\n:::\n',
    'b/c.md': '# C\n\n::: tip Mind\nText.\n:::\n',
  };
  world = await fakeWorld(files);
  expect((await world.run('init')).stdout).toContain('for . (plain)');
  world = await fakeWorld({ ...files, 'SUMMARY.md': '# Summary\n\n* [A](a.md)\n' });
  expect((await world.run('init')).stdout).toContain('for . (gitbook)');
  world = await fakeWorld({ ...files, 'd.md': '# D\n\n{% hint style="info" %}\nText.\n{% endhint %}\n' });
  expect((await world.run('init')).stdout).toContain('for . (gitbook)');
});

test.each([
  ['conf.py', 'extensions = ["myst_parser"]\nhtml_baseurl = "https://docs.acme.dev/help"  # public\n'],
  ['_config.yml', 'title: Book\nhtml:\n  baseurl: https://docs.acme.dev/help/\n'],
])('the address of a site of Sphinx stands in %s', async (file, text) => {
  world = await fakeWorld({
    [file]: text,
    '_toc.yml': 'format: jb-book\nroot: index\n',
    'index.md': '# A\n',
  });
  expect((await world.run('init')).stdout).toContain('(myst)');
  expect(await world.read('kbsync.yaml')).toContain('assets: { rootUrl: "https://docs.acme.dev/help/" }');
});

test('a README that lists the pages is named, because it is no page', async () => {
  const links =
    '[A](a.md), [B](./b.md#x), [C](https://github.com/x/y/blob/main/c.md), [D](https://d.dev/d.md)\n';
  const files = { 'a.md': page('A'), 'b.md': page('B'), 'c.md': page('C'), 'd.md': page('D') };
  world = await fakeWorld({ ...files, 'README.md': `# Handbook\n\n${links}` });
  expect((await world.run('init')).stderr).toContain(
    'not included: README.md, a text about the repository; it links to 3 pages, so a copy of it as index.md would be a first page for readers\n',
  );
  await world.close();
  world = await fakeWorld({ ...files, 'README.md': '# Tools\n\n[A](a.md)\n' });
  expect((await world.run('init')).stderr).not.toContain('README');
  await world.close();
  world = await fakeWorld({ ...files, 'index.md': page('Start'), 'README.md': `# Handbook\n\n${links}` });
  expect((await world.run('init')).stderr).not.toContain('first page');
});

test('a README that lists the pages may write blanks as %20 or in angle brackets, and name the addresses below', async () => {
  world = await fakeWorld({
    'my a.md': page('A'),
    'my b.md': page('B'),
    'c.md': page('C'),
    'd.md': page('D'),
    'README.md': '# Handbook\n\n[A](my%20a.md), [B](<my b.md>), [C][c]\n\n[c]: ./c.md\n[d]: %E0%A4%A\n',
  });
  expect((await world.run('init')).stderr).toContain('it links to 3 pages');
});

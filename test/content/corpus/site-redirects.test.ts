import { expect, test } from 'vitest';
import { page } from '../support/support.ts';
import { loader } from '../presets/support/support.ts';

type Loaded = Awaited<ReturnType<ReturnType<typeof loader>>>;

const lines = ({ redirects }: Loaded): readonly string[] =>
  redirects.map(({ from, to }) => `${from} → ${to}`);
const wrong = ({ problems }: Loaded): readonly string[] =>
  problems.flatMap((problem) =>
    problem.code === 'wrong-redirect'
      ? [`${problem.at.file}:${problem.at.line} ${problem.reason} ${problem.from}`]
      : [],
  );

test('mkdocs-redirects: files on both sides, in addresses of folders below the path of the site', async () => {
  const loaded = await loader('mkdocs')({
    '../mkdocs.yml': `site_url: https://example.com/help/
plugins:
  - search
  - redirects:
      redirect_maps:
        old.md: guide/install.md#first
        guide/index.md: index.md
        away.md: https://elsewhere.example/x
        gone.md: guide/nowhere.md
        guide/install.md: index.md
`,
    'index.md': page('title: Home'),
    'guide/install.md': '# Install\n\n## First\n',
  });
  expect(lines(loaded)).toEqual([
    '/help/old/ → /en/articles/guide-install#first',
    '/help/guide/ → /en/articles/home',
    '/help/away/ → https://elsewhere.example/x',
  ]);
  expect(wrong(loaded)).toEqual(['mkdocs.yml:9 dead /help/gone/', 'mkdocs.yml:10 live /help/guide/install/']);
});

test('MkDocs: the file that INHERIT names has the redirects, and addresses may be files', async () => {
  const loaded = await loader('mkdocs')({
    '../mkdocs.yml': 'INHERIT: config/redirects.yml\nuse_directory_urls: false\nplugins: {search: {}}\n',
    '../config/redirects.yml':
      'plugins:\n  redirects:\n    redirect_maps:\n      a/README.md: b.md\n      c.md: b.md\n',
    'b.md': page('title: B'),
  });
  expect(lines(loaded)).toEqual(['/a/index.html → /en/articles/b', '/c.html → /en/articles/b']);
});

test('MkDocs: a file with the ending of a language is the page at the address without it', async () => {
  const loaded = await loader('mkdocs')(
    {
      '../mkdocs.yml':
        'plugins:\n  - i18n: { docs_structure: suffix }\n  - redirects:\n      redirect_maps:\n        old.md: guide/install.en.md#first\n        alt.md: guide/install.de.md\n',
      'guide/install.en.md': '# Install\n\n## First\n',
      'guide/install.de.md': '# Einrichten\n',
    },
    { languages: { de: 'de' } },
  );
  expect(lines(loaded)).toEqual([
    '/old/ → /en/articles/guide-install#first',
    '/alt/ → /de/articles/guide-install',
  ]);
  expect(wrong(loaded)).toEqual([]);
});

test('Docusaurus: literal redirects of the plugin, below baseUrl, to pages by path and by slug', async () => {
  const loaded = await loader('docusaurus')({
    'docusaurus.config.js': `module.exports = { baseUrl: '/site/', plugins: [
      ['@docusaurus/plugin-client-redirects', {
        fromExtensions: ['html'],
        redirects: [
          { from: ['/old', '/older/'], to: '/docs/install' },
          { from: '/docs/named', to: '/docs/other-name' },
          { from: '/intro', to: '/docs/intro' },
          { from: '/docs/install', to: '/docs/intro' },
          { from: '/news', to: '/blog' },
        ],
        createRedirects(path) { return [path + '/x']; },
      }],
    ] };`,
    'docs/install.md': page('title: Install'),
    'docs/intro.md': page('title: Intro'),
    'docs/named.md': page('title: Named\nslug: other-name'),
  });
  expect(lines(loaded)).toEqual([
    '/site/old → /en/articles/install',
    '/site/older/ → /en/articles/install',
    '/site/docs/named → /en/articles/named',
    '/site/intro → /en/articles/intro',
  ]);
  expect(wrong(loaded)).toEqual(['content/docusaurus.config.js:8 live /site/docs/install']);
});

test('Mintlify: a rest that both addresses end in stands for the pages that are there', async () => {
  const loaded = await loader('mintlify')({
    'docs.json': JSON.stringify(
      {
        navigation: { pages: ['v2/a', 'v2/deep/b', 'c'] },
        redirects: [
          { source: '/beta/:slug*', destination: '/v2/:slug*' },
          { source: '/was', destination: '/c' },
          { source: '/soon', destination: '/c', permanent: false },
          { source: '/many/*', destination: '/c' },
        ],
      },
      undefined,
      1,
    ),
    'v2/a.mdx': page('title: A'),
    'v2/deep/b.mdx': page('title: B'),
    'c.mdx': page('title: C'),
  });
  expect(lines(loaded)).toEqual([
    '/beta/a → /en/articles/v2-a',
    '/beta/deep/b → /en/articles/v2-deep-b',
    '/was → /en/articles/c',
  ]);
});

test('GitBook: names of pages without their end, files as targets', async () => {
  const loaded = await loader('gitbook')({
    '.gitbook.yaml':
      'redirects:\n  previous/page: new/page.md\n  previous: ./new/README.md\n  lost: gone.md\n',
    'new/page.md': '# Page\n',
    'new/README.md': '# New\n',
  });
  expect(lines(loaded)).toEqual(['/previous/page → /en/articles/new-page', '/previous → /en/categories/new']);
  expect(wrong(loaded)).toEqual(['content/.gitbook.yaml:4 dead /lost']);
});

test('Starlight: redirects of Astro, below `base`', async () => {
  const loaded = await loader('starlight')({
    '../astro.config.mjs': `export default defineConfig({ base: '/docs', redirects: {
      '/old': '/docs/install/',
      '/older': { status: 301, destination: '/docs/install/' },
      '/now': { status: 302, destination: '/docs/install/' },
      '/v1/[...slug]': '/docs/v2/[...slug]',
    } });`,
    'install.md': page('title: Install'),
  });
  expect(lines(loaded).map((line) => line.split(' → ')[0])).toEqual(['/docs/old', '/docs/older']);
});

test('a redirect of one heading is none: the page that has it is still there (mdBook)', async () => {
  const loaded = await loader('mdbook')({
    'book.toml':
      '[output.html.redirect]\n"/new.html#part" = "other.html"\n"/new.html#old" = "new.html#now"\n',
    'src/SUMMARY.md': '- [New](new.md)\n- [Other](other.md)\n',
    'src/new.md': '# New\n\n## Now\n',
    'src/other.md': '# Other\n',
  });
  expect(lines(loaded)).toEqual([]);
  expect(wrong(loaded)).toEqual([]);
});

test('mdBook: output.html.redirect', async () => {
  const loaded = await loader('mdbook')({
    'book.toml': '[output.html.redirect]\n"/was/old.html" = "../new.html"\n',
    'src/SUMMARY.md': '- [New](new.md)\n',
    'src/new.md': '# New\n',
  });
  expect(lines(loaded)).toEqual(['/was/old.html → /en/articles/new']);
});

test('hosts: _redirects, netlify.toml and vercel.json, permanent ones without conditions', async () => {
  const loaded = await loader('vitepress')({
    'public/_redirects': `# old
/a/  /install.html
/b /install.html 302
/c /install.html 301 Country=de
/d https://elsewhere.example/d 308
/e/* /guide/:splat 301
/install.html /guide/x 301!
http://old.example/f /install.html
/g //evil.example/
/h javascript:alert(1)
`,
    '../netlify.toml':
      '[[redirects]]\nfrom = "/t"\nto = "/install.html"\n[[redirects]]\nfrom = "/u"\nto = "/x"\nquery = {id = ":id"}\n',
    '../vercel.json': JSON.stringify({
      redirects: [
        { source: '/v', destination: '/install', permanent: true },
        { source: '/w', destination: '/install', permanent: true, has: [{ type: 'host', value: 'x' }] },
        { source: '/old/:path*', destination: '/guide/:path*', permanent: true },
      ],
    }),
    'install.md': page('title: Install'),
    'guide/x.md': page('title: X'),
  });
  expect(lines(loaded)).toEqual([
    '/a/ → /en/articles/guide-x',
    '/d → https://elsewhere.example/d',
    '/e/x → /en/articles/guide-x',
    '/install.html → /en/articles/guide-x',
    '/t → /en/articles/guide-x',
    '/v → /en/articles/install',
    '/old/x → /en/articles/guide-x',
  ]);
});

test('circles of settings are found, and what front matter says of an address counts first', async () => {
  const loaded = await loader('hugo')({
    '../static/_redirects': '/a /b\n/b /a\n/mine /other/\n',
    'install.md': page('title: Install\naliases: [/mine]'),
    'other.md': page('title: Other'),
  });
  expect(lines(loaded)).toEqual(['/mine → /en/articles/install']);
  expect(wrong(loaded).map((line) => line.split(' ').slice(1).join(' '))).toEqual(['circle /a', 'circle /b']);
});

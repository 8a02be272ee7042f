import { afterEach, expect, test } from 'vitest';
import { fakeWorld } from '../../support/fake-world.ts';
import type { FakeWorld } from '../../support/fake-world.ts';

let world: FakeWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const PAGE = '---\ntitle: A\n---\n\nText.\n';
const VUEPRESS = 'docs/.vuepress/config.js';
const NEXTRA = "import nextra from 'nextra'\nexport default nextra({})({})\n";
const FUMADOCS = "import { defineDocs } from 'fumadocs-mdx/config'\nexport const docs = defineDocs({})\n";

test.each([
  [
    'the plugin for sitemaps of VuePress, in a list',
    {
      [VUEPRESS]:
        "module.exports = { base: '/docs/', plugins: [['sitemap', { hostname: 'https://acme.dev' }]] }",
      'docs/a.md': '# A\n\nText.\n',
    },
    'https://acme.dev/docs/',
  ],
  [
    'the plugin for sitemaps of VuePress, called, with the whole address',
    {
      [VUEPRESS]:
        "import { sitemapPlugin } from '@vuepress/plugin-sitemap'\nexport default { base: '/docs/', plugins: [sitemapPlugin({ hostname: 'https://acme.dev/docs' })] }",
      'docs/a.md': '# A\n\nText.\n',
    },
    'https://acme.dev/docs/',
  ],
  [
    'a theme of VuePress',
    {
      [VUEPRESS]:
        "import { hopeTheme } from 'vuepress-theme-hope'\nexport default { theme: hopeTheme({ hostname: 'https://acme.dev' }) }",
      'docs/a.md': '# A\n\nText.\n',
    },
    'https://acme.dev/',
  ],
  [
    'the link of Docsy to the newest version, if `baseURL` is a path',
    {
      'hugo.yaml': 'baseURL: /\nparams:\n  url_latest_version: https://acme.dev/docs/\n',
      'content/a.md': PAGE,
    },
    'https://acme.dev/',
  ],
  [
    'CNAME of VuePress',
    {
      [VUEPRESS]: "module.exports = { title: 'X' }",
      'docs/.vuepress/public/CNAME': 'acme.dev\n',
      'docs/a.md': '# A\n\nText.\n',
    },
    'https://acme.dev/',
  ],
  [
    'CNAME in the public folder of the source folder',
    {
      '.vitepress/config.ts': "export default { srcDir: 'src', base: '/docs/' }",
      'src/public/CNAME': 'acme.dev\n',
      'src/a.md': '# A\n\nText.\n',
    },
    'https://acme.dev/docs/',
  ],
  [
    'robots.txt',
    {
      'next.config.mjs': NEXTRA,
      'public/robots.txt': 'User-agent: *\nSitemap: https://acme.dev/sitemap.xml\n',
      'content/a.md': '# A\n\nText.\n',
    },
    'https://acme.dev/',
  ],
  [
    'robots.txt of a site in a folder of its host',
    {
      '.vitepress/config.ts': "export default { base: '/docs/' }",
      'public/robots.txt':
        'Sitemap: https://acme.dev/docs/sitemap.xml\nSitemap: https://acme.dev/docs/sitemap-2.xml\n',
      'a.md': '# A\n\nText.\n',
    },
    'https://acme.dev/docs/',
  ],
  [
    'robots.txt of a host, for a site in a folder of it',
    {
      'next.config.mjs': "import nextra from 'nextra'\nexport default nextra({})({ basePath: '/docs' })\n",
      'public/robots.txt': 'Sitemap: https://acme.dev/docs/sitemap.xml\n',
      'content/a.md': '# A\n\nText.\n',
    },
    'https://acme.dev/docs',
  ],
  [
    'CNAME of Docusaurus, whose settings make the address of the host',
    {
      'docusaurus.config.js': "module.exports = { url: process.env.URL, baseUrl: '/docs/' }\n",
      'static/CNAME': 'acme.dev\n',
      'docs/a.md': '# A\n\nText.\n',
    },
    'https://acme.dev/docs/',
  ],
  [
    'metadataBase of Next.js',
    {
      'apps/docs/source.config.ts': FUMADOCS,
      'apps/docs/src/app/layout.tsx':
        "export const metadata: Metadata = {\n  metadataBase: new URL('https://docs.acme.dev'),\n  title: 'X',\n}\n",
      'apps/docs/content/docs/a.mdx': PAGE,
    },
    'https://docs.acme.dev/',
  ],
  [
    'the homepage of the package that builds the site',
    {
      'docs/.vitepress/config.ts': "export default { title: 'X' }",
      'docs/package.json':
        '{ "homepage": "https://acme.dev/guide", "devDependencies": { "vitepress": "1.0.0" } }',
      'docs/a.md': '# A\n\nText.\n',
    },
    'https://acme.dev/guide/',
  ],
])('init finds where the site is published: %s', async (_, files, url) => {
  world = await fakeWorld(files);
  await world.run('init');
  const written = await world.read('kbsync.yaml');
  expect(written).toContain(`\nsiteUrl: "${url}"`);
  expect(written).toContain(`\nassets: { rootUrl: "${url}" }`);
});

test.each([
  [
    'sitemaps of two hosts',
    {
      'next.config.mjs': NEXTRA,
      'public/robots.txt':
        'Sitemap: https://acme.dev/sitemap.xml\nSitemap: https://blog.acme.dev/sitemap.xml\n',
      'content/a.md': '# A\n\nText.\n',
    },
  ],
  [
    'the homepage of a project that has its docs elsewhere',
    {
      'docs/.vitepress/config.ts': "export default { title: 'X' }",
      'package.json': '{ "homepage": "https://acme.dev/", "devDependencies": { "vitepress": "1.0.0" } }',
      'docs/a.md': '# A\n\nText.\n',
    },
  ],
  [
    'the homepage of a package that builds something else',
    {
      '.vitepress/config.ts': "export default { title: 'X' }",
      'package.json': '{ "homepage": "https://acme.dev/", "dependencies": { "react": "19.0.0" } }',
      'a.md': '# A\n\nText.\n',
    },
  ],
  [
    'a homepage that shows the code',
    {
      '.vitepress/config.ts': "export default { title: 'X' }",
      'package.json':
        '{ "homepage": "https://github.com/acme/docs#readme", "devDependencies": { "vitepress": "1.0.0" } }',
      'a.md': '# A\n\nText.\n',
    },
  ],
  [
    'the homepage of a package that others use',
    {
      '.vitepress/config.ts': "export default { srcDir: 'docs' }",
      'package.json':
        '{ "main": "dist/index.js", "homepage": "https://acme.dev/", "devDependencies": { "vitepress": "1.0.0" } }',
      'docs/a.md': '# A\n\nText.\n',
    },
  ],
  [
    'a homepage at the host of the repository',
    {
      '.vitepress/config.ts': "export default { title: 'X' }",
      'package.json':
        '{ "homepage": "https://git.acme.dev/a/b", "repository": { "url": "git+https://git.acme.dev/a/b.git" }, "devDependencies": { "vitepress": "1.0.0" } }',
      'a.md': '# A\n\nText.\n',
    },
  ],
  [
    'the robots.txt of a program beside the docs',
    {
      'mkdocs.yml': 'site_name: X\n',
      'public/robots.txt': 'Sitemap: https://app.acme.dev/sitemap.xml\n',
      'docs/a.md': '# A\n\nText.\n',
    },
  ],
  [
    'a sitemap in a folder that is not the site',
    {
      '.vitepress/config.ts': "export default { base: '/docs/' }",
      'public/robots.txt': 'Sitemap: https://acme.dev/sitemaps/sitemap.xml\n',
      'a.md': '# A\n\nText.\n',
    },
  ],
  [
    'a host that a script puts together',
    {
      'next.config.mjs': NEXTRA,
      'public/robots.txt': 'Sitemap: https://${HOST}.acme.dev/sitemap.xml\n',
      'content/a.md': '# A\n\nText.\n',
    },
  ],
  [
    'a metadataBase in a comment',
    {
      'next.config.mjs': NEXTRA,
      'app/layout.tsx':
        "export const metadata = {\n  // metadataBase: new URL('https://old.acme.dev'),\n  title: 'X',\n}\n",
      'content/a.md': '# A\n\nText.\n',
    },
  ],
  [
    'two layouts that name two addresses',
    {
      'next.config.mjs': NEXTRA,
      'app/layout.tsx': "export const metadata = { metadataBase: new URL('https://a.acme.dev') }\n",
      'app/(docs)/layout.tsx': "export const metadata = { metadataBase: new URL('https://b.acme.dev') }\n",
      'content/a.md': '# A\n\nText.\n',
    },
  ],
  [
    'what the theme of VuePress writes into a new site',
    {
      [VUEPRESS]:
        "export default { theme: hopeTheme({ hostname: 'https://vuepress-theme-hope-docs-demo.netlify.app' }) }",
      'docs/a.md': '# A\n\nText.\n',
    },
  ],
  [
    'a robots.txt that names no sitemap, and settings that are no list',
    {
      [VUEPRESS]: 'module.exports = { plugins: 7, theme: null }',
      'docs/.vuepress/public/robots.txt': 'User-agent: *\nSitemap: /sitemap.xml\n',
      'docs/a.md': '# A\n\nText.\n',
    },
  ],
])('init takes no address from %s', async (_, files) => {
  world = await fakeWorld(files);
  await world.run('init');
  expect(await world.read('kbsync.yaml')).toContain('\n# siteUrl: https://docs.example.com');
});

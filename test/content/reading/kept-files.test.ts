import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDesired } from '../../../src/content/load-content.ts';
import type { ContentOptions } from '../../../src/content/options.ts';
import { digestOf, png } from '../../service/support/pictures.ts';
import { folderOf, OPTIONS } from '../support/support.ts';

const PICTURE = png(4, 3);
const DIGEST = digestOf(PICTURE);
const PAGE = '---\ntitle: A\n---\n\n';

function put(folder: string, path: string, bytes: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), bytes);
}

async function read(folder: string, more: Partial<ContentOptions> = {}) {
  const { state, problems } = await loadDesired({ ...OPTIONS, cwd: folder, keepsFiles: true, ...more });
  const html = [...state.records.values()].map(({ body }) => body?.render() ?? '').join('\n');
  const files = [...(state.files ?? [])].map(([digest, { path }]) => [path, digest]);
  return {
    html,
    files,
    codes: problems.map(({ code }) => code),
    shown: [...state.records.values()].map((r) => r.files),
  };
}

/** The documentation of each generator names the folder whose files it serves from the root. */
test.each<
  [preset: ContentOptions['preset'], contentDir: string, page: string, picture: string, settings: string]
>([
  ['docusaurus', 'docs', 'docs/a.md', 'static/img/x.png', 'docusaurus.config.js'],
  ['docusaurus', '.', 'docs/a.md', 'static/img/x.png', 'docusaurus.config.js'],
  ['hugo', 'content', 'content/a.md', 'static/img/x.png', 'hugo.toml'],
  ['hugo', 'content/en', 'content/en/a.md', 'static/img/x.png', 'config/_default/hugo.toml'],
  ['starlight', 'src/content/docs', 'src/content/docs/a.md', 'public/img/x.png', 'astro.config.mjs'],
  ['vitepress', 'docs', 'docs/a.md', 'docs/public/img/x.png', 'docs/.vitepress/config.ts'],
  ['vuepress', 'docs', 'docs/a.md', 'docs/.vuepress/public/img/x.png', 'docs/.vuepress/config.js'],
  ['jekyll', '.', 'a.md', 'img/x.png', '_config.yml'],
  ['jekyll', 'docs', 'docs/a.md', 'img/x.png', '_config.yml'],
  ['nextra', 'content', 'content/a.mdx', 'public/img/x.png', 'next.config.js'],
  ['fumadocs', 'content/docs', 'content/docs/a.mdx', 'public/img/x.png', 'source.config.ts'],
  ['mkdocs', 'docs', 'docs/a.md', 'docs/img/x.png', 'mkdocs.yml'],
])(
  '%s with `content: %s` takes /img/x.png from the folder that it serves',
  async (preset, contentDir, page, picture, settings) => {
    const folder = folderOf({});
    put(folder, page, `${PAGE}![X](/img/x.png?v=1)\n`);
    put(folder, picture, PICTURE);
    put(folder, settings, '');
    const { html, files, codes } = await read(folder, { preset, contentDir });
    expect([codes, files.map(([, digest]) => digest)]).toEqual([[], [DIGEST]]);
    expect(html).toContain(`src="/files/${DIGEST}/x.png?v=1"`);
  },
);

test('the folder is the one that the settings name, below the path of the site', async () => {
  const folder = folderOf({});
  put(folder, 'docs/a.md', `${PAGE}![X](/help/img/x.png) ![Y](/img/y.png)\n`);
  put(folder, 'public/img/x.png', PICTURE);
  put(folder, 'docusaurus.config.js', `export default { baseUrl: '/help/', staticDirectories: ['public'] };`);
  const { html } = await read(folder, { preset: 'docusaurus', contentDir: 'docs' });
  expect(html).toContain(`src="/files/${DIGEST}/x.png"`);
  expect(html).toContain('src="/img/y.png"');
});

test('an image of GitBook lies in a hidden folder and is one all the same; a hidden file is none', async () => {
  const folder = folderOf({ '.env': 'KEY=1' });
  put(folder, 'content/.gitbook/assets/x.png', PICTURE);
  put(folder, 'content/.git/x.png', PICTURE);
  put(folder, 'content/.secret.png', PICTURE);
  put(
    folder,
    'content/a.md',
    `${PAGE}![X](.gitbook/assets/x.png) ![Y](.secret.png) ![Z](.git/x.png) [e](.env)\n`,
  );
  const { files } = await read(folder, { preset: 'gitbook' });
  expect(files).toEqual([['.gitbook/assets/x.png', DIGEST]]);
});

test('a link out of the repository is followed by nobody', async () => {
  const outside = folderOf({ 'x.png': PICTURE });
  const folder = folderOf({ 'a.md': `${PAGE}![X](x.png) ![Y](in/x.png)\n` });
  symlinkSync(join(outside, 'content/x.png'), join(folder, 'content/x.png'));
  symlinkSync(join(outside, 'content'), join(folder, 'content/in'));
  expect((await read(folder, { preset: 'plain' })).files).toEqual([]);
});

test('assets of kbsync.yaml win, and where both are silent the image is a problem', async () => {
  const folder = folderOf({ 'a.md': `${PAGE}![X](x.png)\n`, 'x.png': PICTURE });
  const hosted = await read(folder, { preset: 'plain', assetsBaseUrl: 'https://cdn.test/' });
  expect([hosted.files, hosted.html]).toEqual([[], expect.stringContaining('https://cdn.test/x.png')]);
  expect((await read(folder, { preset: 'plain', keepsFiles: false })).codes).toContain('image-not-hosted');
});

test('what is kept between runs notices another image of the same size, and an image that comes or goes', async () => {
  const folder = folderOf({ 'x.png': PICTURE, 'a.md': `${PAGE}![X](x.png) ![Y](/img/y.png)\n` });
  const options = { preset: 'hugo', cacheFile: join(folder, 'cache.json') } as const;
  const first = await read(folder, options);
  // The caches trust nothing that changed within two seconds.
  for (const name of ['content/x.png', 'content/a.md'])
    put(folder, name, name.endsWith('png') ? PICTURE : `${PAGE}![X](x.png) ![Y](/img/y.png)\n`);
  expect(await read(folder, options)).toEqual(first);
  const other = png(4, 3, 9);
  put(folder, 'content/x.png', other);
  expect((await read(folder, options)).files).toEqual([['x.png', digestOf(other)]]);
  put(folder, 'static/img/y.png', PICTURE);
  expect((await read(folder, options)).html).toContain(`/files/${DIGEST}/y.png`);
});

test('records name the files that they show, and a thumbnail is one of them', async () => {
  const folder = folderOf({
    'en/articles/a.md': `---\ntitle: A\nseoBannerUrl: ../../x.png\n---\n\nText\n`,
    'en/articles/b.md': `---\ntitle: B\n---\n\nText\n`,
    'x.png': PICTURE,
  });
  expect((await read(folder)).shown).toEqual([[DIGEST], undefined]);
});

test('a link to a hidden folder shows nothing of what is hidden there', async () => {
  const folder = folderOf({ 'a.md': `${PAGE}![A](pics/config) ![B](pics/x.png) ![C](shown/x.png)\n` });
  put(folder, '.git/config', 'token');
  put(folder, '.git/x.png', png(4, 3, 9));
  put(folder, 'img/x.png', PICTURE);
  symlinkSync('../.git', join(folder, 'content/pics'));
  symlinkSync('../img', join(folder, 'content/shown'));
  expect((await read(folder, { preset: 'plain' })).files).toEqual([['shown/x.png', DIGEST]]);
});

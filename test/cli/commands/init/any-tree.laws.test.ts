import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recognise } from '../../../../src/config/recognise/recognise.ts';
import { loadLayout } from '../../../../src/content/presets/load-layout.ts';
import { realFiles } from '../../../../src/machine/machine.ts';

/** `KBSYNC_TREES=5000` looks at so many trees. */
const TREES = Number(process.env['KBSYNC_TREES'] ?? 60);

let above: string;
beforeAll(async () => {
  above = await mkdtemp(join(tmpdir(), 'kbsync-trees-'));
});
afterAll(() => rm(above, { recursive: true, force: true }));

/** What says which system it is, with settings that lead elsewhere, are broken, or mean nothing. */
const MARKERS = [
  'hugo.toml',
  'config/_default/hugo.toml',
  'config/_default/languages.fr.toml',
  'docusaurus.config.js',
  'versions.json',
  'astro.config.mjs',
  '.vitepress/config.ts',
  '.vuepress/config.js',
  'mkdocs.yml',
  '_config.yml',
  'book.toml',
  'SUMMARY.md',
  '.gitbook.yaml',
  'docs.json',
  'docfx.json',
  'toc.yml',
  'fern.config.json',
  'docs.yml',
  'source.config.ts',
  'next.config.js',
  '_meta.json',
  '_sidebar.md',
  'index.html',
  '_order.yaml',
  '.obsidian/app.json',
  'home.md',
  'myst.yml',
  '_toc.yml',
  'conf.py',
  'vocs.config.ts',
  'rspress.config.ts',
  'nuxt.config.ts',
  'eleventy.config.js',
  'posts/posts.json',
  '.eleventyignore',
  '.gitignore',
  'retype.yml',
  '_quarto.yml',
  '_bookdown.yml',
];
const OUT = ['..', '../..', '/', '/etc', '../outside', './..//..', 'a/../../..', '\\..\\..', '~', 'C:\\'];
const TEXTS = fc.oneof(
  fc
    .constantFrom(...OUT)
    .chain((path) =>
      fc.constantFrom(
        `contentDir = '${path}'\n[languages.en]\ncontentDir = '${path}'\n[languages.fr]\ncontentDir = '${path}/x'\n`,
        `[[module.mounts]]\nsource = '${path}'\ntarget = 'content'\n`,
        `docs_dir: ${path}\nsource: ${path}\ninput: ${path}\nroot: ${path}\nnav:\n  - X: ${path}/a.md\n  - ${path}\n`,
        `export default { srcDir: '${path}', rootDir: '${path}', dir: { input: '${path}', includes: '${path}' }, presets: [['classic', { docs: { path: '${path}' } }]], sidebar: [{ text: 'x', link: '${path}' }] }`,
        `{ "navigation": ["${path.replaceAll('\\', '/')}/a"], "build": { "content": [{ "src": "${path.replaceAll('\\', '/')}", "files": ["**"] }] }, "permalink": "${path.replaceAll('\\', '/')}" }`,
        `extensions = ['myst_parser']\nexclude_patterns = ['${path.replaceAll('\\', '/')}']\n`,
        `* [A](${path}/a.md)\n* [B](b.md)\n`,
      ),
    ),
  fc.constantFrom(
    '',
    '{',
    '[[',
    '---\n',
    '\u0000',
    ': :\n\t- x',
    'export default (',
    '&a [*a]',
    '$docsify',
    '# A\n',
  ),
  fc.string({ maxLength: 40 }),
);
const FOLDER = fc.constantFrom(
  '',
  'docs/',
  'content/',
  'site/content/',
  'en/',
  'fr/',
  'docs/fr/',
  'a/b/c/d/e/',
  'pages/',
  '_x/',
  'src/content/docs/',
  '.hidden/',
  'node_modules/x/',
);
const PAGE = fc.constantFrom(
  'a.md',
  'b.mdx',
  'index.md',
  'README.md',
  'a.fr.md',
  '2026-01-01-x.md',
  '[slug].mdx',
  '_part.md',
  'café.md',
  'a b.md',
  'x.markdown',
  'a.png',
  'AGENTS.md',
  '..md',
  '%2e%2e.md',
);
const TREE = fc.dictionary(
  fc.oneof(
    fc.tuple(FOLDER, fc.constantFrom(...MARKERS)).map(([folder, name]) => folder + name),
    fc.tuple(FOLDER, PAGE).map(([folder, name]) => folder + name),
  ),
  TEXTS,
  { maxKeys: 14 },
);

test('any tree of files has a plan or none: no failure, no folder outside, every page one of its files', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(TREE, async (tree) => {
      const cwd = join(above, `t${(count += 1)}`, 'in');
      await mkdir(cwd, { recursive: true });
      await writeFile(join(dirname(cwd), 'a.md'), '# Outside\n');
      const there = new Set<string>();
      for (const [path, text] of Object.entries(tree)) {
        await mkdir(dirname(join(cwd, path)), { recursive: true });
        // A name may be a file in one place and a folder in another.
        const isWritten = await writeFile(join(cwd, path), text).then(
          () => true,
          () => false,
        );
        if (isWritten) there.add(path);
      }
      const { found, others } = await recognise({}, { cwd, files: realFiles });
      for (const each of found === undefined ? [] : [found, ...others]) {
        expect(each.content).not.toMatch(/^(?:\.\.(?:\/|$)|\/)/);
        expect(each.pages).toBe(each.files.length);
        const outside = each.files.filter((file) => !there.has(join(each.content, file)));
        expect(outside).toEqual([]);
        expect(each.languages).toContain(each.defaultLanguage);
        // The settings that init writes read the same pages.
        const paths = [...there].flatMap((path) => {
          if (each.content === '.') return [path];
          return path.startsWith(`${each.content}/`) ? [path.slice(each.content.length + 1)] : [];
        });
        const layout = await loadLayout(each.preset);
        const { foreign } = layout({
          defaultLanguage: each.defaultLanguage,
          languages: {},
          paths,
          readText: (path) => tree[join(each.content, path)],
        });
        for (const path of paths)
          expect(foreign?.target(path, '../../../../a.md') ?? path).not.toMatch(/^\.\.\//);
      }
    }),
    {
      numRuns: TREES,
      ...(process.env['KBSYNC_TREES_SEED'] === undefined
        ? {}
        : { seed: Number(process.env['KBSYNC_TREES_SEED']) }),
    },
  );
});

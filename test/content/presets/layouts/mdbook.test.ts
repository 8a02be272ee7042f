import { expect, test } from 'vitest';
import { bodyOf, keysOf, linksOf, loader } from '../support/support.ts';

const mdbook = loader('mdbook');

const SUMMARY = `# Summary

[Preface](preface.md)

# User guide

- [Getting \`started\`](start/README.md)
  - [Install](start/install.md)
    - [On Linux](start/linux.md)
- [Draft chapter]()

# Reference

- [Options](options.md)

---

[Thanks](thanks.md)
`;

test('SUMMARY.md is the book: order, titles, parts and chapters as categories; the rest is not built', async () => {
  const loaded = await mdbook({
    'book.toml': '[book]\nsrc = "text"\n',
    'text/SUMMARY.md': SUMMARY,
    'text/preface.md': '# Preface\n',
    'text/start/README.md': 'Start.\n',
    'text/start/install.md': '# Installing\n\n[Linux](linux.md), [start](README.md)\n',
    'text/start/linux.md': 'Text.\n',
    'text/options.md': 'Text.\n',
    'text/thanks.md': 'Text.\n',
    'text/left-over.md': 'Secret.\n',
    'README.md': 'For people.\n',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/options@en',
    'article/preface@en',
    'article/start/linux@en',
    'article/thanks@en',
    'category/reference@en',
    'category/start/install@en',
    'category/start@en',
    'category/user-guide@en',
  ]);
  expect(loaded.record('article', 'preface').fields).toMatchObject({ title: 'Preface', ordering: 1 });
  expect(loaded.record('article', 'preface').fields['categories']).toBeUndefined();
  expect(loaded.record('category', 'user-guide').fields).toMatchObject({ name: 'User guide', priority: 2 });
  expect(loaded.record('category', 'start').fields).toMatchObject({
    name: 'Getting started',
    categoryParent: 'category/user-guide',
  });
  expect(loaded.record('category', 'start/install').fields).toMatchObject({
    categoryParent: 'category/start',
  });
  expect(loaded.record('article', 'start/linux').fields['categories']).toEqual(['category/start/install']);
  expect(linksOf(loaded.record('category', 'start/install').body?.render() ?? '')).toEqual([
    '/en/articles/start-linux',
    '/en/categories/start',
  ]);
});

test('with `content: src` the settings lie above; chapters of one name have different paths', async () => {
  const loaded = await mdbook({
    'SUMMARY.md': '- [A](a.md)\n- [B](b/index.md)\n    - [B1](b/a.md)\n',
    'a.md': 'One.\n',
    'b/index.md': 'Two.\n',
    'b/a.md': 'Three.\n',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual(['article/a@en', 'article/b/a@en', 'category/b@en']);
  expect(bodyOf(loaded, 'b/a')).toContain('Three.');
});

test('a summary of six hundred levels, and of one line without an end, is read', async () => {
  const levels = Array.from({ length: 600 }, (_, level) => `${'  '.repeat(level)}- [A](a.md)`);
  levels.push(`- [${'[a]('.repeat(50_000)}`);
  const loaded = await mdbook({ 'SUMMARY.md': `${levels.join('\n')}\n`, 'a.md': '# A\n' });
  expect(loaded.messages).toEqual([]);
});

test('an image beside the chapters is where the book copies it', async () => {
  const loaded = await mdbook(
    {
      'book.toml': '[book]\nsrc = "text"\n',
      'text/SUMMARY.md': '[A](start/a.md)\n',
      'text/start/a.md': '# A\n\n![x](x.png) ![y](../../y.png)\n',
      'text/start/x.png': 'x',
      'y.png': 'y',
    },
    { assetsRootUrl: 'https://acme.dev/book/' },
  );
  expect(linksOf(bodyOf(loaded, 'start/a'))[0]).toBe('https://acme.dev/book/start/x.png');
  expect(loaded.problems.map(({ code }) => code)).toEqual(['image-not-hosted']);
});

test('a new page moves on only the pages behind it in its category', async () => {
  const orders = async (summary: string): Promise<readonly unknown[]> => {
    const loaded = await mdbook({
      'SUMMARY.md': `# Summary\n\n${summary}`,
      ...Object.fromEntries(
        ['a', 'b'].flatMap((part) => [1, 2, 3].map((at) => [`${part}/${at}.md`, '# X\n\nY.\n'])),
      ),
      'a/README.md': '# A\n',
      'b/README.md': '# B\n',
    });
    return ['a/1', 'a/2', 'b/1', 'b/2'].map((path) => loaded.record('article', path).fields['ordering']);
  };
  const part = (name: string, pages: readonly number[]): string =>
    `- [${name}](${name}/README.md)\n${pages.map((at) => `  - [${at}](${name}/${at}.md)\n`).join('')}`;
  expect(await orders(part('a', [1, 2]) + part('b', [1, 2]))).toEqual([1, 2, 1, 2]);
  expect(await orders(part('a', [1, 3, 2]) + part('b', [1, 2]))).toEqual([1, 3, 1, 2]);
});

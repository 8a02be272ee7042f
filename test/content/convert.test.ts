import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { convert } from '../../src/content/convert.ts';
import type { ContentOptions } from '../../src/content/options.ts';
import { relinked } from '../../src/content/markdown/relink.ts';
import { OPTIONS, folderOf, loadFrom, page } from './support/support.ts';
import type { Files } from './support/support.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The records that a folder makes, before and after conversion, in a form that can be compared. */
async function bothSides(files: Files, options: Partial<ContentOptions>) {
  const folder = folderOf(files);
  const before = await loadFrom(folder, options);
  const out = mkdtempSync(join(tmpdir(), 'kbsync-convert-'));
  folders.push(out);
  const conversion = await convert({ ...OPTIONS, cwd: folder, ...options });
  const left: string[] = [];
  const texts: Record<string, string> = {};
  for (const { path, text, assets, left: some } of conversion.files()) {
    const file = join(out, 'content', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
    texts[path] = text;
    left.push(...some);
    for (const asset of assets) {
      mkdirSync(dirname(join(out, 'content', asset.path)), { recursive: true });
      copyFileSync(asset.diskPath, join(out, 'content', asset.path));
    }
  }
  const { preset: _, fields: __, components: ___, defaults: ____, languages: _____, ...shared } = options;
  const after = await loadFrom(out, shared);
  const plain = ({ records }: typeof before): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      [...records]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, record]) => [
          key,
          { ...record.fields, body: record.body?.render(), initial: record.initial },
        ]),
    );
  return { before, after, was: plain(before), is: plain(after), left, texts };
}

const HUGO: Files = {
  'en/_index.md': page('title: Home', 'See [docs](docs/).\n'),
  'en/docs/_index.md': page('title: "Docs: all"\nweight: 2', '[a](a/) ![p](p.png "Title")\n'),
  'en/docs/a.md': page(
    'title: "1.10"\ntags: [.NET, "on"]\ndescription: Short\ndraft: true',
    '{{% alert title="Mind *it*" %}}\nText [b](../b/#x), [c]({{< ref "01-c.md" >}}).\n{{% /alert %}}\n\n[ref]: ../b/ "T"\n\nA [ref], <img src="../p.png"> and [![p](../p.png)](../b/).\n',
  ),
  'en/docs/b.md': page('title: B', '## X\n\n[x](/docs/a/) [up](..) [out](https://x.test/a?b=1&c=2)\n'),
  'en/docs/01-c.md': page('title: C', '[self](#top) [d](<../deep/er/d e.md>)\n'),
  'en/docs/p.png': 'png',
  'en/docs/deep/er/d e.md': page('title: D', '`[x](../b/)` is code; [x](../../b.md) is none.\n'),
  'fr/docs/a.md': page('title: A fr\ntags: [x, y]', '[b](../b/) ![p](../p.png)\n'),
};

test('a converted repository makes the same records, fields and bodies', async () => {
  const { before, after, was, is, left } = await bothSides(HUGO, {
    preset: 'hugo',
    assetsBaseUrl: 'https://cdn.test',
  });
  expect(before.messages).toEqual([]);
  expect(after.messages).toEqual([]);
  expect(left).toEqual([]);
  expect(is).toEqual(was);
});

test('links are files of the new folder, and names that mean something else there are changed', async () => {
  const { texts } = await bothSides(HUGO, { preset: 'hugo', assetsBaseUrl: 'https://cdn.test' });
  expect(Object.keys(texts).sort()).toEqual([
    'en/articles/docs/a.md',
    'en/articles/docs/b.md',
    'en/articles/docs/deep/er/d e.md',
    'en/articles/docs/x-01-c.md',
    'en/articles/home.md',
    'en/categories/docs.md',
    'en/categories/docs/deep.md',
    'en/categories/docs/deep/er.md',
    'en/tags/on.md',
    'en/tags/x--net.md',
    'en/tags/x.md',
    'en/tags/y.md',
    'fr/articles/docs/a.md',
    'fr/tags/x.md',
    'fr/tags/y.md',
  ]);
  expect(texts['en/articles/docs/b.md']).toContain(
    '[x](a.md) [up](../../categories/docs.md) [out](https://x.test/a?b=1&c=2)',
  );
  expect(texts['fr/articles/docs/a.md']).toContain('[b](../../../en/articles/docs/b.md)');
  expect(texts['en/articles/docs/a.md']).toContain('> [!NOTE|Mind it]\n> Text [b](b.md#x), [c](x-01-c.md).');
});

test('other systems convert as well: MDX, navigation-free Markdown, Liquid', async () => {
  for (const [preset, files] of [
    [
      'docusaurus',
      {
        'docs/a.mdx': "import x from 'y';\n\n# A\n\n:::tip\nText [b](./g/b.md).\n:::\n",
        'docs/g/b.md': '# B\n',
      },
    ],
    ['plain', { 'g/README.md': '# G\n', 'g/a.md': '# A\n\n[g](./)\n', 'g/a.de.md': '# A de\n' }],
    [
      'jekyll',
      {
        '_docs/a.md': page('nav_order: 1', '{: .note }\nText [b]({% link _docs/b.md %})\n'),
        '_docs/b.md': page('title: B'),
      },
    ],
  ] as const) {
    const { before, was, is } = await bothSides(files, { preset });
    expect(before.messages).toEqual([]);
    expect(is).toEqual(was);
  }
});

test('codes of emoji, which our own layout has none of, become signs; code and addresses keep them', async () => {
  const body = 'A :rocket: `:x:` [:+1:](https://a.test/:x:)\n\n```\n:x:\n```\n';
  const { texts, was, is } = await bothSides(
    { 'docs/a.md': page('title: A', body) },
    { preset: 'docusaurus' },
  );
  expect(is).toEqual(was);
  expect(texts['en/articles/a.md']).toContain('A 🚀 `:x:` [👍](https://a.test/:x:)\n\n```\n:x:\n```');
});

test('headings, addresses and names of addresses mean the same once their codes are signs', async () => {
  const body = [
    '# A\n\n## :rocket: Go\n\n:x: twice :x:\n---\n\n## `:x:` :x: {#own}\n\n[go](#rocket-go) [b](b.md#x) [own](#own)\n',
    'https://a.test/:x:/b <https://a.test/:x:/> www.a.test/:x:/\n\n[:+1:] [a][:+1:]\n\n[:+1:]: https://c.test\n',
  ].join('\n');
  const files = { 'docs/a.md': body, 'docs/b.md': '# B\n\n## :x:\n\n[a](a.md#x-twice-x)\n' };
  const { before, after, was, is, texts } = await bothSides(files, { preset: 'docusaurus' });
  expect([before.messages, after.messages]).toEqual([[], []]);
  expect(texts['en/articles/a.md']).toContain(
    '## 🚀 Go {#rocket-go}\n\n❌ twice ❌ {#x-twice-x}\n---\n\n## `:x:` ❌ {#own}',
  );
  // A short name of an address stays one.
  expect(JSON.stringify(is).replace('>:+1:<', '>👍<')).toBe(JSON.stringify(was));
});

test('a list of definitions has its notes and addresses, and no line of the page besides', async () => {
  const body =
    'Term\n\n:   One.\n\n    !!! note\n        Text [x] [y].\n\n[x]:\n  https://a.test\n\n> [y]: https://b.test "T"\n\n```\n[INFO]: started\n```\n';
  const settings = 'markdown_extensions: [def_list, admonition]\n';
  const { before, after, was, is, texts } = await bothSides(
    { 'a.md': `# A\n\n${body}`, 'mkdocs.yml': settings },
    { preset: 'mkdocs' },
  );
  expect([before.messages, after.messages]).toEqual([[], []]);
  expect(is).toEqual(was);
  expect(texts['en/articles/a.md']?.match(/INFO/g)).toHaveLength(1);
});

test('lists of definitions, which our own layout has none of, become HTML', async () => {
  const body = [
    'Term\n: One [b](b.md), [b][ref].\n\n    ```sh\n    a\n\n      b\n    ```\n\nOther\n: Two\n',
    '- x\n\n  Term\n  : One\n\n      more\n\n  after\n',
    '> Term\n> : One\n>\n>     more\n',
    '[ref]: b.md\n\nno list\n:\n',
  ].join('\n');
  const files = { 'a.md': page('title: A', body), 'b.md': page('title: B', 'B\n') };
  const { before, after, was, is } = await bothSides(files, { preset: 'hugo' });
  expect([before.messages, after.messages]).toEqual([[], []]);
  const shown = (records: Readonly<Record<string, unknown>>): string =>
    JSON.stringify(records).replaceAll(/(?:\\n| )+/g, ' ');
  expect(shown(is)).toBe(shown(was));
});

test.each([
  ['[x](a.md) and [a.md](a.md)', '[x](B) and [a.md](B)'],
  ['[x](<a.md> "T")', '[x](<B> "T")'],
  ['[![a.md](a.md)](a.md)', '[![a.md](B)](B)'],
  ['[x]: a.md\n\n[x] `[x](a.md)`', '[x]: B\n\n[x] `[x](a.md)`'],
  ['<a href="a.md">x</a> <img src=\'a.md\'>', '<a href="B">x</a> <img src="B">'],
  ['> - [x](a.md)\n>   [y](a.md#b)', '> - [x](B)\n>   [y](a.md#b)'],
])('relinking %s', (text, wanted) => {
  expect(relinked(text, (url) => (url === 'a.md' ? 'B' : url))).toEqual({ text: wanted, left: [] });
});

test('links that lead out of the content are written out with `siteUrl`, which our own layout has no use for', async () => {
  const folder = folderOf({ 'a.md': page('title: A', '[shop](/shop/) and [api](../api/)\n') });
  const options = {
    ...OPTIONS,
    cwd: folder,
    preset: 'mkdocs',
    siteUrl: 'https://docs.example.org/v2/',
  } as const;
  const [file] = [...(await convert(options)).files()];
  expect(file?.text).toContain('[shop](https://docs.example.org/shop/)');
});

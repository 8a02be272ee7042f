import { expect, test } from 'vitest';
import { load, page } from '../support/support.ts';
import type { Files } from '../support/support.ts';

const FILES: Files = {
  'en/articles/guide/install.md': page('title: Install', '## On a Mac\n\n## Size {#how-big}\n'),
  'en/articles/guide/index.md': page('title: Guide\nslug: the-guide'),
  'en/articles/other/_index.md': page('title: Other'),
  'en/articles/with space.md': page('title: Space\nslug: space'),
  'en/articles/only-en.md': page('title: Only'),
  'en/categories/guide.md': page('name: Guide'),
  'en/categories/start.md': page('name: Start'),
  'en/tags/cli.md': page('name: CLI'),
  'en/articles/guide/pic ture.png': 'png',
  'en/articles/guide/manual.pdf': 'pdf',
  'assets/logo.svg': 'svg',
  'fr/articles/guide/installer.md': page(
    'title: Installer\ntranslationKey: guide/install',
    '## Sur un Mac\n',
  ),
};

async function linked(body: string, file = 'en/articles/guide/a.md'): Promise<string> {
  const { records, messages } = await load(
    { ...FILES, [file]: page('title: A\ntranslationKey: zz', body), 'en/articles/zz.md': page('title: Z') },
    { assetsBaseUrl: 'https://cdn.example.com/docs', allow: new Set(['duplicate-key']) },
  );
  expect(messages.filter((message) => !message.includes('article/zz@'))).toEqual([]);
  const record = [...records.values()].find(({ at }) => at.file === `content/${file}`);
  return record?.body?.render() ?? '';
}

test.each([
  ['a file beside it', 'install.md', '/en/articles/install'],
  ['without its extension', 'install', '/en/articles/install'],
  ['with a slash at the end', 'install/', '/en/articles/install'],
  ['with an anchor', 'install.md#on-a-mac', '/en/articles/install#on-a-mac'],
  ['with an explicit anchor', './install.md#how-big', '/en/articles/install#how-big'],
  ['with a query', 'install.md?x=1#on-a-mac', '/en/articles/install?x=1#on-a-mac'],
  ['an index file by its folder', '../guide/', '/en/articles/the-guide'],
  ['an index file by a dot', '.', '/en/articles/the-guide'],
  ['an underscored index file', '../other', '/en/articles/other'],
  ['a percent-encoded name', '../with%20space.md', '/en/articles/space'],
  ['a name in angle brackets', '<../with space.md>', '/en/articles/space'],
  ['a category', '../../categories/start.md', '/en/categories/start'],
  ['a tag', '../../tags/cli.md', '/en/tags/cli'],
  [
    'a file of another language, on purpose',
    '../../../fr/articles/guide/installer.md',
    '/fr/articles/installer',
  ],
  ['a download', 'manual.pdf', 'https://cdn.example.com/docs/en/articles/guide/manual.pdf'],
  ['an absolute address', 'https://example.com/a.md', 'https://example.com/a.md'],
  ['a mail address', 'mailto:a@example.com', 'mailto:a@example.com'],
  ['a path from the root', '/pricing#x', '/pricing#x'],
  ['another host', '//example.com/x', '//example.com/x'],
  ['the top', '#top', '#top'],
  ['nothing', '', ''],
])('links to %s', async (_, url, expected) => {
  expect(await linked(`[x](${url})\n`, 'en/articles/guide/b.md')).toBe(`<p><a href="${expected}">x</a></p>`);
});

test('a folder of articles without a page leads to its category', async () => {
  const { record, messages } = await load({
    'en/categories/faq.md': page('name: FAQ'),
    'en/articles/faq/x.md': page('title: X'),
    'en/articles/a.md': page('title: A', '[x](faq/)\n'),
  });
  expect(messages).toEqual([]);
  expect(record('article', 'a').body?.render()).toContain('href="/en/categories/faq"');
});

test('links in tables, footnotes, references, images and raw HTML are resolved', async () => {
  const body = [
    '| a |',
    '|---|',
    '| [t](install.md) |',
    '',
    'Foot[^1], [ref][r], [r], [![i](pic%20ture.png)](install.md), <a class="k" href="install.md">h</a>,',
    "<img alt='p' src='../../../assets/logo.svg' width=10>",
    '',
    '[^1]: [f](install.md)',
    '',
    '[r]: install.md "T"',
  ].join('\n');
  const html = await linked(body, 'en/articles/guide/b.md');
  expect(html.match(/href="\/en\/articles\/install"/g)).toHaveLength(6);
  expect(html).toContain(
    '<img src="https://cdn.example.com/docs/en/articles/guide/pic%20ture.png" alt="i" />',
  );
  expect(html).toContain('src="https://cdn.example.com/docs/assets/logo.svg"');
});

test('a translation links within its language, and to the default language where there is no translation', async () => {
  const html = await linked(
    '[a](install.md) [b](../only-en.md) ![c](pic%20ture.png)\n',
    'fr/articles/guide/b.md',
  );
  expect(html).toContain('href="/fr/articles/installer"');
  expect(html).toContain('href="/en/articles/only-en"');
  expect(html).toContain('src="https://cdn.example.com/docs/en/articles/guide/pic%20ture.png"');
});

test('anchors of a translation are those of the translation', async () => {
  const { places } = await load({
    ...FILES,
    'fr/articles/b.md': page('title: B', '[a](guide/install.md#on-a-mac) [b](guide/install.md#sur-un-mac)\n'),
    'en/articles/b.md': page('title: B'),
  });
  expect(places).toContain('content/fr/articles/b.md:4:1 dead-anchor');
  expect(places.filter((place) => place.endsWith('dead-anchor'))).toHaveLength(1);
});

test('ids and names in raw HTML can be jumped to', async () => {
  const { places } = await load({
    'en/articles/a.md': page(
      'title: A',
      '<a name="one"></a>\n\n<h2 id="two">T</h2>\n\n[1](#one) [2](#two) [3](#three)\n',
    ),
  });
  expect(places).toEqual(['content/en/articles/a.md:8:21 dead-anchor']);
});

test('a banner is resolved like an image', async () => {
  const { record } = await load(
    {
      'en/articles/a.md': page('title: A\nseoBannerUrl: ../../assets/b.png'),
      'en/articles/b.md': page('title: B\nseoBannerUrl: https://example.com/b.png'),
      'assets/b.png': 'png',
    },
    { assetsBaseUrl: 'https://cdn.example.com/docs/' },
  );
  expect(record('article', 'a').fields['seoBannerUrl']).toBe('https://cdn.example.com/docs/assets/b.png');
  expect(record('article', 'b').fields['seoBannerUrl']).toBe('https://example.com/b.png');
});

test('an image from the root is asked of the host that the settings name, in every layout; other links from there stay', async () => {
  const body =
    '![a](/images/a%20b.png?x=1) [b](/images/b.png) ![c](//cdn.example/c.png) <img src="/d.png">\n';
  for (const options of [{}, { preset: 'hugo' as const }]) {
    const file = options.preset === undefined ? 'en/articles/a.md' : 'a.md';
    const files = { [file]: page('title: A', body) };
    const plain = (await load(files, options)).record('article', 'a');
    const hosted = await load(files, { ...options, assetsRootUrl: 'https://docs.example.com/' });
    const html = hosted.record('article', 'a').body?.render() ?? '';
    expect(html).toContain('src="https://docs.example.com/images/a%20b.png?x=1"');
    expect(html).toContain('href="/images/b.png"');
    expect(html).toContain('src="//cdn.example/c.png"');
    expect(html).toContain('src="https://docs.example.com/d.png"');
    expect(hosted.places).toEqual(options.preset === undefined ? [] : ['content/a.md:4:29 outside-link']);
    expect(plain.body?.render()).toContain('src="/images/a%20b.png?x=1"');
    expect(plain.body?.inputDigest).not.toBe(hosted.record('article', 'a').body?.inputDigest);
  }
});

test('a changed slug changes the input digest of every article that links there, and of no other', async () => {
  const files = (slug: string): Files => ({
    'en/articles/target.md': page(`title: T\nslug: ${slug}`),
    'en/articles/linking.md': page('title: L', '[x](target.md)\n'),
    'en/articles/other.md': page('title: O'),
  });
  const [before, after] = [await load(files('old')), await load(files('new'))];
  const digest = (loaded: typeof before, path: string) => loaded.record('article', path).body?.inputDigest;
  expect(digest(before, 'linking')).not.toBe(digest(after, 'linking'));
  expect(digest(before, 'other')).toBe(digest(after, 'other'));
  expect(digest(before, 'target')).toBe(digest(after, 'target'));
});

test('a moved file keeps its input digest', async () => {
  const text = page('title: A', 'Text with a [link](https://example.com).\n');
  const before = await load({ 'en/articles/a.md': text });
  const after = await load({ 'en/articles/deep/er/b.md': text });
  expect(after.record('article', 'deep/er/b').body?.inputDigest).toBe(
    before.record('article', 'a').body?.inputDigest,
  );
});

const PLACES: Files = {
  'en/articles/CON.md': page('title: Con'),
  'en/articles/store.md': page('title: Store'),
  'en/articles/install.md': page('title: Install'),
  'en/articles/guides/index.md': page('title: Guides\nslug: guides'),
  'en/articles/prices/index.md': page('title: Prices\nslug: prices'),
  'en/articles/prices/moved.md': page('title: Moved'),
  'en/articles/some/very/long/folder/alpha.md': page('title: Alpha'),
};

test.each([
  ['names that share no letters', 'a%20b.md', undefined],
  ['names of which half the letters differ', 'stars.md', undefined],
  ['names that share a long folder', 'some/very/long/folder/omega.md', undefined],
  ['index files of folders with other names', 'faq/index.md', undefined],
  ['a letter too many', 'instaall.md', 'install.md'],
  ['a misspelt folder', 'guids/index.md', 'guides/index.md'],
  ['the only file of that name', 'old/moved.md', 'prices/moved.md'],
])('what a dead link may have meant: %s', async (_, url, meant) => {
  const { messages } = await load({ ...PLACES, 'en/articles/a.md': page('title: A', `[x](${url})\n`) });
  expect(messages).toEqual([
    `no file for the link \`${url}\`${meant === undefined ? '' : `; did you mean \`${meant}\`?`}`,
  ]);
});

test('a heading that a folder without a page lacks is looked for in no file', async () => {
  const { messages } = await load(
    { 'guides/a.md': page('title: A'), 'b.md': page('title: B', '[x](/guides/#part)\n') },
    { preset: 'docusaurus' },
  );
  expect(messages).toContain('no heading `#part` in the category `guides`');
});

test('the title of each page of Starlight is its top', async () => {
  const { places, record } = await load(
    { 'a.md': page('title: A', '[b](/b/#_top) [here](#_top)\n'), 'b.md': page('title: B') },
    { preset: 'starlight' },
  );
  expect(places).toEqual([]);
  expect(record('article', 'a').body?.render()).toBe(
    '<p><a href="/en/articles/b">b</a> <a href="#top">here</a></p>',
  );
});

test('a definition that no link uses leads nobody astray; one that a link uses does', async () => {
  const { places, messages } = await load({
    'en/articles/a.md': page(
      'title: A',
      '[used] [text][two] ![x][pic]\n\n[used]: gone.md\n[two]: gone-2.md\n[pic]: gone.png\n[not]: gone-3.md\n',
    ),
  });
  expect(places).toEqual([
    expect.stringMatching(/dead-link$/),
    expect.stringMatching(/dead-link$/),
    expect.stringMatching(/missing-image$/),
  ]);
  expect(messages.join()).not.toContain('gone-3');
});

import { expect, test } from 'vitest';
import { page } from '../../support/support.ts';
import { NOTE, bodyOf, keysOf, linksOf, loader } from '../support/support.ts';

const starlight = loader('starlight');

test('locales are folders beside a root locale or a folder of the default language', async () => {
  const root = await starlight({
    'index.mdx': page('title: Home'),
    'guides/a.md': page('title: A\nsidebar:\n  order: 4\npagefind: false'),
    'fr/guides/a.md': page('title: A fr'),
    'ml/only.md': page('title: No language'),
    '404.md': page('title: Lost'),
  });
  expect(root.places).toEqual([]);
  expect(keysOf(root)).toEqual([
    'article/guides/a@en',
    'article/guides/a@fr',
    'article/home@en',
    'article/ml/only@en',
    'category/guides@en',
    'category/ml@en',
  ]);
  expect(root.record('article', 'guides/a').fields).toMatchObject({ ordering: 4, hideFromSearch: true });
  const folders = await starlight({ 'en/a.md': page('title: A'), 'pt-br/a.md': page('title: A pt') });
  expect(keysOf(folders)).toEqual(['article/a@en', 'article/a@pt-br']);
});

test('asides are boxes, as containers and as components; MDX is only read in .mdx', async () => {
  const loaded = await starlight({
    'a.mdx': page(
      'title: A',
      'import { Aside } from \'@astrojs/starlight/components\';\n\n<Aside type="tip" title="So">\n\nOne.\n\n</Aside>\n\n:::danger\nTwo.\n:::\n',
    ),
    'b.md': page('title: B', 'Plain {braces}.\n'),
  });
  expect(loaded.places).toEqual([]);
  expect(bodyOf(loaded, 'a')).toBe(
    `${NOTE('<p>One.</p>', 'So', 'tip')}\n${NOTE('<p>Two.</p>', 'Caution', 'caution')}`,
  );
  expect(bodyOf(loaded, 'b')).toBe('<p>Plain {braces}.</p>');
});

test('a page without a title takes its heading, and links are addresses with a slash', async () => {
  const loaded = await starlight({
    'a.md': page('title: A', '[b](../g/b/) [root](/g/b/#x) [file](./g/b.md)\n'),
    'g/b.md': page('title: B', '## X\n'),
    'g/c.md': '# No title\n',
  });
  expect(loaded.places).toEqual([]);
  expect(loaded.record('article', 'g/c').fields['title']).toBe('No title');
  expect(linksOf(bodyOf(loaded, 'a'))).toEqual([
    '/en/articles/g-b',
    '/en/articles/g-b#x',
    '/en/articles/g-b',
  ]);
});

test('empty lines above the front matter and TOML are read as Astro reads them', async () => {
  const loaded = await starlight({
    'a.md': `\n\n${page('title: A')}`,
    'b.md': '+++\ntitle = "B"\n+++\n\nText.\n',
  });
  expect(loaded.places).toEqual([]);
  expect(loaded.record('article', 'a').fields).toMatchObject({ title: 'A' });
  expect(loaded.record('article', 'b').fields).toMatchObject({ title: 'B' });
});

test('a translation without an original names the file that would be it, in the root locale and as MDX', async () => {
  const loaded = await starlight({
    'a.mdx': page('title: A'),
    'fr/a.mdx': page('title: A fr'),
    'fr/only.mdx': page('title: Only'),
  });
  expect(loaded.messages).toEqual([expect.stringContaining('add content/only.mdx,')]);
});

test('the sidebar of the settings gives order, names and tree', async () => {
  const loaded = await starlight({
    'astro.config.mjs': `export default defineConfig({ integrations: [starlight({ sidebar: [
      { label: 'Begin', items: ['guides/second', { slug: 'guides/first' }, { label: 'Site', link: 'https://example.com' }] },
      { label: 'The reference', autogenerate: { directory: 'reference' } },
      { label: 'Last', link: '/last/' },
    ] })] });`,
    'guides/first.md': page('title: First'),
    'guides/second.mdx': page('title: Second'),
    'reference/calls.md': page('title: Calls\nsidebar:\n  order: 4'),
    'last.md': page('title: Last page'),
  });
  expect(loaded.messages).toEqual([]);
  const at = (path: string): readonly unknown[] => {
    const { categories, ordering } = loaded.record('article', path).fields;
    return [categories, ordering];
  };
  expect(at('guides/second')).toEqual([['category/begin'], 1]);
  expect(at('guides/first')).toEqual([['category/begin'], 2]);
  expect(at('reference/calls')).toEqual([['category/reference'], 4]);
  expect(at('last')).toEqual([undefined, 3]);
  expect(loaded.record('category', 'reference').fields).toMatchObject({ name: 'The reference', priority: 2 });
});

test('links to an address that `redirects` of Astro leads on find its page', async () => {
  const loaded = await starlight({
    'a.md': page('title: A', '[1](/old/) [2](/was/b/#x)\n'),
    'g/b.md': page('title: B', '## X\n'),
    'astro.config.mjs':
      "export default defineConfig({ redirects: { '/old': { status: 302, destination: '/g/b/' }, '/was/[...slug]': '/g/[...slug]' }, integrations: [starlight({})] });",
  });
  expect(loaded.messages).toEqual([]);
  expect(linksOf(bodyOf(loaded, 'a'))).toEqual(['/en/articles/g-b', '/en/articles/g-b#x']);
});

test('pages of Markdoc are pages, with its tags in them alone', async () => {
  const loaded = await starlight({
    'index.md': page('title: Home', '[A](/guide/a/) and {% raw /%}\n'),
    'guide/a.mdoc': page('title: A', '{% aside type="tip" title="Hot" %}\nText.\n{% /aside %}\n'),
  });
  expect(loaded.places.filter((place) => place.includes('a.mdoc'))).toEqual([]);
  expect(bodyOf(loaded, 'guide/a')).toBe(NOTE('<p>Text.</p>', 'Hot', 'tip'));
  expect(bodyOf(loaded, 'home')).toBe('<p><a href="/en/articles/guide-a">A</a> and {% raw /%}</p>');
});

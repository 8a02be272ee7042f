import { expect, test } from 'vitest';
import { page } from '../../support/support.ts';
import { bodyOf, keysOf, linksOf, loader } from '../support/support.ts';

const readme = loader('readme');

test('folders of docs are categories in the order of _order.yaml; hidden pages are drafts; other folders do not come', async () => {
  const loaded = await readme({
    'docs/_order.yaml': '- Getting Started\n- Zoo\n',
    'docs/Getting Started/_order.yaml': '- two\n- one\n',
    'docs/Getting Started/one.md': page('title: One\nexcerpt: First\nhidden: false', '[two](doc:two#part)\n'),
    'docs/Getting Started/two/index.md': page('title: Two', '## Part\n'),
    'docs/Getting Started/two/three.md': page('title: Three\nhidden: true'),
    'reference/api.md': page('title: API'),
    'custom_pages/x.md': page('title: X'),
    'README.md': 'For people.\n',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/Getting Started/one@en',
    'article/Getting Started/two/three@en',
    'article/reference/api@en',
    'category/Getting Started/two@en',
    'category/Getting Started@en',
    'category/reference@en',
  ]);
  expect(loaded.record('article', 'Getting Started/one').fields).toMatchObject({
    ordering: 2,
    status: 'published',
    excerpt: 'First',
  });
  expect(loaded.record('article', 'Getting Started/two/three').fields).toMatchObject({ status: 'draft' });
  expect(linksOf(bodyOf(loaded, 'Getting Started/one'))).toEqual(['/en/categories/Getting-Started-two#part']);
});

test('callouts and blocks of ReadMe are Markdown again', async () => {
  const loaded = await readme({
    'a.md': page(
      'title: A',
      '> 📘 Good to know\n>\n> Text.\n\n[block:image]\n{"images":[{"image":["https://x.test/a.png","a.png",10,10],"caption":"Cap"}]}\n[/block]\n\n[block:parameters]\n{"data":{"h-0":"K","h-1":"V","0-0":"a","0-1":"b"},"cols":2,"rows":1}\n[/block]\n\nA <<glossary:word>>.\n',
    ),
  });
  const html = bodyOf(loaded, 'a');
  expect(html).toContain('<p class="admonition-title">Good to know</p>');
  expect(html).toContain('<img src="https://x.test/a.png" alt="Cap"');
  expect(html).toContain('<td>b</td>');
  expect(html).toContain('<p>A word.</p>');
  expect(html).not.toContain('[block');
});

test('what stands inside a picture is its caption, and its title stays', async () => {
  const picture =
    '<Image title="a.gif" alt="Menu" align="center" src="https://x.test/a.gif">\n  The *same* body\n</Image>';
  const loaded = await readme({
    'a.md': page('title: A', `${picture}\n\n<Image title="b" src="https://x.test/b.gif" />\n`),
  });
  expect(bodyOf(loaded, 'a')).toBe(
    '<p><img src="https://x.test/a.gif" alt="Menu" title="a.gif"></p>\n<p>The <em>same</em> body</p>\n<p><img src="https://x.test/b.gif" alt="b"></p>',
  );
});

import { expect, test } from 'vitest';
import { bodyOf, keysOf, linksOf, loader } from '../../support/support.ts';

const retype = loader('retype');

test('folders are categories that index.yml names; what begins with `_` is no page', async () => {
  const loaded = await retype({
    'README.md': '# Start\n\nHello.\n',
    'guides/index.yml': 'label: How to\norder: 5\n',
    'guides/a.md': '# First guide\n\nText.\n',
    'guides/_part.md': 'Part.\n',
    '_includes/b.md': 'B.\n',
    'drafts/c.md': '# C\n',
    'retype.yml': 'exclude:\n  - drafts/\n',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual(['article/guides/a@en', 'article/home@en', 'category/guides@en']);
  expect(loaded.record('category', 'guides').fields).toMatchObject({ name: 'How to' });
  expect(loaded.record('article', 'guides/a').fields).toMatchObject({ title: 'First guide' });
});

test('of several pages that may be the page of a folder, the first one is', async () => {
  const loaded = await retype({
    'README.md': '# For people who read the repository\n\nText.\n',
    'index.md': '# Home\n\nText.\n',
    'guides/Default.md': '# No\n\nText.\n',
    'guides/readme.md': '# Guides\n\nText.\n',
    'other/default.md': '# Other\n\nText.\n',
  });
  expect(loaded.places).toEqual([]);
  const titles = [...loaded.records.values()].flatMap(({ fields }) => fields['title'] ?? []);
  expect(titles).toHaveLength(3);
  expect(titles).toEqual(expect.arrayContaining(['Guides', 'Home', 'Other']));
});

test('a hidden page is a draft, one with a password is none', async () => {
  const loaded = await retype({
    'a.md': '---\nvisibility: hidden\n---\n# A\n\nText.\n',
    'b.md': '---\nvisibility: protected\n---\n# B\n\nText.\n',
    'c.md': '---\nvisibility: private\n---\n# C\n\nText.\n',
    'd.md': '---\nvisibility: public\n---\n# D\n\nText.\n',
  });
  expect(keysOf(loaded)).toEqual(['article/a@en', 'article/d@en']);
  expect(loaded.record('article', 'a').fields).toMatchObject({ status: 'draft' });
  expect(loaded.problems.map(({ code }) => code)).toEqual(['locked-page', 'locked-page']);
});

test('a file beside a page, and index.yml of its folders, hide and lock pages too', async () => {
  const loaded = await retype({
    'a.md': '# A\n\nText.\n',
    'a.yml': 'visibility: protected\n',
    'b.md': '# B\n\nText.\n',
    'b.yaml': 'visibility: hidden\n',
    'staff/index.yml': 'label: Staff\nvisibility: private\n',
    'staff/c.md': '---\nvisibility: public\n---\n# C\n\nText.\n',
    'staff/deep/d.md': '# D\n\nText.\n',
    'soon/index.yaml': 'visibility: hidden\n',
    'soon/e.md': '# E\n\nText.\n',
    'odd/index.yml': 'visibility: [\n',
    'odd/f.md': '# F\n\nText.\n',
    'g.md': '# G\n\nText.\n',
  });
  expect(keysOf(loaded).filter((key) => key.startsWith('article/'))).toEqual([
    'article/b@en',
    'article/g@en',
    'article/soon/e@en',
  ]);
  for (const name of ['b', 'soon/e'])
    expect(loaded.record('article', name).fields).toMatchObject({ status: 'draft' });
  expect(loaded.places).toEqual([
    'content/a.md:1:1 locked-page',
    'content/odd/f.md:1:1 locked-page',
    'content/odd/index.yml:1:13 unreadable-settings',
    'content/staff/c.md:1:1 locked-page',
    'content/staff/deep/d.md:1:1 locked-page',
  ]);
});

test('callouts, tabs, panels, columns and steps', async () => {
  const loaded = await retype({
    'a.md': [
      '# A',
      '!!!danger Take [care](b.md) :icon-alert:',
      'One.',
      '!!!',
      '!!!',
      'Two.',
      '!!!',
      '+++ Linux {#lin .x}',
      'Three.',
      '+++ `macOS`',
      '```md',
      '+++ Not a tab',
      '!!!',
      '```',
      '+++',
      '==- Folded',
      'Four.',
      '=== Open',
      'Five.',
      '===',
      '||| Left',
      'Six.',
      '||| Right',
      'Seven.',
      '|||',
      '>>> First step',
      'Eight.',
      '>>> 2. Second',
      'Nine.',
      '>>>',
      'A heading',
      '===',
      'Ten. [To a step](#first-step)',
      '',
    ].join('\n'),
    'b.md': '# B\n\nText.\n',
  });
  expect(loaded.messages).toEqual([]);
  const html = bodyOf(loaded, 'a');
  for (const word of ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'])
    expect(html).toContain(`<p>${word}.</p>`);
  expect(html).toContain('Take care');
  expect(html).toContain('caution');
  for (const label of ['Linux', '<code>macOS</code>', 'Left', 'Right', 'First step', '2. Second'])
    expect(html).toContain(`<strong>${label}</strong>`);
  expect(html).toContain('<summary><a id="folded"></a>Folded</summary>');
  expect(html).toContain('<a id="lin"></a><strong>Linux</strong>');
  expect(html).toMatch(/<details open(?:="")?>\s*<summary><a id="open"><\/a>Open<\/summary>/);
  expect(html).toMatch(/<h1[^>]*>A heading<\/h1>/);
  expect(html).toContain('+++ Not a tab');
  expect(html.replace(/<pre>[^]*?<\/pre>/, '')).not.toMatch(/!!!|\+\+\+|\|\|\||>>>|\{#lin/);
});

test('references, badges, buttons and icons in a line', async () => {
  const loaded = await retype({
    'a.md':
      '# A :icon-rocket:\n\nA [!badge variant="info" text="New"] [!badge Beta] [!ref The next](b.md) [!ref](b.md) [!button text="Go"](https://a.example) [!file](files/x.zip) [[b|named]] `[!badge x]` :icon-x: end {.compact}\n\n[!embed](https://video.example/1)\n',
    'b.md': '# B\n\nText.\n',
    'files/x.zip': 'x',
  });
  const html = bodyOf(loaded, 'a');
  expect(html).toContain('<strong>New</strong> <strong>Beta</strong>');
  expect(linksOf(html)).toEqual([
    '/en/articles/b',
    '/en/articles/b',
    'https://a.example',
    'files/x.zip',
    '/en/articles/b',
    'https://video.example/1',
  ]);
  expect(html).toContain('<code>[!badge x]</code> end');
  expect(html).not.toMatch(/:icon|compact/);
  expect(loaded.record('article', 'a').fields).toMatchObject({ title: 'A' });
});

test('includes are found from the folder of the page upwards, and code of files by its lines', async () => {
  const loaded = await retype({
    'guides/in/a.md':
      '# A\n\n{{ include "notice" }}\n\n{{ include "../b.md" }}\n\n:::code source="x.js" range="2,4-5" :::\n',
    'guides/_includes/notice.md': 'Nearer.\n',
    '_includes/notice.md': 'Farther.\n',
    'guides/b.md': '# B\n\nOf B.\n',
    'guides/in/x.js': 'one\ntwo\nthree\nfour\nfive\nsix\n',
  });
  const html = bodyOf(loaded, 'guides/in/a');
  expect(html).toContain('<p>Nearer.</p>');
  expect(html).toContain('Of B.');
  expect(html).toContain('<code class="language-js">two\nfour\nfive\n</code>');
  expect(html).not.toMatch(/Farther|include|:::/);
});

import { expect, test } from 'vitest';
import { bodyOf, keysOf, loader } from '../support/support.ts';

const wiki = loader('wiki');
const PAGES = {
  'README.md': '# Repository\n\nText.\n',
  'logseq/bak/pages/Open/2024.md': '- public:: true\n- An old text\n',
  'pages/Open.md':
    'public:: true\ntype:: [[Guide]]\nid:: 63bc6201-53b1-47a4-834f-83934b69ad49\n\n- Text of [[Closed/Part]] and #[[Nobody]]\n  collapsed:: true\n- ![p](../assets/p.png){:height 22, :width 4}\n- {{video https://video.example/1}} {{mark hi}} {{query (todo now)}}end\n',
  'pages/Guide.md': '- tags:: x\n  public:: true\n- Guide\n',
  'pages/Closed___Part.md': '- Not for all\n- public:: true\n',
  'pages/No.md': 'public:: false\n\n- No\n',
  'pages/hidden/Gone.md': 'public:: true\n\n- Gone\n',
  'journals/2024_01_02.md': '- A day\n',
};
const CONFIG =
  '{:hidden ["pages/hidden"] ; :publishing/all-pages-public? true\n :macros {"mark" "==$1=="}\n :x 1}\n';

test('Logseq: a page is published if it says so itself in its first lines', async () => {
  const loaded = await wiki({ ...PAGES, 'logseq/config.edn': CONFIG });
  expect(keysOf(loaded).filter((key) => key.startsWith('article/'))).toEqual(
    ['article/Guide@en', 'article/Open@en'].map((key) => key.replace('article/', 'article/pages/')),
  );
  const open = bodyOf(loaded, 'pages/Open');
  expect(open).toContain('<strong>type:</strong> <a href="/en/articles/pages-Guide">Guide</a>');
  expect(open).toContain('https://video.example/1');
  expect(open).toContain('and Nobody');
  expect(open).not.toMatch(/public|63bc6201|collapsed|height|query|\{\{/);
});

test('Logseq: with all-pages-public every page is, but for those that say no and hidden ones', async () => {
  const loaded = await wiki({
    ...PAGES,
    'logseq/config.edn': CONFIG.replace('; :publishing', '\n :publishing'),
  });
  const keys = keysOf(loaded).filter((key) => key.startsWith('article/'));
  expect(keys).toHaveLength(4);
  expect(keys.join(' ')).not.toMatch(/Gone|No@|bak|home/);
  expect(loaded.record('article', 'pages/Closed___Part').fields).toMatchObject({ title: 'Closed/Part' });
});

test('Logseq: without the folders of a graph, pages elsewhere are pages all the same', async () => {
  const loaded = await wiki({
    'logseq/config.edn': '{:publishing/all-pages-public? true}\n',
    'notes/Guide.md': '- A guide\n',
  });
  expect(keysOf(loaded)).toContain('article/notes/Guide@en');
});

test('Logseq: blocks below a heading are a list, questions are names, and a page may have another label', async () => {
  const loaded = await wiki({
    'logseq/config.edn': '{:publishing/all-pages-public? true}\n',
    'pages/Start.md':
      'type:: x\n\n## Usage\n\t- First [[Why%3F]]\n\t  id:: 63bc6201-53b1-47a4-834f-83934b69ad49\n\t\t- Second [[Why?]]\n\t\t  ```js\n\t\t  code\n\t\t  ```\n- [the reason]([[Why?]]) and [none]([[Nobody]])\n\t- Third\n',
    'pages/Why%3F.md': '- Because\n',
  });
  expect(loaded.messages).toEqual([]);
  const body = bodyOf(loaded, 'pages/Start');
  expect(body).toMatch(
    /<li>First [^]*<ul>\s*<li>Second <a href="[^"]+Why[^"]*">Why\?<\/a>[^]*<pre><code[^>]*>code/,
  );
  expect(body).toMatch(/<a href="[^"]+Why[^"]*">the reason<\/a>/);
  expect(body).toContain('<li>Third');
});

test('Logseq: properties of the program are no words that a reader misses', async () => {
  const lines = Array.from(
    { length: 12 },
    (_, at) => `- Word\n  created-at:: 16092334759${at}\n  updated-at:: 16092334760${at}\n`,
  );
  const loaded = await wiki({
    'logseq/config.edn': '{:publishing/all-pages-public? true}\n',
    'pages/Times.md': lines.join(''),
  });
  expect(loaded.messages).toEqual([]);
});

import { describe, expect, test } from 'vitest';
import { sourceText } from '../../../src/content/source-text.ts';
import { htmlToMarkdown } from '../../../src/content/html-to-markdown/html-to-markdown.ts';
import { renderedBody } from '../../../src/content/markdown/render.ts';

const OPTIONS = { lang: 'en', html: 'sanitize', clean: true } as const;
const NOTHING = { rawBlocks: [], cleaned: [], dropped: [], isExact: true };

describe('what Markdown can say becomes Markdown', () => {
  test.each([
    ['emphasis', '<p><strong>a</strong> <em>b</em> <del>c</del></p>', '**a** *b* ~~c~~'],
    ['a line break', '<p>a<br>b</p>', 'a\\\nb'],
    ['code with a language', '<pre><code class="language-js">a\n\nb\n</code></pre>', '```js\na\n\nb\n```'],
    ['code with blank lines at its end', '<pre><code>a\n\n\n</code></pre>', '```\na\n\n\n```'],
    ['blanks in code', '<p>Type <code># </code> first</p>', 'Type `# ` first'],
    ['nested lists', '<ul><li>a<ol><li>b</li></ol></li></ul>', '- a\n  1. b'],
    ['a loose list', '<ol start="3"><li><p>a</p></li><li><p>b</p></li></ol>', '3. a\n\n4. b'],
    [
      'a task list',
      '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked disabled> a</li></ul>',
      '- [x] a',
    ],
    [
      'a table with alignment, bars and line breaks',
      '<table><thead><tr><th>a</th><th align="right">b</th></tr></thead><tbody><tr><td>1|2</td><td align="right">c<br>d</td></tr></tbody></table>',
      '| a | b |\n| --- | ---: |\n| 1\\|2 | c<br>d |',
    ],
    [
      'a callout',
      '<div class="admonition warning"><p class="admonition-title">Warning</p><p>Hot.</p></div>',
      '> [!WARNING]\n> Hot.',
    ],
    ['an id of its own', '<h2 id="h_01H">Set up</h2>', '## Set up {#h_01H}'],
    [
      'the id that a heading gets by itself',
      '<h2 id="set-up">Set up</h2><h2 id="set-up-1">Set up</h2>',
      '## Set up\n\n## Set up',
    ],
    ['a heading that ends like an id', '<h2>Set {#up}</h2>', '## Set &#123;#up}'],
    ['a blank that does not break', '<p>10&nbsp;km</p>', '10&nbsp;km'],
    [
      'text that looks like Markdown',
      '<p># a *b* &lt;c&gt; [d](e) 1. f</p>',
      '\\# a \\*b\\* \\<c> \\[d]\\(e) 1. f',
    ],
    [
      'blanks in code that has a class, or an element in it',
      '<p><code class="x">a  b</code> or <code>git <em>name</em>\n  1. x</code> or <code>a\n  b</code></p>',
      '<code class="x">a  b</code> or <code>git *name*   1. x</code> or `a   b`',
    ],
    ['inline elements that Markdown does not know', '<p><kbd>N</kbd> and H<sub>2</sub>O</p>', undefined],
    [
      'right-to-left text',
      '<div dir="rtl"><p>שלום <strong>עולם</strong></p></div>',
      '<div dir="rtl">\n\nשלום **עולם**\n\n</div>',
    ],
    [
      'a fold',
      '<details><summary>More</summary><p>a</p><ul><li>b</li></ul></details>',
      '<details>\n<summary>More</summary>\n\na\n\n- b\n\n</details>',
    ],
  ])('%s', (_, html, markdown) => {
    const made = htmlToMarkdown(html, OPTIONS);
    expect({
      isExact: made.isExact,
      blocks: made.rawBlocks.filter(({ scope }) => scope === 'block'),
    }).toEqual({
      isExact: true,
      blocks: [],
    });
    expect(made.cleaned).toEqual([]);
    expect(made.markdown.trimEnd()).toBe(markdown ?? made.markdown.trimEnd());
  });

  test('a footnote, in the words of its language', () => {
    const source = 'a[^1]\n\n[^1]: Wie diese.\n';
    const html = renderedBody(source, {
      links: new Map(),
      html: 'sanitize',
      needsSanitiser: false,
      lang: 'de',
    });
    expect(htmlToMarkdown(html, { ...OPTIONS, lang: 'de' })).toEqual({ ...NOTHING, markdown: source });
  });
});

describe('the smallest part that Markdown cannot say stays HTML', () => {
  test.each([
    [
      'merged cells',
      '<table><thead><tr><th colspan="2">a</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
      'table',
    ],
    ['a table without heads', '<table><tbody><tr><td>1</td></tr></tbody></table>', 'table'],
    [
      'a list in a cell',
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td><ul><li>x</li></ul></td></tr></tbody></table>',
      'table',
    ],
    ['definitions', '<dl><dt>a</dt><dd>b</dd></dl>', 'dl'],
    ['a picture with its size, alone', '<p><img src="/a.png" alt="" width="30"></p>', 'p'],
    ['preformatted text', '<pre>a\n\n  b</pre>', 'pre'],
    ['a paragraph with a direction', '<p dir="rtl">שלום</p>', 'p'],
    ['an item with a number of its own', '<ol><li>a</li><li value="7">b</li></ol>', 'ol'],
  ])('%s', (_, html, element) => {
    const made = htmlToMarkdown(`<p>Before <strong>it</strong>.</p>${html}<p>After.</p>`, OPTIONS);
    expect(made.isExact).toBe(true);
    expect(made.rawBlocks.map((raw) => raw.element)).toEqual([element]);
    expect(made.markdown).toMatch(/^Before \*\*it\*\*\.\n\n</);
    expect(made.markdown).toMatch(/>\n\nAfter\.\n$/);
  });

  test.each([
    [
      'an anchor among the blocks of a section, as Sphinx writes it',
      '<section id="a"><span id="b"></span><h2 id="x">Set up</h2><p>Read <em>on</em>.</p></section>',
      '<section id="a">\n\n<!-- --><span id="b"></span>\n\n## Set up {#x}\n\nRead *on*.\n\n</section>\n',
    ],
    [
      'words among the blocks of a box',
      '<div class="box">One <b>two</b> three<p>four</p>five</div>',
      '<div class="box">\n\n<!-- -->One <strong>two</strong> three\n\nfour\n\n<!-- -->five\n\n</div>\n',
    ],
    [
      'coloured code: its lines stay lines',
      '<pre><span class="k">a</span><span>\n</span><span class="k">b</span>\n\n<b>c</b>\n</pre>',
      '<pre>a\nb&#10;\n<b>c</b>&#10;</pre>\n',
    ],
    [
      'preformatted text in code, which is none in HTML',
      '<p>a</p><code><pre>\n\nb\n  c\n</pre></code>d',
      'a\n\n<!-- --><code><pre>&#10;&#10;b&#10;  c&#10;</pre></code>\n\nd\n',
    ],
    [
      'a script before words that stand loose',
      '<p>a</p><script>x();\n\n// y</script>loose <b>words</b>',
      'a\n\n<script>x();\n// y</script>\n\nloose **words**\n',
    ],
    [
      'a link around a heading, beside words',
      '<p>a</p>loose<a href="/b"><h2>c</h2></a>',
      'a\n\nloose\n\n<!-- --><a href="/b"><h2>c</h2></a>\n',
    ],
  ])('%s', (_, html, markdown) => {
    expect(htmlToMarkdown(html, OPTIONS)).toMatchObject({ markdown, isExact: true });
  });

  test('the text of an element that has no entities stays as it is', () => {
    const html = '<p>a</p><div class="c">e<xmp>b -> <c> &amp; d</xmp><p>f</p></div>';
    const made = htmlToMarkdown(html, { ...OPTIONS, html: 'trust' });
    expect(made.isExact).toBe(true);
    expect(made.markdown).toContain('<xmp>b -> <c> &amp; d</xmp>');
  });

  test('what a sync would drop stays in the Markdown and is named', () => {
    const made = htmlToMarkdown('<iframe src="https://v.example.com/1" width="300"></iframe>', OPTIONS);
    expect(made.dropped).toEqual(['<iframe>']);
    expect(made.markdown).toContain('src="https://v.example.com/1"');
    const trusted = htmlToMarkdown('<iframe src="https://v.example.com/1"></iframe>', {
      ...OPTIONS,
      html: 'trust',
    });
    expect(trusted).toMatchObject({ dropped: [], isExact: true });
  });
});

describe('cleaning', () => {
  test.each([
    ['inline-styles', '<p style="color:red">a</p>', 'a'],
    ['plain-spans', '<p><span>a</span></p>', 'a'],
    ['office-markup', '<p>a<o:p></o:p></p>', 'a'],
    ['editor-attributes', '<p data-id="1">a</p>', 'a'],
    ['editor-classes', '<p class="MsoNormal">a</p>', 'a'],
    ['empty-paragraphs', '<p>a</p><p>&nbsp;</p>', 'a'],
    ['non-breaking-blanks', '<p>a&nbsp; b&nbsp;</p>', 'a b'],
    ['edge-blanks', '<p><strong>a </strong>b</p>', '**a** b'],
    ['trailing-breaks', '<p>a<br></p>', 'a'],
    ['old-tags', '<p><b>a</b></p>', '**a**'],
    ['link-targets', '<p><a href="/x" target="_blank">a</a></p>', '[a](/x)'],
    ['bare-text', 'a <em>b</em>', 'a *b*'],
    ['plain-divs', '<div>a</div>', 'a'],
    ['stray-lists', '<ul><li>a</li><ul><li>b</li></ul></ul>', '- a\n  - b'],
    ['loose-lists', '<ul><li><p>a</p></li><li>b</li></ul>', '- a\n\n- b'],
    ['task-lists', '<ul><li><input type="checkbox" checked> a</li></ul>', '- [x] a'],
    [
      'cell-paragraphs',
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td><p>b</p></td></tr></tbody></table>',
      '| a |\n| --- |\n| b |',
    ],
    ['table-heads', '<table><tr><th>a</th></tr><tr><td>b</td></tr></table>', '| a |\n| --- |\n| b |'],
    ['code-colours', '<pre><code><span class="k">let</span> a\n</code></pre>', '```\nlet a\n```'],
    ['comments', '<!-- wp:paragraph --><p>a</p>', 'a'],
  ])('%s', (name, html, markdown) => {
    const made = htmlToMarkdown(html, OPTIONS);
    expect(made.markdown).toBe(`${markdown}\n`);
    expect(made.cleaned).toContainEqual({ name, count: 1 });
    expect(made.isExact).toBe(true);
    // Without it nothing is taken away, and the page still comes back.
    expect(htmlToMarkdown(html, { ...OPTIONS, html: 'trust', clean: false })).toMatchObject({
      cleaned: [],
      isExact: true,
    });
  });
});

test('the stamp is taken off', () => {
  const html = '<p>a</p>\n<!-- kbsync 1 article/a@en title:0123456789 -->';
  expect(htmlToMarkdown(html, OPTIONS)).toEqual({ ...NOTHING, markdown: 'a\n' });
});

test('text of a `<pre>` that begins with empty lines keeps them, inside of another element too', () => {
  for (const html of [
    '<pre class="x">\n\n&lt;a&gt;</pre>',
    '<div><a name="x"></a> and <pre class="x">\n\n\n&lt;a&gt;\n</pre></div>',
  ])
    expect(htmlToMarkdown(html, OPTIONS)).toMatchObject({ isExact: true });
});

test('line breaks around text between blocks are no lines of it, as in a paragraph', () => {
  const { markdown, isExact, cleaned } = htmlToMarkdown('<p>a</p>one<br>two<br><hr><br><br>', OPTIONS);
  expect([markdown, isExact]).toEqual(['a\n\none\\\ntwo\n\n---\n', true]);
  expect(cleaned.map(({ name }) => name)).toEqual(expect.arrayContaining(['trailing-breaks', 'bare-text']));
});

test('attributes of HTML that stays HTML have their own names, those of pictures in the text too', () => {
  const html =
    '<div lang="de" xml:lang="de"><p>a <svg viewBox="0 0 2 2" aria-hidden="true"><path stroke-width="2" d="M0 0"></path><use xlink:href="#x"></use></svg></p></div>';
  const { markdown } = htmlToMarkdown(html, { ...OPTIONS, html: 'trust' });
  for (const name of ['xml:lang="de"', 'viewBox="0 0 2 2"', 'stroke-width="2"', 'xlink:href="#x"'])
    expect(markdown).toContain(name);
});

test('code that shows the marks of a merge conflict stays HTML: as a fence, its file would be one with a conflict', () => {
  const html =
    '<pre><code>a\n&lt;&lt;&lt;&lt;&lt;&lt;&lt; ours\nb\n&gt;&gt;&gt;&gt;&gt;&gt;&gt; theirs\n</code></pre>';
  const { markdown, isExact } = htmlToMarkdown(html, OPTIONS);
  expect(isExact).toBe(true);
  expect(sourceText(Buffer.from(markdown)).problems).toEqual([]);
});

test('an empty page is an empty text', () => {
  expect(htmlToMarkdown('', OPTIONS)).toEqual({ ...NOTHING, markdown: '' });
  expect(htmlToMarkdown(' \n', OPTIONS).markdown).toBe('');
});

test('addresses become what the caller says, unless two would become one', () => {
  const html = '<p><a href="/en/articles/a">a</a> <a href="/other">b</a></p>';
  const link = (url: string): string => (url.startsWith('/') ? 'a.md' : url);
  expect(htmlToMarkdown(html, { ...OPTIONS, link })).toMatchObject({
    markdown: '[a](a.md) [b](/other)\n',
    isExact: true,
  });
});

test('a page with thousands of odd elements takes seconds, not minutes', () => {
  const html = '<p class="x">a <span class="y">b</span></p><dl><dt>c</dt></dl>'.repeat(300);
  expect(htmlToMarkdown(html, OPTIONS).isExact).toBe(true);
});

import * as fc from 'fast-check';
import { mdxToMdast } from 'satteri';
import { expect, test } from 'vitest';
import { labelsFor } from '../../../../src/content/labels.ts';
import { codeIn, inRanges } from '../../../../src/content/presets/syntax/code-ranges.ts';
import { spotsIn } from '../../../../src/content/presets/syntax/edits.ts';
import { mdx } from '../../../../src/content/presets/syntax/families/mdx.ts';
import { NOTE } from '../support/support.ts';
import { translated } from '../support/translated.ts';

const html = (body: string): string => translated('starlight', body, { isMdx: true }).html;

test('an element that closes itself takes nothing along, whatever its name', () => {
  expect(html('<div id="x" />\nText **one**.\n\n<a name="y"/>\n\nText two.\n')).toBe(
    '<div id="x"></div>\n<p>Text <strong>one</strong>.</p>\n<p><a name="y"></a></p>\n<p>Text two.</p>',
  );
});

test('there is no indented code, inside an element or outside', () => {
  expect(
    html('    Four blanks.\n\n<div>\n\n        Eight *blanks*.\n\n        - a\n          - b\n</div>\n'),
  ).toBe(
    '<p>Four blanks.</p>\n<div>\n<p>Eight <em>blanks</em>.</p>\n<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>\n</div>',
  );
});

test('a tag of a line of text that stands alone in its line leaves the text and the code below it Markdown', () => {
  const below = '<p>Text <strong>one</strong>.</p>';
  expect(html('<br />\nText **one**.\n')).toBe(`<br />\n${below}`);
  expect(html('> <br/>\n> Text **one**.\n')).toBe(`<blockquote>\n<br />\n${below}\n</blockquote>`);
  expect(html('- a\n\n  <img src="a.png" />\n  Text **one**.\n')).toContain(below);
  expect(html('<img src="a.png" />\n<img src="b.png" />\n## Head\n')).toContain('<h2 id="head">Head</h2>');
  expect(html('<br/>\n```js\na\n```\n')).toContain('<pre><code class="language-js">a\n');
  expect(html('A line,\n<br/>\nand **its** next.\n')).toBe(
    '<p>A line,\n<br />\nand <strong>its</strong> next.</p>',
  );
});

test('fenced code keeps its own indent', () => {
  expect(html('<Steps>\n    ```py\n    if x:\n        y\n\n    z\n    ```\n</Steps>\n')).toBe(
    '<pre><code class="language-py">if x:\n    y\n\nz\n</code></pre>',
  );
});

test('a tag alone in its line leaves the next lines Markdown, and so does one below a text', () => {
  expect(html('<section>\n## Head\n*Text.*\n</section>\n---\nAfter **it**.\n')).toBe(
    '<section>\n<h2 id="head">Head</h2>\n<p><em>Text.</em></p>\n</section>\n<hr>\n<p>After <strong>it</strong>.</p>'.replace(
      '<hr>',
      '<hr />',
    ),
  );
});

test('Markdown in the line of a tag is read', () => {
  expect(html('<details>\n<summary>What *is* it?</summary>\nThis.\n</details>\n')).toBe(
    '<details>\n<summary>What <em>is</em> it?</summary>\n<p>This.</p>\n</details>',
  );
  expect(
    html('<table>\n  <tbody>\n    <tr>\n      <td>`a`</td>\n    </tr>\n  </tbody>\n</table>\n'),
  ).toContain('<td><code>a</code></td>');
});

test('modules go, with or without blank lines around them; a word in a text is no module', () => {
  expect(
    html(
      "import A from 'a';\nimport { B,\n  C } from 'b'\n# Head\n\nexport const x = {\n  y: `a\n\n~~~\n`,\n};\n\nText\nimport of things.\n",
    ),
  ).toBe('<h1 id="head">Head</h1>\n<p>Text\nimport of things.</p>');
});

test('several imports may stand in a line', () => {
  expect(
    html("import A from '@theme/A'; import { B } from 'b' ; import 'c.css';\n\nText, import x from y.\n"),
  ).toBe('<p>Text, import x from y.</p>');
  expect(html("import A from 'a'; and so on\n")).toContain('and so on');
});

test('expressions that are texts or named constants are written out, comments go, the rest is a problem', () => {
  const { html: page, problems } = translated(
    'starlight',
    "export const version = '1.2';\n\n{'a *b*'} {version} {/* no } word */}{count + 1}\n\n\\{kept}\n",
    { isMdx: true },
  );
  expect(page).toBe('<p>a *b* 1.2 {count + 1}</p>\n<p>{kept}</p>');
  expect(problems).toEqual(['3:38 {count + 1}']);
});

test('braces inside of the address of a link are signs of it', () => {
  const { html: shown, problems } = translated(
    'starlight',
    '[Run](https://a.dev/q?f={%22a(b)%22:{x}}) in {name}.\n',
    {
      isMdx: true,
    },
  );
  expect(shown).toContain('<a href="https://a.dev/q?f=%7B%22a(b)%22:%7Bx%7D%7D">Run</a>');
  expect(problems).toEqual(['1:46 {name}']);
});

test('an expression of comments alone is empty, one with a value between comments is not', () => {
  const { html: page, problems } = translated(
    'docusaurus',
    "A.\n\n{\n// it('is', () => {\n//   <input />\n// })\n}\n\nB. {/* a */ /* b */}\n\n{/* a */ count /* b */}\n",
    { isMdx: true },
  );
  expect(page).toContain('<p>A.</p>\n<p>B.</p>');
  expect(problems).toEqual(['11:1 {/* a */ count /* b */}']);
});

test('a fence behind the mark of a list is one, and what follows it is text', () => {
  const box = '<Note>\nTake **care**.\n</Note>\n';
  for (const lead of ['- ', '1. ', '- - ', '> - '])
    expect(
      html(
        `${lead}\`\`\`js\n${lead.replaceAll(/[-\d.]/g, ' ')}<b>\n${lead.replaceAll(/[-\d.]/g, ' ')}\`\`\`\n\n${box}`,
      ),
    ).toContain(html(box));
});

test('what stands further left than an item ends the code in it: stars of a comment open none', () => {
  const box = '<Note>\nTake **care**.\n</Note>\n';
  const comment = '/**\n * We love it.\n *\n * ```ts\n * x();\n * ```\n * @default 1\n */';
  expect(html(`<Table type='${comment}' />\n\n${box}`)).toContain(html(box));
  expect(html(`* \`\`\`ts\n* next\n\n${box}`)).toContain(html(box));
});

test('elements in braces are what they are without', () => {
  expect(html('Above.\n\n{\n\n<Note>\n  Take **care**{" "}\n  now.\n</Note>\n\n}\n\nBelow.\n')).toBe(
    html('Above.\n\n<Note>\n  Take **care**\n  now.\n</Note>\n\nBelow.\n'),
  );
});

test('an id of a heading counts in Docusaurus with and without backslashes', () => {
  const ids = (heading: string): string => translated('docusaurus', heading, { isMdx: true }).html;
  for (const id of ['{#own-id}', String.raw`\{#own-id}`, String.raw`\{#own-id\}`])
    expect(ids(`## The *title* ${id}\n`)).toBe('<h2 id="own-id">The <em>title</em></h2>');
});

test('pictures come with their address, computed or imported; one without is a problem', () => {
  const { html: page, problems } = translated(
    'docusaurus',
    'import logo from \'./logo.png\';\n\n<img src={require(\'./a.png\').default} alt="A" />\n\n<img src={logo} />\n\n<Image src="b.png" alt="B" />\n\n<img src={pick(1)} />\n',
    { isMdx: true },
  );
  expect([...page.matchAll(/src="([^"]*)"/g)].map(([, url]) => url)).toEqual([
    './a.png',
    './logo.png',
    'b.png',
  ]);
  expect(problems).toEqual(['9:1 <img src={pick(1)}>']);
});

test('a frame becomes a link to where people watch it', () => {
  expect(html('<iframe src="https://www.youtube.com/embed/abcdefg?start=9" title="How" />\nText.\n')).toBe(
    '<p><a href="https://www.youtube.com/watch?v=abcdefg&amp;t=9">How</a></p>\n<p>Text.</p>',
  );
});

test('what stands in a list stays in it', () => {
  expect(html('1. One\n\n   <Aside>\n     In *it*.\n   </Aside>\n\n2. Two\n')).toBe(
    `<ol>\n<li>\n<p>One</p>\n${NOTE('<p>In <em>it</em>.</p>')}\n</li>\n<li>\n<p>Two</p>\n</li>\n</ol>`,
  );
});

test('two boxes in a row stay two', () => {
  expect(html('<Aside>\nOne.\n</Aside>\n<Aside type="tip">\nTwo.\n</Aside>\nText.\n')).toBe(
    `${NOTE('<p>One.</p>')}\n${NOTE('<p>Two.</p>', 'Tip', 'tip')}\n<p>Text.</p>`,
  );
});

interface Tree {
  readonly type: string;
  readonly name?: string | null;
  readonly position?: { readonly start: { readonly offset?: number } };
  readonly children?: readonly Tree[];
}

function elements(tree: Tree): readonly string[] {
  const own = tree.type.startsWith('mdxJsx')
    ? [`${tree.position?.start.offset ?? -1} ${tree.name ?? ''}`]
    : [];
  return [...own, ...(tree.children ?? []).flatMap(elements)];
}

const LINES = [
  '<Tabs items={["a", `b`]}>\n\n</Tabs>',
  '<Card title="a > b" on={() => { x("}"); }} />',
  'Text <b>bold</b> and `<code>` here.',
  '```js\n<No />\nimport x from "y";\n```',
  '- item <Badge text="x" />\n\n    <Deep/>\n',
  'import X from "x";',
  'export const y = `\n~~~\n`;',
  '{/* <Not /> */}',
  '{list.map((one) => <In key={one} />)}',
  '[a](<b c>) \\<d>',
  '> <Quote>\n> text\n> </Quote>',
  '<>\n\nfragment\n\n</>',
  '# Head <Icon />',
  '| a |\n| - |\n| <Cell /> |',
  'It’s a < b and c > d.'.replace('< b', '\\< b'),
];

test('the elements of a text are those that a parser of MDX finds', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...LINES), { maxLength: 12 }), (lines) => {
      const body = lines.join('\n\n');
      const { all, fences, modules } = codeIn(body, true);
      const inCode = inRanges(all);
      const context = { rules: {}, labels: labelsFor('en'), isMdx: true };
      const { tags = [] } = mdx({
        body,
        context,
        inCode,
        fences,
        modules,
        isTaken: inCode,
        spotAt: spotsIn(body),
      });
      const found = tags.filter(({ form }) => form !== 'close').map(({ start, name }) => `${start} ${name}`);
      const tree = mdxToMdast(body, { features: { gfm: true, frontmatter: false } }) as Tree;
      expect(found).toEqual(elements(tree));
    }),
    { numRuns: 200 },
  );
});

test('a tag has its end behind a value in braces, however long that is', () => {
  const rows = "    { name: 'a', description: 'Which' },\n".repeat(3000);
  const page = html(`<Table\n  rows={[\n${rows}  ]}\n/>\n\nBehind.\n`);
  expect(page.match(/<li><strong>a<\/strong>: Which<\/li>/g)).toHaveLength(3000);
  expect(page.endsWith('</ul>\n<p>Behind.</p>')).toBe(true);
});

test('a tag has its end behind a text in quotes, however long that is', () => {
  const long = 'a <b>x</b> \\"q\\" '.repeat(3000);
  expect(html(`<Fragment set:html={"<p>${long}</p>"} />\n\nBehind.\n`)).toContain('<p>a <b>x</b> "q" a <b>');
  expect(html(`<Fragment set:html={"<p>${long}</p>"} />\n\nBehind.\n`)).not.toContain('Fragment');
});

test('HTML that a tag is given as its inside is not lost', () => {
  const written = String.raw`<Fragment set:html={"<pre class=\"x\"><code>a\n\nb <em>c</em></code></pre>"} />

<Fragment set:html={"two *stars* <b>bold</b>"} />

<p set:html="<b>One</b> line" /> <div dangerouslySetInnerHTML={{ __html: '<i>React</i>' }} />

Text <span set:text="1 < 2" /> behind.

<Fragment>Kept</Fragment>`;
  const body = html(written);
  expect(body).toContain('<pre class="x"><code>a\n\nb <em>c</em></code></pre>');
  expect(body).toContain('<div>two *stars* <b>bold</b></div>');
  expect(body).toContain('<p><b>One</b> line</p>');
  expect(body).toContain('<i>React</i>');
  expect(body).toContain('Text <span>1 &lt; 2</span> behind.');
  expect(body).toContain('Kept');
});

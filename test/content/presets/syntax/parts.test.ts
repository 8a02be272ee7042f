import { describe, expect, test } from 'vitest';
import { NOTE } from '../support/support.ts';
import { translated } from '../support/translated.ts';
import type { Layout } from '../support/translated.ts';

/** A generator's own way to write it, and what a knowledge base gets. */
type Case = readonly [layout: Layout | `${Layout} mdx`, body: string, html: string];

const TWO_TABS = '<p><strong>npm</strong></p>\n<p>One.</p>\n<p><strong>pnpm</strong></p>\n<p>Two.</p>';
const TWO_CODES =
  '<p><strong>npm</strong></p>\n<pre><code class="language-sh">npm i\n</code></pre>\n<p><strong>pnpm</strong></p>\n<pre><code class="language-sh">pnpm i\n</code></pre>';
const FOLDED = '<details><summary>More</summary>\n<p>Text <em>here</em>.</p>\n</details>';

const CASES: Readonly<Record<string, readonly Case[]>> = {
  'tabs stand one below the other, each with its name': [
    [
      'starlight mdx',
      '<Tabs>\n<TabItem label="npm">One.</TabItem>\n<TabItem label="pnpm">\n\nTwo.\n\n</TabItem>\n</Tabs>',
      TWO_TABS,
    ],
    [
      'docusaurus mdx',
      '<Tabs groupId="x">\n  <TabItem value="npm">\n    One.\n  </TabItem>\n  <TabItem value="b" label="pnpm" default>\n    Two.\n  </TabItem>\n</Tabs>',
      TWO_TABS,
    ],
    [
      'plain mdx',
      "<Tabs items={['npm', 'pnpm']}>\n  <Tabs.Tab>One.</Tabs.Tab>\n  <Tabs.Tab>Two.</Tabs.Tab>\n</Tabs>",
      TWO_TABS,
    ],
    [
      'hugo',
      '{{< tabs >}}\n{{% tab name="npm" %}}\nOne.\n{{% /tab %}}\n{{% tab "pnpm" %}}\nTwo.\n{{% /tab %}}\n{{< /tabs >}}',
      TWO_TABS,
    ],
    ['mkdocs', '=== "npm"\n\n    One.\n\n=== "pnpm"\n\n    Two.\n', TWO_TABS],
    ['mkdocs', '/// tab | npm\nOne.\n///\n/// tab | pnpm\nTwo.\n///\n', TWO_TABS],
    [
      'mdbook',
      '{{#tabs name:"x" tabs:"npm,pnpm"}}\n{{#tab npm}}\n\nOne.\n\n{{#/tab }}\n{{#tab pnpm}}\n\nTwo.\n\n{{#/tab }}\n{{#/tabs }}\n',
      TWO_TABS,
    ],
    [
      'mdbook',
      '{{#tabs global="x" }}\n{{#tab name="npm" }}\nOne.\n{{#endtab }}\n{{#tab name="pnpm" }}\nTwo.\n{{#endtab }}\n{{#endtabs }}\n',
      TWO_TABS,
    ],
    ['vitepress', ':::: tabs\n@tab npm\nOne.\n@tab pnpm\nTwo.\n::::\n', TWO_TABS],
    [
      'jekyll',
      '{% tabs %}\n{% tab title="npm" %}\nOne.\n{% endtab %}\n{% tab title="pnpm" %}\nTwo.\n{% endtab %}\n{% endtabs %}\n',
      TWO_TABS,
    ],
  ],
  'blocks of code keep their names': [
    ['vitepress', '::: code-group\n```sh [npm]\nnpm i\n```\n```sh [pnpm]\npnpm i\n```\n:::\n', TWO_CODES],
    ['docusaurus mdx', '```sh title="npm"\nnpm i\n```\n\n```sh title="pnpm" {1}\npnpm i\n```\n', TWO_CODES],
    [
      'hugo',
      '{{< tabpane >}}\n{{< tab header="npm" lang="sh" >}}\nnpm i\n{{< /tab >}}\n{{< tab header="pnpm" lang="sh" >}}\npnpm i\n{{< /tab >}}\n{{< /tabpane >}}\n',
      TWO_CODES,
    ],
    [
      'hugo',
      '{{< tabpane lang=sh >}}\n{{< tab npm >}}\nnpm i\n{{< /tab >}}\n{{< tab header="pnpm" >}}\npnpm i\n{{< /tab >}}\n{{< /tabpane >}}\n',
      TWO_CODES,
    ],
    [
      'hugo',
      '{{< tabpane langEqualsHeader=true >}}\n{{< tab "sh" >}}\nnpm *i*\n{{< /tab >}}\n{{< /tabpane >}}\n',
      '<p><strong>sh</strong></p>\n<pre><code class="language-sh">npm *i*\n</code></pre>',
    ],
    [
      'hugo',
      '{{< tabpane >}}\n{{< tab "Plain" >}}\nnpm *i*\n{{< /tab >}}\n{{< /tabpane >}}\n',
      '<p><strong>Plain</strong></p>\n<pre><code>npm *i*\n</code></pre>',
    ],
    [
      'hugo',
      '{{< tabpane text=true >}}\n{{< tab header="Deutsch" lang="de" >}}\nEin *Wort*\n{{< /tab >}}\n{{< /tabpane >}}\n',
      '<p><strong>Deutsch</strong></p>\n<p>Ein <em>Wort</em></p>',
    ],
    [
      'mintlify mdx',
      '<CodeGroup>\n```sh npm\nnpm i\n```\n```sh pnpm {1} lines\npnpm i\n```\n</CodeGroup>\n',
      TWO_CODES,
    ],
  ],
  'steps keep their order and their names': [
    [
      'plain mdx',
      '<Steps>\n  <Step title="Get *it*">\n    One.\n  </Step>\n  <Step title="Run it">Two.</Step>\n</Steps>',
      '<p><strong>1. Get *it*</strong></p>\n<p>One.</p>\n<p><strong>2. Run it</strong></p>\n<p>Two.</p>',
    ],
    ['starlight mdx', '<Steps>\n\n1. One.\n2. Two.\n\n</Steps>', '<ol>\n<li>One.</li>\n<li>Two.</li>\n</ol>'],
  ],
  'cards are links with their description': [
    [
      'starlight mdx',
      '<LinkCard title="Go" href="/go/" description="Far *away*" />',
      '<p><strong><a href="/go/">Go</a></strong></p>\n<p>Far *away*</p>',
    ],
    [
      'plain mdx',
      '<CardGroup cols={2}>\n  <Card title="Go" icon="x" href="/go/">\n    Far.\n  </Card>\n</CardGroup>',
      '<p><strong><a href="/go/">Go</a></strong></p>\n<p>Far.</p>',
    ],
    [
      'hugo',
      '{{< cards >}}\n{{< card link="/go/" title="Go" subtitle="Far." >}}\n{{< /cards >}}',
      '<p><strong><a href="/go/">Go</a></strong></p>\n<p>Far.</p>',
    ],
  ],
  'what opens at a click folds below its title': [
    [
      'plain mdx',
      '<AccordionGroup>\n<Accordion title="More">\nText *here*.\n</Accordion>\n</AccordionGroup>',
      FOLDED,
    ],
    ['hugo', '{{< details title="More" >}}\nText *here*.\n{{< /details >}}', FOLDED],
    ['hugo', '{{% expand "More" %}}\nText *here*.\n{{% /expand %}}', FOLDED],
    ['mkdocs', '??? info "More"\n    Text *here*.\n', FOLDED],
    ['mkdocs', '/// details | More\n    open: False\n\nText *here*.\n///\n', FOLDED],
    ['vitepress', '::: details More\nText *here*.\n:::\n', FOLDED],
    [
      'docusaurus mdx',
      '<details>\n  <summary>More</summary>\n  Text *here*.\n</details>',
      FOLDED.replace('<details>', '<details>\n'),
    ],
  ],
  'boxes of every family are boxes': [
    [
      'plain mdx',
      '<Callout type="warning" title="Mind">Hot.</Callout>',
      NOTE('<p>Hot.</p>', 'Mind', 'warning'),
    ],
    ['plain', '<Warning>\nHot.\n</Warning>\n', NOTE('<p>Hot.</p>', 'Warning', 'warning')],
    ['mkdocs', '/// warning | Mind\nHot.\n///\n', NOTE('<p>Hot.</p>', 'Mind', 'warning')],
    ['plain', '::::::::: keypoints\n\nHot.\n\n:::::::::\n', NOTE('<p>Hot.</p>', 'Key points')],
    ['mkdocs', '!!! danger "Mind"\n    Hot.\n', NOTE('<p>Hot.</p>', 'Mind', 'caution')],
    ['plain', '> [!WARNING] Hot.\n', NOTE('<p>Hot.</p>', 'Warning', 'warning')],
    ['plain', '> [!WARNING]+ Mind\n> Hot.\n', NOTE('<p>Hot.</p>', 'Mind', 'warning')],
    ['jekyll', '{: .warning }\n> Hot.\n', NOTE('<p>Hot.</p>', 'Warning', 'warning')],
    ['jekyll', '{% callout warning %}\nHot.\n{% endcallout %}\n', NOTE('<p>Hot.</p>', 'Warning', 'warning')],
  ],
  'videos and frames are links': [
    [
      'hugo',
      '{{< youtube abcdefg >}}',
      '<p><a href="https://www.youtube.com/watch?v=abcdefg">https://www.youtube.com/watch?v=abcdefg</a></p>',
    ],
    [
      'docusaurus mdx',
      '<YouTube id="abcdefg" title="How" />',
      '<p><a href="https://www.youtube.com/watch?v=abcdefg">How</a></p>',
    ],
  ],
  'pictures keep their caption': [
    [
      'hugo',
      '{{< figure src="/a.png" alt="A" caption="The *A*" >}}',
      '<p><img src="/a.png" alt="A" /></p>\n<p>The <em>A</em></p>',
    ],
    [
      'plain mdx',
      '<Frame caption="The A">\n  <img src="/a.png" />\n</Frame>',
      '<img src="/a.png" />\n<p><em>The A</em></p>',
    ],
  ],
  'small parts stay in their line': [
    ['starlight mdx', 'New <Badge text="beta" /> here.', '<p>New <strong>beta</strong> here.</p>'],
    [
      'starlight mdx',
      '## `use` <Badge text="beta" />',
      '<h2 id="use"><code>use</code> <strong class="heading-badge">beta</strong></h2>',
    ],
    [
      'hugo',
      'A <iframe src="//player.vimeo.com/video/5" title="Film"></iframe>',
      '<p>A <a href="https://vimeo.com/5">Film</a></p>',
    ],
    [
      'mkdocs',
      'Text\n{#here}\n\n[](){#there}\nMore.',
      '<p>Text\n<a id="here"></a></p>\n<p><a id="there"></a>\nMore.</p>',
    ],
    [
      'mkdocs',
      'Das **Leben(life)**은 und a**(b)**.',
      '<p>Das <strong>Leben(life)</strong>은 und a<strong>(b)</strong>.</p>',
    ],
    ['mkdocs', '=== ":material-apple: macOS"\n\n    Text.\n', '<p><strong>macOS</strong></p>\n<p>Text.</p>'],
    [
      'mkdocs',
      'See [`a.B`][] and [the `x`][a.b.C], [c][d.e].\n\n[d.e]: https://e.com',
      '<p>See <code>a.B</code> and the <code>x</code>, <a href="https://e.com">c</a>.</p>',
    ],
    ['plain mdx', 'An <Tooltip tip="interface">API</Tooltip>.', '<p>An API (interface).</p>'],
    [
      'mkdocs',
      'Press ++ctrl+c++ :material-check: ==now==.',
      '<p>Press <kbd>Ctrl</kbd>+<kbd>C</kbd>  <mark>now</mark>.</p>',
    ],
  ],
  'trees of files are lists': [
    [
      'plain mdx',
      '<FileTree>\n  <FileTree.Folder name="src" open>\n    <FileTree.File name="a.ts" />\n  </FileTree.Folder>\n</FileTree>',
      '<ul>\n<li>src/\n<ul>\n<li>a.ts</li>\n</ul>\n</li>\n</ul>',
    ],
  ],
  'containers that only arrange keep what is inside': [
    [
      'plain',
      ':::note[Careful]\nText *here*.\n:::\n',
      '<div class="admonition note">\n<p class="admonition-title">Careful</p>\n<p>Text <em>here</em>.</p>\n</div>',
    ],
    ['plain', ':::code-group\n```sh [npm]\nnpm i\n```\n```sh [pnpm]\npnpm i\n```\n:::\n', TWO_CODES],
    ['plain', ':::terminal\n```sh\nls\n```\n:::\n', '<pre><code class="language-sh">ls\n</code></pre>'],
    [
      'vuepress',
      '::: window title="Shell"\n::: center\nText.\n:::\n:::\n',
      '<p><strong>Shell</strong></p>\n<p>Text.</p>',
    ],
    ['vuepress', '::: collapse\n- One\n- Two\n:::\n', '<ul>\n<li>One</li>\n<li>Two</li>\n</ul>'],
    [
      'vuepress',
      '==Marked=={.tip} <VPIcon name="x" /><NpmBadge name="a-b" />',
      '<p>==Marked== <a href="https://www.npmjs.com/package/a-b">a-b</a></p>',
    ],
  ],
  'tags of Markdoc are parts by their names': [
    [
      'plain',
      '## Go {% #go .wide %}\n\n{% hint kind="warn" title="Hot" %}\nText *here*.\n{% /hint %}\n\n{% youtube id="abc-123" /%}\n',
      '<h2 id="go">Go</h2>\n<div class="admonition warning">\n<p class="admonition-title">Hot</p>\n<p>Text <em>here</em>.</p>\n</div>\n<p><a href="https://www.youtube.com/watch?v=abc-123">https://www.youtube.com/watch?v=abc-123</a></p>',
    ],
    [
      'plain',
      '{% youtube\n   id="abc-123"\n   options={"wide": null} /%}\n\nText {% .wide width="25%" %}\n',
      '<p><a href="https://www.youtube.com/watch?v=abc-123">https://www.youtube.com/watch?v=abc-123</a></p>\n<p>Text</p>',
    ],
    [
      'plain',
      '{% table %}\n* Name\n* What it is {% align="right" %}\n---\n* *One*\n* Two\n\n  - three\n---\n* Both {% colspan=2 %}\n{% /table %}\n\nText.\n',
      '<table>\n<thead>\n<tr>\n<td>\n<p>Name</p>\n</td>\n<td>\n<p>What it is</p>\n</td>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>\n<p><em>One</em></p>\n</td>\n<td>\n<p>Two</p>\n<ul>\n<li>three</li>\n</ul>\n</td>\n</tr>\n<tr>\n<td colspan="2">\n<p>Both</p>\n</td>\n</tr>\n</tbody>\n</table>\n<p>Text.</p>',
    ],
    [
      'plain',
      '{% table %}\n| A |\n| - |\n| b |\n{% /table %}\n',
      '<table>\n<thead>\n<tr>\n<th>A</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>',
    ],
  ],
  'commands and links of undocs': [
    [
      'nuxt',
      'Run:\n\n:pm-run{script="dev"}\n\n::read-more{to="https://a.dev/x" title="The guide"}\n::\n',
      '<p>Run:</p>\n<pre><code class="language-sh">npm run dev\n</code></pre>\n<p><a href="https://a.dev/x">The guide</a></p>',
    ],
  ],
  'ids of Fumadocs may follow without a blank': [
    [
      'nextra mdx',
      '## On mount[#mount]\n\n## Two [#two]\n\n## [Three] [#three]\n\n## [Four][#x]\n\n[#x]: https://a.dev\n',
      '<h2 id="mount">On mount</h2>\n<h2 id="two">Two</h2>\n<h2 id="three">[Three]</h2>\n<h2 id="four"><a href="https://a.dev">Four</a></h2>',
    ],
  ],
  'embeds of VuePress are links': [
    [
      'vuepress',
      '@[youtube Film](abc-123)\n\n@[codepen](leah/wVabc)\n\n@[caniuse](css-grid)',
      '<p><a href="https://www.youtube.com/watch?v=abc-123">Film</a></p>\n<p><a href="https://codepen.io/leah/pen/wVabc">https://codepen.io/leah/pen/wVabc</a></p>\n<p><a href="https://caniuse.com/css-grid">https://caniuse.com/css-grid</a></p>',
    ],
  ],
  'a block of HTML ends with its closing tag where the generator says so': [
    [
      'jekyll',
      '<div markdown="1">\n*A*\n</div>\n```sh\nls\n```\n',
      '<div>\n<p><em>A</em></p>\n</div>\n<pre><code class="language-sh">ls\n</code></pre>',
    ],
    [
      'jekyll',
      '<p markdown="1">\nA <span dir="ltr" markdown="1">*b*</span> `<i markdown="1">`\n</p>\n',
      '<p>A <span dir="ltr"><em>b</em></span> <code>&lt;i markdown="1"&gt;</code></p>',
    ],
    ['mkdocs', '<div>\nA\n</div>\n## B\n', '<div>\nA\n</div>\n<h2 id="b">B</h2>'],
    ['hugo', '<div>\nA\n</div>\n## B\n', '<div>\nA\n</div>\n## B'],
  ],
  'Markdown in HTML is read where the element says so, also without a generator': [
    [
      'plain',
      '<div class="x" markdown="1">\n- [A](https://a.dev)\n\n  Text.\n</div>\n\n<div>\n*raw*\n</div>\n## B\n',
      '<div class="x">\n<ul>\n<li>\n<p><a href="https://a.dev">A</a></p>\n<p>Text.</p>\n</li>\n</ul>\n</div>\n<div>\n*raw*\n</div>\n## B',
    ],
  ],
  'fields of an API keep name, type and need': [
    [
      'vuepress',
      '::: field name="size" type="number" required\nHow big.\n:::\n',
      '<p><a id="param-size"></a><strong><code>size</code></strong> · number · required</p>\n<p>How big.</p>',
    ],
    [
      'vuepress',
      '::: field repo\nWhich one.\n:::\n',
      '<p><a id="param-repo"></a><strong><code>repo</code></strong></p>\n<p>Which one.</p>',
    ],
    [
      'plain mdx',
      '<ParamField path="id" type="string" required>\n  Which one.\n</ParamField>',
      '<p><a id="param-id"></a><strong><code>id</code></strong> · string · required</p>\n<p>Which one.</p>',
    ],
  ],
};

describe.each(Object.entries(CASES))('%s', (_, cases) => {
  test.each(cases)('%s: %s', (written, body, html) => {
    const [layout, mdx] = written.split(' ') as [Layout, string?];
    expect(translated(layout, `${body}\n`, { isMdx: mdx !== undefined })).toMatchObject({
      html,
      problems: [],
    });
  });
});

test('what nobody knows is a problem, and its text stays with its title', () => {
  const { html, problems } = translated('plain', 'A <Gauge/>.\n\n<Widget title="Big">\nText.\n</Widget>\n');
  expect(problems).toEqual(['1:3 <Gauge>', '3:1 <Widget>']);
  expect(html).toBe('<p>A .</p>\n<p><strong>Big</strong></p>\n<p>Text.</p>');
});

test('Liquid is no Markdoc, and a tag of Markdoc that nobody knows is named', () => {
  expect(translated('plain', 'A {% if x %}b{% endif %}.\n')).toMatchObject({
    html: '<p>A {% if x %}b{% endif %}.</p>',
    problems: [],
  });
  expect(translated('plain', '{% orbit %}\nText.\n{% /orbit %}\n')).toMatchObject({
    html: '<p>Text.</p>',
    problems: ['1:1 {% orbit %}'],
  });
});

test('an embed or a container that nobody knows is named', () => {
  expect(translated('vuepress', '@[other](x)\n\n@[codepen](x)\n').problems).toEqual([
    '1:1 @[other](x)',
    '3:1 @[codepen](x)',
  ]);
  expect(translated('plain', ':::orbit\nText.\n:::\n')).toMatchObject({
    html: '<p>Text.</p>',
    problems: ['1:1 :::orbit'],
  });
});

test('a tag that closes nothing goes without a word', () => {
  expect(translated('plain', 'Text.\n\n</Note>\n')).toMatchObject({ html: '<p>Text.</p>', problems: [] });
  const { html } = translated('docusaurus', ':::tip\nA.\n:::\n\nText.\n\n:::\n');
  expect(html).toMatch(/<p>Text\.<\/p>$/);
});

test('a table of types is a list with a line for each; one that has to be run is not known', () => {
  const body =
    '<TypeTable\n  type={{\n    size: { type: "number | undefined", default: 3, required: true, description: "How *big* it is" },\n    "on-end": { type: "(a: string) => void" },\n  }}\n/>\n';
  const { html, problems } = translated('nextra', body, { isMdx: true });
  expect(problems).toEqual([]);
  expect(html).toBe(
    '<ul>\n<li><strong><code>size</code></strong> · number | undefined · required · default: <code>3</code>: How *big* it is</li>\n<li><strong><code>on-end</code></strong> · (a: string) =&gt; void</li>\n</ul>',
  );
  expect(translated('nextra', '<TypeTable type={types} />\n', { isMdx: true }).problems).toHaveLength(1);
});

test('what opens at a click has an id where the page links to it', () => {
  const body = (title: string): string =>
    `[Check](#code-check)\n\n<Accordion title="${title}">\nText *here*.\n</Accordion>\n`;
  const linked = translated('mintlify', body('Code Check ✅'), { isMdx: true }).html;
  expect(linked).toContain('<details id="code-check"><summary>Code Check ✅</summary>');
  expect(translated('mintlify', body('More'), { isMdx: true }).html).toContain(FOLDED);
});

test('`{{</>}}` ends the shortcode of Hugo that is open', () => {
  const { html, problems } = translated(
    'hugo',
    '{{< button href="https://example.com/" >}} Get it {{</>}} or {{< notice warning >}}\nMind [a]({{< ref "a" >}}).\n{{</>}}\n\nB {{</>}}\n',
  );
  expect(html).toContain('<a href="https://example.com/"> Get it </a>');
  expect(html).toContain('Mind <a href="a">a</a>.');
  expect(html).not.toContain('{{&lt;/&gt;}} or');
  expect(problems).toEqual([]);
});

test('attributes behind a link or a picture are for a style, and stay away in Markdown without a generator', () => {
  const body =
    '[All](https://a.example/x_(y)){.chevron-right}, ![A](https://a.example/a.png){ width=20 } ![A](https://a.example/a.png){#pic .wide width="20"}\n\nf(a){.b} and `[a](b){.c}`, [a](https://a.example){ text }.\n';
  expect(translated('plain', body).html).toBe(
    '<p><a href="https://a.example/x_(y)">All</a>, <img src="https://a.example/a.png" alt="A" />{ width=20 } <img src="https://a.example/a.png" alt="A" /><a id="pic"></a></p>\n<p>f(a){.b} and <code>[a](b){.c}</code>, <a href="https://a.example">a</a>{ text }.</p>',
  );
  expect(translated('plain', '- A\n- B\n{.wide .two}\n\n{ a }\n\n{a=1}\n').html).toBe(
    '<ul>\n<li>A</li>\n<li>B</li>\n</ul>\n<p>{ a }</p>\n<p>{a=1}</p>',
  );
  const expression = translated('plain', '[All](https://a.example){.b}\n', { isMdx: true });
  expect(expression.problems).not.toEqual([]);
});

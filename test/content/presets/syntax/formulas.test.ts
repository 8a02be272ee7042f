import { describe, expect, test } from 'vitest';
import type { PresetName } from '../../../../src/content/presets/names.ts';
import { load, page } from '../../support/support.ts';
import type { Files } from '../../support/support.ts';

const INLINE = (tex: string): string => String.raw`<span class="math inline">\(${tex}\)</span>`;
const APART = (tex: string): string => String.raw`<span class="math display">\[${tex}\]</span>`;

const REMARK = "import m from 'remark-math';\nexport default { presets: [] };\n";
/** Settings that turn formulas on, and where they and a page lie. */
const SITES: Readonly<Partial<Record<PresetName, { readonly settings: Files; readonly file: string }>>> = {
  docusaurus: { settings: { 'docusaurus.config.js': REMARK }, file: 'docs/a.md' },
  starlight: { settings: { 'astro.config.mjs': REMARK }, file: 'a.md' },
  vitepress: {
    settings: { '.vitepress/config.mts': 'export default { markdown: { math: true } };\n' },
    file: 'a.md',
  },
  mdbook: {
    settings: { 'book.toml': '[preprocessor.katex]\n', 'src/SUMMARY.md': '- [A](a.md)\n' },
    file: 'src/a.md',
  },
  mkdocs: { settings: { 'mkdocs.yml': 'markdown_extensions:\n  - pymdownx.arithmatex\n' }, file: 'a.md' },
  hugo: {
    settings: {
      'hugo.toml': String.raw`[markup.goldmark.extensions.passthrough]
enable = true
[markup.goldmark.extensions.passthrough.delimiters]
block = [['\[', '\]'], ['$$', '$$']]
inline = [['\(', '\)'], ['$', '$']]
`,
    },
    file: 'a.md',
  },
  docsify: {
    settings: {
      'index.html':
        '<script src="//cdn.jsdelivr.net/npm/docsify-katex@latest/dist/docsify-katex.js"></script>\n',
    },
    file: 'a.md',
  },
  myst: { settings: { 'conf.py': "myst_enable_extensions = ['dollarmath']\n" }, file: 'a.md' },
};

async function shown(preset: PresetName, body: string, settings?: Files) {
  const site = SITES[preset];
  const loaded = await load(
    { ...(settings ?? site?.settings), [site?.file ?? 'a.md']: page('title: A', body) },
    { preset },
  );
  return { html: loaded.record('article', 'a').body?.render() ?? '', places: loaded.places };
}

describe.each(Object.keys(SITES) as PresetName[])('formulas of %s', (preset) => {
  test('are no Markdown, no HTML and no expressions', async () => {
    const { html, places } = await shown(
      preset,
      String.raw`Let $a_1 * b_2 * c < d > {e} \\ \{f\}$ be.` + '\n',
    );
    expect(html).toBe(`<p>Let ${INLINE(String.raw`a_1 * b_2 * c &lt; d &gt; {e} \\ \{f\}`)} be.</p>`);
    expect(places).toEqual([]);
  });

  test('stand apart over several lines, in lists too', async () => {
    const { html, places } = await shown(
      preset,
      '$$\n\\frac{{a}}{b} & 1\n\\tag{1}\n$$\n\n- Item\n\n  $$\n  x_1\n  $$\n',
    );
    expect(html).toContain(`<p>${APART(String.raw`\frac{{a}}{b} &amp; 1 \tag{1}`)}</p>`);
    expect(html).toContain(`<p>${APART('x_1')}</p>\n</li>`);
    expect(places).toEqual([]);
  });

  test('money, escaped signs and code are none', async () => {
    const { html } = await shown(
      preset,
      'It costs $5 or $6, \\$a_b\\$ and `$x$`.\n\n```sh\necho $A $B$\n```\n\nOne $ *open*.\n\nAnd $ more.\n',
    );
    expect(html).toBe(
      '<p>It costs $5 or $6, $a_b$ and <code>$x$</code>.</p>\n<pre><code class="language-sh">echo $A $B$\n</code></pre>\n<p>One $ <em>open</em>.</p>\n<p>And $ more.</p>',
    );
  });
});

test('Jekyll and GitBook read only two signs', async () => {
  for (const preset of ['jekyll', 'gitbook'] as const) {
    const { html, places } = await shown(preset, 'Let $$a_1 < b_2$$ be, and $x *y* z$.\n\n$$\nc_1\n$$\n');
    expect(html).toBe(
      `<p>Let ${INLINE('a_1 &lt; b_2')} be, and $x <em>y</em> z$.</p>\n<p>${APART('c_1')}</p>`,
    );
    expect(places).toEqual([]);
  }
});

test('where no settings turn them on, the signs are text', async () => {
  const settings: Readonly<Partial<Record<PresetName, Files>>> = {
    docusaurus: { 'docusaurus.config.js': 'export default {};\n' },
    mkdocs: { 'mkdocs.yml': 'markdown_extensions:\n  - attr_list\n' },
    hugo: { 'hugo.toml': 'title = "A"\n' },
    jekyll: { '_config.yml': 'kramdown:\n  math_engine: null\n' },
    plain: {},
  };
  for (const preset of Object.keys(settings) as PresetName[]) {
    const { html } = await shown(preset, '$a *b* c$ $$d *e* f$$\n', settings[preset]);
    expect([preset, html]).toEqual([preset, '<p>$a <em>b</em> c$ $$d <em>e</em> f$$</p>']);
  }
});

test('Arithmatex reads brackets and environments, and only the kinds that are on', async () => {
  const body = '\\(a_1\\) and\n\n\\[\nb_1 % note\n+ c\n\\]\n\n\\begin{align*}\nd &= e \\\\\n\\end{align*}\n';
  const { html } = await shown('mkdocs', body);
  expect(html).toBe(
    `<p>${INLINE('a_1')} and</p>\n<p>${APART('b_1 + c')}</p>\n<p>${APART(String.raw`\begin{align*} d &amp;= e \\ \end{align*}`)}</p>`,
  );
  const few = {
    'mkdocs.yml': 'markdown_extensions:\n  pymdownx.arithmatex:\n    inline_syntax: [round]\n',
  };
  expect((await shown('mkdocs', '\\(a\\) and $b *c* d$\n', few)).html).toBe(
    `<p>${INLINE('a')} and $b <em>c</em> d$</p>`,
  );
});

test('a formula in the title of a box, a fold or a tab is TeX there too', async () => {
  const body = String.raw`!!! note "If $a_1 < b_1$ and $c$"
    Text.

??? tip "Why $\\le n$?"
    Text.

=== "$x_i$"
    Text.

/// warning | $y_j$ costs $5
Text.
///
`.replaceAll('\\\\', '\\');
  const { html } = await shown('mkdocs', body);
  expect(html).toContain(String.raw`<p class="admonition-title">If \(a_1 &lt; b_1\) and \(c\)</p>`);
  expect(html).toContain(String.raw`<summary>Why \(\le n\)?</summary>`);
  expect(html).toContain(String.raw`<strong>\(x_i\)</strong>`);
  expect(html).toContain(String.raw`<p class="admonition-title">\(y_j\) costs $5</p>`);
});

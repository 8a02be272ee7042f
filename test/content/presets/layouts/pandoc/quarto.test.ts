import { expect, test } from 'vitest';
import { bodyOf, keysOf, linksOf, loader } from '../../support/support.ts';

const load = loader('quarto');
const quarto = (files: Readonly<Record<string, string>>) =>
  load(files, { assetsBaseUrl: 'https://a.example/' });
const WEBSITE = `project:
  type: website
  render: ["*.qmd", "!guide/skipped.qmd"]
  output-dir: public
website:
  title: Kit
  drafts: [guide/later.qmd]
  sidebar:
    contents:
      - index.qmd
      - section: Handbook
        contents:
          - guide/use.qmd
          - text: Begin
            href: guide/start.qmd
      - api
execute:
  echo: true
`;

test('the sidebar gives order and tree; README, parts, drafts and what `render` leaves out are no pages', async () => {
  const loaded = await quarto({
    '_quarto.yml': WEBSITE,
    'index.qmd':
      '---\ntitle: Kit\n---\n\n[1](guide/start.qmd) [2](/guide/use.qmd#own) [3](guide/use.html) [4](api/)\n',
    'README.md': '# Code\n',
    'guide/start.qmd':
      '# Start {#sec-start .unnumbered}\n\nText.\n\n## A - b & c.\n\n[1](#a---b-c.) [2](../index.qmd)\n',
    'guide/use.qmd':
      '---\ntitle: Use\ndescription: How to use it.\ncategories: [a, b]\n---\n\n## More {#own}\n\nSee @sec-start.\n',
    'guide/later.qmd': '---\ntitle: Later\n---\n\nText.\n',
    'guide/draft.qmd': '---\ntitle: Draft\ndraft: true\n---\n\nText.\n',
    'guide/skipped.qmd': '---\ntitle: Skipped\n---\n',
    'guide/_part.qmd': 'The part of {{< meta title >}}.\n',
    'public/a.qmd': '# Built\n',
    'api/index.qmd': '# API\n',
    'api/b.qmd':
      '---\ntitle: B\n---\n{{< include /guide/_part.qmd >}}\n\n{{< include ../guide/_none.qmd >}}\n',
    '_drafts/x.qmd': '# X\n',
  });
  expect(loaded.places).toEqual(['content/api/b.qmd:6:1 include-failed']);
  expect(keysOf(loaded)).toEqual([
    'article/api/b@en',
    'article/guide/draft@en',
    'article/guide/later@en',
    'article/guide/start@en',
    'article/guide/use@en',
    'article/home@en',
    'category/api@en',
    'category/guide@en',
    'category/handbook@en',
    'tag/a@en',
    'tag/b@en',
  ]);
  const field = (path: string): unknown => loaded.record('article', path).fields['status'];
  expect([field('guide/later'), field('guide/draft'), field('guide/use')]).toEqual([
    'draft',
    'draft',
    undefined,
  ]);
  expect(loaded.record('article', 'guide/start').fields).toMatchObject({ title: 'Start', ordering: 2 });
  expect(loaded.record('article', 'guide/use').fields).toMatchObject({ title: 'Use', ordering: 1 });
  expect(linksOf(bodyOf(loaded, 'home'))).toEqual([
    '/en/articles/guide-start',
    '/en/articles/guide-use#own',
    '/en/articles/guide-use',
    '/en/categories/api',
  ]);
  expect(linksOf(bodyOf(loaded, 'guide/use'))).toEqual(['/en/articles/guide-start']);
  expect(bodyOf(loaded, 'guide/start')).toContain('<h2 id="a---b-c.">');
});

const page = async (body: string, front = 'title: A', files: Readonly<Record<string, string>> = {}) => {
  const loaded = await quarto({
    '_quarto.yml': 'project:\n  type: website\n',
    'a.qmd': `---\n${front}\n---\n\n${body}\n`,
    'b.qmd': '---\ntitle: B\n---\n\n![Bee](bee.png){#fig-bee}\n',
    'bee.png': 'x',
    ...files,
  });
  return { html: bodyOf(loaded, 'a'), places: loaded.places };
};

test('callouts are boxes, with their title or their first heading; `collapse` folds them', async () => {
  const { html, places } = await page(
    '::: {.callout-tip title="Own"}\nOne.\n:::\n\n::: callout-warning\n## Heading\n\nTwo.\n:::\n\n::: {.callout-note collapse="true"}\n## Fold\nThree.\n:::\n\n:::: {.columns}\n::: {.column width="40%"}\nFour.\n:::\n::::',
  );
  expect(places).toEqual([]);
  expect(html).toContain('<p class="admonition-title">Own</p>\n<p>One.</p>');
  expect(html).toContain('<p class="admonition-title">Heading</p>\n<p>Two.</p>');
  expect(html).toContain('<summary>Fold</summary>');
  expect(html).toContain('<p>Four.</p>');
  expect(html).not.toContain(':::');
});

test('parts for other formats, hidden parts and parts under a condition that is not met do not come', async () => {
  const { html, places } = await page(
    '::: {.content-visible when-format="pdf"}\nPDF.\n:::\n\n::: {.content-hidden when-format="html"}\nHidden.\n:::\n\n::: {.content-visible when-format="html"}\nWeb.\n:::\n\n::: {.content-visible when-meta="own.on"}\nOn.\n:::\n\n::: {.content-visible unless-meta="own.on"}\nOff.\n:::\n\n::: {.content-visible when-profile="inner"}\nInner.\n:::\n\n[Span]{.content-hidden} ![](bee.png){.dark-content}\n\n```{=latex}\n\\tex\n```\n\n```{=html}\n<p>Raw <b>web</b>.</p>\n```\n\n`<sub>2</sub>`{=html} `\\tex`{=latex}\n\n::: {.hidden}\nNever closed.',
    'title: A\nown: { on: true }',
  );
  expect(places).toEqual([]);
  expect(
    html
      .replaceAll(/<[^>]+>/g, ' ')
      .split(/\s+/)
      .filter(Boolean),
  ).toEqual(['Web.', 'On.', 'Raw', 'web', '.', '2']);
});

test('tabs are one below the other', async () => {
  const { html } = await page(
    '::: {.panel-tabset}\n## R\n\nOne.\n\n### Inner\n\n## Python\n\nTwo.\n:::\n\n## After',
  );
  expect(html).toContain('<p><strong>R</strong></p>\n<p>One.</p>\n<h3 id="inner">');
  expect(html).toContain('<p><strong>Python</strong></p>');
  expect(html).toContain('<h2 id="after">');
});

test('code of cells comes where the site shows it; what it would print is named once', async () => {
  const { html, places } = await page(
    '```{python}\n#| label: fig-a\n#| fig-cap: "A"\nplot(1)\n```\n\n```{r setup, include=FALSE}\nsecret()\n```\n\n```{r}\n#| echo: false\nhidden()\n```\n\n```{.python filename="run.py"}\nrun()\n```\n\n```{{r}}\n1\n```\n\n```{mermaid}\nflowchart LR\n```\n\nSee @fig-a and `x`{.r}.',
  );
  expect(places).toEqual(['content/a.qmd:5:1 html-dropped']);
  expect(html).toContain('<pre><code class="language-python">plot(1)\n</code></pre>');
  expect(html).toContain('<p><strong>run.py</strong></p>\n<pre><code class="language-python">run()');
  expect(html).toContain('<pre><code class="language-r">1\n');
  expect(html).toContain('language-mermaid');
  expect(html).toContain('<a href="#fig-a">Figure 1</a> and <code>x</code>.');
  expect(html).not.toMatch(/secret|hidden|\{|#\|/);
  const off = await page('```{r}\nplot(1)\n```', 'title: A\nexecute:\n  echo: false');
  expect(off.html).not.toContain('plot');
});

test('figures, tables, equations and parts are numbered, captioned and found by their label in all pages', async () => {
  const { html, places } = await page(
    '![An *elephant*](bee.png){#fig-elephant fig-alt="Grey" width=50%}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n: The caption {#tbl-one tbl-colwidths="[1,2]"}\n\n$$\nx^2\n$$ {#eq-x}\n\n::: {#thm-line}\n## Line\nText.\n:::\n\nSee @fig-elephant, [@tbl-one], [-@fig-elephant], [Fig. @fig-bee], @eq-x, @thm-line and @somebody.',
  );
  expect(places).toEqual([]);
  expect(html).toContain('alt="Grey"');
  expect(html).toContain('<em>Figure 1: An <em>elephant</em></em>');
  expect(html).toContain('<em>Table 1: The caption</em>');
  expect(html).toContain('<p class="admonition-title">Theorem (Line)</p>');
  expect(html).toContain(
    'See <a href="#fig-elephant">Figure 1</a>, <a href="#tbl-one">Table 1</a>, <a href="#fig-elephant">1</a>, <a href="/en/articles/b#fig-bee">Fig. 1</a>, <a href="#eq-x">Equation 1</a>, <a href="#thm-line">Theorem 1</a> and @somebody.',
  );
  for (const id of ['fig-elephant', 'tbl-one', 'eq-x', 'thm-line']) expect(html).toContain(`id="${id}"`);
  expect(html).not.toContain('{');
});

test('every part that has a name of its own can be referred to by that name', async () => {
  const { html, places } = await page(
    `${Object.keys(THEOREM_NAMES)
      .map((label) => `::: {#${label}-a}\nText.\n:::`)
      .join('\n\n')}\n\n${Object.keys(THEOREM_NAMES)
      .map((label) => `@${label}-a`)
      .join(', ')}.`,
  );
  expect(places).toEqual([]);
  for (const [label, name] of Object.entries(THEOREM_NAMES)) {
    expect(html).toContain(`<p class="admonition-title">${name}</p>`);
    expect(html).toContain(`<a href="#${label}-a">${name} 1</a>`);
  }
});

test('an id that looks like a label is not counted as a part', async () => {
  const { html } = await page('::: {#tab-set}\nText.\n:::\n\nSee @tab-set, and [one]{#abc-d}, @abc-d.');
  expect(html).toContain('See @tab-set, and');
  expect(html).not.toContain('Table');
});

/** https://quarto.org/docs/authoring/cross-references.html, and the hypothesis of bookdown. */
const THEOREM_NAMES = {
  thm: 'Theorem',
  lem: 'Lemma',
  cor: 'Corollary',
  prp: 'Proposition',
  cnj: 'Conjecture',
  def: 'Definition',
  exm: 'Example',
  exr: 'Exercise',
  hyp: 'Hypothesis',
  sol: 'Solution',
  rem: 'Remark',
  alg: 'Algorithm',
};

test('works of a bibliography are cited by author and year, and listed', async () => {
  const { html, places } = await page(
    'As @knuth84 says [see @knuth84, p. 3; @two], [-@two], [@none].',
    'title: A\nbibliography: refs.bib',
    {
      'refs.bib':
        '@article{knuth84,\n  author = {Knuth, Donald E.},\n  title = {Literate {P}rogramming},\n  journal = "The Computer Journal",\n  year = 1984,\n}\n@book{two, author={M{\\"u}ller, A. and Fran\\c{c}ois Roux}, title={Two}, date={2001-02-03}, url={https://example.org/two}}\n',
    },
  );
  expect(places).toEqual([]);
  expect(html).toContain(
    '<p>As Knuth (1984) says (see Knuth 1984, p. 3; Müller and Roux 2001), (2001), (<strong>none?</strong>).</p>',
  );
  expect(html).toContain('<h2 id="references">References</h2>');
  expect(html).toContain('Knuth, Donald E. 1984. “Literate Programming.” <em>The Computer Journal</em>.');
  expect(html).toContain('Müller, A., and François Roux. 2001.');
});

test('what Pandoc writes in a line: spans, attributes, notes, raised and lowered, keys, variables', async () => {
  const { html, places } = await page(
    '[small]{.smallcaps} [marked]{.mark} [x](b.qmd){.btn target="_blank"} H~2~O and x^2^, ~~gone~~, a^[Own *note*.] {{< kbd Ctrl-C >}} {{< var tool.name >}} {{< video https://youtu.be/abcdefgh >}} {{< fa star >}} {{{< var x >}}} \\index{word}end.\n\n\\newpage\n\nTerm\n:   Definition.\n\n    More.\n\n{{< strange 1 >}}',
    'title: A',
    { '_variables.yml': 'tool:\n  name: Kit\n' },
  );
  expect(places).toEqual(['content/a.qmd:14:1 unknown-component']);
  expect(html).toContain(
    'small <mark>marked</mark> <a href="/en/articles/b">x</a> H<sub>2</sub>O and x<sup>2</sup>',
  );
  expect(html).toContain('<kbd>Ctrl-C</kbd> Kit');
  expect(html).toContain('Own <em>note</em>.');
  expect(html).toContain('{{&lt; var x &gt;}} end.');
  expect(html).toContain('<strong>Term</strong>');
  expect(html).toMatch(/<li>\s*<p>Definition.<\/p>\s*<p>More.<\/p>\s*<\/li>/);
  expect(html).not.toContain('newpage');
});

test('a grid table is a table', async () => {
  const { html } = await page(
    '+-----+-------+\n| A   | B     |\n+=====+=======+\n| one | two   |\n|     | more  |\n+-----+-------+\n| 3   | a | b |\n+-----+-------+',
  );
  expect(html).toContain('<th>A</th>');
  expect(html).toContain('<td>two more</td>');
  expect(html).toContain('<td>a | b</td>');
});

test('a grid table with lists, headings or hard breaks in its cells shows them', async () => {
  const { html } = await page(
    '+---------+---------+\n| A       | B       |\n+=========+=========+\n| - one   | # Big   |\n| - two   |         |\n+---------+---------+\n| `t`\\    |         |\n| **b**   |         |\n+---------+---------+\n\nafter',
  );
  expect(html).toMatch(/<thead>\s*<tr>\s*<th>\s*<p>A<\/p>\s*<\/th>/);
  expect(html).toMatch(/<td>\s*<ul>\s*<li>one<\/li>\s*<li>two<\/li>\s*<\/ul>\s*<\/td>/);
  expect(html).toMatch(/<td>\s*<h1[^>]*>Big<\/h1>\s*<\/td>/);
  expect(html).toMatch(/<code>t<\/code><br \/>\s*<strong>b<\/strong>/);
  expect(html).toMatch(/<td><\/td>\s*<\/tr>\s*<\/tbody>\s*<\/table>\s*<p>after<\/p>/);
});

test('a value of an attribute may hold quotes behind a backslash', async () => {
  const { html } = await page(
    '![](https://a.test/x.png){.border fig-alt="A page titled \\"Hello {you}\\"."} end',
  );
  expect(html).toContain('alt="A page titled &quot;Hello {you}&quot;."');
  expect(html).toMatch(/> end/);
});

test('of a book only the chapters are pages; parts are categories, and numbers begin with the chapter', async () => {
  const loaded = await quarto({
    '_quarto.yml':
      'project:\n  type: book\nbook:\n  title: Book\n  site-url: https://book.example.org/v1/\n  chapters:\n    - index.qmd\n    - part: First\n      chapters: [one.qmd, two.Rmd]\n  appendices: [more.md]\n',
    'index.qmd': '# Preface {.unnumbered}\n\nSee @fig-x in @sec-two and [@sec-two].\n',
    'one.qmd': '# One\n\nText.\n',
    'two.Rmd': '# Two {#sec-two}\n\n![X](x.png){#fig-x}\n',
    'more.md': '# More\n',
    'left.qmd': '# Left\n',
    'x.png': 'x',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/home@en',
    'article/more@en',
    'article/one@en',
    'article/two@en',
    'category/first@en',
  ]);
  expect(loaded.record('article', 'two').fields).toMatchObject({ title: 'Two', ordering: 2 });
  expect(bodyOf(loaded, 'home')).toContain(
    'See <a href="/en/articles/two#fig-x">Figure 2.1</a> in <a href="/en/articles/two">Two</a> and <a href="/en/articles/two">Two</a>.',
  );
});

test('`include` of kbsync.yaml is about these pages too', async () => {
  const files = { '_quarto.yml': 'project: {}\n', 'guide/a.qmd': '# A\n', 'other/b.qmd': '# B\n' };
  expect(keysOf(await load(files, { include: ['guide/**'] }))).toEqual([
    'article/guide/a@en',
    'category/guide@en',
  ]);
});

test('a cell that hides the code of the cells below it hides it here too', async () => {
  const cells = [
    '```{r}\nshown <- 1\n```',
    '```{r setup, include=FALSE}\nknitr::opts_chunk$set(fig.width = 7, echo = FALSE)\n```',
    '```{r}\nhidden <- 1\n```',
    '```{r, echo=TRUE}\nagain <- 1\n```',
  ];
  const loaded = await quarto({
    '_quarto.yml': WEBSITE,
    'a.qmd': `---\ntitle: A\n---\n\n${cells.join('\n\n')}\n`,
  });
  const html = bodyOf(loaded, 'a');
  expect(html).toContain('shown');
  expect(html).toContain('again');
  expect(html).not.toContain('hidden');
});

import { expect, test } from 'vitest';
import { bodyOf, keysOf, loader } from '../../support/support.ts';

const load = loader('bookdown');
const bookdown = (files: Readonly<Record<string, string>>) =>
  load(files, { assetsBaseUrl: 'https://a.example/' });

const CHAPTERS = {
  'index.Rmd':
    '---\ntitle: The book\nsite: bookdown::bookdown_site\n---\n\n```{r setup, include=FALSE}\nknitr::opts_chunk$set(echo = FALSE)\n```\n\n# Preface {-}\n\nSee \\@ref(intro), Chapter \\@ref(own), Figure \\@ref(fig:plot) and Table \\@ref(tab:one).\n',
  '01-intro.Rmd':
    '# (PART) Basics {-}\n\n# Intro\n\n(ref:cap) A *caption*.\n\n```{r plot, fig.cap="(ref:cap)"}\nplot(1)\n```\n\n::: {.rmdtip}\nBe quick.\n:::\n\n\\newpage\n\n\\begin{equation}\nx = 1\n(\\#eq:one)\n\\end{equation}\n\nTable: (\\#tab:one) Cap.\n\n| a |\n|---|\n| 1 |\n',
  '02-more.Rmd': '# (APPENDIX) Appendix {-}\n\n# More {#own}\n\nText.\n',
  '_draft.Rmd': '# Draft\n',
  'README.md': '# About\n',
  'part/a.Rmd': '# A\n',
};

test('every source of the folder is a chapter, in the order of the names; parts are categories', async () => {
  const loaded = await bookdown({ '_bookdown.yml': 'book_filename: book\n', ...CHAPTERS });
  expect(loaded.places).toEqual(['content/01-intro.Rmd:7:1 html-dropped']);
  expect(keysOf(loaded)).toEqual([
    'article/01-intro@en',
    'article/02-more@en',
    'article/home@en',
    'category/appendix@en',
    'category/basics@en',
  ]);
  const intro = loaded.record('article', '01-intro').fields;
  expect(intro).toMatchObject({ title: 'Intro', categories: ['category/basics'] });
  const home = bodyOf(loaded, 'home');
  expect(home).toContain(
    'See <a href="/en/articles/01-intro">Intro</a>, Chapter <a href="/en/articles/02-more">More</a>, Figure <a href="/en/articles/01-intro#fig:plot">1.1</a> and Table <a href="/en/articles/01-intro#tab:one">1.1</a>.',
  );
  const body = bodyOf(loaded, '01-intro');
  expect(body).not.toMatch(/plot\(1\)|newpage|ref:|PART/);
  expect(body).toContain('id="fig:plot"');
  expect(body).toContain('<em>Table 1.1: Cap.</em>');
  expect(body).toContain('<p>Be quick.</p>\n</div>');
});

test('`rmd_files` says which files are chapters, also for one format', async () => {
  const keys = async (settings: string) => keysOf(await bookdown({ '_bookdown.yml': settings, ...CHAPTERS }));
  expect(await keys('rmd_files: ["index.Rmd", "02-more.Rmd"]\n')).not.toContain('article/01-intro@en');
  expect(await keys('rmd_files:\n  html: ["index.Rmd", "part/a.Rmd"]\n  latex: ["02-more.Rmd"]\n')).toEqual([
    'article/home@en',
    'article/part/a@en',
  ]);
  expect(await keys('rmd_subdir: true\n')).toContain('article/part/a@en');
});

import { cjk, strongInWords } from './cjk.ts';
import { components, frames } from './families/components.ts';
import { directives } from './families/directives.ts';
import { docfx } from './families/docfx.ts';
import { docsify } from './families/docsify.ts';
import { embeds } from './embeds.ts';
import { formulas } from './formulas.ts';
import { fenceNames, fenceWords } from './families/fence-names.ts';
import { escapedIds, headingAnchors, subtitles } from './heading-anchors.ts';
import { fencesBelowTags, htmlMarkdown, markedElements } from './families/html-markdown.ts';
import { includes } from './families/includes.ts';
import { attributeLists, blockAttributes } from './families/kramdown/attribute-lists.ts';
import { contents } from './families/kramdown/contents.ts';
import { extensions } from './families/kramdown/extensions.ts';
import { tables } from './families/kramdown/tables.ts';
import { gitbook, liquid } from './families/liquid.ts';
import { macroCalls } from './families/macro-calls.ts';
import { materialBlocks } from './families/material.ts';
import { hexoTags } from './families/tags/hexo.ts';
import { mdbookTabs } from './families/tags/mdbook-tabs.ts';
import { linkAttributes, markdownItPlugins } from './families/tags/markdown-it.ts';
import { mdc } from './families/tags/mdc.ts';
import { retype } from './families/tags/retype.ts';
import { writerside } from './families/tags/writerside.ts';
import { logseq } from './families/tags/logseq.ts';
import { mdx } from './families/mdx.ts';
import { pandocBlocks } from './families/pandoc/blocks.ts';
import { codeCells } from './families/pandoc/cells.ts';
import { fencedDivs } from './families/pandoc/divs.ts';
import { pandocInline } from './families/pandoc/inline.ts';
import { pelican } from './families/tags/pelican.ts';
import { pythonMarkdown } from './families/python-markdown.ts';
import { quotes, quotesOfAnyKind } from './families/quotes.ts';
import { readme } from './families/readme.ts';
import { shortcodes } from './families/shortcodes.ts';
import { slashBlocks } from './families/slash-blocks.ts';
import { vue } from './families/vue.ts';
import { wiki } from './families/wiki.ts';
import { SLATE_INCLUDES } from './includes/slate.ts';
import { COMPONENTS } from './includes/components.ts';
import { DOCFX_REFERENCES } from './includes/docfx-references.ts';
import * as forms from './includes/forms.ts';
import { CODE_MARKS } from './includes/code-marks.ts';
import { CONTENT_REFERENCES, TABLES } from './includes/gitbook.ts';
import { INCLUDE_MARKDOWN } from './includes/include-markdown.ts';
import { MACROS } from './includes/macros.ts';
import { HUGO_READFILE, HUGO_TEMPLATES } from './includes/shortcodes.ts';
import { MYST } from './includes/myst.ts';
import { VUE_COMPONENTS } from './includes/vue-components.ts';
import { RETYPE } from './includes/retype.ts';
import { WRITERSIDE } from './includes/writerside.ts';
import { markdoc, markdocFile } from './families/tags/markdoc.ts';
import { DUMI_EMBED, MARKDOC_PARTIAL } from './includes/markdoc.ts';
import { tableCode } from './table-code.ts';
import { translator } from './translate.ts';

/** What each layout writes besides GitHub's Markdown. */
export const SYNTAX = {
  docusaurus: translator(
    [formulas, escapedIds, directives, mdx, cjk, fenceNames],
    forms.MDX_IMPORTS,
    COMPONENTS,
    CODE_MARKS,
  ),
  starlight: translator(
    [formulas, directives, markdocFile, mdx, cjk, fenceNames],
    MARKDOC_PARTIAL,
    forms.MDX_IMPORTS,
    COMPONENTS,
    CODE_MARKS,
  ),
  vitepress: translator(
    [formulas, quotes, directives, vue, components, frames, cjk, fenceNames],
    forms.VUE_INCLUDE,
    forms.VUE_CODE,
    VUE_COMPONENTS,
    CODE_MARKS,
  ),
  vuepress: translator(
    [quotes, directives, embeds, vue, components, frames, cjk, fenceNames],
    forms.VUEPRESS_INCLUDE,
    forms.VUE_CODE,
    VUE_COMPONENTS,
    CODE_MARKS,
  ),
  hugo: translator(
    [formulas, shortcodes, blockAttributes, quotesOfAnyKind, frames, cjk, fenceNames],
    HUGO_READFILE,
    HUGO_TEMPLATES,
  ),
  jekyll: translator(
    [
      formulas,
      liquid,
      extensions,
      contents,
      htmlMarkdown,
      attributeLists,
      quotes,
      frames,
      strongInWords,
      tableCode,
      tables,
    ],
    forms.JEKYLL,
    forms.LIQUID,
  ),
  mkdocs: translator(
    [
      includes({ name: '--8<--', pattern: /^[ \t]*-{1,2}8<-{1,2}.*$/gm }),
      formulas,
      macroCalls,
      materialBlocks,
      slashBlocks,
      fencesBelowTags,
      htmlMarkdown,
      pythonMarkdown,
      quotes,
      frames,
      fenceNames,
      tableCode,
    ],
    INCLUDE_MARKDOWN,
    MACROS,
    forms.SNIPPETS,
    forms.MARKDOWN_INCLUDE,
  ),
  mintlify: translator([mdx, quotes, cjk, fenceWords], forms.DOUBLE_BRACES, forms.MDX_IMPORTS, COMPONENTS),
  mdbook: translator([formulas, mdbookTabs, quotes, components, frames, cjk], forms.MDBOOK),
  docsify: translator([formulas, docsify, quotes, frames, cjk, fenceNames], forms.DOCSIFY),
  nextra: translator(
    [headingAnchors, directives, mdx, quotes, cjk, fenceNames],
    forms.MDX_IMPORTS,
    COMPONENTS,
    CODE_MARKS,
    CODE_MARKS,
  ),
  readme: translator([readme, mdx, quotes, cjk, fenceNames]),
  docfx: translator([docfx, directives, quotes, frames, cjk, fenceNames], forms.DOCFX, DOCFX_REFERENCES),
  gitbook: translator(
    [formulas, gitbook, quotes, frames, cjk, fenceNames],
    forms.GITBOOK,
    CONTENT_REFERENCES,
    TABLES,
  ),
  myst: translator([formulas, directives, quotes, components, frames, cjk, fenceNames], MYST),
  vocs: translator(
    [headingAnchors, subtitles, directives, mdx, quotes, cjk, fenceNames],
    forms.MDX_IMPORTS,
    COMPONENTS,
    CODE_MARKS,
  ),
  rspress: translator(
    [escapedIds, directives, mdx, quotes, components, frames, cjk, fenceNames],
    forms.MDX_IMPORTS,
    COMPONENTS,
    CODE_MARKS,
  ),
  nuxt: translator([quotes, mdc, vue, components, frames, cjk, fenceNames], CODE_MARKS),
  hexo: translator([hexoTags, quotes, components, frames, cjk, fenceNames]),
  eleventy: translator([
    liquid,
    markdownItPlugins,
    markedElements,
    quotes,
    components,
    frames,
    cjk,
    fenceNames,
  ]),
  quarto: translator(
    [formulas, codeCells, fencedDivs, pandocBlocks, pandocInline, frames, cjk, fenceNames],
    forms.QUARTO_INCLUDE,
  ),
  bookdown: translator([
    formulas,
    codeCells,
    fencedDivs,
    pandocBlocks,
    pandocInline,
    frames,
    cjk,
    fenceNames,
  ]),
  writerside: translator([writerside, quotes, frames, cjk, fenceNames], WRITERSIDE),
  pelican: translator([
    pelican,
    fencesBelowTags,
    htmlMarkdown,
    pythonMarkdown,
    frames,
    fenceNames,
    tableCode,
  ]),
  plain: translator(
    [directives, markdoc, mdx, markedElements, linkAttributes, quotes, components, frames, cjk, fenceNames],
    MARKDOC_PARTIAL,
    DUMI_EMBED,
    SLATE_INCLUDES,
    forms.MDX_IMPORTS,
    COMPONENTS,
    CODE_MARKS,
  ),
} as const;

/** Of wikis, which know their pages by name; `hasContainers`: a vault that VitePress publishes, with its `::: tip`. */
export function wikiTranslator(
  isPage: (name: string) => boolean,
  hasContainers: boolean,
): ReturnType<typeof translator> {
  const containers = hasContainers ? [directives] : [];
  return translator([
    wiki(isPage),
    ...containers,
    pythonMarkdown,
    quotesOfAnyKind,
    components,
    frames,
    fenceNames,
  ]);
}

/** Of Logseq. */
export function logseqTranslator(
  isPage: (name: string) => boolean,
  macros: ReadonlyMap<string, string>,
): ReturnType<typeof translator> {
  return translator([logseq(isPage, macros), wiki(isPage), quotesOfAnyKind, components, frames, fenceNames]);
}

/** Of Retype, which knows its pages by name too. */
export function retypeTranslator(isPage: (name: string) => boolean): ReturnType<typeof translator> {
  return translator([retype, wiki(isPage), directives, quotes, frames, fenceNames], RETYPE);
}

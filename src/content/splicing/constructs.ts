import type { PresetName } from '../presets/names.ts';

/** What not every Markdown can say; in its own spelling, as kbsync would write it. */
export type Construct = 'raw HTML' | 'a note (`> [!NOTE]`)' | 'a heading id (`{#id}`)' | 'a footnote';

const HTML = 'raw HTML';
const NOTE = 'a note (`> [!NOTE]`)';
const ID = 'a heading id (`{#id}`)';
const FOOTNOTE = 'a footnote';

/**
 * What each layout's own system shows as it is meant, without further settings. Paragraphs, headings, emphasis, links,
 * images, lists, quotes, code and tables are said in all of them. kbsync would read the rest too, and the author's own site
 * would show its marks. Raw HTML in the place of Markdown is nobody's wish, whoever would show it.
 */
const SAID: Readonly<Record<PresetName, readonly Construct[]>> = {
  kbsync: [HTML, NOTE, ID, FOOTNOTE],
  hugo: [ID, FOOTNOTE],
  docusaurus: [ID, FOOTNOTE],
  starlight: [FOOTNOTE],
  mkdocs: [],
  vitepress: [NOTE, ID],
  jekyll: [ID, FOOTNOTE],
  mdbook: [ID, FOOTNOTE],
  gitbook: [],
  mintlify: [],
  docsify: [],
  vuepress: [],
  docfx: [NOTE, ID, FOOTNOTE],
  fern: [],
  wiki: [NOTE, FOOTNOTE],
  nextra: [NOTE, FOOTNOTE],
  fumadocs: [FOOTNOTE],
  readme: [],
  myst: [FOOTNOTE],
  vocs: [FOOTNOTE],
  rspress: [NOTE, ID, FOOTNOTE],
  nuxt: [NOTE, FOOTNOTE],
  hexo: [],
  eleventy: [],
  quarto: [ID, FOOTNOTE],
  bookdown: [ID, FOOTNOTE],
  retype: [ID, FOOTNOTE],
  writerside: [],
  plain: [NOTE, FOOTNOTE],
};

/** Whether a heading may have another id than the one that the layout makes of its words. */
export function saysHeadingIds(layout: PresetName): boolean {
  return SAID[layout].includes(ID);
}

const SPELLINGS: readonly (readonly [Construct, RegExp])[] = [
  [HTML, /<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>/i],
  [NOTE, /^\s*>\s*\[!\w+/m],
  [ID, /^#{1,6}\s.*\{#[^}\n]+\}[^\S\n]*$/m],
  [FOOTNOTE, /\[\^[^\]\n]+\]/],
];

/** What of new Markdown the layout cannot say, unless the author's own lines say it already. */
export function unsaid(markdown: string, own: string, layout: PresetName): Construct | undefined {
  const text = withoutCode(markdown);
  return SPELLINGS.find(
    ([construct, spelling]) =>
      !SAID[layout].includes(construct) && spelling.test(text) && !spelling.test(withoutCode(own)),
  )?.[0];
}

function withoutCode(markdown: string): string {
  return markdown
    .replaceAll(/^[^\S\n]*(`{3,}|~{3,})[\s\S]*?(?:^[^\S\n]*\1|$(?![\s\S]))/gm, '')
    .replaceAll(/(?<!`)(`+)(?!`)[^\n]+?\1/g, '')
    .replaceAll(/\\[<[{]/g, '')
    .replaceAll(/<(?:https?|mailto):[^>\s]*>/g, '');
}

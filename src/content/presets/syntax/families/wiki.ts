import type { Edit } from '../../preset.ts';
import { inRanges } from '../code-ranges.ts';
import type { Range } from '../code-ranges.ts';
import { NOTHING } from '../family.ts';
import type { Family, Found } from '../family.ts';
import { markdownText } from '../parts/part-rule.ts';

const LINK = /(!?)\[\[([^[\]\n|#]*)(#[^[\]\n|]*)?(?:\\?\|([^\]\n]{0,1000}))?\]\]/g;
const CLASSES = /^([ \t]*)\{((?:\.[\w-]+[ \t]*)+)\}[ \t]*$/gm;
/** Wiki.js: `![text](picture.png =100x50)`, either number may be missing. */
const SIZED = /!\[[^[\]\n]*\]\([^\s()]+(?:\([^\s()]*\)[^\s()]*)*([ \t]+=\d*%?x\d*%?)\)/g;
const KINDS: Readonly<Record<string, string>> = {
  'is-info': 'NOTE',
  'is-success': 'TIP',
  'is-warning': 'WARNING',
  'is-danger': 'CAUTION',
};

/**
 * What wikis write: `[[Page]]`, `[[Page#Part|text]]` of Obsidian and `[[text|Page]]` of GitHub, `![[picture.png]]`; `%% comment %%` and `^block` of Obsidian; classes of Wiki.js, sizes of pictures, `{.is-info}`
 * below a quote and `{.tabset}` behind a heading. `isPage` tells which half of a link is the page's name.
 */
export function wiki(isPage: (name: string) => boolean): Family {
  return ({ body, isTaken }): Found => {
    const edits: Edit[] = [];
    const add = (start: number, whole: string, text: string): void => {
      edits.push({ start, end: start + whole.length, text });
    };
    for (const { 0: whole, 1: embed = '', 2: before = '', 3: hash = '', 4: second, index } of body.matchAll(
      LINK,
    )) {
      // `[[1]](address)` is a link of Markdown whose text has brackets.
      if (isTaken(index) || (embed === '' && body.startsWith('(', index + whole.length))) continue;
      // In a table the sign between the two is written `\\|`.
      const [first = '', anchor = ''] = [before, hash].map((text) => text.replace(/\\$/, ''));
      const isAddress = second !== undefined && /^https?:\/\/\S+$/.test(second.trim());
      const isTextFirst =
        second !== undefined &&
        first !== '' &&
        (isAddress || (!isPage(first) && isPage(second.replace(/#.*$/, ''))));
      const name = (isTextFirst ? second : first).trim();
      const part = anchor === '' ? '' : `#${slugged(anchor.slice(1))}`;
      const isPicture = embed !== '' && /\.(?:png|jpe?g|gif|svg|webp|avif|bmp)$/i.test(name);
      const shown = (isTextFirst ? first : (second ?? '')) || name.replace(/\.md$/, '') || anchor.slice(1);
      // A page may have the name of a question.
      const address = name === '' ? part : `<${isPage(name) ? name.replaceAll('?', '%3F') : name}${part}>`;
      if (isPicture)
        add(
          index,
          whole,
          `![${/^\d+(?:x\d+)?$/.test(shown) || shown === name ? '' : markdownText(shown)}](${address})`,
        );
      else add(index, whole, `[${markdownText(shown)}](${address})`);
    }
    for (const { 0: whole, 2: classes = '', index } of body.matchAll(CLASSES)) {
      if (isTaken(index)) continue;
      const kind = classes
        .split('.')
        .map((name) => KINDS[name.trim()])
        .find((found) => found !== undefined);
      const quote = kind === undefined ? undefined : quoteAbove(body, index);
      if (quote !== undefined) edits.push({ start: quote, end: quote, text: `> [!${kind}]\n` });
      add(index, whole, '');
    }
    for (const { 0: whole, index } of body.matchAll(/(?<=\S)[ \t]*\{\.[\w-]+(?:[ \t]+\.[\w-]+)*\}/g)) {
      if (!isTaken(index)) add(index, whole, '');
    }
    const comments = commentsIn(body, isTaken);
    for (const [start, end] of comments) edits.push({ start, end, text: '' });
    const isComment = inRanges(comments);
    for (const { 0: whole, 1: block = '', index } of body.matchAll(
      /(?:(?<=\S)[ \t]+|^[ \t]*)\^([\w-]+)[ \t]*$/gm,
    )) {
      if (!isTaken(index) && !isComment(index)) add(index, whole, ` <a id="${block.toLowerCase()}"></a>`);
    }
    for (const { 0: whole, 1: size = '', index } of body.matchAll(SIZED)) {
      const start = index + whole.length - 1 - size.length;
      if (!isTaken(start)) add(start, size, '');
    }
    return edits.length === 0 ? NOTHING : { edits };
  };
}

/** `%% not shown %%`, of any length (https://help.obsidian.md/syntax#Comments); the signs in code are text. */
function commentsIn(body: string, isTaken: (index: number) => boolean): readonly Range[] {
  const signs = [...body.matchAll(/%%/g)].flatMap(({ index }) => (isTaken(index) ? [] : [index]));
  const found: Range[] = [];
  for (let at = 0; at + 1 < signs.length; at += 2) found.push([signs[at] ?? 0, (signs[at + 1] ?? 0) + 2]);
  return found;
}

/** The start of the quote that ends in the line above. */
function quoteAbove(body: string, index: number): number | undefined {
  let start = index;
  for (;;) {
    const line = body.lastIndexOf('\n', start - 2) + 1;
    if (start === 0 || !/^[ \t]*>/.test(body.slice(line, start))) break;
    start = line;
  }
  return start === index ? undefined : start;
}

/** An anchor as the heading's id. */
function slugged(heading: string): string {
  return heading
    .replace(/^.*#/, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

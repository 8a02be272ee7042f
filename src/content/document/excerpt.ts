import { decodeHTMLStrict } from 'entities/decode';
import { withoutComments } from '../../text/spans.ts';

/** The service's limit. It does not say what it counts; UTF-16 units are the strictest of the usual counts. */
export const EXCERPT_CHARS_MAX = 160;

const ELLIPSIS = '…';

/**
 * A text in one line of at most 160 UTF-16 units. A longer one is cut after a word and ends in `…`; where the last word
 * is very long, or the script has no spaces, it is cut after a whole character instead.
 */
export function cutExcerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= EXCERPT_CHARS_MAX) return line;
  const room = EXCERPT_CHARS_MAX - ELLIPSIS.length;
  const space = line.lastIndexOf(' ', room);
  const end = space >= room / 2 ? space : wholeCharacters(line, room);
  return `${line.slice(0, end).replace(/[\s,;:–—-]+$/, '')}${ELLIPSIS}`;
}

let segmenter: Intl.Segmenter | undefined;

/** The end of the last character, as readers see characters (an emoji may be several code points), within `room`. */
function wholeCharacters(line: string, room: number): number {
  let end = 0;
  for (const { index, segment } of (segmenter ??= new Intl.Segmenter()).segment(line.slice(0, room + 64))) {
    if (index + segment.length > room) break;
    end = index + segment.length;
  }
  return end;
}

const BLOCK =
  /<(\/?)(p|blockquote|ul|ol|dl|table|div|section|details|aside|figure|center|picture|video)\b[^>]{0,4000}>/gi;
const PARAGRAPH_END = /<\/?p\b/gi;

/** The text of the first top-level paragraph of rendered HTML that has any; `''` without one. */
export function firstParagraph(html: string): string {
  let depth = 0;
  for (const { 0: tag, 1: slash, 2: name, index } of html.matchAll(BLOCK)) {
    if (name?.toLowerCase() !== 'p') depth = Math.max(0, depth + (slash === '/' ? -1 : 1));
    else if (depth === 0 && slash === '') {
      const start = index + tag.length;
      PARAGRAPH_END.lastIndex = start;
      const text = plainText(html.slice(start, PARAGRAPH_END.exec(html)?.index ?? html.length));
      if (text !== '') return text;
    }
  }
  return '';
}

/** Without tags, comments and footnote marks; a line break is a blank. */
function plainText(html: string): string {
  const text = withoutComments(html, ' ')
    .replaceAll(/<sup><a [^>]{0,4000}data-footnote-ref[^>]{0,4000}>[^<]*<\/a><\/sup>/g, '')
    .replaceAll(/<br\b[^>]{0,4000}>/gi, ' ')
    .replaceAll(/<\/?[a-z][^>]{0,4000}>/gi, '');
  return (text.includes('&') ? decodeHTMLStrict(text) : text).trim();
}

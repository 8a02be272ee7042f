import { BLOCKS } from '../../model/html/shape.ts';

/** A second of the parser, and a fifth of the longest text that it can answer with. */
export const COPIED_CHARS_MAX = 100_000_000;

/**
 * Characters that the parser copies for the entities (`&amp;`) of a text, about, found in one walk without parsing. At each of
 * them it copies what the paragraph has before it, so 40,000 in a row are a gigabyte. Few entities for the length of the text: 0.
 * Where blocks begin and end is from CommonMark 0.31.2, sections 4 and 5, and its extension for tables (GFM 4.10).
 */
export function entityCopies(body: string): number {
  if ((body.match(/&/g)?.length ?? 0) * body.length <= COPIED_CHARS_MAX) return 0;
  let copied = 0;
  let before = 0;
  let columns = 0;
  let isTable = false;
  /** Where the block that has no entities ends; a blank line: an HTML block. */
  let end: RegExp | undefined;
  for (const line of body.split('\n')) {
    const text = line.replace(/^[ \t>]+/, '');
    if (end !== undefined) {
      if (end.test(text)) end = undefined;
      continue;
    }
    const cells = text.split('|').length;
    if (/^[-:|\s]+$/.test(text) && cells > 1 && cells === columns) isTable = true;
    if (text === '' || /^\s*$/.test(text)) isTable = false;
    if (isTable || text === '' || STARTS_TEXT.test(text)) before = 0;
    columns = cells;
    end = endOfCode(text) ?? endOfHtml(text);
    if (end !== undefined) {
      before = 0;
      if (end !== BLANK && end.test(text.slice(3))) end = undefined;
      continue;
    }
    for (const piece of text.split(ENTITY).slice(0, -1)) {
      before += piece.length + 1;
      copied += before;
    }
    before += text.length - text.lastIndexOf(';');
  }
  return copied;
}

const ENTITY = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});/;
/** A heading, or an item of a list, where it may stand in front of a paragraph's next line. */
const STARTS_TEXT = /^(?:#{1,6}|[-*+]|1[.)])[ \t]/;
const BLANK = /^\s*$/;

function endOfCode(line: string): RegExp | undefined {
  const [, mark] = /^(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? [];
  return mark === undefined ? undefined : new RegExp(`^${mark}${mark[0]}*\\s*$`);
}

function endOfHtml(line: string): RegExp | undefined {
  if (line.startsWith('<!--')) return /-->/;
  const name = /^<\/?([a-zA-Z][a-zA-Z\d]*)(?=[\s/>]|$)/.exec(line)?.[1]?.toLowerCase() ?? '';
  if (/^(?:pre|script|style|textarea)$/.test(name)) return /<\/(?:pre|script|style|textarea)>/i;
  return BLOCKS.has(name) ? BLANK : undefined;
}

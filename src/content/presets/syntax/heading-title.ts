import { decodeHTMLStrict } from 'entities/decode';
import { headingBraces } from '../../markdown/heading-braces.ts';
import { HEADING_BADGE } from '../../markdown/heading-id.ts';
import { spotAt } from '../../source-text.ts';
import { spanSearch, withoutSpans } from '../../../text/spans.ts';

export interface HeadingTitle {
  readonly title: string;
  /** The heading's range, its line end not included. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
  /** It is of level 1, and no text stands above it: the page begins with it. Generators do not look at HTML for that. */
  readonly isLeading: boolean;
  /** `# Title {#id}` */
  readonly id?: string;
}

/** A longer line is no title. */
const CHARS_MAX = 1000;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * The heading that names a page: the first one that has no text above it, or else the first of level 1. Comments, scripts,
 * imports and pictures may be above it.
 */
export function headingTitle(body: string): HeadingTitle | undefined {
  let fence = '';
  let isTextAbove = false;
  const endOf = spanSearch(body, closingOf);
  for (let start = 0; start < body.length;) {
    const newline = body.indexOf('\n', start);
    const end = newline < 0 ? body.length : newline;
    const shown = fence === '' ? afterHidden(body, start, endOf) : undefined;
    if (shown !== undefined) {
      start = shown;
      continue;
    }
    const line = body.slice(start, Math.min(end, start + CHARS_MAX));
    const mark = FENCE.exec(line)?.[1] ?? '';
    if (fence === '' && mark !== '') fence = mark;
    else if (fence !== '' && mark.startsWith(fence)) fence = '';
    const found = fence === '' && mark === '' ? headingAt(body, start) : undefined;
    if (found !== undefined) {
      isTextAbove ||= isReadAbove(body.slice(0, start));
      if (!isTextAbove || found.level === 1)
        return { ...found, isLeading: !isTextAbove && found.level === 1 && body.charAt(found.start) !== '<' };
    }
    start = found?.end === undefined ? end + 1 : Math.max(found.end, end) + 1;
  }
  return undefined;
}

/** What readers do not see: a comment, a script, a style. */
const HIDDEN = /<!--|<(script|style)\b/gi;
const HIDDEN_LINE = /[ \t]*(?:<!--|<(script|style)\b)/iy;
const REST_OF_LINE = /[^\S\n]*\n?/y;

function closingOf({ 1: name }: RegExpExecArray): string {
  return name === undefined ? '-->' : `</${name}>`;
}

/** The place behind what is hidden from the start of a line on; undefined if nothing is. */
function afterHidden(
  body: string,
  start: number,
  endOf: (open: RegExpExecArray) => number | undefined,
): number | undefined {
  HIDDEN_LINE.lastIndex = start;
  const open = HIDDEN_LINE.exec(body);
  const end = open === null ? undefined : endOf(open);
  if (end === undefined) return undefined;
  REST_OF_LINE.lastIndex = end;
  return end + (REST_OF_LINE.exec(body)?.[0].length ?? 0);
}

/** Imports, pictures and badges, alone in their lines. */
const UNREAD =
  /^(?:import|export)\s[^\n]*$|\[?!\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])(?:\]\([^)\n]*\))?|<\/?(?:p|div|center|img|a|br|picture|source)\b[^>\n]*>/gm;

function isReadAbove(text: string): boolean {
  return !NOTHING_READ.test(withoutSpans(text, HIDDEN, { closingOf, instead: '' }).replaceAll(UNREAD, ''));
}
const NOTHING_READ = /^\s*$/;

function headingAt(
  body: string,
  start: number,
): (Omit<HeadingTitle, 'isLeading'> & { readonly level: number }) | undefined {
  const newline = body.indexOf('\n', start);
  if ((newline < 0 ? body.length : newline) - start > CHARS_MAX) return undefined;
  const rest = body.slice(start, start + CHARS_MAX);
  const hashes = /^ {0,3}(#{1,6})[ \t]+([^\n]+?)(?:[ \t]+#+)?[ \t]*(?=\n|$)/.exec(rest);
  const element = hashes === null ? HTML_HEADING.exec(rest) : null;
  if (element !== null) return headingOfHtml(element, body, start);
  const underlined = hashes === null ? /^ {0,3}([^\s>#|\-*+][^\n]*)\n=+[ \t]*(?=\n|$)/.exec(rest) : null;
  const found = hashes ?? underlined;
  const text = hashes?.[2] ?? underlined?.[1] ?? '';
  const title = plainText(text);
  if (found === null || title === '') return undefined;
  const id = /\{\s*#([^\s{}]+)(?:\s[^{}]*)?\}\s*$/.exec(text)?.[1];
  return {
    title,
    level: hashes?.[1]?.length ?? 1,
    start,
    end: start + found[0].length,
    line: spotAt(body, start).line,
    ...(id === undefined ? {} : { id }),
  };
}

/** `<h1 align="center">Title</h1>`, as people write it to style it. A picture in it is no part of a title. */
const HTML_HEADING =
  /^<h1\b([^<>\n]*)>((?:(?!<\/?h[1-6]\b|<(?:img|picture|svg)\b|\n[ \t]*\n)[^])*)<\/h1>[ \t]*(?=\n|$)/i;

function headingOfHtml(
  [whole, attributes = '', inside = '']: RegExpExecArray,
  body: string,
  start: number,
): ReturnType<typeof headingAt> {
  const title = decodeHTMLStrict(plainText(inside)).replaceAll(/\s+/g, ' ').trim();
  if (title === '') return undefined;
  const id = /\bid\s*=\s*["']?([^\s"']+)/i.exec(attributes)?.[1];
  return {
    title,
    level: 1,
    start,
    end: start + whole.length,
    line: spotAt(body, start).line,
    ...(id === undefined ? {} : { id }),
  };
}

/** Whether two titles say the same: letter case, marks and blanks aside. */
export function isSameTitle(a: string, b: string): boolean {
  const plain = (text: string): string => {
    const bare = plainText(text);
    // A title that looks like a tag.
    return (bare === '' ? text : bare)
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '');
  };
  return plain(a) !== '' && plain(a) === plain(b);
}

/** Without the marks of emphasis, code and links, and without attributes in braces. What stands in code is text, also `<angle>`. */
function plainText(heading: string): string {
  const codes: string[] = [];
  return heading
    .replaceAll(/(`+)(.+?)\1/g, (_, __, code: string) => `\u0000${codes.push(code) - 1}\u0000`)
    .replaceAll(COMMENT, '')
    .replace(/\s*\\?\{[^{}]*\}\s*$/, withoutAttributes)
    .replaceAll(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replaceAll(/(\*\*|__|\*|~~)(\S(?:.*?\S)?)\1/g, '$2')
    .replaceAll(BADGE, '')
    .replaceAll(TAG, '')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll(CODE, (_, at: string) => codes[Number(at)] ?? '')
    .trim();
}

/** `\\{#own-id}` is an id in MDX; what is no list of attributes is a part of the title. */
function withoutAttributes(end: string, _at: number, heading: string): string {
  return /^\s*\\\{#/.test(end) || headingBraces(heading).text === '' ? '' : end;
}

// oxlint-disable-next-line no-control-regex -- a sign that no text has
const CODE = /\u0000(\d+)\u0000/g;
/** `# Title <!-- omit in toc -->`; `\\<!--` is text. */
const COMMENT = /(?<!\\)<!--(?:(?!-->)[^]){0,500}-->/g;
/** `\\<T\\>` is text. */
const TAG = /(?<!\\)<\/?[a-zA-Z][^>]*>/g;
const BADGE = new RegExp(`<strong class="${HEADING_BADGE}">[^<]*</strong>`, 'g');

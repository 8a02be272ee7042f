import { scanMarkdown } from './markdown.ts';
import { rawTags, withAddresses } from './raw-html.ts';
import type { Spot } from '../source-text.ts';
import { lineStarts } from '../source-text.ts';

export interface Relinked {
  readonly text: string;
  /** Addresses that are written in a form that was not found again; they stay as they are. */
  readonly left: readonly string[];
}

/** A Markdown text with other addresses in its links, images and raw HTML; everything else stays to the byte. */
export function relinked(text: string, url: (written: string, isImage: boolean) => string): Relinked {
  const scan = scanMarkdown(text);
  const lines = lineStarts(text);
  const offsetOf = ({ line, column }: Spot): number => (lines[line - 1] ?? 0) + column - 1;
  const edits = new Map<number, { readonly end: number; readonly text: string }>();
  const left: string[] = [];
  for (const link of scan.links) {
    const wanted = url(link.url, link.isImage);
    if (wanted === link.url) continue;
    const found = destination(text, link.url, offsetOf(link.spot), (start) => edits.has(start));
    if (found === undefined) left.push(link.url);
    else
      edits.set(found.start, {
        end: found.end,
        text: found.isBracketed ? wanted.replaceAll(/[<>]/g, encodeURIComponent) : plain(wanted),
      });
  }
  for (const { value, spot } of scan.html) {
    if (!/<(?:a|img|source|video|audio)\s/i.test(value)) continue;
    const changed = withAddresses(value, (written) => url(written, isImageIn(value, written)));
    if (changed === value) continue;
    const start = offsetOf(spot);
    if (text.startsWith(value, start)) edits.set(start, { end: start + value.length, text: changed });
    else left.push(value.split('\n')[0] ?? '');
  }
  return { text: applied(text, edits), left };
}

/** A link's text is shorter; what is further away belongs to something else. */
const REACH = 20_000;

/** The address behind `](`, `](<` or `]:`, at or after the link's start, that no other link has taken. */
function destination(text: string, url: string, from: number, isTaken: (start: number) => boolean) {
  for (const written of new Set([
    url,
    url.replaceAll('&', '&amp;'),
    url.replaceAll(/([()_*])/g, String.raw`\$1`),
  ])) {
    for (
      let start = text.indexOf(written, from);
      start >= 0 && start < from + REACH;
      start = text.indexOf(written, start + 1)
    ) {
      const before = /(?:\]\(\s*|\]:\s*)(<?)$/.exec(text.slice(Math.max(0, start - 40), start));
      const isWhole = /^(?:[\s)>]|$)/.test(text.slice(start + written.length, start + written.length + 1));
      if (before === null || !isWhole || isTaken(start)) continue;
      return { start, end: start + written.length, isBracketed: before[1] === '<' };
    }
  }
  return undefined;
}

/** An address outside `<…>` has no blanks, and its parentheses are escaped. */
function plain(url: string): string {
  return url.replaceAll(
    /[\s()<>]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function isImageIn(html: string, url: string): boolean {
  return rawTags(html).some(({ name, attributes }) => name !== 'a' && attributes['src']?.trim() === url);
}

function applied(
  text: string,
  edits: ReadonlyMap<number, { readonly end: number; readonly text: string }>,
): string {
  let out = '';
  let cursor = 0;
  for (const [start, edit] of [...edits].sort(([a], [b]) => a - b)) {
    if (start < cursor) continue;
    out += text.slice(cursor, start) + edit.text;
    cursor = edit.end;
  }
  return out + text.slice(cursor);
}

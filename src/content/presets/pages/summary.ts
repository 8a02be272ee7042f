import { decoded } from '../../../model/address/percent.ts';
import { plainTitle } from '../../plain-title.ts';
import type { NavigationItem } from './navigation.ts';
import { withoutComments } from '../../../text/spans.ts';

interface Entry {
  readonly title: string;
  readonly address?: string;
  /** Columns in front of its mark; headings are outside of all lists. */
  readonly indent: number;
}

interface Draft extends NavigationItem {
  readonly items: Draft[];
}

/** Entries that are deeper become siblings of the entry above: no book has so many levels, and the tree is walked recursively. */
const DEPTH_MAX = 100;
/** Real titles and addresses are shorter; on longer lines, the patterns would take too long. */
const LINE_CHARS_MAX = 4000;

const LINK =
  /^(?:!?\[((?:[^[\]\\]|\\.|\[[^\]]*\])*)\]\(\s*(?:<((?:[^>\\]|\\.)*)>|((?:[^\s()\\]|\\\S|\([^()]*\))*))(?:\s+["'(][^\n]*)?\s*\))/;

/**
 * A navigation written as Markdown (SUMMARY.md of mdBook, HonKit and GitBook, `_sidebar.md` of Docsify): headings and entries without a link
 * are headings of the tree, deeper lists are inside what stands above them. `fileOf` finds the page that an address means;
 * undefined: it is none of ours (another site).
 */
export function summaryItems(
  text: string,
  fileOf: (address: string) => string | undefined,
): readonly NavigationItem[] {
  const top: Draft[] = [];
  let part: Draft[] = top;
  let open: { readonly indent: number; readonly items: Draft[] }[] = [];
  let hasTitle = false;
  for (const line of withoutComments(text).split('\n')) {
    if (line.length > LINE_CHARS_MAX) continue;
    const heading = /^ {0,3}(#{1,6})[ \t]/.exec(line);
    if (heading !== null) {
      const [start, marks = ''] = heading;
      const written = line
        .slice(start.length)
        .trim()
        .replace(/(?:^|[ \t]+)#+$/, '');
      open = [];
      part = top;
      // The first `#` names the file itself.
      if (marks.length === 1 && !hasTitle && top.length === 0) {
        hasTitle = true;
        continue;
      }
      const group = draft({ title: plainTitle(written), indent: 0 }, fileOf);
      top.push(group);
      part = group.items;
      continue;
    }
    if (/^ {0,3}(?:-{3,}|\*{3,}|_{3,})[ \t]*$/.test(line)) {
      [part, open] = [top, []];
      continue;
    }
    const entry = entryOf(line);
    if (entry === undefined) continue;
    while (open.length > 0 && (open.length >= DEPTH_MAX || (open.at(-1)?.indent ?? 0) >= entry.indent))
      open.pop();
    const made = draft(entry, fileOf);
    (open.at(-1)?.items ?? part).push(made);
    if (entry.indent >= 0) open.push({ indent: entry.indent, items: made.items });
  }
  return top;
}

/** `- [Title](page.md)`, `* Title`, and outside lists `[Title](page.md)`. */
function entryOf(line: string): Entry | undefined {
  const [, blanks = '', mark, rest = ''] = /^([ \t]*)(?:([-*+]|\d{1,9}[.)])[ \t]+)?(.*)$/.exec(line) ?? [];
  const link = LINK.exec(rest.trim().replace(/^\*\*(?=\[)/, ''));
  if (mark === undefined && link === null) return undefined;
  const indent = mark === undefined ? -1 : blanks.replaceAll('\t', '    ').length;
  if (link === null) {
    const title = plainTitle(rest);
    return title === '' ? undefined : { title, indent };
  }
  const [, title = '', angled, bare = ''] = link;
  return { title: plainTitle(title), address: withoutEscapes(angled ?? bare), indent };
}

/** CommonMark 2.4: a backslash before a punctuation sign escapes it, also in an address. GitBook writes `release\_notes/new.md`. */
function withoutEscapes(address: string): string {
  return address.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}

function draft({ title, address }: Entry, fileOf: (address: string) => string | undefined): Draft {
  // An anchor alone means a part of a page that is listed above.
  const file = address === undefined || address === '' ? undefined : fileOf(decoded(address));
  return { title, file, items: [] };
}

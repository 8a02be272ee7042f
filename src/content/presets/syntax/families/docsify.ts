import type { Edit } from '../../preset.ts';
import { NOTHING } from '../family.ts';
import type { Found, Source } from '../family.ts';

/** In an item of a list it stands as deep as the text of the item; four blanks make code. */
const HELPER = /^( {0,3})([?!])> (.*(?:\n(?![ \t]*(?:\n|[?!]> |#{1,6} |[-*+] |```|~~~)).+)*)/gm;
const ROUTE = /(\]\(|href=["'])#(\/[^\s)"'?#]*)(?:\?id=([^\s)"']*))?/g;
/** The same without `#`: Docsify reads the query of every address to a page as the route's. */
const PART = /\]\((?![a-z][a-z\d+.-]*:|\/\/)([^\s()?#]*)\?id=([^\s()"'&#]+)(?=\)|[ \t])/gi;
const IGNORE = /(?<![ \t])[ \t]*(?:\{docsify-ignore(?:-all)?\}|<!--\s*\{docsify-ignore(?:-all)?\}\s*-->)/g;
const OPTIONS =
  /(\]\([^\s()]+)[ \t]+(["'])((?::(?:ignore|disabled|target|size|class|id|crossorgin)(?:=[^\s"':]*)?[ \t]*){1,20})([^"'\n]*)\2\)/g;

/**
 * Docsify: `?> tip` and `!> important` up to the end of the paragraph, routes (`#/guide?id=part`), `:id=part` behind a heading, options in the title of a link or a
 * picture (`':ignore'`, `':size=50%'`), `{docsify-ignore}`.
 */
export function docsify({ body, isTaken }: Source): Found {
  const edits: Edit[] = [];
  for (const { 0: whole, 1: indent = '', 2: mark = '', index } of body.matchAll(HELPER)) {
    const start = index + indent.length;
    if (isTaken(start)) continue;
    const kind = mark === '?' ? 'TIP' : 'IMPORTANT';
    edits.push({ start, end: start + 3, text: `> [!${kind}]\n> ` });
    for (const { 0: blanks, index: line } of whole.matchAll(/(?<=\n)[ \t]*/g)) {
      const at = index + line + Math.min(blanks.length, indent.length);
      edits.push({ start: at, end: at, text: '> ' });
    }
  }
  for (const { 0: whole, 1: lead = '', 2: path = '', 3: id, index } of body.matchAll(ROUTE)) {
    if (isTaken(index)) continue;
    const start = index + lead.length;
    edits.push({ start, end: index + whole.length, text: id === undefined ? path : `${path}#${id}` });
  }
  for (const { 0: whole, 1: path = '', 2: id = '', index } of body.matchAll(PART)) {
    if (!isTaken(index)) edits.push({ start: index + 2, end: index + whole.length, text: `${path}#${id}` });
  }
  for (const { 0: whole, 1: id = '', index } of body.matchAll(
    /(?<![ \t])[ \t]+:id=([\w\p{L}-]+)[ \t]*$(?<=^#{1,6}[ \t][^\n]*)/gmu,
  )) {
    if (!isTaken(index)) edits.push({ start: index, end: index + whole.length, text: ` {#${id}}` });
  }
  for (const { 0: whole, index } of body.matchAll(IGNORE)) {
    if (!isTaken(index)) edits.push({ start: index, end: index + whole.length, text: '' });
  }
  for (const { 0: whole, 1: head = '', 4: title = '', index } of body.matchAll(OPTIONS)) {
    if (isTaken(index)) continue;
    const start = index + head.length;
    const rest = title.trim();
    edits.push({ start, end: index + whole.length, text: rest === '' ? ')' : ` "${rest}")` });
  }
  return edits.length === 0 ? NOTHING : { edits };
}

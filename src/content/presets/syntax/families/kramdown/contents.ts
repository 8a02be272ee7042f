import type { Edit } from '../../../preset.ts';
import { NOTHING } from '../../family.ts';
import type { Found, Source } from '../../family.ts';

/**
 * `{:toc}` below a list: kramdown puts the headings of the page in its place (https://kramdown.gettalong.org/converter/html.html#toc), as a help centre
 * does by itself. So the list goes, and so does a heading with nothing else below it.
 */
export function contents({ body, inCode }: Source): Found {
  if (!/\{:[ \t]*toc\b/.test(body)) return NOTHING;
  const edits: Edit[] = [];
  let wordsUnshown = 0;
  for (const { 0: whole, index } of body.matchAll(/^ {0,3}\{:[ \t]*toc\b[^}\n]*\}[ \t]*$/gm)) {
    if (inCode(index)) continue;
    const above = body.slice(Math.max(0, index - CHARS_MAX), index);
    const [list] = LIST.exec(above) ?? [];
    if (list === undefined) continue;
    const end = index + whole.length;
    const [heading = ''] = NOTHING_BELOW.test(body.slice(end, end + CHARS_MAX))
      ? (HEADING.exec(above.slice(0, above.length - list.length)) ?? [])
      : [];
    const start = index - list.length - heading.length;
    edits.push({ start, end, text: '' });
    wordsUnshown += `${heading} ${list}`.split(/\s+/).length;
  }
  return edits.length === 0 ? NOTHING : { edits, wordsUnshown };
}

const CHARS_MAX = 2000;
/** Up to the end of the text: items of a list, without an empty line. */
const LIST = /(?<=^|\n) {0,3}(?:[-*+]|\d+\.)[ \t][^\n]*\n(?:[^\n]+\n)*$/;
/** A heading with its attributes, and empty lines. */
const HEADING = /(?<=^|\n) {0,3}#{1,6}[ \t][^\n]*\n(?: {0,3}\{:[^}\n]*\}[ \t]*\n)?(?:[ \t]*\n)*$/;
const NOTHING_BELOW = /^\s*(?:$|(?<=\n) {0,3}(?:#{1,6}[ \t]|(?:-[ \t]*){3}|(?:\*[ \t]*){3}))/;

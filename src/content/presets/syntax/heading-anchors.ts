import type { Edit } from '../preset.ts';
import { NOTHING } from './family.ts';
import type { Found, Source } from './family.ts';

const HEADING = /^(#{1,6}[ \t][^\n]*?)[ \t]+\[(?:#([^\s[\]]+)|!?toc)\][ \t]*$/gm;

/** Fumadocs and Nextra: `## Title [#own-id]`; `[!toc]` and `[toc]` of Fumadocs say something about the site's own list of headings. */
export function headingAnchors({ body, inCode }: Source): Found {
  if (!/\[(?:#|!?toc\])/.test(body)) return NOTHING;
  const edits: Edit[] = [];
  for (const { 0: whole, 1: head = '', 2: id, index } of body.matchAll(HEADING)) {
    if (inCode(index)) continue;
    const start = index + head.length;
    edits.push({ start, end: index + whole.length, text: id === undefined ? '' : ` {#${id}}` });
  }
  return edits.length === 0 ? NOTHING : { edits };
}

import type { Edit } from '../preset.ts';
import { NOTHING } from './family.ts';
import type { Found, Source } from './family.ts';

/** The blank in front of the id may be missing; `[text][#name]` is a link. */
const HEADING =
  /^(#{1,6}[ \t][^\n]*?)(?:[ \t]+\[(?:#([^\s[\]]+)|!?toc)\]|(?<=[^\s\]])\[#([^\s[\]]+)\])[ \t]*$/gm;

/** Fumadocs and Nextra: `## Title [#own-id]`; `[!toc]` and `[toc]` of Fumadocs say something about the site's own list of headings. */
export function headingAnchors({ body, inCode }: Source): Found {
  if (!/\[(?:#|!?toc\])/.test(body)) return NOTHING;
  const edits: Edit[] = [];
  for (const { 0: whole, 1: head = '', 2: apart, 3: id = apart, index } of body.matchAll(HEADING)) {
    if (inCode(index)) continue;
    const start = index + head.length;
    edits.push({ start, end: index + whole.length, text: id === undefined ? '' : ` {#${id}}` });
  }
  return edits.length === 0 ? NOTHING : { edits };
}

const ESCAPED = /^#{1,6}[ \t][^\n]*?(\\\{(#[^\s{}\\]+)\\?\})[ \t]*$/gm;

/** Docusaurus and Rspress read `## Title \\{#own-id}` too, which is how MDX wants it. */
export function escapedIds({ body, inCode }: Source): Found {
  if (!body.includes(String.raw`\{#`)) return NOTHING;
  const edits: Edit[] = [];
  for (const { 0: whole, 1: written = '', 2: id = '', index } of body.matchAll(ESCAPED)) {
    const start = index + whole.lastIndexOf(written);
    if (!inCode(start)) edits.push({ start, end: start + written.length, text: `{${id}}` });
  }
  return edits.length === 0 ? NOTHING : { edits };
}

const SUBTITLE = /^(#[ \t](?:(?!(?<![ \t])[ \t]+\[)[^\n])*)[ \t]+\[([^\n]+)\][ \t]*$/m;

/** Vocs: `# Title [What the page is about.]`; the text in brackets stands below the title. */
export function subtitles({ body, inCode }: Source): Found {
  const found = SUBTITLE.exec(body);
  if (found === null) return NOTHING;
  const [, title = '', text = ''] = found;
  if (text.startsWith('#') || inCode(found.index)) return NOTHING;
  const start = found.index + title.length;
  const end = body.indexOf('\n', start);
  return { edits: [{ start, end: end < 0 ? body.length : end, text: `\n\n${text}` }] };
}

import type { Edit } from '../../preset.ts';
import { inRanges, merged } from '../code-ranges.ts';
import { NOTHING } from '../family.ts';
import type { Found, Source } from '../family.ts';
import { boldLine, markdownText, target } from '../parts/part-rule.ts';
import { tagArguments } from '../tag.ts';

const IMAGE = /:::[ \t]*image[ \t]+([^\n]*?)(?::::|(?=\n|$))(?:[ \t]*\n?[^\n]*?:::image-end:::)?/g;
const ARRANGING = /^([ \t>]*):::[ \t]*(?:(?:row|column|zone|moniker|image)(?:-end)?\b[^\n]*)$/gm;

const EMPHASIS = /(\*{1,3}|_{1,3})(?=\S)(.+?)(?<=\S)\1/g;
/** A mark inside a quote begins a box of its own. What stands at the beginning of a line is looked at first: to look back from each place costs as much as parsing the page, and to look ahead from each of many blanks costs their square. */
const NEXT_BOX = /^(?=[ \t]*> ?\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*$)(?<=^[ \t]*>[^\n]*\n)/gim;
const DIV = /\[!div(?<=^[ \t]*>[ \t]?\[!div)[^\]\n]*\][ \t]*$/gim;

/**
 * DocFX and Microsoft Learn: `:::image source="…" alt-text="…":::` is a picture, rows, columns, zones and monikers keep their text, `[!VIDEO …]` is a link,
 * `# [Name](#tab/id)` names a tab, `<xref:name>` is the name.
 */
export function docfx({ body, isTaken }: Source): Found {
  const edits: Edit[] = [];
  const add = (start: number, length: number, text: string): void => {
    edits.push({ start, end: start + length, text });
  };
  for (const { 0: whole, 1: attributes = '', index } of body.matchAll(IMAGE)) {
    const { source, 'alt-text': alt = '' } = tagArguments(attributes).named;
    if (isTaken(index) || source === undefined) continue;
    add(index, whole.length, `![${markdownText(alt)}](${target(source)})`);
  }
  const inPicture = inRanges(merged(edits));
  for (const { 0: whole, 1: lead = '', index } of body.matchAll(ARRANGING)) {
    const start = index + lead.length;
    if (isTaken(start) || inPicture(start)) continue;
    add(start, whole.length - lead.length, '');
  }
  for (const { 0: whole, 1: url = '', index } of body.matchAll(/\[!VIDEO[ \t]+([^\]\s]+)[ \t]*\]/gi)) {
    if (!isTaken(index)) add(index, whole.length, `<${url}>`);
  }
  for (const { 0: whole, index } of body.matchAll(DIV)) {
    if (!isTaken(index)) add(index, whole.length, '');
  }
  for (const { 0: whole, 1: name = '', index } of body.matchAll(
    /^#{1,6}[ \t]+\[([^\]\n]+)\]\(#tab\/[^)\n]*\)[ \t]*$/gm,
  )) {
    // The whole line is bold: marks of its own are in the way.
    if (!isTaken(index)) add(index, whole.length, boldLine(name.replaceAll(EMPHASIS, '$2')));
  }
  for (const { 0: whole, 1: uid = '', index } of body.matchAll(/<xref:([^>?\s]+)(?:\?[^>\s]*)?>/g)) {
    // `[text](<xref:uid>)` is a link with a text of its own.
    if (!isTaken(index) && !body.startsWith('](', index - 2))
      add(index, whole.length, `\`${decodeURIComponent(uid.replace(/%(?![0-9A-F]{2})/gi, '%25'))}\``);
  }
  for (const { index } of body.matchAll(NEXT_BOX)) if (!isTaken(index)) add(index, 0, '\n');
  return edits.length === 0 ? NOTHING : { edits };
}

import type { Edit } from '../../../preset.ts';
import { NOTHING } from '../../family.ts';
import type { Found, Source } from '../../family.ts';
import { anchor, attributesIn } from './attributes.ts';
import { linesOf } from '../../../../source-text.ts';
import { gridTable } from './grid-table.ts';

/**
 * Lists of definitions (a term, below it `:   text`), captions of tables (`: Caption {#tbl-a}`), grid tables, parts of a book (`# (PART) Name {-}`) and lines of TeX that only set pages.
 */
export function pandocBlocks({ body, context, isTaken }: Source): Found {
  if (!/^[ \t>]*(?:[:~][ \t]|Table:|\+[-=]{2,}|# \()/m.test(body)) return NOTHING;
  const edits: Edit[] = [];
  const lines = linesOf(body);
  const above = (at: number): number => {
    let found = at - 1;
    if (lines[found]?.text.trim() === '') found -= 1;
    return found;
  };
  /** The line of the last term: each term gets its marks once. */
  let term = -1;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (line === undefined || isTaken(line.start)) continue;
    if (/^# \((?:PART|APPENDIX)(?:\\?\*)?\)/.test(line.text)) {
      edits.push({ start: line.start, end: line.end, text: '' });
      continue;
    }
    if (/^\+[-=+:]{2,}\+[ \t]*$/.test(line.text)) {
      const { text, last } = gridTable(lines, at);
      if (text !== undefined) edits.push({ start: line.start, end: lines[last]?.end ?? line.end, text });
      at = last;
      continue;
    }
    const found = /^([ \t>]{0,8}?)(?::[ \t]+|~[ \t]+|Table:[ \t]*)(?=\S)/.exec(line.text);
    if (found === null) continue;
    const before = lines[above(at)];
    const behind = lines[at + (lines[at + 1]?.text.trim() === '' ? 2 : 1)];
    const isBelowTable = before !== undefined && IN_TABLE.test(before.text);
    if (isBelowTable || (behind !== undefined && IN_TABLE.test(behind.text))) {
      edits.push({
        start: line.start,
        end: line.end,
        text: caption(line.text.slice(found[0].length), context, isBelowTable),
      });
      continue;
    }
    if (!/^[ \t>]*[:~]/.test(line.text) || before === undefined) continue;
    const isNext = /^[ \t>]*[:~][ \t]/.test(before.text) || /^(?: {2,}|\t)\S/.test(before.text);
    if (!isNext) {
      if (!isTerm(before.text) || isTaken(before.start)) continue;
      const index = above(at);
      if (term !== index) {
        const lead = /^[ \t>]*/.exec(before.text)?.[0].length ?? 0;
        const start = before.start + lead;
        const end = before.start + before.text.trimEnd().length;
        edits.push(
          { start, end: start, text: '**' },
          { start: end, end, text: index === at - 1 ? '**\n' : '**' },
        );
        term = index;
      }
    } else if (term < 0) continue;
    const sign = line.start + (found[1]?.length ?? 0);
    edits.push({ start: sign, end: sign + 1, text: '-' });
  }
  return edits.length === 0 ? NOTHING : { edits };
}

const IN_TABLE = /^[ \t>]*(?:\|.*|\+[-=+:]+\+|-{2,}[- ]*)$/;

/** One line of text that begins no other block. */
function isTerm(text: string): boolean {
  return text.length < 300 && /^[ \t>]{0,4}[^\s>|+:~#`*-]/.test(text) && !/\*\*|\{[^}]*\}\s*$/.test(text);
}

function caption(written: string, { page }: Source['context'], isBelow: boolean): string {
  const whole = written.slice(0, 4000).trimEnd();
  const open = whole.endsWith('}') ? whole.lastIndexOf('{') : -1;
  const inside = whole.slice(open + 1, -1);
  const braces = open < 0 || inside.includes('}') ? undefined : inside;
  const text = braces === undefined ? whole : whole.slice(0, open).trimEnd();
  const attributes = braces === undefined ? undefined : attributesIn(braces);
  // bookdown's label stands in front.
  const label = /^\(\\#(tab:[\w-]{1,200})\)[ \t]*/.exec(text);
  const id = attributes?.id ?? label?.[1];
  const said = text.slice(label?.[0].length ?? 0);
  const number = id === undefined ? undefined : page?.value?.(page.file, 'number', [id]);
  const shown = typeof number === 'string' ? `${number}: ${said}` : said;
  const line = `${anchor(id)}${shown.trim() === '' ? '' : `<em>${shown}</em>`}`;
  return isBelow ? `\n${line}` : `${line}\n`;
}

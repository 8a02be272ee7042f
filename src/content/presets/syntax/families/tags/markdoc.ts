import type { Edit } from '../../../preset.ts';
import { NOTHING } from '../../family.ts';
import type { Found, Source } from '../../family.ts';
import { tagArguments } from '../../tag.ts';
import type { Tag, TagSyntax } from '../../tag.ts';

/** Values may be texts, lists and maps, and a tag may take several lines. */
const TAG =
  /\{%[ \t]*(?:(\/)[ \t]*)?([A-Za-z][\w-]*)(?![\w=-])((?:[^%{}"]|"[^"\n]*"|\{[^%{}\n]*\}){0,1000}?)(\/?)[ \t]*%\}/g;
/** `{% #id .class width="25%" %}` behind a heading, a cell or a paragraph. */
const ANNOTATION = /(?<![ \t])[ \t]*\{%[ \t]*((?:[#.]|[\w-]+=)(?:[^%{}"\n]|"[^"\n]*"){0,200})%\}[ \t]*$/gm;

/**
 * Tags of Markdoc: `{% callout type="note" %}` … `{% /callout %}` and `{% tag /%}`, tables, ids of headings (https://markdoc.dev/docs/tags). Only in a text that closes a tag in its way: Liquid
 * has the same signs.
 */
export function markdoc({ body, isTaken }: Source): Found {
  if (!/\{%[ \t]*\/|\/[ \t]*%\}|\{%[ \t]*#/.test(body)) return NOTHING;
  const tags: Tag[] = [];
  for (const { 0: whole, 1: slash, 2: name = '', 3: rest = '', 4: self, index } of body.matchAll(TAG)) {
    if (isTaken(index)) continue;
    const form = slash === '/' ? 'close' : self === '/' ? 'self' : 'open';
    const args = tagArguments(rest);
    tags.push({ syntax: MARKDOC, name, form, start: index, end: index + whole.length, args });
  }
  const edits: Edit[] = [];
  for (const { 0: whole, 1: inside = '', index } of body.matchAll(ANNOTATION)) {
    if (isTaken(index)) continue;
    const line = body.slice(body.lastIndexOf('\n', index - 1) + 1, index);
    const id = /^ {0,3}#{1,6}[ \t]/.test(line) ? /#([\w.-]+)/.exec(inside)?.[1] : undefined;
    edits.push({ start: index, end: index + whole.length, text: id === undefined ? '' : ` {#${id}}` });
  }
  const tables = tablesOf(tags);
  const drawn = tables.flatMap(({ open, close }) => tableEdits(body, open, close, isTaken) ?? []);
  const starts = new Set(drawn.map(({ start }) => start));
  return { tags: tags.filter(({ start }) => !starts.has(start)), edits: [...edits, ...drawn] };
}

interface Table {
  readonly open: Tag;
  readonly close: Tag;
}

/** A table holds no table. */
function tablesOf(tags: readonly Tag[]): readonly Table[] {
  const tables: Table[] = [];
  let open: Tag | undefined;
  for (const tag of tags.filter(({ name }) => name === 'table')) {
    if (open !== undefined && tag.form === 'close') tables.push({ open, close: tag });
    open = tag.form === 'open' ? tag : undefined;
  }
  return tables;
}

/**
 * Each row of a table of Markdoc is a list, each item a cell, with `---` between the rows; the first row is the head unless `---` stands above it. Undefined: it holds a
 * table of GitHub's Markdown, which stays (https://markdoc.dev/docs/tags#table).
 */
function tableEdits(
  body: string,
  open: Tag,
  close: Tag,
  isTaken: Source['isTaken'],
): readonly Edit[] | undefined {
  const edits: Edit[] = [];
  let section: 'thead' | 'tbody' | undefined;
  let isInRow = false;
  for (const { 0: mark, 1: item, 2: rest = '', index } of body.slice(open.end, close.start).matchAll(LINE)) {
    const start = open.end + index;
    if (isTaken(start + mark.search(/\S/))) continue;
    if (item === undefined) {
      const end = isInRow
        ? `\n</td>\n</tr>\n${section === 'thead' ? '</thead>\n<tbody>\n' : ''}`
        : '<tbody>\n';
      if (isInRow || section === undefined) edits.push({ start, end: start + mark.length, text: end });
      [section, isInRow] = ['tbody', false];
      continue;
    }
    const before = isInRow ? '\n</td>\n' : `${section === undefined ? '<thead>\n' : ''}<tr>\n`;
    section ??= 'thead';
    isInRow = true;
    edits.push({ start, end: start + item.length, text: `${before}<td${spanOf(rest)}>\n\n` });
  }
  if (section === undefined || edits.length < 2) return undefined;
  const end = `${isInRow ? '\n</td>\n</tr>\n' : ''}</${section}>\n</table>\n`;
  return [
    { start: open.start, end: open.end, text: '<table>' },
    ...edits,
    { start: close.start, end: close.end, text: end },
  ];
}

/** A line that begins an item of the list itself, or a rule; a list inside of an item is indented. */
const LINE = /^(?: {0,1}[-*_](?:[ \t]*[-*_]){2,}[ \t]*$|( {0,1}[-*+](?:[ \t]+|$))(.*)$)/gm;

function spanOf(line: string): string {
  return [...line.matchAll(/\{%[^%\n]*?\b(colspan|rowspan)=(\d{1,3})\b/g)]
    .map(([, name = '', count = '']) => ` ${name}="${count}"`)
    .join('');
}

const MARKDOC: TagSyntax = {
  what: 'liquid tag',
  shown: ({ name, form }) => `{% ${form === 'close' ? '/' : ''}${name} %}`,
  meaning: ({ tag }) =>
    tag.name === 'comment' ? { as: 'drop' } : tag.name === 'table' ? { as: 'keep' } : undefined,
};

/** In files of Markdoc alone. */
export function markdocFile(source: Source): Found {
  return /\.mdoc$/i.test(source.context.page?.file ?? '') ? markdoc(source) : NOTHING;
}

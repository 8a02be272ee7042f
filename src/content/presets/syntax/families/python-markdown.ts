import { sourceWords } from '../../../markdown/losses.ts';
import type { Edit } from '../../preset.ts';
import { strongInWords } from '../cjk.ts';
import { NOTHING } from '../family.ts';
import type { Found, Source } from '../family.ts';
import type { Tag, TagSyntax } from '../tag.ts';

const ATTRIBUTES =
  /([ \t]?)\{:?[^\S\n]{0,9}((?:[.#][\w:-]+|[\w-]+="[^"\n]{0,200}"|[\w-]+=(?:'[^'\n]{0,200}'|[^\s"'{}=]{1,200}))[^{}\n]{0,200})\}/g;
/** `{ loading=lazy }` is text unless it stands below a line, or right behind a link, a picture, code or emphasis: `\sum_{n=1}` is a formula. */
const BARE = /^[\w-]+=[^"]/;
const ELEMENT_END =
  /(?:\]\((?:[^()\n]|\([^()\n]*\))*\)|\]\[[^[\]\n]*\]|`|\*[^*\n]+\*{1,2}|(?<![\w\\])_[^_\n]+_|(?<!\w)__[^_\n]+__|<[^<>\s]+>)$/;
/** Icons of the Material theme. */
export const ICON = /:(?:material|octicons|fontawesome|simple)-[a-z0-9-]+:/g;
/** mkdocstrings: a page of reference is made of the code, with options indented below. A name without dots may be a box of another program. */
const MODULE =
  /^:::[ \t]+(\w+(?:\.\w+)+|[A-Za-z_]\w*(?=[ \t]*\n[ \t]+\w+:[ \t]*\n))[ \t]*(?:(?:\n[ \t]*)*\n[ \t]+[^\s][^\n]*)*(?=\n|$)/gm;
/** Its links to objects of the code: `[text][package.name]` and `[`package.name`][]`. */
const OBJECT = /(?<![!\]\\])\[((?:`[^`\n]+`|[^[\]\n`])+)\]\[([\w.]*)\]/g;
const KEYS = /\+\+([\w-]+(?:\+[\w-]+)*|"[^"\n]+"(?:\+[\w-]+)*)\+\+/g;
const MARK = /(?<![=\w])==(?=[^\s=])([^\n=]+?)(?<=\S)==(?![=\w])/g;
const INSERTED = /(?<!\^)\^\^(?=\S)([^\n^]+?)(?<=\S)\^\^(?!\^)/g;
const ABBREVIATION = /^\*\[[^\]\n]+\]:[^\n]*$/gm;

/**
 * What python-markdown and its usual extensions write in a line: `{ #id }` and `{ .class }` (ids of headings stay), icons, `++ctrl+c++`, `==marked==`,
 * `^^inserted^^`, abbreviations, `[TOC]`.
 */
export function pythonMarkdown(source: Source): Found {
  const edits: Edit[] = [];
  const add: Add = (index, length, text) => {
    edits.push({ start: index, end: index + length, text });
  };
  edits.push(...(strongInWords(source).edits ?? []));
  let unshown = 0;
  const hide: Add = (index, length, text) => {
    unshown += sourceWords(source.body.slice(index, index + length));
    add(index, length, text);
  };
  for (const [sign, rule] of RULES)
    if (source.body.includes(sign)) rule(source, rule === attributes || rule === icons ? hide : add);
  const tags = moduleTags(source);
  const wordsUnshown = unshown + abbreviations(source, add);
  return edits.length + tags.length === 0 ? NOTHING : { tags, edits, wordsUnshown };
}

/** Puts a text in the place of `length` characters. */
type Add = (index: number, length: number, text: string) => void;

/** What a text without the sign has none of. */
const RULES: readonly (readonly [sign: string, rule: (source: Source, add: Add) => void])[] = [
  ['{', attributes],
  ['][', objects],
  [':', icons],
  ['++', keys],
  ['==', (source, add) => marked(source, add, MARK, 'mark')],
  ['^^', (source, add) => marked(source, add, INSERTED, 'ins')],
  ['[TOC]', contents],
  ['|', delimiters],
];

function attributes({ body, inCode }: Source, add: Add): void {
  for (const { 0: whole, 1: blank = '', 2: inside = '', index } of body.matchAll(ATTRIBUTES)) {
    if (inCode(index + blank.length)) continue;
    const lineStart = body.lastIndexOf('\n', index - 1) + 1;
    const before = body.slice(Math.max(lineStart, index - 300), index);
    const isHeading = /^ {0,3}#{1,6} /.test(before);
    const isWholeLine =
      before.trim() === '' &&
      /^[^\S\n]*(?:\n|$)/.test(body.slice(index + whole.length, index + whole.length + 50));
    if (!isHeading && !isWholeLine && !/[^\s{]$/.test(before)) continue;
    const isAttached = isWholeLine
      ? /\S[^\n]*\n$/.test(body.slice(Math.max(0, lineStart - 300), lineStart))
      : (isHeading && blank !== '') || ELEMENT_END.test(before);
    if (BARE.test(inside) && !isAttached) continue;
    const id = /#([\w:.-]+)/.exec(inside)?.[1];
    if (id === undefined || isHeading) add(index, whole.length, id === undefined ? '' : ` {#${id}}`);
    else {
      // `[](){#id}` is nothing but a target of links.
      const empty = before.endsWith('[]()') ? 4 : 0;
      add(index - empty, whole.length + empty, `${blank}<a id="${id}"></a>`);
    }
  }
}

/**
 * The row below the head of a table, as its extension reads it: any of `-`, `:`, blanks in each of as many cells as the head has
 * (https://python-markdown.github.io/extensions/tables/). Other readers of Markdown take `| - -- |` for text.
 */
function delimiters({ body, isTaken }: Source, add: Add): void {
  for (const { 0: row, index } of body.matchAll(DELIMITERS)) {
    const headStart = body.lastIndexOf('\n', index - 2) + 1;
    const head = body.slice(headStart, index).trim();
    const above = body.slice(body.lastIndexOf('\n', headStart - 2) + 1, headStart);
    if (index === 0 || head === '' || above.trim() !== '' || isTaken(index)) continue;
    const cells = cellsOf(row);
    const isTable = cells.length > 1 || head.startsWith('|');
    if (!isTable || cells.every((cell) => /^:?-+:?$/.test(cell)) || cells.length !== cellsOf(head).length)
      continue;
    const lead = /^[ \t]*/.exec(row)?.[0] ?? '';
    const marks = cells.map(
      (cell) => `${cell.startsWith(':') ? ':' : ''}---${cell.endsWith(':') ? ':' : ''}`,
    );
    add(index, row.length, `${lead}| ${marks.join(' | ')} |`);
  }
}

const DELIMITERS = /^[ \t]{0,3}(?=[|:\t ]*-)[|:\t -]+$/gm;

function cellsOf(row: string): readonly string[] {
  const bare = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return bare
    .replaceAll(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, 'code')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

function moduleTags({ body, isTaken }: Source): readonly Tag[] {
  return [...body.matchAll(MODULE)].flatMap(({ 0: whole, 1: name = '', index }): readonly Tag[] =>
    isTaken(index)
      ? []
      : [
          {
            syntax: REFERENCE,
            name: 'mkdocstrings',
            form: 'self',
            start: index,
            end: index + whole.length,
            args: { named: {}, positional: [name] },
          },
        ],
  );
}

function objects({ body, isTaken }: Source, add: Add): void {
  const defined = new Set([...body.matchAll(/\[([\w.]+)\]:/g)].map(([, name = '']) => name.toLowerCase()));
  for (const { 0: whole, 1: text = '', 2: said = '', index } of body.matchAll(OBJECT)) {
    const name = said === '' ? text.replaceAll('`', '') : said;
    const isDefined = defined.has(name.toLowerCase());
    if (!isTaken(index) && /^[a-z_]\w*(?:\.\w+)+$/i.test(name) && !isDefined) add(index, whole.length, text);
  }
}

function icons({ body, isTaken }: Source, add: Add): void {
  for (const { 0: whole, index } of body.matchAll(ICON)) if (!isTaken(index)) add(index, whole.length, '');
}

function keys({ body, isTaken }: Source, add: Add): void {
  for (const { 0: whole, 1: pressed = '', index } of body.matchAll(KEYS)) {
    if (isTaken(index)) continue;
    const shown = pressed.split('+').map((key) => `<kbd>${keyName(key)}</kbd>`);
    add(index, whole.length, shown.join('+'));
  }
}

/** What stands between two signs on each side. */
function marked({ body, isTaken }: Source, add: Add, pattern: RegExp, tag: string): void {
  for (const { 0: whole, index } of body.matchAll(pattern)) {
    if (isTaken(index)) continue;
    add(index, 2, `<${tag}>`);
    add(index + whole.length - 2, 2, `</${tag}>`);
  }
}

/**
 * What abbreviations mean is no text of the page (https://python-markdown.github.io/extensions/abbreviations/). Answers how many words that are: a page of
 * nothing else loses none.
 */
function abbreviations({ body, inCode }: Source, add: Add): number {
  if (!body.includes('*[')) return 0;
  const found = [...body.matchAll(ABBREVIATION)].filter(({ index }) => !inCode(index));
  for (const { 0: whole, index } of found) add(index, whole.length, '');
  return sourceWords(found.map(([whole]) => whole).join('\n'));
}

function contents({ body, inCode }: Source, add: Add): void {
  for (const { 0: whole, index } of body.matchAll(/^\[TOC\][ \t]*$/gm))
    if (!inCode(index)) add(index, whole.length, '');
}

/** `ctrl` is shown as `Ctrl`, `"x"` as `x`. */
function keyName(key: string): string {
  const text = key.replaceAll('"', '');
  return text.charAt(0).toUpperCase() + text.slice(1).replaceAll('-', ' ');
}

const REFERENCE: TagSyntax = {
  what: 'container',
  shown: ({ args }) => `::: ${args.positional[0] ?? ''}`,
  meaning: () => undefined,
};

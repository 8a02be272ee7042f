import type { LocalProblem } from '../../../source-text.ts';
import type { Edit } from '../../preset.ts';
import { NOTHING } from '../family.ts';
import type { Found, Source } from '../family.ts';
import type { Tag, TagSyntax } from '../tag.ts';

const ATTRIBUTES = /([ \t]?)\{:?[^\S\n]{0,9}((?:[.#][\w:-]+|[\w-]+="[^"\n]{0,200}")[^{}\n]{0,200})\}/g;
/** Icons of the Material theme. */
export const ICON = /:(?:material|octicons|fontawesome|simple)-[a-z0-9-]+:/g;
/** mkdocstrings: a page of reference is made of the code, with options indented below. */
const MODULE = /^:::[ \t]+(\w+(?:\.\w+)+)[ \t]*(?:\n(?:[ \t]*\n)*[ \t]+[^\n]*)*(?=\n|$)/gm;
/** Its links to objects of the code: `[text][package.name]` and `[`package.name`][]`. */
const OBJECT = /(?<![!\]\\])\[((?:`[^`\n]+`|[^[\]\n`])+)\]\[([\w.]*)\]/g;
/** Python-Markdown needs no blank around what is bold: `**lifespan(life)**is` too. */
const STRONG = /(?<![*\\])\*\*(?![\s*])([^*\n]*[^*\s])\*\*(?!\*)/g;
const LETTER = /[\p{L}\p{N}]/u;
const SIGN = /[\p{P}\p{S}]/u;
const KEYS = /\+\+([\w-]+(?:\+[\w-]+)*|"[^"\n]+"(?:\+[\w-]+)*)\+\+/g;
const MARK = /(?<![=\w])==(?=[^\s=])([^\n=]+?)(?<=\S)==(?![=\w])/g;
const INSERTED = /(?<!\^)\^\^(?=\S)([^\n^]+?)(?<=\S)\^\^(?!\^)/g;
const ABBREVIATION = /^\*\[[^\]\n]+\]:[^\n]*$/gm;

/**
 * What python-markdown and its usual extensions write in a line: `{ #id }` and `{ .class }` (ids of headings stay), icons, `++ctrl+c++`, `==marked==`,
 * `^^inserted^^`, abbreviations, `[TOC]`.
 */
export function pythonMarkdown({ body, inCode, isTaken }: Source): Found {
  const edits: Edit[] = [];
  const problems: LocalProblem[] = [];
  const add = (index: number, length: number, text: string): void => {
    edits.push({ start: index, end: index + length, text });
  };
  if (body.includes('{')) {
    for (const { 0: whole, 1: blank = '', 2: inside = '', index } of body.matchAll(ATTRIBUTES)) {
      if (inCode(index + blank.length)) continue;
      const lineStart = body.lastIndexOf('\n', index - 1) + 1;
      const before = body.slice(Math.max(lineStart, index - 300), index);
      const isHeading = /^ {0,3}#{1,6} /.test(before);
      const isWholeLine =
        before.trim() === '' &&
        /^[^\S\n]*(?:\n|$)/.test(body.slice(index + whole.length, index + whole.length + 50));
      if (!isHeading && !isWholeLine && !/[^\s{]$/.test(before)) continue;
      const id = /#([\w:.-]+)/.exec(inside)?.[1];
      if (id === undefined || isHeading) add(index, whole.length, id === undefined ? '' : ` {#${id}}`);
      else {
        // `[](){#id}` is nothing but a target of links.
        const empty = before.endsWith('[]()') ? 4 : 0;
        add(index - empty, whole.length + empty, `${blank}<a id="${id}"></a>`);
      }
    }
  }
  const tags: Tag[] = [];
  for (const { 0: whole, 1: name = '', index } of body.matchAll(MODULE)) {
    if (isTaken(index)) continue;
    const args = { named: {}, positional: [name] };
    tags.push({
      syntax: REFERENCE,
      name: 'mkdocstrings',
      form: 'self',
      start: index,
      end: index + whole.length,
      args,
    });
  }
  if (body.includes('][')) {
    for (const { 0: whole, 1: text = '', 2: said = '', index } of body.matchAll(OBJECT)) {
      const name = said === '' ? text.replaceAll('`', '') : said;
      const isDefined = body.toLowerCase().includes(`[${name.toLowerCase()}]:`);
      if (!isTaken(index) && /^[a-z_]\w*(?:\.\w+)+$/i.test(name) && !isDefined)
        add(index, whole.length, text);
    }
  }
  if (body.includes(':')) {
    for (const { 0: whole, index } of body.matchAll(ICON)) if (!isTaken(index)) add(index, whole.length, '');
  }
  if (body.includes('**')) {
    for (const { 0: whole, 1: inside = '', index } of body.matchAll(STRONG)) {
      const end = index + whole.length;
      const opens = LETTER.test(body.charAt(index - 1)) && SIGN.test(inside.charAt(0));
      const closes = SIGN.test(inside.at(-1) ?? '') && LETTER.test(body.charAt(end));
      if ((!opens && !closes) || isTaken(index) || isTaken(end - 1)) continue;
      add(index, 2, '<strong>');
      add(end - 2, 2, '</strong>');
    }
  }
  if (body.includes('++')) {
    for (const { 0: whole, 1: keys = '', index } of body.matchAll(KEYS)) {
      if (!isTaken(index))
        add(
          index,
          whole.length,
          keys
            .split('+')
            .map((key) => `<kbd>${keyName(key)}</kbd>`)
            .join('+'),
        );
    }
  }
  for (const [pattern, mark, tag] of [
    [MARK, '==', 'mark'],
    [INSERTED, '^^', 'ins'],
  ] as const) {
    if (!body.includes(mark)) continue;
    for (const { 0: whole, index } of body.matchAll(pattern)) {
      if (isTaken(index)) continue;
      add(index, 2, `<${tag}>`);
      add(index + whole.length - 2, 2, `</${tag}>`);
    }
  }
  if (body.includes('*[')) {
    for (const { 0: whole, index } of body.matchAll(ABBREVIATION))
      if (!inCode(index)) add(index, whole.length, '');
  }
  for (const { 0: whole, index } of body.matchAll(/^\[TOC\][ \t]*$/gm))
    if (!inCode(index)) add(index, whole.length, '');
  return edits.length + tags.length === 0 ? NOTHING : { tags, edits, problems };
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

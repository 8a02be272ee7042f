import type { LocalProblem } from '../../../source-text.ts';
import type { Edit } from '../../preset.ts';
import { NOTHING } from '../family.ts';
import type { Found, Source } from '../family.ts';

const ATTRIBUTES = /([ \t]?)\{:?[^\S\n]{0,9}((?:[.#][\w:-]+|[\w-]+="[^"\n]{0,200}")[^{}\n]{0,200})\}/g;
/** Icons of the Material theme. */
const ICON = /:(?:material|octicons|fontawesome|simple)-[a-z0-9-]+:/g;
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
  if (body.includes(':')) {
    for (const { 0: whole, index } of body.matchAll(ICON)) if (!isTaken(index)) add(index, whole.length, '');
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
  return edits.length === 0 ? NOTHING : { edits, problems };
}

/** `ctrl` is shown as `Ctrl`, `"x"` as `x`. */
function keyName(key: string): string {
  const text = key.replaceAll('"', '');
  return text.charAt(0).toUpperCase() + text.slice(1).replaceAll('-', ' ');
}

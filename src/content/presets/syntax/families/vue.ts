import type { LocalProblem } from '../../../source-text.ts';
import type { Edit } from '../../preset.ts';
import { NOTHING, explained } from '../family.ts';
import type { Found, Source } from '../family.ts';
import { inRanges } from '../code-ranges.ts';
import type { Range } from '../code-ranges.ts';
import { scalar } from '../../pages/side-file.ts';
import { closedSpans } from '../../../../text/spans.ts';
import { literalText } from '../javascript.ts';

/** `#id .class name=value` */
const ATTRIBUTES =
  /^\s*(?:[.#][^\s{}"<>]+|[\w-]+=(?:"[^"\n]*"|\S+))(?:\s+(?:[.#][^\s{}"<>]+|[\w-]+=(?:"[^"\n]*"|\S+)))*\s*$/;

/**
 * `markdown-it-attrs`, between braces or the signs of the settings: behind a part of a line, at the end of a block, or below it. Only an id says anything
 * to a reader: it becomes a target of links.
 */
function attributeLists({
  body,
  context,
  isTaken,
}: Pick<Source, 'body' | 'context' | 'isTaken'>): readonly Edit[] {
  const [left = '{', right = '}'] = context.page?.variable('attrs')?.split(' ') ?? [];
  const edits: Edit[] = [];
  for (let start = body.indexOf(left); start >= 0; start = body.indexOf(left, start + left.length)) {
    const close = body.indexOf(right, start + left.length);
    const inside = close < 0 ? '' : body.slice(start + left.length, close);
    const end = close + right.length;
    if (!ATTRIBUTES.test(inside) || (left === '{' && !isPlaced(body, start, end)) || isTaken(start)) continue;
    const id = /(?:^|\s)#([^\s#]+)/.exec(inside)?.[1];
    const line = body.slice(body.lastIndexOf('\n', start - 1) + 1, start);
    const isHeading = /^ {0,3}#{1,6}[ \t]/.test(line);
    const text = id === undefined ? '' : isHeading ? `{#${id}}` : `<a id="${id}"></a>`;
    edits.push({ start, end, text });
  }
  return edits;
}

/** Braces mean something else elsewhere. */
function isPlaced(body: string, start: number, end: number): boolean {
  const inside = body.slice(start + 1, end - 1).trimStart();
  const isAtEnd = /^[ \t]*(?:\n|$|\|)/.test(body.slice(end, end + 20));
  const isBehindPart = /[`)*_\]~>=]/.test(body[start - 1] ?? '');
  if (body[start - 1] === '{') return false;
  return /^[.#]/.test(inside) ? isAtEnd || isBehindPart : isBehindPart && /^[\w-]+="/.test(inside);
}

/** `$frontmatter.title` and what lies deeper, a text or a number. */
function pageValue({ page }: Source['context'], expression: string): string | undefined {
  const keys = /^\$frontmatter((?:\.[A-Za-z_$][\w$]*)+)$/.exec(expression)?.[1]?.slice(1).split('.');
  const value = keys === undefined ? undefined : page?.value?.(page.file, '$frontmatter', keys);
  // Vue writes it as a text: nothing in it is Markdown.
  return scalar(value)?.replaceAll(/[\\`*_[\]<>&]/g, String.raw`\$&`);
}

/** What Vue shows as it is written: `::: v-pre` and elements with `v-pre`. */
export function asWritten(text: string, isCode: (offset: number) => boolean): readonly Range[] {
  const ranges: Range[] = [];
  if (!text.includes('v-pre')) return ranges;
  let behind = 0;
  for (const { 0: start, 1: colons, 2: name, index } of text.matchAll(
    /^(:{3,})[ \t]*v-pre\b[^\n]*$|<([A-Za-z][\w-]*)\s(?:[^<>]*\s)?v-pre(?=[\s>])/gm,
  )) {
    if (index < behind || isCode(index)) continue;
    const end = text.indexOf(colons === undefined ? `</${name}>` : `\n${colons}`, index + start.length);
    behind = end < 0 ? text.length : end;
    ranges.push([index, behind]);
  }
  return ranges;
}

/** The word has done its work: on an element of HTML it means nothing. */
function withoutDirective(body: string, start: number): readonly Edit[] {
  const before = /^<[A-Za-z][\w-]*(?:\s[^<>]*?)??(?=\sv-pre(?:[\s>]|=))/.exec(
    body.slice(start, start + 2000),
  )?.[0];
  if (before === undefined) return [];
  const at = start + before.length;
  return [{ start: at, end: at + 'v-pre'.length + 1, text: '' }];
}

/** The tag of a script or style of the page; a tag of more characters is none. */
const PAGE_PART = /^<(script|style)\b[^>]{0,2000}>/gm;
const BLANKS = /[ \t]*/y;

/** Vue in Markdown: `{{ expression }}` outside code, `<script setup>` and `<style>` of the page, `[[toc]]`. */
export function vue({ body, context, inCode, isTaken, spotAt }: Source): Found {
  const edits: Edit[] = [];
  const problems: LocalProblem[] = [];
  if (/<(?:script|style)\b/.test(body)) {
    for (const { start, end } of closedSpans(body, PAGE_PART, ({ 1: name = '' }) => `</${name}>`)) {
      BLANKS.lastIndex = end;
      if (!inCode(start)) edits.push({ start, end: end + (BLANKS.exec(body)?.[0].length ?? 0), text: '' });
    }
  }
  for (const { 0: whole, index } of body.matchAll(/^\[\[toc\]\][ \t]*$/gim)) {
    if (!inCode(index)) edits.push({ start: index, end: index + whole.length, text: '' });
  }
  edits.push(...attributeLists({ body, context, isTaken }));
  const written = asWritten(body, inCode);
  edits.push(...written.flatMap(([start]) => withoutDirective(body, start)));
  if (body.includes('{{')) {
    const isWritten = inRanges(written);
    for (const { 0: whole, 1: inside = '', index } of body.matchAll(/\{\{([^{}]*)\}\}/g)) {
      if (isTaken(index) || isWritten(index) || edits.some(({ start, end }) => index >= start && index < end))
        continue;
      const name = inside.trim();
      const value = literalText(name) ?? pageValue(context, name);
      const found = explained({ start: index, whole, name, value }, { context, spotAt });
      edits.push(...found.edits);
      problems.push(...found.problems);
    }
  }
  return edits.length + problems.length === 0 ? NOTHING : { edits, problems };
}

import type { LocalProblem } from '../../../source-text.ts';
import type { Edit } from '../../preset.ts';
import { NOTHING } from '../family.ts';
import type { Found, Source } from '../family.ts';
import { literalText } from '../javascript.ts';

/** `#id .class name=value` */
const ATTRIBUTES =
  /^\s*(?:[.#][^\s{}"<>]+|[\w-]+=(?:"[^"\n]*"|\S+))(?:\s+(?:[.#][^\s{}"<>]+|[\w-]+=(?:"[^"\n]*"|\S+)))*\s*$/;

/** Vue in Markdown: `{{ expression }}` outside code, `<script setup>` and `<style>` of the page, `[[toc]]`. */
export function vue({ body, context, inCode, isTaken, spotAt }: Source): Found {
  const edits: Edit[] = [];
  const problems: LocalProblem[] = [];
  if (/<(?:script|style)\b/.test(body)) {
    for (const { 0: whole, index } of body.matchAll(/^<(script|style)\b[^>]*>[\s\S]*?<\/\1>[ \t]*$/gm)) {
      if (!inCode(index)) edits.push({ start: index, end: index + whole.length, text: '' });
    }
  }
  for (const { 0: whole, index } of body.matchAll(/^\[\[toc\]\][ \t]*$/gim)) {
    if (!inCode(index)) edits.push({ start: index, end: index + whole.length, text: '' });
  }
  const [left, right] = context.page?.variable('attrs')?.split(' ') ?? [];
  if (left !== undefined && right !== undefined && body.includes(left)) {
    for (let start = body.indexOf(left); start >= 0; start = body.indexOf(left, start + left.length)) {
      const close = body.indexOf(right, start + left.length);
      const inside = close < 0 ? '' : body.slice(start + left.length, close);
      if (isTaken(start) || !ATTRIBUTES.test(inside)) continue;
      const id = /(?:^|\s)#([^\s#]+)/.exec(inside)?.[1];
      const line = body.slice(body.lastIndexOf('\n', start - 1) + 1, start);
      const text =
        id === undefined ? '' : /^ {0,3}#{1,6}[ \t]/.test(line) ? `{#${id}}` : `<a id="${id}"></a>`;
      edits.push({ start, end: close + right.length, text });
    }
  }
  if (body.includes('{{')) {
    for (const { 0: whole, 1: inside = '', index } of body.matchAll(/\{\{([^{}]*)\}\}/g)) {
      if (isTaken(index) || edits.some(({ start, end }) => index >= start && index < end)) continue;
      const name = inside.trim();
      const range = { start: index, end: index + whole.length };
      const rule = Object.hasOwn(context.rules, name) ? context.rules[name] : undefined;
      const literal = literalText(name);
      if (rule === 'drop') edits.push({ ...range, text: '' });
      else if (typeof rule === 'object') edits.push({ ...range, text: rule.replace });
      else if (literal !== undefined) edits.push({ ...range, text: literal });
      else if (rule === undefined) {
        problems.push({
          code: 'unknown-component',
          what: 'expression',
          name,
          shown: whole,
          spot: spotAt(index),
        });
      }
    }
  }
  return edits.length + problems.length === 0 ? NOTHING : { edits, problems };
}

import type { LocalProblem } from '../../../source-text.ts';
import type { Edit } from '../../preset.ts';
import { NOTHING } from '../family.ts';
import type { Found, Source } from '../family.ts';
import { literalText } from '../javascript.ts';

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

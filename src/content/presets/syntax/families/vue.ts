import type { LocalProblem } from '../../../source-text.ts';
import type { Edit } from '../../preset.ts';
import { NOTHING, explained } from '../family.ts';
import type { Found, Source } from '../family.ts';
import { inRanges, merged } from '../code-ranges.ts';
import type { Range } from '../code-ranges.ts';
import { scalar } from '../../pages/side-file.ts';
import { literalPattern } from '../../../../text/literal-pattern.ts';
import { closedSpans } from '../../../../text/spans.ts';
import { literalText } from '../javascript.ts';
import { VOID } from './jsx-html.ts';
import { attributeLists } from './tags/markdown-it.ts';

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
  for (const { 0: start, 1: colons, 2: name = '', index } of text.matchAll(
    /^(:{3,})[ \t]*v-pre\b[^\n]*$|<([A-Za-z][\w-]*)\s(?:(?:[^<>"']|"[^"<>]*"|'[^'<>]*')*\s)?v-pre(?=[\s/>])/gm,
  )) {
    if (index < behind || isCode(index)) continue;
    const inside = index + start.length;
    const end = colons === undefined ? elementEnd(text, name, inside) : text.indexOf(`\n${colons}`, inside);
    behind = end < 0 ? text.length : end;
    ranges.push([index, behind]);
  }
  return ranges;
}

/** Where what stands in an element ends, as seen from its first tag; below 0: nothing closes it. */
function elementEnd(text: string, name: string, inTag: number): number {
  const end = text.indexOf('>', inTag);
  if (VOID.has(name.toLowerCase()) || text[end - 1] === '/') return end;
  return text.indexOf(`</${name}>`, inTag);
}

/** The word has done its work: on an element of HTML it means nothing. */
function withoutDirective(body: string, start: number): readonly Edit[] {
  const before = /^<[A-Za-z][\w-]*(?:[^<>"']|"[^"<>]*"|'[^'<>]*')*?(?=\sv-pre[\s/>])/.exec(
    body.slice(start, start + 2000),
  )?.[0];
  if (before === undefined) return [];
  const at = start + before.length;
  return [{ start: at, end: at + 'v-pre'.length + 1, text: '' }];
}

/** `<template #name>` and its end: what stands in a slot is text of the page, also where nobody knows the component around it. */
function slotTags({ body, inCode }: Pick<Source, 'body' | 'inCode'>): readonly Edit[] {
  if (!SLOT.test(body)) return [];
  const edits: Edit[] = [];
  const opened: (Edit | undefined)[] = [];
  for (const { 0: tag, 1: close, index } of body.matchAll(/<(\/?)template(?:\s[^<>]{0,500})?>/g)) {
    if (inCode(index)) continue;
    const edit = { start: index, end: index + tag.length, text: '' };
    if (close === '') opened.push(SLOT.test(tag) ? edit : undefined);
    else {
      const open = opened.pop();
      if (open === undefined) continue;
      if (FALLBACK.test(body.slice(open.start, open.end))) edits.push({ ...open, end: edit.end });
      else edits.push(open, edit);
    }
  }
  return edits.sort((a, b) => a.start - b.start);
}

/**
 * Pictures whose address is bound: `:src="'/a.png'"`, `:src="withBase('/a.png')"` (https://vitepress.dev/guide/asset-handling#base-url; `$withBase` in VuePress), and a picture that the page
 * imports by that name.
 */
function boundPictures({
  body,
  inCode,
  isTaken,
}: Pick<Source, 'body' | 'inCode' | 'isTaken'>): readonly Edit[] {
  return [...body.matchAll(BOUND)].flatMap(({ 0: whole, 1: before = '', 2: expression = '', index }) => {
    if (inCode(index) || isTaken(index)) return [];
    const [rest = ''] = REST_OF_TAG.exec(body.slice(index + whole.length, index + whole.length + 2000)) ?? [];
    if (MAY_BE_HIDDEN.test(before) || MAY_BE_HIDDEN.test(rest)) return [];
    const address = addressOf(expression.trim(), body, inCode);
    if (address === undefined) return [];
    const start = index + before.length;
    return [{ start, end: index + whole.length, text: `src="${address.replaceAll('"', '&quot;')}"` }];
  });
}

const BOUND =
  /(<(?:img|video|audio|source)\b(?:[^<>"']|"[^"<>]{0,500}"|'[^'<>]{0,500}'){0,200}?\s)(?::|v-bind:)src="([^"<>]{1,500})"/g;

const REST_OF_TAG = /^(?:[^<>"']|"[^"]*"|'[^']*')*/;
/** Only a browser knows whether it is shown. */
const MAY_BE_HIDDEN = /\sv-(?:if|else|show)\b/;

function addressOf(expression: string, body: string, inCode: Source['inCode']): string | undefined {
  const called = /^\$?withBase\(\s*(["'`][^"'`$\n]+["'`])\s*\)$/.exec(expression)?.[1];
  if (!/^[A-Za-z_$][\w$]*$/.test(expression)) return literalText(called ?? expression);
  const imported = new RegExp(
    String.raw`^[ \t]*import\s+${literalPattern(expression)}\s+from\s*["']([^"'\n]+\.(?:png|jpe?g|gif|svg|webp|avif))["']`,
    'gim',
  );
  return [...body.matchAll(imported)].find(({ index }) => !inCode(index))?.[1];
}

/** An element whose text an expression gives: `<div v-html="name"></div>`. */
export interface FilledElement {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** Without that of Vue. */
  readonly attributes: string;
  readonly kind: string;
  readonly expression: string;
}

/** Elements with `v-html` or `v-text` and nothing inside. */
export function* elementsWithText(
  text: string,
  isCode: (offset: number) => boolean,
): Generator<FilledElement> {
  for (const { 0: whole, 1: kind = '', 2: expression = '', index } of text.matchAll(FILLED)) {
    const start = text.lastIndexOf('<', index);
    const before = TAG_START.exec(text.slice(start, index));
    if (before === null || start < index - 2000 || isCode(start)) continue;
    const [, name = '', first = ''] = before;
    const from = index + whole.length;
    const [rest = ''] = REST_OF_TAG.exec(text.slice(from, from + 2000)) ?? [];
    const behind = from + rest.length;
    const isEmpty = rest.endsWith('/');
    const close = isEmpty ? '>' : `></${name}>`;
    if (!text.startsWith(close, behind)) continue;
    const attributes = `${first}${rest.replace(/\/$/, '')}`.trimEnd();
    yield { start, end: behind + close.length, name, attributes, kind, expression: expression.trim() };
  }
}

const FILLED = /\sv-(html|text)="([^"]{1,500})"/g;
const TAG_START = /^<([A-Za-z][\w-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)$/;

const SLOT = /<template\s+(?:#|v-slot)/;
/** It is shown only until the rest is there (https://vuejs.org/guide/built-ins/suspense#loading-state). */
const FALLBACK = /<template\s+(?:#|v-slot:)fallback[\s=>]/;

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
  edits.push(
    ...slotTags({ body, inCode }),
    ...boundPictures({ body, inCode, isTaken }),
    ...attributeLists({ body, context, isTaken }),
  );
  const written = asWritten(body, inCode);
  edits.push(...written.flatMap(([start]) => withoutDirective(body, start)));
  for (const { start, end, expression } of elementsWithText(body, isTaken)) {
    const whole = body.slice(start, end);
    const found = explained({ start, whole, name: expression, value: undefined }, { context, spotAt });
    edits.push(...found.edits);
    problems.push(...found.problems);
  }
  if (body.includes('{{')) {
    const isWritten = inRanges(written);
    const isEdited = inRanges(merged(edits));
    for (const { 0: whole, 1: inside = '', index } of body.matchAll(/\{\{([^{}]*)\}\}/g)) {
      if (isTaken(index) || isWritten(index) || isEdited(index)) continue;
      const name = inside.trim();
      const value = literalText(name) ?? pageValue(context, name);
      const found = explained({ start: index, whole, name, value }, { context, spotAt });
      edits.push(...found.edits);
      problems.push(...found.problems);
    }
  }
  return edits.length + problems.length === 0 ? NOTHING : { edits, problems };
}

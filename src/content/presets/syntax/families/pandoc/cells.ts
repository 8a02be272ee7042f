import { sourceWords } from '../../../../markdown/losses.ts';
import type { LocalProblem } from '../../../../source-text.ts';
import type { Edit } from '../../../preset.ts';
import { NOTHING } from '../../family.ts';
import type { Found, Source } from '../../family.ts';
import { boldLine } from '../../parts/part-rule.ts';
import { anchor, attributesIn } from './attributes.ts';
import { shownMeta } from './page-meta.ts';

const FIRST = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})[ \t]*([^\n]*)$/;
/** `#| echo: false`, with the sign for comments of the language in front. */
const OPTION = /^[ \t>]*(?:#|\/\/|%%|--|;|!|\*|'|%)\|[ \t]*(?:([\w.-]+)[ \t]*:[ \t]*)?(.*)$/;
const OPTIONS_MAX = 60;
/** Fences that a page draws by itself, as other generators do. */
const DIAGRAMS = new Set(['mermaid', 'dot']);
/** Blocks of knitr that hold Markdown. */
const TEXTS = new Set([
  'block',
  'block2',
  'asis',
  'theorem',
  'lemma',
  'proof',
  'remark',
  'definition',
  'example',
  'exercise',
]);

/**
 * Blocks of code with braces: cells that a program runs (`{python}`), raw text of one format (`{=html}`), code with attributes (`{.python filename="a.py"}`). kbsync
 * runs nothing: the code of a cell comes where the site shows it, what it prints does not.
 */
export function codeCells({ body, context, fences, inCode, spotAt }: Source): Found {
  const edits: Edit[] = [];
  const problems: LocalProblem[] = [];
  const names = new Map<number, string>();
  const defaults = new Map<string, string>();
  const isKnown = (target: string): boolean =>
    context.page?.value?.(context.page.file, 'number', [target]) !== undefined;
  let runs = 0;
  let wordsUnshown = 0;
  let firstRun: number | undefined;
  for (const [start, behind] of fences) {
    const firstEnd = lineEnd(body, start);
    const [, lead = '', mark = '', info = ''] =
      FIRST.exec(body.slice(start, Math.min(firstEnd, start + 4000))) ?? [];
    const [, written] = /^(?:[\w+-]+[ \t]+)?\{(.*)\}[ \t]*$/.exec(info) ?? [];
    if (written === undefined) continue;
    const at = start + lead.length;
    const end = body.charAt(behind - 1) === '\n' ? behind - 1 : behind;
    const lastStart = Math.max(firstEnd, body.lastIndexOf('\n', end - 1) + 1);
    const replaceWhole = (text: string): void => {
      edits.push({ start: at, end, text });
    };
    const raw = /^=([\w-]+)$/.exec(written)?.[1];
    if (raw !== undefined) {
      const isHtml = /^html/i.test(raw);
      replaceWhole(isHtml ? body.slice(firstEnd + 1, Math.max(firstEnd + 1, lastStart - 1)) : '');
      if (!isHtml) wordsUnshown += sourceWords(body.slice(firstEnd, lastStart));
      continue;
    }
    const inner = /^\{(.*)\}$/.exec(written)?.[1];
    if (inner !== undefined) {
      edits.push({ start: at, end: firstEnd, text: `${mark}${language(inner)}` });
      continue;
    }
    if (/^[ \t]*(?:[.#=]|-?[ \t]*$|[\w-]+=)/.test(written)) {
      const attributes = attributesIn(written);
      const word = /^[\w+-]+/.exec(info)?.[0] ?? attributes?.classes[0] ?? '';
      edits.push({
        start: at,
        end: firstEnd,
        text: `${attributes?.id === undefined ? '' : `${anchor(attributes.id)}\n\n${lead.replaceAll(/[^\s>]/g, ' ')}`}${mark}${word.replaceAll('`', '')}`,
      });
      const name = attributes?.named.get('filename');
      if (name !== undefined) names.set(start, boldLine(name));
      continue;
    }
    const engine = language(written);
    if (engine === '') continue;
    const { values, next } = cellOptions(body, firstEnd + 1, lastStart, written);
    const isOff = (key: string): boolean =>
      /^(?:false|f|n|no|hide)$/i.test(
        values.get(key) ?? defaults.get(key) ?? shownMeta(context, `execute.${key}`) ?? '',
      );
    const label = values.get('label');
    // Quarto takes the label itself, bookdown `fig:` or `tab:` with it.
    const target = ['', 'fig:', 'tab:']
      .map((prefix) => `${prefix}${label ?? ''}`)
      .find((each) => each !== '' && isKnown(each));
    const id = target === undefined || label === undefined ? '' : anchor(target);
    if (TEXTS.has(engine)) {
      replaceWhole(body.slice(next, Math.max(next, lastStart - 1)));
      continue;
    }
    const isDiagram = DIAGRAMS.has(engine);
    const isHidden = !isDiagram && (isOff('echo') || isOff('include'));
    const isRun = !isDiagram && !['eval', 'output', 'include', 'results'].some(isOff);
    if (engine === 'r' && !isOff('eval')) learnDefaults(body.slice(next, lastStart), defaults);
    if (isRun) {
      runs += 1;
      firstRun ??= start;
    }
    if (isHidden) {
      replaceWhole(id);
      wordsUnshown += sourceWords(body.slice(firstEnd, lastStart));
      continue;
    }
    edits.push({
      start: at,
      end: next,
      text: `${id === '' ? '' : `${id}\n\n${lead.replaceAll(/[^\s>]/g, ' ')}`}${mark}${engine}\n`,
    });
    const name = values.get('filename') ?? values.get('lst-cap');
    if (name !== undefined) names.set(start, boldLine(name));
  }
  if (firstRun !== undefined)
    problems.push({
      code: 'html-dropped',
      what: runs === 1 ? 'the result of a cell' : `the results of ${runs} cells`,
      reason: 'kbsync runs no code of a page',
      spot: spotAt(firstRun),
    });
  for (const { 0: whole, 1: run = '', 2: text = '', 3: format, 4: attributes, index } of inlineCode(body)) {
    // Only of code spans, and not inside a fence.
    if (!inCode(index) || inFence(fences, index)) continue;
    const end = index + whole.length;
    if (format !== undefined) edits.push({ start: index, end, text: /^html/i.test(format) ? text : '' });
    else if (attributes !== undefined && attributesIn(attributes) !== undefined)
      edits.push({ start: index + run.length * 2 + text.length, end, text: '' });
  }
  return edits.length + names.size === 0 ? NOTHING : { edits, problems, names, wordsUnshown };
}

function inlineCode(body: string): Iterable<RegExpExecArray> {
  return body.includes('`{')
    ? body.matchAll(/(?<!`)(`{1,3})(?!`)([^`\n]{1,400})\1\{(?:=([\w-]+)|([^{}\n]{1,200}))\}/g)
    : [];
}

function inFence(fences: Source['fences'], offset: number): boolean {
  let low = 0;
  let high = fences.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((fences[middle]?.[0] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return offset < (fences[low - 1]?.[1] ?? 0);
}

function lineEnd(body: string, start: number): number {
  const newline = body.indexOf('\n', start);
  return newline < 0 ? body.length : newline;
}

function language(written: string): string {
  return /^[ \t]*([A-Za-z][\w+#.-]*)/.exec(written)?.[1]?.toLowerCase() ?? '';
}

/** `knitr::opts_chunk$set(echo = FALSE)`: what a cell says of the ones below it. */
function learnDefaults(code: string, defaults: Map<string, string>): void {
  for (let at = code.indexOf(SETS); at >= 0; at = code.indexOf(SETS, at + 1)) {
    const given = code.slice(at + SETS.length, at + SETS.length + 1000);
    const end = given.search(/\)[ \t]*(?:[\n;#]|$)/);
    for (const [, key = '', value = ''] of given
      .slice(0, end < 0 ? undefined : end)
      .matchAll(/\b(echo|eval|include|results)[ \t]*=[ \t]*["']?([\w]+)/g))
      defaults.set(key, value);
  }
}

const SETS = 'opts_chunk$set(';

/** Of the first line (`{r name, echo=FALSE}`) and of the lines below it. */
function cellOptions(
  body: string,
  from: number,
  to: number,
  written: string,
): { readonly values: ReadonlyMap<string, string>; readonly next: number } {
  const values = new Map<string, string>();
  const [, word] = /^[ \t]*[A-Za-z][\w+#.-]*[ \t,]+([\w.-]+)[ \t]*(?:,|$)/.exec(written) ?? [];
  if (word !== undefined) values.set('label', word);
  for (const [, key = '', double, single, bare = ''] of written.matchAll(
    /([\w.-]+)[ \t]*=[ \t]*(?:"([^"]*)"|'([^']*)'|([^\s,"']+))/g,
  ))
    values.set(key, double ?? single ?? bare);
  let next = from;
  for (let count = 0; count < OPTIONS_MAX && next < to; count += 1) {
    const end = lineEnd(body, next);
    const [, key, value = ''] = OPTION.exec(body.slice(next, Math.min(end, next + 1000))) ?? [];
    if (OPTION.exec(body.slice(next, Math.min(end, next + 1000))) === null) break;
    if (key !== undefined) values.set(key, value.trim().replace(/^(["'])(.*)\1$/, '$2'));
    next = Math.min(end + 1, to);
  }
  return { values, next };
}

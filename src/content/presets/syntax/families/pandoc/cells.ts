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
export function codeCells(source: Source): Found {
  const { body, fences, spotAt } = source;
  const page: Page = { source, edits: [], names: new Map(), defaults: new Map(), runs: [], wordsUnshown: 0 };
  for (const range of fences) {
    const block = blockAt(body, range);
    if (block === undefined) continue;
    const { start, firstEnd, mark, written } = block;
    const raw = /^=([\w-]+)$/.exec(written)?.[1];
    const inner = /^\{(.*)\}$/.exec(written)?.[1];
    if (raw !== undefined) rawText(page, block, raw);
    else if (inner !== undefined)
      page.edits.push({ start, end: firstEnd, text: `${mark}${language(inner)}` });
    else if (/^[ \t]*(?:[.#=]|-?[ \t]*$|[\w-]+=)/.test(written)) codeWithAttributes(page, block);
    else cell(page, block);
  }
  codeInLines(page);
  const { edits, names, runs, wordsUnshown } = page;
  const [firstRun] = runs;
  const problems: readonly LocalProblem[] =
    firstRun === undefined
      ? []
      : [
          {
            code: 'html-dropped',
            what: runs.length === 1 ? 'the result of a cell' : `the results of ${runs.length} cells`,
            reason: 'kbsync runs no code of a page',
            spot: spotAt(firstRun),
          },
        ];
  return edits.length + names.size === 0 ? NOTHING : { edits, problems, names, wordsUnshown };
}

/** What the blocks of a page have given so far. */
interface Page {
  readonly source: Source;
  readonly edits: Edit[];
  readonly names: Map<number, string>;
  /** What cells say of the ones below them. */
  readonly defaults: Map<string, string>;
  /** Where cells start whose results the site shows. */
  readonly runs: number[];
  wordsUnshown: number;
}

/** A fence whose first line has braces. */
interface Block {
  /** The start of its first line. */
  readonly lineStart: number;
  /** Where its fence starts, behind quotes and signs of lists. */
  readonly start: number;
  readonly firstEnd: number;
  /** The start of its last line. */
  readonly lastStart: number;
  readonly end: number;
  readonly lead: string;
  readonly mark: string;
  /** What follows the mark. */
  readonly info: string;
  /** What is in the braces. */
  readonly written: string;
}

function blockAt(body: string, [lineStart, behind]: Source['fences'][number]): Block | undefined {
  const firstEnd = lineEnd(body, lineStart);
  const [, lead = '', mark = '', info = ''] =
    FIRST.exec(body.slice(lineStart, Math.min(firstEnd, lineStart + 4000))) ?? [];
  const [, written] = /^(?:[\w+-]+[ \t]+)?\{(.*)\}[ \t]*$/.exec(info) ?? [];
  if (written === undefined) return undefined;
  const end = body.charAt(behind - 1) === '\n' ? behind - 1 : behind;
  const lastStart = Math.max(firstEnd, body.lastIndexOf('\n', end - 1) + 1);
  return { lineStart, start: lineStart + lead.length, firstEnd, lastStart, end, lead, mark, info, written };
}

/** HTML stands as it is; text for another format is not of this page. */
function rawText(page: Page, { start, firstEnd, lastStart, end }: Block, format: string): void {
  const { body } = page.source;
  const isHtml = /^html/i.test(format);
  const text = isHtml ? body.slice(firstEnd + 1, Math.max(firstEnd + 1, lastStart - 1)) : '';
  page.edits.push({ start, end, text });
  if (!isHtml) page.wordsUnshown += sourceWords(body.slice(firstEnd, lastStart));
}

function codeWithAttributes({ edits, names }: Page, block: Block): void {
  const { lineStart, start, firstEnd, mark, info, written } = block;
  const attributes = attributesIn(written);
  const word = /^[\w+-]+/.exec(info)?.[0] ?? attributes?.classes[0] ?? '';
  const id = attributes?.id === undefined ? '' : anchor(attributes.id);
  edits.push({ start, end: firstEnd, text: `${above(id, block)}${mark}${word.replaceAll('`', '')}` });
  const name = attributes?.named.get('filename');
  if (name !== undefined) names.set(lineStart, boldLine(name));
}

function cell(page: Page, block: Block): void {
  const { source, edits, names, defaults } = page;
  const { body, context } = source;
  const { lineStart, start, firstEnd, lastStart, end, mark, written } = block;
  const engine = language(written);
  if (engine === '') return;
  const { values, next } = cellOptions(body, firstEnd + 1, lastStart, written);
  if (TEXTS.has(engine)) {
    edits.push({ start, end, text: body.slice(next, Math.max(next, lastStart - 1)) });
    return;
  }
  const isOff = (key: string): boolean =>
    /^(?:false|f|n|no|hide)$/i.test(
      values.get(key) ?? defaults.get(key) ?? shownMeta(context, `execute.${key}`) ?? '',
    );
  const isDiagram = DIAGRAMS.has(engine);
  const isHidden = !isDiagram && (isOff('echo') || isOff('include'));
  const isRun = !isDiagram && !['eval', 'output', 'include', 'results'].some(isOff);
  if (engine === 'r' && !isOff('eval')) learnDefaults(body.slice(next, lastStart), defaults);
  if (isRun) page.runs.push(lineStart);
  const id = anchorOf(values.get('label'), source);
  if (isHidden) {
    edits.push({ start, end, text: id });
    page.wordsUnshown += sourceWords(body.slice(firstEnd, lastStart));
    return;
  }
  // The line break in front of the code stays: a fence may be the last line of a text, without one.
  edits.push({ start, end: next - 1, text: `${above(id, block)}${mark}${engine}` });
  const name = values.get('filename') ?? values.get('lst-cap');
  if (name !== undefined) names.set(lineStart, boldLine(name));
}

/** Where links to the label lead: Quarto takes the label itself, bookdown `fig:` or `tab:` with it. */
function anchorOf(label: string | undefined, { context: { page } }: Source): string {
  if (label === undefined) return '';
  const target = [label, `fig:${label}`, `tab:${label}`].find(
    (each) => each !== '' && page?.value?.(page.file, 'number', [each]) !== undefined,
  );
  return target === undefined ? '' : anchor(target);
}

/** An anchor on a line of its own above a block, as deep in quotes and lists as the block. */
function above(id: string, { lead }: Block): string {
  return id === '' ? '' : `${id}\n\n${lead.replaceAll(/[^\s>]/g, ' ')}`;
}

/** Code spans with braces behind them. */
function codeInLines({ source, edits }: Page): void {
  const { body, fences, inCode } = source;
  for (const { 0: whole, 1: run = '', 2: text = '', 3: format, 4: attributes, index } of inlineCode(body)) {
    // Only of code spans, and not inside a fence.
    if (!inCode(index) || inFence(fences, index)) continue;
    const end = index + whole.length;
    if (format !== undefined) edits.push({ start: index, end, text: /^html/i.test(format) ? text : '' });
    else if (attributes !== undefined && attributesIn(attributes) !== undefined)
      edits.push({ start: index + run.length * 2 + text.length, end, text: '' });
  }
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

import { smallest } from '../../../text/many.ts';
import type { Labels } from '../../labels.ts';
import { fenceAround } from '../../markdown/fence.ts';
import { inlineHtml } from '../../markdown/render.ts';
import type { Edit } from '../preset.ts';
import { editedText } from './edits.ts';
import type { Box, Meaning, Part } from './tag.ts';
import { lineAt } from '../../source-text.ts';

/** A piece of the source with what is written in its place. */
export interface Token extends Edit {
  /** Stands for a block of its own: its text gets blank lines around it; an empty one parts what is above from what is below. */
  readonly isBlock: boolean;
  /** What follows may stand in the next line: the mark of a box above a text. */
  readonly isLead?: boolean;
  readonly opens?: Container;
  readonly closes?: Container;
}

/** The lines between two tags. */
export interface Container {
  readonly part: Part;
  /** What each line begins with, besides what the line of its opening tag begins with; `> ` of a box. */
  readonly prefix: string;
}

export interface TokenInput {
  readonly body: string;
  readonly parts: readonly Part[];
  readonly meaning: (part: Part) => Meaning;
  readonly labels: Labels;
  /** Ranges that other rules replace: modules, comments, expressions. */
  readonly others: readonly Edit[];
}

/** Parts as tokens in the order of the text. A part is a block where its lines hold nothing but tags and what is between them. */
export function tokensOf(input: TokenInput, starts: readonly number[]): readonly Token[] {
  const isAlone = aloneIn(input, starts);
  const tokens: Token[] = input.others.map((edit) => ({
    ...edit,
    isBlock: edit.text === '' && isAlone(edit.start, edit.end),
  }));
  for (const part of input.parts) addTokens(part, tokens, { ...input, isAlone });
  tokens.sort((a, b) => a.start - b.start || a.end - b.end);
  // What stands inside a piece that is replaced as a whole is gone with it.
  let end = 0;
  return tokens.filter((token) => {
    if (token.start < end) return false;
    end = token.end;
    return true;
  });
}

type PartInput = Pick<TokenInput, 'body' | 'meaning' | 'labels'> & {
  readonly isAlone: (start: number, end: number) => boolean;
};

function addTokens(part: Part, tokens: Token[], input: PartInput): void {
  const { tag, closer, children, inside } = part;
  const meaning = input.meaning(part);
  const whole = { start: tag.start, end: closer?.end ?? tag.end };
  // A block that ends by its indent or at a blank line has no closing tag beside which something could stand.
  const isBlock =
    !(meaning.as === 'keep' && meaning.isInline === true) &&
    input.isAlone(tag.start, closer === undefined || closer.start === closer.end ? tag.end : closer.end);
  const text = textOf(part, meaning, isBlock, input);
  if (text !== undefined) {
    tokens.push({
      ...whole,
      text,
      isBlock: isBlock && !(meaning.as === 'text' && meaning.isInline === true),
    });
    return;
  }
  const { open, close, prefix } = (isBlock ? blockMarks : inlineMarks)(meaning, input);
  const opening = { start: tag.start, end: tag.end, isBlock };
  if (closer === undefined) {
    tokens.push({ ...opening, text: open + close });
    return;
  }
  const container: Container = { part, prefix };
  const closing = { start: closer.start, end: closer.end, text: close, isBlock };
  const isLead = meaning.as === 'box' && isParagraph(inside);
  tokens.push(isBlock ? { ...opening, text: open, opens: container, isLead } : { ...opening, text: open });
  for (const child of children) addTokens(child, tokens, input);
  tokens.push(isBlock ? { ...closing, closes: container } : closing);
}

/** A text that begins with a paragraph, which a line above joins; the line below its first makes no heading of the two. */
function isParagraph(text: string): boolean {
  return /^\s*(?!\d+[.)])[\p{L}\p{N}"'(*_`[](?![^\n]*\|)[^\n]*(?:\n(?![ \t>]*(?:=+|-+)[ \t]*(?:\n|$))|$)/u.test(
    text,
  );
}

/** What is written for the part as a whole; undefined: its two tags and what is inside are written one by one. */
function textOf(part: Part, meaning: Meaning, isBlock: boolean, input: PartInput): string | undefined {
  const { inside } = part;
  switch (meaning.as) {
    case 'drop':
      return '';
    case 'text':
      return meaning.text;
    case 'code':
      return isBlock ? fenced(inside, meaning) : undefined;
    case 'around': {
      const { open, close, run } = meaning;
      if (run === undefined || !isBlock || !isRunOfText(part, input)) return undefined;
      const text = insideText(part, input)
        .trim()
        .replaceAll(/\s*\n[ \t>]*/g, ' ');
      return `${open}${run === 'html' ? inlineHtml(text) : text}${close}`;
    }
    default:
      return undefined;
  }
}

interface Marks {
  readonly open: string;
  readonly close: string;
  readonly prefix: string;
}

function blockMarks(meaning: Meaning, input: PartInput): Marks {
  switch (meaning.as) {
    case 'labelled':
      return { open: meaning.label, close: meaning.below ?? '', prefix: '' };
    case 'box':
      return { open: boxMarker(meaning), close: '', prefix: '> ' };
    case 'fold':
      return {
        open: `<details${linkedId(meaning.id, input)}${meaning.isOpen === true ? ' open' : ''}><summary>${inlineHtml(meaning.summary)}</summary>`,
        close: '</details>',
        prefix: '',
      };
    default:
      return inlineMarks(meaning, input);
  }
}

/** Only where the page itself links to it: an id that nothing names may be another's. */
function linkedId(id: string | undefined, { body }: PartInput): string {
  const isLinked = id !== undefined && id !== '' && body.includes(`](#${id})`);
  return isLinked ? ` id="${id.replaceAll(/[&"<>]/g, '')}"` : '';
}

function inlineMarks(meaning: Meaning, { labels }: PartInput): Marks {
  switch (meaning.as) {
    case 'labelled':
      return {
        open: `${meaning.label} `,
        close: meaning.below === undefined ? '' : ` ${meaning.below}`,
        prefix: '',
      };
    case 'box':
      return { open: `**${boxTitle(meaning.title) || labels[meaning.kind]}** `, close: '', prefix: '' };
    case 'fold':
      return { open: `${meaning.summary} `, close: '', prefix: '' };
    case 'around':
      return { open: meaning.open, close: meaning.close, prefix: '' };
    default:
      return { open: '', close: '', prefix: '' };
  }
}

/** `> [!NOTE|Title]`: the marker as our Markdown reads it, with a title in plain text. */
function boxMarker({ kind, title }: Box): string {
  const text = boxTitle(title);
  return `> [!${kind.toUpperCase()}${text === '' ? '' : `|${text}`}]`;
}

/** Markup in a title is left out: a title is one line of text, and a marker cannot hold more. What stands in code is text, with each of its signs. */
export function boxTitle(title = ''): string {
  return title
    .split(/((?<!`)`+[^`]+`+)/)
    .map((piece, at) => (at % 2 === 1 ? codeInTitle(piece) : textInTitle(piece)))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function codeInTitle(code: string): string {
  return code
    .replaceAll(/[`[\]]/g, '')
    .replaceAll(/[<>&*_~\\|]/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`);
}

function textInTitle(text: string): string {
  return text
    .replaceAll(/!?\[\[(?:[^[\]|]*\|)?([^[\]|]*)\]\]/g, '$1')
    .replaceAll(/!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}])/gu, '&#95;')
    .replaceAll(/&(?!#?\w+;)/g, '&amp;')
    .replaceAll(/[*`_~[\]<>\\|]+/g, ' ');
}

/** No blank line, and no block in it: text that HTML tags of one line can hold. */
function isRunOfText(part: Part, input: PartInput): boolean {
  const { inside } = part;
  if (/\n[^\S\n]*\n|^[ \t>]*(?:`{3,}|~{3,}|[-*+] |\d{1,9}[.)] |#{1,6} |\|)/m.test(inside)) return false;
  return part.children.every((child) => {
    const meaning = input.meaning(child);
    if (meaning.as === 'around') return meaning.isInline === true && isRunOfText(child, input);
    return (
      meaning.as === 'text' || meaning.as === 'drop' || (meaning.as === 'keep' && isRunOfText(child, input))
    );
  });
}

/** What is inside a part, its own parts translated as parts of a line. */
function insideText(part: Part, input: PartInput): string {
  const tokens: Token[] = [];
  for (const child of part.children) addTokens(child, tokens, { ...input, isAlone: () => false });
  const { end } = part.tag;
  const edits = tokens.map(({ start, end: behind, text }) => ({
    start: start - end,
    end: behind - end,
    text,
  }));
  return editedText(part.inside, edits).text;
}

/** A fence that is longer than every run of its character inside. */
export function fenced(
  code: string,
  { language, label }: { readonly language: string; readonly label?: string },
): string {
  const lines = code
    .replace(/^[^\S\n]*\n/, '')
    .replace(/\s+$/, '')
    .split('\n');
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const indent = smallest(indents, indents[0] ?? 0);
  const fence = fenceAround(code);
  const above = label === undefined ? [] : [label, ''];
  return [...above, `${fence}${language}`, ...lines.map((line) => line.slice(indent)), fence].join('\n');
}

const LEAD = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*$/;

/** Whether nothing but tags, blanks and marks of lists and quotes stands in the lines before `start` and behind `end`. */
function aloneIn(
  { body, parts, others }: TokenInput,
  starts: readonly number[],
): (start: number, end: number) => boolean {
  const before = new Map<number, number>();
  const behind = new Map<number, number>();
  const note = (start: number, end: number): void => {
    if (start === end) return;
    before.set(end, start);
    behind.set(start, end);
  };
  const noteAll = (all: readonly Part[]): void => {
    for (const { tag, closer, children } of all) {
      note(tag.start, tag.end);
      if (closer !== undefined) note(closer.start, closer.end);
      noteAll(children);
    }
  };
  noteAll(parts);
  for (const { start, end, text } of others) if (text === '') note(start, end);
  const startsLine = alongChain((offset) => {
    const lineStart = starts[lineAt(starts, offset)] ?? 0;
    let at = offset;
    while (at > lineStart && BLANK.has(body.charAt(at - 1))) at -= 1;
    const earlier = before.get(at);
    return earlier === undefined || at === lineStart ? LEAD.test(body.slice(lineStart, at)) : earlier;
  });
  const endsLine = alongChain((offset) => {
    let at = offset;
    while (BLANK.has(body.charAt(at))) at += 1;
    return behind.get(at) ?? (at >= body.length || body.charAt(at) === '\n');
  });
  return (start, end) => startsLine(start) && endsLine(end);
}

/** Follows `step` from offset to offset to its answer, which holds for all offsets passed: a line of many tags is walked once. */
function alongChain(step: (offset: number) => number | boolean): (offset: number) => boolean {
  const known = new Map<number, boolean>();
  return (offset) => {
    const passed: number[] = [];
    let at = offset;
    for (;;) {
      passed.push(at);
      const next = known.get(at) ?? step(at);
      if (typeof next === 'boolean') {
        for (const each of passed) known.set(each, next);
        return next;
      }
      at = next;
    }
  };
}

const BLANK = new Set([' ', '\t']);

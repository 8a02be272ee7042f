import { grayMatter } from '../parsers.ts';
import { bodyBelowMetadata } from './metadata.ts';
import { START } from '../source-text.ts';
import type { LocalProblem, Spot } from '../source-text.ts';

/** A file in its two parts. */
export interface FrontMatter {
  readonly values: ReadonlyMap<string, unknown>;
  /** The same as the author typed it: every scalar is a string (`007`, `1.10`, `no`). Parsed on demand. */
  readonly typed: () => ReadonlyMap<string, unknown>;
  /** First character of a key's value, or of the key when the value starts on a later line. */
  readonly spotOf: (key: string) => Spot;
  /** Where `item` stands inside the value of `key`, searched after the items before it. */
  readonly spotOfItem: (key: string, items: readonly string[], index: number) => Spot;
  readonly body: string;
  /** The file's line on which the body starts. */
  readonly bodyLine: number;
  /** A problem here means that the values cannot be trusted: no record may be made from them. */
  readonly problems: readonly LocalProblem[];
}

/** `strict`: YAML between `---` lines from line 1. `hugo`: TOML between `+++` lines too, and empty lines above either. `jekyll`: of a key that is written twice the last one counts. `hexo`: the line above the keys may be missing, and the lines may be longer. `mkdocs`: without `---`, lines `Key: value` above the text. `pelican`: these lines alone, between `---` as well. */
export type FrontMatterForm = 'strict' | 'hugo' | 'jekyll' | 'hexo' | 'mkdocs' | 'pelican';

/** More is a mistake, and an invitation to slow parsers. */
export const FRONT_MATTER_CHARS_MAX = 65_536;

/** Empty lines before a fence. */
export const EMPTY_ABOVE = /^(?:[^\S\n]*\n)+(?=---|\+\+\+)/;

/** A text with an opening fence, as gray-matter splits it. */
export interface FencedText {
  readonly fence: '---' | '+++';
  /** What stands between the fences, from line 2. */
  readonly raw: string;
  /** The line that ends it, with anything that follows the fence; undefined: no line does. */
  readonly closing: { readonly offset: number; readonly line: string } | undefined;
  readonly body: string;
}

const OPENING = /^(?:---|\+\+\+)[^\S\n]*(?:\n|$)/;

/** A key at the start of a line, as far as a line shows it. */
const KEY = /^["']?[\p{L}_$@][^\s:#]*(?: [^\s:#]+)*["']?[^\S\n]*:(?:\s|$)/mu;
const RULE_ABOVE = /^---[^\S\n]*\n[^\S\n]*\n\s*/;

/**
 * A line above the text that Markdown shows as a rule: an empty line follows, as it may not below a fence (Pandoc), and nothing up to the next such
 * line is `key: value`. GitHub and its wikis show such pages.
 */
function isRule(text: string): boolean {
  const above = RULE_ABOVE.exec(text)?.[0];
  if (above === undefined || text.startsWith('---', above.length)) return false;
  const end = text.indexOf('\n---', above.length);
  const first = text.slice(above.length, above.length + FRONT_MATTER_CHARS_MAX);
  return end < 0 ? !KEY.test(first.split('\n', 1)[0] ?? '') : !KEY.test(first.slice(0, end - above.length));
}

/** Undefined for a text that does not start with a fence. */
export function fencedText(text: string): FencedText | undefined {
  if (!OPENING.test(text) || isRule(text)) return undefined;
  const fence = text.startsWith('+++') ? '+++' : '---';
  const head = headOf(text, fence);
  const { matter, content } = grayMatter()(head, SPLIT[fence]);
  const end = fence.length + matter.length;
  const isClosed = text.startsWith(`\n${fence}`, end);
  const lineEnd = text.indexOf('\n', end + 1);
  const line = text.slice(end + 1, lineEnd < 0 ? text.length : lineEnd);
  const blanks = line.length - fence.length;
  const rest = text.slice(head.length);
  return {
    fence,
    raw: ownCopy(matter.slice(matter.indexOf('\n') + 1)),
    closing: isClosed ? { offset: end + 1, line } : undefined,
    body: `${blanks === 0 ? content : content.slice(blanks).replace(/^\n/, '')}${rest}`,
  };
}

/** Up to the end of the first line that starts like a closing fence: gray-matter copies and searches all that it is given. */
function headOf(text: string, fence: string): string {
  const closing = text.indexOf(`\n${fence}`, fence.length);
  const lineEnd = closing < 0 ? -1 : text.indexOf('\n', closing + 1);
  return lineEnd < 0 ? text : text.slice(0, lineEnd + 1);
}

function nothing(): object {
  return {};
}

/** Options are always given: the cache of gray-matter hides second errors. Every engine of its own is replaced by none. */
const ENGINES = { yaml: nothing, json: nothing, javascript: nothing, coffee: nothing };
const SPLIT = {
  '---': { language: 'yaml', delimiters: '---', engines: ENGINES },
  '+++': { language: 'yaml', delimiters: '+++', engines: ENGINES },
};

/** V8 keeps a whole text alive for one word cut out of it; values are cut out of this copy instead. */
function ownCopy(raw: string): string {
  return Buffer.from(raw).toString();
}

/** Whether the lines above the text are metadata rather than YAML; MkDocs takes YAML where it stands. */
export function hasMetadata(text: string, form: FrontMatterForm): boolean {
  return form === 'pelican' || (form === 'mkdocs' && !/^\s*---/.test(text));
}

/** The body alone, of a text whose front matter was read before, in this form, without a problem. */
export function bodyOf(text: string, form: FrontMatterForm = 'strict'): string {
  if (form === 'hexo') return fencedText(withOpening(text))?.body ?? text;
  if (hasMetadata(text, form)) return bodyBelowMetadata(text);
  return fencedText(form === 'hugo' ? text.replace(EMPTY_ABOVE, '') : text)?.body ?? text;
}

/** Keys from the first line on, without an empty line up to `---`; nothing else begins like that. */
const KEYS_ABOVE = /^(?=[\w-]+:(?:[ \t\n]))(?:(?!---|[^\S\n]*\n)[^\n]+\n){1,200}---[^\S\n]*(?:\n|$)/;

/** The same with empty lines between the keys; then each line looks like YAML, or it is a text. */
const SPACED_KEYS_ABOVE =
  /^(?=[\w-]+:[ \t\n])(?:(?!---)(?:(?:[\w-]+:(?=[ \t\n])|[ \t#-])[^\n]*)?\n){1,200}---[^\S\n]*(?:\n|$)/;

/** Fences of more than three signs; the one that ends the keys is as long. */
const LONG_FENCES = /^-{4,}\n([\s\S]{1,65536}?)\n(-{4,})(?=\n|$)/;

/** A text of Hexo as the others write it: keys between lines `---`. */
export function withOpening(text: string): string {
  if (KEYS_ABOVE.test(text) || SPACED_KEYS_ABOVE.test(text)) return `---\n${text}`;
  const [whole, keys, fence] = LONG_FENCES.exec(text) ?? [];
  return whole !== undefined && text.startsWith(`${fence}\n`)
    ? `---\n${keys}\n---${text.slice(whole.length)}`
    : text;
}

export function fault(spot: Spot, reason: string): LocalProblem {
  return { code: 'front-matter-yaml', reason, spot };
}

export function unclosed(fence: string): LocalProblem {
  return fault(START, `the front matter is not closed; it ends with a line \`${fence}\``);
}

export function tooLong(chars: number): LocalProblem {
  const reason = `the front matter has ${chars.toLocaleString('en')} characters; kbsync reads at most ${FRONT_MATTER_CHARS_MAX.toLocaleString('en')}`;
  return fault(START, reason);
}

/** A text whose front matter cannot be read is all body. */
export function allBody(text: string, problems: readonly LocalProblem[]): FrontMatter {
  const none: ReadonlyMap<string, unknown> = new Map();
  return {
    values: none,
    typed: () => none,
    spotOf: () => START,
    spotOfItem: () => START,
    body: text,
    bodyLine: 1,
    problems,
  };
}

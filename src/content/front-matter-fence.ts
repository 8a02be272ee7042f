import type { FrontMatter } from './front-matter.ts';
import { START } from './source-text.ts';
import type { LocalProblem, Spot } from './source-text.ts';

/** More is a mistake, and an invitation to slow parsers. */
export const FRONT_MATTER_CHARS_MAX = 65_536;

/** Empty lines before a fence. */
export const EMPTY_ABOVE = /^(?:[^\S\n]*\n)+(?=---|\+\+\+)/;

/** The body alone, of a text whose front matter was read before without a problem. */
export function bodyOf(text: string): string {
  const rest = text.replace(EMPTY_ABOVE, '');
  const fence = /^(---|\+\+\+)[^\S\n]*\n/.exec(rest)?.[1];
  const closing = fence === undefined ? undefined : closingFence(rest, fence);
  return closing === undefined ? text : bodyBehind(rest, closing.offset + closing.line.length);
}

export function bodyBehind(text: string, end: number): string {
  return text.slice(end).replace(/^\n/, '');
}

/** The first line after the first that starts with `---`: gray-matter takes it for the end, whatever follows. */
export function closingFence(
  text: string,
  fence = '---',
): { readonly offset: number; readonly line: string } | undefined {
  const newline = text.indexOf(`\n${fence}`, 2);
  if (newline < 0) return undefined;
  const end = text.indexOf('\n', newline + 1);
  return { offset: newline + 1, line: text.slice(newline + 1, end < 0 ? text.length : end) };
}

export function fault(spot: Spot, reason: string): LocalProblem {
  return { code: 'front-matter-yaml', reason, spot };
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

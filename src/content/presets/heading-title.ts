import { spotAt } from '../source-text.ts';

export interface HeadingTitle {
  readonly title: string;
  /** The heading's range, its line end not included. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

/** A longer line is no title. */
const CHARS_MAX = 1000;

/** A heading of the first level at the very start of a text, before anything a reader sees. */
export function headingTitle(body: string): HeadingTitle | undefined {
  const above = /^(?:\s*(?:<!--[\s\S]*?-->)?)*/.exec(body)?.[0].length ?? 0;
  const start = body.lastIndexOf('\n', above - 1) + 1;
  const rest = body.slice(start, start + CHARS_MAX);
  const found =
    /^ {0,3}#[ \t]+([^\n]+?)(?:[ \t]+#+)?[ \t]*(?=\n|$)/.exec(rest) ??
    /^ {0,3}(\S[^\n]*)\n=+[ \t]*(?=\n|$)/.exec(rest);
  const title = plainText(found?.[1] ?? '');
  if (found === null || title === '') return undefined;
  return { title, start, end: start + found[0].length, line: spotAt(body, start).line };
}

/** Without the marks of emphasis, code and links, and without an id in braces. */
function plainText(heading: string): string {
  return heading
    .replace(/\s*\{#?[^}]*\}\s*$/, '')
    .replaceAll(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replaceAll(/(`+)(.+?)\1/g, '$2')
    .replaceAll(/(\*\*|__|\*|~~)(\S(?:.*?\S)?)\1/g, '$2')
    .replaceAll(/<\/?[a-zA-Z][^>]*>/g, '')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .trim();
}

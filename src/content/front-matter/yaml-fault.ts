import { yaml } from '../parsers.ts';
import { spotAt } from '../source-text.ts';
import type { LocalProblem, Spot } from '../source-text.ts';

export interface YamlFault {
  readonly reason: string;
  /** In the raw YAML, from 1. */
  readonly spot: Spot;
  /** The line as it would be right. */
  readonly repaired?: string;
}

/**
 * A parser's exception in plain words, at the character that the author has to look at. The parsers report where they
 * gave up, which is often a line late; what people get wrong is a short list, so it is looked for first.
 */
export function yamlProblem(raw: string, error: unknown): LocalProblem {
  const { reason, spot, repaired } = yamlFault(raw, markOf(error));
  return {
    code: 'front-matter-yaml',
    reason,
    spot: { line: spot.line + 1, column: spot.column },
    ...(repaired === undefined ? {} : { repaired }),
  };
}

/** The mistake that made a parser give up at the mark. */
export function yamlFault(raw: string, mark: YamlMark): YamlFault {
  const lines = raw.split('\n');
  return (
    duplicateKey(lines, mark) ??
    near(lines, mark, tabIndent) ??
    near(lines, mark, colonInValue) ??
    near(lines, mark, reservedStart) ??
    near(lines, mark, textAfterQuote) ??
    unclosed(lines, mark) ??
    near(lines, mark, lineWithoutColon) ??
    secondOpinion(raw, mark)
  );
}

/** Where a parser gave up, and what it said. */
export interface YamlMark {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

/** js-yaml's exceptions have `reason` and `mark`; anything else (a stack overflow on deep nesting) has neither. */
function markOf(error: unknown): YamlMark {
  const said = text(error, 'reason') ?? 'maxDepth';
  const reason = said.includes('maxDepth') ? 'it is nested too deeply' : said;
  const mark: unknown = field(error, 'mark');
  return { reason, line: number(mark, 'line') + 1, column: number(mark, 'column') + 1 };
}

type Look = (line: string, number: number) => YamlFault | undefined;

/** What is wrong in a longer line is not guessed. */
const LINE_CHARS_MAX = 1000;

/** The line of the mark, then the ones above it up to the last key, where the mistake usually is. */
function near(lines: readonly string[], mark: YamlMark, look: Look): YamlFault | undefined {
  for (let number = Math.min(mark.line, lines.length); number >= Math.max(1, mark.line - 3); number -= 1) {
    const line = lines[number - 1] ?? '';
    const found = line.length > LINE_CHARS_MAX ? undefined : look(line, number);
    if (found !== undefined) return found;
  }
  return undefined;
}

function duplicateKey(lines: readonly string[], mark: YamlMark): YamlFault | undefined {
  if (!mark.reason.includes('duplicated mapping key')) return undefined;
  const line = lines[mark.line - 1] ?? '';
  const key = /^\s*(?:- )?["']?(.*?)["']?\s*:/.exec(line.slice(0, LINE_CHARS_MAX))?.[1] ?? line.trim();
  const first = lines.findIndex((other) => other.replace(/^\s*["']?/, '').startsWith(key)) + 1;
  const where = first > 0 && first < mark.line ? `, first on line ${first + 1}` : '';
  return { reason: `\`${key}\` is written twice${where}`, spot: { line: mark.line, column: mark.column } };
}

const tabIndent: Look = (line, number) => {
  const tab = /^ *\t/.exec(line);
  if (tab === null) return undefined;
  return {
    reason: 'a tab indents this line; YAML takes spaces',
    spot: { line: number, column: tab[0].length },
    repaired: line.replace(/^[ \t]+/, (blanks) => blanks.replaceAll('\t', '  ')),
  };
};

const PAIR = /^(\s*(?:- +)?[^\s:#"'[{][^:]*:[^\S\n]+)(\S.*?)\s*$/;

const colonInValue: Look = (line, number) => {
  const [, head, value] = PAIR.exec(line) ?? [];
  if (head === undefined || value === undefined || /^["'[{|>&*!#]/.test(value)) return undefined;
  const colon = /:(?:\s|$)/.exec(value);
  if (colon === null) return undefined;
  return {
    reason: 'a value with `: ` inside needs quotes',
    spot: { line: number, column: head.length + colon.index + 1 },
    repaired: `${head}${quoted(value)}`,
  };
};

const RESERVED: Readonly<Record<string, string>> = {
  '@': 'a value cannot start with `@`; put it in quotes',
  '`': 'a value cannot start with a backtick; put it in quotes',
  '%': 'a value cannot start with `%`; put it in quotes',
  '*': 'YAML reads `*` as an alias here; put the value in quotes',
  '&': 'YAML reads `&` as an anchor here; put the value in quotes',
  '!': 'YAML reads `!` as a tag here; put the value in quotes',
  '{': 'YAML reads `{` as a mapping here; put the value in quotes',
};

const reservedStart: Look = (line, number) => {
  const found = PAIR.exec(line) ?? /^(\s*- +)(\S.*?)\s*$/.exec(line);
  const [, head, value] = found ?? [];
  const reason = RESERVED[value?.[0] ?? ''];
  if (head === undefined || value === undefined || reason === undefined) return undefined;
  return { reason, spot: { line: number, column: head.length + 1 }, repaired: `${head}${quoted(value)}` };
};

const textAfterQuote: Look = (line, number) => {
  const found =
    /^(\s*(?:- +)?(?:[^\s:#"'[{][^:]*:\s+)?)("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*([^\s#].*)$/.exec(line);
  const [, head, value, rest] = found ?? [];
  if (head === undefined || value === undefined || rest === undefined || /^[,\]}:]/.test(rest))
    return undefined;
  return {
    reason: "text after the closing quote; write the inner quote twice (`''`) or with a backslash (`\\\"`)",
    spot: { line: number, column: line.length - rest.length + 1 },
  };
};

/** A quote or bracket that is never closed, in the words of js-yaml or yaml; they notice at the end of the text. */
function unclosed(lines: readonly string[], mark: YamlMark): YamlFault | undefined {
  const closing = /double quoted|closing "quote/.test(mark.reason)
    ? '"'
    : /single quoted|closing 'quote/.test(mark.reason)
      ? "'"
      : undefined;
  const isFlow = /flow collection|^Flow /.test(mark.reason);
  if (closing === undefined && !isFlow) return undefined;
  for (let number = Math.min(mark.line, lines.length); number >= 1; number -= 1) {
    const line = lines[number - 1] ?? '';
    const found = (isFlow ? /(?:[:-]\s+|^)([[{])/ : new RegExp(`(?:[:\\-,[{]\\s*|^)(${closing})`)).exec(line);
    const opening = found?.[1];
    if (found === null || opening === undefined) continue;
    const wanted = closing ?? (opening === '[' ? ']' : '}');
    return {
      reason: `this \`${opening}\` is never closed; a \`${wanted}\` is missing`,
      spot: { line: number, column: found.index + found[0].length },
    };
  }
  return undefined;
}

const lineWithoutColon: Look = (line, number) => {
  if (line.trim() === '' || /^\s*(?:#|- )/.test(line) || /:(?:\s|$)/.test(line)) return undefined;
  const glued = /^(\s*)([A-Za-z][\w-]*):(\S.*)$/.exec(line);
  const start = line.length - line.trimStart().length + 1;
  if (glued !== null) {
    return {
      reason: 'a space is missing after the colon',
      spot: { line: number, column: start + (glued[2]?.length ?? 0) },
      repaired: `${glued[1]}${glued[2]}: ${glued[3]}`,
    };
  }
  return { reason: 'this line is not `key: value`', spot: { line: number, column: start } };
};

const PLAIN_WORDS: Readonly<Record<string, string>> = {
  BAD_INDENT: 'this line is indented differently from the lines it belongs to',
  BAD_ALIAS: RESERVED['*'] ?? '',
  BAD_DQ_ESCAPE: 'a backslash in double quotes starts an escape; write `\\\\`, or use single quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a value with `: ` inside needs quotes',
  DUPLICATE_KEY: 'a key is written twice',
  MISSING_CHAR: 'a character is missing here: a closing quote, bracket or comma',
  MULTILINE_IMPLICIT_KEY: 'this line is not `key: value`',
  TAB_AS_INDENT: 'a tab indents this line; YAML takes spaces',
  TAG_RESOLVE_FAILED: RESERVED['!'] ?? '',
  UNEXPECTED_TOKEN: 'this does not belong here; put the value in quotes',
};

function secondOpinion(raw: string, mark: YamlMark): YamlFault {
  const error = mark.reason.includes('too deeply')
    ? undefined
    : yaml().parseDocument(raw, { logLevel: 'silent' }).errors[0];
  const reason = PLAIN_WORDS[error?.code ?? ''];
  if (error !== undefined && reason !== undefined) return { reason, spot: spotAt(raw, error.pos[0]) };
  return { reason: `this is not valid YAML: ${mark.reason}`, spot: { line: mark.line, column: mark.column } };
}

function quoted(value: string): string {
  return value.includes('"') && !value.includes("'") ? `'${value}'` : JSON.stringify(value);
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function text(value: unknown, name: string): string | undefined {
  const found = field(value, name);
  return typeof found === 'string' ? found : undefined;
}

function number(value: unknown, name: string): number {
  const found = field(value, name);
  return typeof found === 'number' ? found : 0;
}

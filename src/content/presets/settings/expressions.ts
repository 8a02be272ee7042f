import { re2js } from '../../parsers.ts';
import { spotAt } from '../../source-text.ts';
import type { Foreign } from '../preset.ts';
import type { PathMatch } from './patterns.ts';

/** The regular expressions of one setting. */
export interface Expressions {
  /** Whether one of them is in a text; one that cannot be read is in none. */
  readonly match: PathMatch;
  /** Those that cannot be read, each at its place in the settings. */
  readonly problems: Foreign['problems'];
}

/** The file that the expressions are written in, and its text. */
interface Origin {
  readonly path: string | undefined;
  readonly text: string;
}

/**
 * Regular expressions that somebody wrote into settings. Each is run by an engine whose time grows with the text and no faster, whatever it says: `(a+)+$` ends too.
 * `atStart`: the text must begin with it.
 */
export function expressions(sources: readonly string[], origin: Origin, atStart = false): Expressions {
  const read = sources.map((source) => ({ source, pattern: expression(source, atStart) }));
  return {
    match: (text) => read.some(({ pattern }) => 'test' in pattern && pattern.test(text)),
    problems: read.flatMap(({ source, pattern }) =>
      'test' in pattern ? [] : [problemAt(origin, source, pattern.fault)],
    ),
  };
}

/** One regular expression, or why there is none. */
export type Expression = { readonly test: PathMatch } | { readonly fault: string };

export function expression(source: string, atStart = false): Expression {
  if (source.length > SOURCE_CHARS_MAX)
    return { fault: `it has ${source.length} characters; kbsync reads at most ${SOURCE_CHARS_MAX}` };
  const counts = [...source.matchAll(/\{(\d{1,6})(?:,(\d{0,6}))?\}/g)].map(([, from, to]) =>
    Number(to || from),
  );
  if (counts.reduce((sum, count) => sum + count, 0) > COUNTS_MAX)
    return { fault: `it counts further than ${COUNTS_MAX}` };
  try {
    const { RE2JS } = re2js();
    const pattern = RE2JS.compile(RE2JS.translateRegExp(withAnchors(source, { end: String.raw`\z` })));
    return {
      test: (text) => {
        const matcher = pattern.matcher(text);
        return atStart ? matcher.lookingAt() : matcher.find();
      },
    };
  } catch {
    return backtracking(atStart ? `^(?:${source})` : source);
  }
}

/** Longer ones are no rules for names. */
const SOURCE_CHARS_MAX = 2000;
/** `a{1000}` is as long as a thousand of them. */
const COUNTS_MAX = 1000;
/** As long as any path that a site has. */
const TEXT_CHARS_MAX = 1000;

/**
 * What the other engine cannot do (`(?!…)`, `\1`), if it says so little that it ends soon: nothing repeated inside of what is repeated, at most two parts without an
 * upper end, and few ways through the rest.
 */
function backtracking(source: string): Expression {
  const bare = source.replaceAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]/g, 'x');
  const endless = bare.match(/[*+]|\{\d*,\}|\{\d{3,}/g)?.length ?? 0;
  if (/\)[*+{]/.test(bare) || endless > 2 || waysThrough(bare) > WAYS_MAX)
    return { fault: 'kbsync cannot run it, because it may take too long' };
  try {
    const pattern = new RegExp(withAnchors(source, { start: '(?<![^])', end: '(?![^])' }));
    return { test: (text) => text.length <= TEXT_CHARS_MAX && pattern.test(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : '';
    return { fault: `kbsync cannot read it: ${reason}` };
  }
}

/** `\A` and `\Z` of Python, `\z` of Go: to JavaScript they are letters. */
function withAnchors(
  source: string,
  { start, end }: { readonly start?: string; readonly end: string },
): string {
  return source.replaceAll(/\\[^]/g, (written) => {
    if (written === String.raw`\A`) return start ?? written;
    return /^\\[zZ]$/.test(written) ? end : written;
  });
}

const WAYS_MAX = 32;

/** Each optional part doubles them, each group has as many as alternatives, `a{2,5}` has four. */
function waysThrough(bare: string): number {
  let ways = 1;
  const open = [1];
  for (const [sign, from, to] of bare.matchAll(/\(\?|[*+?}]\?|\{(\d+),(\d+)(?=\})|[(|)?]/g)) {
    if (from !== undefined) ways *= Math.max(1, Number(to) - Number(from) + 1);
    else if (sign === '?' || sign === '??') ways *= 2;
    else if (sign.startsWith('(')) open.push(1);
    else if (sign === '|') open.push((open.pop() ?? 1) + 1);
    else if (sign === ')') ways *= open.pop() ?? 1;
  }
  return open.reduce((product, each) => product * each, ways);
}

function problemAt({ path = '', text }: Origin, source: string, fault: string): Foreign['problems'][number] {
  // YAML and JSON write a backslash twice between quotes.
  const found = [source, source.replaceAll('\\', '\\\\')].map((form) => text.indexOf(form));
  const spot = spotAt(text, Math.max(0, ...found));
  return {
    path,
    problem: {
      code: 'unreadable-settings',
      reason: `the regular expression \`${shown(source)}\`: ${fault}`,
      spot,
    },
  };
}

function shown(source: string): string {
  return source.length > SHOWN_CHARS_MAX ? `${source.slice(0, SHOWN_CHARS_MAX)}…` : source;
}

const SHOWN_CHARS_MAX = 80;

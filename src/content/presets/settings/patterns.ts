import micromatch from 'micromatch';
import { ignore } from '../../parsers.ts';

/** Whether a path is meant. */
export type PathMatch = (path: string) => boolean;

/** Globs as most JavaScript tools read them; one that is empty, or longer than any path, means nothing. */
export function globs(patterns: readonly string[]): PathMatch {
  const matches = patterns
    .map((pattern) => pattern.replace(/^\.?\//, ''))
    .filter((pattern) => pattern !== '' && pattern.length <= GLOB_CHARS_MAX)
    .map((pattern) => micromatch.matcher(pattern, { dot: true }));
  return (path) => matches.some((matcher) => matcher(path));
}

const GLOB_CHARS_MAX = 4096;

/** Lines as in `.gitignore`. */
export function gitignore(lines: string): PathMatch {
  if (lines.trim() === '') return () => false;
  const rules = ignore()().add(lines);
  return (path) => rules.ignores(path);
}

/** Patterns of `File.fnmatch` (Ruby) and `fnmatch` (Python): a star also stands for slashes. */
export function fnmatch(pattern: string): PathMatch {
  const source = pattern.replaceAll(/\[!|[.*?+^${}()|\\]/g, (char) => {
    if (char === '*') return '.*';
    if (char === '?') return '.';
    return char === '[!' ? '[^' : `\\${char}`;
  });
  const whole = expression(`^${source}$`);
  return (path) => whole?.test(path) ?? path === pattern;
}

/** A regular expression of somebody's settings; undefined for one that JavaScript cannot read. */
export function expression(source: string): RegExp | undefined {
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
}

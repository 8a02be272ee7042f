import micromatch from 'micromatch';
import { GLOB_CHARS_MAX, isTameGlob, tameIgnoreLines } from '../../files/tame-glob.ts';
import { ignore } from '../../parsers.ts';

/** Whether a path is meant. */
export type PathMatch = (path: string) => boolean;

/** Globs as most JavaScript tools read them; one that is empty, or longer than any path, means nothing. */
export function globs(patterns: readonly string[]): PathMatch {
  const matches = patterns
    .map((pattern) => pattern.replace(/^\.?\//, ''))
    .filter((pattern) => pattern !== '' && pattern.length <= GLOB_CHARS_MAX)
    .map((pattern) => (isTameGlob(pattern) ? micromatch.matcher(pattern, { dot: true }) : fnmatch(pattern)));
  return (path) => matches.some((matcher) => matcher(path));
}

/** Lines as in `.gitignore`. */
export function gitignore(lines: string): PathMatch {
  if (lines.trim() === '') return () => false;
  const rules = ignore()().add(tameIgnoreLines(lines));
  return (path) => rules.ignores(path);
}

/** Patterns of `File.fnmatch` (Ruby) and `fnmatch` (Python): a star also stands for slashes. However many stars there are, no sign is looked at more often than once for each of the pattern. */
export function fnmatch(pattern: string): PathMatch {
  const pieces = pattern.match(/\[[!^]?\]?[^\]]*\]|\*+|[^]/g) ?? [];
  const isOne = pieces.map(signMatch);
  return (path) => {
    let at = 0;
    let piece = 0;
    let star = -1;
    let resumed = 0;
    while (at < path.length) {
      const sign = path.charAt(at);
      if (pieces[piece]?.startsWith('*') === true) {
        star = piece;
        resumed = at;
        piece += 1;
      } else if (isOne[piece]?.(sign) === true) {
        at += 1;
        piece += 1;
      } else if (star >= 0) {
        // The last star takes one sign more.
        resumed += 1;
        at = resumed;
        piece = star + 1;
      } else return false;
    }
    return pieces.slice(piece).every((each) => each.startsWith('*'));
  };
}

/** Whether a sign is what one piece of a pattern stands for. */
function signMatch(piece: string): (sign: string) => boolean {
  if (piece === '?') return () => true;
  if (piece.length < 2) return (sign) => sign === piece;
  const isNot = /^\[[!^]/.test(piece);
  const inside = piece.slice(isNot ? 2 : 1, -1).replaceAll(/[\\\]^[]/g, String.raw`\$&`);
  const set = signSet(inside);
  return (sign) => (set?.test(sign) ?? piece.includes(sign)) !== isNot;
}

/** Undefined: `[z-a]` is no set. */
function signSet(inside: string): RegExp | undefined {
  try {
    return new RegExp(`^[${inside}]$`);
  } catch {
    return undefined;
  }
}

import type { ProblemCase } from '../model/problem.ts';
import { utf8Text } from '../text/utf8-text.ts';

/** Line and column, both from 1, in one file. */
export interface Spot {
  readonly line: number;
  readonly column: number;
}

export type LocalProblem = ProblemCase & { readonly spot: Spot };

export type SourceText =
  | { readonly text: string; readonly problems: readonly LocalProblem[] }
  | { readonly text: undefined; readonly problems: readonly LocalProblem[] };

const LFS_SIGNATURE = 'version https://git-lfs.github.com/spec/v1\n';
const MERGE_MARKER = /^(?:<{7}|>{7})(?: .*)?$/m;

/**
 * A file's text: UTF-8 without BOM, lines ended by LF on every platform, so digests are the same everywhere. `text` is
 * undefined if the bytes are not text (the problems say where and why). A merge marker is a problem, and the text is there.
 */
export function sourceText(bytes: Uint8Array): SourceText {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return refused(START, 'bad-encoding', `the file is ${wide}; save it as UTF-8`);
  const decoded = utf8Text(bytes);
  if (decoded === undefined)
    return refused(invalidSpot(bytes), 'bad-encoding', 'this byte is not UTF-8; save the file as UTF-8');
  const text = decoded.includes('\r') ? decoded.replaceAll(/\r\n?/g, '\n') : decoded;
  const nul = text.indexOf('\0');
  if (nul >= 0) return refused(spotAt(text, nul), 'bad-encoding', 'a NUL byte; is this a text file?');
  if (text.startsWith(LFS_SIGNATURE))
    return { text: undefined, problems: [{ code: 'lfs-pointer', spot: START }] };
  const marker = mergeMarker(text);
  if (marker === undefined) return { text, problems: [] };
  return { text, problems: [{ code: 'merge-marker', marker: marker[0], spot: spotAt(text, marker.index) }] };
}

/** The first line that git writes around two texts of which somebody has to choose one. */
export function mergeMarker(text: string): RegExpExecArray | undefined {
  if (!text.includes('<<<<<<<') && !text.includes('>>>>>>>')) return undefined;
  return MERGE_MARKER.exec(text) ?? undefined;
}

/** By a byte order mark, or by text of which every second byte is NUL. */
function wideEncoding(bytes: Uint8Array): 'UTF-16' | 'UTF-32' | undefined {
  const [a = 1, b = 1, c = 1, d = 1] = bytes;
  if ((a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff))
    return 'UTF-32';
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return 'UTF-16';
  const start = bytes.subarray(0, 64);
  if (start.length < 4 || start.length % 2 !== 0) return undefined;
  const nulsAt = (rest: number): number => start.filter((byte, at) => at % 2 === rest && byte === 0).length;
  const [even, odd] = [nulsAt(0), nulsAt(1)];
  return Math.max(even, odd) > start.length * 0.4 && Math.min(even, odd) === 0 ? 'UTF-16' : undefined;
}

export const START: Spot = { line: 1, column: 1 };

/** The spot of a UTF-16 offset. */
export function spotAt(text: string, offset: number): Spot {
  let line = 1;
  let lineStart = 0;
  for (let next = text.indexOf('\n'); next >= 0 && next < offset; next = text.indexOf('\n', next + 1)) {
    line += 1;
    lineStart = next + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

/** Where each line of a text starts. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', next + 1)) starts.push(next + 1);
  return starts;
}

/** A line without its end, and where it stands in its text. */
export interface TextLine {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export function linesOf(text: string): readonly TextLine[] {
  const starts = lineStarts(text);
  return starts.map((start, index) => {
    const end = (starts[index + 1] ?? text.length + 1) - 1;
    return { text: text.slice(start, end), start, end };
  });
}

/** The line that an offset stands in, counted from 0. */
export function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** A text as `sourceText` gives it: without BOM, lines ended by LF. */
export function plainText(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}

function refused(spot: Spot, code: 'bad-encoding', reason: string): SourceText {
  return { text: undefined, problems: [{ code, reason, spot }] };
}

/** The place of the first byte that is not UTF-8. */
function invalidSpot(bytes: Uint8Array): Spot {
  let line = 1;
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    if (utf8Text(bytes.subarray(start, end)) === undefined) break;
    line += 1;
    start = end + 1;
  }
  const end = bytes.indexOf(10, start);
  const rest = bytes.subarray(start, end < 0 ? bytes.length : end);
  let good = 0;
  let bad = rest.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (prefix(rest.subarray(0, middle)) === undefined) bad = middle;
    else good = middle;
  }
  return { line, column: (prefix(rest.subarray(0, good)) ?? '').length + 1 };
}

/** Decodes bytes that may end inside a character. */
function prefix(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

import { yaml } from '../parsers.ts';

/** A value as front matter holds it: a text, a number, a flag, a list of names, or null ("empty on purpose"). */
export type MatterValue = string | number | boolean | null | readonly string[];

export type MatterEntry = readonly [key: string, value: MatterValue];

/** `---` lines with these entries, in their order. */
export function newFrontMatter(entries: readonly MatterEntry[]): string {
  return ['---', ...entries.map(([key, value]) => `${key}: ${written(value)}`), '---', ''].join('\n');
}

/**
 * A file with other values for some keys and, if given, another body; everything else stays to the byte: comments, order,
 * quoting, line ends. A key that is not there is added at the end. `text` is the file as it is on disk; undefined when it
 * cannot be edited safely (no front matter, mixed line ends).
 */
export function editedFile(
  text: string,
  entries: readonly MatterEntry[],
  body: string | undefined,
): string | undefined {
  const isCrlf = text.includes('\r\n');
  const lines = isCrlf ? text.replaceAll('\r\n', '\n') : text;
  if (lines.includes('\r')) return undefined;
  if (isCrlf && lines.replaceAll('\n', '\r\n') !== text) return undefined;
  const found = FILE.exec(lines);
  if (found === null || found.index > 0) return undefined;
  const [, open = '', raw = '', close = '', before = ''] = found;
  const matter = edited(raw, entries);
  if (matter === undefined) return undefined;
  const after = body === undefined ? before : withBody(before, body);
  const fence = close.endsWith('\n') || after === '' ? close : `${close}\n`;
  const result = `${open}${matter}${fence}${after}`;
  return isCrlf ? result.replaceAll('\n', '\r\n') : result;
}

/** The body of a file that starts with front matter, with plain line ends. */
export function bodyOfFile(text: string): string | undefined {
  return FILE.exec(text.replaceAll('\r\n', '\n'))?.[4];
}

const FILE = /^(\uFEFF?---[^\S\n]*\n)([\s\S]*?)(^---[^\S\n]*(?:\n|$))([\s\S]*)$/m;

/** The blank lines between front matter and text are the author's. */
function withBody(before: string, body: string): string {
  const gap = /^(?:[^\S\n]*\n)*/.exec(before)?.[0] ?? '';
  return body === '' ? '' : `${gap === '' && before.trim() === '' ? '\n' : gap}${body}`;
}

function edited(raw: string, entries: readonly MatterEntry[]): string | undefined {
  let text = raw;
  for (const [key, value] of entries) {
    const next = withEntry(text, key, value);
    if (next === undefined) return undefined;
    text = next;
  }
  return text;
}

/** One entry at a time, because each edit moves the places of the others. */
function withEntry(raw: string, key: string, value: MatterValue): string | undefined {
  const { isMap, isScalar, isSeq, parseDocument } = yaml();
  const document = parseDocument(raw, { schema: 'core', logLevel: 'silent' });
  if (document.errors.length > 0) return undefined;
  const root = document.contents;
  const pair = isMap(root)
    ? root.items.find((item) => isScalar(item.key) && item.key.value === key)
    : undefined;
  const isEmptyRoot = root === null || raw.trim() === '';
  if (pair === undefined) {
    if (!isEmptyRoot && !(isMap(root) && root.flow !== true)) return undefined;
    return `${raw}${raw === '' || raw.endsWith('\n') ? '' : '\n'}${key}: ${written(value)}\n`;
  }
  const node = pair.value;
  const keyRange = isScalar(pair.key) ? pair.key.range : undefined;
  if (keyRange === null || keyRange === undefined) return undefined;
  const colon = raw.indexOf(':', keyRange[1]);
  if (!isScalar(node) && !isSeq(node)) return undefined;
  const range = node.range;
  if (range === null || range === undefined || colon < 0) return undefined;
  if (node.anchor !== undefined || node.tag !== undefined) return undefined;
  if (isSeq(node) && node.flow !== true) return withItems(raw, { start: colon + 1, end: range[1] }, value);
  const isBlock = isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED');
  const start = isBlock || range[0] <= colon + 1 ? colon + 1 : range[0];
  const quote =
    isScalar(node) && node.type === 'QUOTE_SINGLE'
      ? "'"
      : isScalar(node) && node.type === 'QUOTE_DOUBLE'
        ? '"'
        : undefined;
  const blank = start === colon + 1 ? ' ' : '';
  const tail = raw.slice(range[1]);
  const isCut = isBlock && !tail.startsWith('\n');
  const gap = start === range[1] && tail !== '' && !/^\s/.test(tail) ? ' ' : '';
  return `${raw.slice(0, start)}${blank}${written(value, quote)}${isCut ? '\n' : gap}${tail}`;
}

/** A list of one item a line stays one; items that stay keep their line with its comment. */
function withItems(
  raw: string,
  at: { readonly start: number; readonly end: number },
  value: MatterValue,
): string | undefined {
  const block = raw.slice(at.start, at.end);
  const isWhole = block.endsWith('\n');
  if (!isList(value) || value.length === 0) {
    return `${raw.slice(0, at.start)} ${written(value)}${isWhole ? '\n' : ''}${raw.slice(at.end)}`;
  }
  // The last line's comment lies behind the range of the list.
  const lineEnd = isWhole ? at.end : raw.indexOf('\n', at.end);
  const end = lineEnd < 0 ? raw.length : lineEnd;
  const lines = raw.slice(at.start, end).replace(/\n$/, '').split('\n');
  const items = lines.filter((line) => /^\s*-\s/.test(line));
  const indent = /^\s*/.exec(items[0] ?? '')?.[0] ?? '';
  const nameOf = (line: string): string => {
    const parsed: unknown = yaml().parse(line.trim().slice(1), { schema: 'failsafe' });
    return typeof parsed === 'string' ? parsed : '';
  };
  const kept = new Map(items.map((line) => [nameOf(line), line]));
  const next = value.map((item) => kept.get(item) ?? `${indent}- ${written(item)}`);
  return `${raw.slice(0, at.start)}\n${next.join('\n')}${isWhole ? '\n' : ''}${raw.slice(end)}`;
}

/** Words that YAML or a person could take for something else than a text. */
const PLAIN = /^[\p{L}_](?:[\p{L}\p{M}\p{N} ,.()'/!?%+_&-]*[\p{L}\p{M}\p{N}.)!?%])?$/u;
const DATE = /^\d{4}-\d\d-\d\d$/;
const NOT_TEXT = /^(?:true|false|null|yes|no|on|off|y|n|\.inf|\.nan)$/i;

function written(value: MatterValue, quote?: '"' | "'"): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (isList(value)) return `[${value.map((item) => writtenItem(item)).join(', ')}]`;
  if (quote === "'" && !/[\p{Cc}\u2028\u2029\uFEFF]/u.test(value)) return `'${value.replaceAll("'", "''")}'`;
  if (quote === undefined && (DATE.test(value) || (PLAIN.test(value) && !NOT_TEXT.test(value)))) return value;
  return quoted(value);
}

function writtenItem(item: string): string {
  return PLAIN.test(item) && !NOT_TEXT.test(item) && !item.includes(',') ? item : quoted(item);
}

/** YAML's double quotes know JSON's escapes; what parsers differ on is escaped as well. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007F-\u009F\u2028\u2029\uFEFF]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function isList(value: MatterValue): value is readonly string[] {
  return typeof value === 'object' && value !== null;
}

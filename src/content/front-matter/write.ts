import { smolToml, yaml } from '../parsers.ts';
import { metadata } from './metadata.ts';

/** A value as front matter holds it: a text, a number, a flag, a list of names, or null ("empty on purpose"). */
export type MatterValue = string | number | boolean | null | readonly string[];

export type MatterEntry = readonly [key: string, value: MatterValue];

/** `---` lines with these entries, in their order. */
export function newFrontMatter(entries: readonly MatterEntry[]): string {
  return ['---', ...entries.map(([key, value]) => `${key}: ${written(value)}`), '---', ''].join('\n');
}

/**
 * A file with other values for some keys and, if given, another body; everything else stays to the byte: comments, order,
 * quoting, line ends. A key that is not there is added at the end; `sidebar.order` is a key inside of one. `text` is the
 * file as it is on disk; undefined if it cannot be edited safely (mixed line ends, values that are not plain, keys without `---`).
 */
export function editedFile(
  text: string,
  entries: readonly MatterEntry[],
  body: ((before: string) => string) | undefined,
): string | undefined {
  const isCrlf = text.includes('\r\n');
  const lines = isCrlf ? text.replaceAll('\r\n', '\n') : text;
  if (lines.includes('\r')) return undefined;
  if (isCrlf && lines.replaceAll('\n', '\r\n') !== text) return undefined;
  const { mark, above, open, raw, close, body: before, form } = partsOf(lines);
  const matter = form === 'toml' ? editedToml(raw, entries) : edited(raw, entries);
  if (matter === undefined) return undefined;
  if (form === 'none' && matter !== '' && startsWithKeys(before)) return undefined;
  const after = body === undefined ? before : body(before);
  const isNew = form === 'none' && matter !== '';
  const gap = isNew && after !== '' && !after.startsWith('\n') ? '\n' : '';
  const [start, end] = isNew ? ['---\n', '---\n'] : [open, close];
  const fence = end === '' || end.endsWith('\n') || after === '' ? end : `${end}\n`;
  const result = `${mark}${above}${start}${matter}${fence}${gap}${after}`;
  return isCrlf ? result.replaceAll('\n', '\r\n') : result;
}

/** Keys that MkDocs and Pelican read without `---`: with YAML above them they would be text. */
function startsWithKeys(body: string): boolean {
  const { values } = metadata(body);
  return values.size > 1 || values.has('title');
}

/** The body of a file, with plain line ends. */
export function bodyOfFile(text: string): string {
  return partsOf(text.replaceAll('\r\n', '\n')).body;
}

/** A text's parts, with plain line ends; together they are the text. */
interface FileParts {
  readonly mark: string;
  readonly above: string;
  readonly open: string;
  readonly raw: string;
  readonly close: string;
  readonly body: string;
  readonly form: 'yaml' | 'toml' | 'none';
}

function partsOf(text: string): FileParts {
  const [, mark = '', above = '', rest = ''] =
    /^(\uFEFF?)((?:[^\S\n]*\n)*(?=---|\+\+\+))?([\s\S]*)$/.exec(text) ?? [];
  const found = FILE.exec(rest);
  if (found === null || found.index > 0) {
    return { mark, above: '', open: '', raw: '', close: '', body: `${above}${rest}`, form: 'none' };
  }
  const [, open = '', raw = '', close = '', body = ''] = found;
  return { mark, above, open, raw, close, body, form: open.startsWith('+') ? 'toml' : 'yaml' };
}

const FILE = /^((?:---|\+\+\+)[^\S\n]*\n)([\s\S]*?)(^(?:---|\+\+\+)[^\S\n]*(?:\n|$))([\s\S]*)$/m;

/** The blank lines between front matter and text are the author's. */
export function withGap(before: string, body: string): string {
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
  const dot = pair === undefined ? key.indexOf('.') : -1;
  if (dot > 0) return withInner(raw, [key.slice(0, dot), key.slice(dot + 1)], value);
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
  const quote = isScalar(node) ? quoteOf(node.type) : undefined;
  const blank = start === colon + 1 ? ' ' : '';
  const tail = raw.slice(range[1]);
  const isCut = isBlock && !tail.startsWith('\n');
  const gap = start === range[1] && tail !== '' && !/^\s/.test(tail) ? ' ' : '';
  return `${raw.slice(0, start)}${blank}${written(value, quote)}${isCut ? '\n' : gap}${tail}`;
}

/** A key inside of a map: `sidebar.order`. */
function withInner(
  raw: string,
  [outer, inner]: readonly [string, string],
  value: MatterValue,
): string | undefined {
  const { isMap, isScalar, parseDocument } = yaml();
  const root = parseDocument(raw, { schema: 'core', logLevel: 'silent' }).contents;
  if (root !== null && !isMap(root)) return undefined;
  const map = root?.items.find((item) => isScalar(item.key) && item.key.value === outer)?.value;
  if (map === undefined)
    return `${raw}${raw === '' || raw.endsWith('\n') ? '' : '\n'}${outer}:\n  ${inner}: ${written(value)}\n`;
  if (!isMap(map) || map.flow === true || map.range === null || map.range === undefined) return undefined;
  const pair = map.items.find((item) => isScalar(item.key) && item.key.value === inner);
  if (pair === undefined) {
    const first = map.range[0];
    const indent = raw.slice(raw.lastIndexOf('\n', first) + 1, first);
    return /^\s+$/.test(indent)
      ? `${raw.slice(0, first)}${inner}: ${written(value)}\n${indent}${raw.slice(first)}`
      : undefined;
  }
  const node = pair.value;
  if (!isScalar(node) || node.range === null || node.range === undefined) return undefined;
  if (node.anchor !== undefined || node.tag !== undefined || node.range[0] === node.range[1])
    return undefined;
  if (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED') return undefined;
  return `${raw.slice(0, node.range[0])}${written(value, quoteOf(node.type))}${raw.slice(node.range[1])}`;
}

function quoteOf(type: unknown): '"' | "'" | undefined {
  if (type === 'QUOTE_SINGLE') return "'";
  return type === 'QUOTE_DOUBLE' ? '"' : undefined;
}

/** TOML: one line for each key above the first table; a value of several lines is not edited. */
function editedToml(raw: string, entries: readonly MatterEntry[]): string | undefined {
  let text = raw;
  for (const [key, value] of entries) {
    const table = /^[^\S\n]*\[/m.exec(text)?.index ?? text.length;
    const head = text.slice(0, table);
    const name = key.replaceAll(/[^\w-]/g, '');
    if (name !== key || value === null) return undefined;
    const line = new RegExp(
      String.raw`^([^\S\n]*(?:"${name}"|'${name}'|${name})[^\S\n]*=[^\S\n]*)([^\n]*?)([^\S\n]*)$`,
      'm',
    ).exec(head);
    if (line === null) {
      const made = tomlValue(value, undefined);
      text = `${head}${head === '' || head.endsWith('\n') ? '' : '\n'}${name} = ${made}\n${text.slice(table)}`;
      continue;
    }
    const [all, start = '', rest = '', blanks = ''] = line;
    const old = oneLineToml(name, rest);
    if (old === undefined) return undefined;
    const comment = rest.slice(old.length);
    const after = head.slice(line.index + all.length);
    text = `${head.slice(0, line.index)}${start}${tomlValue(value, old)}${comment}${blanks}${after}${text.slice(table)}`;
  }
  return text;
}

/** The value at the start of `rest`, without the comment behind it; undefined if it goes on in the next line. */
function oneLineToml(name: string, rest: string): string | undefined {
  if (/^(?:"""|''')/.test(rest)) return undefined;
  const ends = [...rest.matchAll(/[^\S\n]*#/g)].map(({ index }) => index);
  return [...ends, rest.length]
    .map((end) => rest.slice(0, end))
    .find((value) => isToml(`${name} = ${value}`));
}

function isToml(text: string): boolean {
  try {
    smolToml().parse(text);
    return true;
  } catch {
    return false;
  }
}

function tomlValue(value: Exclude<MatterValue, null>, old: string | undefined): string {
  if (isList(value)) return `[${value.map((item) => tomlText(item)).join(', ')}]`;
  if (typeof value !== 'string') return String(value);
  if (DATE.test(value) && old !== undefined && DATE.test(old)) return value;
  return old?.startsWith("'") === true && !/['\p{Cc}]/u.test(value) ? `'${value}'` : tomlText(value);
}

/** TOML's basic strings know JSON's escapes but for the slash, which JSON.stringify does not escape. */
function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', String.raw`\u007f`);
}

/** A list with one item in each line keeps this form; items that stay keep their line and its comment. */
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

/** Texts that YAML, or a person, could read as another type. */
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

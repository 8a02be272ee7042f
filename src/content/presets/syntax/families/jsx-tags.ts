import { decodeHTMLStrict } from 'entities/decode';
import { behindBraces, literalText } from '../javascript.ts';
import type { TagArguments } from '../tag.ts';

/** A tag of HTML or JSX as it stands in the text. */
export interface WrittenTag {
  /** Empty: a fragment, `<>`. */
  readonly name: string;
  readonly form: 'open' | 'close' | 'self';
  readonly start: number;
  readonly end: number;
  readonly args: TagArguments;
}

const NAME = /[A-Za-z_$][\w$.:-]*/y;
const ATTRIBUTE_NAME = /[^\s"'<>/={}]+/y;
const UNQUOTED = /[^\s"'<>=`{}]+/y;

/** What is longer has lost its end, if it is not a text in quotes or a value in braces. */
const CHARS_MAX = 20_000;

/** Behind so many values without an end, one that has its end far away is none. */
const LOST_FAR_MAX = 8;
const LOST_MAX = 100;
const FAR_CHARS_MAX = 1_000_000;
const NEAR_CHARS_MAX = 500;

/**
 * The tags of a text in order, those inside another tag's attributes left out. A `<` that begins no whole tag is text.
 * `isText`: what stands there cannot begin a tag (code, comments).
 */
export function writtenTags(text: string, isText: (offset: number) => boolean): readonly WrittenTag[] {
  const tags: WrittenTag[] = [];
  const last = text.lastIndexOf('>');
  const room = { lost: 0 };
  for (let start = text.indexOf('<'); start >= 0 && start < last;) {
    const tag = isText(start) || isEscaped(text, start) ? undefined : tagAt(text, start, room);
    if (tag !== undefined) tags.push(tag);
    start = text.indexOf('<', tag?.end ?? start + 1);
  }
  return tags;
}

function isEscaped(text: string, start: number): boolean {
  let slashes = 0;
  while (text.charAt(start - slashes - 1) === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/** Values in braces that had no end. */
type Room = { lost: number };

function tagAt(text: string, start: number, room: Room): WrittenTag | undefined {
  if (text.startsWith('</', start)) {
    const [whole, name = ''] = /^<\/\s*([A-Za-z_$][\w$.:-]*)?\s*>/.exec(text.slice(start, start + 200)) ?? [];
    if (whole === undefined) return undefined;
    return { name, form: 'close', start, end: start + whole.length, args: { named: {}, positional: [] } };
  }
  if (text.startsWith('<>', start)) {
    return { name: '', form: 'open', start, end: start + 2, args: { named: {}, positional: [] } };
  }
  const name = matchAt(NAME, text, start + 1);
  // `<https://…>` is an address.
  if (name === '' || /^[A-Za-z][\w+.-]*:$/.test(name)) return undefined;
  const named: Record<string, string> = {};
  const computed: Record<string, string> = {};
  let limit = start + CHARS_MAX;
  for (let at = start + 1 + name.length; at < text.length && at < limit;) {
    const char = text.charAt(at);
    if (char === '>' || text.startsWith('/>', at)) {
      const form = char === '>' ? 'open' : 'self';
      const end = at + (char === '>' ? 1 : 2);
      return { name, form, start, end, args: { named, positional: [], computed } };
    }
    if (char === '/' || BLANK.test(char)) {
      at += 1;
      continue;
    }
    if (char === '{') {
      // `{...props}`, or a comment.
      at = behindValue(text, at, limit, room);
      if (at < 0) return undefined;
      continue;
    }
    const key = matchAt(ATTRIBUTE_NAME, text, at);
    if (key === '' || (!BLANK.test(text.charAt(at - 1)) && !/["'}]/.test(text.charAt(at - 1))))
      return undefined;
    const equals = /^\s*=\s*/.exec(text.slice(at + key.length, at + key.length + 50))?.[0];
    at += key.length;
    if (equals === undefined) {
      named[key] = '';
      continue;
    }
    at += equals.length;
    const value = valueAt(text, at, limit, room);
    if (value === undefined) return undefined;
    if (value.text === undefined) computed[key] = text.slice(at + 1, value.end - 1).trim();
    else named[key] = value.text;
    // A text in quotes and a value in braces have their ends, however long they are.
    if (value.end > limit) limit = value.end + CHARS_MAX;
    at = value.end;
  }
  return undefined;
}

const BLANK = /\s/;

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/** An attribute's value; `text` is undefined where it is computed. */
function valueAt(
  text: string,
  at: number,
  limit: number,
  room: Room,
): { readonly text?: string; readonly end: number } | undefined {
  const quote = text.charAt(at);
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, at + 1);
    return end < 0 || end >= limit ? undefined : { text: plain(text.slice(at + 1, end)), end: end + 1 };
  }
  if (quote === '{') {
    const end = behindText(text, at) ?? behindValue(text, at, limit, room);
    if (end < 0) return undefined;
    const literal = literalText(text.slice(at + 1, end - 1));
    return literal === undefined ? { end } : { text: literal, end };
  }
  const word = matchAt(UNQUOTED, text, at);
  return word === '' ? undefined : { text: word, end: at + word.length };
}

/** A table of a component can be longer than any tag around it. */
function behindValue(text: string, at: number, limit: number, room: Room): number {
  const near = Math.min(limit, at + (room.lost < LOST_MAX ? CHARS_MAX : NEAR_CHARS_MAX));
  const end = behindBraces(text, at, room.lost < LOST_FAR_MAX ? at + FAR_CHARS_MAX : near);
  if (end < 0) room.lost += 1;
  return end;
}

const TEXT_IN_BRACES = /\{\s*(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')\s*\}/y;

/** Behind `{"text"}`; undefined: something else is in the braces. */
function behindText(text: string, at: number): number | undefined {
  TEXT_IN_BRACES.lastIndex = at;
  return TEXT_IN_BRACES.test(text) ? TEXT_IN_BRACES.lastIndex : undefined;
}

/** JSX knows the entities of HTML; a title needs no blank that does not break. */
function plain(value: string): string {
  return value.includes('&') ? decodeHTMLStrict(value).replaceAll('\u00A0', ' ') : value;
}

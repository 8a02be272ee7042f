import { sourceWords } from '../../../../markdown/losses.ts';
import type { DialectContext, Edit } from '../../../preset.ts';
import { NOTHING } from '../../family.ts';
import type { Found, Source } from '../../family.ts';
import { watchAddress } from '../../parts/media.ts';
import { link, markdownText } from '../../parts/part-rule.ts';
import type { Meaning, Part, Tag, TagSyntax } from '../../tag.ts';
import { shortcodeCalls } from '../shortcodes.ts';
import { anchor, attributesIn, bracesAt, isShown } from './attributes.ts';
import type { Attributes } from './attributes.ts';
import { pageMeta, shownMeta } from './page-meta.ts';

/** Signs at which something of Pandoc may begin or end, and blank lines, which end all of it. */
const SIGNS =
  /\\@ref\(([\w:.-]{1,200})\)|\\[^A-Za-z\n]|\\[A-Za-z]+|\n[ \t>]*(?=\n)|\^\[|\[|\]|\^|~|@(?=[\w{])|\(\\#([\w:-]{1,200})\)|\(ref:([\w-]{1,200})\)/g;
const ADDRESS = /\((?:[^()\n\\]|\\.|\([^()\n]{0,500}\)){0,1000}\)/y;
const CITED = /\[((?:[^[\]\n\\`]|\n(?![ \t>]*\n)){0,1000})\](?![({[:])/y;
const KEY =
  /@(?:\{([^{}\s]{1,200})\}|([\p{L}\p{N}_](?:[\p{L}\p{N}_]|[:.#$%&\-+?<>~/](?=[\p{L}\p{N}_])){0,200}))/uy;
const RAISED = /\^([^\s^\\[\]`]{1,100})\^/y;
const LOWERED = /~([^\s~\\[\]`]{1,100})~(?!~)/y;
const NOTES_MAX = 2000;

interface Bracket {
  readonly start: number;
  readonly kind: 'text' | 'picture' | 'note';
  /** Edits before it. */
  readonly edits: number;
}

/** What Pandoc, Quarto and bookdown write in a line: spans and links with attributes, notes, `x^2^`, references and citations; ids of headings. */
export function pandocInline(source: Source): Found {
  const { body, context, isTaken } = source;
  const edits: Edit[] = [];
  const notes: string[] = [];
  const unshown = { words: 0 };
  headingAttributes(source, edits);
  scan(source, { from: 0, to: body.length, edits, notes, isNote: false, unshown });
  if (body.includes('{#eq-'))
    for (const { 0: whole, 1: id = '', index } of body.matchAll(
      /(?<=\$\$)[ \t]*\{#(eq-[\w-]{1,200})[^{}\n]{0,200}\}/g,
    ))
      if (!isTaken(index)) edits.push({ start: index, end: index + whole.length, text: ` ${anchor(id)}` });
  const tags = shortcodeTags(source, edits);
  if (notes.length > 0)
    edits.push({ start: body.length, end: body.length, text: `\n\n${notes.join('\n\n')}\n` });
  const list = referenceList(source, context);
  if (list !== undefined) edits.push(list);
  return edits.length + tags.length === 0 ? NOTHING : { edits, tags, wordsUnshown: unshown.words };
}

interface Scan {
  readonly from: number;
  readonly to: number;
  readonly edits: Edit[];
  readonly notes: string[];
  readonly unshown: { words: number };
  /** Inside a note, no note begins. */
  readonly isNote: boolean;
}

function scan(source: Source, { from, to, edits, notes, isNote, unshown }: Scan): void {
  const { body, context, isTaken } = source;
  const open: Bracket[] = [];
  const signs = new RegExp(SIGNS);
  signs.lastIndex = from;
  for (let found = signs.exec(body); found !== null && found.index < to; found = signs.exec(body)) {
    const [sign, ref, defined, textReference] = found;
    const at = found.index;
    if (sign.startsWith('\n')) {
      open.length = 0;
      continue;
    }
    if (isTaken(at)) continue;
    const end = at + sign.length;
    if (ref !== undefined) edits.push({ start: at, end, text: reference(context, ref, '') ?? sign });
    else if (defined !== undefined) edits.push({ start: at, end, text: anchor(defined) });
    else if (textReference !== undefined) {
      const text = context.page?.value?.(context.page.file, 'text', [textReference]);
      const lineStart = body.lastIndexOf('\n', at) + 1;
      const isDefinition = body.slice(lineStart, at).trim() === '';
      if (isDefinition) edits.push({ start: at, end: lineEnd(body, end), text: '' });
      else if (typeof text === 'string') edits.push({ start: at, end, text });
    } else if (sign.startsWith('\\')) {
      // Commands of TeX are for other formats; `\` before a sign makes it a sign.
      const command = /^\\[A-Za-z]/.test(sign) ? texCommand(body, at) : undefined;
      if (command !== undefined) {
        edits.push({ start: at, end: command, text: '' });
        signs.lastIndex = command;
      }
    } else if (sign === '^[') {
      if (!isNote) open.push({ start: at, kind: 'note', edits: edits.length });
    } else if (sign === '[') {
      const cited = citedAt(source, at);
      if (cited !== undefined) {
        edits.push(cited);
        signs.lastIndex = cited.end;
      } else
        open.push({ start: at, kind: body.charAt(at - 1) === '!' ? 'picture' : 'text', edits: edits.length });
    } else if (sign === ']') {
      const bracket = open.pop();
      if (bracket !== undefined) closed(source, bracket, at, { edits, notes, signs, unshown });
    } else if (sign === '@') {
      const key = keyAt(body, at);
      if (key === undefined || /[\p{L}\p{N}_./@-]/u.test(body.charAt(at - 1))) continue;
      const text = reference(context, key.key, undefined) ?? citation(context, key.key);
      if (text !== undefined) edits.push({ start: at, end: key.end, text });
      signs.lastIndex = key.end;
    } else {
      const pattern = sign === '^' ? RAISED : LOWERED;
      pattern.lastIndex = at;
      const [whole, inside = ''] =
        (sign === '~' && body.charAt(at - 1) === '~' ? null : pattern.exec(body)) ?? [];
      if (whole === undefined) {
        // A run of tildes is passed as a whole.
        while (body.charAt(signs.lastIndex) === '~') signs.lastIndex += 1;
        continue;
      }
      const tag = sign === '^' ? 'sup' : 'sub';
      edits.push({ start: at, end: at + whole.length, text: `<${tag}>${inside}</${tag}>` });
      signs.lastIndex = at + whole.length;
    }
  }
}

/** Behind `\name[…]{…}` where that is a command alone in its line or one with braces; undefined: it is text. */
function texCommand(body: string, at: number): number | undefined {
  COMMAND.lastIndex = at;
  const [whole, braces] = COMMAND.exec(body) ?? [];
  if (whole === undefined) return undefined;
  const end = at + whole.length;
  return braces !== undefined || isAloneInLine(body, at, end) ? end : undefined;
}

/** Looks at the blanks around it alone: a line may be as long as the page, and full of commands. */
function isAloneInLine(body: string, start: number, end: number): boolean {
  let before = start;
  while (before > 0 && BLANK.test(body.charAt(before - 1))) before -= 1;
  let behind = end;
  while (behind < body.length && BLANK.test(body.charAt(behind))) behind += 1;
  return (
    (before === 0 || body.charAt(before - 1) === '\n') &&
    (behind === body.length || body.charAt(behind) === '\n')
  );
}

const BLANK = /[^\S\n]/;

const COMMAND = /\\[A-Za-z]{1,60}\*?(?:\[[^\][\n]{0,200}\])?(\{[^{}\n]{0,500}\}){0,4}/y;

function lineEnd(body: string, from: number): number {
  const newline = body.indexOf('\n', from);
  return newline < 0 ? body.length : newline;
}

interface Growing {
  readonly unshown: { words: number };
  readonly edits: Edit[];
  readonly notes: string[];
  readonly signs: RegExp;
}

/** `]` with what stands behind it. */
function closed(
  source: Source,
  bracket: Bracket,
  at: number,
  { edits, notes, signs, unshown }: Growing,
): void {
  const { body, context } = source;
  const { start, kind } = bracket;
  if (kind === 'note') {
    edits.length = bracket.edits;
    if (notes.length >= NOTES_MAX) return;
    const own: Edit[] = [];
    scan(source, { from: start + 2, to: at, edits: own, notes, isNote: true, unshown });
    const id = `note-${notes.length + 1}`;
    notes.push(`[^${id}]: ${spliced(body, start + 2, at, own).replaceAll(/(?<!\s)\s*\n[ \t>]*/g, ' ')}`);
    edits.push({ start, end: at + 1, text: `[^${id}]` });
    return;
  }
  const sign = body.charAt(at + 1);
  if (sign === '{' && kind === 'text') {
    const braces = bracesAt(body, at + 1);
    const attributes = braces === undefined ? undefined : attributesIn(braces.written);
    if (braces === undefined || attributes === undefined || isNothing(attributes)) return;
    const { end } = braces;
    unshown.words += sourceWords(braces.written);
    signs.lastIndex = end;
    if (!isShown(attributes, pageMeta(context))) {
      unshown.words += sourceWords(body.slice(start, at));
      edits.length = bracket.edits;
      edits.push({ start, end, text: '' });
      return;
    }
    const tag = attributes.classes.map((name) => SPANS.get(name)).find((name) => name !== undefined);
    const id = anchor(attributes.id);
    edits.push({ start, end: start + 1, text: id + (tag === undefined ? '' : `<${tag}>`) });
    edits.push({ start: at, end, text: tag === undefined ? '' : `</${tag}>` });
    return;
  }
  if (sign !== '(') return;
  const address = stickyAt(ADDRESS, body, at + 1);
  if (address === undefined) return;
  const behind = at + 1 + address.length;
  const braces = body.charAt(behind) === '{' ? bracesAt(body, behind) : undefined;
  const attributes = braces === undefined ? undefined : attributesIn(braces.written);
  const end = braces === undefined || attributes === undefined ? behind : braces.end;
  if (braces !== undefined && attributes !== undefined) unshown.words += sourceWords(braces.written);
  signs.lastIndex = end;
  if (kind === 'text') {
    if (end > behind) edits.push({ start: behind, end, text: '' });
    if (attributes?.id !== undefined) edits.push({ start, end: start, text: anchor(attributes.id) });
    return;
  }
  if (attributes !== undefined && !isShown(attributes, pageMeta(context))) {
    edits.length = bracket.edits;
    edits.push({ start: start - 1, end, text: '' });
    return;
  }
  picture(source, { start, at, behind, end, attributes, edits, before: bracket.edits });
}

interface Picture {
  readonly start: number;
  readonly at: number;
  readonly behind: number;
  readonly end: number;
  readonly attributes: Attributes | undefined;
  readonly edits: Edit[];
  readonly before: number;
}

/** A picture alone in its paragraph is a figure: its text is shown below it, with its number where it has an id. */
function picture(source: Source, { start, at, behind, end, attributes, edits, before }: Picture): void {
  const { body, context } = source;
  const lineStart = body.lastIndexOf('\n', start) + 1;
  const isApart =
    /^[ \t>]*!?$/.test(body.slice(lineStart, start)) &&
    body.slice(end, lineEnd(body, end)).trim() === '' &&
    /(?:^\s*|\n[ \t>]*\n|:::[^\n]*\n)$/.test(body.slice(Math.max(0, lineStart - 200), lineStart)) &&
    /^(?:\n[ \t>]*(?:\n|$)|\n[ \t>]*:::|$)/.test(body.slice(lineEnd(body, end), lineEnd(body, end) + 100));
  const caption = body.slice(start + 1, at);
  const alt = attributes?.named.get('fig-alt') ?? attributes?.named.get('alt');
  const id = anchor(attributes?.id);
  if (end > behind) edits.push({ start: behind, end, text: '' });
  if (id !== '') edits.push({ start: start - 1, end: start - 1, text: isApart ? `${id}\n\n` : id });
  if (!isApart || caption.trim() === '') {
    if (alt !== undefined && caption.trim() === '')
      edits.push({ start: start + 1, end: at, text: markdownText(alt) });
    return;
  }
  const number = shownNumber(context, attributes?.id);
  const shown = spliced(
    body,
    start + 1,
    at,
    edits.slice(before).filter((edit) => edit.start > start && edit.end <= at),
  );
  if (alt !== undefined) {
    edits.splice(
      before,
      edits.length - before,
      ...edits.slice(before).filter((edit) => edit.start <= start || edit.start >= at),
    );
    edits.push({ start: start + 1, end: at, text: markdownText(alt) });
  }
  const lead = body.slice(lineStart, start - 1);
  edits.push({
    start: end,
    end,
    text: `\n${lead}\n${lead}<em>${number}${shown.replaceAll(/(?<!\s)\s*\n[ \t>]*/g, ' ')}</em>`,
  });
}

function shownNumber({ page }: DialectContext, id: string | undefined): string {
  const number = id === undefined ? undefined : page?.value?.(page.file, 'number', [id]);
  return typeof number === 'string' ? `${number}: ` : '';
}

/** A piece of the body with edits of it. */
function spliced(body: string, from: number, to: number, edits: readonly Edit[]): string {
  let text = '';
  let cursor = from;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    if (edit.start < cursor || edit.end > to) continue;
    text += body.slice(cursor, edit.start) + edit.text;
    cursor = edit.end;
  }
  return text + body.slice(cursor, to);
}

function stickyAt(pattern: RegExp, body: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(body)?.[0];
}

function isNothing({ id, classes, named }: Attributes): boolean {
  return id === undefined && classes.length + named.size === 0;
}

const SPANS: ReadonlyMap<string, string> = new Map([
  ['underline', 'u'],
  ['ul', 'u'],
  ['mark', 'mark'],
  ['kbd', 'kbd'],
]);

function keyAt(body: string, at: number): { readonly key: string; readonly end: number } | undefined {
  KEY.lastIndex = at;
  const [whole = '', braced, bare] = KEY.exec(body) ?? [];
  const key = braced ?? bare;
  return key === undefined ? undefined : { key, end: at + whole.length };
}

/** `[@fig-a]`, `[-@fig-a]`, `[see @knuth84, p. 3; @lamport]`. */
function citedAt({ body, context }: Source, at: number): Edit | undefined {
  CITED.lastIndex = at;
  const [whole, inside = ''] = CITED.exec(body) ?? [];
  if (whole === undefined || !inside.includes('@')) return undefined;
  const pieces = inside.split(';').map((piece) => {
    const sign = piece.search(/(?<![\p{L}\p{N}_.])@/u);
    const key = sign < 0 ? undefined : keyAt(piece, sign);
    return { piece, sign, key };
  });
  if (pieces.some(({ key }) => key === undefined)) return undefined;
  const shown: string[] = [];
  let isReference = true;
  for (const { piece, sign, key } of pieces) {
    const isBare = piece.charAt(sign - 1) === '-';
    const prefix = piece
      .slice(0, isBare ? sign - 1 : sign)
      .replaceAll(/\s+/g, ' ')
      .trimStart();
    const behind = key === undefined ? '' : piece.slice(key.end).replaceAll(/\s+/g, ' ').trimEnd();
    const own = prefix.trim() === '' && !isBare ? undefined : prefix;
    const found = reference(context, key?.key ?? '', own);
    if (found === undefined) isReference = false;
    const text = found === undefined ? citation(context, key?.key ?? '', { isBare }) : `${found}${behind}`;
    if (text === undefined) return undefined;
    shown.push(found === undefined ? `${prefix}${text}${behind}` : text);
  }
  const end = at + whole.length;
  return { start: at, end, text: isReference ? shown.join(', ') : `(${shown.join('; ')})` };
}

/** A link to a figure, a table, a part; `prefix`: what stands in place of its kind. Undefined: nothing has this name. */
function reference({ page }: DialectContext, label: string, prefix: string | undefined): string | undefined {
  const address = page?.value?.(page.file, 'ref', [label]);
  if (typeof address !== 'string') return undefined;
  const text = page?.value?.(page.file, prefix === undefined ? 'shown' : 'count', [label]);
  return link(`${prefix ?? ''}${typeof text === 'string' ? text : label}`, address);
}

/** As Quarto shows it without a style of its own: by author and year. Undefined: the site has no list of works that kbsync reads. */
function citation(
  { page }: DialectContext,
  key: string,
  { isBare }: { readonly isBare?: boolean } = {},
): string | undefined {
  const form = isBare === undefined ? 'cite-text' : isBare ? 'cite-year' : 'cite';
  const text = page?.value?.(page.file, form, [key]);
  return typeof text === 'string' ? text : undefined;
}

/** The works that a page cites, where the page says or at its end. */
function referenceList({ body }: Source, { page }: DialectContext): Edit | undefined {
  const list =
    body.includes('@') || body.includes('#refs') ? page?.value?.(page.file, 'works', []) : undefined;
  if (typeof list !== 'string' || list === '') return undefined;
  const place = /^[ \t]*:{3,}[ \t]*\{[ \t]*#refs[^\n]*$/m.exec(body);
  const end = place === null ? body.length : place.index + place[0].length;
  return { start: end, end, text: `\n\n${list}\n` };
}

/** `{#id .class}` at the end of a heading: the id stays. */
function headingAttributes({ body, isTaken }: Source, edits: Edit[]): void {
  if (!body.includes('}')) return;
  for (let close = body.indexOf('}'); close >= 0; close = body.indexOf('}', close + 1)) {
    const end = lineEnd(body, close);
    if (body.slice(close + 1, end).trim() !== '') continue;
    const lineStart = body.lastIndexOf('\n', close) + 1;
    const open = body.lastIndexOf('{', close);
    if (open < lineStart || isTaken(open)) continue;
    const isHeading =
      /^[ \t>]{0,9}#{1,6}[ \t]/.test(body.slice(lineStart, lineStart + 20)) ||
      /^\n[ \t]{0,3}(?:=+|-+)[ \t]*(?:\n|$)/.test(body.slice(end, end + 300));
    if (!isHeading || body.slice(lineStart, open).endsWith(']')) continue;
    const attributes = attributesIn(body.slice(open + 1, close));
    if (attributes === undefined) continue;
    const start = open - (/[ \t]*$/.exec(body.slice(Math.max(lineStart, open - 50), open))?.[0].length ?? 0);
    edits.push({ start, end: close + 1, text: attributes.id === undefined ? '' : ` {#${attributes.id}}` });
  }
}

function shortcodeTags({ body, context, inCode }: Source, edits: Edit[]): readonly Tag[] {
  if (!body.includes('{{<')) return [];
  const syntax: TagSyntax = {
    what: 'shortcode',
    shown: ({ name }) => `{{< ${name} >}}`,
    meaning: (part) => shortcode(part, context),
  };
  const tags: Tag[] = [];
  // `{{{< name >}}}` shows `{{< name >}}`.
  for (const { 0: whole, index } of body.matchAll(/\{\{\{<[^\n{}]{0,500}>\}\}\}/g)) {
    const end = index + whole.length;
    edits.push({ start: index, end: index + 1, text: '' }, { start: end - 1, end, text: '' });
  }
  for (const { mark, name, args, start, end } of shortcodeCalls(body)) {
    if (mark !== '<' || (inCode(start) && !VALUES.has(name))) continue;
    tags.push({ syntax, name, form: 'self', args, start, end });
  }
  return tags;
}

/** They are read in code too. */
const VALUES = new Set(['meta', 'var', 'env', 'version']);

/** Quarto's own (https://quarto.org/docs/authoring/shortcodes.html). */
function shortcode({ tag: { name, args } }: Part, context: DialectContext): Meaning | undefined {
  const [first = '', second] = args.positional;
  const text = (value: string): Meaning => ({ as: 'text', text: value, isInline: true });
  switch (name) {
    case 'meta': {
      const value = shownMeta(context, first);
      return value === undefined ? undefined : text(value);
    }
    case 'var': {
      const value = context.page?.value?.(context.page.file, 'var', first.split('.'));
      return typeof value === 'string' ? text(value) : undefined;
    }
    case 'video': {
      const address = watchAddress(first);
      const title = args.named['title'];
      return {
        as: 'text',
        text:
          title === undefined && /^https?:/.test(address)
            ? `<${address}>`
            : link(title ?? first.replace(/^.*\//, ''), address),
      };
    }
    case 'kbd':
      return text(`<kbd>${markdownText(first === '' ? (Object.values(args.named)[0] ?? '') : first)}</kbd>`);
    case 'pagebreak':
    case 'fa':
    case 'bi':
    case 'iconify':
    case 'contents':
    case 'lipsum':
    case 'placeholder':
      return text('');
    case 'env':
      return second === undefined ? undefined : text(second);
    default:
      return undefined;
  }
}

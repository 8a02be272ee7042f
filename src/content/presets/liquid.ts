import { alertKind, alertMarker } from './alerts.ts';
import { inRanges } from './code-ranges.ts';
import type { Range } from './code-ranges.ts';
import { tagArguments, translateTags } from './components.ts';
import type { Meaning, Tag } from './components.ts';
import { translateExpressions } from './mdx.ts';
import type { DialectContext, Edit, Translation } from './preset.ts';

const TAG = /\{%-?\s*(\w+)([\s\S]{0,4000}?)-?%\}/g;

/**
 * Jekyll's Liquid, in code too, and kramdown's attribute lists. Known: `link`, `post_url`, `raw`, `comment`, `highlight`,
 * `site.baseurl`, `relative_url`, boxes by class (`{: .note }`); an `include` goes by its file's name.
 */
export function translateLiquid(body: string, context: DialectContext): Translation {
  const lists = attributeLists(body);
  if (!/\{[{%]/.test(body)) return { edits: lists, problems: [] };
  const tags: Tag[] = [];
  const raw: Range[] = [];
  let rawStart: number | undefined;
  for (const { 0: whole, 1: word = '', 2: rest = '', index } of body.matchAll(TAG)) {
    const end = index + whole.length;
    if (rawStart !== undefined && word !== 'endraw') continue;
    if (word === 'raw') rawStart = end;
    if (word === 'endraw' && rawStart !== undefined) {
      raw.push([rawStart, index]);
      rawStart = undefined;
    }
    const isClose = word.startsWith('end');
    const args = tagArguments(rest);
    const name =
      word === 'include' || word === 'include_relative'
        ? (args.positional[0] ?? word)
        : word.replace(/^end/, '');
    const form = isClose ? 'close' : BLOCKS.has(word) ? 'open' : 'self';
    tags.push({ name, form, start: index, end, args });
  }
  const inRaw = inRanges(raw);
  const isTag = inRanges(tags.map(({ start, end }) => [start, end]));
  const shown = ({ start, end }: Tag): string => body.slice(start, end).replaceAll(/\s+/g, ' ');
  const translated = translateTags(body, tags, { what: 'liquid tag', shown, meaning }, context);
  const outputs: Edit[] = [];
  const known: Range[] = [];
  for (const { 0: whole, 1: path, index } of body.matchAll(ADDRESS)) {
    if (inRaw(index)) continue;
    known.push([index, index + whole.length]);
    outputs.push({ start: index, end: index + whole.length, text: path ?? '' });
  }
  const isKnown = inRanges(known);
  const expressions = translateExpressions(body, /\{\{-?([^{}]{0,1000}?)-?\}\}/g, {
    skip: (offset) => inRaw(offset) || isTag(offset) || isKnown(offset),
    rules: context.rules,
  });
  return {
    edits: [...translated.edits, ...outputs, ...expressions.edits, ...lists],
    problems: [...translated.problems, ...expressions.problems],
  };
}

const BLOCKS = new Set(['raw', 'comment', 'highlight', 'if', 'for', 'unless', 'case', 'capture', 'tablerow']);
/** Addresses that only need the site's own root. */
const ADDRESS =
  /\{\{-?\s*(?:site\.(?:baseurl|url)|["']([^"']*)["']\s*\|\s*(?:relative_url|absolute_url))\s*-?\}\}/g;

function meaning({ name, args }: Tag): Meaning | undefined {
  const [first = ''] = args.positional;
  switch (name) {
    case 'link':
      return { as: 'text', text: `/${first.replace(/^\//, '')}` };
    case 'post_url':
      return { as: 'text', text: `/_posts/${first.replace(/^\//, '')}.md` };
    case 'raw':
      return { as: 'keep' };
    case 'comment':
      return { as: 'drop' };
    case 'highlight':
      return { as: 'wrap', open: `\`\`\`${first}`, close: '```' };
    default:
      return undefined;
  }
}

/** `{: .note }` above a paragraph or a quote makes it a box; other attribute lists have no meaning for us. */
function attributeLists(body: string): readonly Edit[] {
  if (!body.includes('{:')) return [];
  const edits: Edit[] = [];
  for (const { 0: whole, 1: lead = '', 2: inside = '', index } of body.matchAll(
    /^([ \t]*)\{:([^}\n]*)\}[ \t]*$/gm,
  )) {
    const start = index + lead.length;
    const end = index + whole.length;
    const kind = [...inside.matchAll(/\.([\w-]+)/g)]
      .map(([, name = '']) => alertKind(name.replace(/-title$/, '')))
      .find((found) => found !== undefined);
    const isAbove = index === 0 || /\n[^\S\n]*\n$|^\n$/.test(body.slice(Math.max(0, index - 80), index));
    if (kind === undefined || !isAbove) {
      edits.push({ start, end, text: '' });
      continue;
    }
    edits.push({ start, end, text: alertMarker({ kind }) });
    for (let line = end + 1; line < body.length;) {
      const newline = body.indexOf('\n', line);
      const lineEnd = newline < 0 ? body.length : newline;
      const text = body.slice(line, lineEnd);
      if (text.trim() === '') break;
      if (!/^\s*>/.test(text)) edits.push({ start: line, end: line, text: '> ' });
      line = lineEnd + 1;
    }
  }
  for (const { 0: whole, index } of body.matchAll(/(?<=[^\s{])\{:[^}\n]{0,200}\}/g)) {
    edits.push({ start: index, end: index + whole.length, text: '' });
  }
  return edits;
}

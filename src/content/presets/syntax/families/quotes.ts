import type { Edit } from '../../preset.ts';
import { NOTHING } from '../family.ts';
import type { Found, Source } from '../family.ts';
import { boxKind } from '../parts/boxes.ts';
import { boxTitle } from '../tokens.ts';

const MARKED = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*> ?)\[!([\p{L}-]+)\]([+-]?)[^\S\n]*(.*)$/gmu;

/**
 * Quotes with a mark: `> [!NOTE] Title` and `> [!NOTE]- Title` of Hugo and Obsidian, `> [!NOTE] Text` of Docsify and DocFX,
 * and kinds that GitHub does not know (`> [!INFO]`, `> [!EXAMPLE]`). What follows the mark in its line is a title where more lines follow,
 * and the text where none do.
 */
export function quotes(source: Source): Found {
  return marked(source, boxKind);
}

/** Hugo takes any word for a kind of alert, and Obsidian shows one that it does not know as a note. */
export function quotesOfAnyKind(source: Source): Found {
  return marked(source, (name) => boxKind(name) ?? 'note');
}

function marked({ body, isTaken }: Source, kindOf: typeof boxKind): Found {
  if (!body.includes('[!')) return NOTHING;
  const edits: Edit[] = [];
  for (const { 0: whole, 1: lead = '', 2: name = '', 3: fold = '', 4: rest = '', index } of body.matchAll(
    MARKED,
  )) {
    const start = index + lead.length;
    const kind = kindOf(name);
    if (kind === undefined || isTaken(start)) continue;
    const end = index + whole.length;
    const more = /^\n[ \t]*(?:>[ \t]*)+(?=[^\s>])/.test(body.slice(end, end + 200));
    const mark = `[!${kind.toUpperCase()}`;
    const isOwnName = name.toLowerCase() === kind;
    const isTitle = rest !== '' && (more || fold !== '');
    // A target of links stays one, in front of the text.
    const targets = isTitle ? (rest.match(/<a\s[^>]*\b(?:id|name)=[^>]*>\s*<\/a>/gi)?.join('') ?? '') : '';
    const title = isTitle ? boxTitle(rest) : isOwnName || KNOWN.has(name.toLowerCase()) ? '' : name;
    const text = `${mark}${title === '' ? '' : `|${title}`}]${isTitle || rest === '' ? targets : '\n'}`;
    // Text behind the mark stays where it is, so other rules reach the links in it.
    const replacedEnd = isTitle ? end : end - rest.length;
    if (text !== body.slice(start, replacedEnd)) edits.push({ start, end: replacedEnd, text });
  }
  return { edits };
}

/** Kinds whose own name would say nothing more than the kind's. */
const KNOWN = new Set([
  'info',
  'hint',
  'warn',
  'danger',
  'error',
  'attention',
  'success',
  'alert',
  'bug',
  'failure',
]);

import type { AlertKind } from '../labels.ts';
import type { Edit } from './preset.ts';

/** What generators call their boxes → what GitHub calls them. */
const KINDS: ReadonlyMap<string, AlertKind> = new Map([
  ...[
    'note',
    'info',
    'primary',
    'secondary',
    'abstract',
    'summary',
    'quote',
    'example',
    'question',
    'notice',
    'seealso',
  ].map((name) => [name, 'note'] as const),
  ...['tip', 'hint', 'success', 'check', 'best-practice'].map((name) => [name, 'tip'] as const),
  ...['important', 'attention'].map((name) => [name, 'important'] as const),
  ...['warning', 'warn', 'bug'].map((name) => [name, 'warning'] as const),
  ...['caution', 'danger', 'error', 'failure'].map((name) => [name, 'caution'] as const),
]);

export function alertKind(name: string): AlertKind | undefined {
  return KINDS.get(name.toLowerCase());
}

export interface Alert {
  readonly kind: AlertKind;
  /** Undefined: the kind's word in the language of the text. */
  readonly title?: string | undefined;
}

/** What opens and closes a box: the ranges of its two markers. */
export interface AlertBlock extends Alert {
  readonly open: readonly [start: number, end: number];
  readonly close: readonly [start: number, end: number];
}

/** `> [!NOTE|Title]`: the marker as our Markdown reads it, with a title in plain text. */
export function alertMarker({ kind, title }: Alert): string {
  const text = plainTitle(title ?? '');
  return `> [!${kind.toUpperCase()}${text === '' ? '' : `|${text}`}]`;
}

/** Markup in a title is left out: a title is one line of text, and a marker cannot hold more. */
function plainTitle(title: string): string {
  return title
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/[*`_~[\]<>\\&|]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Turns a box between two markers into a quote: the lines between get `> `, at the indent of the first marker. */
export function alertEdits(body: string, block: AlertBlock, label: string): readonly Edit[] {
  const [openStart, openEnd] = block.open;
  const [closeStart, closeEnd] = block.close;
  const lineStart = body.lastIndexOf('\n', openStart - 1) + 1;
  const before = body.slice(lineStart, openStart);
  const openLineEnd = lineEndAt(body, openEnd);
  const isAlone = /^\s*$/.test(body.slice(openEnd, Math.min(openLineEnd, closeStart)));
  const marker = isAlone && closeStart > openLineEnd ? alertMarker(block) : inlineMarker(block, label);
  const edits: Edit[] = [
    { start: openStart, end: isAlone ? Math.min(openLineEnd, closeStart) : openEnd, text: marker },
  ];
  const indent = before.replaceAll(/[^\s]/g, ' ').length;
  const closeLine = body.lastIndexOf('\n', closeStart - 1) + 1;
  const isCloseAlone = closeLine > openStart && /^[\s>]*$/.test(body.slice(closeLine, closeStart));
  for (
    let start = openLineEnd + 1;
    start <= closeLine && start < body.length;
    start = lineEndAt(body, start) + 1
  ) {
    if (start === closeLine && isCloseAlone) break;
    if (start > closeStart) break;
    const blanks = /^[ \t]*/.exec(body.slice(start, start + indent))?.[0].length ?? 0;
    edits.push({ start: start + blanks, end: start + blanks, text: '> ' });
  }
  edits.push({ start: closeStart, end: closeEnd, text: '' });
  return edits;
}

/** Quotes whose marker has a title or a fold mark, as Hugo and Obsidian have them: `> [!NOTE]- Title`. */
export function titledQuotes(body: string): readonly Edit[] {
  if (!body.includes('[!')) return [];
  return [...body.matchAll(TITLED)].flatMap(
    ({ 0: whole, 1: above = '', 2: name = '', 3: title = '', index }) => {
      const kind = alertKind(name);
      if (kind === undefined) return [];
      const start = index + above.length;
      // A target of links stays one, in front of the text.
      const targets = title.match(/<a\s[^>]*\b(?:id|name)=[^>]*>\s*<\/a>/gi)?.join('') ?? '';
      return [{ start, end: index + whole.length, text: `${alertMarker({ kind, title })}${targets}` }];
    },
  );
}

const TITLED = /^([ \t>]*)> ?\[!([A-Za-z-]+)\](?:[+-]?[^\S\n]*)(.*)$/gm;

function inlineMarker({ title }: Alert, label: string): string {
  return `> **${plainTitle(title ?? '') || label}** `;
}

function lineEndAt(body: string, offset: number): number {
  const end = body.indexOf('\n', offset);
  return end < 0 ? body.length : end;
}

import { nameFieldOf } from '../model/fields.ts';
import { lettersOf } from '../model/html/letters.ts';
import type { KnownRecord } from '../model/record.ts';

/**
 * Whether a service may have made this slug of one of these texts: of the slug that it was sent, or of the name. It spells them in
 * its own way, cuts them, or puts a number before or behind them. Or of the id, which is then a word of its own: `7` is the end of
 * many slugs that somebody else thought of.
 */
export function isMadeSlug(slug: string, sources: readonly unknown[], id?: string): boolean {
  const words = wordsOf(slug);
  const theirs = words.join('');
  if (theirs === '') return false;
  if (id !== undefined && hasWords(words, wordsOf(id))) return true;
  return sources.some((source) => {
    const ours = typeof source === 'string' ? wordsOf(source).join('') : '';
    return ours !== '' && (theirs.startsWith(ours) || theirs.endsWith(ours) || ours.startsWith(theirs));
  });
}

/**
 * Whether a record without a text may be what a service made of this one, by cutting its name and making the slug of one of them: its
 * name is a beginning that is long enough to tell one from another.
 */
export function isCutOf(
  sent: { readonly name: string; readonly slug: string },
  { kind, fields }: Pick<KnownRecord, 'kind' | 'fields'>,
): boolean {
  const [name, slug] = [String(fields[nameFieldOf(kind)]), String(fields['slug'])];
  const [ours, theirs] = [lettersOf(sent.name), lettersOf(name)];
  const isBeginning = theirs !== ours && ours.startsWith(theirs) && theirs.length >= CUT_LETTERS_MIN;
  return isBeginning && isMadeSlug(slug, [sent.slug, sent.name]);
}

const CUT_LETTERS_MIN = 10;

/** Whether some words stand in others, one behind the other. */
function hasWords(all: readonly string[], some: readonly string[]): boolean {
  return some.length > 0 && ` ${all.join(' ')} `.includes(` ${some.join(' ')} `);
}

function wordsOf(text: string): readonly string[] {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Numbers, and what else a service counts with. */
const COUNTING = /\p{N}|^[\da-f]{4,}$/u;

/** A text that a slug may have been made of, and what the service put before it or behind it. */
export interface MadeOf {
  readonly text: string;
  readonly added: string;
}

/** The texts, as `slugText` spells them, that a slug may have been made of, by adding words before them or behind them. */
export function madeOf(slug: string): readonly MadeOf[] {
  const words = wordsOf(slug);
  const added = (where: string, some: readonly string[]): string => {
    const kinds = some.map((word) => (COUNTING.test(word) ? '#' : word));
    return kinds.length === 0 ? '' : `${where} ${kinds.join(' ').replaceAll(/#(?: #)+/g, '#')}`;
  };
  return words.flatMap((_, at) => [
    { text: words.slice(at).join(' '), added: added('before', words.slice(0, at)) },
    ...(at === 0 ? [] : [{ text: words.slice(0, at).join(' '), added: added('behind', words.slice(at)) }]),
  ]);
}

export function slugText(text: unknown): string {
  return typeof text === 'string' ? wordsOf(text).join(' ') : '';
}

import { posix, relative, resolve, sep } from 'node:path';
import { decoded } from '../../model/address/percent.ts';
import { literalPattern } from '../../text/literal-pattern.ts';

/** How files of pages end. */
export const ENDING = /\.(?:md(?:x|oc)?|markdown|mdown|mkdn?|mkdown|qmd|rmd)$/i;

/** Where a name stands in a navigation, and what is written there in its place. */
export interface Spot {
  readonly at: number;
  readonly length: number;
  readonly next: string;
}

/** Whether a navigation (SUMMARY.md, docs.json, mkdocs.yml, …) names a page with its path, from its own folder or from the content's. */
export function isNamedIn(text: string, navigation: string, page: string): boolean {
  const names = namesOf(page, resolve('/', posix.dirname(navigation)));
  return names.some((name) => !isWord(name) && spotsOf(text, name, name).length > 0);
}

/** How a navigation in a folder (absolute, the content folder being `/`) may spell the path of a page, longest first. */
export function namesOf(page: string, folder: string): readonly string[] {
  const here = pathFrom(folder, resolve('/', page));
  return [here, page].flatMap((name) => [name, encodeURI(name), escaped(name), name.replace(ENDING, '')]);
}

/** As GitBook writes a path into SUMMARY.md. */
function escaped(name: string): string {
  return name.replaceAll('_', String.raw`\_`);
}

/** A path as it is written from a folder. */
export function pathFrom(folder: string, file: string): string {
  return relative(folder, file).split(sep).join('/');
}

/** A name without a folder and without an ending: it may as well be no page. */
export function isWord(name: string): boolean {
  return !name.includes('/') && !ENDING.test(name);
}

export function spotsOf(text: string, name: string, next: string): readonly Spot[] {
  // Not a part of a longer path, nor the last word of a name with spaces.
  const whole = new RegExp(
    `(?<![\\p{L}\\p{N}] )(?<![\\p{L}\\p{N}_./@%-]|\\p{L}:)(\\.?/)?${literalPattern(name).replaceAll('\\-', '-')}(?![\\p{L}\\p{N}_/%-]|\\.[\\p{L}\\p{N}_])`,
    'gu',
  );
  return [...text.matchAll(whole)].map(({ 0: { length }, 1: lead, index: at }) => {
    // A link of Markdown ends at a space.
    const end = text[at - 1] === '(' ? encodeURI(decoded(next)).replaceAll('%5C_', String.raw`\_`) : next;
    // `./` before a path that leaves the folder would be no path.
    return { at, length, next: lead === './' && end.startsWith('../') ? end : `${lead ?? ''}${end}` };
  });
}

/** A page under two paths, from the content folder. */
export interface Spellings {
  readonly old: string;
  readonly now: string;
  /** The same from the navigation's folder, before and after. */
  readonly oldHere: string;
  readonly nowHere: string;
}

/** How a navigation may spell the first path, with the second one in the same spelling. */
export function spellingsOf({
  old,
  now,
  oldHere,
  nowHere,
}: Spellings): readonly (readonly [name: string, next: string])[] {
  const plain = [
    [oldHere, nowHere],
    [old, now],
  ] as const;
  const whole = [
    ...plain,
    ...plain.map(([was, is]) => [encodeURI(was), encodeURI(is)] as const),
    // A new name without such a sign is written without the escape.
    ...plain.map(([was, is]) => [escaped(was), escaped(is)] as const),
  ];
  const bare = whole.map(([was, is]) => [was.replace(ENDING, ''), is.replace(ENDING, '')] as const);
  return [...whole, ...bare].filter(([was, is]) => was !== is);
}

import { posix, resolve } from 'node:path';
import type { Assembled } from '../assemble.ts';
import { isWord, pathFrom, spellingsOf, spotsOf } from '../navigations/names.ts';
import type { Spot, Spellings } from '../navigations/names.ts';
import type { NewNames } from './new-names.ts';

export interface NavigationInput {
  readonly found: NewNames;
  readonly before: Assembled;
  /** The content folder, absolute. */
  readonly root: string;
  /** Files beside the pages that the layout read: navigations, sidebars, settings. */
  readonly sideFiles: Iterable<string>;
  /** Gets the texts with new entries. */
  readonly texts: Map<string, string>;
  readonly read: (path: string) => string | undefined;
  /** What the folder says with the texts as they are: two equal answers are one outcome. */
  readonly outcome: () => string;
}

/**
 * The places in a navigation where moved pages are named (SUMMARY.md, docs.json, docs.yml, toc.yml, mkdocs.yml, sidebars.js) get the new
 * path; every other byte stays. Nothing is known here of what such a file means: the caller reads all of it again and compares.
 * One word may as well be a plugin, a theme, or a word of a comment, so it is a page only if the folder reads otherwise with the new name.
 */
export function renameEntries({
  found,
  before,
  root,
  sideFiles,
  texts,
  read,
  outcome,
}: NavigationInput): void {
  const words: { readonly place: string; readonly text: string; readonly spots: readonly Spot[] }[] = [];
  const above = (path: string): string => resolve(root, posix.dirname(path));
  for (const path of new Set(sideFiles)) {
    if (before.corpus.byPath.has(path)) continue;
    const place = found.files.get(path) ?? path;
    const was = texts.get(place) ?? read(path);
    if (was === undefined) continue;
    let text = was;
    const open: Spellings[] = [];
    for (const [old, now] of found.files) {
      if (!before.corpus.byPath.has(old)) continue;
      const oldHere = pathFrom(above(path), resolve(root, old));
      const entry = { old, now, oldHere, nowHere: pathFrom(above(place), resolve(root, now)) };
      const made = renamedIn(text, entry);
      if (made === undefined) open.push(entry);
      else text = made;
    }
    if (text !== was) texts.set(place, text);
    const spots = open.flatMap((entry) => wordsIn(text, entry));
    if (spots.length > 0 && spots.length <= WORDS_MAX) words.push({ place, text, spots });
  }
  for (const { place, text, spots } of words) {
    const chosen = telling(spots, { place, text, texts, outcome });
    if (chosen.length > 0) texts.set(place, withSpots(text, chosen));
  }
}

/** Each one is a reading of the whole folder. */
const WORDS_MAX = 12;

function telling(
  spots: readonly Spot[],
  {
    place,
    text,
    texts,
    outcome,
  }: { readonly place: string; readonly text: string } & Pick<NavigationInput, 'texts' | 'outcome'>,
): readonly Spot[] {
  const kept = texts.get(place);
  const without = outcome();
  const chosen = spots.filter((spot) => {
    texts.set(place, withSpots(text, [spot]));
    return outcome() !== without;
  });
  if (kept === undefined) texts.delete(place);
  else texts.set(place, kept);
  return chosen;
}

function withSpots(text: string, spots: readonly Spot[]): string {
  let made = text;
  for (const { at, length, next } of spots.toSorted((a, b) => b.at - a.at))
    made = `${made.slice(0, at)}${next}${made.slice(at + length)}`;
  return made;
}

/** With a path as it is written from the navigation's folder or from the content's, with its ending or without. */
function renamedIn(text: string, entry: Spellings): string | undefined {
  for (const [name, next] of spellingsOf(entry)) {
    const spots = isWord(name) ? [] : spotsOf(text, name, next);
    if (spots.length > 0) return withSpots(text, spots);
  }
  return undefined;
}

/** A name without a folder and without an ending. */
function wordsIn(text: string, entry: Spellings): readonly Spot[] {
  const spots = spellingsOf(entry)
    .filter(([name]) => isWord(name))
    .flatMap(([name, next]) => spotsOf(text, name, next));
  return [...new Map(spots.toReversed().map((spot) => [spot.at, spot])).values()];
}

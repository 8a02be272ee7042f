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
  /** How much of what navigations say of pages is still said with the texts as they are. */
  readonly kept: () => number;
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
  kept,
}: NavigationInput): void {
  const words: Group[] = [];
  const groups: Group[] = [];
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
    const inside = open.map((entry) => insideSpots(text, entry));
    const group = distinct(inside.flatMap(({ paths }) => paths));
    if (group.length > 0) groups.push({ place, text, spots: group });
    const spots = distinct([
      ...open.flatMap((entry) => wordsIn(text, entry)),
      ...inside.flatMap((found) => found.words),
    ]);
    if (spots.length > 0 && spots.length <= WORDS_MAX) words.push({ place, text, spots });
  }
  for (const { place, text, spots } of groups) {
    const without = kept();
    const before = texts.get(place);
    texts.set(place, withSpots(text, spots));
    if (kept() > without) continue;
    // Another folder's page of the same path.
    if (before === undefined) texts.delete(place);
    else texts.set(place, before);
  }
  for (const { place, text, spots } of words) {
    // With paths that are new by now, the words stand elsewhere: what was found in the text before is not theirs.
    if ((texts.get(place) ?? text) !== text) continue;
    const chosen = telling(spots, { place, text, texts, outcome });
    if (chosen.length > 0) texts.set(place, withSpots(text, chosen));
  }
}

interface Group {
  readonly place: string;
  readonly text: string;
  readonly spots: readonly Spot[];
}

/**
 * Paths that count from a folder of the pages below the content folder: Docusaurus names `docs/a/b.md` as `a/b`, wherever its sidebars
 * are. Another folder may have the same path, so the caller tries what is found.
 */
function insideSpots(
  text: string,
  { old, now }: Pick<Spellings, 'old' | 'now'>,
): { readonly paths: readonly Spot[]; readonly words: readonly Spot[] } {
  for (let end = old.indexOf('/'); end !== -1; end = old.indexOf('/', end + 1)) {
    const folder = old.slice(0, end + 1);
    if (!now.startsWith(folder)) break;
    const [was, is] = [old.slice(folder.length), now.slice(folder.length)];
    const spellings = spellingsOf({ old: was, now: is, oldHere: was, nowHere: is });
    const spotsWhere = (isWanted: (name: string) => boolean): readonly Spot[] =>
      distinct(
        spellings.filter(([name]) => isWanted(name)).flatMap(([name, next]) => spotsOf(text, name, next)),
      );
    const [paths, words] = [spotsWhere((name) => !isWord(name)), spotsWhere(isWord)];
    if (paths.length + words.length > 0) return { paths, words };
  }
  return { paths: [], words: [] };
}

function distinct(spots: readonly Spot[]): readonly Spot[] {
  return [...new Map(spots.toReversed().map((spot) => [spot.at, spot])).values()];
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
  return distinct(spots);
}

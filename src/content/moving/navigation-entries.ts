import { posix } from 'node:path';
import { decoded } from '../../model/address/percent.ts';
import type { Assembled } from '../assemble.ts';
import { literalPattern } from '../../text/literal-pattern.ts';
import type { NewNames } from './new-names.ts';

export interface NavigationInput {
  readonly found: NewNames;
  readonly before: Assembled;
  /** Files beside the pages that the layout read: navigations, sidebars, settings. */
  readonly sideFiles: Iterable<string>;
  /** Gets the texts with new entries. */
  readonly texts: Map<string, string>;
  readonly read: (path: string) => string | undefined;
}

const ENDING = /\.(?:mdx?|markdown)$/i;

/**
 * The places in a navigation where moved pages are named (SUMMARY.md, docs.json, docs.yml, toc.yml, mkdocs.yml, sidebars.js) get the new
 * path; every other byte stays. Nothing is known here of what such a file means: the caller reads all of it again and compares.
 */
export function renameEntries({ found, before, sideFiles, texts, read }: NavigationInput): void {
  for (const path of new Set(sideFiles)) {
    if (before.corpus.byPath.has(path)) continue;
    const place = found.files.get(path) ?? path;
    const was = texts.get(place) ?? read(path);
    if (was === undefined) continue;
    let text = was;
    for (const [old, now] of found.files) {
      if (!before.corpus.byPath.has(old)) continue;
      text = renamedIn(text, { old, now, from: posix.dirname(path), to: posix.dirname(place) });
    }
    if (text !== was) texts.set(place, text);
  }
}

interface Entry {
  readonly old: string;
  readonly now: string;
  /** The navigation's folder, before and after. */
  readonly from: string;
  readonly to: string;
}

/** Paths are written from the navigation's folder or from the content's, with their ending or without. */
function renamedIn(text: string, { old, now, from, to }: Entry): string {
  const plain = [
    [posix.relative(from, old), posix.relative(to, now)],
    [old, now],
  ] as const;
  const spellings = [...plain, ...plain.map(([was, is]) => [encodeURI(was), encodeURI(is)] as const)];
  for (const isBare of [false, true]) {
    for (const [was, is] of spellings) {
      const [name, next] = isBare ? [was.replace(ENDING, ''), is.replace(ENDING, '')] : [was, is];
      const whole = new RegExp(`(?<![\\w./@%-]|\\w:)(\\.?/)?${literalPattern(name)}(?![\\w/%-]|\\.\\w)`, 'g');
      // `./` before a path that leaves the folder would be no path.
      const made = text.replace(whole, (_, lead: string | undefined, at: number) => {
        // A link of Markdown ends at a space.
        const end = text[at - 1] === '(' ? encodeURI(decoded(next)) : next;
        return lead === './' && end.startsWith('../') ? end : `${lead ?? ''}${end}`;
      });
      if (made !== text) return made;
    }
  }
  return text;
}

import { hasWords, wordsFor } from './words/words-for.ts';
import type { Words } from './words/words.ts';

export type Theme = 'system' | 'light' | 'dark';

/** Who a page is made for. */
export interface Reader {
  /** Of the address: which articles, categories and tags are shown. */
  readonly language: string;
  /** Of what the site itself says: the same, or English where we have no words. */
  readonly spoken: string;
  readonly words: Words;
  readonly theme: Theme;
  /** Sees drafts, by a token. */
  readonly isPreview: boolean;
  /** Whether an article at a path is to be marked as changed. */
  readonly isChanged: (path: string) => boolean;
}

export function readerOf(
  language: string,
  {
    theme,
    isPreview,
    changed,
  }: {
    readonly theme: Theme;
    readonly isPreview: boolean;
    readonly changed?: ReadonlySet<string> | undefined;
  },
): Reader {
  const spoken = hasWords(language) ? language : 'en';
  return {
    language,
    spoken,
    words: wordsFor(spoken),
    theme,
    isPreview,
    isChanged: (path) => changed?.has(path) === true,
  };
}

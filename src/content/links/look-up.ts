import { inLanguage } from '../corpus/corpus.ts';
import type { Corpus, SourceFile, UnreadFile } from '../corpus/corpus.ts';

/** A document, the path of another file, or undefined. */
export function findTarget(
  corpus: Corpus,
  from: SourceFile,
  wanted: string,
): SourceFile | string | undefined {
  const here = lookUp(corpus, wanted);
  if (here !== undefined) return here;
  const inDefault = corpus.preset.inLanguage(wanted, corpus.defaultFolder);
  if (inDefault === undefined || inDefault === wanted) return undefined;
  const there = lookUp(corpus, inDefault);
  // A translated file may have another name: the record's translation is meant, not the file of the same name.
  return typeof there === 'object' ? (inLanguage(corpus, there, from.place.lang) ?? there) : there;
}

/** A file that a preset found: the record in the reader's language, where there is one. */
export function documentAt(
  corpus: Corpus,
  from: SourceFile,
  path: string | undefined,
): SourceFile | string | undefined {
  if (path === undefined) return undefined;
  const found = corpus.byPath.get(path);
  if (found === undefined) return corpus.assets.has(path) ? path : undefined;
  const isOther = found.place.lang !== from.place.lang && found.place.lang === corpus.defaultLanguage;
  return isOther ? (inLanguage(corpus, found, from.place.lang) ?? found) : found;
}

export function unreadAt(corpus: Corpus, wanted: string): UnreadFile | undefined {
  const { unread, preset } = corpus;
  if (unread.size === 0 || lookUp(corpus, wanted) !== undefined) return undefined;
  return [wanted, ...preset.linkTargets(wanted)]
    .map((path) => unread.get(path))
    .find((file) => file !== undefined);
}

function lookUp(corpus: Corpus, wanted: string): SourceFile | string | undefined {
  const exact = corpus.byPath.get(wanted);
  if (exact !== undefined) return exact;
  for (const path of corpus.preset.linkTargets(wanted)) {
    const document = corpus.byPath.get(path);
    if (document !== undefined) return document;
    if (corpus.assets.has(path)) return path;
  }
  return undefined;
}

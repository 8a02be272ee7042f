import { familyOf, keyIn } from '../../model/key.ts';
import type { Key } from '../../model/key.ts';
import type { Place } from '../../model/problem.ts';
import type { SourceDocument } from '../document/document.ts';
import type { Placement, Preset } from '../presets/preset.ts';
import type { Spot } from '../source-text.ts';

/** One file that makes a record. */
export interface SourceFile {
  /** Relative to the content folder, POSIX, NFC. */
  readonly path: string;
  /** As the disk spells it; absolute. */
  readonly diskPath: string;
  /** Relative to the working directory: what problems show. */
  readonly shown: string;
  readonly place: Extract<Placement, { readonly role: 'document' }>;
  readonly document: SourceDocument;
  readonly key: Key;
}

/** A record that other files name, without a file of its own. No file has a path that ends in a slash. */
export function isImplied({ path }: SourceFile): boolean {
  return path.endsWith('/');
}

/** A file that should make a record and cannot be read: its front matter is broken, or it is no text. */
export interface UnreadFile extends Pick<SourceFile, 'path' | 'shown' | 'place' | 'key'> {
  /** As far as the front matter can be made out, else of the file's name. */
  readonly slug: string;
}

/** All files of a run, with the look-ups that references and links need. */
export interface Corpus {
  readonly files: readonly SourceFile[];
  readonly defaultLanguage: string;
  readonly preset: Preset;
  /** What comes before a path of the tree when it is shown. */
  readonly shown: string;
  readonly byPath: ReadonlyMap<string, SourceFile>;
  readonly byKey: ReadonlyMap<Key, SourceFile>;
  /** By path. Links to them count as if they were there. */
  readonly unread: ReadonlyMap<string, UnreadFile>;
  /** Pages that their own generator does not publish, as their front matter says: why, by path. */
  readonly leftOut: ReadonlyMap<string, string>;
  /** Files that are no documents, by path: images, downloads. */
  readonly assets: ReadonlySet<string>;
  /** Whether a file is there, also one beside the content folder (`../images/a.png`) or in a folder that is not listed. */
  readonly exists: (path: string) => boolean;
  /** A file by its path from the root of the repository, as its path from the content folder; undefined: it is not there. */
  readonly inRepository: (path: string) => string | undefined;
  /** Whether a file that is not there is made by a build: git ignores it. */
  readonly isMade: (path: string) => boolean;
  /** Folder of the default language, where links of other languages may lead. */
  readonly defaultFolder: string;
}

/** The same record in another language. */
export function inLanguage(corpus: Corpus, file: SourceFile, lang: string): SourceFile | undefined {
  return corpus.byKey.get(keyIn(familyOf(file.key), lang));
}

/** The record that a translation translates; itself in the default language. */
export function originalOf(corpus: Corpus, file: SourceFile): SourceFile | undefined {
  return inLanguage(corpus, file, corpus.defaultLanguage);
}

export function slugOf(file: SourceFile): string {
  return String(file.document.fields['slug'] ?? file.place.defaultSlug);
}

export function placeOf(file: SourceFile, spot: Spot | undefined): Place {
  return { file: file.shown, line: spot?.line ?? 1, column: spot?.column ?? 1 };
}

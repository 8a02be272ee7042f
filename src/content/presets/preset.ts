import type { Kind } from '../../model/key.ts';

/** What a file is, by its place alone. */
export type Placement =
  | {
      readonly role: 'document';
      readonly kind: Kind;
      readonly lang: string;
      /** The folder of the language, so that the same file in another language can be found. */
      readonly languageFolder: string;
      /** Below the kind's folder, without extension and without `index`: the key path unless `translationKey` says otherwise. */
      readonly path: string;
      /** The last segment without its numeric prefix. */
      readonly defaultSlug: string;
      /** The numeric prefix of the last segment (`01-install` → 1). */
      readonly ordering?: number;
    }
  | { readonly role: 'asset' }
  | { readonly role: 'ignored' }
  | { readonly role: 'unexpected'; readonly reason: string; readonly suggestion?: string };

/** A repository layout. Pure: it sees paths, never files. */
export interface Preset {
  readonly name: string;
  /** `path` is relative to the content folder, POSIX, NFC. */
  readonly place: (path: string) => Placement;
  /** Where a link to `path` (already without query and anchor) may lead, best guess first. */
  readonly linkTargets: (path: string) => readonly string[];
  /** The same file in another language's folder; undefined when `path` is in no language's folder. */
  readonly inLanguage: (path: string, languageFolder: string) => string | undefined;
  /** The file that `kind` and `path` would have in a language. */
  readonly fileFor: (kind: Kind, path: string, lang: string) => string;
}

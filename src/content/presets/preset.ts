import type { Kind } from '../../model/key.ts';
import type { FrontMatterForm } from '../front-matter.ts';
import type { Labels } from '../labels.ts';
import type { LocalProblem, Spot } from '../source-text.ts';

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
      /** The numeric prefix of the last segment (`01-install` → 1), or what a file beside it says. */
      readonly ordering?: number;
      /** What a file beside it calls this page (a navigation); the front matter wins. */
      readonly title?: string;
      /** The place says that nobody may see it yet (Jekyll's `_drafts`). */
      readonly isDraft?: boolean;
      /** Markdown with JavaScript in it. */
      readonly isMdx?: boolean;
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
  /** Undefined for our own layout. */
  readonly foreign?: Foreign;
}

/** What another system's files need besides their places. */
export interface Foreign {
  readonly dialect: Dialect;
  /**
   * The file that a link of `from` means, by the system's own rules; `written` is without query and anchor, decoded.
   * Undefined: no file.
   */
  readonly target: (from: string, written: string) => string | undefined;
  /** A category that only exists as a folder. */
  readonly folder: (path: string) => { readonly name: string; readonly priority?: number | undefined };
  /** Changes when files change that are no documents but say something about documents. */
  readonly sideFiles: string;
  /** What is wrong with those files. `path` is relative to the content folder. */
  readonly problems: readonly { readonly path: string; readonly problem: LocalProblem }[];
}

/** How another system writes front matter and body. */
export interface Dialect {
  /** Changes whenever the same text may mean something else. */
  readonly version: string;
  readonly form: FrontMatterForm;
  /** Our field → the system's keys, best first; `!` before a key: a flag that means the opposite. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Keys that name addresses of the page from the root, besides the one its path gives. */
  readonly addressKeys: readonly string[];
  readonly hasCaselessKeys: boolean;
  /** A page without a title takes its first heading's; the heading is then no part of the text. */
  readonly hasHeadingTitles: boolean;
  /** The body as our Markdown, line for line. */
  readonly translate: (body: string, context: DialectContext) => Translation;
}

export interface DialectContext {
  readonly rules: ComponentRules;
  readonly labels: Labels;
  readonly isMdx: boolean;
}

/** By name: what becomes of a shortcode, component, include or container that is none of ours. */
export type ComponentRules = Readonly<Record<string, ComponentRule>>;
export type ComponentRule = 'drop' | 'keep' | { readonly replace: string };

export interface Translation {
  readonly edits: readonly Edit[];
  /** Spots count from the body's first line. */
  readonly problems: readonly LocalProblem[];
}

/** Puts `text` in place of what stands from `start` to `end`; both have the same number of line ends. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A body after its edits. */
export interface EditedText {
  readonly text: string;
  /** Where a spot of the new text stood in the old one. */
  readonly sourceSpot: (spot: Spot) => Spot;
}

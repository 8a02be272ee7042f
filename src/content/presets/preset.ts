import type { Kind } from '../../model/key.ts';
import type { FrontMatterForm } from '../front-matter/front-matter.ts';
import type { HeadingIdStyle } from '../markdown/heading-id.ts';
import type { MarkdownExtensions } from '../markdown/markdown.ts';
import type { Labels } from '../labels.ts';
import type { ComponentRules } from '../component-rules.ts';
import type { LocalProblem, Spot } from '../source-text.ts';
import type { PresetName } from './names.ts';

/** What a file is, by its place alone. */
export type Placement =
  | {
      readonly role: 'document';
      readonly kind: Kind;
      readonly lang: string;
      /** The folder of the language, so the same file in another language can be found. */
      readonly languageFolder: string;
      /** Below the kind's folder, without extension and without `index`: the key path unless `translationKey` says otherwise. */
      readonly path: string;
      /** The last segment without its numeric prefix. */
      readonly defaultSlug: string;
      /** The numeric prefix of the last segment (`01-install` → 1), or what a file beside it says. */
      readonly ordering?: number;
      /** What a file beside it calls this page (a navigation); the front matter wins. */
      readonly title?: string;
      /** The path of the category that a navigation puts it in, `''`: in none. Undefined: its folder says so. */
      readonly category?: string;
      /** The place says that nobody may see it yet (Jekyll's `_drafts`). */
      readonly isDraft?: boolean;
      /** A date in its name, for systems that publish on that day. */
      readonly publishAt?: string;
      /** Markdown with JavaScript in it. */
      readonly isMdx?: boolean;
      /** The file itself, from the content folder. */
      readonly file?: string;
    }
  | { readonly role: 'asset' }
  /** A page that is none of ours says why. */
  | { readonly role: 'ignored'; readonly reason?: string }
  | { readonly role: 'unexpected'; readonly reason: string; readonly suggestion?: string };

/** A repository layout. Pure: it sees paths, never files. */
export interface Preset {
  readonly name: PresetName;
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
  /** The address of a page on its own site, without a slash in front. */
  readonly address: (path: string) => string;
  /** Where the site shows a file that lies beside the pages, from its root; undefined: it does not, or nobody knows. */
  readonly fileAddress?: ((path: string) => string | undefined) | undefined;
  /** Categories whose pages the system makes at addresses of their own: the path of each by its address, without `addressPrefix` and slashes around it. */
  readonly folderAddresses?: ReadonlyMap<string, string> | undefined;
  /** A link that begins with `/` counts from the root of the repository, as GitHub shows it. */
  readonly isFromRepository: boolean;
  /** The first part of the addresses of all pages (`docs`); empty: they are the whole site. */
  readonly addressPrefix: string;
  /** The path below which the whole site is served (`/help/`); empty: none. */
  readonly basePath: string;
  /** Pages come from other repositories too: a link that finds no file here may be right. */
  readonly hasPagesElsewhere: boolean;
  /** A link without an extension may be a name or an address that a program knows: not finding it proves nothing. */
  readonly hasNamesElsewhere: boolean;
  /** Addresses of pages end in `/`. */
  readonly hasPrettyUrls: boolean;
  /** Folders whose files the site serves from its root, from the content folder: `../static`. */
  readonly publicFolders: readonly string[];
  /** What `@assets/a.png` means, from the content folder; undefined: nothing. */
  readonly alias: (path: string) => string | undefined;
  /** How files end that the system makes pages of and that are no Markdown; their addresses have no such end. */
  readonly pageSource?: RegExp;
  /** The address of such a page; undefined: its path without that end. */
  readonly pageAddress?: (path: string) => string;
  /** Addresses from the root are below the path of the whole site (`baseUrl` of Docusaurus), not beside it. */
  readonly isBasePrepended: boolean;
  /** Addresses of its site that lead elsewhere, as its settings and the files of its host say. */
  readonly moved: readonly MovedAddress[];
  /** A category that only exists as a folder, or as a heading of a navigation. */
  readonly folder: (path: string) => FolderCategory;
  /** Changes when files change that are no documents but say something about documents. */
  readonly sideFiles: string;
  /** What is wrong with those files. `path` is relative to the content folder. */
  readonly problems: readonly { readonly path: string; readonly problem: LocalProblem }[];
}

/** From the root of the site, with the path below which it is served. */
export interface MovedAddress {
  readonly from: string;
  /** A path, or a whole address of another site. */
  readonly to: string;
  /** Both are only beginnings: what follows the one follows the other. */
  readonly hasRest: boolean;
  /** The site asks it before its pages: a page at the address is never seen there. */
  readonly hidesPage: boolean;
  /** `to` was a page's file, so a page must be there. */
  readonly isPage: boolean;
  /** The file that says so, from the content folder, and its line. */
  readonly file: string;
  readonly line: number;
}

export interface FolderCategory {
  readonly name: string;
  readonly priority?: number | undefined;
  /** The path of the category around it, `''`: none. Undefined: the folder around it. */
  readonly parent?: string | undefined;
}

/** How another system writes front matter and body. */
export interface Dialect {
  /** Changes whenever the same text may mean something else. */
  readonly version: string;
  readonly form: FrontMatterForm;
  /** Our field → the system's keys, best first; `!` before a key: a flag that means the opposite. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /**
   * Keys that name addresses of the page from the root, besides the one its path gives; after `./` from its folder, after `xref:` a name that
   * links as `xref:name` mean.
   */
  readonly addressKeys: readonly string[];
  /** Addresses from the root that the settings make of the page's front matter. */
  readonly ownAddresses?: (page: FrontMatterKeys) => readonly string[];
  readonly hasCaselessKeys: boolean;
  /** Where the system reads dates without a zone; undefined: UTC. */
  readonly timezone?: string | undefined;
  /** A page without a title takes its first heading's; the heading is then no part of the text. */
  readonly hasHeadingTitles: boolean;
  /** A page that begins with a heading shows that one, also if its front matter or a navigation has another title: that is for navigations and tabs of browsers. */
  readonly showsOwnHeading?: boolean;
  /** Undefined: as GitHub does. */
  readonly headingIds?: HeadingIdStyle;
  readonly extensions?: MarkdownExtensions;
  /** Whether the system itself would publish a page; undefined: every page. */
  readonly publication?: (page: FrontMatterKeys) => Publication;
  /** Where the system shows a page whose front matter names its slug; undefined: it names none, or the layout does not say. */
  readonly siteAddress?: (page: FrontMatterKeys) => SiteAddress | undefined;
  readonly surroundings?: Omit<PageSurroundings, 'file'> | undefined;
  /** The body as our Markdown. */
  readonly translate: (body: string, context: DialectContext) => Translation;
}

/** A page's front matter, by the system's spelling of keys; `build.render` is a key inside a key. */
export interface FrontMatterKeys {
  readonly get: (key: string) => unknown;
  readonly place: Extract<Placement, { readonly role: 'document' }>;
  /** The text below, for systems that write their keys there. */
  readonly body: string;
}

/** Only compared: two pages of one address hide each other on their own site. */
export interface SiteAddress {
  readonly address: string;
  /** The page's own date, ISO 8601. */
  readonly date?: string;
}

/** What a system does with a page now and later. */
export interface Publication {
  /** It is never a page of its own: why. */
  readonly leftOut?: string;
  /** What shows it to those who have a password or a role: it is left out as well, and that is told. */
  readonly lockedBy?: string;
  /** Nobody finds it on the site. */
  readonly isDraft?: boolean;
  /** The key with the date from which on it is published. */
  readonly publishKey?: string | undefined;
  /** The date itself, where a name says it. */
  readonly publishAt?: string | undefined;
  /** The key with the date on which it stops being published. */
  readonly unpublishKey?: string | undefined;
}

export interface DialectContext {
  readonly rules: ComponentRules;
  readonly labels: Labels;
  readonly isMdx: boolean;
  /** HTML is sent as it is, frames as well. */
  readonly keepsFrames?: boolean;
  /** Where the body stands, for what it takes from other files; undefined: nothing is taken. */
  readonly page?: PageSurroundings | undefined;
}

export interface PageSurroundings {
  /** From the content folder. */
  readonly file: string;
  /** A file of the repository by its path from the content folder; undefined: there is none, or it lies outside. */
  readonly readText: (path: string) => string | undefined;
  /** A value that settings in the repository give. */
  readonly variable: (name: string) => string | undefined;
  /** What a template language looks up for the page `file`: `site`, then keys below it. */
  readonly value?: ((file: string, name: string, keys: readonly string[]) => unknown) | undefined;
}

export interface Translation {
  /** Of the body, or of `expanded`. */
  readonly edits: readonly Edit[];
  /** The body with the texts of other files in it. */
  readonly expanded?: EditedText | undefined;
  /** Words inside parts that the author's own rules drop: nobody misses them. */
  readonly wordsByRule?: number;
  /** Spots count from the body's first line. */
  readonly problems: readonly LocalProblem[];
}

/** Puts `text` in place of what stands from `start` to `end`. */
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

/** Whether `xref:name` is a link to the page that has the name. */
export function hasCrossReferences({ addressKeys }: Pick<Dialect, 'addressKeys'>): boolean {
  return addressKeys.some((key) => key.startsWith('xref:'));
}

export function isCrossReference(url: string): boolean {
  return /^xref:/i.test(url);
}

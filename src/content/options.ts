import { CodedError } from '../model/coded-error.ts';
import type { Key, Kind } from '../model/key.ts';
import type { Place, Problem, ProblemCode } from '../model/problem.ts';
import type { DesiredState } from '../model/record.ts';
import type { ComponentRules } from './component-rules.ts';
import type { EnteredNavigation, NewEntries } from './navigations/entered-pages.ts';
import type { NewLabel } from './navigations/new-label.ts';
import type { PresetName } from './presets/names.ts';
import type { Preset } from './presets/preset.ts';
import type { Spot } from './source-text.ts';
import type { OtherFormat } from './reading/other-formats.ts';

/** How the files are laid out and read; the command line fills it from `kbsync.yaml`. */
export interface ContentOptions {
  /** The folder that holds one folder for each language; absolute, or relative to `cwd`. */
  readonly contentDir: string;
  /** Absolute. Places in problems are relative to it. */
  readonly cwd: string;
  /** A code, not a folder. */
  readonly defaultLanguage: string;
  /** Folder → code; a folder that is not named here is its own code. */
  readonly languages: Readonly<Record<string, string>>;
  readonly preset: PresetName;
  /** Globs from the content folder: pages that match none of them do not count. Empty or absent: all count. */
  readonly include?: readonly string[];
  /** Globs from the content folder: nothing that matches counts. */
  readonly exclude?: readonly string[];
  /** Names of records, as keys or globs: nothing deletes or unpublishes them, and their slugs stay. */
  readonly protect?: readonly string[];
  /** Names of records, as keys or globs: without a file they stay on the service and are no longer ours. */
  readonly released?: readonly string[];
  /** Names that records had before, by lines of kbsync.yaml. */
  readonly moved?: readonly MoveLine[];
  /** Addresses that lead elsewhere, by `redirects` of kbsync.yaml. */
  readonly redirects?: readonly RedirectLine[];
  /** Our field → the author's key. A mapped field is no longer read under our own name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Our field → the author's word → our value. A word that is not named is read as it stands. */
  readonly values?: ValueWords | undefined;
  /** The moment for which dates in files decide what is public; milliseconds since 1970. */
  readonly nowMs: number;
  /** Where dates without a zone are read: `Europe/Paris`. Undefined: as the site generator says, else UTC. */
  readonly timezone?: string | undefined;
  /** Values for articles that do not name the field. They are owned: the author's config says so. */
  readonly defaults: ContentDefaults;
  /** `/{lang}/articles/{slug}`: where the service shows a record, for links between files. */
  readonly urls: Readonly<Record<Kind, string>>;
  /** Where the content folder's images are served; a slash at its end is optional. */
  readonly assetsBaseUrl?: string | undefined;
  /** The service keeps images and files: without `assetsBaseUrl`, they are shown from there. */
  readonly keepsFiles?: boolean | undefined;
  /** For a service that keeps no files: what has an address elsewhere. In place of the service's own addresses. */
  readonly uploaded?: Uploaded | undefined;
  /** Where images from the root (`/images/a.png`) are served; undefined: they stay as written, the help centre's own host. */
  readonly assetsRootUrl?: string | undefined;
  /** Where the files are published as a site of their own: links that lead out of the content go there. */
  readonly siteUrl?: string | undefined;
  readonly html: 'sanitize' | 'trust';
  /** What becomes of shortcodes and components of other systems, by name. */
  readonly components?: ComponentRules;
  /** Keys in front matter that are meant for other tools. */
  readonly ignoreKeys: readonly string[];
  /** Codes whose errors become warnings. */
  readonly allow: ReadonlySet<ProblemCode>;
  /** Where to keep what was read, so unchanged files are not read again. May be deleted at any time. */
  readonly cacheFile?: string | undefined;
  /** By path from the content folder: texts to read in place of the files, or of files that are not there yet. */
  readonly drafts?: ReadonlyMap<string, string> | undefined;
  /** Files that count as if they were not there. */
  readonly hidden?: ReadonlySet<string> | undefined;
  /** Called before the files are read, if nothing is known of any: that takes seconds. */
  readonly onColdRead?: (() => void) | undefined;
}

/** Images and files that a command uploads, by digest. */
export interface Uploaded {
  readonly urls: Readonly<Record<string, string>>;
  /** Why one has no address, as a sentence without its subject. */
  readonly failures: Readonly<Record<string, string>>;
}

/** A line of `moved` in kbsync.yaml: a record, or a folder with all that is below it (`billing/**`). */
export interface MoveLine {
  readonly from: string;
  readonly to: string;
  readonly at: Place;
}

/** An address that leads to another one: paths from the root, or whole addresses. */
export interface RedirectLine {
  readonly from: string;
  readonly to: string;
  readonly at: Place;
}

export type ValueWords = Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>;

export interface ContentDefaults {
  readonly status?: 'published' | 'draft' | undefined;
  readonly hideFromSearch?: boolean | undefined;
  readonly ordering?: number | undefined;
  /** Of articles that name none, in presets whose categories are names in front matter. */
  readonly categories?: readonly string[] | undefined;
}

/** The tree of an earlier digest had the same records but for these keys, of which the bodies and derived excerpts changed. */
export interface Edited {
  readonly since: string;
  readonly keys: ReadonlySet<Key>;
}

export interface LoadedContent {
  readonly state: DesiredState;
  /** Of all files, by file and line; severities after `allow`. */
  readonly problems: readonly Problem[];
  /** Files with errors. An error in a file that is not among them (settings of the site) concerns all records. */
  readonly faulty: readonly FaultyFile[];
  /** Equal digests come of files of the same content, read under the same options; undefined if some file cannot be told. */
  readonly digest?: string;
  /** The latest first. */
  readonly edited?: readonly Edited[];
  /** Pages that make no record, with the rule that leaves them out. Lists the whole folder again. */
  readonly leftOut?: () => readonly LeftOut[];
  /** Files of documentation in the content folder that are no Markdown, most first. */
  readonly otherFormats?: () => readonly OtherFormat[];
  /** For whoever writes into the files. Reads all of them if that has not happened yet. */
  readonly editing?: () => ContentEditing;
}

/** What would become of the records if files said something else; nothing is written here. */
export interface ContentEditing {
  /** The layout of the folder with these files besides, and with other texts of navigations. */
  readonly presetWith: (paths: readonly string[], texts?: ReadonlyMap<string, string>) => Preset;
  /** Files beside the pages that the layout read, such as navigations; some lie above the content folder (`../mkdocs.yml`). */
  readonly sideFiles: ReadonlySet<string>;
  /** Those of them with entries for new pages and with new titles. `read` gives other texts than those of the disk, or their bytes as they are. */
  readonly entered: (
    entries: NewEntries,
    read?: (path: string) => string | undefined,
  ) => ReadonlyMap<string, EnteredNavigation>;
  /** Where files beside the pages may call a category so; the nearest to the page first. */
  readonly labels: (names: Pick<NewLabel, 'from' | 'to'>, page: string) => readonly NewLabel[];
  /** The file of a record, relative to the content folder; undefined: none of its own (a tag that articles name). */
  readonly fileOf: (key: Key) => string | undefined;
  /** A file beside the pages that names one page with its path and not another one, such as a navigation. */
  readonly namesOnly: (page: string, other: string) => string | undefined;
  /** The body of a record's file if that said `text` (lines ended by LF); undefined: no body could be read. */
  readonly draft: (key: Key, text: string) => BodyDraft | undefined;
  /** All records if these files said these texts. */
  readonly readWith: (drafts: ReadonlyMap<string, string>) => Pick<LoadedContent, 'state' | 'problems'>;
}

/** A body on its way from the author's lines to HTML. */
export interface BodyDraft {
  /** As the author writes it, in the layout's own syntax. */
  readonly body: string;
  /** The same as our Markdown. */
  readonly markdown: string;
  /** Where a spot of `markdown` stands in `body`. */
  readonly sourceSpot: (spot: Spot) => Spot;
  /** Address as written → address that is sent, for the links of the body; what stays as written is not in it. */
  readonly links: ReadonlyMap<string, string>;
  /** Markdown with this body's links and heading ids as the HTML that would be sent. */
  readonly render: (markdown: string) => string;
  /** The same with what `html: sanitize` leaves out. */
  readonly renderAll: (markdown: string) => string;
}

/** A file with errors, and the record that waits for their repair. */
export interface FaultyFile {
  /** As problems name it. */
  readonly file: string;
  readonly key: Key;
  /** What the file says or its name gives, where no record could be made of it. */
  readonly slug?: string;
  /** All errors are in the text below the front matter: the name, the place and the other fields are known. */
  readonly isOnlyText?: true;
}

export interface LeftOut {
  /** Relative to the working directory. */
  readonly file: string;
  readonly reason: string;
}

/**
 * Reading the content failed as a whole; what a single file has wrong is a Problem instead. `no-content` the folder is
 * missing or no folder · `changed` a file changed while the run was under way · `no-watch` the system cannot watch it.
 */
export class ContentError extends CodedError<'no-content' | 'changed' | 'no-watch'> {
  override readonly name = 'ContentError';
}

import type { Kind } from '../model/key.ts';
import type { FileReading } from './cache.ts';
import type { Problem, ProblemCode } from '../model/problem.ts';
import type { DesiredState } from '../model/record.ts';
import type { ComponentRules } from './presets/preset.ts';

/** How the files are laid out and read; the command line fills it from `kbsync.yaml`. */
export interface ContentOptions {
  /** The folder that holds the languages; absolute, or relative to `cwd`. */
  readonly contentDir: string;
  /** Absolute. Places in problems are relative to it. */
  readonly cwd: string;
  /** A code, not a folder. */
  readonly defaultLanguage: string;
  /** Folder → code; a folder that is not named here is its own code. */
  readonly languages: Readonly<Record<string, string>>;
  readonly preset: PresetName;
  /** Our field → the author's key. Where a key is mapped, our own name is not read for that field any more. */
  readonly fields: Readonly<Record<string, string>>;
  /** Values for articles that do not name the field. They are owned: the author's config says so. */
  readonly defaults: ContentDefaults;
  /** `/{lang}/articles/{slug}`: where the service shows a record, for links between files. */
  readonly urls: Readonly<Record<Kind, string>>;
  /** Where the content folder's images are served; a slash at its end is optional. */
  readonly assetsBaseUrl?: string | undefined;
  /** Where images from the root (`/images/a.png`) are served; undefined: they stay as written, the help centre's own host. */
  readonly assetsRootUrl?: string | undefined;
  readonly html: 'sanitize' | 'trust';
  /** What becomes of shortcodes and components of other systems, by name. */
  readonly components?: ComponentRules;
  /** Keys in front matter that are meant for other tools. */
  readonly ignoreKeys: readonly string[];
  /** Codes whose errors become warnings. */
  readonly allow: ReadonlySet<ProblemCode>;
  /** Where to keep what was read, so that unchanged files are not read again. May be deleted at any time. */
  readonly cacheFile?: string | undefined;
  /**
   * Readings of this process, for who reads the same folder again and again: kept instead of written. Needs `cacheFile`,
   * beside which the file system's clock is asked.
   */
  readonly memory?: ReadingMemory | undefined;
}

/** Opaque; one for each set of options, `{ entries: new Map() }` to begin with. */
export interface ReadingMemory {
  entries: ReadonlyMap<string, readonly [stamp: string, reading: FileReading]>;
}

export const PRESET_NAMES = [
  'kbsync',
  'hugo',
  'docusaurus',
  'astro',
  'mkdocs',
  'vitepress',
  'jekyll',
  'plain',
] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

export interface ContentDefaults {
  readonly status?: 'published' | 'draft' | undefined;
  readonly hideFromSearch?: boolean | undefined;
  readonly ordering?: number | undefined;
  /** Of articles that name none, in presets whose categories are names in front matter. */
  readonly categories?: readonly string[] | undefined;
}

export interface LoadedContent {
  readonly state: DesiredState;
  /** Of all files, by file and line; severities after `allow`. */
  readonly problems: readonly Problem[];
  /** Equal digests come of the same tree, read under the same options; undefined where no stamps tell. */
  readonly digest?: string;
}

/** Reading the content failed as a whole; what a single file has wrong is a Problem instead. */
export class ContentError extends Error {
  override readonly name = 'ContentError';
  /**
   * `no-content` the folder is missing or no folder · `changed` a file changed while the run was under way · `no-watch`
   * the system cannot watch it.
   */
  readonly code: 'no-content' | 'changed' | 'no-watch';

  constructor(code: ContentError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

import type { PresetName } from '../../content/presets/names.ts';
import type { PagesIn } from './pages-in.ts';
import type { WrittenFor } from './written-for.ts';

/** A folder of pages, as its files and the settings beside it show it. */
export interface Recognised extends PagesIn {
  readonly preset: PresetName;
  /** Relative to the working directory. */
  readonly content: string;
  /** The file or folder that says so. */
  readonly because: string;
  /** The generator, where no layout reads it: its pages are read as `preset` says. */
  readonly generator?: string;
  /** The name of the site, as its settings say. */
  readonly siteName?: string;
  /** Where the site is published, as its settings say. */
  readonly siteUrl?: string;
  /** Where files of the content folder are published. */
  readonly assetsBaseUrl?: string;
  /** Folders of packages and builds in the content, which `exclude` names. */
  readonly others?: readonly string[];
  /** Marks of generators in pages without settings: of the one that was chosen, or of those that are possible. */
  readonly written?: readonly WrittenFor[];
  /** Globs of what is no page. */
  readonly exclude: readonly string[];
}

export interface Wishes {
  /** `--content` */
  readonly content?: string | undefined;
  /** `--preset` */
  readonly preset?: PresetName | undefined;
}

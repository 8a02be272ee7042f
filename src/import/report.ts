import type { Kind } from '../model/key.ts';
import type { PulledAssets } from '../sync/pull/files/assets.ts';
import type { PulledText } from '../sync/pull/report.ts';
import type { PictureAtRisk } from './text/expiring-pictures.ts';
import type { Skipped, SourcePlace } from './record.ts';

/**
 * `created` a new file · `unchanged` the file says the same already · `left` nothing was written, `why` says it: a file of
 * this name says something else, or no file can hold the record.
 */
export type ImportAction = 'created' | 'unchanged' | 'left';

export interface ImportedRecord {
  readonly kind: Kind;
  /** The source's. */
  readonly id: string;
  readonly lang: string;
  readonly title: string;
  /** Below the folder that is written. */
  readonly file?: string;
  readonly action: ImportAction;
  readonly why?: string;
  readonly status?: 'published' | 'draft';
  /** Why it is a draft although it was none there. */
  readonly restricted?: string;
  /** What did not come along, or came otherwise. */
  readonly notes: readonly string[];
  readonly pictures: readonly PictureAtRisk[];
  /** How its links came across. */
  readonly links: ImportedLinks;
  readonly text?: PulledText;
  /** Where it stood; absent for what the import made itself (tags). */
  readonly at?: SourcePlace;
}

export interface ImportedLinks {
  /** Lead to files now. */
  readonly relative: number;
  /** Lead to the old site still: what they mean did not come. */
  readonly left: readonly string[];
}

export interface Redirect {
  readonly from: string;
  readonly to: string;
}

export interface ImportReport {
  readonly records: readonly ImportedRecord[];
  readonly skipped: readonly Skipped[];
  readonly defaultLanguage: string;
  readonly languages: readonly string[];
  readonly redirects: readonly Redirect[];
  /** The file with the redirects, below the folder, or why it cannot be written; undefined: there are none, or a dry run. */
  readonly redirectsFile: { readonly file: string } | { readonly why: string } | undefined;
  /** Images that came along; absent: nobody asked for them. */
  readonly assets?: PulledAssets;
}

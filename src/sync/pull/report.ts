import type { Key, Kind } from '../../model/key.ts';
import type { PulledAssets } from './files/assets.ts';
import type { HtmlToMarkdown } from '../../content/html-to-markdown/html-to-markdown.ts';

/** Why a record is copied that no sync has taken for the file's: there is nothing to resolve yet. */
export const WAITS = 'that file waits for this record; kbsync sync says what to do';

/**
 * `created` a new file · `updated` the site's edits, written into the file · `copied` both sides changed, or this layout cannot
 * say the edit (`why`): the site's is in `….remote.md` beside the file · `unchanged` · `gone` its file was
 * deleted · `deleted` an editor deleted it on the site, and its file is there · `onSite` a tag or category that no
 * page names or that pages name in another language: no file of this layout can hold it · `left` nothing could be written, `why` says it.
 */
export type PullAction =
  | 'created'
  | 'updated'
  | 'copied'
  | 'unchanged'
  | 'gone'
  | 'deleted'
  | 'onSite'
  | 'left';

export interface PulledRecord {
  readonly kind: Kind;
  readonly id: string;
  readonly lang: string;
  /** Absent where no file can hold the record. */
  readonly key?: Key;
  /** Relative to the content folder. */
  readonly file?: string;
  /** `copied`: the author's file, which stays as it is. */
  readonly of?: string;
  readonly action: PullAction;
  readonly fields: readonly string[];
  /** Of edits that are brought in or laid beside the file. */
  readonly changes?: readonly PulledChange[];
  readonly why?: string;
  /** The navigations that name a new page now, or call a page by its new title; relative to the content folder (`../mkdocs.yml`). */
  readonly navigations?: readonly string[];
  readonly text?: PulledText;
}

/** A field as the file has it and as the site has it, in words; of a text the part that differs. Long values are cut, with `…`. */
export interface PulledChange {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

export interface PullReport {
  readonly records: readonly PulledRecord[];
  /** Records that the lists show as the last sync left them: unchanged, and not read. */
  readonly unread: number;
  /** What could not be read, and lists that may be cut: the pull is not the whole knowledge base. */
  readonly incomplete: readonly string[];
  /** Articles that belong to other repositories, by what their stamps name. They stay where they are. */
  readonly others: readonly { readonly repository: string; readonly articles: number }[];
  /** Articles that came along and whose stamps name another repository, because nothing names this one: a sync leaves them alone. */
  readonly foreign: PullReport['others'];
  /** Only when images were asked for. */
  readonly assets?: PulledAssets;
  readonly requests: number;
  readonly durationMs: number;
  readonly interrupted: boolean;
}

/** How well a body came across; see htmlToMarkdown. */
export interface PulledText {
  readonly isExact: boolean;
  /** Elements kept as HTML blocks, without doubles. */
  readonly raw: readonly string[];
  readonly cleaned: readonly string[];
  readonly dropped: readonly string[];
}

export function pulledText({ isExact, rawBlocks, cleaned, dropped }: HtmlToMarkdown): PulledText {
  const blocks = rawBlocks.filter(({ scope }) => scope !== 'inline');
  return {
    isExact,
    raw: [...new Set(blocks.map(({ element }) => element))],
    cleaned: cleaned.map(({ name }) => name),
    dropped,
  };
}

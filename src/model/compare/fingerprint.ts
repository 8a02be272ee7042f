import { digestOfText } from '../digest.ts';
import type { Kind } from '../key.ts';

/** What a list item shows of a record that only an edit can change. */
export interface ListView {
  readonly name: string;
  readonly languages: readonly string[];
  /** Articles only; compared as text, never as a date: zones and precision are the service's business. */
  readonly lastEdited?: string;
  readonly status?: string;
  /** Categories only. */
  readonly ordering?: number;
  readonly parentName?: string;
  /** Tags only. */
  readonly slug?: string;
  /** Categories and tags: whether an article is in it. No part of the fingerprint, which is about edits of the record itself. */
  readonly inUse?: boolean;
}

/**
 * The list fingerprint of a record: equal fingerprints mean that nobody edited what the list can show.
 * View counts, summaries and relations of other records are left out, because they change without an edit.
 */
export function fingerprint(kind: Kind, view: ListView): string {
  const languages = [...new Set(view.languages)].sort();
  if (kind === 'article') {
    return `${view.lastEdited ?? ''}|${digestOfText(JSON.stringify([view.name, view.status ?? '', languages]))}`;
  }
  return digestOfText(
    JSON.stringify([view.name, view.slug ?? '', view.ordering ?? 0, view.parentName ?? '', languages]),
  );
}

/** The date in the fingerprint of an article, as its list wrote it; undefined: there is none. */
export function dateIn(articleFingerprint: string): string | undefined {
  const end = articleFingerprint.indexOf('|');
  return end > 0 ? articleFingerprint.slice(0, end) : undefined;
}

const MARK = /~[0-9a-z]+$/;

/** The fingerprint with a mark, which no list shows: the next run reads the record again. An edit may come that its date does not tell. */
export function marked(seen: string, mark: string): string {
  return `${seen}~${mark}`;
}

/** Whether two fingerprints show the same, apart from marks. */
export function showsSame(one: string, other: string): boolean {
  return one.replace(MARK, '') === other.replace(MARK, '');
}

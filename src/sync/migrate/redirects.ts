import type { Key } from '../../model/key.ts';
import { redirectsCsv } from '../../model/address/redirect.ts';
import type { Migration } from './migration.ts';

export interface RedirectOptions {
  /** Also pages whose path stays the same: where the old host goes on, and sends everybody to the new one. */
  readonly all: boolean;
  /** Records whose page on the target is known to be there under this slug, or under the one in `slugs`. */
  readonly isThere: (key: Key) => boolean;
  /** Slugs that the target made of ours. */
  readonly slugs: ReadonlyMap<Key, string>;
}

/**
 * Old and new address of each page that people could read, as CSV (RFC 4180) with a header. Drafts are left out: who reads
 * the map on a web server must not learn of them. `left` counts pages whose new address is not known.
 */
export function redirectMap(
  { records }: Migration,
  { all, isThere, slugs }: RedirectOptions,
): { readonly text: string; readonly count: number; readonly left: number } {
  const pages = records
    .filter(({ record, fields }) => fields['status'] !== 'draft' && hasPage(record.fields))
    .map(({ key, record, fields, page }) => {
      const slug = slugs.get(key);
      const to = slug === undefined ? page.to : withSlug(page.to, String(fields['slug']), slug);
      return { key, lang: record.lang, kind: record.kind, from: page.from, to };
    })
    .filter(({ from, to }) => all || pathOf(from) !== pathOf(to));
  const rows = pages.filter(({ key }) => isThere(key));
  return {
    text: redirectsCsv(rows),
    count: rows.length,
    left: pages.length - rows.length,
  };
}

function hasPage(fields: Readonly<Record<string, unknown>>): boolean {
  return typeof fields['slug'] === 'string' && fields['slug'] !== '';
}

function withSlug(page: string, before: string, slug: string): string {
  const at = page.lastIndexOf(encodeURIComponent(before));
  if (at < 0) return page;
  return `${page.slice(0, at)}${encodeURIComponent(slug)}${page.slice(at + encodeURIComponent(before).length)}`;
}

function pathOf(address: string): string {
  return new URL(address).pathname;
}

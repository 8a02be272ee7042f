import type { Kind } from '../kind.ts';
import type { RecordRow } from '../store/rows.ts';
import type { Sql, Transaction } from '../store/store.ts';

/** What a write did to a record that existed; `after` undefined: it was deleted. */
export interface Left {
  readonly before: RecordRow;
  readonly after: RecordRow | undefined;
  /** Microseconds since 1970. */
  readonly leftAt: number;
}

/**
 * Keeps the address that a write takes from a public record: another slug, withdrawn to a draft, deleted. The address of
 * a draft was nobody's. Who leaves an address last has it, so a record that took it over is the one it leads to.
 */
export async function noteFormerSlug(
  sql: Transaction,
  kind: Kind,
  { before, after, leftAt }: Left,
): Promise<void> {
  if (!isPublic(before)) return;
  if (after !== undefined && after.slug === before.slug && isPublic(after)) return;
  await sql.run(
    `insert into former_slugs (site_id, kind, slug, language, record_id, family, left_at)
     values (?, ?, ?, ?, ?, ?, ?)
     on conflict (site_id, kind, slug, language) do update
       set record_id = excluded.record_id, family = excluded.family, left_at = excluded.left_at`,
    before.site_id,
    kind,
    before.slug,
    (before.language ?? '').toLowerCase(),
    before.id,
    before.language_parent ?? before.id,
    leftAt,
  );
}

/** A record that was at an address in public. */
export interface FormerHolder {
  /** Id of the original. */
  readonly family: string;
  /** Lower case; empty for an original. */
  readonly language: string;
}

/** Who were at a slug, in any language: the language that is asked for first, then the original's. */
export function formerHolders(
  sql: Sql,
  asked: { readonly siteId: string; readonly kind: Kind; readonly slug: string; readonly language: string },
): Promise<readonly FormerHolder[]> {
  return sql.all<FormerHolder>(
    `select family, language from former_slugs where site_id = ? and kind = ? and slug = ?
     order by case when language = ? then 0 when language = '' then 1 else 2 end, language`,
    asked.siteId,
    asked.kind,
    asked.slug,
    asked.language,
  );
}

function isPublic(row: RecordRow & { readonly status?: string }): boolean {
  return row.status === undefined || row.status === 'published';
}

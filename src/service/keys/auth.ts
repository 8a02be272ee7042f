import { timingSafeEqual } from 'node:crypto';
import { keyDigest, type KeyScope } from './keys.ts';
import { Refusal } from '../refusal.ts';
import type { Sql } from '../store/store.ts';

/** Who asks. */
export interface Caller {
  readonly keyId: string;
  readonly userId: string;
  readonly scope: KeyScope;
  /** Microseconds since 1970; null: never yet, as far as it was written down. */
  readonly lastUsedAt: number | null;
}

interface KeyRow {
  readonly id: string;
  readonly digest: string;
  readonly scope: KeyScope;
  readonly user_id: string;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
}

const BEARER = /^Bearer +(?<key>kb_(?<prefix>[0-9a-f]{12})_[A-Za-z0-9_-]{43}) *$/i;
/** Compared against when the prefix is unknown, so both ways take the same steps. */
const NO_DIGEST = '0'.repeat(64);

/** Rows of keys that are kept, so a caller with many made-up keys fills no memory. */
const KEPT_MAX = 1000;

interface KeptRow {
  readonly row: KeyRow;
  readonly state: number;
}

/**
 * Tells who a key is of. The key's public prefix finds the row, the digests are compared in constant time. One answer for a missing,
 * malformed, unknown, expired and revoked key, so it tells nothing about which keys there are. A row is read again as soon as
 * anybody has written to the database, so a key that is revoked is refused at once.
 */
export function createAuthenticate(): (
  sql: Sql,
  authorization: string | undefined,
  nowMicros: number,
) => Promise<Caller> {
  const kept = new Map<string, KeptRow>();
  const rowOf = async (sql: Sql, prefix: string): Promise<KeyRow | undefined> => {
    const { state } = sql;
    const known = kept.get(prefix);
    if (state !== undefined && known?.state === state) return known.row;
    const row = await sql.get<KeyRow>(
      'select id, digest, scope, user_id, expires_at, revoked_at, last_used_at from api_keys where prefix = ?',
      prefix,
    );
    if (row === undefined || state === undefined) return row;
    if (kept.size >= KEPT_MAX) kept.clear();
    kept.set(prefix, { row, state });
    return row;
  };
  return async (sql, authorization, nowMicros) => {
    const given = BEARER.exec(authorization ?? '')?.groups;
    const key = given?.['key'] ?? '';
    const row = await rowOf(sql, (given?.['prefix'] ?? '').toLowerCase());
    const fits = timingSafeEqual(Buffer.from(keyDigest(key)), Buffer.from(row?.digest ?? NO_DIGEST));
    const live =
      row !== undefined && row.revoked_at === null && (row.expires_at === null || row.expires_at > nowMicros);
    if (!fits || !live) {
      throw new Refusal(401, 'a valid API key is needed: Authorization: Bearer <API_KEY>', {
        'WWW-Authenticate': 'Bearer',
      });
    }
    return { keyId: row.id, userId: row.user_id, scope: row.scope, lastUsedAt: row.last_used_at };
  };
}

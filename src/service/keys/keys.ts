import { hash, randomBytes } from 'node:crypto';
import { auditCommand } from '../records/audit.ts';
import { createNewId, type RandomBytes } from '../ids.ts';
import type { Creator } from '../records/lists.ts';
import type { Store } from '../store/store.ts';
import { type Clock, isoDate, nowMicros } from '../time.ts';

/** `read` may only GET. */
export type KeyScope = 'read' | 'write';

export interface CreateKeyOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** What the key is for; need not be unique. */
  readonly name: string;
  /** Default `write`. */
  readonly scope?: KeyScope;
  /** Who writes with it: shown as the creator of records. Default: a user named like the key. */
  readonly user?: Partial<Creator>;
  /** Milliseconds since 1970; from then on the key is refused. */
  readonly expiresAtMs?: number;
  readonly random?: RandomBytes;
}

export interface CreatedKey {
  /** `kb_<prefix>_<secret>`: shown once, never stored. */
  readonly key: string;
  /** Names the key in lists and for revoking. */
  readonly prefix: string;
}

export interface ListedKey {
  readonly prefix: string;
  readonly name: string;
  readonly scope: KeyScope;
  readonly username: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
  /** To the minute; missing: never used. */
  readonly lastUsedAt?: string;
}

/**
 * Makes an API key of 256 random bits. Only its SHA-256 digest is stored: the secret has too many bits to be guessed, so
 * that a slow hash would add nothing but time to each request.
 */
export async function createKey(options: CreateKeyOptions): Promise<CreatedKey> {
  const { store, clock, name, scope = 'write', user = {}, expiresAtMs, random = randomBytes } = options;
  const newId = createNewId(clock, random);
  const prefix = Buffer.from(random(6)).toString('hex');
  const key = `kb_${prefix}_${Buffer.from(random(32)).toString('base64url')}`;
  const username = user.username ?? name;
  await store.write(async (sql) => {
    await sql.lock('keys');
    const known = await sql.get<{ readonly id: string }>('select id from users where username = ?', username);
    const userId = known?.id ?? newId();
    const { first_name = '', last_name = '', email_address = '' } = user;
    if (known === undefined) {
      await sql.run(
        'insert into users (id, username, first_name, last_name, email_address) values (?, ?, ?, ?, ?)',
        userId,
        username,
        first_name,
        last_name,
        email_address,
      );
    }
    await sql.run(
      `insert into api_keys (id, prefix, digest, name, scope, user_id, created_at, expires_at)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
      newId(),
      prefix,
      keyDigest(key),
      name,
      scope,
      userId,
      nowMicros(clock),
      expiresAtMs === undefined ? null : expiresAtMs * 1000,
    );
    const after = JSON.stringify([name, scope, userId, expiresAtMs ?? null]);
    await auditCommand(
      sql,
      { clock, newId },
      { action: 'create', kind: 'key', recordId: prefix, name, after },
    );
  });
  return { key, prefix };
}

/** All keys that were ever made, the oldest first. */
export async function listKeys({ store }: { readonly store: Store }): Promise<readonly ListedKey[]> {
  interface KeyRow {
    readonly prefix: string;
    readonly name: string;
    readonly scope: KeyScope;
    readonly username: string;
    readonly created_at: number;
    readonly expires_at: number | null;
    readonly revoked_at: number | null;
    readonly last_used_at: number | null;
  }
  const rows = await store.read((sql) =>
    sql.all<KeyRow>(
      `select k.prefix as prefix, k.name as name, k.scope as scope, u.username as username,
         k.created_at as created_at, k.expires_at as expires_at, k.revoked_at as revoked_at, k.last_used_at as last_used_at
       from api_keys k join users u on u.id = k.user_id order by k.created_at, k.id`,
    ),
  );
  return rows.map((row) => ({
    prefix: row.prefix,
    name: row.name,
    scope: row.scope,
    username: row.username,
    createdAt: isoDate(row.created_at),
    ...(row.expires_at === null ? {} : { expiresAt: isoDate(row.expires_at) }),
    ...(row.revoked_at === null ? {} : { revokedAt: isoDate(row.revoked_at) }),
    ...(row.last_used_at === null ? {} : { lastUsedAt: isoDate(row.last_used_at) }),
  }));
}

/** True: the key was live and is refused from now on. False: no live key has this prefix. */
export async function revokeKey(options: {
  readonly store: Store;
  readonly clock: Clock;
  readonly prefix: string;
}): Promise<boolean> {
  const { store, clock, prefix } = options;
  const newId = createNewId(clock);
  return store.write(async (sql) => {
    const key = await sql.get<{ readonly name: string }>(
      'update api_keys set revoked_at = ? where prefix = ? and revoked_at is null returning name',
      nowMicros(clock),
      prefix,
    );
    if (key === undefined) return false;
    await auditCommand(
      sql,
      { clock, newId },
      { action: 'revoke', kind: 'key', recordId: prefix, name: key.name },
    );
    return true;
  });
}

export function keyDigest(key: string): string {
  return hash('sha256', key);
}

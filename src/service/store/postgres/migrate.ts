import { randomUUID } from 'node:crypto';
import { migrationSteps } from '../migrations.ts';
import type { PostgresClient } from './sql.ts';
import { type KnowledgeBase, type LockSubject, StoreError } from '../store.ts';

/** First number of every advisory lock of kbsync (`kbsy`); the second says what is locked. */
const LOCK_SPACE = 0x6b627379;
const LOCKS: Readonly<Record<LockSubject | 'migration', number>> = { migration: 1, keys: 2, categories: 3 };

/** Waits until no other transaction holds the subject; the end of this one gives it back, however it ends. */
export async function lockSubject(client: PostgresClient, subject: LockSubject | 'migration'): Promise<void> {
  await client.query({ text: `select pg_advisory_xact_lock(${LOCK_SPACE}, ${LOCKS[subject]})` });
}

/**
 * Brings the schema up to date. Each step is one transaction with its version row, under a lock that replicas starting
 * together wait for; a process that dies leaves the schema at the last whole step.
 * @throws StoreError `schema`
 */
export async function migratePostgres(
  client: PostgresClient,
  database: string,
  nowMicros: number,
): Promise<void> {
  const steps = migrationSteps('postgres');
  for (let version = await schemaVersion(client, database, steps.length); version < steps.length;) {
    version = await locked(client, async () => {
      const found = await currentVersion(client);
      const step = steps[found];
      // Another replica may have been here since.
      if (step === undefined) return found;
      for (const text of step) await client.query({ text });
      await client.query({
        text: 'insert into kbsync_schema (version, migrated_at) values ($1, $2)',
        values: [found + 1, nowMicros],
      });
      return found + 1;
    });
  }
}

function schemaVersion(client: PostgresClient, database: string, known: number): Promise<number> {
  return locked(client, async () => {
    const { rows } = await client.query({
      text: `select count(*)::int as tables, count(*) filter (where table_name = 'kbsync_schema')::int as ours
        from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'`,
    });
    // One row of two counts.
    const { tables, ours } = rows[0] as { readonly tables: number; readonly ours: number };
    if (ours === 0 && tables > 0) {
      throw new StoreError('schema', `${database} has tables of another program; name an empty database`);
    }
    if (ours === 0) {
      await client.query({
        text: 'create table kbsync_schema (version integer primary key, migrated_at bigint not null)',
      });
    }
    const found = await currentVersion(client);
    if (found > known) {
      throw new StoreError(
        'schema',
        `${database} has schema ${found}; this kbsync knows schemas up to ${known}: use the newer kbsync`,
      );
    }
    return found;
  });
}

async function currentVersion(client: PostgresClient): Promise<number> {
  const { rows } = await client.query({
    text: 'select coalesce(max(version), 0) as version from kbsync_schema',
  });
  // An aggregate without group answers one row.
  return (rows[0] as { readonly version: number }).version;
}

/** One knowledge base for each database; the first replica makes it. */
export async function openPostgresBase(
  client: PostgresClient,
  database: string,
  options: { readonly defaultLanguage: string | undefined; readonly nowMicros: number },
): Promise<KnowledgeBase> {
  const { defaultLanguage: wanted, nowMicros } = options;
  const row = await locked(client, async () => {
    await client.query({
      text: `insert into sites (id, default_language, created_at)
        select $1::text, $2::text, $3::bigint where not exists (select 1 from sites)`,
      values: [randomUUID(), wanted ?? 'en', nowMicros],
    });
    const { rows } = await client.query({ text: 'select id, default_language from sites' });
    return rows[0] as { readonly id: string; readonly default_language: string } | undefined;
  });
  if (row === undefined) throw new Error('bug: a store without its knowledge base');
  if (wanted !== undefined && wanted.toLowerCase() !== row.default_language.toLowerCase()) {
    throw new StoreError(
      'language',
      `${database} was made with default language ${row.default_language}, not ${wanted}; ` +
        `its originals would change their language: use ${row.default_language} or a new database`,
    );
  }
  return { id: row.id, defaultLanguage: row.default_language };
}

async function locked<T>(client: PostgresClient, work: () => Promise<T>): Promise<T> {
  await client.query({ text: 'begin' });
  try {
    // A step may take longer than a request may, and so may the wait for a replica that runs one.
    await client.query({ text: 'set local statement_timeout = 0' });
    await client.query({ text: 'set local lock_timeout = 0' });
    await lockSubject(client, 'migration');
    const value = await work();
    await client.query({ text: 'commit' });
    return value;
  } catch (error) {
    await client.query({ text: 'rollback' }).catch(() => undefined);
    throw error;
  }
}

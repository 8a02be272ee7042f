import { Client, type ClientConfig, Pool } from 'pg';
import { lockSubject, migratePostgres, openPostgresBase } from './migrate.ts';
import { commit, failureOf, parserOf, secure, sqlOver, storeErrorFrom } from './sql.ts';
import { createProof } from '../proof.ts';
import { type KnowledgeBase, type Sql, type Store, StoreError, type Transaction } from '../store.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`, with the parameters that `pg` knows (`sslmode`, `options`, …). */
  readonly url: string;
  /** Language of originals, set when the first replica starts; another one is refused later. Default `en`. */
  readonly defaultLanguage?: string;
  /** Connections of this process, half for reads and half for writes, so writes that wait keep no read waiting. */
  readonly connectionsMax?: number;
  /** Writes that may be under way or waiting; beyond it a write fails as `overloaded`. */
  readonly writesWaitingMax?: number;
  /** The database ends a statement after this time, and the wait for another transaction after half of it. */
  readonly statementTimeoutMs?: number;
  /** How long a piece of work tries to get a connection before it fails as `busy`. */
  readonly patienceMs?: number;
}

const CONFLICTS_MAX = 5;
/** The second try finds the record that came first and says so; a third one is for the case that it is gone again. */
const CONSTRAINTS_MAX = 2;
const IDLE_MS = 30_000;

/**
 * Opens the knowledge base in a PostgreSQL database, and makes it when the database is empty. Keeps nothing in memory that
 * another replica could change. An acknowledged write is on the disk: `synchronous_commit=on` is set and read back on
 * every connection, and a server with `fsync=off` is refused.
 *
 * Writes run at READ COMMITTED: rows that must not change are locked by an update that comes first, rules about absent rows
 * are constraints, and the one rule that no constraint can say has an advisory lock. So writers of one record wait for
 * each other, where SERIALIZABLE would have them fail and start again. Reads see one snapshot.
 * @throws StoreError `schema`, `language`, `unsafe` or `busy`
 */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const { connectionsMax = 20, patienceMs = 5000, writesWaitingMax = 1000, defaultLanguage } = options;
  const config = configOf(options);
  const { database, knowledgeBase } = await prepare(config, { patienceMs, defaultLanguage });
  const half = Math.max(1, Math.floor(connectionsMax / 2));
  const pool = () => poolOf({ ...config, connectionTimeoutMillis: patienceMs }, half, database);
  const [readers, writers] = [pool(), pool()];
  const running = new Set<Promise<unknown>>();
  const proof = createProof();
  let writes = 0;
  let closed: Promise<void> | undefined;

  const track = async <T>(work: Promise<T>): Promise<T> => {
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  };
  const checkOpen = (): void => {
    if (closed !== undefined) throw new StoreError('closed', 'the store is closed');
  };
  const store: Store = {
    dialect: 'postgres',
    knowledgeBase,
    async read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
      checkOpen();
      return track(withTries(() => inSnapshot(readers, work), database, patienceMs));
    },
    async write<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
      checkOpen();
      if (writes >= writesWaitingMax) {
        throw new StoreError('overloaded', `${writes} writes are waiting already`);
      }
      writes += 1;
      try {
        return await track(withTries(() => inTransaction(writers, work), database, patienceMs));
      } finally {
        writes -= 1;
      }
    },
    async check() {
      checkOpen();
      await proof.run(async () => {
        const state = await store.read((sql) =>
          sql.get<{ standby: number }>('select pg_is_in_recovery() as standby'),
        );
        if (state?.standby === 1)
          throw new StoreError('disk', `${database} is a standby: it takes no writes`);
        await store.write((sql) => sql.run('update sites set created_at = created_at'));
      });
    },
    gauges: () => ({
      database_reads_waiting: readers.waitingCount,
      database_writes_waiting: writers.waitingCount,
    }),
    close() {
      closed ??= (async () => {
        await Promise.allSettled(running);
        await Promise.all([readers.end(), writers.end()]);
      })();
      return closed;
    },
  };
  return store;
}

function configOf({ url, statementTimeoutMs = 10_000 }: PostgresOptions): ClientConfig {
  return {
    connectionString: url,
    application_name: 'kbsync',
    keepAlive: true,
    // A statement leaves at once, also if the answer to the one before it is not there yet.
    pipeline: true,
    statement_timeout: statementTimeoutMs,
    lock_timeout: Math.ceil(statementTimeoutMs / 2),
    // A replica that hangs in a transaction keeps its locks no longer than this.
    idle_in_transaction_session_timeout: Math.ceil(statementTimeoutMs / 2),
    // For a server that is gone without a word: it can't end the statement itself.
    query_timeout: statementTimeoutMs + 5000,
    types: { getTypeParser: parserOf },
  };
}

/** Migrates over a connection of its own, which may take longer than a request. */
async function prepare(
  config: ClientConfig,
  options: { readonly patienceMs: number; readonly defaultLanguage: string | undefined },
): Promise<{ readonly database: string; readonly knowledgeBase: KnowledgeBase }> {
  const { patienceMs, defaultLanguage } = options;
  const { query_timeout: _none, ...patient } = config;
  const made = (): Client => {
    try {
      return new Client({ ...patient, connectionTimeoutMillis: patienceMs });
    } catch (error) {
      const form = 'postgres://user:password@host:5432/database';
      throw new StoreError('schema', `the database's address is not of the form ${form}`, error);
    }
  };
  const { host, port, database: name } = made();
  const database = `PostgreSQL database ${name ?? ''} at ${host}:${port}`;
  const client = await withTries(() => connected(made(), database), database, patienceMs);
  try {
    await migratePostgres(client, database, Date.now() * 1000);
    const knowledgeBase = await openPostgresBase(client, database, {
      defaultLanguage,
      nowMicros: Date.now() * 1000,
    });
    return { database, knowledgeBase };
  } catch (error) {
    throw storeErrorFrom(error, database);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function connected(client: Client, database: string): Promise<Client> {
  // A lost connection also fails the query that is under way; without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await secure(client, database);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

function poolOf(config: ClientConfig, max: number, database: string): Pool {
  const pool = new Pool({
    ...config,
    max,
    idleTimeoutMillis: IDLE_MS,
    // Typed as answering nothing, but the pool waits for it.
    onConnect: async (client) => {
      client.on('error', () => undefined);
      await secure(client, database);
    },
  });
  // Idle connections that the server ended; the pool has dropped them already.
  pool.on('error', () => undefined);
  return pool;
}

/** Tries again where nothing was written: conflicts a few times, lost connections as long as there is patience. */
async function withTries<T>(attempt: () => Promise<T>, database: string, patienceMs: number): Promise<T> {
  const until = Date.now() + patienceMs;
  let conflicts = 0;
  let constraints = 0;
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const failure = failureOf(error);
      if (failure === 'again') conflicts += 1;
      if (failure === 'constraint') constraints += 1;
      const mayRetry =
        (failure === 'again' && conflicts <= CONFLICTS_MAX) ||
        (failure === 'constraint' && constraints <= CONSTRAINTS_MAX) ||
        (failure === 'connect' && Date.now() < until);
      if (!mayRetry) throw storeErrorFrom(error, database);
      if (failure !== 'constraint') await sleep(Math.min(20 * 2 ** tries, 500) * (0.5 + Math.random()));
    }
  }
}

async function inSnapshot<T>(pool: Pool, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const giveBack = (): void =>
    void client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    );
  try {
    const begun = client.query('begin isolation level repeatable read read only');
    // What is read meanwhile counts only if it began, which is looked at below.
    begun.catch(() => undefined);
    const value = await work(sqlOver(client));
    await begun;
    return value;
  } finally {
    // The answer need not wait for the end of a transaction that wrote nothing.
    giveBack();
  }
}

async function inTransaction<T>(pool: Pool, work: (sql: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isUsable = true;
  try {
    await client.query('begin isolation level read committed');
    const sql = sqlOver(client);
    const value = await work({
      ...sql,
      lock: (subject) => lockSubject(client, subject),
      runAtCommit: async (statement, ...values) => void (await sql.run(statement, ...values)),
    });
    // From here on a lost connection does not tell what became of the work.
    isUsable = false;
    await commit(client);
    isUsable = true;
    return value;
  } catch (error) {
    if (isUsable) {
      isUsable = await client.query('rollback').then(
        () => true,
        () => false,
      );
    }
    throw error;
  } finally {
    client.release(!isUsable);
  }
}

function sleep(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs);
  });
}

import { DatabaseSync } from '@photostructure/sqlite';
import { createSerial } from './serial.ts';
import { type Connection, connectionTo, type NativeDatabase, storeErrorFrom } from './sqlite-connection.ts';
import { migrateSqlite, openSqliteSite } from './sqlite-migrate.ts';
import { createWaiting, type Job, type Outcome } from './waiting.ts';
import { type Site, type Sql, type SqlValue, type Store, StoreError, type Transaction } from './store.ts';

export interface SqliteOptions {
  /** A path, or `:memory:`. Beside the file SQLite keeps `FILE-wal` and `FILE-shm`. */
  readonly file: string;
  /** Language of originals, set when the file is made; a file made with another one is refused. Default `en`. */
  readonly defaultLanguage?: string;
  /** How long another process may hold the file before a write fails as `busy`. */
  readonly busyTimeoutMs?: number;
  /** Writes that may wait at once; beyond it a write fails as `overloaded`. */
  readonly writesWaitingMax?: number;
}

/** Bounds the pause that one commit of many writes puts between two reads. */
const GROUP_MAX = 128;

/**
 * Opens or makes the database. An acknowledged write is on the disk (WAL with `synchronous=FULL`). Writes that wait
 * at the same time share one commit, each inside its own savepoint, so that a refused one leaves the others alone.
 * @throws StoreError `schema`, `language`, or `busy`
 */
export function openSqlite(options: SqliteOptions): Store {
  const { file, defaultLanguage, busyTimeoutMs = 5000, writesWaitingMax = 1000 } = options;
  let native: NativeDatabase | undefined;
  try {
    native = openNative(file, busyTimeoutMs);
    const database = native;
    const connection = connectionTo(database);
    migrateSqlite(connection, file);
    const site = openSqliteSite(connection, file, defaultLanguage);
    return storeOver({ site, connection, writesWaitingMax, close: () => database.close() });
  } catch (error) {
    native?.close();
    throw storeErrorFrom(error, file);
  }
}

function openNative(file: string, busyTimeoutMs: number): NativeDatabase {
  const database: NativeDatabase = new DatabaseSync(file, {
    timeout: busyTimeoutMs,
    enableForeignKeyConstraints: true,
  });
  try {
    // Two processes that open a new file at once collide here without the timeout above.
    database.exec(
      'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma wal_autocheckpoint = 4000',
    );
    const level = connectionTo(database).get('pragma synchronous');
    if (level?.['synchronous'] !== 2) throw new Error('bug: SQLite did not take synchronous=FULL');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

interface Parts {
  readonly site: Site;
  readonly connection: Connection;
  readonly writesWaitingMax: number;
  readonly close: () => void;
}

/**
 * Reads and groups of writes take turns on one connection: a second one would drop its pages after every commit, and
 * calls of the driver block the thread anyway.
 */
function storeOver({ site, connection, writesWaitingMax, close }: Parts): Store {
  const turn = createSerial();
  const reads = createWaiting<Sql>((take) => turn(() => readGroup(connection, take(Infinity))));
  const writes = createWaiting<Transaction>((take) => turn(() => commitGroup(connection, take(GROUP_MAX))));
  let closed: Promise<void> | undefined;
  const checkOpen = (): void => {
    if (closed !== undefined) throw new StoreError('closed', 'the store is closed');
  };
  return {
    site,
    async read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
      checkOpen();
      return reads.run(work);
    },
    async write<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
      checkOpen();
      if (writes.length() >= writesWaitingMax) {
        throw new StoreError('overloaded', `${writes.length()} writes are waiting already`);
      }
      return writes.run(work);
    },
    close() {
      closed ??= (async () => {
        await Promise.all([reads.drain(), writes.drain()]);
        await turn(async () => undefined);
        close();
      })();
      return closed;
    },
  };
}

/** Lets every job look at one state of the database. Never throws. */
async function readGroup(connection: Connection, group: readonly Job<Sql>[]): Promise<void> {
  if (group.length === 0) return;
  try {
    connection.run('begin');
    for (const { work, settle } of group) {
      try {
        settle({ ok: true, value: await work(connection.sql) });
      } catch (error) {
        settle({ ok: false, error: storeErrorFrom(error) });
      }
    }
  } catch (error) {
    // Nothing was read yet.
    for (const { settle } of group) settle({ ok: false, error: storeErrorFrom(error) });
  } finally {
    connection.rollBack();
  }
}

/** Runs every job in its savepoint, commits once, then tells each what became of it. Never throws. */
async function commitGroup(connection: Connection, group: readonly Job<Transaction>[]): Promise<void> {
  if (group.length === 0) return;
  const outcomes: Outcome[] = [];
  const atCommit: Statement[] = [];
  const failAll = (error: unknown): void => {
    connection.rollBack();
    for (const job of group) job.settle({ ok: false, error });
  };
  try {
    connection.run('begin immediate');
    for (const job of group) outcomes.push(await inSavepoint(connection, job, atCommit));
    for (const { statement, values } of atCommit) connection.run(statement, ...values);
  } catch (error) {
    failAll(storeErrorFrom(error));
    return;
  }
  try {
    connection.run('commit');
  } catch (error) {
    failAll(new StoreError('unclear', 'the commit failed; the write may or may not be kept', error));
    return;
  }
  group.forEach((job, at) => job.settle(outcomes[at] ?? { ok: false, error: new Error('bug: no outcome') }));
}

interface Statement {
  readonly statement: string;
  readonly values: readonly SqlValue[];
}

async function inSavepoint(
  connection: Connection,
  job: Job<Transaction>,
  atCommit: Statement[],
): Promise<Outcome> {
  const own: Statement[] = [];
  connection.run('savepoint job');
  try {
    const value = await job.work({
      ...connection.sql,
      lock: async () => undefined,
      runAtCommit: async (statement, ...values) => void own.push({ statement, values }),
    });
    connection.run('release job');
    atCommit.push(...own);
    return { ok: true, value };
  } catch (error) {
    // Throws when SQLite has rolled everything back by itself (disk full): then the whole group has failed.
    connection.run('rollback to job');
    connection.run('release job');
    return { ok: false, error: storeErrorFrom(error) };
  }
}

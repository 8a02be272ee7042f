import { randomUUID } from 'node:crypto';
import { DatabaseSync } from '@photostructure/sqlite';
import { MIGRATIONS } from './migrations.ts';
import { createSerial } from './serial.ts';
import { type Connection, connectionTo, type NativeDatabase, storeErrorFrom } from './sqlite-connection.ts';
import { type Site, type Sql, type Store, StoreError, type Transaction } from './store.ts';

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

/** `kbsy`: marks the file as ours, so that a wrong path is refused instead of filled with tables. */
const APPLICATION_ID = 0x6b627379;
/** Bounds the pause that one commit of many writes puts between two reads. */
const GROUP_MAX = 128;

/**
 * Opens or makes the database. An acknowledged write is on the disk (WAL with `synchronous=FULL`). Writes that wait
 * at the same time share one commit, each inside its own savepoint, so that a refused one leaves the others alone.
 * @throws StoreError `schema`, `language`, or `busy`
 */
export function openSqlite(options: SqliteOptions): Store {
  const { file, defaultLanguage, busyTimeoutMs = 5000, writesWaitingMax = 1000 } = options;
  const inMemory = file === ':memory:';
  const native: NativeDatabase[] = [];
  try {
    const writerNative = openNative(file, busyTimeoutMs);
    native.push(writerNative);
    const writer = connectionTo(writerNative);
    migrate(writer, file);
    const site = openSite(writer, file, defaultLanguage);
    // A reader of its own sees only committed states; a memory database has one connection, so its reads take turns.
    const readerNative = inMemory ? writerNative : openNative(file, busyTimeoutMs);
    if (!inMemory) native.push(readerNative);
    return storeOver({
      site,
      writer,
      reader: inMemory ? writer : connectionTo(readerNative),
      writesWaitingMax,
      close: () => native.forEach((database) => database.close()),
    });
  } catch (error) {
    native.forEach((database) => database.close());
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
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
    const level = connectionTo(database).get('pragma synchronous');
    if (level?.['synchronous'] !== 2) throw new Error('bug: SQLite did not take synchronous=FULL');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function migrate(connection: Connection, file: string): void {
  connection.run('begin immediate');
  try {
    const found = Number(connection.get('pragma user_version')?.['user_version']);
    const mark = connection.get('pragma application_id')?.['application_id'];
    const tables = connection.get('select count(*) as n from sqlite_master')?.['n'];
    if (mark !== APPLICATION_ID && (mark !== 0 || tables !== 0)) {
      throw new StoreError('schema', `${file} is a SQLite database of another program; name a new file`);
    }
    if (found > MIGRATIONS.length) {
      throw new StoreError(
        'schema',
        `${file} has schema ${found}; this kbsync knows schemas up to ${MIGRATIONS.length}: use the newer kbsync`,
      );
    }
    for (const step of MIGRATIONS.slice(found)) for (const statement of step) connection.run(statement);
    connection.run(`pragma user_version = ${MIGRATIONS.length}`);
    connection.run(`pragma application_id = ${APPLICATION_ID}`);
    connection.run('commit');
  } catch (error) {
    connection.rollBack();
    throw error;
  }
}

function openSite(connection: Connection, file: string, wanted: string | undefined): Site {
  connection.run('begin immediate');
  try {
    connection.run(
      'insert into sites (id, default_language, created_at) select ?, ?, ? where not exists (select 1 from sites)',
      randomUUID(),
      wanted ?? 'en',
      Date.now() * 1000,
    );
    connection.run('commit');
  } catch (error) {
    connection.rollBack();
    throw error;
  }
  const row = connection.get('select id, default_language from sites');
  if (row === undefined) throw new Error('bug: a store without a site');
  const made = String(row['default_language']);
  if (wanted !== undefined && wanted.toLowerCase() !== made.toLowerCase()) {
    throw new StoreError(
      'language',
      `${file} was made with default language ${made}, not ${wanted}; ` +
        `its originals would change their language: use ${made} or a new file`,
    );
  }
  return { id: String(row['id']), defaultLanguage: made };
}

interface Job {
  readonly work: (sql: Transaction) => Promise<unknown>;
  readonly settle: (outcome: Outcome) => void;
}
type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown };

interface Parts {
  readonly site: Site;
  readonly writer: Connection;
  readonly reader: Connection;
  readonly writesWaitingMax: number;
  readonly close: () => void;
}

function storeOver({ site, writer, reader, writesWaitingMax, close }: Parts): Store {
  const writing = createSerial();
  const reading = reader === writer ? writing : createSerial();
  let waiting: Job[] = [];
  let scheduled = false;
  let closed: Promise<void> | undefined;

  const drain = async (): Promise<void> => {
    scheduled = false;
    while (waiting.length > 0) {
      const group = waiting.slice(0, GROUP_MAX);
      waiting = waiting.slice(GROUP_MAX);
      await writing(() => commitGroup(writer, group));
    }
  };
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    // After the requests that this turn of the event loop still reads, so that they share the commit.
    setImmediate(() => void drain());
  };

  return {
    site,
    async read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
      if (closed !== undefined) throw new StoreError('closed', 'the store is closed');
      return reading(() => inSnapshot(reader, work));
    },
    async write<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
      if (closed !== undefined) throw new StoreError('closed', 'the store is closed');
      if (waiting.length >= writesWaitingMax) {
        throw new StoreError('overloaded', `${waiting.length} writes are waiting already`);
      }
      const outcome = await new Promise<Outcome>((resolve) => {
        waiting.push({ work, settle: resolve });
        schedule();
      });
      if (!outcome.ok) throw outcome.error;
      // The value is what this very work returned.
      return outcome.value as T;
    },
    close() {
      closed ??= (async () => {
        await drain();
        await writing(async () => undefined);
        await reading(async () => undefined);
        close();
      })();
      return closed;
    },
  };
}

async function inSnapshot<T>(connection: Connection, work: (sql: Sql) => Promise<T>): Promise<T> {
  try {
    connection.run('begin');
    return await work(connection.sql);
  } catch (error) {
    throw storeErrorFrom(error);
  } finally {
    connection.rollBack();
  }
}

/** Runs every job in its savepoint, commits once, then tells each what became of it. Never throws. */
async function commitGroup(connection: Connection, group: readonly Job[]): Promise<void> {
  const outcomes: Outcome[] = [];
  const failAll = (error: unknown): void => {
    connection.rollBack();
    for (const job of group) job.settle({ ok: false, error });
  };
  try {
    connection.run('begin immediate');
    for (const job of group) outcomes.push(await inSavepoint(connection, job));
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

async function inSavepoint(connection: Connection, job: Job): Promise<Outcome> {
  connection.run('savepoint job');
  try {
    const value = await job.work({ ...connection.sql, lock: async () => undefined });
    connection.run('release job');
    return { ok: true, value };
  } catch (error) {
    // Throws when SQLite has rolled everything back by itself (disk full): then the whole group has failed.
    connection.run('rollback to job');
    connection.run('release job');
    return { ok: false, error: storeErrorFrom(error) };
  }
}

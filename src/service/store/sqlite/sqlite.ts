import { DatabaseSync } from '@photostructure/sqlite';
import { type Connection, connectionTo, type NativeDatabase, storeErrorFrom } from './connection.ts';
import { makeForOwner, openFile, type OpenFile } from './file.ts';
import { createProof } from '../proof.ts';
import { migrateSqlite, openSqliteBase } from './migrate.ts';
import { createSerial, createWaiting, type Job, jobsOfTurn, type Outcome, untilFree } from './groups.ts';
import {
  type KnowledgeBase,
  type Sql,
  type SqlValue,
  type Store,
  StoreError,
  type Transaction,
} from '../store.ts';

export interface SqliteOptions {
  /** A path, or `:memory:`. Beside the file SQLite keeps `FILE-wal` and `FILE-shm`. */
  readonly file: string;
  /** Language of originals, set when the file is made; a file made with another one is refused. Default `en`. */
  readonly defaultLanguage?: string;
  /** How long another process may hold the file before what waits fails as `busy`. */
  readonly busyTimeoutMs?: number;
  /** Writes that may wait at once; beyond it a write fails as `overloaded`. */
  readonly writesWaitingMax?: number;
}

/**
 * Opens or makes the database. An acknowledged write is on the disk (WAL with `synchronous=FULL`). Writes that wait
 * at the same time share one commit, each inside its own savepoint, so a refused one leaves the others alone.
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
    const knowledgeBase = openSqliteBase(connection, file, defaultLanguage);
    // SQLite would wait with the whole thread.
    connection.run('pragma busy_timeout = 0');
    return storeOver({
      knowledgeBase,
      connection,
      file,
      onDisk: openFile(file),
      busyTimeoutMs,
      writesWaitingMax,
      close: () => {
        connection.run(`pragma busy_timeout = ${busyTimeoutMs}`);
        foldLog(connection);
        database.close();
      },
    });
  } catch (error) {
    native?.close();
    throw storeErrorFrom(error, file);
  }
}

/**
 * Whoever copies the file of a service that was stopped shall have all of it. The driver keeps its statements, so SQLite itself does
 * not see the last connection end, and would leave what was written in the log beside the file.
 */
function foldLog(connection: Connection): void {
  try {
    connection.rollBack();
    connection.get('pragma wal_checkpoint(truncate)');
  } catch {
    // A full or broken disk: the log stays beside the file, and the next start reads it.
  }
}

function openNative(file: string, busyTimeoutMs: number): NativeDatabase {
  makeForOwner(file);
  const database: NativeDatabase = new DatabaseSync(file, {
    timeout: busyTimeoutMs,
    enableForeignKeyConstraints: true,
  });
  try {
    // Two processes that open a new file at once collide here without the timeout above. Savepoints keep what they would
    // restore in temporary files by default: with a group of creates that was four fifths of all calls that write.
    database.exec(
      `pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma wal_autocheckpoint = 4000;
       pragma temp_store = memory`,
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
  readonly knowledgeBase: KnowledgeBase;
  readonly connection: Connection;
  readonly file: string;
  readonly onDisk: OpenFile;
  readonly busyTimeoutMs: number;
  readonly writesWaitingMax: number;
  readonly close: () => void;
}

/**
 * Reads and groups of writes take turns on one connection: a second one would drop its pages after every commit, and
 * calls of the driver block the thread anyway.
 */
function storeOver({
  knowledgeBase,
  connection,
  file,
  onDisk,
  busyTimeoutMs,
  writesWaitingMax,
  close,
}: Parts): Store {
  const turn = createSerial();
  const states = createStates(connection);
  // What another process holds is asked for again and again, between the turns of others.
  const reads = createWaiting<Sql>((take) =>
    untilFree(busyTimeoutMs, (isLast) =>
      turn(() => readGroup({ connection, file, states, isLast }, jobsOfTurn(take))),
    ),
  );
  const writes = createWaiting<Transaction>((take) =>
    untilFree(busyTimeoutMs, (isLast) =>
      turn(async () => {
        const isDone = await commitGroup({ connection, file, onDisk, isLast }, jobsOfTurn(take));
        if (isDone) states.noteWrite();
        return isDone;
      }),
    ),
  );
  const proof = createProof();
  let damage: StoreError | undefined;
  // Nobody looks at all pages all the time, but what somebody has met stays damaged.
  const noting = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof StoreError && error.code === 'damaged') damage = error;
      throw error;
    }
  };
  let closed: Promise<void> | undefined;
  const checkOpen = (): void => {
    if (closed !== undefined) throw new StoreError('closed', 'the store is closed');
  };
  return {
    dialect: 'sqlite',
    knowledgeBase,
    async read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
      checkOpen();
      return noting(reads.run(work));
    },
    async write<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
      checkOpen();
      if (writes.length() >= writesWaitingMax) {
        throw new StoreError('overloaded', `${writes.length()} writes are waiting already`);
      }
      return noting(writes.run(work));
    },
    async check() {
      checkOpen();
      if (damage !== undefined) throw damage;
      try {
        onDisk.check();
      } catch (error) {
        throw error instanceof StoreError ? error : new StoreError('disk', `${file} cannot be read`, error);
      }
      await reads.run((sql) => sql.get('select id from articles limit 1'));
      await proof.run(() => writes.run((sql) => sql.run('update sites set created_at = created_at')));
    },
    gauges: () => ({
      database_reads_waiting: reads.length(),
      database_writes_waiting: writes.length(),
      database_bytes: onDisk.bytes(),
    }),
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

interface States {
  /** The state that the open transaction sees. */
  current(): number;
  /** From now on this connection may see another state. */
  noteWrite(): void;
}

/** SQLite tells a connection whether others have written; what it wrote itself it knows. */
function createStates(connection: Connection): States {
  let state = 0;
  let seen: unknown;
  return {
    current() {
      const version = connection.get('pragma data_version')?.['data_version'];
      if (version !== seen) state += 1;
      seen = version;
      return state;
    },
    noteWrite() {
      state += 1;
    },
  };
}

/** A group that another process keeps waiting takes its jobs only if it waits for the last time: they fail then. */
type Group = Pick<Parts, 'connection' | 'file'> & { readonly isLast: boolean };

/** Lets every job look at one state of the database. Never throws. False: another process holds the database. */
async function readGroup(
  { connection, file, states, isLast }: Group & { readonly states: States },
  jobs: Iterable<Job<Sql>>,
): Promise<boolean> {
  let state = 0;
  const begun = began(file, () => {
    connection.run('begin');
    // The first look fixes what the transaction sees.
    state = states.current();
  });
  if (!begun.ok) {
    connection.rollBack();
    return failed(begun.error, jobs, isLast);
  }
  const sql: Sql = { ...connection.sql, state };
  for (const { work, settle } of jobs) {
    try {
      settle({ ok: true, value: await work(sql) });
    } catch (error) {
      settle({ ok: false, error: storeErrorFrom(error, file) });
    }
  }
  connection.rollBack();
  return true;
}

function began(file: string, begin: () => void): Outcome {
  try {
    begin();
    return { ok: true, value: undefined };
  } catch (error) {
    return { ok: false, error: storeErrorFrom(error, file) };
  }
}

function failed(error: unknown, jobs: Iterable<Job<never>>, isLast: boolean): boolean {
  const isBusy = error instanceof StoreError && error.code === 'busy';
  if (isBusy && !isLast) return false;
  for (const { settle } of jobs) settle({ ok: false, error });
  return true;
}

/** Runs every job in its savepoint, commits once, then tells each what became of it. Never throws. False: as above. */
async function commitGroup(
  { connection, file, onDisk, isLast }: Group & Pick<Parts, 'onDisk'>,
  jobs: Iterable<Job<Transaction>>,
): Promise<boolean> {
  const begun = began(file, () => {
    onDisk.checkIsThere();
    connection.run('begin immediate');
  });
  if (!begun.ok) return failed(begun.error, jobs, isLast);
  const group: Job<Transaction>[] = [];
  const outcomes: Outcome[] = [];
  const atCommit: Statement[] = [];
  const failAll = (error: unknown): void => {
    connection.rollBack();
    for (const job of group) job.settle({ ok: false, error });
  };
  try {
    for (const job of jobs) {
      group.push(job);
      outcomes.push(await inSavepoint({ connection, file }, job, atCommit));
    }
    for (const { statement, values } of atCommit) connection.run(statement, ...values);
  } catch (error) {
    failAll(storeErrorFrom(error, file));
    return true;
  }
  try {
    connection.run('commit');
  } catch (error) {
    failAll(new StoreError('unclear', 'the commit failed; the write may or may not be kept', error));
    return true;
  }
  group.forEach((job, at) => job.settle(outcomes[at] ?? { ok: false, error: new Error('bug: no outcome') }));
  return true;
}

interface Statement {
  readonly statement: string;
  readonly values: readonly SqlValue[];
}

async function inSavepoint(
  { connection, file }: Pick<Parts, 'connection' | 'file'>,
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
    try {
      connection.run('rollback to job');
      connection.run('release job');
    } catch {
      // SQLite has rolled everything back by itself (disk full): the whole group has failed, and for this reason.
      throw error;
    }
    return { ok: false, error: storeErrorFrom(error, file) };
  }
}

import { type Sql, type SqlValue, StoreError } from '../store.ts';

/** What is used of a SQLite database; `node:sqlite` has the same, so it can take the driver's place. */
export interface NativeDatabase {
  readonly isTransaction: boolean;
  exec(statements: string): void;
  prepare(statement: string): NativeStatement;
  close(): void;
}

interface NativeStatement {
  get(...values: readonly SqlValue[]): unknown;
  all(...values: readonly SqlValue[]): unknown[];
  run(...values: readonly SqlValue[]): { readonly changes: number | bigint };
}

export interface Connection {
  get(statement: string, ...values: readonly SqlValue[]): Readonly<Record<string, unknown>> | undefined;
  run(statement: string, ...values: readonly SqlValue[]): number;
  /** Ends whatever transaction is open. */
  rollBack(): void;
  readonly sql: Sql;
}

/** Statements are compiled once for each text: compiling costs as much as running a single read. */
export function connectionTo(database: NativeDatabase): Connection {
  const compiled = new Map<string, NativeStatement>();
  const prepare = (statement: string): NativeStatement => {
    const known = compiled.get(statement);
    if (known !== undefined) return known;
    const made = database.prepare(statement);
    compiled.set(statement, made);
    return made;
  };
  const run = (statement: string, ...values: readonly SqlValue[]): number =>
    Number(prepare(statement).run(...values).changes);
  return {
    get(statement, ...values) {
      // A row is an object of columns.
      return prepare(statement).get(...values) as Readonly<Record<string, unknown>> | undefined;
    },
    run,
    rollBack() {
      if (database.isTransaction) run('rollback');
    },
    sql: {
      dialect: 'sqlite',
      // The row types are promises of the callers (see Sql).
      get: async <Row>(statement: string, ...values: readonly SqlValue[]) =>
        prepare(statement).get(...values) as Row | undefined,
      all: async <Row>(statement: string, ...values: readonly SqlValue[]) =>
        prepare(statement).all(...values) as Row[],
      run: async (statement, ...values) => run(statement, ...values),
    },
  };
}

/** SQLite's extended result codes, sorted by what the caller can do about them; anything else stays what it is. */
export function storeErrorFrom(error: unknown, file = 'the database'): unknown {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error;
  switch (error.errcode & 0xff) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return new StoreError('busy', `${file} is held by another process`, error);
    case 14: // SQLITE_CANTOPEN
      return new StoreError(
        'unopened',
        `${file} cannot be opened or made; name a file in a folder that exists and can be written`,
        error,
      );
    case 3: // SQLITE_PERM
    case 8: // SQLITE_READONLY
      return new StoreError(
        'disk',
        `${file} cannot be written; give it and its folder to the user that runs kbsync`,
        error,
      );
    case 10: // SQLITE_IOERR
      return new StoreError('disk', `${file} cannot be read or written: ${error.message}`, error);
    case 13: // SQLITE_FULL
      return new StoreError('disk', `${file} is on a full disk; make room`, error);
    case 11: // SQLITE_CORRUPT
      return new StoreError('damaged', `${file} is damaged (${error.message}); restore a backup`, error);
    case 26: // SQLITE_NOTADB
      return new StoreError('schema', `${file} is not a SQLite database; name a new file`, error);
    case 19: // SQLITE_CONSTRAINT
      if (error.errcode === 787) return new StoreError('reference', error.message, error);
      if (error.errcode === 2067 || error.errcode === 1555) {
        return new StoreError('unique', error.message, error);
      }
      return error;
    default:
      return error;
  }
}

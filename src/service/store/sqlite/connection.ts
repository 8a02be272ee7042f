import { type Sql, type SqlValue, StoreError } from '../store.ts';

/** What is used of a SQLite database; `node:sqlite` of Node 24 has the same, so it can take the driver's place. */
export interface NativeDatabase {
  readonly isTransaction: boolean;
  exec(statements: string): void;
  prepare(statement: string): NativeStatement;
  close(): void;
}

interface NativeStatement {
  columns(): readonly { readonly name: string }[];
  setReturnArrays(isWanted: boolean): void;
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

type Row = Readonly<Record<string, SqlValue>>;

interface Compiled {
  readonly native: NativeStatement;
  readonly columns: readonly string[];
}

/** The driver makes objects value by value through its C interface, which takes twice as long as an array and its names. */
function compile(native: NativeStatement): Compiled {
  const columns = native.columns().map(({ name }) => name);
  if (columns.length > 0) native.setReturnArrays(true);
  return { native, columns };
}

function rowOf(columns: readonly string[], values: readonly SqlValue[]): Row {
  const row: Record<string, SqlValue> = {};
  for (let at = 0; at < columns.length; at += 1) row[columns[at] ?? ''] = values[at] ?? null;
  return row;
}

/** Statements are compiled once for each text: compiling costs as much as running a single read. */
export function connectionTo(database: NativeDatabase): Connection {
  const compiled = new Map<string, Compiled>();
  const prepare = (statement: string): Compiled => {
    const known = compiled.get(statement);
    if (known !== undefined) return known;
    const made = compile(database.prepare(statement));
    compiled.set(statement, made);
    return made;
  };
  const run = (statement: string, ...values: readonly SqlValue[]): number =>
    Number(prepare(statement).native.run(...values).changes);
  const get = (statement: string, values: readonly SqlValue[]): Row | undefined => {
    const { native, columns } = prepare(statement);
    // It was told to answer arrays, and SQLite's values are the three.
    const found = native.get(...values) as readonly SqlValue[] | undefined;
    return found && rowOf(columns, found);
  };
  const all = (statement: string, values: readonly SqlValue[]): Row[] => {
    const { native, columns } = prepare(statement);
    return native.all(...values).map((found) => rowOf(columns, found as readonly SqlValue[]));
  };
  return {
    get: (statement, ...values) => get(statement, values),
    run,
    rollBack() {
      if (database.isTransaction) run('rollback');
    },
    sql: {
      dialect: 'sqlite',
      // The row types are promises of the callers (see Sql).
      get: async <Wanted>(statement: string, ...values: readonly SqlValue[]) =>
        get(statement, values) as Wanted | undefined,
      all: async <Wanted>(statement: string, ...values: readonly SqlValue[]) =>
        all(statement, values) as Wanted[],
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

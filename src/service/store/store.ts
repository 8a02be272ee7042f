/** What can be bound to a `?` of a statement and comes back in a row. Booleans are 0 and 1 in both databases. */
export type SqlValue = string | number | null;

/** For the few statements that the two databases do not share: full text search and its table. */
export type Dialect = 'sqlite' | 'postgres';

/**
 * Statements inside one transaction. The SQL is the subset that SQLite and PostgreSQL read alike, with `?` for values;
 * a row type is the caller's promise about its own select list, kept by the conformance suite, which runs every
 * statement against every store.
 */
export interface Sql {
  readonly dialect: Dialect;
  /**
   * Names the state of the whole database that this work sees: equal numbers of one store, equal states, whoever writes. Missing:
   * the database does not tell, or the work changes it.
   */
  readonly state?: number;
  get<Row>(statement: string, ...values: readonly SqlValue[]): Promise<Row | undefined>;
  all<Row>(statement: string, ...values: readonly SqlValue[]): Promise<readonly Row[]>;
  /** The number of rows changed. */
  run(statement: string, ...values: readonly SqlValue[]): Promise<number>;
}

export type LockSubject = 'categories' | 'keys';

export interface Transaction extends Sql {
  /**
   * Keeps other transactions that name the same subject out until this one ends. A rule that no constraint can say
   * (no cycle of categories, one translation's date after its original's) is checked under it.
   */
  lock(subject: LockSubject): Promise<void>;
  /**
   * A statement that nothing else of this transaction depends on: it runs when the transaction ends well, with those of
   * the transactions that share its commit. SQLite's full text index writes itself out at each savepoint; so it does once.
   */
  runAtCommit(statement: string, ...values: readonly SqlValue[]): Promise<void>;
}

/** The one knowledge base that a store holds. */
export interface KnowledgeBase {
  readonly id: string;
  /** Language of the records whose `language` is null; fixed when the store is made. */
  readonly defaultLanguage: string;
}

/**
 * Where the service keeps its records. Each piece of work is one transaction: all of it happens, or nothing.
 * Failures of the database are StoreErrors; any other error of the work is rethrown after the rollback.
 */
export interface Store {
  readonly dialect: Dialect;
  readonly knowledgeBase: KnowledgeBase;
  /** Sees one state of the database. */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Resolves when the work is on the disk. The work may run again when the database asks for it: no side effects. */
  write<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
  /**
   * Whether it takes reads and writes now: looks at what lies under the database, and writes a little, at most every few
   * seconds. @throws StoreError
   */
  check(): Promise<void>;
  /** What waits for the database, and how large it is, for the metrics; their names end in a unit. */
  readonly gauges: () => Readonly<Record<string, number>>;
  /** Lets what was begun end, refuses what comes after. */
  close(): Promise<void>;
}

/**
 * `unique` and `reference` a constraint refused the work, nothing was written · `busy` somebody else holds the
 * database · `overloaded` too many writes are waiting · `closed` the store was closed · `unclear` the commit
 * failed, so the work may or may not be there · `schema` the database is of a newer kbsync, or not one of ours ·
 * `unopened` there is no such folder, or no right to it · `language` the store was made with another default
 * language · `unsafe` the database is set up to lose writes that it said yes to · `damaged` what is stored is not what was
 * written, only a backup helps · `disk` full, read-only, failing, or the file is gone: nothing was written.
 */
export type StoreErrorCode =
  | 'unique'
  | 'reference'
  | 'busy'
  | 'overloaded'
  | 'closed'
  | 'unclear'
  | 'schema'
  | 'unopened'
  | 'language'
  | 'unsafe'
  | 'damaged'
  | 'disk';

export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

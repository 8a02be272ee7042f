import { type Dialect, type Sql, type SqlValue, StoreError } from '../store.ts';

/** What is used of a connection of `pg`. */
export interface PostgresClient {
  query(query: {
    readonly text: string;
    readonly name?: string;
    readonly values?: readonly SqlValue[];
  }): Promise<{
    readonly rows: readonly unknown[];
    readonly rowCount: number | null;
    readonly command: string;
  }>;
}

interface Compiled {
  readonly name: string;
  readonly text: string;
}

/** One name for each text of this process, so each connection lets the database compile it once. */
const COMPILED = new Map<string, Compiled>();

export function sqlOver(client: PostgresClient): Sql {
  const query = (statement: string, values: readonly SqlValue[]) =>
    client.query({ ...compiledOf(statement), values });
  return {
    dialect: 'postgres' satisfies Dialect,
    // The row types are promises of the callers (see Sql).
    get: async <Row>(statement: string, ...values: readonly SqlValue[]) =>
      (await query(statement, values)).rows[0] as Row | undefined,
    all: async <Row>(statement: string, ...values: readonly SqlValue[]) =>
      (await query(statement, values)).rows as readonly Row[],
    run: async (statement, ...values) => (await query(statement, values)).rowCount ?? 0,
  };
}

/** `?` becomes `$1`, `$2`, …; the statements have no question mark in a literal. */
function compiledOf(statement: string): Compiled {
  const known = COMPILED.get(statement);
  if (known !== undefined) return known;
  let count = 0;
  const text = statement.replaceAll('?', () => `$${(count += 1)}`);
  const made = { name: `kb${COMPILED.size + 1}`, text };
  COMPILED.set(statement, made);
  return made;
}

const INT8 = 20;
const NUMERIC = 1700;
const BOOLEAN = 16;
const FLOATS: readonly number[] = [21, 23, 26, 700, 701];

/** Values as SQLite gives them: every number a number, a boolean 0 or 1, everything else its text. */
export function parserOf(type: number): (text: string) => SqlValue {
  if (type === INT8 || type === NUMERIC) return safeNumber;
  if (type === BOOLEAN) return (text) => (text === 't' ? 1 : 0);
  if (FLOATS.includes(type)) return Number;
  return (text) => text;
}

function safeNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new Error(`bug: ${text} is more than a number holds`);
  }
  return value;
}

/**
 * What can be done about a failure before the commit, when nothing is written yet: `again` the database asks for another
 * try · `constraint` another writer came first, so a second try finds out what to say · `connect` the connection is of no
 * use any more · `busy` not now · `other` it is not about the database's state.
 */
export type Failure = 'again' | 'constraint' | 'connect' | 'busy' | 'other';

const STATES: readonly (readonly [prefix: string, failure: Failure])[] = [
  ['40001', 'again'], // serialization_failure
  ['40P01', 'again'], // deadlock_detected
  ['23505', 'constraint'], // unique_violation
  ['23503', 'constraint'], // foreign_key_violation
  ['08', 'connect'], // connection exceptions
  ['57P', 'connect'], // shutdown, crash, starting up, terminated
  ['25P03', 'connect'], // idle_in_transaction_session_timeout
  ['53300', 'connect'], // too_many_connections
  ['55P03', 'busy'], // lock_not_available
  ['57014', 'busy'], // query_canceled: statement_timeout
  ['25006', 'busy'], // read_only_sql_transaction: this is a standby
  ['28', 'busy'], // wrong password or user
  ['3D000', 'busy'], // no such database
  ['42501', 'busy'], // the user may not
  ['53', 'busy'], // out of disk, memory
  ['58', 'busy'], // system_error: the disk
];
const SOCKET_ERRORS =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** What pg says without a code. */
const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout|The server does not support)/;

export function failureOf(error: unknown): Failure {
  if (error instanceof StoreError || !(error instanceof Error)) return 'other';
  const code = codeOf(error);
  if (code !== undefined) {
    const state = STATES.find(([prefix]) => code.startsWith(prefix));
    if (state !== undefined) return state[1];
    if (SOCKET_ERRORS.test(code)) return 'connect';
  }
  return LOST.test(error.message) ? 'connect' : 'other';
}

/**
 * True: the database said no to the commit itself, in a live session, for a reason that undoes it. Any other failure
 * at that moment (a session that ends, a lost connection, a time-out) may come after the commit was made.
 */
function isRefusedCommit(error: unknown): boolean {
  if (!(error instanceof Error) || !('severity' in error) || error.severity !== 'ERROR') return false;
  return ['again', 'constraint'].includes(failureOf(error));
}

/** @throws StoreError `unclear` */
export async function commit(client: PostgresClient): Promise<void> {
  let command: string;
  try {
    ({ command } = await client.query({ text: 'commit' }));
  } catch (error) {
    if (isRefusedCommit(error)) throw error;
    throw new StoreError('unclear', 'the commit failed; the write may or may not be kept', error);
  }
  // The answer to the commit of a transaction in which a statement failed.
  if (command !== 'COMMIT') throw new Error(`bug: a failed statement was passed over; nothing was written`);
}

/** On every new connection, because a server may come back from a restart with other settings. */
export async function secure(client: PostgresClient, database: string): Promise<void> {
  const { rows } = await client.query({
    text: `select set_config('synchronous_commit', 'on', false) as synchronous_commit,
       current_setting('fsync') as fsync, current_setting('server_encoding') as encoding`,
  });
  // One row of settings, all of them text.
  const [settings] = rows as readonly Readonly<Record<'synchronous_commit' | 'fsync' | 'encoding', string>>[];
  const { synchronous_commit: level, fsync, encoding } = settings ?? {};
  if (level !== 'on' || fsync !== 'on') {
    throw new StoreError(
      'unsafe',
      `${database} runs with fsync=${fsync}, synchronous_commit=${level}: it may lose what it said yes to; set both to on`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new StoreError('schema', `${database} stores text as ${encoding}; make one with encoding UTF8`);
  }
}

export function storeErrorFrom(error: unknown, database: string): unknown {
  switch (failureOf(error)) {
    case 'constraint':
      return new StoreError(codeOf(error) === '23505' ? 'unique' : 'reference', messageOf(error), error);
    case 'again':
    case 'busy':
      return new StoreError('busy', `${database} cannot do it now (${messageOf(error)})`, error);
    case 'connect':
      return new StoreError('busy', `${database} cannot be reached`, error);
    case 'other':
      return error;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { Client, DatabaseError } from 'pg';

/** One statement, on a connection of its own if need be; a connection that fails is not used again. */
export interface PostgresLine {
  /** @throws PostgresError */
  query<Row>(statement: string, values: readonly unknown[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** `refused` the server answered that it does not do it: nothing was written · `unclear` there was no answer. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';
  readonly code: 'refused' | 'unclear';
  readonly sqlState: string;

  constructor(code: 'refused' | 'unclear', message: string, sqlState: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
    this.sqlState = sqlState;
  }
}

const ANSWER_MS_MAX = 60_000;

/** A connection that is made when it is needed, and anew after it failed. */
export function postgresLine(url: string): PostgresLine {
  let client: Promise<Client> | undefined;
  const connected = async (): Promise<Client> => {
    const made = new Client({
      connectionString: url,
      application_name: 'kbsync state',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: ANSWER_MS_MAX,
    });
    // What fails between two statements is told by the next one.
    made.on('error', () => {
      client = undefined;
    });
    await made.connect();
    return made;
  };
  const drop = async (): Promise<void> => {
    const last = client;
    client = undefined;
    await (await last?.catch(() => undefined))?.end().catch(() => undefined);
  };
  return {
    query: async <Row>(statement: string, values: readonly unknown[]) => {
      try {
        client ??= connected();
        const { rows } = await (await client).query(statement, [...values]);
        // The caller's promise about its own select list.
        return rows as readonly Row[];
      } catch (error) {
        const failed = errorOf(error);
        if (failed.code === 'unclear' || failed.sqlState.startsWith('28')) await drop();
        throw failed;
      }
    },
    close: drop,
  };
}

/** Classes 08 (connection), 53 (resources) and 57 (an operator's doing) may be over soon; the rest is an answer. */
function errorOf(error: unknown): PostgresError {
  const sqlState = error instanceof DatabaseError ? (error.code ?? '') : '';
  const isAnswer = sqlState !== '' && !/^(08|53|57)/.test(sqlState);
  const message =
    error instanceof Error && error.message !== '' ? error.message : sqlState || 'no connection';
  return new PostgresError(isAnswer ? 'refused' : 'unclear', message, sqlState, error);
}

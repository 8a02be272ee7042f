import { BaseError } from '../base/base.ts';
import type { Lease, LockOwner, SharedDocument, SharedStore } from '../base/shared/shared-store.ts';
import { heldBy, lockInfo } from './lock-info.ts';
import { PostgresError } from './postgres-line.ts';
import type { PostgresLine } from './postgres-line.ts';

export interface PostgresStateOptions {
  readonly line: PostgresLine;
  /** `postgres://host:5432/database`, for messages. */
  readonly name: string;
  /** Names the row: one database keeps the states of many knowledge bases. */
  readonly row: string;
  readonly sleep: (delayMs: number) => Promise<void>;
}

const LEASE_MS = 300_000;
const WAITS_MS: readonly number[] = [200, 500, 1000, 2000, 4000, 8000];

const TABLE = `create table if not exists kbsync_states (
  name text primary key,
  fence bigint not null default 0,
  version bigint not null default 0,
  state text,
  previous text,
  journal text,
  lock_id text,
  lock_info text,
  lock_until timestamptz,
  saved_at timestamptz
)`;
/** For this transaction alone: a session may be a pooler's, and its next statement somebody else's. */
const DURABLE = "(select set_config('synchronous_commit', 'on', true)) = 'on'";
const UNTIL = `clock_timestamp() + interval '${LEASE_MS} milliseconds'`;
const NO_TABLE = '42P01';
const NO_RIGHT = '42501';
/** Two machines that make the table at once: one of them finds it half made. */
const RACES: ReadonlySet<string> = new Set(['23505', '42P07', '42710']);

interface Row {
  readonly fence: string;
  readonly version: string;
  readonly state: string | null;
  readonly previous: string | null;
  readonly journal: string | null;
}

interface LockRow {
  readonly lock_id: string | null;
  readonly lock_info: string | null;
  readonly lock_until: Date | null;
}

/** A state in one row of a table; each write names the lease and the version that it follows. */
export function postgresState({ line, name, row, sleep }: PostgresStateOptions): SharedStore {
  const place = { name, row, ask: askAgain({ line, name, sleep }) };
  return {
    name,
    read: async () => {
      try {
        const [found] = await place.ask<Row>(
          'select * from kbsync_states where name = $1',
          [row],
          'not-readable',
        );
        return found === undefined ? {} : documentOf(found);
      } catch (error) {
        const { cause } = error instanceof BaseError ? error : {};
        if (cause instanceof PostgresError && cause.sqlState === NO_TABLE) return {};
        throw error;
      }
    },
    lock: async (owner) => {
      await prepareTable(line, place);
      const [taken] = await place.ask<Row>(
        // Its own id: the first answer was lost.
        `update kbsync_states set fence = case when lock_id = $2 then fence else fence + 1 end,
           lock_id = $2, lock_info = $3, lock_until = ${UNTIL}
         where name = $1 and (lock_id is null or lock_id = $2 or lock_until < clock_timestamp()) and ${DURABLE} returning *`,
        [row, owner.id, lockInfo(owner)],
        'not-readable',
      );
      if (taken !== undefined) return { lease: leaseOf(place, owner, taken) };
      const now = await holderOf(place);
      const until =
        now?.lock_until === undefined || now.lock_until === null
          ? {}
          : { until: now.lock_until.toISOString() };
      return { heldBy: { ...heldBy(now?.lock_info ?? ''), ...until } };
    },
    unlock: async (id) => {
      const rows = await place.ask(
        'update kbsync_states set lock_id = null, lock_info = null, lock_until = null where name = $1 and lock_id = $2 returning name',
        [row, id],
        'not-writable',
      );
      return rows.length > 0;
    },
    close: () => line.close(),
  };
}

/** @throws BaseError with the code, if the server refuses it or stays away */
type Ask = <Found>(
  statement: string,
  values: readonly unknown[],
  code: 'not-readable' | 'not-writable',
) => Promise<readonly Found[]>;

/** One row of the table. */
interface StatePlace {
  readonly name: string;
  readonly row: string;
  readonly ask: Ask;
}

/** Every statement here may be asked again: it names what it follows, so it is done once. */
function askAgain({ line, name, sleep }: Pick<PostgresStateOptions, 'line' | 'name' | 'sleep'>): Ask {
  return async <Found>(
    statement: string,
    values: readonly unknown[],
    code: 'not-readable' | 'not-writable',
  ) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await line.query<Found>(statement, values);
      } catch (error) {
        if (!(error instanceof PostgresError)) throw error;
        const waitMs = WAITS_MS[attempt];
        if (error.code !== 'unclear' || waitMs === undefined) throw unusable(name, error, code);
        await sleep(waitMs);
      }
    }
  };
}

function unusable(name: string, error: PostgresError, code: 'not-readable' | 'not-writable'): BaseError {
  return new BaseError(
    code,
    `${name} cannot be used, and the state is there: ${error.message}. Nothing was sent to the knowledge base without it.`,
    { cause: error },
  );
}

/** Makes the table and the row, unless they are there. */
async function prepareTable(line: PostgresLine, { name, row, ask }: StatePlace): Promise<void> {
  const [fsync] = await ask<{ readonly fsync: string }>('show fsync', [], 'not-readable');
  if (fsync?.fsync === 'off') {
    throw new BaseError(
      'not-writable',
      `${name} runs with fsync=off, so it would lose what it said yes to; a state cannot be kept there.`,
    );
  }
  try {
    await line.query(TABLE, []);
  } catch (error) {
    if (!(error instanceof PostgresError)) throw error;
    // Somebody who may not make tables can use one that is there: the next statement says it.
    if (error.code === 'unclear') await ask(TABLE, [], 'not-readable');
    else if (!RACES.has(error.sqlState) && error.sqlState !== NO_RIGHT)
      throw unusable(name, error, 'not-readable');
  }
  await ask(
    'insert into kbsync_states (name) values ($1) on conflict (name) do nothing',
    [row],
    'not-readable',
  );
}

async function holderOf({ row, ask }: StatePlace): Promise<LockRow | undefined> {
  const rows = await ask<LockRow>(
    'select lock_id, lock_info, lock_until from kbsync_states where name = $1',
    [row],
    'not-readable',
  );
  return rows[0];
}

function leaseOf(place: StatePlace, owner: LockOwner, found: Row): Lease {
  const { row, ask } = place;
  const fence = Number(found.fence);
  let version = Number(found.version);
  let written = documentOf(found);
  return {
    fence,
    leaseMs: LEASE_MS,
    document: written,
    write: async (document) => {
      // What did not change is not sent: a journal is short, a state is long.
      const changed = (['state', 'previous', 'journal'] as const).filter(
        (part) => document[part] !== written[part],
      );
      const sets = changed.map((part, index) => `${part} = $${index + 5},`).join(' ');
      const values = changed.map((part) => document[part] ?? null);
      const rows = await ask(
        // The second version: this very statement was carried out, and its answer was lost.
        `update kbsync_states set ${sets} version = $3::bigint + 1, lock_until = ${UNTIL}, saved_at = clock_timestamp()
         where name = $1 and lock_id = $4 and fence = $2 and version in ($3::bigint, $3::bigint + 1) and ${DURABLE} returning version`,
        [row, fence, version, owner.id, ...values],
        'not-writable',
      );
      if (rows.length === 0) throw await lostLock(place);
      version += 1;
      written = document;
    },
    renew: async () => {
      const rows = await ask(
        `update kbsync_states set lock_until = ${UNTIL} where name = $1 and lock_id = $3 and fence = $2 returning name`,
        [row, fence, owner.id],
        'not-writable',
      );
      if (rows.length === 0) throw await lostLock(place);
    },
    release: async () => {
      await ask(
        'update kbsync_states set lock_id = null, lock_info = null, lock_until = null where name = $1 and fence = $2 and lock_id = $3',
        [row, fence, owner.id],
        'not-writable',
      );
    },
  };
}

async function lostLock(place: StatePlace): Promise<BaseError> {
  const { lock_info: info } = (await holderOf(place)) ?? { lock_info: null };
  const who = info === null ? undefined : heldBy(info).who;
  return new BaseError(
    'locked',
    `${place.name}: this run's lock is lost; somebody took it away while the run was under way, or it ended.` +
      `${who === undefined ? '' : ` It is held by ${who} now.`} Nothing more is written; run again.`,
  );
}

function documentOf({ state, previous, journal }: Row): SharedDocument {
  return {
    ...(state === null ? {} : { state }),
    ...(previous === null ? {} : { previous }),
    ...(journal === null ? {} : { journal }),
  };
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sql, Store, Transaction } from '../store/store.ts';

/** A state as it is stored, without its document, and its lock. */
interface Row {
  readonly serial: number;
  readonly fence: number;
  readonly lock_id: string | null;
  /** What its holder sent, to be shown to others. */
  readonly lock_info: string | null;
  /** Microseconds since 1970; null: until it is given back. */
  readonly lock_until: number | null;
}

export interface LockAsked {
  readonly id: string;
  readonly info: string;
  /** Undefined: until it is given back. */
  readonly leaseSeconds: number | undefined;
  readonly nowMicros: number;
}

export type LockAnswer =
  | { readonly held: true; readonly fence: number }
  | { readonly held: false; readonly info: string; readonly untilMicros: number | null };

/** Undefined: it is written. `holder`: what the holder of the lock sent, if somebody holds it. */
export type WriteRefusal =
  | { readonly why: 'lock'; readonly holder: string | null; readonly untilMicros: number | null }
  | { readonly why: 'serial' };

/** The document, a piece of a turn of the event loop at a time; undefined: nobody has written one. */
export async function readTeamState(sql: Sql, name: string): Promise<readonly string[] | undefined> {
  const pieces: string[] = [];
  for (;;) {
    const row = await sql.get<{ readonly content: string }>(
      'select content from team_state_pieces where name = ? and number = ?',
      name,
      pieces.length,
    );
    if (row === undefined) return pieces.length === 0 ? undefined : pieces;
    pieces.push(row.content);
    await nextTurn();
  }
}

/**
 * Takes the lock, or renews it where the id is its own. Each new holder gets a higher number. A lease that has ended is
 * free; its last holder may have it back as long as nobody else took it.
 */
export function lockTeamState(store: Store, name: string, asked: LockAsked): Promise<LockAnswer> {
  const { id, info, leaseSeconds, nowMicros } = asked;
  const until = leaseSeconds === undefined ? null : nowMicros + leaseSeconds * 1_000_000;
  return store.write(async (sql): Promise<LockAnswer> => {
    await sql.run(
      'insert into team_states (name, serial, fence) values (?, 0, 0) on conflict (name) do nothing',
      name,
    );
    const row = await heldRow(sql, name);
    const isFree =
      row.lock_id === null || (row.lock_until !== null && row.lock_until <= nowMicros) || row.lock_id === id;
    if (!isFree) return { held: false, info: row.lock_info ?? '', untilMicros: row.lock_until };
    const fence = row.lock_id === id ? row.fence : row.fence + 1;
    await sql.run(
      'update team_states set fence = ?, lock_id = ?, lock_info = ?, lock_until = ?, lease_seconds = ? where name = ?',
      fence,
      id,
      info,
      until,
      leaseSeconds ?? null,
      name,
    );
    return { held: true, fence };
  });
}

/** False: the lock has another id, or nobody holds it. */
export function unlockTeamState(store: Store, name: string, id: string): Promise<boolean> {
  return store.write(async (sql) => {
    const changed = await sql.run(
      'update team_states set lock_id = null, lock_info = null, lock_until = null where name = ? and lock_id = ?',
      name,
      id,
    );
    return changed === 1;
  });
}

/**
 * Replaces the document under the lock of this id, and renews it. A text of kbsync has a serial: it follows the one that is there,
 * or it is the very text that is there (its first answer was lost).
 */
export function writeTeamState(
  store: Store,
  name: string,
  given: {
    readonly id: string | undefined;
    /** One at least. */
    readonly pieces: readonly string[];
    readonly serial: number | undefined;
    readonly nowMicros: number;
  },
): Promise<WriteRefusal | undefined> {
  const { id, pieces, serial, nowMicros } = given;
  return store.write(async (sql): Promise<WriteRefusal | undefined> => {
    await sql.run(
      'insert into team_states (name, serial, fence) values (?, 0, 0) on conflict (name) do nothing',
      name,
    );
    const row = await heldRow(sql, name);
    if (row.lock_id !== (id ?? null))
      return { why: 'lock', holder: row.lock_info, untilMicros: row.lock_until };
    if (serial !== undefined && serial !== row.serial + 1) {
      const known = serial === row.serial ? await readTeamState(sql, name) : undefined;
      return known?.join('') === pieces.join('') ? undefined : { why: 'serial' };
    }
    await sql.run('delete from team_state_pieces where name = ?', name);
    for (const [number, content] of pieces.entries()) {
      await sql.run(
        'insert into team_state_pieces (name, number, content) values (?, ?, ?)',
        name,
        number,
        content,
      );
      await nextTurn();
    }
    await sql.run(
      `update team_states set serial = ?,
         lock_until = case when lease_seconds is null then null else cast(? as bigint) + lease_seconds * 1000000 end where name = ?`,
      serial ?? row.serial,
      nowMicros,
      name,
    );
    return undefined;
  });
}

/** Holds the row until the transaction ends: the update comes first. */
async function heldRow(sql: Transaction, name: string): Promise<Row> {
  await sql.run('update team_states set serial = serial where name = ?', name);
  const row = await rowOf(sql, name);
  if (row === undefined) throw new Error(`bug: the state ${name} was not made`);
  return row;
}

function rowOf(sql: Sql, name: string): Promise<Row | undefined> {
  return sql.get<Row>(
    'select serial, fence, lock_id, lock_info, lock_until from team_states where name = ?',
    name,
  );
}

import { Client } from 'pg';
import type { MachineClock } from '../../machine/machine.ts';
import type { Utils } from './graphile.ts';

/**
 * What a worker shows of itself to the others: advisory locks on a connection of its own. The database frees them the moment
 * the process is gone, however it went.
 */
export interface Presence {
  /** Waits for one of the places that runs against an origin have, and gives it back in the end. */
  withPlace<T>(origin: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Frees the jobs of workers that were not there this time nor the time before. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export interface PresenceOptions {
  readonly url: string;
  readonly schema: string;
  readonly perHost: number;
  readonly clock: Pick<MachineClock, 'sleep'>;
  readonly utils: Utils;
  /** The name under which this worker locks jobs. */
  readonly workerId: () => string | undefined;
  readonly note: (text: string) => void;
}

const PLACE_WAIT_MS = 200;

export async function createPresence(options: PresenceOptions): Promise<Presence> {
  const { url, schema, perHost, clock, utils, workerId, note } = options;
  let client: Promise<Client> | undefined;
  let held = new Set<string>();
  let suspects: ReadonlySet<string> = new Set();

  /** The connection, with the lock that says that this worker is there; a new one if the old one broke. */
  const connected = (): Promise<Client> => {
    client ??= connect().catch((error: unknown) => {
      client = undefined;
      throw error;
    });
    return client;
  };

  const connect = async (): Promise<Client> => {
    const made = new Client({ connectionString: url });
    made.on('error', () => {
      client = undefined;
      held = new Set();
    });
    await made.connect();
    const id = workerId();
    if (id !== undefined)
      await made.query('select pg_advisory_lock(hashtext($1), hashtext($2))', [schema, id]);
    return made;
  };

  const tryPlace = async (origin: string): Promise<string | undefined> => {
    for (let at = 0; at < perHost; at += 1) {
      const name = `${schema} ${origin} ${at}`;
      // A session gets a lock that it has once more: what this process holds is counted here.
      if (held.has(name)) continue;
      held.add(name);
      const got = await connected()
        .then((made) =>
          made.query<{ readonly got: boolean }>(
            'select pg_try_advisory_lock(hashtext($1), hashtext($2)) as got',
            [`${schema} place`, name],
          ),
        )
        .catch(() => undefined);
      if (got?.rows[0]?.got === true) return name;
      held.delete(name);
    }
    return undefined;
  };

  const givePlace = async (name: string): Promise<void> => {
    if (!held.delete(name)) return;
    await connected()
      .then((made) =>
        made.query('select pg_advisory_unlock(hashtext($1), hashtext($2))', [`${schema} place`, name]),
      )
      .catch(() => undefined);
  };

  await connected();
  return {
    async withPlace(origin, signal, work) {
      let name = await tryPlace(origin);
      while (name === undefined) {
        await clock.sleep(PLACE_WAIT_MS, signal);
        if (signal.aborted) throw new Error('stopped before the run began');
        name = await tryPlace(origin);
      }
      try {
        return await work();
      } finally {
        await givePlace(name);
      }
    },
    async sweep() {
      const { rows } = await (
        await connected()
      ).query<{ readonly id: string }>(
        `select distinct locked_by as id from "${schema}".jobs where locked_by is not null and not exists (
           select 1 from pg_locks where locktype = 'advisory' and objsubid = 2 and granted
             and classid::bigint = hashtext($1)::bigint & 4294967295
             and objid::bigint = hashtext(locked_by)::bigint & 4294967295)`,
        [schema],
      );
      const missing = rows.map(({ id }) => id).filter((id) => id !== workerId());
      const dead = missing.filter((id) => suspects.has(id));
      suspects = new Set(missing);
      if (dead.length > 0) {
        await utils.forceUnlockWorkers(dead);
        note('a worker is gone: its jobs go on here');
      }
      // A job that a newer request replaced while it ran, and that did not end well, is never tried again.
      await utils.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] });
    },
    async close() {
      await client?.then((made) => made.end()).catch(() => undefined);
      client = undefined;
    },
  };
}

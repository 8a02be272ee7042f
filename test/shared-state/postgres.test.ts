import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PostgresError, postgresLine } from '../../src/shared-state/postgres-line.ts';
import { postgresState } from '../../src/shared-state/postgres.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { type Bench, exchanged, noFaults } from './support/bench.ts';
import { conformance, owner } from './support/conformance.ts';

describe.skipIf(postgresMissing() !== undefined)('with PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  const state = (url: string, faults = noFaults(), row = 'docs') => {
    const line = postgresLine(url);
    return postgresState({
      line: {
        query: (statement, values) =>
          exchanged(
            faults,
            () => line.query(statement, values),
            () => new PostgresError('unclear', 'the connection ended', '', undefined),
          ),
        close: () => line.close(),
      },
      name: 'postgres://db.example.com/kb',
      row,
      sleep: () => Promise.resolve(),
    });
  };

  conformance('PostgreSQL', async (): Promise<Bench> => {
    const url = await server.freshUrl();
    const admin = new Client({ connectionString: url });
    await admin.connect();
    return {
      open: (faults) => state(url, faults),
      passMs: async (ms) => {
        await admin.query(`update kbsync_states set lock_until = lock_until - interval '${ms} milliseconds'`);
      },
      close: () => admin.end(),
    };
  });

  test('keeps the states of two knowledge bases apart', async () => {
    const url = await server.freshUrl();
    const [a, b] = [state(url, noFaults(), 'a'), state(url, noFaults(), 'b')];
    const [first, second] = [await a.lock(owner()), await b.lock(owner())];
    if (!('lease' in first) || !('lease' in second)) throw new Error('held');
    await first.lease.write({ state: 'a\n' });
    expect(await b.read()).toEqual({});
    await Promise.all([a.close(), b.close()]);
  });

  test('writes durably where the database says otherwise', async () => {
    const url = await server.freshUrl();
    const store = state(url);
    const admin = new Client({ connectionString: url });
    await admin.connect();
    await admin.query(
      "do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$",
    );
    const first = await store.lock(owner());
    if (!('lease' in first)) throw new Error('held');
    await admin.query(`create table seen (how text);
      create function see() returns trigger language plpgsql as
        $$ begin insert into seen values (current_setting('synchronous_commit')); return null; end $$;
      create trigger see after update on kbsync_states for each row execute function see()`);
    await first.lease.write({ state: 'a\n' });
    const { rows } = await admin.query('select how from seen');
    expect(rows).toEqual([{ how: 'on' }]);
    await Promise.all([store.close(), admin.end()]);
  });

  test('says plainly that a server cannot be reached, without the password', async () => {
    const store = state('postgres://ada:secret@127.0.0.1:1/kb');
    const message = expect.stringMatching(/^(?!.*secret).*db\.example\.com.*ECONNREFUSED/);
    await expect(store.lock(owner())).rejects.toMatchObject({ code: 'not-readable', message });
    await expect(store.read()).rejects.toMatchObject({ code: 'not-readable', message });
  });
});

import { afterAll, beforeAll, describe } from 'vitest';
import { openPostgres, type Store } from '../../../src/service/index.ts';
import { postgresMissing, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { conformance } from '../conformance/conformance.ts';

describe.skipIf(postgresMissing() !== undefined)('PostgreSQL', () => {
  let server: PostgresServer;
  /** Schemas whose store is closed. */
  const free: string[] = [];
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  async function openFresh(): Promise<Store> {
    const used = free.pop();
    if (used !== undefined) await server.empty(used);
    const url = used ?? (await server.freshUrl());
    const store = await openPostgres({ url, connectionsMax: 10 });
    return {
      ...store,
      async close() {
        await store.close();
        if (!free.includes(url)) free.push(url);
      },
    };
  }

  conformance('PostgreSQL', openFresh);
});

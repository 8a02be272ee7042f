import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { SendError } from '../../src/remote/http/send-error.ts';
import { createSend } from '../../src/remote/http/send.ts';
import { createApp, listen, openPostgres, openSqlite, type Store } from '../../src/service/index.ts';
import { httpState } from '../../src/shared-state/http.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { type Bench, exchanged, noFaults } from './support/bench.ts';
import { conformance } from './support/conformance.ts';

const KEY = 'a-key-of-the-states-0123456789';

/** The service's endpoint on a loopback socket. */
async function served(store: Store, remove: () => void = () => undefined): Promise<Bench> {
  let nowMs = Date.UTC(2026, 10, 23);
  const app = createApp({ store, clock: { now: () => nowMs }, teamStates: { key: KEY } });
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  return {
    open: (faults = noFaults()) => {
      const send = createSend({ origin: listening.url });
      const faulty = (request: Request): Promise<Response> =>
        exchanged(
          faults,
          () => send(request),
          () => new SendError('unclear', 'the connection was closed', { isTimeout: false, cause: undefined }),
        );
      return httpState({
        address: `${listening.url}/api/state/docs`,
        send: Object.assign(faulty, { close: () => send.close() }),
        authorization: `Basic ${Buffer.from(`anybody:${KEY}`).toString('base64')}`,
        sleep: () => Promise.resolve(),
      });
    },
    passMs: (ms) => {
      nowMs += ms;
      return Promise.resolve();
    },
    close: async () => {
      await listening.close();
      await store.close();
      remove();
    },
  };
}

conformance('`kbsync serve` on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-states-'));
  return served(openSqlite({ file: join(folder, 'kb.db') }), () => rmSync(folder, { recursive: true }));
});

describe.skipIf(postgresMissing() !== undefined)('with PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());
  conformance('`kbsync serve` on PostgreSQL', async () =>
    served(await openPostgres({ url: await server.freshUrl() })),
  );
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SendError } from '../../src/remote/http/send-error.ts';
import { createSend } from '../../src/remote/http/send.ts';
import { createApp, listen, openPostgres, openSqlite, type Store } from '../../src/service/index.ts';
import { httpState } from '../../src/shared-state/http.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { type Bench, exchanged, noFaults } from './support/bench.ts';
import { conformance, owner } from './support/conformance.ts';

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

test('a lock whose state cannot be read is given back, and what the address holds after ? is not shown', async () => {
  const store = openSqlite({ file: ':memory:' });
  const app = createApp({ store, clock: { now: () => 0 }, teamStates: { key: KEY } });
  let isDown = true;
  const state = httpState({
    address: 'https://states.acme.test/api/state/docs?token=s3cret',
    send: Object.assign(
      (request: Request) =>
        isDown && request.method === 'GET'
          ? Promise.resolve(new Response('', { status: 500 }))
          : Promise.resolve(app.fetch(request)),
      { close: () => Promise.resolve() },
    ),
    authorization: `Bearer ${KEY}`,
    sleep: () => Promise.resolve(),
  });
  await expect(state.lock(owner())).rejects.toMatchObject({
    code: 'not-readable',
    message: expect.stringMatching(/^(?!.*s3cret)https:\/\/states\.acme\.test\/api\/state\/docs: /),
  });
  isDown = false;
  expect(await state.lock(owner('bob@ci'))).toHaveProperty('lease');
  await store.close();
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

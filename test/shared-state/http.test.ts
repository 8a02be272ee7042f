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

interface Plain {
  /** The lock is known by its ID alone: another ID is another lock. */
  readonly isPerId?: boolean;
  /** UNLOCK compares the whole lock. */
  readonly comparesAll?: boolean;
  /** 409 with the lock that was asked for, and with ID, Who and Created of the holder. */
  readonly echoes?: boolean;
  /** What stands before it answers 502 to each write. */
  readonly losesAnswers?: boolean;
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, sorted(each)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A server as Terraform's page on its http backend describes it, with what some of them do besides. */
function plainServer({
  isPerId = false,
  comparesAll = false,
  echoes = false,
  losesAnswers = false,
}: Plain = {}) {
  const locks = new Map<string, string>();
  let text: string | undefined;
  const idOf = (lock: string): string => (JSON.parse(lock) as { readonly ID: string }).ID;
  const answered = (status: number, body: string | null = null): Response => new Response(body, { status });
  const send = async (request: Request): Promise<Response> => {
    const body = await request.text();
    const [held] = locks.values();
    switch (request.method) {
      case 'LOCK': {
        if (held === undefined || held === body || isPerId) {
          locks.set(idOf(body), body);
          return answered(200);
        }
        if (!echoes) return answered(423, held);
        const { ID, Who, Created } = JSON.parse(held) as Readonly<Record<string, string>>;
        return answered(409, JSON.stringify({ ...JSON.parse(body), ID, Who, Created }));
      }
      case 'UNLOCK': {
        const lock = locks.get(idOf(body));
        if (lock === undefined || (comparesAll && lock !== body)) return answered(400);
        locks.delete(idOf(body));
        return answered(200);
      }
      case 'POST': {
        if (!locks.has(new URL(request.url).searchParams.get('ID') ?? '')) return answered(409);
        // Kept as JSON, its names in another order.
        text = JSON.stringify(sorted(JSON.parse(body)));
        return answered(losesAnswers ? 502 : 200);
      }
      default:
        return text === undefined ? answered(404) : answered(200, text);
    }
  };
  const open = () =>
    httpState({
      address: 'https://plain.acme.test/state/docs',
      send: Object.assign(send, { close: () => Promise.resolve() }),
      sleep: () => Promise.resolve(),
    });
  return { open, locks };
}

test.each<[string, Plain]>([
  ['plain', {}],
  ['that compares whole locks', { comparesAll: true }],
  ['that answers as GitLab does', { echoes: true }],
  ['behind one that loses answers', { losesAnswers: true }],
])('a server %s holds one lock until it is given back or taken away', async (_, how) => {
  const server = plainServer(how);
  const [ada, bob] = [owner(), owner('bob@ci')];
  const first = await server.open().lock(ada);
  if (!('lease' in first)) throw new Error('held');
  await first.lease.write({ state: '1' });
  const second = await server.open().lock({ ...bob, command: 'kbsync state push' });
  expect(second).toMatchObject({ heldBy: { id: ada.id, who: 'ada@laptop', since: ada.since } });
  if (!('heldBy' in second)) throw new Error('free');
  expect([second.heldBy.command, second.heldBy.process?.host]).toEqual(
    how.echoes === true ? [undefined, undefined] : ['kbsync sync', 'ada@laptop'],
  );
  expect(await server.open().unlock('f'.repeat(32))).toBe(false);
  expect(await server.open().unlock(ada.id)).toBe(true);
  expect(await server.open().unlock(ada.id)).toBe(false);
  await expect(first.lease.write({ state: 'stale' })).rejects.toMatchObject({ code: 'locked' });
  const third = await server.open().lock(bob);
  expect(third).toMatchObject({ lease: { document: { state: '1' }, leaseMs: undefined } });
  if ('lease' in third) await third.lease.release();
  expect([...server.locks]).toEqual([]);
});

test('a server that gives its lock to everybody is refused', async () => {
  const server = plainServer({ isPerId: true });
  await expect(server.open().lock(owner())).rejects.toMatchObject({
    code: 'not-readable',
    message: expect.stringContaining('gave its lock to two at once'),
  });
  expect([...server.locks]).toEqual([]);
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

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPastRuns } from '../../src/base/history/history-file.ts';
import { openTrash } from '../../src/base/trash.ts';
import { realClock, realRandom } from '../../src/machine/machine.ts';
import type { Key } from '../../src/model/key.ts';
import type { KnownRecord } from '../../src/model/record.ts';
import { CAREFUL } from '../../src/plan/policy.ts';
import { checkApiKey, parseBaseUrl } from '../../src/remote/address.ts';
import type { Send } from '../../src/remote/remote.ts';
import { createApp, createKey, openSqlite } from '../../src/service/index.ts';
import { borrowed, openSession, withClient, withSession } from '../../src/session/session.ts';

let folder: string;
let stateFile: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kbsync-session-'));
  stateFile = join(folder, 'state.json');
});
afterEach(() => rm(folder, { recursive: true }));

/** The real service, asked without a socket; what happens to its connection is told in `said`. */
async function given() {
  const store = openSqlite({ file: ':memory:', defaultLanguage: 'en' });
  const { key } = await createKey({ store, clock: realClock, name: 'session' });
  const { fetch } = createApp({ store, clock: realClock });
  const said: string[] = [];
  const connect = (): ReturnType<typeof openConnection> => openConnection(fetch, said);
  const options = {
    machine: { clock: realClock, random: realRandom, connect },
    access: { address: parseBaseUrl('https://kb.example.com'), apiKey: checkApiKey(key) },
    emit: () => undefined,
    concurrencyMax: 1,
    defaultLanguage: 'en',
    stateFile,
    readOnly: false,
    beforeClose: () => said.push('before close'),
  };
  return { options, said, fetch };
}

function openConnection(fetch: Send, said: string[]) {
  const close = (): Promise<void> => {
    said.push('closed');
    return Promise.resolve();
  };
  return Promise.resolve(Object.assign((request: Request) => fetch(request), { close }));
}

test('a session holds the lock of its state as long as it lasts, and no longer', async () => {
  const { options } = await given();
  await withSession(options, async () => {
    await expect(openSession(options)).rejects.toMatchObject({ code: 'locked' });
  });
  await expect(withSession(options, ({ remote }) => remote.list('tag'))).resolves.toMatchObject({
    items: [],
  });
});

test('a session that fails gives lock and connection back', async () => {
  const { options, said } = await given();
  const failure = new Error('in the run');
  await expect(withSession(options, () => Promise.reject(failure))).rejects.toBe(failure);
  expect(said).toEqual(['before close', 'closed']);
  const session = await openSession(options);
  await session.close();
});

test('a session that gets no connection gives the lock back', async () => {
  const { options } = await given();
  const failure = new Error('no route');
  const machine = { ...options.machine, connect: () => Promise.reject(failure) };
  await expect(openSession({ ...options, machine })).rejects.toBe(failure);
  await expect(withSession(options, ({ loaded }) => Promise.resolve(loaded.isNew))).resolves.toBe(true);
});

test('each run has a name of its own, the last one the last name, whatever the clock does', async () => {
  const { options } = await given();
  const log = { command: 'sync', bound: { runs: 30, bytes: 1_000_000 } };
  // The clock stands still, and is then put back by an hour.
  const noon = Date.parse('2026-11-20T12:00:00.000Z');
  for (const [turn, now] of [noon, noon, noon - 3_600_000].entries()) {
    const clock = { ...realClock, now: () => now };
    const run = { ...options, log, machine: { ...options.machine, clock } };
    await withSession(run, async ({ syncOptions }) => {
      const { history, saveTrash } = await syncOptions({ ...CAREFUL, stamp: true, concurrencyMax: 1 });
      const record = { kind: 'tag', id: `${turn}`, lang: 'en', fields: {}, labels: new Map() };
      await saveTrash('tag/a@en' as Key, record as unknown as KnownRecord);
      if (turn < 2) await history?.add({ do: 'end', op: `${turn}` });
    });
  }
  const past = openPastRuns(join(folder, 'history'));
  expect(await past.names()).toEqual(['2026-11-20T12-00-00-000Z', '2026-11-20T12-00-00-001Z']);
  const trash = openTrash(join(folder, 'trash'));
  const runs = await trash.runs();
  expect(runs.at(-1)).toBe('2026-11-20T12-00-00-002Z');
  const ids = await Promise.all(runs.map(async (run) => (await trash.images(run)).map(({ id }) => id)));
  expect(ids).toEqual([['0'], ['1'], ['2']]);
});

test('a client without a state touches no file', async () => {
  const { options, said } = await given();
  const list = await withClient(options, (remote) => remote.list('article'));
  expect(list.items).toEqual([]);
  expect(said).toEqual(['before close', 'closed']);
  await expect(withSession(options, ({ loaded }) => Promise.resolve(loaded.isNew))).resolves.toBe(true);
});

test('what stands between client and connection sees every request', async () => {
  const { options } = await given();
  const seen: string[] = [];
  const wrap =
    (send: Send): Send =>
    (request) => {
      seen.push(new URL(request.url).pathname);
      return send(request);
    };
  await withClient({ ...options, wrap }, (remote) => remote.list('category'));
  expect(seen).toEqual(['/api/v2/categories']);
});

test('a connection that was handed in is not closed with the session', async () => {
  const { options, fetch } = await given();
  const machine = { ...options.machine, connect: borrowed(fetch) };
  await withSession({ ...options, machine }, ({ remote }) => remote.list('tag'));
  await expect(
    withSession({ ...options, machine }, ({ remote }) => remote.list('tag')),
  ).resolves.toBeDefined();
});

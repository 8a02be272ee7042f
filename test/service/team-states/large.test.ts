import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApp, listen, openSqlite, type ServiceApp, type Store } from '../../../src/service/index.ts';
import { migrationSteps } from '../../../src/service/store/migrations.ts';
import { testClock } from '../support/rig.ts';

const KEY = 'a-key-of-the-states-0123456789';
const MEGABYTE = 1024 * 1024;
const headers = { authorization: `Bearer ${KEY}` };
const address = 'http://kb.test/api/state/docs';

let folder: string;
let store: Store;
let app: ServiceApp;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kbsync-large-state-'));
  open();
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

function open(): void {
  store = openSqlite({ file: join(folder, 'kb.db') });
  app = createApp({ store, clock: testClock(), teamStates: { key: KEY } });
}

const lock = (id: string) =>
  app.fetch(new Request(address, { method: 'LOCK', headers, body: JSON.stringify({ ID: id }) }));
const write = (body: string | Uint8Array) =>
  app.fetch(new Request(`${address}?ID=a`, { method: 'POST', headers, body }));
const read = async () => (await app.fetch(new Request(address, { headers }))).text();

/** A text of kbsync of so many bytes, with characters of three bytes at every place. */
function stateOf(serial: number, bytes: number, more = ''): string {
  return `{"version":4,"serial":${serial},"kbsync":"shared-state","x":"${'語'.repeat(bytes / 3)}${more}"}`;
}

/** How often others had their turn until the work was done. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  const isDone = work.then(() => true);
  while (!(await Promise.race([isDone, nextTurn(false)]))) turns += 1;
  return turns;
}

test('a large state comes back byte for byte, and others get their turns while it is written and read', async () => {
  await lock('a');
  const first = stateOf(1, 6 * MEGABYTE);
  expect(await turnsOf(write(first))).toBeGreaterThan(12);
  expect(await turnsOf(read())).toBeGreaterThan(6);
  expect((await read()) === first).toBe(true);
  // A shorter one leaves nothing of the longer one.
  const second = stateOf(2, 2 * MEGABYTE);
  expect((await write(second)).status).toBe(200);
  expect((await read()) === second).toBe(true);
  expect((await write(second)).status).toBe(200);
  expect((await write(stateOf(2, 2 * MEGABYTE, 'other'))).status).toBe(412);
  expect((await read()) === second).toBe(true);
});

test('what is no UTF-8 is refused wherever it stands, and leaves what was there', async () => {
  await lock('a');
  const kept = stateOf(1, 30);
  await write(kept);
  const next = Buffer.from(stateOf(2, 3 * MEGABYTE));
  const half = next.subarray(0, next.indexOf('語', 2 * MEGABYTE) + 1);
  const faulty = Buffer.from(next);
  faulty[2 * MEGABYTE] = 0xff;
  const withNul = Buffer.concat([next, Buffer.from([0])]);
  for (const body of [half, faulty, withNul]) expect((await write(body)).status).toBe(400);
  expect(await read()).toBe(kept);
});

test('who is slow to take a large state holds a part of it in memory, and is not cut off', async () => {
  await lock('a');
  await write(stateOf(1, 30 * MEGABYTE));
  const listening = await listen(app, { port: 0 });
  const { hostname, port } = new URL(listening.url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    socket.write(`GET /api/state/docs HTTP/1.1\r\nHost: kb.test\r\nAuthorization: Bearer ${KEY}\r\n\r\n`);
    await once(socket, 'data');
    socket.pause();
    for (let turn = 0; turn < 200; turn += 1) await nextTurn();
    expect(listening.gauges()['http_answers_waiting_bytes']).toBeLessThan(6 * MEGABYTE);
    const whole = await fetch(`${listening.url}/api/state/docs`, { headers });
    expect((await whole.arrayBuffer()).byteLength).toBeGreaterThan(30 * MEGABYTE);
    expect(socket.destroyed).toBe(false);
  } finally {
    socket.destroy();
    await listening.close();
  }
});

test('a state that was kept in one piece beside its lock is still there', async () => {
  await store.close();
  rmSync(join(folder, 'kb.db'));
  const steps = migrationSteps('sqlite');
  const before = steps.findIndex((step) => step.some((statement) => statement.includes('team_state_pieces')));
  const old = new DatabaseSync(join(folder, 'kb.db'));
  old.exec('pragma synchronous = off');
  for (const step of steps.slice(0, before)) for (const statement of step) old.exec(statement);
  old.exec(`pragma user_version = ${before}; pragma application_id = 1801614201;
    insert into sites values ('s', 'en', 1);
    insert into team_states (name, document, serial, fence) values ('docs', '{"a":1}', 7, 3), ('empty', null, 0, 1)`);
  old.close();
  open();
  expect(await read()).toBe('{"a":1}');
  const empty = await app.fetch(new Request('http://kb.test/api/state/empty', { headers }));
  expect(empty.status).toBe(204);
  expect((await lock('a')).headers.get('kbsync-fence')).toBe('4');
});

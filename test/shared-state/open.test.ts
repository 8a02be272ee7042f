import { readFileSync, writeFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SharedStore } from '../../src/base/shared/shared-store.ts';
import type { SetupError } from '../../src/config/setup-error.ts';
import type { SharedStateSetting } from '../../src/config/settings.ts';
import type { Env } from '../../src/machine/machine.ts';
import { openSharedStore } from '../../src/shared-state/open.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { owner } from './support/conformance.ts';

const PASSWORD = 'p%41@ß: s3cret';

/** What leaves for the place of the state, as `GET address authorization`. */
const sent: string[] = [];

function opened(address: string, env: Env, from: SharedStateSetting['from'] = 'file'): Promise<SharedStore> {
  const send = (request: Request): Promise<Response> => {
    sent.push(`${request.method} ${request.url} ${request.headers.get('authorization') ?? ''}`.trim());
    const headers = { 'kbsync-fence': '1' };
    return Promise.resolve(new Response(null, { status: request.method === 'GET' ? 204 : 200, headers }));
  };
  return openSharedStore({
    address,
    source: 'kbsync.yaml',
    from,
    env,
    root: '.',
    connect: () => Promise.resolve(Object.assign(send, { close: () => Promise.resolve() })),
    clock: { now: () => 0, sleep: () => Promise.resolve() },
  });
}

const KB = 'https://kb.example.com/api/state/docs';
const DB = 'postgres://db.example.com/kbsync?state=docs';

test.each([
  [
    'a password',
    KB,
    { KBSYNC_STATE_PASSWORD: 's3cret' },
    'KBSYNC_STATE_PASSWORD is set, and only kbsync.yaml',
  ],
  ['a token', KB, { KBSYNC_STATE_TOKEN: 's3cret' }, 'KBSYNC_STATE_TOKEN is set'],
  ['the password of PostgreSQL', DB, { PGPASSWORD: 's3cret' }, 'PGPASSWORD is set'],
  [
    'a password that is bound elsewhere',
    KB,
    { KBSYNC_STATE_PASSWORD: 's3cret', KBSYNC_STATE_ORIGIN: 'https://kb.example.com:8443' },
    'KBSYNC_STATE_ORIGIN does not name https://kb.example.com, where kbsync.yaml keeps the state',
  ],
  [
    'a password that is bound to nonsense',
    DB,
    { KBSYNC_STATE_PASSWORD: 's3cret', KBSYNC_STATE_ORIGIN: 'db.example.com' },
    'KBSYNC_STATE_ORIGIN does not name postgres://db.example.com:5432',
  ],
])('%s goes nowhere on the word of a file alone', async (_, address, env, message) => {
  await expect(opened(address, env)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining(message),
  });
  await expect(opened(address, env)).rejects.not.toMatchObject({
    message: expect.stringContaining('s3cret'),
  });
});

test('a password goes where the environment or the command line says', async () => {
  const env = { KBSYNC_STATE_PASSWORD: 's3cret' };
  const authorization = `Basic ${Buffer.from(':s3cret').toString('base64')}`;
  for (const open of [
    () => opened(KB, { ...env, KBSYNC_STATE_ORIGIN: 'https://kb.example.com' }),
    () => opened(KB, env, 'environment'),
    () => opened(KB, env, 'flag'),
  ]) {
    sent.length = 0;
    expect(await (await open()).read()).toEqual({});
    expect(sent).toEqual([`GET ${KB} ${authorization}`]);
  }
  sent.length = 0;
  await (await opened(KB, {})).read();
  expect(sent).toEqual([`GET ${KB}`]);
  await (await opened('https://ada:100%@kb.example.com/s', {}, 'environment')).read();
  expect(sent[1]).toBe(`GET https://kb.example.com/s Basic ${Buffer.from('ada:100%').toString('base64')}`);
});

test('a lock is asked for at the origin of the state only', async () => {
  const elsewhere = { KBSYNC_STATE_LOCK_ADDRESS: 'https://lock.example.com/docs' };
  await expect(opened(KB, elsewhere)).rejects.toMatchObject({
    code: 'refused',
    message: 'KBSYNC_STATE_LOCK_ADDRESS is no address of https://kb.example.com, where the state is',
  });
  sent.length = 0;
  const env = {
    KBSYNC_STATE_LOCK_ADDRESS: `${KB}/lock`,
    KBSYNC_STATE_UNLOCK_ADDRESS: '',
    KBSYNC_STATE_LOCK_METHOD: 'POST',
    KBSYNC_STATE_UNLOCK_METHOD: 'DELETE',
  };
  const answer = await (await opened(KB, env)).lock(owner());
  if ('lease' in answer) await answer.lease.release();
  expect(sent).toEqual([`POST ${KB}/lock`, `GET ${KB}`, `DELETE ${KB}/lock`]);
});

test.each([
  ['sslkey=/etc/passwd', 'has the parameter `sslkey`'],
  ['sslrootcert=/dev/zero', 'has the parameter `sslrootcert`'],
  ['host=/var/run/postgresql', 'has the parameter `host`'],
  ['host=elsewhere.example.com', 'has the parameter `host`'],
  ['state=docs&options=-c%20fsync=off', 'has the parameter `options`'],
])('a file does not choose what PostgreSQL reads or whom it asks: %s', async (query, message) => {
  await expect(opened(`postgres://db.example.com/kb?${query}`, {})).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining(message),
  });
});

test('a file does not name a socket', async () => {
  await expect(opened('postgres://%2Fvar%2Frun%2Fpostgresql/kb', {})).rejects.toMatchObject({
    message: expect.stringContaining('names a socket'),
  });
});

const refusal = (address: string, env: Env = {}): Promise<string | undefined> =>
  opened(address, env, 'environment').then(
    async (store) => {
      await store.close();
      return undefined;
    },
    ({ code, message, help }: SetupError) => `${code}: ${message}; ${help ?? ''}`,
  );

test.each([
  ['says how it is encrypted', 'postgres://db.example.com/kb?sslmode=verify-full', {}],
  ['is of a network that nobody else reads', 'postgres://db/kb?sslmode=disable', {}],
  ['PGSSLMODE encrypts', 'postgres://db.example.com/kb', { PGSSLMODE: 'require' }],
  ['is of this machine', 'postgres://localhost/kb', {}],
  ['is of this machine by number', 'postgres://[::1]:5433/kb', {}],
  ['is a socket', 'postgres://%2Fvar%2Frun%2Fpostgresql/kb', {}],
  ['names a socket', 'postgres://db.example.com/kb?host=/var/run/postgresql', {}],
])('a database whose address %s is asked', async (_, address, env) => {
  expect(await refusal(address, env)).toBeUndefined();
});

test.each(['postgres://db.example.com/kb', 'postgres://localhost/kb?host=db.example.com'])(
  'a database of another machine is not asked in the open: %s',
  async (address) => {
    expect(await refusal(address)).toMatch(
      /^refused: kbsync.yaml: the connection to .* would not be encrypted; add .sslmode=verify-full/,
    );
  },
);

describe.skipIf(postgresMissing() !== undefined)('with PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  test('user and password of the environment open a database', async () => {
    const url = new URL(await server.freshUrl());
    const admin = new Client({ connectionString: url.href });
    await admin.connect();
    await admin.query(`create role "ci@docs" login password '${PASSWORD}'`);
    const { rows } = await admin.query<{ readonly file: string; readonly schema: string }>(
      "select current_setting('hba_file') as file, current_schema() as schema",
    );
    const { file = '', schema = '' } = rows[0] ?? {};
    await admin.query(`grant usage, create on schema ${schema} to public`);
    writeFileSync(file, `local all "ci@docs" scram-sha-256\n${readFileSync(file, 'utf8')}`);
    await admin.query('select pg_reload_conf()');
    await admin.end();
    url.username = '';
    url.password = '';
    const user = { KBSYNC_STATE_USERNAME: 'ci@docs' };
    const store = await opened(url.href, { ...user, KBSYNC_STATE_PASSWORD: PASSWORD }, 'environment');
    expect(await store.lock(owner())).toHaveProperty('lease');
    await store.close();
    const wrong = await opened(url.href, { ...user, KBSYNC_STATE_PASSWORD: 'wrong' }, 'environment');
    await expect(wrong.read()).rejects.toMatchObject({
      message: expect.stringContaining('password authentication failed'),
    });
    await wrong.close();
  });
});

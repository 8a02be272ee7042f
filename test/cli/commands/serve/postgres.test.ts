import { existsSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { postgresMissing, type PostgresServer, startPostgres } from '../../../support/postgres.ts';
import { fakeWorld, type FakeWorld } from '../../support/fake-world.ts';

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld();
});
afterEach(() => world.close());

describe.skipIf(postgresMissing() !== undefined)('serve with DATABASE_URL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  test('keeps everything in the PostgreSQL database that the environment names, and tells no address', async () => {
    world.env['DATABASE_URL'] = await server.freshUrl();
    const made = await world.run('serve', 'keys', 'create', '--name', 'ci');
    expect([made.exit, made.stderr]).toEqual([
      0,
      expect.stringMatching(/revoke it with kbsync serve keys revoke [0-9a-f]{12}\n/),
    ]);
    const running = world.run('serve', '--port', '0');
    const state = { isRunning: true };
    void running.then(() => (state.isRunning = false));
    while (!world.stderrNow().includes('Ctrl-C ends') && state.isRunning)
      await new Promise((resolve) => setImmediate(resolve));
    const address = /http:\/\/[\d.:]+/.exec(world.stdoutNow())?.[0] ?? '';
    const headers = { authorization: `Bearer ${made.stdout.trim()}` };
    expect((await fetch(`${address}/api/v2/articles`, { headers })).status).toBe(200);
    world.signal('SIGTERM');
    const ran = await running;
    expect(ran.exit).toBe(0);
    expect(ran.stdout + ran.stderr).not.toContain('postgres://');
    expect(existsSync(`${world.cwd}/kbsync.db`)).toBe(false);
  });

  test('--db wins over the environment', async () => {
    world.env['DATABASE_URL'] = await server.freshUrl();
    expect((await world.run('serve', 'keys', 'create', '--name', 'ci', '--db', 'kb.sqlite')).exit).toBe(0);
    expect(existsSync(`${world.cwd}/kb.sqlite`)).toBe(true);
  });
});

test('an address in a flag is refused, because every process can read it', async () => {
  const ran = await world.run('serve', 'keys', 'list', '--db', 'postgres://u:secret@localhost/kb');
  expect([ran.exit, ran.stderr]).toEqual([64, expect.stringContaining('DATABASE_URL')]);
  expect(ran.stderr).not.toContain('secret');
});

test('a server that is not there is a failure with its name and without its password', async () => {
  world.env['DATABASE_URL'] = 'postgres://u:secret@127.0.0.1:1/kb';
  const ran = await world.run('serve', 'keys', 'list');
  expect([ran.exit, ran.stderr]).toEqual([
    1,
    expect.stringContaining('PostgreSQL database kb at 127.0.0.1:1'),
  ]);
  expect(ran.stderr).not.toContain('secret');
});

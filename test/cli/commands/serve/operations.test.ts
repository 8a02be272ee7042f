import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeWorld, type FakeWorld, type Ran } from '../../support/fake-world.ts';

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld();
});
afterEach(() => world.close());

async function serving(argv: readonly string[], use: (address: string) => Promise<void>): Promise<Ran> {
  const running = world.run('serve', '--port', '0', '--key-file', 'key.txt', ...argv);
  const state = { isRunning: true };
  void running.then(() => (state.isRunning = false));
  while (!/the key is in|made a key/.test(world.stderrNow()) && state.isRunning)
    await new Promise((resolve) => setImmediate(resolve));
  while (argv.includes('--metrics-port') && !world.stderrNow().includes('metrics at') && state.isRunning)
    await new Promise((resolve) => setImmediate(resolve));
  const address = /http:\/\/[\d.:]+/.exec(world.stdoutNow())?.[0];
  if (address !== undefined) {
    await use(address);
    world.signal('SIGTERM');
  }
  return running;
}

interface Sent {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(address: string, path: string, init: Sent = {}) {
  const authorization = `Bearer ${(await world.read('key.txt')).trim()}`;
  const response = await fetch(address + path, {
    ...init,
    headers: { authorization, 'content-type': 'application/json', ...init.headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const TAG = { method: 'PUT', body: JSON.stringify({ name: 'CLI canary-77', slug: 'cli' }) };
const json = ({ stdout }: Ran) => JSON.parse(stdout) as Record<string, unknown>;

describe('serve, watched', () => {
  test('--log writes a line of JSON for each request, and no secret', async () => {
    const ran = await serving(['--log'], async (address) => {
      await send(address, '/api/v2/tags', { ...TAG, headers: { 'x-request-id': 'proxy-0001' } });
      await send(address, '/api/v2/tags?token=canary-77');
    });
    const lines = ran.stderr.trimEnd().split('\n');
    const key = (await world.read('key.txt')).trim();
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { msg: expect.stringContaining('knowledge base') },
      { msg: expect.stringContaining('a key') },
      {
        level: 30,
        time: expect.stringMatching(/^20\d\d-.*Z$/),
        requestId: 'proxy-0001',
        method: 'PUT',
        path: '/api/v2/tags',
        status: 201,
        key: key.split('_')[1],
        msg: 'answered',
      },
      { method: 'GET', path: '/api/v2/tags', status: 400 },
      { msg: expect.stringContaining('stopping') },
    ]);
    expect(ran.stderr).not.toContain(key.slice(-30));
    expect(ran.stderr).not.toContain('canary-77');
  });

  test('--metrics-port serves metrics on a port of their own', async () => {
    await serving(['--metrics-port', '0'], async (address) => {
      await send(address, '/api/v2/tags');
      const url = /metrics at (\S+)/.exec(world.stderrNow())?.[1] ?? '';
      const text = await (await fetch(url)).text();
      expect(text).toContain('route="/api/v2/tags",status="200"} 1\n');
      expect(text).toMatch(/^kbsync_process_resident_memory_bytes \d+$/m);
      expect(text).toMatch(/^kbsync_nodejs_eventloop_delay_p999_seconds [\d.e+-]+$/m);
      expect(text).toMatch(/^kbsync_http_connections \d+$/m);
      const gauges = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
      expect(gauges.filter((name) => !text.includes(`# HELP ${name} `))).toEqual([]);
      expect((await send(address, '/metrics')).status).toBe(404);
    });
  });

  test('--rate-limit and --cors reach the service', async () => {
    await serving(['--rate-limit', '1', '--cors', 'https://a.example'], async (address) => {
      const first = await send(address, '/api/v2/tags', { headers: { origin: 'https://a.example' } });
      expect([first.status, first.headers.get('access-control-allow-origin')]).toEqual([
        200,
        'https://a.example',
      ]);
      const second = await send(address, '/api/v2/tags');
      expect([second.status, Number(second.headers.get('retry-after')) > 0]).toEqual([429, true]);
    });
    expect((await serving(['--cors', 'https://a.example/path'], async () => undefined)).exit).toBe(64);
    expect((await serving(['--cors', '*'], async () => undefined)).exit).toBe(64);
  });

  test('is alive and ready, and tells the API in machine-readable form', async () => {
    await serving([], async (address) => {
      for (const path of ['/healthz', '/readyz', '/openapi.json', '/reference']) {
        expect([path, (await fetch(address + path)).status]).toEqual([path, 200]);
      }
    });
  });
});

describe('serve with drafts', () => {
  test('--preview-token-file makes a token that only its owner can read, and takes it again', async () => {
    await serving(['--preview-token-file', 'preview.txt'], async (address) => {
      const token = (await world.read('preview.txt')).trim();
      const entered = await fetch(`${address}/en/?preview=${token}`, { redirect: 'manual' });
      expect([entered.status, entered.headers.get('set-cookie')]).toEqual([303, expect.any(String)]);
    });
    expect((await stat(join(world.cwd, 'preview.txt'))).mode & 0o077).toBe(0);
    await world.write('short.txt', 'sesame\n');
    const ran = await serving(['--preview-token-file', 'short.txt'], async () => undefined);
    expect([ran.exit, ran.stderr]).toEqual([4, expect.stringContaining('holds a token of 6 characters')]);
  });
});

describe('serve keys', () => {
  test('a key for a database that was not there says that it was made', async () => {
    const first = await world.run('serve', 'keys', 'create', '--name', 'a', '--db', 'other.db');
    expect(first.stderr).toContain('made a new knowledge base in other.db; --db names another');
    const second = await world.run('serve', 'keys', 'create', '--name', 'b', '--db', 'other.db');
    expect(second.stderr).not.toContain('made a new');
  });

  test('a key may be for reading only, and for a time only', async () => {
    const made = await world.run(
      'serve',
      'keys',
      'create',
      '--name',
      'r',
      '--scope',
      'read',
      '--expires',
      '2199-01-01',
    );
    expect(made.exit).toBe(0);
    const listed = (await world.run('serve', 'keys', 'list')).stdout;
    expect(listed).toMatch(/ r {5}read {2}made \S+ {2}never used {2}expires 2199-01-01T00:00:00\.000000Z\n/);
    await serving([], async (address) => {
      const headers = { authorization: `Bearer ${made.stdout.trim()}` };
      expect((await send(address, '/api/v2/tags', { headers })).status).toBe(200);
      expect((await send(address, '/api/v2/tags', { ...TAG, headers })).status).toBe(403);
    });
    expect((await world.run('serve', 'keys', 'list')).stdout).toMatch(
      / r +read {2}made \S+ {2}used \S+ {2}expires/,
    );
  });

  test.each([['2000-01-01'], ['2200-01-01'], ['tomorrow'], ['2026-02-31x']])(
    '--expires %s is a usage error',
    async (date) => {
      expect((await world.run('serve', 'keys', 'create', '--name', 'x', '--expires', date)).exit).toBe(64);
    },
  );
});

describe('serve audit, backup and check', () => {
  test('audit lists writes by key and time', async () => {
    await serving([], async (address) => void (await send(address, '/api/v2/tags', TAG)));
    const ran = await world.run('serve', 'audit');
    expect(ran.stdout).toMatch(
      /^\S+Z {2}key-file {2}create tag "CLI canary-77" [0-9a-f-]{36}\n\S+Z {2}a command here {2}create key "key-file" [0-9a-f]+\n$/,
    );
    expect(json(await world.run('serve', 'audit', '--json', '--key', 'key-file'))).toMatchObject({
      format: 1,
      entries: [
        { action: 'create', kind: 'tag', before: null, key: { name: 'key-file' } },
        { action: 'create', kind: 'key', name: 'key-file' },
      ],
    });
    for (const filter of [
      ['--key', 'nobody'],
      ['--since', '2199-01-01'],
      ['--record', 'x'],
    ]) {
      expect((await world.run('serve', 'audit', ...filter)).stdout).toBe('');
    }
  });

  test('a backup taken while the service runs holds what was written, and never takes a file’s place', async () => {
    await serving([], async (address) => void (await send(address, '/api/v2/tags', TAG)));
    const holder = new DatabaseSync(join(world.cwd, 'kbsync.db'));
    holder.exec('begin');
    holder.prepare('select count(*) from tags').get();
    expect((await world.run('serve', 'backup', 'copy.sqlite')).exit).toBe(0);
    holder.close();
    expect((await world.run('serve', 'check', '--db', 'copy.sqlite')).stdout).toBe('nothing is wrong\n');
    expect((await world.run('serve', 'audit', '--db', 'copy.sqlite')).stdout).toContain('canary-77');
    const { size } = await stat(join(world.cwd, 'copy.sqlite'));
    expect((await world.run('serve', 'backup', 'copy.sqlite')).exit).toBe(4);
    expect((await stat(join(world.cwd, 'copy.sqlite'))).size).toBe(size);
    await world.write('notes.db', 'x'.repeat(5000));
    expect((await world.run('serve', 'backup', 'b.sqlite', '--db', 'notes.db')).exit).toBe(4);
    expect((await world.run('serve', 'backup', 'b.sqlite', '--db', 'missing.db')).exit).toBe(64);
    world.env['DATABASE_URL'] = 'postgres://x';
    expect((await world.run('serve', 'backup', 'b.sqlite')).stderr).toContain('pg_dump');
  });

  test('check finds what no write of the service makes', async () => {
    await serving([], async (address) => {
      for (const slug of ['a', 'b']) {
        const body = JSON.stringify({ name: slug, slug, priority: 1 });
        await send(address, '/api/v2/categories', { method: 'PUT', body });
      }
    });
    const database = new DatabaseSync(join(world.cwd, 'kbsync.db'));
    database.exec(`pragma foreign_keys = off;
      update categories set parent_id = (select id from categories o where o.slug <> categories.slug);
      update categories set edited_at = created_at - 1 where slug = 'a';
      update categories set created_by = 'nobody' where slug = 'b';`);
    database.close();
    const ran = await world.run('serve', 'check');
    expect(ran.exit).toBe(1);
    expect(ran.stdout).toMatch(/foreign-key: row \d+ of categories names a row of users that is not there\n/);
    expect(ran.stdout).toMatch(
      /cycle: category is its own ancestor, or below one that is: "a" .*\ncycle: .*"b"/,
    );
    expect(ran.stdout).toMatch(/date-order: record of categories was edited before it was made: "a"/);
    expect(json(await world.run('serve', 'check', '--json'))).toMatchObject({
      format: 1,
      findings: expect.any(Array),
    });
  });

  test('a damaged database is called damaged by every command, with what helps', async () => {
    await serving([], async (address) => {
      await send(address, '/api/v2/tags', TAG);
      const long = {
        name: 'long',
        slug: 'long',
        description: '',
        longDescription: '<p>word</p>'.repeat(30_000),
      };
      await send(address, '/api/v2/tags', { method: 'PUT', body: JSON.stringify(long) });
    });
    const file = join(world.cwd, 'kbsync.db');
    const database = new DatabaseSync(file);
    database.prepare('pragma wal_checkpoint(truncate)').get();
    database.close();
    const sound = await readFile(file);
    const harmed = [sound.subarray(0, 20 * 4096), Buffer.from(sound).fill(0xa5, 4096, 12 * 4096)];
    for (const bytes of harmed) {
      await writeFile(file, bytes);
      for (const command of [['check'], ['keys', 'list'], []]) {
        const ran = await world.run('serve', ...command, ...(command.length === 0 ? ['--port', '0'] : []));
        expect([command, ran.exit]).toEqual([command, 1]);
        const said = ran.stdout + ran.stderr;
        expect(said).not.toMatch(/bug|at .*\.ts:/);
        expect(said).toMatch(
          /kbsync\.db is damaged \(.*\); restore a backup|^integrity: |a backup from before/m,
        );
      }
    }
  });

  test('the log says once why the database fails, in JSON too, and answers say it to nobody', async () => {
    const ran = await serving(['--log'], async (address) => {
      await rename(join(world.cwd, 'kbsync.db'), join(world.cwd, 'away.db'));
      for (let n = 0; n < 3; n += 1) {
        const { status, text } = await send(address, '/api/v2/tags', TAG);
        expect([status, text.includes(world.cwd)]).toEqual([503, false]);
      }
      expect((await fetch(`${address}/readyz`)).status).toBe(503);
      expect((await fetch(`${address}/healthz`)).status).toBe(200);
    });
    const lines = ran.stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string });
    const told = lines.filter(({ msg }) => msg.includes('database fails'));
    expect(told.map(({ msg }) => msg)).toEqual([expect.stringContaining('was deleted or moved away')]);
  });
});

describe('serve versions', () => {
  const YAML = `- version: "2.0"
  name: Two
  releasedAt: 2026-03-01
  active: true
  features:
    - name: Search
      description: finds
      imageUrl: https://cdn.example.com/s.png
- version: "1.0"
  name: One
  releasedAt: 2026-01-01
`;
  beforeEach(async () => {
    await world.run('serve', 'keys', 'create', '--name', 'x');
    await world.write('versions.yaml', YAML);
  });
  const run = (...argv: readonly string[]) => world.run('serve', 'versions', ...argv);

  test('a YAML file is brought in once, and again without a change', async () => {
    expect((await run('import', 'versions.yaml')).stdout).toBe('2 versions added, 0 edited, 0 unchanged\n');
    const before = await run('list', '--json');
    expect((await run('import', 'versions.yaml')).stdout).toBe('0 versions added, 0 edited, 2 unchanged\n');
    expect((await run('list', '--json')).stdout).toBe(before.stdout);
    expect(json(before)).toMatchObject({
      versions: [
        {
          version: '2.0',
          active_version: true,
          released_version: true,
          release_timestamp: '2026-03-01T00:00:00.000000Z',
          changelog_features: [{ name: 'Search', image_url: 'https://cdn.example.com/s.png' }],
        },
        { version: '1.0', changelog_features: [] },
      ],
    });
    await world.write('versions.yaml', YAML.replace('Two', 'Second'));
    expect(json(await run('import', 'versions.yaml', '--json'))).toMatchObject({
      edited: ['2.0'],
      unchanged: ['1.0'],
    });
  });

  test.each([
    ['not YAML', 'a: [', 'is not YAML'],
    ['no list', 'a: 1', 'versions.yaml: file: '],
    ['a number without quotes', '- {version: 2.0, name: x, releasedAt: 2026-01-01}', '0.version: '],
    ['an unknown field', '- {version: "2", name: x, releasedAt: 2026-01-01, x: 1}', '"x"'],
    ['a date that is none', '- {version: "2", name: x, releasedAt: soon}', 'is not a date from 1970 to 2199'],
    ['a version twice', `${YAML}${YAML}`, 'version 2.0 is listed twice'],
  ])('%s is a usage error, and nothing is brought in', async (_, text, why) => {
    await world.write('versions.yaml', text);
    const ran = await run('import', 'versions.yaml');
    expect([ran.exit, ran.stderr]).toEqual([64, expect.stringContaining(why)]);
    expect((await run('list')).stdout).toBe('');
  });

  test('a version is edited in what is named, and removed', async () => {
    await run('import', 'versions.yaml');
    expect((await run('edit', '2.0', '--name', 'Deux', '--no-active', '--feature', 'New: thing')).exit).toBe(
      0,
    );
    expect(json(await run('list', '--json'))).toMatchObject({
      versions: [
        {
          name: 'Deux',
          active_version: false,
          released_version: true,
          changelog_features: [{ name: 'New', description: 'thing', image_url: null }],
        },
        { name: 'One' },
      ],
    });
    expect((await run('remove', '2.0')).stdout).toBe('removed 2.0\n');
    expect((await run('list')).stdout).toMatch(/^1\.0 {2}One .*\n$/);
    expect([(await run('edit', '2.0', '--name', 'x')).exit, (await run('remove', '2.0')).exit]).toEqual([
      64, 64,
    ]);
  });
});

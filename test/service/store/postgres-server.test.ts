import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, openPostgres, systemClock, type Store } from '../../../src/service/index.ts';
import { postgresMissing, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { createSite } from '../../../src/site/create-site.ts';
import { keptAddresses, withOldAddresses } from '../../../src/site/http/old-addresses.ts';
import { siteBeside } from '../../../src/site/with-service.ts';
import { ARTICLES, articleBody, CATEGORIES, categoryBody, rig, TAGS, tagBody } from '../support/rig.ts';

const TERMINATE =
  'select count(pg_terminate_backend(pid)) from pg_stat_activity where pid <> pg_backend_pid()';

/** Connections until two of them have the same row of marks: of seventeen, two do. */
async function pairOfOneShard(
  url: string,
): Promise<{ readonly clients: readonly Client[]; readonly pair: readonly [Client, Client] }> {
  const clients: Client[] = [];
  const byShard = new Map<number, Client>();
  for (;;) {
    const client = new Client({ connectionString: url });
    await client.connect();
    clients.push(client);
    const { rows } = await client.query<{ shard: number }>('select pg_backend_pid() % 16 as shard');
    const shard = rows[0]?.shard ?? -1;
    const before = byShard.get(shard);
    if (before !== undefined) return { clients, pair: [before, client] };
    byShard.set(shard, client);
  }
}

/** Until the second connection waits for a lock, or has its answer. */
async function untilItWaits(watcher: Client, watched: Client): Promise<void> {
  const { processID } = watched as Client & { readonly processID: number };
  for (let round = 0; round < 200; round += 1) {
    const { rows } = await watcher.query<{ state: string; wait: string | null }>(
      'select state, wait_event_type as wait from pg_stat_activity where pid = $1',
      [processID],
    );
    if (rows[0]?.wait === 'Lock') return;
    await new Promise((done) => setTimeout(done, 10));
  }
}

/** A way to the server that counts how often a client said something after an answer: each time it had waited. */
async function countedWay(url: string) {
  const there = new URL(url);
  const folder = there.searchParams.get('host') ?? '';
  let waits = 0;
  const relay = createServer((client) => {
    let isAnswered = true;
    const database = connect(join(folder, `.s.PGSQL.${there.port === '' ? 5432 : there.port}`));
    client.on('data', (bytes) => {
      if (isAnswered) waits += 1;
      isAnswered = false;
      database.write(bytes);
    });
    database.on('data', (bytes) => {
      isAnswered = true;
      client.write(bytes);
    });
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const { port } = relay.address() as AddressInfo;
  const way = new URL(url);
  way.searchParams.delete('host');
  way.host = `127.0.0.1:${port}`;
  return { url: String(way), waits: () => waits, close: () => relay.close() };
}

describe.skipIf(postgresMissing() !== undefined)('a PostgreSQL store', () => {
  let server: PostgresServer;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
  });
  beforeEach(async () => {
    url = await server.freshUrl();
  });
  afterAll(() => server.remove());

  const user = (store: Store, name: string) =>
    store.write((sql) => sql.run(`insert into users values (?, ?, '', '', '')`, `${name}-id`, name));
  const users = (store: Store) =>
    store.read((sql) => sql.all<{ username: string }>('select username from users order by username'));

  test('commits to the disk, whatever the role is set to', async () => {
    await server.run('alter role kbsync set synchronous_commit = off');
    const store = await openPostgres({ url });
    const level = (work: 'read' | 'write') =>
      store[work]((sql) => sql.get(`select current_setting('synchronous_commit') as level`));
    expect([await level('write'), await level('read')]).toEqual([{ level: 'on' }, { level: 'on' }]);
    await store.close();
    await server.run('alter role kbsync reset synchronous_commit');
  });

  test('refuses a server that would lose writes, at the start and after its restart', async () => {
    const service = await rig(await openPostgres({ url }));
    await server.halt('fast');
    await server.start(['fsync=off']);
    await expect(openPostgres({ url })).rejects.toMatchObject({ code: 'unsafe' });
    const refused = await service.ask('PUT', ARTICLES, articleBody());
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    await server.halt('fast');
    await server.start();
    expect((await service.ask('PUT', ARTICLES, articleBody())).status).toBe(201);
    await service.close();
  });

  test('keeps the default language it was made with', async () => {
    await (await openPostgres({ url, defaultLanguage: 'de' })).close();
    await expect(openPostgres({ url, defaultLanguage: 'en' })).rejects.toMatchObject({ code: 'language' });
    const again = await openPostgres({ url });
    expect(again.knowledgeBase.defaultLanguage).toBe('de');
    await again.close();
  });

  test('lets two writers that share a row of list marks write the same lists in either order', async () => {
    const service = await rig(await openPostgres({ url }));
    for (const n of [1, 2]) {
      await service.make(ARTICLES, articleBody({ slug: `article-${n}` }));
      await service.make(CATEGORIES, categoryBody({ slug: `category-${n}` }));
    }
    const { clients, pair } = await pairOfOneShard(url);
    const write = (client: Client, table: string, slug: string) =>
      client.query(
        `update ${table} set order_by = order_by where slug = '${slug}'; set constraints all immediate`,
      );
    const [one, other] = pair;
    try {
      for (const client of pair) await client.query('begin');
      await write(one, 'categories', 'category-1');
      // Waits for the other one's end, and holds nothing that it wants.
      const second = write(other, 'articles', 'article-2').then(() =>
        write(other, 'categories', 'category-2'),
      );
      await untilItWaits(one, other);
      const ends = await Promise.all([
        write(one, 'articles', 'article-1').then(() => one.query('commit')),
        second.then(() => other.query('commit')),
      ]);
      expect(ends.map(({ command }) => command)).toEqual(['COMMIT', 'COMMIT']);
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
    await service.close();
  });

  test('a create with five tags and two links waits for the database seven times', async () => {
    const way = await countedWay(url);
    const service = await rig(await openPostgres({ url: way.url }));
    const category = await service.make(CATEGORIES, categoryBody());
    const tags: { readonly value: string }[] = [];
    for (let n = 0; n < 5; n += 1)
      tags.push({ value: await service.make(TAGS, tagBody({ slug: `t${n}`, name: `T${n}` })) });
    const content = '<a href="https://a.example/1">1</a> <a href="https://a.example/2">2</a>';
    const body = (slug: string) => articleBody({ slug, categories: [{ value: category }], tags, content });
    // Connections and statements are made.
    await service.make(ARTICLES, body('first'));
    const before = way.waits();
    await service.make(ARTICLES, body('second'));
    // The key, begin, categories, tags, slug, all rows, commit; and the end of the reading of the key, for which nobody waits.
    expect(way.waits() - before).toBe(8);
    await service.close();
    way.close();
  });

  test('says what is wrong with an address, without the password in it', async () => {
    await expect(openPostgres({ url: 'postgres://u:secret@[' })).rejects.toMatchObject({ code: 'schema' });
    const nobody = openPostgres({ url: 'postgres://u:secret@127.0.0.1:1/db', patienceMs: 50 });
    const message = expect.stringMatching(/^(?!.*secret).*127\.0\.0\.1:1/);
    await expect(nobody).rejects.toMatchObject({ code: 'busy', message });
  });

  test('goes on after every connection was ended and after a restart, and says 503 while there is no server', async () => {
    const service = await rig(await openPostgres({ url, patienceMs: 200 }));
    await service.make(ARTICLES, articleBody({ slug: 'a' }));
    await server.run(TERMINATE);
    expect((await service.ask('PUT', ARTICLES, articleBody({ slug: 'b' }))).status).toBe(201);
    await server.halt('immediate');
    const down = [
      await service.ask('GET', ARTICLES),
      await service.ask('PUT', ARTICLES, articleBody({ slug: 'c' })),
    ];
    expect(JSON.stringify(down.map(({ body }) => body))).not.toMatch(/127\.0\.0\.1|PostgreSQL/);
    expect((await service.ask('GET', '/readyz')).status).toBe(503);
    expect(down.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [503, '1'],
      [503, '1'],
    ]);
    await server.start();
    expect((await service.ask('PUT', ARTICLES, articleBody({ slug: 'c' }))).status).toBe(201);
    expect((await service.ask('GET', ARTICLES)).body['data']).toHaveLength(3);
    expect(service.failures).toEqual([]);
    await service.close();
  });

  test('runs a write again whose connection was lost before the commit', async () => {
    const store = await openPostgres({ url });
    let tries = 0;
    await store.write(async (sql) => {
      tries += 1;
      await sql.run(`insert into users values ('1', 'ada', '', '', '')`);
      if (tries === 1) await server.run(TERMINATE);
      await sql.run(`insert into users values ('2', 'bob', '', '', '')`);
    });
    expect([tries, await users(store)]).toEqual([2, [{ username: 'ada' }, { username: 'bob' }]]);
    await store.close();
  });

  test('gives up on a conflict after five more tries, as busy', async () => {
    const store = await openPostgres({ url });
    let tries = 0;
    const conflict = Object.assign(new Error('could not serialize'), { code: '40001', severity: 'ERROR' });
    const failed = store.write(async () => {
      tries += 1;
      throw conflict;
    });
    await expect(failed).rejects.toMatchObject({ code: 'busy', cause: conflict });
    expect(tries).toBe(6);
    await store.close();
  });

  test('lets two writes that wait for each other both end', async () => {
    const store = await openPostgres({ url });
    for (const name of ['a', 'b']) await user(store, name);
    let holders = 0;
    let bothHold = (): void => undefined;
    const bothHeld = new Promise<void>((resolve) => {
      bothHold = resolve;
    });
    const rename = (first: string, second: string) =>
      store.write(async (sql) => {
        await sql.run('update users set first_name = ? where username = ?', first, first);
        holders += 1;
        if (holders === 2) bothHold();
        await bothHeld;
        await sql.run('update users set first_name = ? where username = ?', first, second);
      });
    await Promise.all([rename('a', 'b'), rename('b', 'a')]);
    const names = await store.read((sql) => sql.all('select distinct first_name from users'));
    expect(names).toHaveLength(1);
    // Both hold a row, and whichever PostgreSQL ends begins again, on a busy machine more than once.
    expect(holders).toBeGreaterThanOrEqual(3);
    await store.close();
  });

  test('ends a statement and a transaction that take too long, as busy', async () => {
    // Made with the usual limits, which a busy machine does not reach.
    await (await openPostgres({ url })).close();
    const store = await openPostgres({ url, statementTimeoutMs: 1000, patienceMs: 2000 });
    await expect(store.read((sql) => sql.get('select 1 as one from pg_sleep(30)'))).rejects.toMatchObject({
      code: 'busy',
    });
    await user(store, 'a');
    const idle = store.write(async (sql) => {
      await sql.run('delete from users');
      await new Promise((resolve) => {
        setTimeout(resolve, 3000); // longer than the database lets a transaction idle
      });
      await sql.run('delete from users');
    });
    await expect(idle).rejects.toMatchObject({ code: 'busy' });
    expect(await users(store)).toEqual([{ username: 'a' }]);
    await store.close();
  });

  test('refuses writes beyond its queue, and everything once it is closed', async () => {
    const store = await openPostgres({ url, writesWaitingMax: 3 });
    const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((name) => user(store, name)));
    expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'ok'))).toEqual([
      'ok',
      'ok',
      'ok',
      'overloaded',
      'overloaded',
    ]);
    const last = user(store, 'f');
    await store.close();
    expect(await last).toBe(1);
    await expect(store.read((sql) => sql.get('select 1 as one'))).rejects.toMatchObject({ code: 'closed' });
  });

  test('gives every value as SQLite does', async () => {
    const store = await openPostgres({ url });
    const row = await store.read((sql) =>
      sql.get(`select 9007199254740991 as big, 1.5 as exact, cast(0.1 as double precision) as double,
        count(*) as counted, sum(1) as summed, true as yes, cast(null as text) as nothing, 'x' as text from sites`),
    );
    expect(row).toEqual({
      big: 9007199254740991,
      exact: 1.5,
      double: 0.1,
      counted: 1,
      summed: 1,
      yes: 1,
      nothing: null,
      text: 'x',
    });
    await expect(store.read((sql) => sql.get('select 9007199254740993 as big'))).rejects.toThrow('bug: ');
    await store.close();
  });

  test('a write that goes on after a failed statement is a bug, and nothing of it is kept', async () => {
    const store = await openPostgres({ url });
    const wrong = store.write(async (sql) => {
      await sql.run(`insert into users values ('1', 'ada', '', '', '')`);
      await sql.run('select nonsense').catch(() => undefined);
    });
    await expect(wrong).rejects.toThrow('bug: ');
    expect(await users(store)).toEqual([]);
    await store.close();
  });

  test('an address with NUL, which no text here can have, names nothing', async () => {
    const store = await openPostgres({ url });
    const failures: unknown[] = [];
    const onFailure = (error: unknown): void => void failures.push(error);
    const site = createSite({ store, name: 'Help', onFailure });
    const app = withOldAddresses(siteBeside(createApp({ store, clock: systemClock, onFailure }), site), {
      kept: keptAddresses(store),
    });
    const statuses = await Promise.all(
      ['/en/articles/a%00', '/en/tags/%00.md', '/en/a%00', '/a%00', '/x?a=%00', '/?a=%00'].map(
        async (path) => (await app.fetch(new Request(`http://kb.test${path}`))).status,
      ),
    );
    expect(statuses).toEqual([404, 404, 404, 404, 404, 302]);
    expect(failures).toEqual([]);
    await store.close();
  });
});

import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres, openSqlite } from '../../../src/service/index.ts';
import { migrationSteps } from '../../../src/service/store/migrations.ts';
import { postgresMissing, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { buildService } from '../support/build.ts';

const folder = mkdtempSync(join(tmpdir(), 'kbsync-migration-'));
const build = buildService();
const script = join(import.meta.dirname, '../support/store-child.mjs');
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  build.remove();
});

{
  // Each statement is compiled once while a store is opened, so that compiling one stands for running it.
  const file = join(dirname(build.entry), 'store/sqlite/connection.js');
  const call = 'database.prepare(statement)';
  const text = readFileSync(file, 'utf8');
  if (!text.includes(call)) throw new Error(`${file} has no ${call} any more`);
  writeFileSync(file, text.replaceAll(call, `(globalThis.beforeStatement?.(), ${call})`));
}

const LATEST = migrationSteps('sqlite').length;
/** The last step that makes a table. */
const TABLES =
  migrationSteps('postgres').findLastIndex((step) => step.some((text) => text.startsWith('create table'))) +
  1;
/** Every how many statements a run is killed: all of them in the campaign, fewer where every test runs. */
const STRIDE = Number(process.env['KBSYNC_KILL_STRIDE'] ?? 7);

function child(kind: 'sqlite' | 'postgres', target: string, dieBefore?: number): SpawnSyncReturns<string> {
  const args = [script, build.entry, kind, target, ...(dieBefore === undefined ? [] : [String(dieBefore)])];
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}

/** Kills a new store's first start before each (or each few) of its statements; the next start must be whole. */
async function killEverywhere(
  kind: 'sqlite' | 'postgres',
  fresh: () => Promise<string>,
  check: (target: string) => Promise<void>,
): Promise<void> {
  const whole = child(kind, await fresh());
  expect(whole.stderr).toBe('');
  const statements = Number(whole.stdout);
  expect(statements).toBeGreaterThan(30);
  for (let at = 1; at <= statements; at += STRIDE) {
    const target = await fresh();
    expect(child(kind, target, at).signal, `killed before statement ${at}`).toBe('SIGKILL');
    await check(target);
  }
}

describe('migrations of SQLite', () => {
  let files = 0;
  const fresh = async () => join(folder, `${(files += 1)}.db`);

  test(
    'a start that is killed before any of its statements is made good by the next',
    { timeout: 180_000 },
    () =>
      killEverywhere('sqlite', fresh, async (file) => {
        const store = openSqlite({ file });
        expect(await store.read((sql) => sql.get('select count(*) as n from articles'))).toEqual({ n: 0 });
        expect(await store.read((sql) => sql.all('pragma integrity_check'))).toEqual([
          { integrity_check: 'ok' },
        ]);
        expect(await store.read((sql) => sql.get('pragma user_version'))).toEqual({ user_version: LATEST });
        await store.close();
      }),
  );

  test('a file with an older schema is copied, then brought up to date with what it holds', async () => {
    const file = await fresh();
    const old = new DatabaseSync(file);
    for (const statement of migrationSteps('sqlite')[0] ?? []) old.exec(statement);
    old.exec(`pragma user_version = 1; pragma application_id = 1801614201;
      insert into sites values ('s', 'de', 1); insert into users values ('u', 'ada', '', '', '')`);
    old.close();
    const store = openSqlite({ file });
    expect(store.knowledgeBase).toEqual({ id: 's', defaultLanguage: 'de' });
    expect(await store.read((sql) => sql.get('select username from users'))).toEqual({ username: 'ada' });
    await store.close();
    const copy = new DatabaseSync(`${file}.schema-1`);
    expect({ ...Object(copy.prepare('pragma user_version').get()) }).toEqual({ user_version: 1 });
    expect(copy.prepare('select username from users').all()).toHaveLength(1);
    copy.close();
    await openSqlite({ file }).close();
    expect(existsSync(`${file}.schema-${LATEST}`)).toBe(false);
  });

  test('no translation of a database from before looks older than its original', async () => {
    const file = await fresh();
    const before = 9;
    const old = new DatabaseSync(file);
    for (const step of migrationSteps('sqlite').slice(0, before))
      for (const statement of step) old.exec(statement);
    const rest = `1, 'u', 'Name', 'published', 1, 0, 0, '', '', ''`;
    const columns = `id, site_id, language, language_parent, created_at, edited_at, slug, version, created_by, name,
      status, order_by, hide_from_search, views, excerpt, summary, content`;
    old.exec(`pragma user_version = ${before}; pragma application_id = 1801614201;
      insert into sites values ('s', 'en', 1); insert into users values ('u', 'ada', '', '', '');
      insert into articles (${columns}) values ('a', 's', null, null, 10, 99, 'a', ${rest});
      insert into articles (${columns}) values ('b', 's', 'fr', 'a', 20, 30, 'b', ${rest});
      insert into article_search (article_id, tokeniser, plain) values ('a', 2, ''), ('b', 2, '')`);
    old.close();
    const store = openSqlite({ file });
    // Earlier than its making no text was written, and later than its last edit none was either.
    expect(
      await store.read((sql) =>
        sql.all('select article_id, words_at from article_search order by article_id'),
      ),
    ).toEqual([
      { article_id: 'a', words_at: 10 },
      { article_id: 'b', words_at: 30 },
    ]);
    await store.close();
  });
});

describe.skipIf(postgresMissing() !== undefined)('migrations of PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  const versions = (url: string) => server.run('select version from kbsync_schema order by version', url);
  const all = Array.from({ length: LATEST }, (_, at) => ({ version: at + 1 }));

  test(
    'a start that is killed before any of its statements is made good by the next',
    { timeout: 240_000 },
    () =>
      killEverywhere(
        'postgres',
        () => server.freshUrl(),
        async (url) => {
          const store = await openPostgres({ url });
          expect(await store.read((sql) => sql.get('select count(*) as n from articles'))).toEqual({ n: 0 });
          await store.close();
          expect(await versions(url)).toEqual(all);
        },
      ),
  );

  test('of five replicas that start at once, one runs each step', async () => {
    const url = await server.freshUrl();
    const exits = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const replica = spawn(process.execPath, [script, build.entry, 'postgres', url], { stdio: 'inherit' });
        return (await once(replica, 'exit'))[0];
      }),
    );
    expect(exits).toEqual([0, 0, 0, 0, 0]);
    expect(await versions(url)).toEqual(all);
    expect(await server.run('select count(*)::int as n from sites', url)).toEqual([{ n: 1 }]);
  });

  test('refuses the schema of a newer kbsync, and the tables of another program', async () => {
    const newer = await server.freshUrl();
    await (await openPostgres({ url: newer })).close();
    await server.run('insert into kbsync_schema values (9999, 0)', newer);
    await expect(openPostgres({ url: newer })).rejects.toThrow(
      /has schema 9999; this kbsync knows schemas up to \d+: use the newer kbsync/,
    );
    const other = await server.freshUrl();
    await server.run('create table notes (text text)', other);
    await expect(openPostgres({ url: other })).rejects.toMatchObject({ code: 'schema' });
    expect(
      await server.run(
        "select 1 from information_schema.tables where table_name = 'articles' and table_schema = current_schema()",
        other,
      ),
    ).toEqual([]);
  });

  test('a step that fails leaves nothing of itself', async () => {
    const url = await server.freshUrl();
    await (await openPostgres({ url })).close();
    await server.run(`delete from kbsync_schema where version >= ${TABLES}`, url);
    // Its tables are there already, so that the step fails.
    await expect(openPostgres({ url })).rejects.toThrow(/already exists/);
    expect(await versions(url)).toEqual(all.slice(0, TABLES - 1));
  });
});

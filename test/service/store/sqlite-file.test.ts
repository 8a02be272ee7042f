import { copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { createKey, openSqlite, revokeKey, type StoreError } from '../../../src/service/index.ts';
import { backupSqlite } from '../../../src/service/store/sqlite/backup.ts';
import { ARTICLES, articleBody, rig } from '../support/rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'kbsync-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fileNamed = (name: string): string => join(folder, name);

function codeOf(open: () => unknown): StoreError['code'] | 'none' {
  try {
    open();
    return 'none';
  } catch (error) {
    return (error as StoreError).code;
  }
}

describe('a SQLite store', () => {
  test('commits with full synchronisation, in WAL, with foreign keys', async () => {
    const store = openSqlite({ file: fileNamed('pragmas.db') });
    const pragma = (name: string) => store.write((sql) => sql.get(`pragma ${name}`));
    expect(await pragma('synchronous')).toEqual({ synchronous: 2 });
    expect(await pragma('journal_mode')).toEqual({ journal_mode: 'wal' });
    expect(await pragma('foreign_keys')).toEqual({ foreign_keys: 1 });
    await store.close();
  });

  test('holds what was written when it is opened again', async () => {
    const file = fileNamed('again.db');
    const first = await rig(openSqlite({ file }));
    const id = await first.make(ARTICLES, articleBody());
    await first.close();
    const again = openSqlite({ file });
    expect(again.knowledgeBase).toEqual(first.store.knowledgeBase);
    expect(await again.read((sql) => sql.all('select id from articles'))).toEqual([{ id }]);
    await again.close();
  });

  test('refuses a key at once that another process revokes, and takes one that it makes', async () => {
    const file = fileNamed('keys.db');
    const service = await rig(openSqlite({ file }));
    const ask = async (key: string) =>
      (await service.ask('GET', ARTICLES, undefined, { authorization: `Bearer ${key}` })).status;
    const other = openSqlite({ file });
    const made = await createKey({ store: other, clock: service.clock, name: 'made elsewhere' });
    expect([await ask(service.key), await ask(made.key), await ask(made.key)]).toEqual([200, 200, 200]);
    await revokeKey({ store: other, clock: service.clock, prefix: made.prefix });
    expect([await ask(made.key), await ask(service.key)]).toEqual([401, 200]);
    await other.close();
    await service.close();
  });

  test('is whole in its file alone once it is closed', async () => {
    const file = fileNamed('closed.db');
    const service = await rig(openSqlite({ file }));
    const id = await service.make(ARTICLES, articleBody());
    await service.close();
    const copy = fileNamed('copied.db');
    copyFileSync(file, copy);
    const copied = openSqlite({ file: copy });
    expect(await copied.read((sql) => sql.all('select id from articles'))).toEqual([{ id }]);
    await copied.close();
  });

  test('refuses a file of another program, of a newer kbsync, and one that is no database', () => {
    const other = fileNamed('other.db');
    const foreign = new DatabaseSync(other);
    foreign.exec('create table notes (text text)');
    foreign.close();
    expect(codeOf(() => openSqlite({ file: other }))).toBe('schema');
    const newer = fileNamed('newer.db');
    void openSqlite({ file: newer }).close();
    const raised = new DatabaseSync(newer);
    raised.exec('pragma user_version = 9999');
    raised.close();
    expect(() => openSqlite({ file: newer })).toThrow(/has schema 9999; this kbsync knows schemas up to \d+/);
    const text = fileNamed('notes.md');
    writeFileSync(text, '# Not a database\n'.repeat(100));
    expect(codeOf(() => openSqlite({ file: text }))).toBe('schema');
    expect(codeOf(() => openSqlite({ file: fileNamed('no/such/folder/kb.db') }))).toBe('unopened');
  });

  test.skipIf(process.platform === 'win32')('is readable by its owner alone, its copies too', async () => {
    const umask = process.umask(0o022);
    const [file, copy] = [fileNamed('private.db'), fileNamed('private-copy.db')];
    const service = await rig(openSqlite({ file }));
    await service.make(ARTICLES, articleBody());
    backupSqlite(file, copy);
    const modes = ['', '-wal', '-shm'].map((end) => statSync(file + end).mode & 0o777);
    expect([...modes, statSync(copy).mode & 0o777]).toEqual([0o600, 0o600, 0o600, 0o600]);
    process.umask(umask);
    await service.close();
  });

  test('keeps the default language it was made with', async () => {
    const file = fileNamed('language.db');
    const store = openSqlite({ file, defaultLanguage: 'de' });
    expect(store.knowledgeBase.defaultLanguage).toBe('de');
    await store.close();
    expect(codeOf(() => openSqlite({ file, defaultLanguage: 'en' }))).toBe('language');
    const again = openSqlite({ file });
    expect(again.knowledgeBase.defaultLanguage).toBe('de');
    await again.close();
  });

  test('answers 503 with Retry-After while another process holds the file, and writes again afterwards', async () => {
    const file = fileNamed('held.db');
    const service = await rig(openSqlite({ file, busyTimeoutMs: 20 }));
    const holder = new DatabaseSync(file);
    holder.exec('begin immediate');
    const held = await service.ask('PUT', ARTICLES, articleBody());
    expect([held.status, held.headers.get('retry-after'), held.body['success']]).toEqual([503, '1', false]);
    expect((await service.ask('GET', ARTICLES)).status).toBe(200);
    holder.exec('rollback');
    holder.close();
    expect((await service.ask('PUT', ARTICLES, articleBody())).status).toBe(201);
    await service.close();
  });

  test('answers reads while a write waits for another process, and writes as soon as that lets go', async () => {
    const file = fileNamed('waits.db');
    const service = await rig(openSqlite({ file }));
    await service.ask('GET', ARTICLES); // the first use of a key is written down too
    const holder = new DatabaseSync(file);
    holder.exec('begin immediate');
    const writes = [1, 2, 3].map((n) => service.ask('PUT', ARTICLES, articleBody({ slug: `s${n}` })));
    expect((await service.ask('GET', ARTICLES)).status).toBe(200);
    // This thread holds the file: had SQLite waited with it, nobody could let go.
    holder.exec('rollback');
    holder.close();
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([201, 201, 201]);
    await service.close();
  });

  test('what waits for another process waits side by side', async () => {
    const file = fileNamed('side-by-side.db');
    const service = await rig(openSqlite({ file, busyTimeoutMs: 500 }));
    await service.ask('GET', ARTICLES);
    const holder = new DatabaseSync(file);
    holder.exec('begin immediate');
    const startMs = performance.now();
    const writes = Array.from({ length: 10 }, (_, n) =>
      service.ask('PUT', ARTICLES, articleBody({ slug: `s${n}` })),
    );
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(writes.map(() => 503));
    // One after the other is 5,000.
    expect(performance.now() - startMs).toBeLessThan(3000);
    holder.exec('rollback');
    holder.close();
    await service.close();
  });

  test('answers 503 with Retry-After when too many writes wait', async () => {
    const service = await rig(openSqlite({ file: fileNamed('full.db'), writesWaitingMax: 3 }));
    await service.ask('GET', ARTICLES); // the first use of a key is written down too
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => service.ask('PUT', ARTICLES, articleBody({ slug: `s${n}` }))),
    );
    const created = replies.filter(({ status }) => status === 201);
    const refused = replies.filter(({ status }) => status === 503);
    // At least the three that may wait; one more for each that is done before the next one asks.
    expect(created.length).toBeGreaterThanOrEqual(3);
    expect(refused.length).toBeGreaterThan(0);
    expect(created.length + refused.length).toBe(10);
    expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(refused.map(() => '1'));
    expect((await service.ask('GET', ARTICLES)).body['data']).toHaveLength(created.length);
    await service.close();
  });

  test('lets writes that wait end before it closes, and refuses what comes after', async () => {
    const service = await rig(openSqlite({ file: fileNamed('closing.db') }));
    const waiting = service.store.write((sql) => sql.run('delete from tags'));
    await service.close();
    expect(await waiting).toBe(0);
    const late = await service.ask('GET', ARTICLES);
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1']);
  });

  test('undoes one failed write of a shared commit and keeps the others', async () => {
    const store = openSqlite({ file: fileNamed('group.db') });
    const user = (name: string) =>
      store.write(async (sql) => {
        await sql.run(`insert into users values (?, ?, '', '', '')`, `${name}-id`, name);
        if (name === 'b') throw new Error('half-way');
        return name;
      });
    const outcomes = await Promise.allSettled(['a', 'b', 'c', 'a'].map(user));
    expect(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason)),
    ).toEqual(['a', new Error('half-way'), 'c', expect.objectContaining({ code: 'unique' })]);
    expect(await store.read((sql) => sql.all('select username from users order by username'))).toEqual([
      { username: 'a' },
      { username: 'c' },
    ]);
    await store.close();
  });

  test('reports a failure of its own as 500 without telling what it was', async () => {
    const service = await rig(openSqlite({ file: ':memory:' }));
    await service.store.write((sql) => sql.run('drop table links'));
    const reply = await service.ask('GET', '/api/v2/tools/link_manager');
    expect([reply.status, reply.body]).toEqual([
      500,
      { success: false, message: 'the service failed; the cause is in its log' },
    ]);
    expect(String(service.failures)).toContain('no such table: links');
    await service.close();
  });
});

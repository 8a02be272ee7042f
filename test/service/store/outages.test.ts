import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeEach, afterEach, describe, expect, test } from 'vitest';
import { openSqlite } from '../../../src/service/index.ts';
import { tellOutages } from '../../../src/service/store/outages.ts';
import { ARTICLES, articleBody, rig, type Rig } from '../support/rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'kbsync-outages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let file: string;
let told: string[];
let nowMs: number;
let service: Rig;
let count = 0;
beforeEach(async () => {
  file = join(folder, `kb-${(count += 1)}.sqlite`);
  told = [];
  nowMs = 0;
  const store = tellOutages(
    openSqlite({ file }),
    (message) => told.push(message),
    () => nowMs,
  );
  service = await rig(store);
  await service.make(ARTICLES, articleBody({ slug: 'first' }));
});
afterEach(() => service.close().catch(() => undefined));

const ready = async () => (await service.ask('GET', '/readyz')).status;
const put = (slug: string, content = '<p>x</p>') =>
  service.ask('PUT', ARTICLES, articleBody({ slug, title: slug, content }));
const LARGE = `<p>${'word '.repeat(100_000)}</p>`;
/** By a connection of its own: a store reads in a transaction, and SQLite empties no log while its connection is in one. */
const emptyLog = (): void => {
  const database = new DatabaseSync(file);
  database.prepare('pragma wal_checkpoint(truncate)').get();
  database.close();
};
const pragma = (text: string) => service.store.read((sql) => sql.get(`pragma ${text}`));

describe('a database that fails', () => {
  test('full: writes say that nothing was written, readiness says no, the log says why, once', async () => {
    expect(await ready()).toBe(200);
    const { page_count: pages } = (await pragma('page_count')) as { page_count: number };
    await pragma(`max_page_count = ${pages}`);
    for (const slug of ['a', 'b', 'c']) {
      const { status, headers, body } = await put(slug, LARGE);
      expect([status, headers.get('retry-after'), body['message']]).toEqual([
        503,
        '1',
        'nothing was written: the database cannot be used now; try again',
      ]);
    }
    expect(told).toEqual([
      `the database fails: ${file} is on a full disk; make room (database or disk is full)`,
    ]);
    nowMs = 12_000;
    await pragma('max_page_count = 1000000');
    expect((await put('a', LARGE)).status).toBe(201);
    expect(told[1]).toBe('the database works again, after 3 failures in 12 s');
    expect((await service.ask('GET', ARTICLES)).body['data']).toHaveLength(2);
  });

  test('read-only: reads are answered, writes are not, readiness says no', async () => {
    await pragma('query_only = on');
    expect([await ready(), (await service.ask('GET', ARTICLES)).status, (await put('a')).status]).toEqual([
      503, 200, 503,
    ]);
    expect(told).toEqual([
      `the database fails: ${file} cannot be written; give it and its folder to the user that runs kbsync (attempt to write a readonly database)`,
    ]);
    await pragma('query_only = off');
    expect([await ready(), (await put('a')).status]).toEqual([200, 201]);
  });

  test('deleted: no write is acknowledged that the deletion would take along', async () => {
    renameSync(file, `${file}.away`);
    expect([(await put('a')).status, await ready()]).toEqual([503, 503]);
    expect(told).toEqual([
      `the database fails: ${file} was deleted or moved away while it was open; put it back and start the service again`,
    ]);
    copyFileSync(`${file}.away`, file);
    expect([(await put('a')).status, await ready()]).toEqual([503, 503]);
    expect(told[1]).toContain('was replaced by another file');
  });

  test.each([
    [
      'overwritten',
      () => writeFileSync(file, Buffer.alloc(100_000, 7)),
      'it does not begin as a database does',
    ],
    ['truncated', () => truncateSync(file, 8192), 'it has 8192 bytes of'],
    ['emptied', () => truncateSync(file, 0), 'it does not begin as a database does'],
  ])('%s: readiness says no, and the log says what to do', async (_, harm, what) => {
    emptyLog();
    harm();
    expect(await ready()).toBe(503);
    expect(told[0]).toContain(`the database fails: ${file} is damaged: ${what}`);
    expect(told[0]).toContain('restore a backup');
  });

  test('says to nobody where it is', async () => {
    renameSync(file, `${file}.away`);
    const answers = [
      await put('a'),
      await service.ask('GET', '/readyz'),
      await service.ask('GET', '/api/v2/tags', undefined, { authorization: '' }),
    ];
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(folder);
  });
});

describe('a damaged file', () => {
  test.each([
    ['in its middle', (bytes: Buffer) => bytes.fill(0xa5, 20 * 4096, 40 * 4096)],
    ['behind its first page', (bytes: Buffer) => bytes.fill(0xa5, 4096, 20 * 4096)],
    ['at its end', (bytes: Buffer) => bytes.subarray(0, 10 * 4096)],
  ])('%s is called damaged when it is opened or read, and never a bug', async (_, harm) => {
    for (let n = 0; n < 20; n += 1) await put(`s${n}`, LARGE.slice(0, 20_000));
    emptyLog();
    await service.close();
    writeFileSync(file, harm(readFileSync(file)));
    const attempt = async () => {
      const store = openSqlite({ file });
      try {
        await store.check();
        await store.read((sql) => sql.all('select * from articles'));
        return (await store.read((sql) => sql.all('pragma integrity_check(1)'))).length;
      } finally {
        await store.close();
      }
    };
    const outcome = await attempt().catch((error: unknown) => error);
    expect(outcome).toMatchObject({ name: 'StoreError', code: 'damaged' });
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSync, loadContent } from '../../src/index.ts';
import type { Sync } from '../../src/index.ts';
import { createApp, createKey, openSqlite, systemClock } from '../../src/service/index.ts';
import type { Store } from '../../src/service/index.ts';

let cwd: string;
let store: Store;
let writes: string[];
let open: () => Promise<Sync>;

beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'kbsync-library-'));
  mkdirSync(join(cwd, 'content/en/tags'), { recursive: true });
  writeFileSync(join(cwd, 'content/en/tags/cli.md'), '---\nname: CLI\n---\n');
  store = openSqlite({ file: ':memory:', defaultLanguage: 'en' });
  const app = createApp({ store, clock: systemClock });
  const { key } = await createKey({ store, clock: systemClock, name: 'test' });
  writes = [];
  open = () =>
    createSync({
      url: 'https://help.acme.test',
      key,
      stateFile: join(cwd, 'state.json'),
      send: (request) => {
        if (request.method !== 'GET') writes.push(request.method);
        return app.fetch(request);
      },
    });
});

afterEach(async () => {
  await store.close();
  rmSync(cwd, { recursive: true, force: true });
});

test('runs that are begun at once go one after the other, so that nothing is made twice', async () => {
  const [sync, content] = [await open(), await loadContent({ cwd })];
  const [first, second] = await Promise.all([sync.sync(content), sync.sync(content)]);
  expect(first.summary).toMatchObject({ created: 1, failed: 0 });
  expect(second.summary).toMatchObject({ created: 0, unchanged: 1, failed: 0 });
  expect(writes).toEqual(['PUT']);
  await sync.close();
});

test('closing waits for the run that is under way, and the next process finds its end', async () => {
  const [sync, content] = [await open(), await loadContent({ cwd })];
  const [report] = await Promise.all([sync.sync(content), sync.close()]);
  expect(report.summary).toMatchObject({ created: 1, failed: 0 });
  const next = await open();
  expect((await next.plan(content)).unchanged).toBe(1);
  await next.close();
});

test('a run that ends with an error does not stop the next one', async () => {
  const [sync, content] = [await open(), await loadContent({ cwd })];
  const stopped = sync.sync(content, () => Promise.reject(new Error('no')));
  const next = sync.sync(content);
  await expect(stopped).rejects.toThrow('no');
  expect((await next).summary).toMatchObject({ created: 1 });
  await sync.close();
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createApp, createKey, listen, openSqlite, systemClock } from '../../src/service/index.ts';
import { openApiDocument } from '../../src/service/api/openapi/openapi.ts';
import { createFuzzer } from './support/fuzz.ts';
import { createRandom } from './support/random.ts';

/** 2,000 in CI; the campaign is `KBSYNC_FUZZ=10000 npx vitest run test/service/fuzz.test.ts`. */
const REQUESTS = Number(process.env['KBSYNC_FUZZ'] ?? 2000);
const SEED = Number(process.env['KBSYNC_SEED'] ?? 11);
const AT_ONCE = 8;
/** Of the whole process, in which other tests have run. */
const GROWTH_MB_MAX = 400;

const folder = mkdtempSync(join(tmpdir(), 'kbsync-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(
  `${REQUESTS} requests made of the OpenAPI document bring no 5xx and no crash`,
  { timeout: 600_000 },
  async () => {
    const residentBefore = process.memoryUsage().rss;
    const store = openSqlite({ file: join(folder, 'kb.db') });
    const failures: unknown[] = [];
    const app = createApp({ store, clock: systemClock, onFailure: (error) => failures.push(error) });
    const { key } = await createKey({ store, clock: systemClock, name: 'fuzz' });
    const listening = await listen(app, { port: 0 });
    const { url } = listening;
    const fuzzer = createFuzzer(openApiDocument(), createRandom(SEED));
    const ids: string[] = [];
    const bodies: string[] = [];
    const statuses = new Map<number, number>();
    let left = REQUESTS;
    const client = async (): Promise<void> => {
      while (left-- > 0) {
        const { method, path, headers, body } = fuzzer.next(ids.slice(-100));
        const response = await fetch(url + path, {
          method,
          headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
          ...(body === undefined || method === 'GET' || method === 'HEAD' ? {} : { body }),
        });
        const text = await response.text();
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        const request = `${method} ${path} ${body?.slice(0, 500)}`;
        if (response.status >= 500) throw new Error(`${request}: ${response.status} ${text}`);
        if (method !== 'HEAD' && response.status !== 304)
          bodies.push(typeof (JSON.parse(text) as { success: unknown }).success);
        const id = response.headers.get('location')?.split('/').at(-1);
        if (id !== undefined) ids.push(id);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, client));
    expect(failures).toEqual([]);
    expect(new Set(bodies)).toEqual(new Set(['boolean']));
    // Else it would be the front door only that was tested.
    for (const status of [200, 201, 400, 404, 409, 412, 422])
      expect([status, statuses.get(status) ?? 0]).not.toEqual([status, 0]);
    expect((process.memoryUsage().rss - residentBefore) / 1e6).toBeLessThan(GROWTH_MB_MAX);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const integrity = await store.read((sql) => sql.all('pragma integrity_check'));
    expect(integrity).toEqual([{ integrity_check: 'ok' }]);
    await listening.close();
    await store.close();
  },
);

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, createKey, listen, openSqlite, systemClock } from '../../src/service/index.ts';

export interface Served {
  readonly url: string;
  readonly key: string;
  /** A GET over the real socket, as any HTTP client sends it. */
  get(path: string): Promise<unknown>;
  close(): Promise<void>;
}

/** The service on a loopback socket, over a database file of its own. */
export async function serve(): Promise<Served> {
  const file = join(mkdtempSync(join(tmpdir(), 'kbsync-served-')), 'kb.db');
  const store = openSqlite({ file, defaultLanguage: 'en' });
  const app = createApp({ store, clock: systemClock });
  const { key } = await createKey({ store, clock: systemClock, name: 'test' });
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return {
    url: listening.url,
    key,
    get: async (path) => (await fetch(`${listening.url}${path}`, { headers })).json(),
    close: async () => {
      await listening.close();
      await store.close();
    },
  };
}

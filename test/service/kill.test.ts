import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, expect, test } from 'vitest';
import { buildService } from './support/build.ts';
import { createRandom } from './support/random.ts';
import { ARTICLES, articleBody } from './support/rig.ts';

/** 20 in CI; the campaign is `npm run campaign:service -- --kills 500`. */
const KILLS = Number(process.env['KBSYNC_KILLS'] ?? 20);
const WRITERS = 8;

const folder = mkdtempSync(join(tmpdir(), 'kbsync-kill-'));
const build = buildService();
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  build.remove();
});

interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  readonly key: string;
}

async function serve(file: string): Promise<Served> {
  const script = join(import.meta.dirname, 'support/child.mjs');
  const child = spawn(process.execPath, [script, build.entry, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  // The child prints exactly this.
  const { url, key } = JSON.parse(String(line)) as { url: string; key: string };
  return { child, url, key };
}

/** What the service said yes to: id → the number in the title of the last acknowledged write, or null for a delete. */
type Ledger = Map<string, number | null>;

/**
 * Writes until the service is gone; each record belongs to one writer, so that its acknowledged writes have an order. What
 * was sent and not answered may or may not be there: `unclear` holds it.
 */
async function write(
  served: Served,
  writer: string,
  ledger: Ledger,
  unclear: Map<string, number | null>,
  acknowledged: () => void,
): Promise<void> {
  const headers = { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' };
  const send = (method: string, path: string, body?: object) =>
    fetch(served.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  for (let n = 0; ; n += 1) {
    const slug = `${writer}-${n}`;
    let pending: [string, number | null] | undefined;
    try {
      const created = await send('PUT', ARTICLES, articleBody({ slug, title: '0' }));
      const id = created.headers.get('location')?.split('/').at(-1) ?? `no location, ${created.status}`;
      ledger.set(id, 0);
      acknowledged();
      for (let edit = 1; edit <= n % 3; edit += 1) {
        pending = [id, edit];
        const body = articleBody({ slug, title: String(edit), lang: 'en' });
        const { status } = await send('POST', `${ARTICLES}/${id}`, body);
        expect(status).toBe(200);
        ledger.set(id, edit);
        acknowledged();
      }
      if (n % 5 !== 4) continue;
      pending = [id, null];
      const { status } = await send('DELETE', `${ARTICLES}/${id}`);
      expect(status).toBe(200);
      ledger.set(id, null);
      acknowledged();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // what fetch throws when the other side is gone
      if (pending !== undefined) unclear.set(...pending);
      return;
    }
  }
}

function check(file: string, ledger: Ledger, unclear: ReadonlyMap<string, number | null>): void {
  const database = new DatabaseSync(file);
  const rows = database.prepare('select id, name from articles').all() as { id: string; name: string }[];
  const found = new Map(rows.map(({ id, name }) => [id, Number(name)]));
  const wrong = [...ledger].flatMap(([id, acknowledged]) => {
    const kept = found.get(id) ?? null;
    const allowed = unclear.has(id) ? [acknowledged, unclear.get(id)] : [acknowledged];
    return allowed.includes(kept) ? [] : [`${id}: acknowledged ${acknowledged}, found ${kept}`];
  });
  expect(wrong).toEqual([]);
  expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  expect(database.prepare('pragma foreign_key_check').all()).toEqual([]);
  database.close();
}

test(
  `no acknowledged write is lost over ${KILLS} kills under load`,
  { timeout: 60_000 + KILLS * 15_000 },
  async () => {
    const file = join(folder, 'kb.db');
    const random = createRandom(Number(process.env['KBSYNC_SEED'] ?? 4));
    const ledger: Ledger = new Map();
    for (let round = 0; round < KILLS; round += 1) {
      const served = await serve(file);
      const exited = once(served.child, 'exit');
      const unclear = new Map<string, number | null>();
      let left = 10 + random.below(120);
      const acknowledged = (): void => {
        left -= 1;
        if (left === 0) served.child.kill('SIGKILL');
      };
      await Promise.all(
        Array.from({ length: WRITERS }, (_, n) =>
          write(served, `${round}-${n}`, ledger, unclear, acknowledged),
        ),
      );
      const [, signal] = await exited;
      expect(signal).toBe('SIGKILL');
      check(file, ledger, unclear);
      // From here on the file says what the unclear writes came to.
      for (const [id, value] of unclear)
        ledger.set(id, settledValue(file, id) === value ? value : (ledger.get(id) ?? null));
    }
    expect(ledger.size).toBeGreaterThan(KILLS * 10);
  },
);

function settledValue(file: string, id: string): number | null {
  const database = new DatabaseSync(file);
  const row = database.prepare('select name from articles where id = ?').get(id) as
    | { name: string }
    | undefined;
  database.close();
  return row === undefined ? null : Number(row.name);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, openPostgres, systemClock } from '../../src/service/index.ts';
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { buildService } from './support/build.ts';
import { type Load, read, type Tally, write } from './support/disturbed.ts';
import { atRest, GONE } from './support/ledger.ts';
import { createRandom } from './support/random.ts';

const SECONDS = Number(process.env['KBSYNC_NEMESIS_SECONDS'] ?? 20);
const SEED = Number(process.env['KBSYNC_SEED'] ?? 7);
const WRITERS = 5;
const READERS = 2;
const REPLICAS = [0, 1] as const;

interface Replica {
  readonly child: ChildProcess;
  readonly url: string;
}

const sleep = (ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

describe.skipIf(postgresMissing() !== undefined)('two replicas over one PostgreSQL', () => {
  let server: PostgresServer;
  let build: ReturnType<typeof buildService>;
  beforeAll(async () => {
    build = buildService();
    server = await startPostgres();
  });
  afterAll(async () => {
    build.remove();
    await server.remove();
  });

  /** A replica that finds no database ends; whoever runs it starts it again. */
  async function replica(url: string): Promise<Replica> {
    for (;;) {
      const script = join(import.meta.dirname, 'support/replica.mjs');
      const child = spawn(process.execPath, [script, build.entry, url], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const failures: string[] = [];
      child.stderr.on('data', (text: Buffer) => failures.push(text.toString()));
      const line = await Promise.race([
        once(createInterface(child.stdout), 'line'),
        once(child, 'exit').then(() => undefined),
      ]);
      if (line === undefined) {
        if (failures.join('').includes('cannot be reached')) continue;
        throw new Error(failures.join(''));
      }
      // The replica prints exactly this.
      return { child, ...(JSON.parse(String(line[0])) as { readonly url: string }) };
    }
  }

  test(
    `lose no acknowledged write and show no wrong state, disturbed for ${SECONDS} s`,
    { timeout: SECONDS * 1000 + 90_000 },
    async () => {
      const url = await server.freshUrl();
      const store = await openPostgres({ url });
      const { key } = await createKey({ store, clock: systemClock, name: 'nemesis' });
      await store.close();
      const random = createRandom(SEED);
      const replicas = await Promise.all(REPLICAS.map(() => replica(url)));
      const tally: Tally = { acknowledged: 0, refused: 0, unclear: 0, reads: 0, wrong: [] };
      const endAt = performance.now() + SECONDS * 1000;
      const load: Load = {
        urls: () => replicas.map((each) => each.url),
        key,
        random,
        entries: [],
        contested: new Map(),
        tally,
        isOver: () => performance.now() > endAt,
      };
      const clients = [
        ...Array.from({ length: WRITERS }, (_, n) => write(load, `w${n}`)),
        ...Array.from({ length: READERS }, () => read(load)),
      ];

      const kill = async (): Promise<void> => {
        const at = random.below(2);
        const { child } = replicas[at] ?? replicas[0]!; // oxlint-disable-line typescript/no-non-null-assertion -- there are two
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
        replicas[at] = await replica(url);
      };
      const hold = async (): Promise<void> => {
        const { child } = random.pick(replicas);
        child.kill('SIGSTOP');
        // Sometimes longer than the database lets a transaction idle.
        await sleep(random.chance(0.25) ? 6000 : 200 + random.below(2000));
        child.kill('SIGCONT');
      };
      const restart = async (how: 'fast' | 'immediate'): Promise<void> => {
        await server.halt(how);
        await sleep(random.below(1500));
        await server.start();
      };
      const terminate = async (): Promise<void> => {
        for (let times = 1 + random.below(5); times > 0; times -= 1) {
          await server.run(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where application_name = 'kbsync' and (${random.below(2)} = 0 or random() < 0.5)`,
          );
          await sleep(random.below(100));
        }
      };
      const acts = {
        SIGKILL: kill,
        SIGSTOP: hold,
        'database shutdown': () => restart('fast'),
        'database crash': () => restart('immediate'),
        'ended sessions': terminate,
      };
      const counts = new Map<string, number>();
      while (!load.isOver()) {
        for (const [name, act] of Object.entries(acts)) {
          if (load.isOver()) break;
          await act();
          counts.set(name, (counts.get(name) ?? 0) + 1);
          await sleep(500 + random.below(2500));
        }
      }
      await Promise.all(clients);
      for (const { child } of replicas) {
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }

      // Sessions of the killed replicas may still be busy with what they were sent.
      for (;;) {
        const [row] = await server.run(
          `select count(*)::int as left from pg_stat_activity where application_name = 'kbsync'`,
        );
        if (row?.['left'] === 0) break;
        await sleep(50);
      }
      const rows = await server.run('select id, slug, name from articles', url);
      const found = new Map(rows.map((row) => [String(row['id']), row]));
      const slugs = rows.map((row) => String(row['slug']));
      const lost = load.entries.flatMap((entry) => {
        const row = found.get(entry.id);
        return atRest(entry, row === undefined ? GONE : Number(row['name']));
      });
      for (const [slug, [location]] of load.contested) {
        if (!found.has(location?.split('/').at(-1) ?? '')) lost.push(`${slug}: acknowledged and not there`);
      }
      console.log(
        `${SECONDS} s: ${[...counts].map(([name, count]) => `${count} × ${name}`).join(', ')}; ` +
          `${tally.acknowledged} writes acknowledged, ${tally.refused} refused with 503, ${tally.unclear} unclear, ` +
          `${tally.reads} reads; ${lost.length} lost or wrong at rest, ${tally.wrong.length} wrong answers`,
      );
      expect(tally.wrong).toEqual([]);
      expect(lost).toEqual([]);
      expect(new Set(slugs).size).toBe(slugs.length);
      const [index] = await server.run(
        `select (select count(*)::int from articles) as articles, (select count(*)::int from article_search) as indexed`,
        url,
      );
      expect(index?.['indexed']).toBe(index?.['articles']);
      expect([...counts.keys()]).toEqual(Object.keys(acts));
      expect(tally.acknowledged).toBeGreaterThan(SECONDS);
    },
  );
});

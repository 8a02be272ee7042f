import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, openPostgres, systemClock } from '../../src/service/index.ts';
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { buildService } from './support/build.ts';
import { type Load, read, type Tally, write } from './support/disturbed.ts';
import { disturbances, sleep, startReplica, verify } from './support/nemesis.ts';
import { createRandom } from './support/random.ts';

const SECONDS = Number(process.env['KBSYNC_NEMESIS_SECONDS'] ?? 60);
const SEED = Number(process.env['KBSYNC_SEED'] ?? 7);
const WRITERS = 5;
const READERS = 2;
const REPLICAS = [0, 1] as const;

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

  test(
    `lose no acknowledged write and show no wrong state, disturbed for ${SECONDS} s`,
    { timeout: SECONDS * 1000 + 180_000 },
    async () => {
      const url = await server.freshUrl();
      const store = await openPostgres({ url });
      const { key } = await createKey({ store, clock: systemClock, name: 'nemesis' });
      await store.close();
      const random = createRandom(SEED);
      const replicas = await Promise.all(REPLICAS.map(() => startReplica(build.entry, url)));
      const tally: Tally = { acknowledged: 0, refused: 0, unclear: 0, reads: 0, wrong: [] };
      let cycles = 0;
      const endAt = performance.now() + SECONDS * 1000;
      const load: Load = {
        urls: () => replicas.map((each) => each.url),
        key,
        random,
        entries: [],
        contested: new Map(),
        tally,
        // Each disturbance happens once, however slow the machine is.
        isOver: () => cycles > 0 && performance.now() > endAt,
      };
      const clients = [
        ...Array.from({ length: WRITERS }, (_, n) => write(load, `w${n}`)),
        ...Array.from({ length: READERS }, () => read(load)),
      ];

      const acts = disturbances({ server, replicas, random, start: () => startReplica(build.entry, url) });
      const counts = new Map<string, number>();
      while (!load.isOver()) {
        for (const [name, act] of Object.entries(acts)) {
          if (load.isOver()) break;
          await act();
          counts.set(name, (counts.get(name) ?? 0) + 1);
          await sleep(500 + random.below(2500));
        }
        cycles += 1;
      }
      await Promise.all(clients);
      for (const { child } of replicas) {
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }

      const { lost, slugs } = await verify(server, url, load);
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
      expect(tally.acknowledged).toBeGreaterThan(10);
    },
  );
});

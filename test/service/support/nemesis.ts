import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { PostgresServer } from '../../support/postgres.ts';
import type { Load } from './disturbed.ts';
import { atRest, GONE } from './ledger.ts';
import type { Random } from './random.ts';

export interface Replica {
  readonly child: ChildProcess;
  readonly url: string;
}

export const sleep = (ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** A replica that finds no database ends; whoever runs it starts it again. */
export async function startReplica(entry: string, url: string): Promise<Replica> {
  for (;;) {
    const script = join(import.meta.dirname, 'replica.mjs');
    const child = spawn(process.execPath, [script, entry, url], { stdio: ['ignore', 'pipe', 'pipe'] });
    const failures: string[] = [];
    child.stderr.on('data', (text: Buffer) => failures.push(text.toString()));
    const line = await Promise.race([
      once(createInterface(child.stdout), 'line'),
      once(child, 'exit').then(() => undefined),
    ]);
    // The replica prints exactly this.
    if (line !== undefined) return { child, ...(JSON.parse(String(line[0])) as { readonly url: string }) };
    // A crash of the database in the middle of the start is as good a reason as its absence.
    if (!/cannot be reached|terminating connection|Connection terminated/.test(failures.join(''))) {
      throw new Error(failures.join(''));
    }
  }
}

/** What the nemesis does, each until the system is whole again. */
export function disturbances(world: {
  readonly server: PostgresServer;
  readonly replicas: Replica[];
  readonly random: Random;
  readonly start: () => Promise<Replica>;
}): Readonly<Record<string, () => Promise<void>>> {
  const { server, replicas, random, start } = world;
  const restart = async (how: 'fast' | 'immediate'): Promise<void> => {
    await server.halt(how);
    await sleep(random.below(1500));
    await server.start();
  };
  return {
    async SIGKILL() {
      const replica = random.pick(replicas);
      const exited = once(replica.child, 'exit');
      replica.child.kill('SIGKILL');
      await exited;
      replicas[replicas.indexOf(replica)] = await start();
    },
    async SIGSTOP() {
      const { child } = random.pick(replicas);
      child.kill('SIGSTOP');
      // Sometimes longer than the database lets a transaction idle.
      await sleep(random.chance(0.25) ? 6000 : 200 + random.below(2000));
      child.kill('SIGCONT');
    },
    'database shutdown': () => restart('fast'),
    'database crash': () => restart('immediate'),
    async 'ended sessions'() {
      for (let times = 1 + random.below(5); times > 0; times -= 1) {
        await server.run(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'kbsync' and (${random.below(2)} = 0 or random() < 0.5)`,
        );
        await sleep(random.below(100));
      }
    },
  };
}

/** Compares the database with the ledger, once nobody writes any more. */
export async function verify(
  server: PostgresServer,
  url: string,
  load: Load,
): Promise<{ readonly lost: readonly string[]; readonly slugs: readonly string[] }> {
  // Sessions of killed replicas may still be busy with what they were sent.
  for (;;) {
    const [row] = await server.run(
      `select count(*)::int as left from pg_stat_activity where application_name = 'kbsync'`,
    );
    if (row?.['left'] === 0) break;
    await sleep(50);
  }
  const rows = await server.run('select id, slug, name from articles', url);
  const found = new Map(rows.map((row) => [String(row['id']), row]));
  const lost = load.entries.flatMap((entry) => {
    const row = found.get(entry.id);
    return atRest(entry, row === undefined ? GONE : Number(row['name']));
  });
  for (const [slug, [location]] of load.contested) {
    if (!found.has(location?.split('/').at(-1) ?? '')) lost.push(`${slug}: acknowledged and not there`);
  }
  return { lost, slugs: rows.map((row) => String(row['slug'])) };
}

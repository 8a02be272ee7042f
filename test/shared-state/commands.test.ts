import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../src/service/index.ts';
import { EXIT } from '../../src/cli/run/exit.ts';
import { fakeWorld, SMALL, type FakeWorld } from '../cli/support/fake-world.ts';
import { knowledgeOf } from '../support/knowledge.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { seededRandom } from '../support/random.ts';

/** More by `KBSYNC_WORLDS=25 npx vitest run test/shared-state/commands.test.ts`, others by `KBSYNC_SEED`. */
const WORLDS = Number(process.env['KBSYNC_WORLDS'] ?? 1);
const FROM = Number(process.env['KBSYNC_SEED'] ?? 1);
const STATES = 'https://states.acme.test';
const STATE_KEY = 'the-key-of-the-states-0123456789';
const ROUNDS = 3;

/** Gives each machine its way to the one state. */
type Place = (machines: readonly FakeWorld[], folder: string) => Promise<void> | void;

let postgres: PostgresServer | undefined;
beforeAll(async () => {
  if (postgresMissing() === undefined) postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

const PLACES: Readonly<Record<string, Place>> = {
  'a file': (machines, folder) => {
    for (const { env } of machines) env['KBSYNC_STATE'] = join(folder, 'state.json');
  },
  git: (machines, folder) => {
    const bare = join(folder, 'docs.git');
    execFileSync('git', ['init', '-q', '--bare', bare]);
    for (const { env, cwd } of machines) {
      execFileSync('git', ['init', '-q'], { cwd });
      execFileSync('git', ['remote', 'add', 'origin', bare], { cwd });
      env['KBSYNC_STATE'] = 'git:refs/kbsync/docs';
    }
  },
  'kbsync serve': (machines) => {
    const [first = never()] = machines;
    const clock = { now: () => first.world().clock.now() };
    const app = createApp({ store: first.service.store, clock, teamStates: { key: STATE_KEY } });
    for (const { env, elsewhere } of machines) {
      elsewhere.set(STATES, (request) => app.fetch(request));
      env['KBSYNC_STATE'] = `${STATES}/api/state/docs`;
      env['KBSYNC_STATE_PASSWORD'] = STATE_KEY;
    }
  },
  PostgreSQL: async (machines) => {
    const url = (await postgres?.freshUrl()) ?? '';
    for (const { env } of machines) env['KBSYNC_STATE'] = url;
  },
};

function never(): never {
  throw new Error('test: there are machines');
}

/** Two to four machines with one knowledge base and the same files, which all sync at once after each change. */
async function live(place: Place, seed: number): Promise<{ readonly locked: number }> {
  const random = seededRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), 'kbsync-shared-'));
  const machines: FakeWorld[] = [];
  for (let count = 2 + Math.floor(random() * 3); count > 0; count -= 1) machines.push(await fakeWorld(SMALL));
  const [{ service } = never()] = machines;
  for (const machine of machines) {
    machine.env['KBSYNC_API_KEY'] = service.key;
    machine.wrap = () => (request) => service.fetch(request);
  }
  await place(machines, folder);
  const texts = new Map<string, string>();
  let locked = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let edits = 1 + Math.floor(random() * 3); edits > 0; edits -= 1) {
      const name = `page-${Math.floor(random() * 4)}`;
      texts.set(name, `Words ${seed} of ${round} and ${edits}.`);
      const page = `---\ntitle: ${name}\n---\n\n${texts.get(name)}\n`;
      for (const machine of machines) await machine.write(`content/en/articles/${name}.md`, page);
    }
    const ends = await Promise.all(machines.map((machine) => machine.run('sync', '--yes')));
    const odd = ends.filter(
      ({ exit }) => exit !== EXIT.done && exit !== EXIT.failed && exit !== EXIT.refused,
    );
    expect(odd).toEqual([]);
    expect(ends.some(({ exit }) => exit === EXIT.done)).toBe(true);
    const late = ends.filter(({ exit }) => exit !== EXIT.done);
    expect(late.filter(({ stderr }) => !/error\[locked\]|runs? here|holds/.test(stderr))).toEqual([]);
    locked += late.length;
    for (const machine of machines) {
      const { exit, stdout, stderr } = await machine.run('sync', '--yes');
      expect({ exit, said: `${stdout}${stderr}` }).toMatchObject({ exit: EXIT.done });
      machine.advance(60_000);
    }
    const rows = (await knowledgeOf(service.store)).filter(({ kind }) => kind === 'article');
    const own = rows.flatMap(({ slug, text }) => (slug.startsWith('page-') ? [`${slug}: ${text}`] : []));
    expect(new Set(own)).toEqual(new Set([...texts].map(([slug, text]) => `${slug}: ${text}`)));
    expect(rows).toHaveLength(texts.size + 3);
  }
  for (const machine of machines) expect((await machine.run('plan', '--exit-code')).exit).toBe(EXIT.done);
  const [first, ...others] = machines;
  for (const machine of others) await machine.close();
  await first?.close();
  await rm(folder, { recursive: true });
  return { locked };
}

describe('commands of machines that share a state', () => {
  const names = Object.keys(PLACES).filter(
    (name) => name !== 'PostgreSQL' || postgresMissing() === undefined,
  );
  test.each(names)(
    'at once make everything once and lose nothing: %s',
    { timeout: 180_000 + WORLDS * 60_000 },
    async (name) => {
      let locked = 0;
      for (let seed = FROM; seed < FROM + WORLDS; seed += 1)
        locked += (await live(PLACES[name] ?? never, seed)).locked;
      if (WORLDS > 1) console.log(`${name}: ${WORLDS} worlds, ${locked} runs found the lock taken`);
      expect(locked).toBeGreaterThan(0);
    },
  );
});

import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHand } from './hand.ts';
import type { Hand } from './hand.ts';
import { createJudge } from './judge.ts';
import type { Judge } from './judge.ts';
import { createMachine } from './machine.ts';
import type { Machine, Ran, Trouble } from './machine.ts';
import { placeOf } from './page.ts';
import type { Repository } from './repository.ts';
import { createTwin } from './service/twin.ts';
import type { Habit } from './service/habit.ts';
import type { Row } from './service/row.ts';
import type { Site } from './service/site.ts';

/** A run that ended otherwise than in sync, and what it said. */
export interface Stop {
  readonly step: string;
  readonly exit: number;
  readonly said: string;
}

/** A life in front of one service: who takes part, what they do, and what the judge says. */
export interface Stage {
  readonly site: Site;
  readonly judge: Judge;
  readonly editor: Hand;
  readonly faults: readonly string[];
  readonly stops: readonly Stop[];
  /** What a life itself finds wrong. */
  fault(text: string): void;
  /** A run that should have ended in sync. */
  stop(ran: Ran): void;
  /** Exit codes of the runs, step by step: `first 0 · edit 5 0`. */
  readonly trace: () => string;
  machine(name: string, repository: Repository): Machine;
  /** Names what happens next. */
  step(name: string): void;
  /** One run, judged; nothing is asked of how it ends. */
  run(machine: Machine, argv?: readonly string[], trouble?: Trouble): Promise<Ran>;
  /** Runs until all is in sync, once more at most; then nothing must be left to write. */
  settle(machine: Machine, argv?: readonly string[], trouble?: Trouble): Promise<void>;
  /** A run that must tell of a conflict about this record; then the file's or the site's side is taken. */
  settleConflict(machine: Machine, place: string, side: 'local' | 'remote'): Promise<void>;
  /** The one living record of a file, as the judge knows it; undefined after a stop. */
  row(repository: Repository, place: string): Row | undefined;
  advance(ms: number): void;
  close(): Promise<void>;
}

export async function createStage(habits: readonly Habit[], seed: number): Promise<Stage> {
  // Memory where there is some: a life is some hundred small files that are flushed one by one.
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'kbsync-twin-'));
  let nowMs = Date.UTC(2026, 0, 5, 9);
  const clock = { now: () => nowMs, advance: (ms: number) => void (nowMs += ms) };
  const keys = new Map<string, string>();
  const twin = createTwin({ habits, keys, now: clock.now, seed });
  const { site } = twin;
  const judge = createJudge(site);
  const faults: string[] = [];
  const stops: Stop[] = [];
  const runs: string[] = [];
  let current = 'first';

  const fault = (text: string): void => void faults.push(`${current}: ${text}`);

  const run = async (
    machine: Machine,
    argv: readonly string[] = ['sync', '--yes'],
    trouble: Trouble = {},
  ): Promise<Ran> => {
    const ran = await machine.run(argv, trouble);
    runs.push(ran.died ? '†' : String(ran.exit));
    const local = argv.includes('local') || argv.includes('--local') || argv.includes('overwrite');
    const concedes = argv.includes('remote') || argv.includes('--remote');
    for (const text of judge.afterRun(machine.repository, {
      prune: argv.includes('--prune'),
      overwrites: local,
      concedes,
    }))
      fault(text);
    if (/\bbug\b|\bat [\w.<>]+ \(|Warning:/.test(ran.said)) fault(`said: ${ran.said.slice(0, 300)}`);
    return ran;
  };

  const isInSync = (ran: Ran, machine: Machine): boolean =>
    ran.exit === 0 && judge.differences(machine.repository).length === 0;

  const stage: Stage = {
    site,
    judge,
    editor: createHand(site, 'editor'),
    faults,
    stops,
    fault,
    stop: ({ exit, said }) => void stops.push({ step: current, exit, said }),
    trace: () => runs.join(' '),
    machine(name, repository) {
      const key = `key-${repository.name}-${name}`;
      keys.set(key, `${repository.name}.${name}`);
      return createMachine({
        name,
        repository,
        folder: join(folder, `${repository.name}-${name}`),
        key,
        clock,
        send: twin.fetch,
      });
    },
    step(name) {
      current = name;
      runs.push(`· ${name}`);
      clock.advance(3_600_000);
    },
    run,
    async settle(machine, argv, trouble) {
      let ran = await run(machine, argv, trouble);
      if (!isInSync(ran, machine) || trouble !== undefined) {
        clock.advance(120_000);
        ran = await run(machine, argv);
      }
      const left = judge.differences(machine.repository);
      if (ran.exit !== 0) stops.push({ step: current, exit: ran.exit, said: ran.said });
      else if (left.length > 0) fault(`exit 0, but ${left.join('; ')}`);
      else {
        clock.advance(120_000);
        const again = await run(machine, argv);
        if (again.writes > 0 || again.exit !== 0)
          fault(
            `restless: ${again.writes} writes, exit ${again.exit}, and nobody had changed anything: ${again.said.slice(0, 300)}`,
          );
      }
    },
    async settleConflict(machine, place, side) {
      const ran = await run(machine);
      const page = machine.repository.pages().get(place);
      const key = page === undefined ? place : `${page.kind}/${page.path}`;
      if (ran.exit !== 3 || !ran.said.includes(key)) {
        if (ran.exit === 0) fault(`exit 0, no conflict told about ${key}: ${ran.said.slice(0, 300)}`);
        else stops.push({ step: current, exit: ran.exit, said: ran.said });
        return;
      }
      const full = `${key}@${page?.language ?? 'en'}`;
      const settled = await run(machine, ['resolve', full, `--${side}`, '--yes']);
      if (settled.exit !== 0) stops.push({ step: current, exit: settled.exit, said: settled.said });
      await stage.settle(machine);
    },
    row(repository, place) {
      const page = repository.pages().get(place);
      return page === undefined || placeOf(page) !== place ? undefined : judge.rowsOf(page, repository)[0];
    },
    advance: clock.advance,
    close: () => rm(folder, { recursive: true, force: true }),
  };
  return stage;
}

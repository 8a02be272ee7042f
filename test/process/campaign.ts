import { EXIT } from '../../src/cli/run/exit.ts';
import { seededRandom } from '../support/random.ts';
import type { StopPoint } from '../support/fault-proxy.ts';
import { fileOf, heldRows, resetKnowledge, textOf, wantedRows, type Doc } from './knowledge.ts';
import { openLane, type Ended, type Lane, type LaneState } from './lane.ts';
import { ROUND, SCENARIOS, type Scenario } from './scenarios.ts';

export interface CampaignOptions {
  readonly kills: number;
  readonly seed: number;
  /** How many run side by side, each with a service of its own. */
  readonly lanes: number;
  /** Where the runs of a lane remember. Default: a file. */
  readonly state?: LaneState | undefined;
}

export interface Figures {
  readonly kills: number;
  /** By scenario and by point. */
  readonly by: Readonly<Record<string, number>>;
  readonly duplicates: number;
  readonly lost: number;
  readonly wrongDeletes: number;
  /** Runs after the recovering one. */
  readonly extraRunsMax: number;
  readonly extraRuns: number;
  readonly durationS: number;
  /** What went wrong, with what is needed to see it again. */
  readonly faults: readonly string[];
}

type Kill =
  | { readonly how: StopPoint; readonly at: number }
  | { readonly how: 'any-time'; readonly afterMs: number };

interface Tally {
  kills: number;
  duplicates: number;
  lost: number;
  wrongDeletes: number;
  extraRuns: number;
  extraRunsMax: number;
  readonly by: Map<string, number>;
  readonly faults: string[];
}

const POINTS: readonly StopPoint[] = ['before-send', 'after-commit', 'mid-body'];
const EXTRA_RUNS_MAX = 2;

/** Kills real runs at chosen requests and at any time, and looks after each at what the next run makes of it. */
export async function killCampaign({
  kills,
  seed,
  lanes,
  state = 'file',
}: CampaignOptions): Promise<Figures> {
  const tally: Tally = {
    kills: 0,
    duplicates: 0,
    lost: 0,
    wrongDeletes: 0,
    extraRuns: 0,
    extraRunsMax: 0,
    by: new Map(),
    faults: [],
  };
  const startMs = performance.now();
  // A clone without a state is what a shared one is there to prevent.
  const scenarios = SCENARIOS.filter(({ isClone }) => state === 'file' || isClone !== true);
  const share = Math.ceil(kills / scenarios.length);
  const queue = scenarios.map((scenario, index) => ({ scenario, random: seededRandom(seed * 100 + index) }));
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      const lane = await openLane(state);
      try {
        for (let next = queue.shift(); next !== undefined; next = queue.shift())
          await killScenario(lane, next.scenario, share, next.random, tally);
      } finally {
        await lane.close();
      }
    }),
  );
  return {
    ...tally,
    by: Object.fromEntries(tally.by),
    durationS: Math.round((performance.now() - startMs) / 1000),
  };
}

async function killScenario(
  lane: Lane,
  scenario: Scenario,
  kills: number,
  random: () => number,
  tally: Tally,
): Promise<void> {
  let at = 0;
  let point = 0;
  let done = 0;
  for (let cycle = 0; done < kills && cycle < kills * 3; cycle += 1) {
    if (cycle % ROUND === 0 || scenario.fromNothing === true) {
      await resetKnowledge(lane);
      await lane.forget();
      if (scenario.fromNothing !== true) {
        await lane.write(filesOf(scenario.docsAt(cycle)));
        await synced(lane, scenario);
        continue;
      }
    }
    const docs = scenario.docsAt(cycle);
    await lane.write(filesOf(docs));
    at += 1;
    const how = POINTS[point % POINTS.length] ?? 'before-send';
    const kill: Kill = done % 4 === 3 ? { how: 'any-time', afterMs: 120 + random() * 400 } : { how, at };
    const wasKilled = await killed(lane, scenario, kill);
    if (!wasKilled) {
      // The run ended before: every request of it has been stopped at, so the next point begins from the first.
      at = 0;
      point += 1;
    } else {
      done += 1;
      tally.kills += 1;
      for (const name of [scenario.name, kill.how]) tally.by.set(name, (tally.by.get(name) ?? 0) + 1);
      if (kill.how !== 'any-time') point += 1;
    }
    await recovered(lane, { scenario, docs, kill, cycle, wasKilled }, tally);
  }
}

function filesOf(docs: readonly Doc[]): ReadonlyMap<string, string> {
  return new Map(docs.map((doc) => [fileOf(doc), textOf(doc)]));
}

/**
 * The service is quiet before every run, so that a create which nobody sees now will not be seen later either. The lock of a
 * shared state stays for minutes if a write had no answer; here these minutes pass at once.
 */
async function synced(lane: Lane, { argv }: Scenario): Promise<Ended> {
  const ended = await lane.run('sync', '--settle', '0', ...argv);
  if (ended.exit !== EXIT.refused || !ended.stderr.includes('a write to the knowledge base had no answer'))
    return ended;
  await lane.endLease();
  return lane.run('sync', '--settle', '0', ...argv);
}

async function killed(lane: Lane, scenario: Scenario, kill: Kill): Promise<boolean> {
  if (scenario.isClone === true) await lane.forget();
  const stopped = kill.how === 'any-time' ? undefined : lane.proxy.arm(kill);
  const running = lane.start('sync', '--settle', '0', ...scenario.argv);
  const timer = kill.how === 'any-time' ? setTimeout(() => running.kill('SIGKILL'), kill.afterMs) : undefined;
  void stopped?.then(() => running.kill('SIGKILL'));
  const { exit } = await running.ended;
  clearTimeout(timer);
  lane.proxy.disarm();
  await lane.proxy.quiet();
  return exit === null;
}

interface Case {
  readonly scenario: Scenario;
  readonly docs: readonly Doc[];
  readonly kill: Kill;
  readonly cycle: number;
  readonly wasKilled: boolean;
}

async function recovered(lane: Lane, one: Case, tally: Tally): Promise<void> {
  const { scenario, docs } = one;
  const wanted = wantedRows(docs);
  const said: string[] = [];
  for (let extra = 0; extra <= EXTRA_RUNS_MAX; extra += 1) {
    if (scenario.isClone === true) await lane.forget();
    const ended = await synced(lane, scenario);
    said.push(`exit ${ended.exit}\n${ended.stdout}${ended.stderr}`);
    const { rows, bystanders } = await heldRows(lane);
    const doubles = rows.length - new Set(rows.map(nameOf)).size;
    tally.duplicates += doubles;
    tally.wrongDeletes += 2 - bystanders;
    const isSame = rows.length === wanted.length && rows.every((row, index) => row === wanted[index]);
    if (doubles > 0 || bystanders < 2) {
      tally.faults.push(faultText(one, wanted, rows, said));
      return;
    }
    if (ended.exit === 0 && isSame) {
      tally.extraRuns += extra;
      tally.extraRunsMax = Math.max(tally.extraRunsMax, extra);
      return;
    }
    if (extra === EXTRA_RUNS_MAX) {
      tally.lost += wanted.filter((row) => !rows.includes(row)).length;
      tally.extraRunsMax = Math.max(tally.extraRunsMax, extra);
      tally.faults.push(faultText(one, wanted, rows, said));
    }
  }
}

/** Kind, language and slug: no two records share them. */
function nameOf(row: string): string {
  return row.split(' ').slice(0, 3).join(' ');
}

function faultText(
  { scenario, kill, cycle }: Case,
  wanted: readonly string[],
  rows: readonly string[],
  said: readonly string[],
): string {
  const missing = wanted.filter((row) => !rows.includes(row)).map((row) => `- ${row}`);
  const surplus = rows.filter((row) => !wanted.includes(row)).map((row) => `+ ${row}`);
  return [`${scenario.name}, cycle ${cycle}, ${JSON.stringify(kill)}`, ...missing, ...surplus, ...said].join(
    '\n',
  );
}

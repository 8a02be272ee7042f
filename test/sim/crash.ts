import type { CrashScenario } from './crash-scenarios.ts';
import type { Engine } from './engine.ts';
import type { Folder } from './files.ts';
import { desiredOf } from './files.ts';
import type { Weather } from './network.ts';
import type { World } from './world.ts';
import { createWorld } from './world.ts';

/** One step of a run at which the process may die: before step `at` of the disk, or around request `at`. */
export interface CrashPoint {
  readonly where: 'disk' | 'before' | 'after';
  readonly at: number;
  readonly power: boolean;
}

export interface CrashResult {
  readonly violations: readonly string[];
  /** Whether the process died in each of the runs that was to be killed. */
  readonly died: readonly boolean[];
}

/** Longer than a lost create may take to arrive. */
const LATE_MS = 61_000;

/**
 * Brings a knowledge base in sync, changes the files, and kills a run at each of the points in turn; then quiet runs:
 * one converges (a second where a create was unclear), and one more finds nothing to do.
 */
export async function crashed(
  scenario: CrashScenario,
  points: readonly CrashPoint[],
  engine?: Engine,
): Promise<CrashResult> {
  const { personality, prune = false } = scenario;
  const world = createWorld({ seed: 7, personality, ...(engine === undefined ? {} : { engine }) });
  const folder: Folder = new Map();
  const { violations } = world.model;
  if (scenario.before !== undefined) {
    scenario.before(folder);
    await world.run({ desired: desiredOf(folder), policy: { prune } });
  }
  scenario.change(folder);
  const died: boolean[] = [];
  for (const point of points) died.push(await dieAt(point, folder, prune, world));
  for (let turn = 1; turn <= 3 && violations.length === 0; turn += 1) {
    world.clock.advance(LATE_MS);
    const ending = await world.run({ desired: desiredOf(folder), policy: { prune } });
    if (ending.how !== 'report') {
      violations.push(`I9: quiet run ${turn} ended with ${JSON.stringify(ending)}`);
      break;
    }
    const { plan, results, requests } = ending.report;
    const questions = [...plan.conflicts, ...plan.drift, ...plan.blocked, ...plan.kept, ...plan.refusals];
    const open = results.filter(({ outcome }) => outcome !== 'done');
    if (turn >= 2 && questions.length + open.length > 0)
      violations.push(`I9: quiet run ${turn} leaves ${JSON.stringify([...questions, ...open])}`);
    if (turn >= 2 && results.some(({ action }) => action !== 'update'))
      violations.push(`I9: quiet run ${turn} still makes or deletes: ${JSON.stringify(results)}`);
    if (turn === 3 && (results.length > 0 || requests !== 3))
      violations.push(`I8: quiet run 3 makes ${requests} requests and ${JSON.stringify(results)}`);
  }
  violations.push(...lostTrash(world));
  return { violations, died };
}

async function dieAt(point: CrashPoint, folder: Folder, prune: boolean, world: World): Promise<boolean> {
  const { disk } = world.machine;
  const { where, at, power } = point;
  if (where === 'disk') disk.crashAtStep(disk.steps() + at);
  const from = world.network.requests();
  const weather: Weather = (_, index) =>
    where !== 'disk' && index - from >= at - 1
      ? where === 'before'
        ? 'crash-before'
        : 'crash-after'
      : undefined;
  const ending = await world.run({ desired: desiredOf(folder), policy: { prune }, weather, powerCut: power });
  disk.losePowerNever();
  return ending.how === 'crash';
}

/** I5: the pre-image of each deleted record is on the disk, whatever happened since. */
function lostTrash({ machine, model }: World): readonly string[] {
  const texts = machine.disk
    .names()
    .filter((name) => name.includes('/trash/') && name.endsWith('.json'))
    .map((name) => machine.disk.text(name) ?? '');
  return model.deleted
    .filter(({ id }) => !texts.some((text) => text.includes(`"id": ${JSON.stringify(id)}`)))
    .map(({ kind, id }) => `I5: the pre-image of ${kind} ${id} is not on the disk`);
}

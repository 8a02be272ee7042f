import type { SyncPolicy } from '../../src/sync/report.ts';
import { editFolder } from './author.ts';
import type { Engine } from './engine.ts';
import type { Folder } from './files.ts';
import { desiredOf, fileKey, newFile, startFolder } from './files.ts';
import type { Machine } from './machine.ts';
import { FAULTS } from './network.ts';
import type { Weather } from './network.ts';
import type { Chance } from './random.ts';
import { chanceFrom } from './random.ts';
import type { Personality } from './service.ts';
import type { Ending, World } from './world.ts';
import { createWorld } from './world.ts';

export interface Simulated {
  readonly violations: readonly string[];
  readonly traceHash: string;
  readonly trace: readonly string[];
  readonly runs: number;
  readonly requests: number;
  readonly races: number;
  readonly crashes: number;
  readonly deletes: number;
}

/** What kind of trouble a world sees. Each is a probability. */
export interface Climate {
  readonly faults: number;
  readonly crashes: number;
  readonly editor: number;
  readonly prune: number;
  readonly choices: number;
  readonly secondClient: number;
  /** A folder that suddenly misses most of its files. */
  readonly exodus: number;
}

export interface SimulateOptions {
  readonly engine?: Engine;
  readonly keepTrace?: boolean;
  readonly climate?: Partial<Climate>;
  readonly personality?: Partial<Personality>;
  readonly stamp?: boolean;
}

/** Twice this and the settle time must be over for a create that was lost. */
const SETTLE_MS = 61_000;

/** A world's life from its seed: a few rounds of edits and runs in bad weather, then quiet, in which it must converge. */
export async function simulate(seed: number, options: SimulateOptions = {}): Promise<Simulated> {
  const chance = chanceFrom(seed ^ 0x5eed);
  const personality: Personality = {
    headers: chance.happens(0.5),
    slugs: chance.oneOf('refuse-doubles', 'refuse-doubles', 'accept-doubles'),
    html: chance.oneOf('keep', 'keep', 'strip-comments'),
    originalDelete: chance.oneOf('refuse', 'cascade'),
    ...options.personality,
  };
  const climate: Climate = {
    faults: chance.oneOf(0, 0.02, 0.08, 0.2),
    crashes: chance.oneOf(0, 0.3, 0.6),
    editor: chance.oneOf(0, 0, 0.05, 0.3),
    prune: chance.oneOf(0, 0.5, 1),
    choices: chance.oneOf(0, 0, 0.3),
    secondClient: chance.oneOf(0, 0, 0, 0.3),
    exodus: 0.02,
    ...options.climate,
  };
  const stamp = options.stamp ?? chance.happens(0.85);
  const { engine, keepTrace = false } = options;
  const world = createWorld({ seed, personality, keepTrace, ...(engine === undefined ? {} : { engine }) });
  const life: Life = {
    world,
    climate,
    chance: world.chance,
    stamp,
    folder: startFolder(world.chance, world.newUid),
    crashes: 0,
    runs: 0,
  };
  const rounds = 2 + chance.below(4);
  for (let round = 0; round < rounds && world.model.violations.length === 0; round += 1)
    await oneRound(life, round);
  if (world.model.violations.length === 0) await converge(life);
  return {
    violations: world.model.violations,
    traceHash: world.traceHash(),
    trace: world.trace,
    runs: life.runs,
    requests: world.network.requests(),
    races: world.model.races(),
    crashes: life.crashes,
    deletes: world.model.deleted.length,
  };
}

interface Life {
  readonly world: World;
  readonly climate: Climate;
  readonly chance: Chance;
  readonly stamp: boolean;
  readonly folder: Folder;
  crashes: number;
  runs: number;
  second?: Machine;
}

async function oneRound(life: Life, round: number): Promise<void> {
  const { world, climate, chance, folder } = life;
  if (round > 0) {
    for (let edits = chance.below(5); edits > 0; edits -= 1)
      world.say(`author ${editFolder({ folder, chance, newUid: world.newUid })}`);
  }
  for (let edits = chance.happens(climate.editor * 3) ? 1 + chance.below(3) : 0; edits > 0; edits -= 1)
    world.editRemote();
  if (round > 0 && chance.happens(climate.exodus)) exodus(life);
  world.clock.advance(chance.oneOf(0, 1000, 30_000, 3_600_000));
  world.network.arriveLate();
  if (chance.happens(climate.secondClient)) life.second ??= world.newMachine();
  const isSecond = life.second !== undefined && chance.happens(0.4);
  const machine = isSecond && life.second !== undefined ? life.second : world.machine;
  const crash = chance.happens(climate.crashes)
    ? chance.oneOf<'disk' | 'request'>('disk', 'request')
    : undefined;
  if (crash === 'disk') machine.disk.crashAtStep(machine.disk.steps() + 1 + chance.below(50));
  world.folder = folder;
  const ending = await world.run({
    machine,
    desired: desiredOf(folder),
    policy: policyOf(life),
    weather: weatherOf(life, crash === 'request' ? world.network.requests() + chance.below(50) : undefined),
    editorRate: chance.happens(0.5) ? climate.editor : 0,
    powerCut: chance.happens(0.5),
  });
  machine.disk.losePowerNever();
  noteEnding(ending, life, machine);
}

/** The wrong folder, or half a checkout: many files that were in step are gone. */
function exodus({ folder, world, chance }: Life): void {
  if (chance.happens(0.5)) {
    for (let index = 0; index < 40; index += 1) {
      const file = newFile('article', `many${index}`, 'en', world.newUid());
      folder.set(fileKey(file), file);
    }
    return;
  }
  const share = chance.oneOf(0.4, 1);
  for (const key of folder.keys()) if (chance.happens(share)) folder.delete(key);
  world.say(`author exodus ${folder.size}`);
}

function policyOf({ climate, chance, stamp }: Life): Partial<SyncPolicy> {
  const isChosen = chance.happens(climate.choices);
  return {
    prune: chance.happens(climate.prune),
    stamp,
    concurrencyMax: chance.oneOf(1, 4),
    onConflict: isChosen ? chance.oneOf('fail', 'local', 'remote') : 'fail',
    onDrift: isChosen ? chance.oneOf('report', 'overwrite') : 'report',
    adopt: isChosen ? chance.oneOf('fail', 'local', 'remote') : 'fail',
  };
}

function weatherOf({ climate, chance }: Life, crashAt: number | undefined): Weather {
  const outageFrom = chance.happens(climate.faults * 0.3) ? chance.below(40) : undefined;
  let index = 0;
  return (_, total) => {
    index += 1;
    if (crashAt !== undefined && total >= crashAt) return chance.oneOf('crash-before', 'crash-after');
    if (outageFrom !== undefined && index > outageFrom) return 'refused';
    if (climate.faults === 0 || !chance.happens(climate.faults)) return undefined;
    // What is under way from one machine, another cannot know (reliability.md 8.6).
    const fault = chance.pick(FAULTS);
    return fault === 'late' && climate.secondClient > 0 ? 'lost-before' : fault;
  };
}

function noteEnding(ending: Ending, life: Life, machine: Machine): void {
  life.runs += 1;
  if (ending.how === 'crash') life.crashes += 1;
  if (ending.how !== 'report' || machine !== life.world.machine) return;
  const { plan, results } = ending.report;
  const isInStep =
    plan.refusals.length + plan.conflicts.length + plan.blocked.length + plan.drift.length === 0 &&
    results.every(({ outcome }) => outcome === 'done');
  if (!isInStep) return;
  for (const file of life.folder.values()) {
    file.cleanSlug = file.slug;
    file.cleanText = file.text;
    file.cleanPath = file.path;
  }
}

/** I8, I9: in quiet weather two runs reach the end, and the third finds nothing to do. */
async function converge(life: Life): Promise<void> {
  const { world, folder } = life;
  const { violations } = world.model;
  const desired = desiredOf(folder);
  const isPruning = life.climate.prune > 0;
  const lines: string[] = [];
  for (let turn = 1; turn <= 3; turn += 1) {
    world.clock.advance(SETTLE_MS);
    world.network.arriveLate();
    const ending = await world.run({ desired, policy: { prune: isPruning, stamp: life.stamp } });
    life.runs += 1;
    if (ending.how !== 'report') {
      violations.push(
        `I9: quiet run ${turn} ended with ${ending.how}${ending.how === 'error' ? ` ${ending.message}` : ''}`,
      );
      return;
    }
    const { plan, results, requests } = ending.report;
    const open = results.filter(({ outcome }) => outcome !== 'done');
    lines.push(JSON.stringify([plan.conflicts, plan.blocked, plan.drift.map(({ key }) => key), open]));
    if (turn < 3) continue;
    const isRefused = plan.refusals.length > 0;
    if (!isRefused && results.some(({ outcome }) => outcome === 'done'))
      violations.push(`I8: the third quiet run still wrote: ${JSON.stringify(results)}`);
    if (!isRefused && results.some(({ outcome }) => outcome === 'pending'))
      violations.push('I9: still pending after two quiet runs');
    if (lines[1] !== lines[2])
      violations.push(`I9: the open questions change from run to run: ${lines[1]} and ${lines[2]}`);
    const questions = plan.conflicts.length + plan.blocked.length + plan.drift.length + plan.kept.length;
    const hasOrphans = [...folder.values()].some(
      ({ kind, path }) => !folder.has(fileKey({ kind, path, lang: 'en' })),
    );
    const isInStep = !isRefused && !hasOrphans && questions + open.length === 0;
    if (isInStep && requests !== 3) violations.push(`I8: a run in step made ${requests} requests`);
    if (
      !isRefused &&
      plan.kept.length + plan.blocked.length === 0 &&
      open.length > 0 &&
      life.second === undefined &&
      isSelfInflicted(open, life)
    )
      violations.push(`I9: never done: ${open.map(({ key, message }) => `${key} ${message}`).join('; ')}`);
  }
}

/**
 * Failures that nobody but the files has caused. After a death a record without a stamp whose slug the author changed
 * before the next run may be left behind under its old slug, and then stand in the way: no witness says whose it is.
 */
function isSelfInflicted(open: readonly { readonly message: string }[], life: Life): boolean {
  return (
    !life.world.model.hasEditor() &&
    life.crashes === 0 &&
    open.every(({ message }) => /slug in use|reference|unclear|in use|has translations/.test(message))
  );
}

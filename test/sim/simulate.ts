import { authorActs, runOf } from './asked.ts';
import { converge } from './converge.ts';
import type { Engine } from './engine.ts';
import { copyOf, desiredOf, fileKey, newFile, startFolder, withRules } from './files.ts';
import type { Machine } from './machine.ts';
import { FAULTS } from './network.ts';
import type { Weather } from './network.ts';
import { chanceFrom } from './random.ts';
import type { Personality } from './service.ts';
import type { Climate, Life } from './life.ts';
import type { Ending } from './run-once.ts';
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

export interface SimulateOptions {
  readonly engine?: Engine;
  readonly keepTrace?: boolean;
  readonly climate?: Partial<Climate>;
  readonly personality?: Partial<Personality>;
  readonly stamp?: boolean;
}

/** A world's life from its seed: a few rounds of edits and runs in bad weather, then quiet, in which it must converge. */
export async function simulate(seed: number, options: SimulateOptions = {}): Promise<Simulated> {
  const chance = chanceFrom(seed ^ 0x5eed);
  const personality: Personality = {
    headers: chance.happens(0.5),
    slugs: chance.oneOf('refuse-doubles', 'refuse-doubles', 'accept-doubles'),
    html: chance.oneOf('keep', 'keep', 'strip-comments'),
    originalDelete: chance.oneOf('refuse', 'cascade'),
    showsUse: false,
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
    habits: 0,
    tells: 0,
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
    protect: protectedIn(seed),
    past: [],
    crashes: 0,
    runs: 0,
  };
  const rounds = 2 + chance.below(4);
  for (let round = 0; round < rounds && world.model.violations.length === 0; round += 1)
    await oneRound(life, round);
  // The author lets go in the end: then all that was held back is done.
  life.protect = [];
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

/** In every third world; by its own dice, so the lives of all others stay what they were. */
function protectedIn(seed: number): readonly string[] {
  const dice = chanceFrom(seed ^ 0x9707ec7);
  return dice.happens(1 / 3) ? [dice.oneOf('a0', 'a1', 'article/a0@en', 'c0', 'tag/*', 'a*')] : [];
}

async function oneRound(life: Life, round: number): Promise<void> {
  const { world, climate, chance, folder, past } = life;
  if (round > 0) {
    for (let edits = chance.below(5); edits > 0; edits -= 1) authorActs(life);
  }
  past.push(copyOf(folder));
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
  const { policy, saves } = runOf(life);
  const ending = await world.run({
    machine,
    desired: withRules(desiredOf(folder), life.protect),
    policy,
    ...(saves === undefined ? {} : { saves }),
    weather: weatherOf(life, crash === 'request' ? world.network.requests() + chance.below(50) : undefined),
    editorRate: chance.happens(0.5) ? climate.editor : 0,
    powerCut: chance.happens(0.5),
  });
  machine.disk.losePowerNever();
  noteEnding(ending, life, { machine, isWhole: policy.languages === undefined && policy.only === undefined });
}

/** The wrong folder, or half a checkout: many files that were in sync are gone. */
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

function noteEnding(
  ending: Ending,
  life: Life,
  { machine, isWhole }: { readonly machine: Machine; readonly isWhole: boolean },
): void {
  life.runs += 1;
  if (ending.how === 'crash') life.crashes += 1;
  if (ending.how !== 'report' || machine !== life.world.machine || !isWhole) return;
  const { plan, results } = ending.report;
  const isInSync =
    plan.refusals.length + plan.conflicts.length + plan.blocked.length + plan.drift.length === 0 &&
    results.every(({ outcome }) => outcome === 'done');
  if (!isInSync) return;
  for (const file of life.folder.values()) {
    file.cleanSlug = file.slug;
    file.cleanText = file.text;
    file.cleanPath = file.path;
  }
}

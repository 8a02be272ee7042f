import { join } from 'node:path';
import type { PastChange, PastRun } from '../../../base/history/history.ts';
import { fileNameOf, openTrash, type PreImage } from '../../../base/trash.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { loadSettings, shown, type Settings } from '../../../config/settings.ts';
import { didYouMean } from '../../../content/suggest.ts';
import type { Key } from '../../../model/key.ts';
import type { Place } from '../../../model/problem.ts';
import { visible } from '../../../model/visible.ts';
import { CAREFUL } from '../../../plan/policy.ts';
import { accessOf } from '../../../session/access.ts';
import { historyFolder } from '../../../session/run-log.ts';
import { withEngine, type Engine } from '../../run/engine/engine.ts';
import { allowedBy, policyFrom } from '../../run/policy.ts';
import { openRuns, runNamed, type Runs } from '../../run/past-runs.ts';
import type { World } from '../../world.ts';
import { trashFolder } from '../restore/restore.ts';
import type { UndoFlags } from './command.ts';
import { printUndone } from './print.ts';

/** `kbsync undo [RUN] [KEY…]`: a plan of its own that gives records back what they said before a run. */
export async function undo(
  named: string | undefined,
  keys: readonly string[],
  flags: UndoFlags,
  world: World,
): Promise<number> {
  const settings = await loadSettings(flags, world);
  const { address } = accessOf(settings, world.env);
  const runs = await openRuns(settings, address.href);
  const run = named === undefined ? lastToUndo(runs) : runNamed(named, runs.runs);
  const chosen = chosenOf(keys, run);
  const { maxDelete, prune } = flags;
  // Files are no matter here: what is deleted was named by its run. Every other guard holds.
  const allow = new Set([...allowedBy(flags), 'vanished' as const, 'checkout' as const]);
  const policy = policyFrom({ ...CAREFUL, allow, prune, maxDelete }, flags);
  const options = {
    command: 'undo',
    readOnly: flags.dryRun,
    policy,
    ignoresProblems: true,
    undoes: run.head.run,
  } as const;
  return withEngine(flags, world, options, async (engine) => {
    const undoing = await prepare(run, chosen, { engine, settings, world, prune });
    const { restoring, left } = undoing;
    const report = flags.dryRun ? undefined : await restoring.sync(restoring.desired);
    const plan = report?.plan ?? (await restoring.plan(restoring.desired)).plan;
    return printUndone({ run, chosen, left, restoring, plan, report, laterOf: laterRuns(run, runs) }, engine);
  });
}

interface Around {
  readonly engine: Engine;
  readonly settings: Settings;
  readonly world: World;
  readonly prune: boolean;
}

async function prepare(run: PastRun, chosen: readonly PastChange[], around: Around) {
  const { engine, settings, world, prune } = around;
  const { syncOptions, desired: files, base: state } = engine;
  const folder = trashFolder(settings);
  const images = await openTrash(folder).images(run.head.run);
  const at = placeIn(join(historyFolder(settings.stateFile), `${run.head.run}.log`), world);
  const placeOf = ({ key }: Pick<PreImage, 'key'>): Place =>
    placeIn(join(folder, run.head.run, fileNameOf(key)), world);
  const [{ undoing }, { restoreFrom }] = await Promise.all([
    import('../../../sync/undo/taken-back.ts'),
    import('../../../sync/restore/restore.ts'),
  ]);
  const { remote } = syncOptions;
  const { edits, left } = await undoing({ changes: chosen, state, files, remote, prune, at });
  const kept = new Set(images.map(({ key }) => key));
  const deleted = chosen.filter(({ action }) => action === 'deleted').map(({ key }) => key);
  const restoring = await restoreFrom(syncOptions, {
    images,
    chosen: new Set(deleted.filter((key) => kept.has(key))),
    files,
    placeOf,
    edits,
  });
  const lost = deleted.filter((key) => !kept.has(key));
  const unkept = lost.map((key) => [key, 'its copy is not in the trash'] as const);
  return { restoring, left: new Map([...left, ...unkept]) };
}

function placeIn(file: string, world: World): Place {
  return { file: shown(file, world), line: 1, column: 1 };
}

/** The last run that is no undo itself and that no undo has taken back, so `kbsync undo` again goes one further back. */
function lastToUndo({ runs }: Runs): PastRun {
  const undone = new Set(runs.map(({ head }) => head.undoes));
  const last = runs.findLast(
    ({ head, changes }) => head.undoes === undefined && changes.size > 0 && !undone.has(head.run),
  );
  if (last !== undefined) return last;
  throw new SetupError('usage', 'there is no run to take back', {
    help: 'kbsync log lists the runs of this machine; a run of another machine is taken back there, or with its .kbsync/history',
  });
}

function chosenOf(names: readonly string[], { changes }: PastRun): readonly PastChange[] {
  if (names.length === 0) return [...changes.values()];
  return names.map((name) => {
    const change = [...changes.values()].find(({ key }) => key === name);
    if (change !== undefined) return change;
    const known = [...changes.keys()];
    throw new SetupError('usage', `that run did not write \`${visible(name)}\`${didYouMean(name, known)}`);
  });
}

/** Names of later runs that wrote a record. */
function laterRuns({ head }: PastRun, { runs }: Runs): (key: Key) => readonly string[] {
  const later = runs.filter((run) => run.head.run > head.run);
  return (key) => later.filter(({ changes }) => changes.has(key)).map((run) => run.head.run);
}

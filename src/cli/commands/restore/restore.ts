import { dirname, join } from 'node:path';
import { fileNameOf, isRun, openTrash, type PreImage, type Trash } from '../../../base/trash.ts';
import type { Key } from '../../../model/key.ts';
import type { Plan } from '../../../plan/plan.ts';
import { CAREFUL } from '../../../plan/policy.ts';
import type { Restore } from '../../../sync/restore/restore.ts';
import type { SyncReport } from '../../../sync/report.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { didYouMean } from '../../../content/suggest.ts';
import { visible } from '../../../model/visible.ts';
import { withEngine, type Engine } from '../../run/engine/engine.ts';
import { EXIT, planExit, syncExit } from '../../run/exit.ts';
import { setupFlags } from '../../flags.ts';
import type { RestoreFlags } from './command.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { allowedBy, policyFrom } from '../../run/policy.ts';
import { refusalLines } from '../../print/plan/plan.ts';
import { screen as screenOf } from '../../print/terminal/screen.ts';
import { loadSettings, shown, type Settings } from '../../../config/settings.ts';
import type { World } from '../../world.ts';

/** `kbsync restore`: which runs deleted what. `kbsync restore RUN [KEY…]`: puts it back. */
export async function restore(
  run: string | undefined,
  names: readonly string[],
  flags: RestoreFlags,
  world: World,
): Promise<number> {
  const settings = await loadSettings(flags, world);
  const folder = trashFolder(settings);
  const trash = openTrash(folder);
  if (run === undefined) return listRuns(trash, shown(folder, world), flags, world);
  const name = await runNamed(run, trash);
  const images = await trash.images(name);
  const chosen = chosenOf(names, images);
  // Restoring adds what is missing and resolves nothing: records in the way stay.
  const policy = policyFrom({ ...CAREFUL, allow: allowedBy(flags) }, flags);
  // Errors in the files of today must not keep a deleted record from coming back.
  const options = { command: 'restore', readOnly: flags.dryRun, policy, ignoresProblems: true } as const;
  return withEngine(flags, world, options, async (engine) => {
    const { restoreFrom } = await import('../../../sync/restore/restore.ts');
    const restoring = await restoreFrom(engine.syncOptions, {
      images,
      chosen,
      files: engine.desired,
      placeOf: ({ key }) => ({
        file: shown(join(folder, name, fileNameOf(key)), world),
        line: 1,
        column: 1,
      }),
    });
    if (!flags.dryRun) {
      const report = await restoring.sync(restoring.desired);
      return print(chosen, { plan: report.plan, report }, restoring, engine);
    }
    const { plan } = await restoring.plan(restoring.desired);
    return print(chosen, { plan }, restoring, engine);
  });
}

/** Beside the state. */
export function trashFolder({ stateFile }: Settings): string {
  return join(dirname(stateFile), 'trash');
}

async function listRuns(trash: Trash, folder: string, flags: RestoreFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const runs: { readonly run: string; readonly keys: readonly Key[] }[] = [];
  for (const run of await trash.runs()) {
    runs.push({ run, keys: (await trash.images(run)).map(({ key }) => key) });
  }
  if (screen.isJson) {
    screen.document({ format: JSON_FORMAT, runs });
    return EXIT.done;
  }
  if (runs.length === 0) screen.answer(`no run has deleted anything (${visible(folder)} holds nothing)`);
  for (const { run, keys } of runs) {
    const listed = keys.slice(0, screen.isVerbose ? keys.length : 3).map(visible);
    const rest = keys.length - listed.length;
    const more = rest === 0 ? '' : ` and ${rest} more`;
    screen.answer(`${run}  ${counted(keys.length, 'record')}  ${listed.join(', ')}${more}`);
  }
  if (runs.length > 0) screen.talk(`next: kbsync restore${setupFlags(flags)} RUN [KEY…] --dry-run`);
  return EXIT.done;
}

/** The run of this name; `last` is the last one that deleted something. @throws SetupError */
async function runNamed(word: string, trash: Trash): Promise<string> {
  const runs = await trash.runs();
  const run = word === 'last' ? [...runs].sort().at(-1) : word;
  if (run !== undefined && isRun(run) && runs.includes(run)) return run;
  throw new SetupError('usage', `there is no run \`${visible(word)}\`${didYouMean(word, runs)}`, {
    help: runs.length === 0 ? 'no run has deleted anything' : 'kbsync restore lists them',
  });
}

function chosenOf(names: readonly string[], images: readonly PreImage[]): ReadonlySet<Key> {
  const kept = images.map(({ key }) => key);
  if (names.length === 0) return new Set(kept);
  return new Set(
    names.map((name) => {
      const key = kept.find((each) => each === name);
      if (key !== undefined) return key;
      throw new SetupError('usage', `that run kept no \`${visible(name)}\`${didYouMean(name, kept)}`);
    }),
  );
}

interface Outcome {
  readonly plan: Plan;
  /** undefined: it was a dry run. */
  readonly report?: SyncReport;
}

function print(chosen: ReadonlySet<Key>, outcome: Outcome, restoring: Restore, engine: Engine): number {
  const { screen, printer, desired } = engine;
  const { plan, report } = outcome;
  printer.close();
  const ends = [...chosen].map((key) => ({ key, ...endOf(key, outcome, restoring) }));
  const exit = report === undefined ? planExit(plan, { exitCode: false }) : syncExit(report);
  if (screen.isJson) {
    screen.document({
      format: JSON_FORMAT,
      dryRun: report === undefined,
      records: ends,
      refusals: plan.refusals,
    });
    return exit;
  }
  for (const { key, text } of ends) screen.answer(`${visible(key)}  ${visible(text)}`);
  for (const line of refusalLines(plan, engine.context(plan))) screen.answer(line);
  const isBack = (key: Key): boolean => desired.records.has(key);
  if (ends.some(({ key, state }) => state === 'restored' && !isBack(key))) {
    screen.talk(
      'kbsync leaves a restored record alone while it has no file; bring the file back, and kbsync syncs it again',
    );
  }
  return exit;
}

interface End {
  readonly state: 'restored' | 'there' | 'not-restored';
  readonly text: string;
}

function endOf(key: Key, { plan, report }: Outcome, { known }: Restore): End {
  const id = known.get(key);
  if (id !== undefined)
    return {
      state: 'there',
      text: `is there: kbsync manages it as record ${id}; kbsync sync looks after it`,
    };
  const not = (why: string): End => ({ state: 'not-restored', text: `not restored: ${why}` });
  if (plan.refusals.length > 0) return not('refused');
  const result = report?.results.find((each) => each.key === key);
  if (result?.outcome === 'done') return { state: 'restored', text: `restored, record ${result.id ?? ''}` };
  // It is there, and the next `restore` would not make it again.
  if (result?.outcome === 'failed' && result.hasWritten === true)
    return {
      state: 'restored',
      text: `restored, record ${result.id ?? ''}, but not as it was: ${result.message}`,
    };
  if (result !== undefined) return not(`${result.outcome}: ${result.message}`);
  const conflict = plan.conflicts.find((each) => each.key === key);
  if (conflict !== undefined) {
    const names = conflict.fields.map(({ field }) => field).join(', ');
    return not(
      `record ${conflict.id ?? ''} is in its place, with another ${names}; rename or delete that one first`,
    );
  }
  const blocked = plan.blocked.find((each) => each.key === key);
  if (blocked !== undefined) return not(blocked.message);
  const change = plan.changes.find((each) => each.key === key);
  if (change !== undefined) return { state: 'restored', text: 'would be restored' };
  return { state: 'there', text: 'is there already' };
}

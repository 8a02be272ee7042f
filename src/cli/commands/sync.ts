import type { Plan } from '../../plan/plan.ts';
import type { SyncReport } from '../../sync/report.ts';
import { withEngine, type Engine } from '../engine.ts';
import { EXIT, syncExit } from '../exit.ts';
import { annotate } from '../files-run.ts';
import type { RunFlags } from '../flags.ts';
import { syncDocument } from '../json.ts';
import { counted } from '../numbers.ts';
import { policyOf } from '../policy.ts';
import { planHead, planLines } from '../print-plan.ts';
import { syncLines, syncSum } from '../print-sync.ts';
import type { Finding } from '../print-problems.ts';
import type { World } from '../world.ts';

/** `kbsync sync`: brings the knowledge base in step with the files. */
export async function sync(flags: RunFlags, world: World): Promise<number> {
  return withEngine(
    flags,
    world,
    { command: 'sync', readOnly: false, policy: policyOf(flags) },
    async (engine) => {
      let isDeclined = false;
      const report = await engine.sync(async (plan) => {
        const isWanted = flags.yes || (await deletesWanted(plan, engine, world));
        isDeclined = !isWanted;
        return isWanted;
      });
      if (isDeclined) {
        engine.printer.close();
        engine.screen.complain('nothing was sent');
        if (engine.screen.isJson) engine.screen.document(syncDocument(report, engine.findings));
        return EXIT.refused;
      }
      return printReport(report, engine, world);
    },
  );
}

/** The answer of sync and apply. */
export function printReport(report: SyncReport, engine: Engine, world: World): number {
  const { screen, printer, findings } = engine;
  printer.close();
  annotate([...findings, ...conflictFindings(report.plan)], screen, world);
  const exit = syncExit(report);
  if (screen.isJson) {
    screen.document(syncDocument(report, findings));
    return exit;
  }
  const context = engine.context(report.plan);
  const lines = syncLines(report, context);
  if (lines.length > 0) screen.answer(`${lines.join('\n')}\n`);
  screen.answer(syncSum(report, context));
  if (exit === EXIT.partly || exit === EXIT.failed)
    screen.talk('next: kbsync sync again; what is done is not sent twice');
  return exit;
}

/** Deletes are the one thing a person is asked about, and only where a person is. */
export async function deletesWanted(
  plan: Plan,
  { screen, printer, context }: Engine,
  world: World,
): Promise<boolean> {
  const deletes = plan.changes.filter((change) => change.action === 'delete').length;
  if (deletes === 0 || !world.canAsk || screen.isJson) return true;
  printer.close();
  const shown = context(plan);
  screen.complain([planHead(shown), '', ...planLines({ ...plan, conflicts: [] }, shown), ''].join('\n'));
  const answer = await world.ask(`Delete ${counted(deletes, 'record')} from ${shown.baseUrl}? [y/N] `);
  return /^y(es)?$/i.test(answer.trim());
}

function conflictFindings(plan: Plan): readonly Finding[] {
  return plan.conflicts.flatMap((conflict) => {
    const at = conflict.fields.find((field) => field.at !== undefined)?.at ?? conflict.at;
    if (at === undefined) return [];
    const fields = conflict.fields.map((field) => field.field).join(', ');
    return [
      { severity: 'error', code: 'conflict', message: `${conflict.key}: ${fields} (${conflict.code})`, at },
    ];
  });
}

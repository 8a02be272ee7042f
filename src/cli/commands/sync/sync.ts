import type { Plan } from '../../../plan/plan.ts';
import type { SyncReport } from '../../../sync/report.ts';
import { withEngine, type Engine } from '../../run/engine/engine.ts';
import { EXIT, isUnfinishedWork, syncExit } from '../../run/exit.ts';
import { waitForCreates } from '../../../sync/wait-for-creates.ts';
import { annotate } from '../../run/read-files.ts';
import { runSame, type ReportFormat } from '../../flags.ts';
import type { SyncFlags } from './command.ts';
import { partialJson, syncDocument } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { policyOf } from '../../run/policy.ts';
import { partialLines, planHead, planLines } from '../../print/plan/plan.ts';
import { syncLines, syncSum } from './print.ts';
import { planFindings, planNotices, reportText } from '../../print/report.ts';
import { renameLines } from '../../run/renames.ts';
import { earlierRedirects, saveRedirects } from '../../run/redirects.ts';
import type { World } from '../../world.ts';

/** `kbsync sync`: brings the knowledge base in sync with the files. */
export async function sync(flags: SyncFlags, world: World): Promise<number> {
  return withEngine(
    flags,
    world,
    { command: 'sync', readOnly: false, policy: policyOf(flags) },
    async (engine) => {
      const earlier = await earlierRedirects(flags, world);
      let isDeclined = false;
      const run = () =>
        engine.sync(async (plan) => {
          const isWanted = flags.yes || (await deletesWanted(plan, engine, world));
          isDeclined = !isWanted;
          return isWanted;
        });
      const { syncOptions } = engine;
      const report = await (engine.policy.waits === true ? waitForCreates(run, syncOptions) : run());
      if (isDeclined) {
        engine.printer.close();
        engine.screen.complain('nothing was sent');
        if (engine.screen.isJson) engine.screen.document(syncDocument(report, engine.findings));
        return EXIT.refused;
      }
      const done = new Set(report.results.flatMap(({ key, outcome }) => (outcome === 'done' ? [key] : [])));
      const changes = report.plan.changes.filter(({ key }) => done.has(key));
      await saveRedirects(flags, { earlier, changes }, engine, world);
      return printReport(report, engine, world, {
        again: `kbsync sync${runSame(flags)}`,
        format: flags.format,
      });
    },
  );
}

/** The answer of sync and apply. */
export function printReport(
  report: SyncReport,
  engine: Engine,
  world: World,
  {
    again,
    format,
  }: {
    /** The command that goes on where this run ended. */
    readonly again: string;
    readonly format?: ReportFormat | undefined;
  },
): number {
  const { screen, printer, findings } = engine;
  printer.close();
  const shown = planFindings(report.plan, findings);
  if (format !== 'github') annotate(shown, screen, world);
  const exit = syncExit(report);
  const context = engine.context(report.plan);
  const document = { ...syncDocument(report, findings), ...partialJson(context) };
  const failed = report.results.filter(({ outcome }) => outcome !== 'done');
  const notices = [
    ...planNotices(report.plan),
    ...failed.map(({ key, outcome, message }) => ({
      code: outcome,
      message: `${key}: ${message ?? outcome}`,
    })),
  ];
  const text = reportText(format, { command: 'sync', findings: shown, notices, document }, world);
  if (text !== undefined) {
    screen.answer(text);
    return exit;
  }
  if (screen.isJson) {
    screen.document(document);
    return exit;
  }
  const lines = syncLines(report, context);
  if (lines.length > 0) screen.answer(`${lines.join('\n')}\n`);
  const renamed = renameLines(report.plan);
  if (renamed.length > 0) screen.answer(`${renamed.join('\n')}\n`);
  screen.answer(syncSum(report, context));
  for (const line of partialLines(context)) screen.answer(line);
  if (exit === EXIT.partly || exit === EXIT.failed) screen.talk(nextStep(report, again));
  return exit;
}

/**
 * What another run can finish by itself, what somebody has to resolve first (the same request meets the same refusal), and
 * deletes that waited for either.
 */
function nextStep({ plan, results, redirects, needsSetting }: SyncReport, again: string): string {
  if (results.some(({ outcome }) => outcome === 'failed'))
    return `next: resolve what failed, as it is named above, then run ${again} again; what is done is not sent twice`;
  if (needsSetting === true)
    return `next: take that record back and change the setting, as it is named above, then run ${again}`;
  const mayFinish =
    (redirects !== undefined && redirects.outcome !== 'done') ||
    results.some(
      ({ action, outcome }) => outcome === 'pending' || (action !== 'delete' && outcome === 'skipped'),
    );
  if (mayFinish) return `next: run ${again} again; what is done is not sent twice`;
  // Some need a minute, others somebody who looks at the site.
  if (plan.blocked.some(({ reason }) => reason === 'pending'))
    return `next: see above what each blocked record waits for, then run ${again} again; what is done is not sent twice`;
  const open = plan.blocked.filter(isUnfinishedWork);
  if (open.length > 0 && open.every(({ reason }) => reason === 'file-errors'))
    return `next: correct the files that are named above, then run ${again}`;
  return `next: resolve what is named above, then run ${again} again`;
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

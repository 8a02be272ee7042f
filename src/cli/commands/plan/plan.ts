import { resolve } from 'node:path';
import type { Plan } from '../../../plan/plan.ts';
import { type Engine, withEngine } from '../../run/engine/engine.ts';
import { planExit } from '../../run/exit.ts';
import { annotate } from '../../run/read-files.ts';
import type { PlanFlags } from './command.ts';
import { partialJson, planDocument } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { visible } from '../../../model/visible.ts';
import { shellWord } from '../../print/terminal/text.ts';
import { runSame, setupFlags } from '../../flags.ts';
import { policyOf } from '../../run/policy.ts';
import { planHead, planLines, planSum, inSyncSum, isInSync, partialLines } from '../../print/plan/plan.ts';
import { planFindings, planNotices, reportText } from '../../print/report.ts';
import { redirectCount } from '../../print/plan/redirects.ts';
import { renameLines } from '../../run/renames.ts';
import { earlierRedirects, saveRedirects } from '../../run/redirects.ts';
import type { World } from '../../world.ts';

/** `kbsync plan`: what a sync would do, and nothing is written anywhere but the file of `--out`. */
export async function plan(flags: PlanFlags, world: World): Promise<number> {
  return withEngine(
    flags,
    world,
    { command: 'plan', readOnly: true, policy: policyOf(flags) },
    async (engine) => {
      const { screen, printer, findings } = engine;
      const earlier = await earlierRedirects(flags, world);
      const { plan, requests, textsOf } = await engine.plan();
      printer.close();
      const document = {
        ...planDocument(plan, findings, requests),
        ...partialJson(engine.context(plan)),
      };
      if (flags.out !== undefined) {
        const { savedPlanText } = await import('./saved-plan.ts');
        const text = savedPlanText(plan, engine.origin, engine.policy, document);
        await world.files.writeText(resolve(world.cwd, flags.out), text);
      }
      await saveRedirects(flags, { earlier, changes: plan.changes }, engine, world);
      const hasErrors = findings.some(({ severity }) => severity === 'error');
      const exit = planExit(plan, { ...flags, hasErrors });
      if (flags.html !== undefined) {
        const { savePlanPage } = await import('./page.ts');
        await savePlanPage(flags.html, { plan, textsOf, engine, world });
        if (!screen.isQuiet) screen.talk(`the plan as a page: ${visible(flags.html)}`);
      }
      const report = reportText(
        flags.format,
        { command: 'plan', findings: planFindings(plan, findings), notices: planNotices(plan), document },
        world,
      );
      if (flags.format !== 'github') annotate(findings, screen, world);
      if (report !== undefined) {
        screen.answer(report);
        return exit;
      }
      if (screen.isJson) {
        screen.document(document);
        return exit;
      }
      if (flags.markdown) {
        const { planMarkdownText } = await import('./page.ts');
        screen.answer(planMarkdownText({ plan, textsOf, engine, world }));
        return exit;
      }
      printPlan(plan, flags, engine, requests);
      return exit;
    },
  );
}

function printPlan(
  plan: Plan,
  flags: PlanFlags,
  { screen, context: contextOf }: Engine,
  requests: number,
): void {
  const context = {
    ...contextOf(plan),
    // The file says where it leads.
    ...(flags.redirects === undefined ? {} : { oldAddresses: undefined }),
  };
  if (!screen.isQuiet) screen.answer(`${planHead(context)}\n`);
  const lines = planLines(plan, context);
  if (lines.length > 0) screen.answer(`${lines.join('\n')}\n`);
  const renamed = renameLines(plan);
  if (renamed.length > 0) screen.answer(`${renamed.join('\n')}\n`);
  screen.answer(
    isInSync(plan)
      ? `${inSyncSum(plan, context)}, ${counted(requests, 'request')}`
      : screen.outPaint.bold(planSum(plan, context)),
  );
  for (const line of partialLines(context)) screen.answer(line);
  const next = nextStep(plan, flags, redirectCount(plan) > 0);
  if (next !== undefined && !screen.isQuiet) screen.talk(`next: ${next}`);
}

function nextStep(
  plan: { readonly changes: readonly unknown[]; conflicts: readonly unknown[]; refusals: readonly unknown[] },
  flags: PlanFlags,
  sendsRedirects: boolean,
): string | undefined {
  if (plan.refusals.length > 0) return 'a sync would send nothing; read above why kbsync refuses it';
  if (plan.conflicts.length > 0)
    return `resolve the conflict, then run kbsync sync${runSame(flags)} (a sync before that sends the other records)`;
  if (plan.changes.length === 0 && !sendsRedirects) return undefined;
  return flags.out === undefined
    ? `kbsync sync${runSame(flags)}`
    : `kbsync apply${setupFlags(flags)} ${shellWord(flags.out)}`;
}

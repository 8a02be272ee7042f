import { resolve } from 'node:path';
import type { Plan } from '../../../plan/plan.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { visible } from '../../../model/visible.ts';
import { setupFlags } from '../../flags.ts';
import { shellWord } from '../../print/terminal/text.ts';
import { withEngine } from '../../run/engine/engine.ts';
import type { ApplyFlags } from './command.ts';
import { policyFrom } from '../../run/policy.ts';
import { parseSavedPlan, planDifferences, policyOfSaved } from '../plan/saved-plan.ts';
import type { World } from '../../world.ts';
import { printReport } from '../sync/sync.ts';

/** `kbsync apply`: plans again and carries it out only when it is the plan that was saved. */
export async function apply(file: string, flags: ApplyFlags, world: World): Promise<number> {
  const text = await world.files.readText(resolve(world.cwd, file));
  if (text === undefined) {
    throw new SetupError('usage', `there is no file \`${visible(file)}\``, {
      help: 'kbsync plan --out plan.json makes one',
    });
  }
  const saved = parseSavedPlan(text, file);
  const policy = policyFrom(policyOfSaved(saved), flags);
  return withEngine(flags, world, { command: 'apply', readOnly: false, policy }, async (engine) => {
    if (saved.origin !== engine.origin) {
      throw new SetupError(
        'refused',
        `the plan was made for ${visible(saved.origin)}, and this run is for ${engine.origin}`,
      );
    }
    const checkSame = (plan: Plan): void => {
      const differences = planDifferences(saved, plan);
      if (differences.length > 0) throw changedPlan(file, differences);
    };
    const report = await engine.sync((plan) => {
      checkSame(plan);
      return Promise.resolve(true);
    });
    // A plan with nothing to send is not asked about.
    if (report.results.length === 0) checkSame(report.plan);
    return printReport(report, engine, world, {
      // The plan may be about a part of the files, and a sync would be about all of them.
      again: `kbsync plan${setupFlags(flags)} --out ${shellWord(file)}`,
    });
  });
}

function changedPlan(file: string, differences: readonly string[]): SetupError {
  const listed = differences.slice(0, 10).map((line) => `\n  ${visible(line)}`);
  const rest = differences.length - listed.length;
  const more = rest === 0 ? '' : `\n  … and ${rest} more`;
  return new SetupError('refused', `${file} is out of date; nothing was sent:${listed.join('')}${more}`, {
    help: `kbsync plan --out ${visible(file)} makes a new one`,
  });
}

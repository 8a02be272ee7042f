import { Option } from '@commander-js/extra-typings';
import { REDIRECTS_FLAG, redirectsFormFlag } from '../../run/redirects.ts';
import { aboutFlags, examples, formatFlag, renamedFlag, runCommand, type FlagsOf } from '../../flags.ts';

export type PlanFlags = FlagsOf<typeof planCommand>;

export function planCommand() {
  return renamedFlag(aboutFlags(runCommand('plan', 'show what a sync would do; writes nothing')))
    .option('--exit-code', 'exit with 2 if changes are pending', false)
    .option('--out <file>', 'save the plan for `kbsync apply`')
    .option('--html <file>', 'save the plan as a web page that shows each text before and after')
    .option(...REDIRECTS_FLAG)
    .addOption(redirectsFormFlag())
    .addOption(
      new Option('--markdown', 'print the plan as a pull request comment')
        .default(false)
        .conflicts(['json', 'format']),
    )
    .addOption(formatFlag())
    .addHelpText('after', examples('kbsync plan', 'kbsync plan --prune --out plan.json'));
}

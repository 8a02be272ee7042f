import { command, CONCURRENCY_FLAG, examples, type FlagsOf, WAIT_FLAG } from '../../flags.ts';

export type ApplyFlags = FlagsOf<typeof applyCommand>;

export function applyCommand() {
  return command('apply', 'carry out a saved plan; refuses if the plan is out of date')
    .argument('<plan.json>', 'the file that kbsync plan --out saved')
    .option(...CONCURRENCY_FLAG)
    .option(...WAIT_FLAG)
    .addHelpText('after', examples('kbsync plan --out plan.json', 'kbsync apply plan.json'));
}

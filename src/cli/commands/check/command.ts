import { command, examples, formatFlag, type FlagsOf } from '../../flags.ts';

export type CheckFlags = FlagsOf<typeof checkCommand>;

export function checkCommand() {
  return command('check', 'find problems in the files; uses no network')
    .addOption(formatFlag())
    .addHelpText(
      'after',
      examples('kbsync check', 'kbsync check --allow dead-anchor --json', 'kbsync check --format sarif'),
    );
}

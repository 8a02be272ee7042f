import { aboutFlags, command, examples, formatFlag, type FlagsOf } from '../../flags.ts';

export type CheckFlags = FlagsOf<typeof checkCommand>;

export function checkCommand() {
  return aboutFlags(command('check', 'find problems in the files; uses no network'))
    .option('--strict', 'fail on warnings too', false)
    .option('--baseline <file>', 'count the findings that this file lists, and fail only on new ones')
    .option('--update-baseline', 'write all findings of this run into the file of --baseline', false)
    .addOption(formatFlag())
    .addHelpText(
      'after',
      examples(
        'kbsync check --changed-since origin/main',
        'kbsync check --baseline known.json',
        'kbsync check --allow dead-anchor --json',
        'kbsync check --format sarif',
      ),
    );
}

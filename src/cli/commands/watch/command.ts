import { aboutFlags, examples, runCommand, type FlagsOf } from '../../flags.ts';

export type WatchFlags = FlagsOf<typeof watchCommand>;

export function watchCommand() {
  return aboutFlags(runCommand('watch', 'sync, then send every file when it is saved; never deletes'))
    .option('--once', 'sync once even if some files have errors, then end', false)
    .addHelpText(
      'after',
      examples(
        'kbsync watch',
        'kbsync watch --env staging',
        'kbsync watch --once',
        'kbsync watch --only "billing/**"',
      ),
    );
}

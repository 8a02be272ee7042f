import { aboutFlags, examples, renamedFlag, runCommand, type FlagsOf } from '../../flags.ts';

export type WatchFlags = FlagsOf<typeof watchCommand>;

/** Flags of deletes: a script may give them to every command, and here they do nothing. */
const WITHOUT_EFFECT: readonly (string | undefined)[] = ['--prune', '--max-delete', '--allow-checkout'];

export function watchCommand() {
  const made = renamedFlag(
    aboutFlags(runCommand('watch', 'sync, then send every file when it is saved; never deletes')),
  )
    .option('--once', 'sync once even if some files have errors, then end', false)
    .option('--poll', 'look at every file each second: for shared folders that do not report changes', false)
    .addHelpText(
      'after',
      examples(
        'kbsync watch',
        'kbsync watch --env staging',
        'kbsync watch --once',
        'kbsync watch --only "billing/**"',
      ),
    );
  for (const option of made.options) if (WITHOUT_EFFECT.includes(option.long)) option.hideHelp();
  return made;
}

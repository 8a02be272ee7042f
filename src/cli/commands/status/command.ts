import { aboutFlags, command, examples, type FlagsOf } from '../../flags.ts';

export type StatusFlags = FlagsOf<typeof statusCommand>;

export function statusCommand() {
  return aboutFlags(
    command(
      'status',
      'compare the files with the last sync, and translations with their originals; uses no network',
    ),
  )
    .option('--remote', 'also ask the service for edits made on the site', false)
    .addHelpText('after', examples('kbsync status', 'kbsync status --remote --json'));
}

import { aboutFlags, command, examples, type FlagsOf } from '../../flags.ts';

export type StatusFlags = FlagsOf<typeof statusCommand>;

export function statusCommand() {
  return aboutFlags(
    command(
      'status',
      'compare the files with the last sync, and translations with their originals; uses no network without --remote',
    ),
  )
    .option('--remote', 'also ask the service for edits made on the site', false)
    .option('--stale', 'list the translations whose original changed since, and how kbsync knows that', false)
    .option(
      '--diff [key]',
      'show what changed in the original since then; for one stale translation, or for all',
    )
    .option('--html <file>', 'also save a page: language × record, and what changed in the originals since')
    .addHelpText(
      'after',
      examples(
        'kbsync status',
        'kbsync status --stale --diff article/install@fr',
        'kbsync status --remote --json',
        'kbsync status --html translations.html',
      ),
    );
}

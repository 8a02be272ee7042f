import {
  ALLOW_EMPTY_REMOTE,
  ASSUME_COMPLETE,
  command,
  CONCURRENCY_FLAG,
  examples,
  type FlagsOf,
  WAIT_FLAG,
} from '../../flags.ts';

export type RestoreFlags = FlagsOf<typeof restoreCommand>;

export function restoreCommand() {
  return command('restore', 'list what syncs have deleted, or put it back from .kbsync/trash')
    .argument('[run]', 'as kbsync restore lists it, or `last`')
    .argument('[key...]', 'only these records')
    .option('--dry-run', 'only show what would come back', false)
    .option(...ASSUME_COMPLETE)
    .option(...ALLOW_EMPTY_REMOTE)
    .option(...CONCURRENCY_FLAG)
    .option(...WAIT_FLAG)
    .addHelpText(
      'after',
      examples('kbsync restore', 'kbsync restore 2026-11-20T10-41-32-000Z article/legacy/fax@en --dry-run'),
    );
}

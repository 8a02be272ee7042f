import {
  ALLOW_EMPTY_REMOTE,
  ASSUME_COMPLETE,
  command,
  CONCURRENCY_FLAG,
  examples,
  type FlagsOf,
  FLAG_GROUPS,
  WAIT_FLAG,
  wholeNumber,
} from '../../flags.ts';

export type UndoFlags = FlagsOf<typeof undoCommand>;

export function undoCommand() {
  return command('undo', 'take back what a run did on the site; leaves alone what somebody changed since')
    .argument(
      '[run]',
      'as kbsync log lists it, or `last` (default: the last run that no undo has taken back)',
    )
    .argument('[key...]', 'only these records')
    .option('--dry-run', 'only show what would be taken back', false)
    .option('--prune', 'delete what the run created; without it, its articles become drafts', false)
    .optionsGroup(FLAG_GROUPS.guards)
    .option('--max-delete <n>', 'allow this many deletes (default: 10)', wholeNumber(0))
    .option(...ASSUME_COMPLETE)
    .option(...ALLOW_EMPTY_REMOTE)
    .optionsGroup(FLAG_GROUPS.requests)
    .option(...CONCURRENCY_FLAG)
    .option(...WAIT_FLAG)
    .optionsGroup(FLAG_GROUPS.own)
    .addHelpText(
      'after',
      examples('kbsync undo --dry-run', 'kbsync undo 2026-11-20T10-41-32-000Z article/billing/refunds@en'),
    );
}

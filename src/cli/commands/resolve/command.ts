import { Option } from '@commander-js/extra-typings';
import {
  ALLOW_EMPTY_REMOTE,
  ALLOW_OLDER_COMMIT,
  ASSUME_COMPLETE,
  command,
  CONCURRENCY_FLAG,
  examples,
  FLAG_GROUPS,
  SETTLE_FLAG,
  type FlagsOf,
  WAIT_FLAG,
} from '../../flags.ts';

export type ResolveFlags = FlagsOf<typeof resolveCommand>;

export function resolveCommand() {
  return command('resolve', 'pick a side for the conflicts or drift of single records; writes nothing else')
    .argument('<key...>', 'as plan and sync print it: article/billing/refunds@de')
    .addOption(new Option('--local', 'the value of the file wins').conflicts('remote'))
    .addOption(new Option('--remote', 'the value of the site wins').conflicts('local'))
    .optionsGroup(FLAG_GROUPS.guards)
    .option(...ALLOW_OLDER_COMMIT)
    .option(...ASSUME_COMPLETE)
    .option(...ALLOW_EMPTY_REMOTE)
    .optionsGroup(FLAG_GROUPS.requests)
    .option(...CONCURRENCY_FLAG)
    .option(...SETTLE_FLAG)
    .option(...WAIT_FLAG)
    .optionsGroup(FLAG_GROUPS.own)
    .addHelpText(
      'after',
      examples(
        'kbsync resolve article/billing/refunds@de --local',
        'kbsync resolve article/a@en category/b@en --remote',
      ),
    );
}

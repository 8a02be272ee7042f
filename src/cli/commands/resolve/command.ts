import { Option } from '@commander-js/extra-typings';
import { command, CONCURRENCY_FLAG, examples, SETTLE_FLAG, type FlagsOf, WAIT_FLAG } from '../../flags.ts';

export type ResolveFlags = FlagsOf<typeof resolveCommand>;

export function resolveCommand() {
  return command('resolve', 'pick a side for the conflicts or drift of single records; writes nothing else')
    .argument('<key...>', 'as plan and sync print it: article/billing/refunds@de')
    .addOption(new Option('--local', 'the value of the file wins').conflicts('remote'))
    .addOption(new Option('--remote', 'the value of the site wins').conflicts('local'))
    .option(...CONCURRENCY_FLAG)
    .option(...SETTLE_FLAG)
    .option(...WAIT_FLAG)
    .addHelpText(
      'after',
      examples(
        'kbsync resolve article/billing/refunds@de --local',
        'kbsync resolve article/a@en category/b@en --remote',
      ),
    );
}

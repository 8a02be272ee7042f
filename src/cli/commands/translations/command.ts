import { command, examples, type FlagsOf } from '../../flags.ts';

export type AcceptFlags = FlagsOf<typeof acceptCommand>;

export function acceptCommand() {
  return command(
    'accept',
    'mark translations as up to date with their originals as they are now; uses no network',
  )
    .argument('<key...>', 'keys as kbsync status --stale lists them, files, or globs in quotes')
    .option('--dry-run', 'show what would be written, write nothing', false)
    .addHelpText(
      'after',
      examples(
        'kbsync translations accept article/install@fr',
        'kbsync translations accept "billing/**" --lang de --dry-run',
      ),
    );
}

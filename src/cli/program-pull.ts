import { Option } from 'commander';
import type { PullFlags } from './flags.ts';
import { collected, examples, wholeNumber } from './program-options.ts';
import type { DevParts } from './program-watch.ts';
import type { Command } from 'commander';

export function addPull(program: Command, { world, done, withCommonFlags }: DevParts): void {
  withCommonFlags(program.command('pull'))
    .description('write the knowledge base into files; never overwrites an edit, never deletes')
    .argument('[path...]', 'only these files and folders of the content folder')
    .option('--dry-run', 'read everything, write nothing', false)
    .addOption(
      new Option('--status <status>', 'only articles of this status').choices(['published', 'draft']),
    )
    .option('--no-clean', 'keep what web editors leave in the HTML; more of it stays HTML in the files')
    .option('--with-tools', 'versions, links and review dates as JSON into .kbsync/tools', false)
    .option('--assets', 'fetch the images of the help centre’s own host into assets/', false)
    .option('--asset-host <host>', 'fetch images of this host too; may be repeated', collected, [])
    .option('--concurrency <n>', 'most requests at once, 1 to 128 (default: 16)', wholeNumber(1, 128))
    .addHelpText(
      'after',
      examples(
        'kbsync pull --dry-run',
        'kbsync pull content/en/articles/billing',
        'kbsync pull --lang fr --status published',
        'kbsync pull --assets --asset-host cdn.example.com',
      ),
    )
    .action(async (paths: string[], flags: PullFlags) => {
      const { pull } = await import('./commands/pull.ts');
      done(await pull(paths, flags, world));
    });
}

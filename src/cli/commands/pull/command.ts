import { Option } from '@commander-js/extra-typings';
import { collected, command, CONCURRENCY_FLAG, examples, type FlagsOf, WAIT_FLAG } from '../../flags.ts';

export type PullFlags = FlagsOf<typeof pullCommand>;

export function pullCommand() {
  return command(
    'pull',
    'bring edits of the site, or all of it, into the files; never overwrites an edit, never deletes',
  )
    .argument('[path...]', 'only these files and folders of the content folder, or records by their keys')
    .option('--dry-run', 'read everything, write nothing', false)
    .addOption(
      new Option(
        '--propose',
        'in a CI job: put the edits on a branch and keep one pull or merge request for it; the files here stay as they are',
      )
        .default(false)
        .conflicts(['dryRun', 'withTools']),
    )
    .option(
      '--branch <name>',
      'the branch of --propose (default: kbsync/pull, and another one for each part: kbsync/pull-only-…)',
    )
    .addOption(
      new Option('--status <status>', 'only articles with this status').choices([
        'published',
        'draft',
      ] as const),
    )
    .option('--no-clean', 'keep what web editors leave in the HTML; more of it stays HTML in the files')
    .option('--with-tools', 'also save versions, links and review dates as JSON in .kbsync/tools', false)
    .option('--assets', 'download the images of the help centre’s own host into assets/', false)
    .option('--asset-host <host>', 'also download images of this host; repeatable', collected, [])
    .option(...CONCURRENCY_FLAG)
    .option(...WAIT_FLAG)
    .addHelpText(
      'after',
      examples(
        'kbsync pull --dry-run',
        'kbsync pull content/en/articles/billing',
        'kbsync pull article/billing/refunds@en',
        'kbsync pull --lang fr --status published',
        'kbsync pull --propose',
        'kbsync pull --assets --asset-host cdn.example.com',
      ),
    );
}

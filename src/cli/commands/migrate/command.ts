import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import {
  collected,
  CONCURRENCY_FLAG,
  CONFIG_FLAG,
  examples,
  FLAG_GROUPS,
  MAX_DELETE_FLAG,
  outputFlags,
  SETTLE_FLAG,
  WAIT_FLAG,
  type FlagsOf,
} from '../../flags.ts';

export type MigrateFlags = FlagsOf<typeof migrateCommand>;

export function migrateCommand() {
  const made = new Command('migrate')
    .description('copy one knowledge base into another and verify the result; the source is only read')
    .requiredOption('--from <address>', 'the knowledge base to read')
    .requiredOption('--to <address>', 'the knowledge base to write')
    .option('--dry-run', 'show the plan, write nothing', false)
    .option('--redirects <file>', 'save old and new addresses of pages whose path differs, as CSV')
    .option('--redirects-all', 'with --redirects: save the addresses of all pages', false)
    .option('--default-language <code>', 'language of the originals (default: that of kbsync.yaml, or en)')
    .option('--lang <code>', 'besides the originals, only this language; repeatable', collected, [])
    .option('--prune', 'delete what an earlier migration brought and the source no longer has', false)
    .addOption(
      new Option('--on-conflict <side>', 'which value wins if both sides changed a field since the last run')
        .choices(['fail', 'from', 'to'] as const)
        .default('fail' as const),
    )
    .addOption(
      new Option('--on-drift <what>', 'what to do if a field changed only on the target')
        .choices(['report', 'overwrite'] as const)
        .default('report' as const),
    )
    .addOption(
      new Option(
        '--adopt <side>',
        'which value wins if the target has another record with the same slug',
      ).choices(['from', 'to'] as const),
    )
    .option('--skip-unreadable', 'leave out records that the source does not show', false)
    .option('--no-stamp', 'do not append the comment that identifies a record when the state file is lost')
    .option('--no-verify', 'do not compare both sides at the end')
    .optionsGroup('Where people read the pages (default: the addresses in kbsync.yaml):')
    .option('--from-article-url <template>', 'address of an article on the source', pageTemplate)
    .option('--from-category-url <template>', 'address of a category on the source', pageTemplate)
    .option('--from-tag-url <template>', 'address of a tag on the source', pageTemplate)
    .option('--to-article-url <template>', 'address of an article on the target', pageTemplate)
    .option('--to-category-url <template>', 'address of a category on the target', pageTemplate)
    .option('--to-tag-url <template>', 'address of a tag on the target', pageTemplate)
    .optionsGroup(FLAG_GROUPS.files)
    .option(...CONFIG_FLAG)
    .option('--state <file>', 'state file (default: one for each pair of addresses, in .kbsync)')
    .optionsGroup(FLAG_GROUPS.guards)
    .option(...MAX_DELETE_FLAG)
    .option('--assume-complete', 'trust the lists of both services to be complete', false)
    .option(
      '--allow-empty-remote',
      'continue although the target shows few or none of the known records',
      false,
    )
    .option('--allow-vanished', 'continue although most records are gone from the source', false)
    .option('--allow-scope-change', 'continue although the languages changed since the last run', false)
    .optionsGroup(FLAG_GROUPS.requests)
    .option(...CONCURRENCY_FLAG)
    .option(...SETTLE_FLAG)
    .option(...WAIT_FLAG);
  return outputFlags(made).addHelpText('after', `\n${KEYS}\n${examples(...EXAMPLES)}`);
}

const KEYS = `The keys come from KBSYNC_FROM_KEY and KBSYNC_TO_KEY. Each is sent only to its own address,
and with KBSYNC_FROM_ORIGIN or KBSYNC_TO_ORIGIN set, only to that origin.`;

const EXAMPLES = [
  'kbsync migrate --from https://old.example.com --to https://new.example.com --dry-run',
  'kbsync migrate --from https://old.example.com --to https://new.example.com --redirects redirects.csv',
];

function pageTemplate(text: string): string {
  const isAddress = text.startsWith('/') || /^https?:\/\/[^/\s]+\//.test(text);
  if (isAddress && text.includes('{slug}')) return text;
  throw new InvalidArgumentError(
    'It takes a path or an address with {slug}, and {lang} if it has one, like /{lang}/articles/{slug}.',
  );
}

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { MigrateFlags } from './migrate-flags.ts';
import { collected, examples, wholeNumber } from './program-options.ts';
import type { World } from './world.ts';

interface Parts {
  readonly world: World;
  readonly done: (exitCode: number) => void;
}

export function addMigrate(program: Command, { world, done }: Parts): void {
  withMigrateFlags(program.command('migrate'))
    .description('bring one knowledge base into another, and compare both; the source is only read')
    .addHelpText('after', `\n${KEYS}\n${examples(...EXAMPLES)}`)
    .action(async (flags: MigrateFlags) => {
      const { migrate } = await import('./commands/migrate.ts');
      done(await migrate(flags, world));
    });
}

const KEYS = `Keys come from KBSYNC_FROM_KEY and KBSYNC_TO_KEY; each is sent to its own address only
(and with KBSYNC_FROM_ORIGIN or KBSYNC_TO_ORIGIN set, to no other than that).`;

const EXAMPLES = [
  'kbsync migrate --from https://old.example.com --to https://new.example.com --dry-run',
  'kbsync migrate --from https://old.example.com --to https://new.example.com --redirects redirects.csv',
];

function withMigrateFlags(command: Command): Command {
  return withSiteFlags(
    command
      .requiredOption('--from <address>', 'the knowledge base that is read')
      .requiredOption('--to <address>', 'the knowledge base that is written'),
  )
    .option('--dry-run', 'show the plan, write nothing', false)
    .option('--redirects <file>', 'save old and new addresses of the pages whose path differs, as CSV')
    .option('--redirects-all', 'with --redirects: of all pages', false)
    .option('--default-language <code>', 'language of the originals (default: as kbsync.yaml says, or en)')
    .option('--lang <code>', 'only this language besides the originals; may be repeated', collected, [])
    .option(
      '--prune',
      'delete what an earlier migration brought and the source does not have any more',
      false,
    )
    .option('--max-delete <n>', 'allow this many deletes (default: 20 % or 10, the larger)', wholeNumber(0))
    .addOption(side('--on-conflict', 'a field changed on both sides since the last run: which value stands'))
    .addOption(
      new Option('--on-drift <what>', 'a field was edited on the target only')
        .choices(['report', 'overwrite'])
        .default('report'),
    )
    .addOption(
      new Option('--adopt <side>', 'the target has another record of the same slug').choices(['from', 'to']),
    )
    .option('--skip-unreadable', 'leave out records that the source does not show', false)
    .option('--assume-complete', 'take the lists of both services for complete', false)
    .option('--allow-empty-remote', 'go on although the target shows few or no known records', false)
    .option('--allow-vanished', 'go on although most records are gone from the source', false)
    .option('--allow-scope-change', 'go on although other languages were asked for than before', false)
    .option('--no-stamp', 'end no body with a comment by which a run without a state knows its records')
    .option('--no-verify', 'do not compare both sides in the end')
    .option('--concurrency <n>', 'most requests at once, 1 to 128 (default: 16)', wholeNumber(1, 128))
    .option(
      '--settle <seconds>',
      'how long a create that got no answer may still arrive (default: 60)',
      wholeNumber(0, 86_400),
    )
    .option('--config <file>', 'settings (default: kbsync.yaml)')
    .option('--state <file>', 'what the last run left (default: one for each pair of addresses, in .kbsync)')
    .option('--json', 'one JSON document on stdout, everything else on stderr', false)
    .option('--quiet', 'only the answer and errors', false)
    .option('--verbose', 'every request, every field', false)
    .option('--yes', 'ask nothing', false)
    .option('--no-color', 'no colour (also: NO_COLOR)');
}

function side(flag: string, about: string): Option {
  return new Option(`${flag} <side>`, about).choices(['fail', 'from', 'to']).default('fail');
}

/** Where people read the pages, so that links among them are known. */
function withSiteFlags(command: Command): Command {
  for (const [name, whose] of [
    ['from', 'on the source'],
    ['to', 'on the target'],
  ] as const)
    for (const kind of ['article', 'category', 'tag'] as const)
      command.option(
        `--${name}-${kind}-url <template>`,
        `address of ${kind === 'article' ? 'an' : 'a'} ${kind} ${whose} (default: as kbsync.yaml says)`,
        pageTemplate,
      );
  return command;
}

function pageTemplate(text: string): string {
  const isAddress = text.startsWith('/') || /^https?:\/\/[^/\s]+\//.test(text);
  if (isAddress && text.includes('{slug}')) return text;
  throw new InvalidArgumentError(
    'It takes a path or an address with {slug}, and {lang} where it has one, like /{lang}/articles/{slug}.',
  );
}

import { Argument } from '@commander-js/extra-typings';
import { SYSTEM_NAMES } from '../../../import/system-names.ts';
import { collected, command, examples, type FlagsOf } from '../../flags.ts';

export type ImportFlags = FlagsOf<typeof importCommand>;

const UNPACK = `Archives are not read: unpack them and give the folder.
  $ unzip export.zip -d export`;

export function importCommand() {
  return command(
    'import',
    'write another system’s export as files of kbsync’s own layout; overwrites nothing, publishes nothing new',
  )
    .addArgument(new Argument('<system>', 'the system that wrote the export').choices(SYSTEM_NAMES))
    .argument('<file...>', 'files of the export, or folders of such files')
    .requiredOption('--out <dir>', 'the folder to write into')
    .option(
      '--language <code>',
      'language of records that name none (default: `defaultLanguage` in kbsync.yaml, or en)',
    )
    .option('--site <address>', 'where people read it until now, if the export does not say')
    .option('--type <name>', 'also take this WordPress type as articles; repeatable', collected, [])
    .option(
      '--publish',
      'publish records if the export does not say who may read them (Notion, Freshdesk without folders); otherwise they become drafts',
      false,
    )
    .option(
      '--assets',
      'bring images along, into DIR/assets: from the export’s folders and from public addresses',
      false,
    )
    .option(
      '--asset-host <host>',
      'with --assets: also from this host (or host:port) of a private network; repeatable',
      collected,
      [],
    )
    .option('--dry-run', 'read everything, write nothing', false)
    .option('--no-clean', 'keep what web editors leave in the HTML; more of it stays HTML in the files')
    .addHelpText(
      'after',
      `\n${UNPACK}\n${examples(
        'kbsync import zendesk articles.json sections.json categories.json --out content',
        'kbsync import zendesk export --out content --dry-run --json',
      )}`,
    );
}

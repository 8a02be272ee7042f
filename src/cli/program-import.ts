import { Argument } from 'commander';
import type { Command } from 'commander';
import { SYSTEM_NAMES } from '../import/system-names.ts';
import type { SystemName } from '../import/system-names.ts';
import type { ImportFlags } from './import-flags.ts';
import { collected, examples } from './program-options.ts';
import type { DevParts } from './program-watch.ts';

const UNPACK = `Archives are not read: unpack them and give the folder.
  $ unzip export.zip -d export`;

export function addImport(program: Command, { world, done, withCommonFlags }: DevParts): void {
  withCommonFlags(program.command('import'))
    .description(
      'write another system’s export as files of our own layout; never overwrites, never publishes what was not',
    )
    .addArgument(new Argument('<system>', 'the system that wrote it').choices(SYSTEM_NAMES))
    .argument('<file...>', 'files of its export, or folders of such files')
    .requiredOption('--out <dir>', 'the folder to write into')
    .option('--language <code>', 'the language of records that do not say it (default: defaultLanguage)')
    .option('--site <address>', 'where people read it until now, if the export does not say')
    .option('--type <name>', 'a WordPress type to take for articles as well; may be repeated', collected, [])
    .option(
      '--publish',
      'publish what the export does not say who may read (Notion, Freshdesk without folders); it comes as drafts else',
      false,
    )
    .option('--dry-run', 'read everything, write nothing', false)
    .option('--no-clean', 'keep what web editors leave in the HTML; more of it stays HTML in the files')
    .addHelpText(
      'after',
      `\n${UNPACK}\n${examples(
        'kbsync import zendesk articles.json sections.json categories.json --out content',
        'kbsync import zendesk export --out content --dry-run --json',
      )}`,
    )
    .action(async (system: SystemName, files: string[], flags: ImportFlags) => {
      const { importFiles } = await import('./commands/import.ts');
      done(await importFiles(system, files, flags, world));
    });
}

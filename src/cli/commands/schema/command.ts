import { Command } from '@commander-js/extra-typings';
import { examples, type FlagsOf } from '../../flags.ts';

export type SchemaFlags = FlagsOf<typeof schemaCommand>;

export function schemaCommand() {
  return new Command('schema')
    .description(
      'print the JSON schema of kbsync.yaml, of fleet.yaml or of a kind’s front matter, or every command with its flags',
    )
    .argument('<name>', 'config, article, category, tag, fleet or commands')
    .option('--markdown', 'print a table for people', false)
    .addHelpText(
      'after',
      examples(
        'kbsync schema config > kbsync.schema.json',
        'kbsync schema article',
        'kbsync schema commands --markdown',
      ),
    );
}

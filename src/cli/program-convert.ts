import { Option } from 'commander';
import type { Command } from 'commander';
import { PRESET_NAMES } from '../content/options.ts';
import type { ConvertFlags } from './flags.ts';
import { examples } from './program-options.ts';
import type { DevParts } from './program-watch.ts';

export function addConvert(program: Command, { world, done, withCommonFlags }: DevParts): void {
  withCommonFlags(program.command('convert'))
    .description('write a site generator’s repository as files of our own layout')
    .argument('<in>', 'the folder that `content:` would name')
    .argument('<out>', 'a new or empty folder')
    .addOption(
      new Option(
        '--preset <name>',
        'the system that wrote it (default: what kbsync.yaml or the folder says)',
      ).choices(PRESET_NAMES.filter((name) => name !== 'kbsync')),
    )
    .addHelpText(
      'after',
      examples(
        'kbsync convert --preset hugo content ../help',
        'kbsync convert website ../help --allow dead-link',
      ),
    )
    .action(async (input: string, output: string, flags: ConvertFlags) => {
      const { convert } = await import('./commands/convert.ts');
      done(await convert(input, output, flags, world));
    });
}

import { Command } from '@commander-js/extra-typings';
import { examples, FLAG_GROUPS, outputFlags, type FlagsOf } from '../../flags.ts';

export type InitFlags = FlagsOf<typeof initCommand>;

export function initCommand() {
  const made = new Command('init')
    .description('look at this folder and write a commented kbsync.yaml')
    .optionsGroup(FLAG_GROUPS.files)
    .option('--content <dir>', 'the content folder; without it, init looks for it')
    .option('--base-url <address>', 'address of the knowledge base (also: KBSYNC_BASE_URL)')
    .option('--config <file>', 'the file to write (default: kbsync.yaml)');
  return outputFlags(made)
    .optionsGroup(FLAG_GROUPS.own)
    .option('--preset <name>', 'the system that the files are written for, if init picks another one')
    .addHelpText(
      'after',
      examples(
        'kbsync init',
        'kbsync init --content docs --base-url https://help.example.com',
        'kbsync init --preset mkdocs',
      ),
    );
}

import { command, examples, type FlagsOf } from '../../flags.ts';

export type InitFlags = FlagsOf<typeof initCommand>;

export function initCommand() {
  return command('init', 'look at this folder and write a commented kbsync.yaml')
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

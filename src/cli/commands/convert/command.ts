import { Option } from '@commander-js/extra-typings';
import { PRESET_WORDS } from '../../../content/presets/names.ts';
import { command, examples, type FlagsOf } from '../../flags.ts';

export type ConvertFlags = FlagsOf<typeof convertCommand>;

export function convertCommand() {
  return command('convert', 'write a site generator’s repository as files of kbsync’s own layout')
    .argument('<in>', 'the content folder of the generator')
    .argument('<out>', 'a new or empty folder')
    .addOption(
      new Option('--preset <name>', 'the generator (default: what kbsync.yaml or the folder says)').choices(
        FOREIGN_PRESETS,
      ),
    )
    .addHelpText(
      'after',
      examples(
        'kbsync convert --preset hugo content ../help',
        'kbsync convert website ../help --allow dead-link',
      ),
    );
}

const FOREIGN_PRESETS = PRESET_WORDS.filter((name) => name !== 'kbsync');

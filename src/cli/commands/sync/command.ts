import { REDIRECTS_FLAG, redirectsFormFlag } from '../../run/redirects.ts';
import {
  ALLOW_RENAMED,
  FLAG_GROUPS,
  aboutFlags,
  examples,
  formatFlag,
  runCommand,
  type FlagsOf,
} from '../../flags.ts';

export type SyncFlags = FlagsOf<typeof syncCommand>;

export function syncCommand() {
  return aboutFlags(runCommand('sync', 'bring the knowledge base in sync with the files'))
    .optionsGroup(FLAG_GROUPS.guards)
    .option(...ALLOW_RENAMED)
    .optionsGroup(FLAG_GROUPS.own)
    .addOption(formatFlag())
    .option(...REDIRECTS_FLAG)
    .addOption(redirectsFormFlag())
    .addHelpText('after', examples('kbsync sync', 'kbsync sync --prune --max-delete 50 --yes'));
}

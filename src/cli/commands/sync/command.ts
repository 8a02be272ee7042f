import { REDIRECTS_FLAG, redirectsFormFlag } from '../../run/redirects.ts';
import { aboutFlags, examples, formatFlag, renamedFlag, runCommand, type FlagsOf } from '../../flags.ts';

export type SyncFlags = FlagsOf<typeof syncCommand>;

export function syncCommand() {
  return renamedFlag(aboutFlags(runCommand('sync', 'bring the knowledge base in sync with the files')))
    .addOption(formatFlag())
    .option(...REDIRECTS_FLAG)
    .addOption(redirectsFormFlag())
    .addHelpText('after', examples('kbsync sync', 'kbsync sync --prune --max-delete 50 --yes'));
}

import { Argument, Command } from '@commander-js/extra-typings';
import { examples } from '../../flags.ts';

/** What `completions` writes a script for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export function completionsCommand() {
  return new Command('completions')
    .description('print a completion script for your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .addHelpText('after', examples('eval "$(kbsync completions bash)"', 'kbsync completions fish | source'));
}

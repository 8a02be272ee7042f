import { command, examples, type FlagsOf } from '../../flags.ts';

export type LogFlags = FlagsOf<typeof logCommand>;

export function logCommand() {
  return command('log', 'list the runs that wrote to the site, or what one of them did; uses no network')
    .argument('[run]', 'as kbsync log lists it, or `last`')
    .argument('[key...]', 'only these records')
    .option('--diff', 'print what each changed field said before and after', false)
    .addHelpText('after', examples('kbsync log', 'kbsync log last --diff'));
}

import { command, examples, type FlagsOf } from '../../flags.ts';

export type DoctorFlags = FlagsOf<typeof doctorCommand>;

export function doctorCommand() {
  return command(
    'doctor',
    'check settings, key, address, clock and service, and say what is wrong; only reads',
  ).addHelpText('after', examples('kbsync doctor', 'kbsync doctor --env staging --json'));
}

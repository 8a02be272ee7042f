import { Command, Option } from '@commander-js/extra-typings';
import { examples, FLAG_GROUPS, wholeNumber, type FlagsOf } from '../../flags.ts';

/** What `fleet` and all commands below it understand. */
export type FleetFileFlags = FlagsOf<typeof fileCommand>;
export type FleetFlags = FlagsOf<typeof fleetCommand>;
export type FleetRunFlags = FlagsOf<typeof fleetRunCommand>;

function fileCommand(name: string, description: string) {
  return new Command(name)
    .description(description)
    .optionsGroup(FLAG_GROUPS.output)
    .option('--json', 'print one JSON document on stdout', false)
    .option('--quiet', 'print only the result and errors', false)
    .option('--verbose', 'print more about each run', false)
    .option('--no-color', 'print without colour (also: NO_COLOR)')
    .optionsGroup(FLAG_GROUPS.own)
    .option('--file <file>', 'the file that lists the knowledge bases', 'fleet.yaml');
}

export function fleetCommand() {
  return fileCommand('fleet', 'keep many knowledge bases in sync, each with its repository')
    .argument('[names...]', 'with --once: only these knowledge bases')
    .option('--once', 'run each knowledge base once, then end; needs no database', false)
    .addOption(
      new Option('--print <form>', 'print what another scheduler needs instead, and end').choices([
        'k8s',
        'github',
      ] as const),
    )
    .option('--port <n>', 'page and metrics on this port; 0 takes a free one', wholeNumber(0, 65_535))
    .option('--host <name>', 'address that the page listens on', '127.0.0.1')
    .option('--hook-port <n>', 'take signed pushes on this port; 0 takes a free one', wholeNumber(0, 65_535))
    .option('--hook-host <name>', 'address that pushes are taken on', '127.0.0.1')
    .enablePositionalOptions()
    .addHelpText(
      'after',
      examples(
        'kbsync fleet --once',
        'kbsync fleet --once billing',
        'kbsync fleet --port 4100 --hook-port 4101',
        'kbsync fleet status',
      ),
    );
}

export function fleetRunCommand() {
  return fileCommand('run', 'run one knowledge base now, in this process')
    .argument('<name>', 'its name in the file')
    .addOption(
      new Option('--since <ms>', 'a fetch that began then is new enough')
        .argParser(wholeNumber(0))
        .hideHelp(),
    )
    .addHelpText('after', examples('kbsync fleet run billing'));
}

export function fleetStatusCommand() {
  return fileCommand('status', 'show how each knowledge base stands')
    .argument('[names...]', 'only these knowledge bases')
    .addHelpText('after', examples('kbsync fleet status', 'kbsync fleet status --json'));
}

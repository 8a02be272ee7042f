import type { Command } from 'commander';
import type { DevFlags, WatchFlags } from './flags.ts';
import { examples, wholeNumber } from './program-options.ts';
import type { World } from './world.ts';

export interface ProgramParts {
  readonly world: World;
  readonly done: (exitCode: number) => void;
  /** Adds the flags of the commands that compare with the service. */
  readonly withRunFlags: (command: Command) => Command;
}

/** The commands that go on until Ctrl-C. */
export function addWatch(program: Command, { world, done, withRunFlags }: ProgramParts): void {
  withRunFlags(program.command('watch'))
    .description('sync, then send every file that is saved; never deletes')
    .option('--once', 'one whole run that faulty files do not stop, then end', false)
    .addHelpText('after', examples('kbsync watch', 'kbsync watch --env staging', 'kbsync watch --once'))
    .action(async (flags: WatchFlags) => {
      const { watch } = await import('./commands/watch.ts');
      done(await watch(flags, world));
    });
}

export interface DevParts extends Omit<ProgramParts, 'withRunFlags'> {
  readonly withCommonFlags: (command: Command) => Command;
}

export function addDev(program: Command, { world, done, withCommonFlags }: DevParts): void {
  withCommonFlags(program.command('dev'))
    .description('see the files as pages while you write: a service, the site and a watch in one')
    .option('--port <n>', 'port; 0 takes a free one', wholeNumber(0, 65_535), 4321)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--db <file>', 'its database (default: .kbsync/dev.db)')
    .option('--open', 'open the page in a browser (default: on a terminal that is not CI)')
    .option('--no-open', 'open nothing')
    .option('--no-live-reload', 'pages stay as they were loaded')
    .option('--no-overlay', 'show problems in the terminal only')
    .addHelpText('after', examples('kbsync dev', 'kbsync dev --port 0 --no-open'))
    .action(async (flags: DevFlags) => {
      const { dev } = await import('./commands/dev.ts');
      done(await dev(flags, world));
    });
}

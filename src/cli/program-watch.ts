import type { Command } from 'commander';
import type { WatchFlags } from './flags.ts';
import { examples } from './program-options.ts';
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

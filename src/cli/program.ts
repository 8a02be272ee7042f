import { Command, Option } from '@commander-js/extra-typings';
import type { CommandUnknownOpts, OptionValues } from '@commander-js/extra-typings';
import { applyCommand } from './commands/apply/command.ts';
import { buildCommand } from './commands/build/command.ts';
import { checkCommand } from './commands/check/command.ts';
import { completionsCommand } from './commands/completions/command.ts';
import { convertCommand } from './commands/convert/command.ts';
import { devCommand } from './commands/dev/command.ts';
import { doctorCommand } from './commands/doctor/command.ts';
import * as fleets from './commands/fleet/command.ts';
import { importCommand } from './commands/import/command.ts';
import { initCommand } from './commands/init/command.ts';
import { logCommand } from './commands/log/command.ts';
import { insightsCommand, linksCommand, reviewsCommand, versionsCommand } from './commands/lists/command.ts';
import { migrateCommand } from './commands/migrate/command.ts';
import { mvCommand } from './commands/mv/command.ts';
import { planCommand } from './commands/plan/command.ts';
import { pullCommand } from './commands/pull/command.ts';
import { resolveCommand } from './commands/resolve/command.ts';
import { restoreCommand } from './commands/restore/command.ts';
import { schemaCommand } from './commands/schema/command.ts';
import * as served from './commands/serve/command.ts';
import * as states from './commands/state/command.ts';
import { statusCommand } from './commands/status/command.ts';
import { syncCommand } from './commands/sync/command.ts';
import { acceptCommand } from './commands/translations/command.ts';
import { undoCommand } from './commands/undo/command.ts';
import { watchCommand } from './commands/watch/command.ts';
import { FLAG_GROUPS, reporting } from './flags.ts';
import {
  argumentDescription,
  ENVIRONMENT,
  EXIT_CODES,
  GETTING_STARTED,
  groupItems,
  optionDescription,
  usageText,
} from './help.ts';
import type { World } from './world.ts';

/**
 * Every command with what it runs. A command's flags and help are read at once, its module is loaded when it is called:
 * the client, the parser and the service together cost a quarter of a second.
 */
export function createProgram(world: World, done: Done): CommandUnknownOpts {
  const program = new Command('kbsync')
    .description(
      'Keeps a folder of Markdown files and a knowledge base in sync. Also runs the knowledge base.',
    )
    .optionsGroup(FLAG_GROUPS.output)
    .version(world.version, '-V, --version', 'print the version')
    .addHelpOption(new Option('-h, --help', 'print help').helpGroup(FLAG_GROUPS.output))
    .exitOverride()
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .configureHelp({ optionDescription, argumentDescription, groupItems })
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
      outputError: (text, write) => write(usageText(text, world.env)),
      getOutHelpWidth: () => world.stdout.columns,
      getErrHelpWidth: () => world.stderr.columns,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText('after', `\n${GETTING_STARTED}\n\n${EXIT_CODES}\n\n${ENVIRONMENT}`);
  addEveryDay(program, world, done);
  addWriting(program, world, done);
  addCareful(program, world, done);
  addTransfers(program, world, done);
  addLooks(program, world, done);
  addTools(program, world, done);
  addService(program, world, done);
  program.commandsGroup('Many knowledge bases:');
  addFleets(program, world, done);
  return program;
}

function addEveryDay(program: Command, world: World, done: Done): void {
  const add = adderTo(program, done);
  program.commandsGroup('Every day:');
  add(initCommand(), async (flags) => (await import('./commands/init/init.ts')).init(flags, world));
  add(checkCommand(), async (flags) =>
    (await import('./commands/check/check.ts')).check(reporting(flags), world),
  );
  add(planCommand(), async (flags) =>
    (await import('./commands/plan/plan.ts')).plan(reporting(flags), world),
  );
  add(syncCommand(), async (flags) =>
    (await import('./commands/sync/sync.ts')).sync(reporting(flags), world),
  );
  add(statusCommand(), async (flags) => (await import('./commands/status/status.ts')).status(flags, world));

  addTranslations(program, world, done);
}

function addWriting(program: Command, world: World, done: Done): void {
  const add = adderTo(program, done);
  program.commandsGroup('While you write:');
  add(watchCommand(), async (flags) => (await import('./commands/watch/watch.ts')).watch(flags, world));
  add(devCommand(), async (flags) => (await import('./commands/dev/dev.ts')).dev(flags, world));
  add(mvCommand(), async (from, to, flags) =>
    (await import('./commands/mv/mv.ts')).mv(from, to, flags, world),
  );
  add(buildCommand(), async (flags) => (await import('./commands/build/build.ts')).build(flags, world));
}

function addCareful(program: Command, world: World, done: Done): void {
  const add = adderTo(program, done);
  program.commandsGroup('Careful work:');
  add(applyCommand(), async (plan, flags) =>
    (await import('./commands/apply/apply.ts')).apply(plan, flags, world),
  );
  add(resolveCommand(), async (keys, flags) =>
    (await import('./commands/resolve/resolve.ts')).resolve(keys, flags, world),
  );
  add(logCommand(), async (run, keys, flags) =>
    (await import('./commands/log/log.ts')).log(run, keys, flags, world),
  );
  add(undoCommand(), async (run, keys, flags) =>
    (await import('./commands/undo/undo.ts')).undo(run, keys, flags, world),
  );
  add(restoreCommand(), async (run, keys, flags) =>
    (await import('./commands/restore/restore.ts')).restore(run, keys, flags, world),
  );

  addStates(program, world, done);
}

function addTransfers(program: Command, world: World, done: Done): void {
  const add = adderTo(program, done);
  program.commandsGroup('Bring content in or over:');
  add(pullCommand(), async (paths, flags) =>
    (await import('./commands/pull/pull.ts')).pull(paths, flags, world),
  );
  add(convertCommand(), async (from, to, flags) =>
    (await import('./commands/convert/convert.ts')).convert(from, to, flags, world),
  );
  add(importCommand(), async (system, files, flags) =>
    (await import('./commands/import/import.ts')).importFiles(system, files, flags, world),
  );
  add(migrateCommand(), async (flags) =>
    (await import('./commands/migrate/migrate.ts')).migrate(flags, world),
  );
}

function addLooks(program: Command, world: World, done: Done): void {
  const add = adderTo(program, done);
  program.commandsGroup('Look at the service:');
  add(doctorCommand(), async (flags) => (await import('./commands/doctor/doctor.ts')).doctor(flags, world));
  add(linksCommand(), async (flags) => (await import('./commands/lists/links.ts')).links(flags, world));
  add(reviewsCommand(), async (flags) => (await import('./commands/lists/reviews.ts')).reviews(flags, world));
  add(versionsCommand(), async (flags) =>
    (await import('./commands/lists/versions.ts')).versions(flags, world),
  );

  add(insightsCommand(), async (flags) =>
    (await import('./commands/lists/insights.ts')).insights(flags, world),
  );
}

function addTools(program: Command, world: World, done: Done): void {
  const add = adderTo(program, done);
  program.commandsGroup('Editors and shells:');
  add(schemaCommand(), async (name, flags) =>
    (await import('./commands/schema/schema.ts')).schema(name, flags, program, world),
  );
  add(completionsCommand(), async (shell) =>
    (await import('./commands/completions/completions.ts')).completions(shell, program, world),
  );
}

function addService(program: Command, world: World, done: Done): void {
  const add = adderTo(program, done);
  program.commandsGroup('The knowledge base itself:');
  const serve = add(served.serveCommand(world), async (flags) =>
    (await import('./commands/serve/serve.ts')).serve(flags, world),
  );
  addServed(serve, world, done);
}

function addTranslations(program: CommandUnknownOpts, world: World, done: Done): void {
  const add = adderTo(
    program.command('translations').description('mark translations as up to date with their originals'),
    done,
  );
  add(acceptCommand(), async (names, flags) =>
    (await import('./commands/translations/accept.ts')).accept(names, flags, world),
  );
}

function addStates(program: Command, world: World, done: Done): void {
  const state = states.stateCommand();
  state.copyInheritedSettings(program);
  program.addCommand(state);
  const add = adderTo(state, done);
  const records = () => import('./commands/state/records.ts');
  add(states.stateListCommand(), async (flags) => (await records()).listState(flags, world));
  add(states.stateShowCommand(), async (key, flags) => (await records()).showState(key, flags, world));
  add(states.stateRemoveCommand(), async (keys, flags) =>
    (await records()).removeFromState(keys, flags, world),
  );
  add(states.stateMoveCommand(), async (from, to, flags) =>
    (await records()).moveInState(from, to, flags, world),
  );
  const copies = () => import('./commands/state/copies.ts');
  add(states.statePullCommand(), async (flags) => (await copies()).pullState(flags, world));
  add(states.statePushCommand(), async (file, flags) => (await copies()).pushState(file, flags, world));
  add(states.stateUnlockCommand(), async (id, flags) => (await copies()).unlockState(id, flags, world));
}

/** What is kept in the database of the service by command: keys, versions, copies. */
function addServed(serve: CommandUnknownOpts, world: World, done: Done): void {
  const addKeys = adderTo(serve.command('keys').description('make, list and revoke API keys'), done);
  const keys = () => import('./commands/serve/keys.ts');
  addKeys(served.keyCreateCommand(world), async (flags) => (await keys()).createKeyCommand(flags, world));
  addKeys(served.keyListCommand(world), async (flags) => (await keys()).listKeysCommand(flags, world));
  addKeys(served.keyRevokeCommand(world), async (name, flags) =>
    (await keys()).revokeKeyCommand(name, flags, world),
  );

  const addVersions = adderTo(
    serve.command('versions').description('add, list, edit, remove and import release versions'),
    done,
  );
  const versions = () => import('./commands/serve/versions.ts');
  addVersions(served.versionAddCommand(world), async (version, flags) =>
    (await versions()).addVersionCommand(version, flags, world),
  );
  addVersions(served.versionListCommand(world), async (flags) =>
    (await versions()).listVersionsCommand(flags, world),
  );
  addVersions(served.versionEditCommand(world), async (version, flags) =>
    (await versions()).editVersionCommand(version, flags, world),
  );
  addVersions(served.versionRemoveCommand(world), async (version, flags) =>
    (await versions()).removeVersionCommand(version, flags, world),
  );
  addVersions(served.versionImportCommand(world), async (file, flags) =>
    (await versions()).importVersionsCommand(file, flags, world),
  );

  const addFiles = adderTo(
    serve.command('files').description('list and sweep stored images and files'),
    done,
  );
  const stored = () => import('./commands/serve/files.ts');
  addFiles(served.fileListCommand(world), async (flags) => (await stored()).listFilesCommand(flags, world));
  addFiles(served.fileSweepCommand(world), async (flags) => (await stored()).sweepFilesCommand(flags, world));
  const add = adderTo(serve, done);
  const store = () => import('./commands/serve/store.ts');
  add(served.auditCommand(world), async (flags) => (await store()).auditCommand(flags, world));
  add(served.backupCommand(world), async (file, flags) => (await store()).backupCommand(file, flags, world));
  add(served.checkCommand(world), async (flags) => (await store()).checkStoreCommand(flags, world));
}

function addFleets(program: CommandUnknownOpts, world: World, done: Done): void {
  const add = adderTo(program, done);
  const fleet = add(fleets.fleetCommand(), async (names, flags) =>
    (await import('./commands/fleet/fleet.ts')).fleet(names, flags, world),
  );
  const addFleet = adderTo(fleet, done);
  addFleet(fleets.fleetRunCommand(), async (name, flags) =>
    (await import('./commands/fleet/run.ts')).fleetRun(name, flags, world),
  );
  addFleet(fleets.fleetStatusCommand(), async (names, flags) =>
    (await import('./commands/fleet/status.ts')).fleetStatus(names, flags, world),
  );
}

type Done = (exitCode: number) => void;

/** Puts commands below another one; what `run` resolves to is the exit code. */
function adderTo(parent: CommandUnknownOpts, done: Done) {
  // `--help` says the same, and Commander's own sentence is another one.
  parent.helpCommand(false);
  parent.showHelpAfterError(`(${commandPath(parent)} --help lists the commands)`);
  return <Args extends unknown[], Flags extends OptionValues>(
    command: Command<Args, Flags>,
    run: (...given: [...Args, Flags]) => number | Promise<number>,
  ): CommandUnknownOpts => {
    command.copyInheritedSettings(parent);
    command.showHelpAfterError(`(${commandPath(parent)} ${command.name()} --help explains it)`);
    command.action(async (...given) => {
      // Commander hands over arguments, flags and, last, the command itself.
      done(await run(...(given.slice(0, -1) as [...Args, Flags])));
    });
    parent.addCommand(command);
    return command;
  };
}

function commandPath(command: CommandUnknownOpts): string {
  return command.parent === null ? command.name() : `${commandPath(command.parent)} ${command.name()}`;
}

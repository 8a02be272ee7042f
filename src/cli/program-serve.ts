import type { Command } from 'commander';
import type { KeyFlags, ServeFlags, VersionFlags } from './commands/serve-flags.ts';
import { defaultDatabase } from './database.ts';
import { collected, examples, wholeNumber } from './program-options.ts';
import type { World } from './world.ts';

type Done = (exitCode: number) => void;

/** `serve` and what is kept in its database by command: keys and versions. */
export function addServe(program: Command, world: World, done: Done): void {
  const serve = withDatabase(program.command('serve'), world)
    .description('run the bundled knowledge base')
    .option('--port <n>', 'port to listen on; 0 takes a free one', wholeNumber(0, 65_535), 4000)
    .option('--host <name>', 'address to listen on', '127.0.0.1')
    .option('--languages <codes>', 'languages, the default one first: en,fr (default: any)')
    .option('--key-file <file>', 'accept the key in this file; makes one there when the file is missing')
    .option('--no-site', 'only the API, no reading site at /')
    .option('--site-name <text>', 'the reading site’s name (default: Help)')
    .option('--site-url <url>', 'the address that readers see, where a proxy stands before')
    .option('--accent <colour>', 'colour of its links: #0b6e7f')
    .option('--preview-token <text>', 'who opens a page with ?preview=<text> sees drafts')
    .enablePositionalOptions()
    .addHelpText(
      'after',
      examples(
        'kbsync serve --db kb.sqlite --languages en,fr',
        'kbsync serve keys create --db kb.sqlite --name ci',
      ),
    )
    .action(async (flags: ServeFlags) => {
      const { serve } = await import('./commands/serve.ts');
      done(await serve(flags, world));
    });
  addKeys(serve, world, done);
  addVersions(serve, world, done);
}

function addKeys(serve: Command, world: World, done: Done): void {
  const keys = serve.command('keys').description('make, list and revoke API keys');
  withDatabase(keys.command('create'), world)
    .description('make a key; it is printed once and only its digest is kept')
    .requiredOption('--name <name>', 'what the key is for')
    .addHelpText('after', examples('kbsync serve keys create --name ci'))
    .action(async (flags: KeyFlags) => {
      const { createKeyCommand } = await import('./commands/serve-keys.ts');
      done(await createKeyCommand(flags, world));
    });
  withDatabase(keys.command('list'), world)
    .description('list keys by name, without the keys')
    .addHelpText('after', examples('kbsync serve keys list'))
    .action(async (flags: KeyFlags) => {
      const { listKeysCommand } = await import('./commands/serve-keys.ts');
      done(await listKeysCommand(flags, world));
    });
  withDatabase(keys.command('revoke'), world)
    .description('make a key useless from now on')
    .argument('<name>', 'its name or id')
    .addHelpText('after', examples('kbsync serve keys revoke ci'))
    .action(async (name: string, flags: KeyFlags) => {
      const { revokeKeyCommand } = await import('./commands/serve-keys.ts');
      done(await revokeKeyCommand(name, flags, world));
    });
}

function addVersions(serve: Command, world: World, done: Done): void {
  const versions = serve.command('versions').description('add and list release versions');
  withDatabase(versions.command('add'), world)
    .description('add a release version, or make it the active one')
    .argument('<version>', 'dotted release number: 2.4.0')
    .requiredOption('--name <name>', 'the release’s name')
    .option('--active', 'this is the active version', false)
    .option('--released', 'this version is released', false)
    .option('--feature <text>', 'a changelog feature, `name: description`; may be repeated', collected, [])
    .addHelpText('after', examples('kbsync serve versions add 2.4.0 --name "Autumn" --released --active'))
    .action(async (version: string, flags: VersionFlags) => {
      const { addVersionCommand } = await import('./commands/serve-versions.ts');
      done(await addVersionCommand(version, flags, world));
    });
  withDatabase(versions.command('list'), world)
    .description('list release versions')
    .addHelpText('after', examples('kbsync serve versions list'))
    .action(async (flags: KeyFlags) => {
      const { listVersionsCommand } = await import('./commands/serve-versions.ts');
      done(await listVersionsCommand(flags, world));
    });
}

function withDatabase(command: Command, world: World): Command {
  return command
    .option('--db <file>', 'the database, one SQLite file; else DATABASE_URL', defaultDatabase(world))
    .option('--json', 'one JSON document on stdout', false)
    .option('--quiet', 'only the answer and errors', false)
    .option('--verbose', 'every request', false)
    .option('--no-color', 'no colour (also: NO_COLOR)');
}

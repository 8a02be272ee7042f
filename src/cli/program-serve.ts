import { type Command, Option } from 'commander';
import type {
  AuditFlags,
  DatabaseFlags,
  KeyFlags,
  ServeFlags,
  VersionEditFlags,
  VersionFlags,
} from './commands/serve-flags.ts';
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
    .option('--log', 'a line of JSON on stderr for each request', false)
    .option('--metrics-port <n>', 'Prometheus metrics at /metrics of this port', wholeNumber(0, 65_535))
    .option('--rate-limit <n>', 'requests a minute for each key (default: no limit)', wholeNumber(1))
    .option('--cors <origin>', 'let pages of this origin read the answers (default: none)')
    .option('--check-links', 'check the links of articles in the background', false)
    .option('--allow-private-links', 'also check links into private networks', false)
    .option('--stop-delay <seconds>', 'not ready for this long before closing', wholeNumber(0, 600), 0)
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
  addVersionEdits(serve, world, done);
  addStore(serve, world, done);
}

function addKeys(serve: Command, world: World, done: Done): void {
  const keys = serve.command('keys').description('make, list and revoke API keys');
  withDatabase(keys.command('create'), world)
    .description('make a key; it is printed once and only its digest is kept')
    .requiredOption('--name <name>', 'what the key is for')
    .addOption(
      new Option('--scope <scope>', 'what the key may do').choices(['read', 'write']).default('write'),
    )
    .option('--expires <date>', 'refused from then on: 2027-01-31 or 2027-01-31T12:00Z')
    .addHelpText(
      'after',
      examples(
        'kbsync serve keys create --name ci',
        'kbsync serve keys create --name dashboard --scope read --expires 2027-01-31',
      ),
    )
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
  const versions = serve
    .command('versions')
    .description('add, list, edit, remove and import release versions');
  withDatabase(versions.command('add'), world)
    .description('add a release version')
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

function addVersionEdits(serve: Command, world: World, done: Done): void {
  const versions = serve.commands.find((command) => command.name() === 'versions');
  if (versions === undefined) throw new Error('bug: versions come first');
  withDatabase(versions.command('edit'), world)
    .description('change a release version; what is not named stays')
    .argument('<version>', 'dotted release number: 2.4.0')
    .option('--name <name>', 'the release’s name')
    .option('--active', 'this is the active version')
    .option('--no-active', 'this is not the active version')
    .option('--released', 'this version is released')
    .option('--no-released', 'this version is not released')
    .option('--feature <text>', 'instead of the features that are there; may be repeated', collected, [])
    .addHelpText('after', examples('kbsync serve versions edit 2.4.0 --no-active'))
    .action(async (version: string, flags: VersionEditFlags) => {
      const { editVersionCommand } = await import('./commands/serve-version-edits.ts');
      done(await editVersionCommand(version, flags, world));
    });
  withDatabase(versions.command('remove'), world)
    .description('remove a release version and its features')
    .argument('<version>', 'dotted release number: 2.4.0')
    .addHelpText('after', examples('kbsync serve versions remove 2.4.0'))
    .action(async (version: string, flags: DatabaseFlags) => {
      const { removeVersionCommand } = await import('./commands/serve-version-edits.ts');
      done(await removeVersionCommand(version, flags, world));
    });
  withDatabase(versions.command('import'), world)
    .description('add and edit the versions that a YAML file lists; others stay')
    .argument('<file>', 'a list of version, name, releasedAt, active, released, features')
    .addHelpText('after', examples('kbsync serve versions import versions.yaml'))
    .action(async (file: string, flags: DatabaseFlags) => {
      const { importVersionsCommand } = await import('./commands/serve-version-edits.ts');
      done(await importVersionsCommand(file, flags, world));
    });
}

function addStore(serve: Command, world: World, done: Done): void {
  withDatabase(serve.command('audit'), world)
    .description('list who wrote what, and when')
    .option('--since <date>', 'from then on: 2026-12-31 or 2026-12-31T18:00Z')
    .option('--key <name>', 'by this key: its name or id')
    .option('--record <id>', 'of this record')
    .option('--limit <n>', 'the newest so many', wholeNumber(1), 1000)
    .addHelpText('after', examples('kbsync serve audit --since 2026-12-31 --key ci'))
    .action(async (flags: AuditFlags) => {
      const { auditCommand } = await import('./commands/serve-store.ts');
      done(await auditCommand(flags, world));
    });
  withDatabase(serve.command('backup'), world)
    .description('copy the database while it is in use')
    .argument('<file>', 'a file that does not exist yet')
    .addHelpText('after', examples('kbsync serve backup kb-2026-12-31.sqlite'))
    .action(async (file: string, flags: DatabaseFlags) => {
      const { backupCommand } = await import('./commands/serve-store.ts');
      done(await backupCommand(file, flags, world));
    });
  withDatabase(serve.command('check'), world)
    .description('look for damage in the database; exit 1 when there is any')
    .addHelpText('after', examples('kbsync serve check'))
    .action(async (flags: DatabaseFlags) => {
      const { checkStoreCommand } = await import('./commands/serve-store.ts');
      done(await checkStoreCommand(flags, world));
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

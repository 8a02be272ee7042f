import { Command, Option } from '@commander-js/extra-typings';
import { collected, examples, FLAG_GROUPS, wholeNumber, type FlagsOf } from '../../flags.ts';
import type { World } from '../../world.ts';
import { defaultDatabase } from './database.ts';

/** What `serve` and all commands below it understand. */
export type DatabaseFlags = FlagsOf<typeof databaseCommand>;
export type ServeFlags = FlagsOf<typeof serveCommand>;
/** What the help centre understands. */
export type SiteFlags = Pick<ServeFlags, 'site'> & Partial<Pick<ServeFlags, LookFlags>>;
type LookFlags =
  | 'feedback'
  | 'searchCounts'
  | 'outdatedNotice'
  | 'redirects'
  | 'siteName'
  | 'siteIntro'
  | 'siteUrl'
  | 'accent'
  | 'logo'
  | 'link'
  | 'footer'
  | 'footerLink';
export type KeyFlags = FlagsOf<typeof keyCreateCommand>;
export type VersionFlags = FlagsOf<typeof versionAddCommand>;
export type VersionEditFlags = FlagsOf<typeof versionEditCommand>;
export type FileListFlags = FlagsOf<typeof fileListCommand>;
export type FileSweepFlags = FlagsOf<typeof fileSweepCommand>;
export type AuditFlags = FlagsOf<typeof auditCommand>;

function databaseCommand(world: World, name: string, description: string) {
  return new Command(name)
    .description(description)
    .optionsGroup(FLAG_GROUPS.output)
    .option('--json', 'print one JSON document on stdout', false)
    .option('--quiet', 'print only the result and errors', false)
    .option('--verbose', 'print every request', false)
    .option('--no-color', 'print without colour (also: NO_COLOR)')
    .optionsGroup(FLAG_GROUPS.own)
    .option(
      '--db <file>',
      'SQLite file of the database; without this flag, DATABASE_URL may name a PostgreSQL database',
      defaultDatabase(world),
    );
}

export function serveCommand(world: World) {
  return databaseCommand(world, 'serve', 'run the included knowledge base')
    .option('--port <n>', 'port to listen on; 0 takes a free one', wholeNumber(0, 65_535), 4000)
    .option('--host <name>', 'address to listen on', '127.0.0.1')
    .option(
      '--languages <codes>',
      'languages, the default one first: en,fr (default: any; a new file takes defaultLanguage of kbsync.yaml)',
    )
    .option('--key-file <file>', 'accept the key in this file, which is made if it is missing')
    .option(
      '--state-key-file <file>',
      'keep shared states at /api/state/NAME; the key to them is in this file, and is made if the file is missing',
    )
    .option('--no-site', 'only the API, no help centre at /')
    .option('--site-name <text>', 'name of the help centre (default: Help)')
    .option(
      '--site-url <url>',
      'the address that readers see, if a proxy stands in front (also: KBSYNC_SITE_URL)',
    )
    .option('--site-intro <text>', 'sentence above the search of the start page')
    .option('--accent <colour>', 'colour of links: #0b6e7f')
    .option('--logo <file>', 'picture beside the name: SVG, PNG, JPEG or WebP')
    .option('--link <text=url>', 'link in the header; repeatable', collected, [])
    .option('--footer <text>', 'text in the footer')
    .option('--footer-link <text=url>', 'link in the footer; repeatable', collected, [])
    .option(
      '--redirects <file>',
      'answer the old addresses of this CSV, which import, migrate or plan --redirects wrote, with a redirect to their pages; repeatable',
      collected,
      [],
    )
    .option('--no-feedback', 'do not ask readers whether an article was helpful')
    .option('--no-search-counts', 'do not count searches that find nothing')
    .option('--no-outdated-notice', 'do not say on a translation that its original changed later')
    .option(
      '--preview-token-file <file>',
      'show drafts on pages with ?preview=TOKEN; the token is in this file, and is made if the file is missing',
    )
    .option('--log', 'write a line of JSON on stderr for each request', false)
    .option('--metrics-port <n>', 'Prometheus metrics at /metrics of this port', wholeNumber(0, 65_535))
    .option('--metrics-host <name>', 'address that the metrics listen on', '127.0.0.1')
    .option('--rate-limit <n>', 'requests a minute for each key (default: no limit)', wholeNumber(1))
    .option('--cors <origin>', 'let pages of this origin read the answers (default: none)')
    .option('--file-mb <n>', 'largest image or file that is taken, in MB', wholeNumber(1, 1000), 25)
    .option('--files-mb <n>', 'all images and files together, in MB; 0 takes none', wholeNumber(0), 5000)
    .option('--check-links', 'check the links of articles in the background', false)
    .option('--allow-private-links', 'also check links into private networks', false)
    .option('--stop-delay <seconds>', 'report not ready for this long before closing', wholeNumber(0, 600), 0)
    .enablePositionalOptions()
    .addHelpText(
      'after',
      examples(
        'kbsync serve --db kb.sqlite --languages en,fr',
        'kbsync serve keys create --db kb.sqlite --name ci',
      ),
    );
}

export function keyCreateCommand(world: World) {
  return databaseCommand(world, 'create', 'make a key; it is printed once, only its digest is kept')
    .requiredOption('--name <name>', 'what the key is for')
    .addOption(
      new Option('--scope <scope>', 'what the key may do')
        .choices(['read', 'write'] as const)
        .default('write' as const),
    )
    .option('--expires <date>', 'refuse it from then on: 2027-01-31 or 2027-01-31T12:00Z')
    .addHelpText(
      'after',
      examples(
        'kbsync serve keys create --name ci',
        'kbsync serve keys create --name dashboard --scope read --expires 2027-01-31',
      ),
    );
}

export function keyListCommand(world: World) {
  return databaseCommand(world, 'list', 'list keys by name, without the keys').addHelpText(
    'after',
    examples('kbsync serve keys list'),
  );
}

export function keyRevokeCommand(world: World) {
  return databaseCommand(world, 'revoke', 'refuse a key from now on')
    .argument('<name>', 'its name or id')
    .addHelpText('after', examples('kbsync serve keys revoke ci'));
}

export function versionAddCommand(world: World) {
  return databaseCommand(world, 'add', 'add a release version')
    .argument('<version>', 'dotted release number: 2.4.0')
    .requiredOption('--name <name>', 'the release’s name')
    .option('--active', 'this is the active version', false)
    .option('--released', 'this version is released', false)
    .option('--feature <text>', 'a changelog feature, `name: description`; repeatable', collected, [])
    .addHelpText('after', examples('kbsync serve versions add 2.4.0 --name "Autumn" --released --active'));
}

export function versionListCommand(world: World) {
  return databaseCommand(world, 'list', 'list release versions').addHelpText(
    'after',
    examples('kbsync serve versions list'),
  );
}

export function versionEditCommand(world: World) {
  return databaseCommand(world, 'edit', 'change a release version; everything else stays')
    .argument('<version>', 'dotted release number: 2.4.0')
    .option('--name <name>', 'the release’s name')
    .option('--active', 'this is the active version')
    .option('--no-active', 'this is not the active version')
    .option('--released', 'this version is released')
    .option('--no-released', 'this version is not released')
    .option('--feature <text>', 'replaces the features; repeatable', collected, [])
    .addHelpText('after', examples('kbsync serve versions edit 2.4.0 --no-active'));
}

export function versionRemoveCommand(world: World) {
  return databaseCommand(world, 'remove', 'remove a release version and its features')
    .argument('<version>', 'dotted release number: 2.4.0')
    .addHelpText('after', examples('kbsync serve versions remove 2.4.0'));
}

export function versionImportCommand(world: World) {
  return databaseCommand(world, 'import', 'add and edit the versions that a YAML file lists; others stay')
    .argument('<file>', 'a list of version, name, releasedAt, active, released, features')
    .addHelpText('after', examples('kbsync serve versions import versions.yaml'));
}

export function fileListCommand(world: World) {
  return databaseCommand(world, 'list', 'list stored images and files')
    .option('--unused', 'only those that no record names', false)
    .addHelpText('after', examples('kbsync serve files list --unused'));
}

export function fileSweepCommand(world: World) {
  return databaseCommand(world, 'sweep', 'remove images and files that no record names')
    .option('--older-than <days>', 'only if nobody sent or asked for them for so long', wholeNumber(0), 30)
    .option('--dry-run', 'only list them', false)
    .addHelpText('after', examples('kbsync serve files sweep --older-than 90'));
}

export function auditCommand(world: World) {
  return databaseCommand(world, 'audit', 'list who wrote what, and when')
    .option('--since <date>', 'from then on: 2026-12-31 or 2026-12-31T18:00Z')
    .option('--key <name>', 'by this key: its name or id')
    .option('--record <id>', 'of this record')
    .option('--limit <n>', 'at most this many, the newest first', wholeNumber(1), 1000)
    .addHelpText('after', examples('kbsync serve audit --since 2026-12-31 --key ci'));
}

export function backupCommand(world: World) {
  return databaseCommand(world, 'backup', 'copy the database while it is in use')
    .argument('<file>', 'a file that does not exist yet')
    .addHelpText('after', examples('kbsync serve backup kb-2026-12-31.sqlite'));
}

export function checkCommand(world: World) {
  return databaseCommand(
    world,
    'check',
    'look for damage in the database; exit with 1 if there is any',
  ).addHelpText('after', examples('kbsync serve check'));
}

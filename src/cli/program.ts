import { Command, Option } from 'commander';
import type { Env } from './colour.ts';
import type { CommonFlags, PlanFlags, ResolveFlags, RestoreFlags, RunFlags, StatusFlags } from './flags.ts';
import { addConvert } from './program-convert.ts';
import { collected, examples, reporting, wholeNumber, withFormat } from './program-options.ts';
import { addMigrate } from './program-migrate.ts';
import { addImport } from './program-import.ts';
import { addPull } from './program-pull.ts';
import { addServe } from './program-serve.ts';
import { addTools } from './program-tools.ts';
import { visible } from './plain.ts';
import { addDev, addWatch } from './program-watch.ts';
import { keysIn, safeForLogs } from './screen.ts';
import type { World } from './world.ts';

type Done = (exitCode: number) => void;

/**
 * The command tree: names, flags, help. Each command's module is loaded when it runs, because the client, the parser
 * and the service together cost a quarter of a second.
 */
export function createProgram(world: World, done: Done): Command {
  const program = new Command('kbsync')
    .description('Keeps a folder of Markdown and a knowledge base in step, and ships the knowledge base too.')
    .version(world.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .exitOverride()
    .enablePositionalOptions()
    .showSuggestionAfterError()
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
  addInit(program, world, done);
  addConvert(program, { world, done, withCommonFlags });
  addImport(program, { world, done, withCommonFlags });
  addCheck(program, world, done);
  addPlan(program, world, done);
  addSync(program, world, done);
  addApply(program, world, done);
  addResolve(program, world, done);
  addRestore(program, world, done);
  addStatus(program, world, done);
  addPull(program, { world, done, withCommonFlags });
  addMigrate(program, { world, done });
  addWatch(program, { world, done, withRunFlags });
  addDev(program, { world, done, withCommonFlags });
  addTools(program, { world, done, withCommonFlags });
  addServe(program, world, done);
  return program;
}

/** What somebody typed is repeated in the message; a script may have put anything there. */
function usageText(text: string, env: Env): string {
  const [, message = '', hint = ''] = /^([\s\S]*?)(\n\(Did you mean [^\n]*\))?\s*$/.exec(text) ?? [];
  const shown = `${visible(message)}${hint === '' ? '' : `\n${visible(hint.slice(1))}`}\n`;
  return safeForLogs(shown, keysIn(env), env['GITHUB_ACTIONS'] === 'true');
}

const GETTING_STARTED = `Start here:
  $ kbsync init          look at this folder and write kbsync.yaml
  $ kbsync plan          show what a sync would do
  $ kbsync sync          do it`;

const EXIT_CODES = `Exit codes:
  0 done (drift is only reported)     1 failed, or problems in the content
  2 changes pending (plan --exit-code)     3 conflicts
  4 refused by a guard   5 partly done, safe to run again
  64 usage               130 interrupted`;

const ENVIRONMENT = `Environment:
  KBSYNC_API_KEY    the key; never a flag, never in a file
  KBSYNC_ORIGIN     when set, the key is sent to this origin only
  KBSYNC_BASE_URL   address of the knowledge base; --base-url wins, kbsync.yaml loses
  NO_COLOR, FORCE_COLOR`;

/** Flags that every command understands. */
function withCommonFlags(command: Command): Command {
  return command
    .option('--config <file>', 'settings (default: kbsync.yaml)')
    .option('--content <dir>', 'the folder that holds the languages')
    .option('--base-url <address>', 'address of the knowledge base')
    .option('--state <file>', 'what the last sync left (default: .kbsync/state.json)')
    .option('--env <name>', 'an environment of kbsync.yaml; it has a state of its own')
    .option('--lang <code>', 'only this language; may be repeated', collected, [])
    .option('--allow <code>', 'take problems of this code as warnings; may be repeated', collected, [])
    .option('--json', 'one JSON document on stdout, everything else on stderr', false)
    .option('--quiet', 'only the answer and errors', false)
    .option('--verbose', 'every request, every field', false)
    .option('--yes', 'ask nothing', false)
    .option('--no-color', 'no colour (also: NO_COLOR)')
    .option('--no-cache', 'read every file again');
}

const SETTLE_TEXT = 'how long a create that got no answer may still arrive (default: 60)';

/** Flags of the commands that compare with the service. */
function withRunFlags(command: Command): Command {
  return withCommonFlags(command)
    .option('--prune', 'delete records whose file is gone', false)
    .option('--max-delete <n>', 'allow this many deletes (default: 20 % or 10, the larger)', wholeNumber(0))
    .addOption(
      new Option('--on-conflict <side>', 'a field changed on both sides: which value stands')
        .choices(['fail', 'local', 'remote'])
        .default('fail'),
    )
    .addOption(
      new Option('--on-drift <what>', 'a field was edited on the site only')
        .choices(['report', 'overwrite'])
        .default('report'),
    )
    .addOption(
      new Option('--adopt <side>', 'a record exists on both sides without a state').choices([
        'local',
        'remote',
      ]),
    )
    .option('--allow-vanished', 'go on although most files are gone', false)
    .option('--allow-scope-change', 'go on although layout or languages changed', false)
    .option('--allow-checkout', 'delete although git is in the middle of something', false)
    .option('--assume-complete', 'take the service’s lists for complete', false)
    .option('--allow-empty-remote', 'go on although the service shows few or no known records', false)
    .option('--concurrency <n>', 'most requests at once, 1 to 128 (default: 16)', wholeNumber(1, 128))
    .option('--settle <seconds>', SETTLE_TEXT, wholeNumber(0, 86_400));
}

function addInit(program: Command, world: World, done: Done): void {
  withCommonFlags(program.command('init'))
    .description('look at this folder and write a commented kbsync.yaml')
    .addHelpText(
      'after',
      examples('kbsync init', 'kbsync init --content docs --base-url https://help.example.com'),
    )
    .action(async (flags: CommonFlags) => {
      const { init } = await import('./commands/init.ts');
      done(await init(flags, world));
    });
}

function addCheck(program: Command, world: World, done: Done): void {
  withFormat(withCommonFlags(program.command('check')))
    .description('find problems in the files; no network')
    .addHelpText(
      'after',
      examples('kbsync check', 'kbsync check --allow dead-anchor --json', 'kbsync check --format sarif'),
    )
    .action(async (flags: CommonFlags) => {
      const { check } = await import('./commands/check.ts');
      done(await check(reporting(flags), world));
    });
}

function addPlan(program: Command, world: World, done: Done): void {
  withFormat(withRunFlags(program.command('plan')))
    .description('show what a sync would do; writes nothing')
    .option('--exit-code', 'exit 2 when changes are pending', false)
    .option('--out <file>', 'save the plan for `kbsync apply`')
    .option('--html <file>', 'save the plan as a page with both sides of each text')
    .addOption(
      new Option('--markdown', 'print the plan as a pull-request comment')
        .default(false)
        .conflicts(['json', 'format']),
    )
    .addHelpText('after', examples('kbsync plan', 'kbsync plan --prune --out plan.json'))
    .action(async (flags: PlanFlags) => {
      const { plan } = await import('./commands/plan.ts');
      done(await plan(reporting(flags), world));
    });
}

function addSync(program: Command, world: World, done: Done): void {
  withFormat(withRunFlags(program.command('sync')))
    .description('bring the knowledge base in step with the files')
    .addHelpText('after', examples('kbsync sync', 'kbsync sync --prune --max-delete 50 --yes'))
    .action(async (flags: RunFlags) => {
      const { sync } = await import('./commands/sync.ts');
      done(await sync(reporting(flags), world));
    });
}

function addApply(program: Command, world: World, done: Done): void {
  withCommonFlags(program.command('apply'))
    .description('carry out a saved plan, if it is still the plan')
    .argument('<plan.json>', 'from kbsync plan --out')
    .option('--concurrency <n>', 'most requests at once, 1 to 128 (default: 16)', wholeNumber(1, 128))
    .addHelpText('after', examples('kbsync plan --out plan.json', 'kbsync apply plan.json'))
    .action(async (file: string, flags: CommonFlags & { readonly concurrency?: number }) => {
      const { apply } = await import('./commands/apply.ts');
      done(await apply(file, flags, world));
    });
}

function addResolve(program: Command, world: World, done: Done): void {
  withCommonFlags(program.command('resolve'))
    .description('settle the conflict or drift of single records; writes nothing else')
    .argument('<key...>', 'as plan and sync print it: article/billing/refunds@de')
    .addOption(new Option('--local', 'the file’s side stands').conflicts('remote'))
    .addOption(new Option('--remote', 'the site’s side stands').conflicts('local'))
    .option('--concurrency <n>', 'most requests at once, 1 to 128 (default: 16)', wholeNumber(1, 128))
    .option('--settle <seconds>', SETTLE_TEXT, wholeNumber(0, 86_400))
    .addHelpText(
      'after',
      examples(
        'kbsync resolve article/billing/refunds@de --local',
        'kbsync resolve article/a@en category/b@en --remote',
      ),
    )
    .action(async (keys: string[], flags: ResolveFlags) => {
      const { resolve } = await import('./commands/resolve.ts');
      done(await resolve(keys, flags, world));
    });
}

function addRestore(program: Command, world: World, done: Done): void {
  withCommonFlags(program.command('restore'))
    .description('list what syncs have deleted, or put it back from .kbsync/trash')
    .argument('[run]', 'as kbsync restore lists it')
    .argument('[key...]', 'only these records')
    .option('--dry-run', 'only show what would come back', false)
    .option('--assume-complete', 'take the service’s lists for complete', false)
    .option('--allow-empty-remote', 'go on although the service shows few or no known records', false)
    .option('--concurrency <n>', 'most requests at once, 1 to 128 (default: 16)', wholeNumber(1, 128))
    .addHelpText(
      'after',
      examples('kbsync restore', 'kbsync restore 2026-11-20T10-41-32-000Z article/legacy/fax@en --dry-run'),
    )
    .action(async (run: string | undefined, keys: string[], flags: RestoreFlags) => {
      const { restore } = await import('./commands/restore.ts');
      done(await restore(run, keys, flags, world));
    });
}

function addStatus(program: Command, world: World, done: Done): void {
  withCommonFlags(program.command('status'))
    .description('compare the files with the last sync, and translations with their originals; no network')
    .option('--remote', 'ask the service for edits made there', false)
    .addHelpText('after', examples('kbsync status', 'kbsync status --remote --json'))
    .action(async (flags: StatusFlags) => {
      const { status } = await import('./commands/status.ts');
      done(await status(flags, world));
    });
}

import { Command, InvalidArgumentError, Option, type OptionValues } from '@commander-js/extra-typings';
import { SetupError } from '../config/setup-error.ts';
import { visible } from '../model/visible.ts';
import { shellWord } from './print/terminal/text.ts';

/** What `--format` takes; `json` is `--json`. */
export const REPORT_FORMATS = ['text', 'json', 'ndjson', 'sarif', 'junit', 'github'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The flags of a command, as its declaration says: `PlanFlags = FlagsOf<typeof planCommand>`. */
export type FlagsOf<Make extends (...given: never[]) => { opts(): object }> = Readonly<
  ReturnType<ReturnType<Make>['opts']>
>;

/** What every command understands that reads files and settings. */
export type CommonFlags = FlagsOf<typeof command> & { readonly format?: ReportFormat | undefined };

/** What a command understands that compares files and service. */
export type RunFlags = FlagsOf<typeof runCommand>;

/** Headings of the flags in a help text, in their order there. */
export const FLAG_GROUPS = {
  often: 'Often used:',
  about: 'What the run is about:',
  own: 'Options:',
  files: 'Files and address:',
  guards: 'Guards stop a run that looks wrong; to let it go on:',
  requests: 'Requests:',
  output: 'Output:',
} as const;

/** A command that reads files and settings. */
export function command(name: string, description: string) {
  const made = new Command(name)
    .description(description)
    .optionsGroup(FLAG_GROUPS.files)
    .option(
      '--content <dir>',
      'the content folder (default: `content` in kbsync.yaml, or the folder content)',
    )
    .option(
      '--base-url <address>',
      'address of the knowledge base (default: `baseUrl` in kbsync.yaml; also: KBSYNC_BASE_URL)',
    )
    .option(...CONFIG_FLAG)
    .option('--env <name>', 'use this environment of kbsync.yaml; it has its own state')
    .option(
      '--state <file>',
      'state file, which remembers the last sync (default: `state` in kbsync.yaml, or .kbsync/state.json; also: KBSYNC_STATE)',
    )
    .option('--lang <code>', 'only this language; repeatable', collected, [])
    .option(
      '--allow <code>',
      'treat errors with this code as warnings (kbsync check prints the codes); repeatable',
      collected,
      [],
    )
    .option('--no-cache', 'read every file again');
  return outputFlags(made).optionsGroup(FLAG_GROUPS.own);
}

/** Adds the flags that say what is printed, and how. */
export function outputFlags<Args extends unknown[], Flags extends OptionValues>(made: Command<Args, Flags>) {
  return made
    .optionsGroup(FLAG_GROUPS.output)
    .option('--json', 'print one JSON document on stdout, everything else on stderr', false)
    .option('--quiet', 'print only the result and errors', false)
    .option('--verbose', 'print every request and every field', false)
    .option('--yes', 'ask no questions', false)
    .option('--no-color', 'print without colour (also: NO_COLOR)');
}

/** A command that compares files and service. */
export function runCommand(name: string, description: string) {
  const made = command(name, description)
    .optionsGroup(FLAG_GROUPS.often)
    .option('--prune', 'delete records whose file is gone', false)
    .addOption(
      new Option('--on-conflict <side>', 'which value wins if both sides changed a field')
        .choices(['fail', 'local', 'remote'] as const)
        .default('fail' as const),
    )
    .addOption(
      new Option('--on-drift <what>', 'what to do if a field changed only on the site')
        .choices(['report', 'overwrite'] as const)
        .default('report' as const),
    )
    .addOption(
      new Option(
        '--adopt <side>',
        'which value wins if a record exists on both sides and the state does not know it',
      ).choices(['local', 'remote'] as const),
    )
    .optionsGroup(FLAG_GROUPS.guards)
    .option(...MAX_DELETE_FLAG)
    .option('--allow-vanished', 'continue although most files are gone', false)
    .option('--allow-scope-change', 'continue although the layout or the languages changed', false)
    .option('--allow-checkout', 'delete although a git operation is unfinished', false)
    .option(...ALLOW_OLDER_COMMIT)
    .option(...ASSUME_COMPLETE)
    .option(...ALLOW_EMPTY_REMOTE)
    .optionsGroup(FLAG_GROUPS.requests)
    .option(...CONCURRENCY_FLAG)
    .option(...SETTLE_FLAG)
    .option(...WAIT_FLAG)
    .optionsGroup(FLAG_GROUPS.own);
  made.options.find(({ long }) => long === '--allow')?.helpGroup(FLAG_GROUPS.often);
  return made;
}

/** The flags that make a run partial. */
export interface AboutFlags {
  readonly only: readonly string[];
  readonly exclude: readonly string[];
  readonly changedSince?: string | undefined;
}

/** Adds the flags that say what the run is about. */
export function aboutFlags<Args extends unknown[], Flags extends OptionValues>(made: Command<Args, Flags>) {
  return made
    .optionsGroup(FLAG_GROUPS.about)
    .option('--only <glob|key>', 'only these records and what they need; repeatable', collected, [])
    .option('--exclude <glob|key>', 'all but these records; repeatable', collected, [])
    .option('--changed-since <ref>', 'only records whose file changed since a git commit or branch')
    .optionsGroup(FLAG_GROUPS.own);
}

/** Adds the guard of the commands that look for renames. */
export function renamedFlag<Args extends unknown[], Flags extends OptionValues>(made: Command<Args, Flags>) {
  return made
    .optionsGroup(FLAG_GROUPS.guards)
    .option(
      '--allow-renamed',
      'create records although their files may be those of other records, renamed: git says so, or cannot tell and the titles are equal',
      false,
    )
    .optionsGroup(FLAG_GROUPS.own);
}

export const ASSUME_COMPLETE = [
  '--assume-complete',
  'trust the lists of the service to be complete',
  false,
] as const;

export const ALLOW_EMPTY_REMOTE = [
  '--allow-empty-remote',
  'continue although the service shows few or none of the known records',
  false,
] as const;

export const ALLOW_OLDER_COMMIT = [
  '--allow-older-commit',
  'continue although the last sync was made from a later commit',
  false,
] as const;

export const CONFIG_FLAG = ['--config <file>', 'settings file (default: kbsync.yaml)'] as const;

export const MAX_DELETE_FLAG = [
  '--max-delete <n>',
  'allow this many deletes (default: 10, or 20 % if that is more)',
  wholeNumber(0),
] as const;

export const CONCURRENCY_FLAG = [
  '--concurrency <n>',
  'at most this many requests at once, 1 to 128 (default: 16)',
  wholeNumber(1, 128),
] as const;

export const WAIT_FLAG = [
  '--wait',
  'wait if the service asks for it, or if the answer to a create was lost',
  false,
] as const;

export const SETTLE_FLAG = [
  '--settle <seconds>',
  'seconds after which a create without an answer counts as lost (default: 60)',
  wholeNumber(0, 86_400),
] as const;

/** `--format`, for the commands whose findings other programs read. */
export function formatFlag() {
  return new Option('--format <name>', 'format of stdout; by default text')
    .choices(REPORT_FORMATS)
    .conflicts('json')
    .helpGroup(FLAG_GROUPS.output);
}

/** `--format json` is `--json`. */
export function reporting<F extends Pick<CommonFlags, 'json' | 'format'>>(flags: F): F {
  return flags.format === 'json' ? { ...flags, json: true } : flags;
}

/**
 * The flags that name files, state and address, and what is allowed in the files, to be repeated in a command that is shown:
 * ` --env staging`, or empty.
 */
export function setupFlags(
  flags: Pick<CommonFlags, 'config' | 'content' | 'baseUrl' | 'state' | 'env' | 'allow'>,
): string {
  const named: readonly (readonly [string, string | undefined])[] = [
    ['--config', flags.config],
    ['--content', flags.content],
    ['--base-url', flags.baseUrl],
    ['--state', flags.state],
    ['--env', flags.env],
  ];
  return (
    named.map(([name, value]) => (value === undefined ? '' : ` ${name} ${shellWord(value)}`)).join('') +
    flags.allow.map((code) => ` --allow ${shellWord(code)}`).join('')
  );
}

/** The same and what the run is about, for a command that goes on with it: ` --lang fr --only 'billing/**'`. */
export function aboutSame(
  flags: Parameters<typeof setupFlags>[0] & Pick<CommonFlags, 'lang'> & AboutFlags,
): string {
  return (
    setupFlags(flags) +
    flags.lang.map((code) => ` --lang ${shellWord(code)}`).join('') +
    flags.only.map((name) => ` --only ${shellWord(name)}`).join('') +
    flags.exclude.map((name) => ` --exclude ${shellWord(name)}`).join('') +
    (flags.changedSince === undefined ? '' : ` --changed-since ${shellWord(flags.changedSince)}`)
  );
}

/** The same and what the run decides. Guards are not vouched for again: whoever copies the command has not looked at what they are about. */
export function runSame(flags: RunFlags & AboutFlags): string {
  const { onConflict, onDrift, adopt } = flags;
  return (
    aboutSame(flags) +
    (flags.prune ? ' --prune' : '') +
    (onConflict === 'fail' ? '' : ` --on-conflict ${onConflict}`) +
    (onDrift === 'report' ? '' : ` --on-drift ${onDrift}`) +
    (adopt === undefined ? '' : ` --adopt ${adopt}`)
  );
}

/** The block below a command's help. */
export function examples(...commands: readonly string[]): string {
  return `\n${commands.length === 1 ? 'Example' : 'Examples'}:\n${commands.map((line) => `  $ ${line}`).join('\n')}`;
}

/** A parser for a number flag; anything but a number in the range is a usage error. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
    throw new InvalidArgumentError(`It takes a whole number ${range}.`);
  };
}

/** For flags that may be repeated. */
export function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Stored dates are microseconds in a number that must stay exact. */
const YEAR_MAX = 2199;

/**
 * A date or timestamp (ISO 8601, UTC where no zone is named) as milliseconds since 1970.
 * @throws SetupError `usage`
 */
export function momentOf(flag: string, text: string, like = '2026-12-31 or 2026-12-31T18:00Z'): number {
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text);
  const hasZone = !text.includes('T') || /(Z|[+-]\d\d:\d\d)$/.test(text);
  const ms = isIso ? Date.parse(hasZone ? text : `${text}Z`) : NaN;
  if (ms >= 0 && new Date(ms).getUTCFullYear() <= YEAR_MAX) return ms;
  throw new SetupError('usage', `${flag}: \`${visible(text)}\` is not a date from 1970 to ${YEAR_MAX}`, {
    help: `like ${like}`,
  });
}

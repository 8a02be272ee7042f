import { dirname, join, relative, resolve } from 'node:path';
import { SetupError } from './setup-error.ts';
import { didYouMean } from '../content/suggest.ts';
import { visible } from '../model/visible.ts';
import type { ConfigProblem } from './parse.ts';
import type { FileSettings } from './schema.ts';
import type { Place } from '../model/problem.ts';
import type { Env, Files } from '../machine/machine.ts';
import type { RedirectLine } from '../content/options.ts';

/** What holds for a run: flags over environment over kbsync.yaml over defaults. The address is not checked yet. */
export interface Settings {
  /** As typed or found, relative to the working directory; undefined: there is no file. */
  readonly configFile: string | undefined;
  /** The folder of the configuration, else the working directory; absolute. */
  readonly root: string;
  /** Absolute. */
  readonly contentDir: string;
  /** Absolute. With `sharedState`, what a run keeps on this machine lies beside it, and no state may be there. */
  readonly stateFile: string;
  /** Where machines share the state, instead of a file. Not checked yet. */
  readonly sharedState?: SharedStateSetting;
  /** Where rendered bodies may be kept between runs; absolute, undefined after `--no-cache`. */
  readonly cacheFile: string | undefined;
  readonly baseUrl: string | undefined;
  /** Where `baseUrl` was given, for messages. */
  readonly baseUrlSource: string;
  readonly environment: string | undefined;
  readonly file: FileSettings;
  /** Where each line of `moved` stands. */
  readonly movedAt?: readonly Place[];
  /** Of `redirects`, with the file and the line that says so. */
  readonly redirects?: readonly RedirectLine[];
}

export interface SharedStateSetting {
  readonly address: string;
  /** Where it was given, for messages. */
  readonly source: string;
  /** The environment may hold a password. A file may be somebody else's: a pull request changes it. */
  readonly from: 'flag' | 'environment' | 'file';
}

/** kbsync.yaml cannot be used; carries every fault, each with its place. */
export class ConfigError extends SetupError {
  readonly problems: readonly ConfigProblem[];
  readonly source: string;

  constructor(problems: readonly ConfigProblem[], source: string) {
    const count = problems.length;
    super(
      'config',
      `${count} ${count === 1 ? 'error' : 'errors'} in ${problems[0]?.at.file ?? 'kbsync.yaml'}`,
    );
    this.problems = problems;
    this.source = source;
  }

  /** The message for one line, with its first error: `kbsync.yaml:2:1: … (1 error in kbsync.yaml)`. */
  get line(): string {
    const [first] = this.problems;
    if (first === undefined) return this.message;
    const { file, line, column } = first.at;
    return `${file}:${line}:${column}: ${first.message} (${this.message})`;
  }
}

/** What flags, or a program, say instead of kbsync.yaml; paths are relative to the working directory. */
export interface Overrides {
  /** The file to read instead of kbsync.yaml. */
  readonly config?: string | undefined;
  readonly content?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly state?: string | undefined;
  /** A name below `environments:`. */
  readonly env?: string | undefined;
  /** False: read every file again. */
  readonly cache: boolean;
}

/** Where the settings come from. */
export interface SettingsSource {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Env;
  readonly files: Pick<Files, 'readText'>;
}

const CONFIG_NAMES = ['kbsync.yaml', 'kbsync.yml'];

/** @throws ConfigError, SetupError */
export async function loadSettings(overrides: Overrides, source: SettingsSource): Promise<Settings> {
  const found = await readConfig(overrides.config, source);
  const root = found === undefined ? source.cwd : dirname(resolve(source.cwd, found.name));
  const file = found === undefined ? noEnvironment(overrides.env) : await settingsOf(found, overrides.env);
  const fromEnv = source.env['KBSYNC_BASE_URL'];
  const baseUrl = overrides.baseUrl ?? (fromEnv === '' ? undefined : fromEnv) ?? file.baseUrl;
  const suffix = overrides.env === undefined ? '' : `.${overrides.env}`;
  const { stateFile, sharedState } = stateIn(overrides, file.state, {
    source,
    root,
    name: found?.name ?? 'kbsync.yaml',
    byDefault: join('.kbsync', `state${suffix}.json`),
  });
  return {
    configFile: found?.name,
    root,
    contentDir:
      overrides.content === undefined
        ? resolve(root, file.content ?? 'content')
        : resolve(source.cwd, overrides.content),
    stateFile,
    ...(sharedState === undefined ? {} : { sharedState }),
    cacheFile: overrides.cache ? join(dirname(stateFile), `cache${suffix}.json`) : undefined,
    baseUrl,
    baseUrlSource:
      overrides.baseUrl !== undefined
        ? '--base-url'
        : baseUrl === fromEnv && baseUrl !== undefined
          ? 'KBSYNC_BASE_URL'
          : `\`baseUrl\` in ${found?.name ?? 'kbsync.yaml'}`,
    environment: overrides.env,
    file,
    movedAt: found === undefined || file.moved === undefined ? [] : await movedPlaces(found, overrides.env),
    redirects: await redirectLines(file.redirects, { root, name: found?.name ?? 'kbsync.yaml', source }),
  };
}

/** An address of a state that machines share, and not a path. */
export function isStateAddress(text: string): boolean {
  return /^(https?|postgres|postgresql|git):/i.test(text);
}

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** @throws SetupError for a state file beside an address: two states of one knowledge base would each make what is new */
function stateIn(
  overrides: Pick<Overrides, 'state'>,
  inFile: string | undefined,
  {
    source,
    root,
    name,
    byDefault,
  }: {
    readonly source: SettingsSource;
    readonly root: string;
    readonly name: string;
    readonly byDefault: string;
  },
): Pick<Settings, 'stateFile' | 'sharedState'> {
  const fromEnv = source.env['KBSYNC_STATE'] ?? '';
  const given: readonly SharedStateSetting[] = [
    ...named(overrides.state, '--state', 'flag'),
    ...named(fromEnv === '' ? undefined : fromEnv, 'KBSYNC_STATE', 'environment'),
    ...named(inFile, `\`state\` in ${name}`, 'file'),
  ];
  const unknown = given.find(({ address }) => SCHEME.test(address) && !isStateAddress(address));
  // As a path, it would be a folder named `s3:` on this machine alone.
  if (unknown !== undefined) {
    throw new SetupError(
      'usage',
      `${unknown.source} cannot be used: kbsync keeps no state at ${(SCHEME.exec(unknown.address)?.[0] ?? '').toLowerCase()}`,
      { help: 'write a path, https://…, postgres://… or git:refs/kbsync/NAME' },
    );
  }
  const inPlace = resolve(root, inFile === undefined || isStateAddress(inFile) ? byDefault : inFile);
  const sharedState = given.find(({ address }) => isStateAddress(address));
  const [first] = given;
  if (first === undefined) return { stateFile: inPlace };
  if (sharedState === first) return { stateFile: inPlace, sharedState };
  if (sharedState !== undefined) {
    throw new SetupError(
      'refused',
      `${first.source} ${visible(first.address)} would be a second state: ${sharedState.source} says that machines share it`,
      { help: `leave out ${first.source}, or give it the shared address` },
    );
  }
  return { stateFile: first.from === 'file' ? inPlace : resolve(source.cwd, first.address) };
}

function named(
  address: string | undefined,
  source: string,
  from: SharedStateSetting['from'],
): readonly SharedStateSetting[] {
  return address === undefined ? [] : [{ address, source, from }];
}

async function movedPlaces({ text, name }: FoundConfig, environment = ''): Promise<readonly Place[]> {
  const { itemPlaces } = await import('./parse.ts');
  return (
    itemPlaces(text, name, ['environments', environment, 'moved']) ?? itemPlaces(text, name, ['moved']) ?? []
  );
}

/** @throws SetupError for a map that cannot be read */
async function redirectLines(
  given: FileSettings['redirects'],
  { root, name, source }: { readonly root: string; readonly name: string; readonly source: SettingsSource },
): Promise<readonly RedirectLine[]> {
  if (given === undefined) return [];
  if (typeof given !== 'string') {
    const at = { file: name, line: 1, column: 1 };
    return Object.entries(given).map(([from, to]) => ({ from, to, at }));
  }
  const file = resolve(root, given);
  const text = await source.files.readText(file);
  if (text === undefined) {
    throw new SetupError(
      'config',
      `${name}: \`redirects\` names ${visible(given)}, and there is no such file`,
    );
  }
  const { REDIRECT_ADDRESS, redirectsFrom } = await import('../model/address/redirect.ts');
  const redirects = redirectsFrom(text);
  if (redirects === undefined) {
    throw new SetupError(
      'config',
      `${shown(file, source)}: the first line of a map of redirects begins with \`from,to\``,
    );
  }
  // The head is line 1; a map of ours has one line for each.
  return redirects.map(({ from, to }, index) => {
    const at = { file: shown(file, source), line: index + 2, column: 1 };
    const wrong = [from, to].find((address) => !REDIRECT_ADDRESS.test(address));
    if (wrong !== undefined) {
      throw new SetupError(
        'config',
        `${at.file}:${at.line}: \`${visible(wrong)}\` must begin with / or https://`,
      );
    }
    return { from, to, at };
  });
}

/** A path as people type it: relative to the working directory when it lies below it. */
export function shown(path: string, { cwd }: Pick<SettingsSource, 'cwd'>): string {
  const short = relative(cwd, path);
  return short === '' ? '.' : short.startsWith('..') ? path : short;
}

interface FoundConfig {
  readonly name: string;
  readonly text: string;
}

async function readConfig(
  flag: string | undefined,
  { cwd, files }: SettingsSource,
): Promise<FoundConfig | undefined> {
  for (const name of flag === undefined ? CONFIG_NAMES : [flag]) {
    let text: string | undefined;
    try {
      text = await files.readText(resolve(cwd, name));
    } catch (cause) {
      const said = visible(cause instanceof Error ? cause.message : String(cause));
      const isFolder = /\bEISDIR\b/.test(said);
      throw new SetupError('file', isFolder ? `${visible(name)} cannot be read: it is a folder` : said, {
        cause,
      });
    }
    if (text !== undefined) return { name, text };
  }
  if (flag !== undefined) {
    throw new SetupError('usage', `there is no file \`${visible(flag)}\``, {
      help: 'kbsync init writes a kbsync.yaml with every setting explained',
    });
  }
  return undefined;
}

/** The parser and the schema cost 100 ms; a folder without a config does not pay for them. */
async function settingsOf(found: FoundConfig, environment: string | undefined): Promise<FileSettings> {
  const { parseConfig } = await import('./parse.ts');
  const parsed = parseConfig(found.text, found.name);
  if (!parsed.ok) throw new ConfigError(parsed.problems, found.text);
  const { environments, ...settings } = parsed.config;
  if (environment === undefined) return settings;
  const chosen = environments?.[environment];
  if (chosen === undefined) {
    const names = Object.keys(environments ?? {});
    throw new SetupError(
      'usage',
      `${found.name} has no environment \`${visible(environment)}\`${didYouMean(environment, names)}`,
      {
        help:
          names.length === 0
            ? 'add one below `environments:`'
            : `environments are ${names.map(visible).join(', ')}`,
      },
    );
  }
  // A state is good for one knowledge base: an environment never inherits the file's.
  const { state: _, ...shared } = settings;
  return { ...shared, ...chosen };
}

function noEnvironment(environment: string | undefined): FileSettings {
  if (environment === undefined) return {};
  throw new SetupError('usage', `--env ${visible(environment)} needs a kbsync.yaml with \`environments:\``);
}

import { dirname, join, relative, resolve } from 'node:path';
import { CliError } from './cli-error.ts';
import type { ConfigProblem } from './config-file.ts';
import type { FileSettings } from './config-schema.ts';
import type { CommonFlags } from './flags.ts';
import { didYouMean } from './nearest.ts';
import { visible } from './plain.ts';
import type { World } from './world.ts';

/** Flags over environment over file, with the defaults of DESIGN.md; addresses are not checked yet. */
export interface Settings {
  /** As typed or found, relative to the working directory; undefined: there is no file. */
  readonly configFile: string | undefined;
  /** Absolute. */
  readonly contentDir: string;
  /** Absolute. */
  readonly stateFile: string;
  /** Where rendered bodies may be kept between runs; absolute, undefined after `--no-cache`. */
  readonly cacheFile: string | undefined;
  readonly baseUrl: string | undefined;
  /** Where `baseUrl` was given, for messages. */
  readonly baseUrlSource: string;
  readonly environment: string | undefined;
  readonly file: FileSettings;
}

/** kbsync.yaml cannot be used; carries every fault, each with its place. */
export class ConfigError extends CliError {
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
}

const CONFIG_NAMES = ['kbsync.yaml', 'kbsync.yml'];

/** @throws ConfigError, CliError */
export async function loadSettings(
  flags: CommonFlags,
  world: Pick<World, 'cwd' | 'env' | 'files'>,
): Promise<Settings> {
  const found = await readConfig(flags.config, world);
  const root = found === undefined ? world.cwd : dirname(resolve(world.cwd, found.name));
  const file = found === undefined ? noEnvironment(flags.env) : await settingsOf(found, flags.env);
  const fromEnv = world.env['KBSYNC_BASE_URL'];
  const baseUrl = flags.baseUrl ?? (fromEnv === '' ? undefined : fromEnv) ?? file.baseUrl;
  const suffix = flags.env === undefined ? '' : `.${flags.env}`;
  const stateFile =
    flags.state === undefined
      ? resolve(root, file.state ?? join('.kbsync', `state${suffix}.json`))
      : resolve(world.cwd, flags.state);
  return {
    configFile: found?.name,
    contentDir:
      flags.content === undefined
        ? resolve(root, file.content ?? 'content')
        : resolve(world.cwd, flags.content),
    stateFile,
    cacheFile: flags.cache ? join(dirname(stateFile), `cache${suffix}.json`) : undefined,
    baseUrl,
    baseUrlSource:
      flags.baseUrl !== undefined
        ? '--base-url'
        : baseUrl === fromEnv && baseUrl !== undefined
          ? 'KBSYNC_BASE_URL'
          : `\`baseUrl\` in ${found?.name ?? 'kbsync.yaml'}`,
    environment: flags.env,
    file,
  };
}

/** A path as people type it: relative to the working directory when it lies below it. */
export function shown(path: string, world: World): string {
  const short = relative(world.cwd, path);
  return short === '' ? '.' : short.startsWith('..') ? path : short;
}

interface FoundConfig {
  readonly name: string;
  readonly text: string;
}

async function readConfig(
  flag: string | undefined,
  world: Pick<World, 'cwd' | 'files'>,
): Promise<FoundConfig | undefined> {
  for (const name of flag === undefined ? CONFIG_NAMES : [flag]) {
    let text: string | undefined;
    try {
      text = await world.files.readText(resolve(world.cwd, name));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new CliError('file', `${visible(name)} cannot be read: ${visible(why)}`, { cause });
    }
    if (text !== undefined) return { name, text };
  }
  if (flag !== undefined) {
    throw new CliError('usage', `there is no file \`${visible(flag)}\``, {
      help: 'kbsync init writes a kbsync.yaml with every setting explained',
    });
  }
  return undefined;
}

/** The parser and the schema cost 100 ms; a folder without a config does not pay for them. */
async function settingsOf(found: FoundConfig, environment: string | undefined): Promise<FileSettings> {
  const { parseConfig } = await import('./config-file.ts');
  const parsed = parseConfig(found.text, found.name);
  if (!parsed.ok) throw new ConfigError(parsed.problems, found.text);
  const { environments, ...settings } = parsed.config;
  if (environment === undefined) return settings;
  const chosen = environments?.[environment];
  if (chosen === undefined) {
    const names = Object.keys(environments ?? {});
    throw new CliError(
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
  throw new CliError('usage', `--env ${visible(environment)} needs a kbsync.yaml with \`environments:\``);
}

import { resolve } from 'node:path';
import { contentOptions } from '../cli/files-run.ts';
import type { CommonFlags } from '../cli/flags.ts';
import { loadSettings, type Settings } from '../cli/settings.ts';
import { realFiles } from '../cli/world.ts';
import type { ContentOptions, LoadedContent } from '../content/options.ts';

/** The files of a content folder, as `createSync` takes them. */
export interface Content extends LoadedContent {
  /** Absolute. */
  readonly contentDir: string;
}

/** What kbsync.yaml says, for `loadContent` and `createSync`. */
export interface Config {
  /** Undefined where the file names no address. */
  readonly url: string | undefined;
  readonly content: ContentOptions;
  readonly stateFile: string;
  /** `stamp: false` and `concurrency` of the file. */
  readonly policy: { readonly stamp?: boolean; readonly concurrencyMax?: number };
}

export interface ConfigOptions {
  /** Default: the working directory. */
  readonly cwd?: string;
  /** Default: kbsync.yaml or kbsync.yml, which may be missing. */
  readonly file?: string;
  /** A name below `environments:`, as `--env`. */
  readonly environment?: string;
}

/**
 * Reads kbsync.yaml as the command does, without the variables of the environment.
 *
 * @throws ConfigError whose `problems` have places, CliError when the file or the environment is not there
 */
export async function loadConfig(options: ConfigOptions = {}): Promise<Config> {
  const cwd = resolve(options.cwd ?? '.');
  const flags: CommonFlags = {
    ...NO_FLAGS,
    ...(options.file === undefined ? {} : { config: options.file }),
    ...(options.environment === undefined ? {} : { env: options.environment }),
  };
  const settings = await loadSettings(flags, { cwd, env: {}, files: realFiles });
  const { stamp, concurrency } = settings.file;
  return {
    url: settings.baseUrl,
    content: contentOptions(settings, flags, { cwd }),
    stateFile: settings.stateFile,
    policy: {
      ...(stamp === undefined ? {} : { stamp }),
      ...(concurrency === undefined ? {} : { concurrencyMax: concurrency }),
    },
  };
}

/**
 * Reads a folder of Markdown: the records its files want, and everything that is wrong with them. What is not given is
 * as in a kbsync.yaml that does not say it: our own layout in `content`, default language `en`. No network.
 *
 * @throws ContentError `no-content` when the folder is missing
 */
export async function loadContent(options: Partial<ContentOptions> = {}): Promise<Content> {
  const { loadDesired } = await import('../content/desired.ts');
  const cwd = resolve(options.cwd ?? '.');
  const whole = { ...contentOptions(bare(cwd), NO_FLAGS, { cwd }), ...options, cwd };
  return { ...(await loadDesired(whole)), contentDir: resolve(cwd, whole.contentDir) };
}

const NO_FLAGS: CommonFlags = {
  lang: [],
  allow: [],
  json: false,
  quiet: false,
  verbose: false,
  yes: false,
  color: false,
  cache: true,
};

function bare(cwd: string): Settings {
  return {
    configFile: undefined,
    contentDir: resolve(cwd, 'content'),
    stateFile: resolve(cwd, '.kbsync/state.json'),
    cacheFile: undefined,
    baseUrl: undefined,
    baseUrlSource: '',
    environment: undefined,
    file: {},
  };
}

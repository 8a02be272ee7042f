import { resolve } from 'node:path';
import { contentOptions } from '../config/content-options.ts';
import { SetupError } from '../config/setup-error.ts';
import { loadSettings, type Settings } from '../config/settings.ts';
import { realClock, realFiles } from '../machine/machine.ts';
import type { ContentOptions, LoadedContent } from '../content/options.ts';
import type { RepositoryNames } from '../model/repository.ts';
import { repositoryNames } from '../session/repository.ts';

/** The files of a content folder, as `createSync` takes them. */
export interface Content extends LoadedContent {
  /** Absolute. */
  readonly contentDir: string;
}

/** What kbsync.yaml says, for `loadContent` and `createSync`. */
export interface Config {
  /** Undefined where the file names no address. */
  readonly url: string | undefined;
  readonly content: Omit<ContentOptions, 'nowMs'>;
  readonly stateFile: string;
  /** `id` and `formerIds` of the file, and names made from git's remotes. */
  readonly repository: RepositoryNames;
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
 * @throws ConfigError whose `problems` have places, SetupError when the file or the environment is not there
 */
export async function loadConfig(options: ConfigOptions = {}): Promise<Config> {
  const cwd = resolve(options.cwd ?? '.');
  const overrides = { config: options.file, env: options.environment, cache: true };
  const settings = await loadSettings(overrides, { cwd, env: {}, files: realFiles });
  if (settings.sharedState !== undefined) {
    throw new SetupError(
      'usage',
      `${settings.sharedState.source} names a state that machines share; createSync takes a file, which would be a second state`,
    );
  }
  const { stamp, concurrency } = settings.file;
  const { nowMs: _, ...content } = contentOptions(settings, { allow: [] }, { cwd, clock: realClock });
  return {
    url: settings.baseUrl,
    content,
    stateFile: settings.stateFile,
    repository: await repositoryNames(settings, realFiles),
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
  const { loadDesired } = await import('../content/load-content.ts');
  const cwd = resolve(options.cwd ?? '.');
  const whole = { ...contentOptions(bare(cwd), { allow: [] }, { cwd, clock: realClock }), ...options, cwd };
  return { ...(await loadDesired(whole)), contentDir: resolve(cwd, whole.contentDir) };
}

function bare(cwd: string): Settings {
  return {
    configFile: undefined,
    root: cwd,
    contentDir: resolve(cwd, 'content'),
    stateFile: resolve(cwd, '.kbsync/state.json'),
    cacheFile: undefined,
    baseUrl: undefined,
    baseUrlSource: '',
    environment: undefined,
    file: {},
  };
}

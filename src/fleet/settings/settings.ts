import { dirname, join, resolve } from 'node:path';
import { parseSettings } from '../../config/parse.ts';
import { ConfigError } from '../../config/settings.ts';
import { SetupError } from '../../config/setup-error.ts';
import { didYouMean } from '../../content/suggest.ts';
import type { Env, Files } from '../../machine/machine.ts';
import { visible } from '../../model/visible.ts';
import { FLEET_NAMES, fleetSchema, type FleetFile, type SecretPlace } from './schema.ts';

/** One knowledge base of the fleet, with all defaults filled in. */
export interface KnowledgeBase {
  readonly name: string;
  readonly repository: string;
  readonly ref: string;
  /** Inside the repository; `.` is its root. */
  readonly folder: string;
  readonly environment: string | undefined;
  readonly schedule: string;
  readonly owner: string | undefined;
  readonly key: SecretPlace;
  readonly origin: string;
  readonly prune: boolean;
}

export interface Fleet {
  /** As typed. */
  readonly file: string;
  /** Where files named in it are looked for; absolute. */
  readonly root: string;
  /** Mirrors, work trees and states; absolute. */
  readonly folder: string;
  /** Sorted by name. */
  readonly bases: readonly KnowledgeBase[];
  readonly atOnce: number;
  readonly perHost: number;
  readonly notify: SecretPlace | undefined;
  readonly hookSecret: SecretPlace | undefined;
  readonly schema: string;
}

export interface FleetSource {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Env;
  readonly files: Pick<Files, 'readText'>;
}

/** Reads fleet.yaml. @throws ConfigError, SetupError */
export async function loadFleet(file: string, { cwd, files }: FleetSource): Promise<Fleet> {
  const path = resolve(cwd, file);
  const text = await files.readText(path);
  if (text === undefined) {
    throw new SetupError('usage', `there is no file \`${visible(file)}\``, {
      help: 'docs/guides/fleet.md shows one; --file names another',
    });
  }
  const names = { ...FLEET_NAMES, ...topNames(text) };
  const parsed = parseSettings(text, file, { schema: fleetSchema, names });
  if (!parsed.ok) throw new ConfigError(parsed.problems, text);
  return fleetOf(parsed.config, file, dirname(path));
}

/** At the top, settings of the file; below a name, settings of a knowledge base. */
function topNames(text: string): Readonly<Record<string, readonly string[]>> {
  const below = /^ {2,}([a-z0-9-]+):/gm;
  const own = FLEET_NAMES[''] ?? [];
  const named = [...text.matchAll(below)].map(([, name = '']) => name);
  return {
    ...Object.fromEntries(named.filter((name) => FLEET_NAMES[name] === undefined).map((name) => [name, own])),
    '': Object.keys(fleetSchema.shape),
  };
}

function fleetOf(config: FleetFile, file: string, root: string): Fleet {
  const { knowledgeBases, defaults = {}, limits = {} } = config;
  const bases = Object.entries(knowledgeBases).map(([name, given]): KnowledgeBase => {
    const all = { ...defaults, ...given };
    return {
      name,
      repository: all.repository,
      ref: all.ref ?? 'main',
      folder: all.folder ?? '.',
      environment: all.environment,
      schedule: all.schedule ?? '15m',
      owner: all.owner,
      key: all.key,
      origin: all.origin,
      prune: all.prune ?? false,
    };
  });
  return {
    file,
    root,
    folder: resolve(root, config.folder ?? '.kbsync-fleet'),
    bases: bases.sort((a, b) => (a.name < b.name ? -1 : 1)),
    atOnce: limits.atOnce ?? 2,
    perHost: limits.perHost ?? 4,
    notify: config.notify,
    hookSecret: config.webhook?.secret,
    schema: config.schema ?? 'kbsync_fleet',
  };
}

/** The named ones, or all if none is named. @throws SetupError */
export function chosenBases({ bases, file }: Fleet, names: readonly string[]): readonly KnowledgeBase[] {
  if (names.length === 0) return bases;
  const known = bases.map(({ name }) => name);
  const wrong = names.find((name) => !known.includes(name));
  if (wrong !== undefined) {
    throw new SetupError(
      'usage',
      `${visible(file)} has no knowledge base \`${visible(wrong)}\`${didYouMean(wrong, known)}`,
    );
  }
  return bases.filter(({ name }) => names.includes(name));
}

/** The secret, without white space around it. @throws SetupError when there is none */
export async function secretAt(
  place: SecretPlace,
  { env, files, root, what }: Omit<FleetSource, 'cwd'> & { readonly root: string; readonly what: string },
): Promise<string> {
  if ('variable' in place) {
    const value = env[place.variable]?.trim() ?? '';
    if (value !== '') return value;
    throw new SetupError('usage', `${what}: the environment variable ${place.variable} is not set`);
  }
  const value = (await files.readText(resolve(root, place.file)))?.trim() ?? '';
  if (value !== '') return value;
  throw new SetupError('usage', `${what}: the file ${visible(place.file)} is missing or empty`);
}

/** The variables of the environment that hold secrets of the fleet; a run gets none but its own. */
export function secretVariables({ bases, notify, hookSecret }: Fleet): readonly string[] {
  const places = [...bases.map(({ key }) => key), notify, hookSecret];
  return ['DATABASE_URL', ...places.flatMap((place) => (place && 'variable' in place ? place.variable : []))];
}

/** Where what is known of a knowledge base is kept. */
export interface BasePlaces {
  readonly folder: string;
  readonly lock: string;
  readonly outcome: string;
  readonly state: string;
  readonly tree: string;
}

export function placesOf({ folder }: Fleet, base: Pick<KnowledgeBase, 'name' | 'environment'>): BasePlaces {
  const own = join(folder, 'bases', base.name);
  const state = base.environment === undefined ? 'state.json' : `state.${base.environment}.json`;
  return {
    folder: own,
    lock: join(own, 'run.lock'),
    outcome: join(own, 'outcome.json'),
    state: join(own, state),
    tree: join(own, 'tree.json'),
  };
}

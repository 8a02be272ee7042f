import type { Folder } from './files.ts';
import type { Machine } from './machine.ts';
import type { Chance } from './random.ts';
import type { World } from './world.ts';

/** What kind of trouble a world sees. Each is a probability. */
export interface Climate {
  readonly faults: number;
  readonly crashes: number;
  readonly editor: number;
  readonly prune: number;
  readonly choices: number;
  readonly secondClient: number;
  /** A folder that suddenly misses most of its files. */
  readonly exodus: number;
  /** Files that change places, a language that gets another name, a way back, runs about some records, files watched. */
  readonly habits: number;
  /** Pages that get another name, and say which one they had. */
  readonly tells: number;
}

/** A world and what has happened in it so far. */
export interface Life {
  readonly world: World;
  readonly climate: Climate;
  readonly chance: Chance;
  readonly stamp: boolean;
  readonly folder: Folder;
  /** Names of records that nothing may delete, and whose slugs stay. */
  protect: readonly string[];
  /** The folder as it was before each round. */
  readonly past: Folder[];
  crashes: number;
  runs: number;
  second?: Machine;
}

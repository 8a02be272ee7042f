import type { Value } from '../values.ts';

/** The repository, as its modules see it. Paths count from the content folder. */
export interface Repository {
  /** Undefined: there is no such file. */
  readonly readText: (path: string) => string | undefined;
  /** Where the file that the address of an import means may lie, best first; without the ending if the address has none. */
  readonly pathsOf: (from: string, address: string) => readonly string[];
  /** The path of a file from the folder of the page. */
  readonly fromPage: (file: string) => string;
  /** The statements of a file of MDX, of which the rest is text. */
  readonly statementsOf: (text: string) => readonly string[];
}

/** What a file gives to others. */
export interface Module {
  readonly value: (name: string) => Value;
  readonly local?: (name: string) => Value;
  /** What an object that is exported holds by a key, without a look at its other keys: a value, or a file of Markdown. Undefined: it does not say so itself. */
  readonly entry?: (exported: string, key: string) => Entry | undefined;
}

export interface Entry {
  readonly value?: Value;
  readonly part?: string;
}

/** What a file takes from another by the address of an import. */
export type Imported = (from: string, address: string, name: string) => Value;

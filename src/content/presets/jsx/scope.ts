import type { Node } from '../estree.ts';
import type { Value } from './values.ts';

/** What a file, a function or a block knows by name. */
export interface Scope {
  readonly names: Map<string, Value>;
  readonly above: Scope | undefined;
  /** The function that sets a state of React → the name of the state. */
  readonly states: Map<string, string>;
  /** A name that the file takes from elsewhere. */
  readonly imported?: (name: string) => Value;
  readonly world: World;
}

export interface World {
  /** What may still be done for the page, and written. */
  readonly budget: { steps: number; chars: number };
  /** Calls that wait for each other. */
  depth: number;
  /** Whether the layout explains a component of this name, which no file of the repository defines. */
  readonly isKnownPart: (name: string) => boolean;
  /** Whether what the layout makes of it is a picture. */
  readonly isPicture: (name: string) => boolean;
  /** Whether what the layout makes of it is a link. */
  readonly isLink: (name: string) => boolean;
  /** Whether the settings have a rule for a component of this name: it goes before the layout's. */
  readonly hasRule: (name: string) => boolean;
  /** What the page says of itself above its text. */
  readonly frontMatter: () => Value;
}

/** Nested scopes: parameters and constants of a function hide those of its file. */
export function scopeIn(above: Scope): Scope {
  return { names: new Map(), states: new Map(), above, world: above.world };
}

/** What an expression gives, handed to what stands below it: statements and elements. */
export type Evaluate = (node: Node, scope: Scope) => Value;

/** Calls and parts of an expression inside each other. */
export const DEPTH_MAX = 80;

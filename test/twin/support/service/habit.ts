import type { Rules } from './rules.ts';
import type { Kind, Row, Value, Values } from './row.ts';

export type Json = Readonly<Record<string, unknown>>;

export type Handler = (request: Request) => Promise<Response>;

/** What a habit may need of the service that it is a habit of. */
export interface Surroundings {
  readonly now: () => number;
  /** In [0, 1); seeded. */
  readonly random: () => number;
  readonly rows: () => readonly Row[];
}

export interface About {
  readonly reply: 'list' | 'read' | 'write' | 'tool' | 'error';
  /** Undefined for the tools. */
  readonly kind: Kind | undefined;
}

/** A value on its way into the store, or out of it to a reader. */
export type Rewrite = (value: Value, field: string, kind: Kind) => Value;

/** What is kept, and why: the row that is there already, everything that was sent with it, and all rows. */
export interface Keeping {
  readonly row: Row | undefined;
  readonly sent: Values;
  readonly rows: readonly Row[];
  readonly now: () => number;
}

export type Store = (value: Value, field: string, kind: Kind, keeping: Keeping) => Value;

/** One way in which a service may answer what the API text leaves open. */
export interface Habit {
  readonly rules?: Partial<Rules>;
  readonly stores?: Store;
  readonly shows?: (around: Surroundings) => Rewrite;
  /** The JSON of a reply, as this service writes it. */
  readonly shapes?: (around: Surroundings) => (body: Json, about: About) => unknown;
  /** The text of a reply, where its JSON is not written as JSON.stringify does. */
  readonly writes?: (text: string, about: About) => string;
  /** What stands between the service and the world. */
  readonly gateway?: (around: Surroundings) => (next: Handler) => Handler;
}

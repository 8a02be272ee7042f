import type { Key } from '../model/key.ts';

/** Whose side is taken where both sides changed, or where no witness tells; `fail` leaves the record to a person. */
export const TAKEN_SIDES = ['fail', 'local', 'remote'] as const;

/** `acknowledge`: the service's value stands, and the base remembers both. Chosen for single records only. */
export const DRIFT_CHOICES = ['report', 'overwrite', 'acknowledge'] as const;

/** What the user vouches for, each lifting one guard (guard.ts). */
export const ALLOWANCES = [
  'vanished',
  'scope-change',
  'incomplete-list',
  'empty-remote',
  'checkout',
  'older-commit',
  'renamed',
] as const;
export type Allowance = (typeof ALLOWANCES)[number];

/** What the truth table asks the user for. */
export interface Choices {
  readonly onConflict: (typeof TAKEN_SIDES)[number];
  readonly onDrift: (typeof DRIFT_CHOICES)[number];
  /** What to do with a record that exists on both sides when nothing tells which side changed it. */
  readonly adopt: (typeof TAKEN_SIDES)[number];
}

/** The user chose nothing. */
export const NO_CHOICES: Choices = { onConflict: 'fail', onDrift: 'report', adopt: 'fail' };

/** What a run was asked to do, as far as its plan follows from it. */
export interface PlanPolicy extends Choices {
  readonly prune: boolean;
  /** undefined: 20 % of the managed records or 10, whichever is larger. */
  readonly maxDelete: number | undefined;
  readonly allow: ReadonlySet<Allowance>;
  /** Only these languages; undefined: all. */
  readonly languages: readonly string[] | undefined;
  /** Only these records; undefined: all. */
  readonly only?: Only | undefined;
}

/**
 * The records of a run that is not about all. `all` writes whatever they need and deletes those without a file; `part`
 * is a sync of a part, under the same rules as one of all; `disputes` only resolves conflicts and drift: a record
 * without either is left as it is.
 */
export interface Only {
  readonly keys: ReadonlySet<Key>;
  readonly what: 'all' | 'part' | 'disputes';
}

/** Nothing is deleted, no side is taken, every guard holds. */
export const CAREFUL: PlanPolicy = {
  prune: false,
  maxDelete: undefined,
  onConflict: 'fail',
  onDrift: 'report',
  adopt: 'fail',
  allow: new Set(),
  languages: undefined,
};

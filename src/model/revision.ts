/** A commit that files were read from. */
export interface Revision {
  /** 40 or 64 hexadecimal digits. */
  readonly commit: string;
  /** For people; a commit is on no branch or on many. */
  readonly branch?: string;
  /** When it was committed, Unix ms: what is left to compare if one of two commits is not there. */
  readonly atMs?: number;
}

/**
 * How the commit that is checked out stands to the one that the state was written from. `first`: the state names none ·
 * `same` · `after`: that one is in its history · `before`: it is in the history of that one · `beside`: neither ·
 * `dated-before`, `dated-after`: the history is not there, and the dates say so · `untold`: nothing tells.
 */
export type Relation =
  | 'first'
  | 'same'
  | 'after'
  | 'before'
  | 'beside'
  | 'dated-before'
  | 'dated-after'
  | 'untold';

/** What is checked out, beside what the state was written from. */
export interface Checkout {
  /** undefined: nothing names a commit. */
  readonly own: Revision | undefined;
  readonly known: Revision | undefined;
  readonly relation: Relation;
}

/** The state is of a newer commit, as far as anybody can tell. */
export function isOlder({ relation }: Pick<Checkout, 'relation'>): boolean {
  return relation === 'before' || relation === 'dated-before';
}

/** `commit 1a2b3c4d5e (branch main)` */
export function revisionText({ commit, branch }: Revision): string {
  return `commit ${commit.slice(0, 10)}${branch === undefined ? '' : ` (branch ${branch})`}`;
}

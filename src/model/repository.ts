/** What this repository is called in its state and in the stamps of its records. */
export interface Repository {
  /** Written into state and stamps; undefined: nothing names the repository. */
  readonly id: string | undefined;
  /** Every name by which its own records may be known, `id` among them. A record of any other name is somebody else's. */
  readonly known: readonly string[];
  /** Of these, the names that it had before; the others are those of a fork and its original. */
  readonly former: readonly string[];
}

/** Where the names come from. */
export interface RepositoryNames {
  /** `id` in kbsync.yaml. */
  readonly configured?: string | undefined;
  /** `formerIds` in kbsync.yaml. */
  readonly former: readonly string[];
  /** Made from git's remotes, `origin` first. */
  readonly derived: readonly string[];
}

/** A folder that belongs to no known repository; migrations run as such. */
export const NAMELESS: RepositoryNames = { former: [], derived: [] };

/**
 * The repository as a run knows it: the id of kbsync.yaml, else the one that the state has kept, else the one that git's
 * remote gives. undefined: the state belongs to another repository.
 */
export function repositoryFrom(
  { configured, former, derived }: RepositoryNames,
  stateId: string | undefined,
): Repository | undefined {
  const names = [...(configured === undefined ? [] : [configured]), ...former, ...derived];
  if (stateId !== undefined && names.length > 0 && !names.includes(stateId)) return undefined;
  const id = configured ?? stateId ?? derived[0];
  const known = [...new Set([...names, ...(stateId === undefined ? [] : [stateId])])];
  // Whoever gives it a name replaces those that git's remotes gave it.
  return { id, known, former: (configured === undefined ? former : known).filter((name) => name !== id) };
}

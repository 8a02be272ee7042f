import { BaseError } from '../base/base.ts';
import type { BaseState } from '../model/record.ts';
import { repositoryFrom } from '../model/repository.ts';
import type { Repository, RepositoryNames } from '../model/repository.ts';

/**
 * Whose records a run takes for its own.
 *
 * @throws BaseError `other-repository` for a state that another repository left: what it knows is not ours to write.
 */
export function repositoryOf(names: RepositoryNames, state: BaseState): Repository {
  const found = repositoryFrom(names, state.repository);
  if (found !== undefined) return found;
  const own = names.configured ?? names.derived[0] ?? '';
  const id = state.repository ?? '';
  throw new BaseError(
    'other-repository',
    `the state belongs to the repository ${id}, and this one is ${own}. If kbsync.yaml and the state were copied from ` +
      `there, delete the state here. If this is the same repository under a new name, write \`formerIds: [${id}]\` into kbsync.yaml.`,
  );
}

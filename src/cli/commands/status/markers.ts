import { join, relative, sep } from 'node:path';
import { git } from '../../../machine/git.ts';
import type { Key } from '../../../model/key.ts';
import type { DesiredState } from '../../../model/record.ts';
import type { World } from '../../world.ts';

/** What the translations' own words say: the commit of the original that each was made from. */
export interface Markers {
  readonly commits: ReadonlyMap<Key, string>;
  /** Whether a file (relative to the working directory) differs from what it was; undefined: this clone does not have the commit. */
  readonly isChanged: (commit: string, file: string) => boolean | undefined;
}

const AT_ONCE = 8;

/** Asks git once for each commit that a translation names. */
export async function markersOf(
  { records }: Pick<DesiredState, 'records'>,
  folder: string,
  world: Pick<World, 'cwd'>,
): Promise<Markers> {
  const commits = new Map<Key, string>();
  for (const { key, isOriginal, sourceCommit } of records.values())
    if (!isOriginal && sourceCommit !== undefined) commits.set(key, sourceCommit);
  const changed = new Map<string, ReadonlySet<string> | undefined>();
  const wanted = [...new Set(commits.values())];
  const top = wanted.length === 0 ? undefined : (await git(['rev-parse', '--show-toplevel'], folder))?.trim();
  const next = async (): Promise<void> => {
    for (let commit = wanted.pop(); commit !== undefined; commit = wanted.pop())
      changed.set(
        commit,
        top === undefined ? undefined : await changedFiles(commit, { folder, top, cwd: world.cwd }),
      );
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return { commits, isChanged: (commit, file) => changed.get(commit)?.has(file) };
}

/** Files below the folder that are not what they were in a commit, relative to `cwd`; undefined where git cannot tell. */
export async function changedFiles(
  commit: string,
  { folder, top, cwd }: { readonly folder: string; readonly top: string; readonly cwd: string },
): Promise<ReadonlySet<string> | undefined> {
  const args = [
    'diff',
    '--name-only',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    `${commit}^{commit}`,
    '--',
    '.',
  ];
  const names = await git(args, folder);
  if (names === undefined) return undefined;
  const paths = names.split('\0').filter((name) => name !== '');
  return new Set(paths.map((name) => relative(cwd, join(top, name)).split(sep).join('/').normalize('NFC')));
}

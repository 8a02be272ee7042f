import { join, relative, sep } from 'node:path';
import { git } from '../../../machine/git.ts';

export interface LastCommit {
  readonly commit: string;
  /** Since 1970. */
  readonly seconds: number;
}

/**
 * The last commit of each file below a folder, by its path relative to `cwd`. Undefined where there is no history: no
 * repository, no git, or a clone of the last commit only, in which every file looks as new.
 */
export async function lastCommits(
  folder: string,
  cwd: string,
): Promise<ReadonlyMap<string, LastCommit> | undefined> {
  const top = (await git(['rev-parse', '--show-toplevel'], folder))?.trim();
  const isShallow = (await git(['rev-parse', '--is-shallow-repository'], folder))?.trim();
  if (top === undefined || isShallow !== 'false') return undefined;
  const args = [
    '-c',
    'core.quotePath=false',
    'log',
    '--format=%x00%H %ct',
    '--name-only',
    '--no-renames',
    '--',
    '.',
  ];
  const log = await git(args, folder);
  if (log === undefined) return undefined;
  const commits = new Map<string, LastCommit>();
  for (const entry of log.split('\0')) {
    const [head = '', ...files] = entry.split('\n').filter((line) => line !== '');
    const [commit = '', seconds] = head.split(' ');
    for (const file of files) {
      const path = relative(cwd, join(top, file)).split(sep).join('/').normalize('NFC');
      if (!commits.has(path)) commits.set(path, { commit, seconds: Number(seconds) });
    }
  }
  return commits;
}

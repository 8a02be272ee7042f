import { join, relative, sep } from 'node:path';
import { git } from '../../../machine/git.ts';

/**
 * When each file below a folder was last committed, in seconds since 1970, by its path relative to `cwd`. Undefined where
 * there is no history: no repository, no git, or a clone of the last commit only, in which every file looks as new.
 */
export async function commitTimes(
  folder: string,
  cwd: string,
): Promise<ReadonlyMap<string, number> | undefined> {
  const top = (await git(['rev-parse', '--show-toplevel'], folder))?.trim();
  const isShallow = (await git(['rev-parse', '--is-shallow-repository'], folder))?.trim();
  if (top === undefined || isShallow !== 'false') return undefined;
  const args = [
    '-c',
    'core.quotePath=false',
    'log',
    '--format=%x00%ct',
    '--name-only',
    '--no-renames',
    '--',
    '.',
  ];
  const log = await git(args, folder);
  if (log === undefined) return undefined;
  const times = new Map<string, number>();
  for (const commit of log.split('\0')) {
    const [time, ...files] = commit.split('\n').filter((line) => line !== '');
    for (const file of files) {
      const path = relative(cwd, join(top, file)).split(sep).join('/').normalize('NFC');
      if (!times.has(path)) times.set(path, Number(time));
    }
  }
  return times;
}

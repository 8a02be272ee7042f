import { posix, relative, sep } from 'node:path';
import { tameIgnoreLines } from '../files/tame-glob.ts';
import { ignore } from '../parsers.ts';

/**
 * Whether git ignores a file: it is in no clone, and what builds the site makes it. The `.gitignore` of each folder from the root of the repository down
 * to the file's counts, the nearest last (https://git-scm.com/docs/gitignore). `path` is relative to `root`, POSIX.
 */
export function gitIgnored(
  root: string,
  repository: string,
  readText: (path: string) => string | undefined,
): (path: string) => boolean {
  const toRepository = relative(root, repository).split(sep).join('/');
  const fromRepository = relative(repository, root).split(sep).join('/');
  const known = new Map<string, ReturnType<ReturnType<typeof ignore>> | undefined>();
  const rulesOf = (folder: string) => {
    if (known.has(folder)) return known.get(folder);
    const text = readText(posix.join(toRepository, folder, '.gitignore'));
    const rules = text === undefined ? undefined : ignore()().add(tameIgnoreLines(text));
    known.set(folder, rules);
    return rules;
  };
  return (path) => {
    const file = posix.join(fromRepository, path);
    if (file === '.' || file === '..' || file.startsWith('../') || file.startsWith('/')) return false;
    const parts = file.split('/');
    let isIgnored = false;
    for (let depth = 0; depth < parts.length; depth += 1) {
      const rest = parts.slice(depth).join('/');
      const said = rest === '' ? undefined : rulesOf(parts.slice(0, depth).join('/'))?.test(rest);
      if (said?.ignored === true) isIgnored = true;
      else if (said?.unignored === true) isIgnored = false;
    }
    return isIgnored;
  };
}

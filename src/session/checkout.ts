import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { visible } from '../model/visible.ts';
import type { Files } from '../machine/machine.ts';

/** What git leaves while one of its operations waits to be finished, and how people call it. */
const UNFINISHED: readonly (readonly [string, string])[] = [
  ['MERGE_HEAD', 'a merge is not finished'],
  ['REBASE_HEAD', 'a rebase is not finished'],
  ['rebase-merge/', 'a rebase is not finished'],
  ['rebase-apply/', 'a rebase is not finished'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick is not finished'],
  ['REVERT_HEAD', 'a revert is not finished'],
  ['index.lock', 'git is running, or was killed'],
];

/**
 * Why files may only seem to be gone, as git's own folder tells it (the program is not needed): an operation that waits
 * to be finished, a sparse checkout, or a submodule that is not there. Empty outside of a repository.
 */
export async function checkoutDoubts(contentDir: string, files: Files): Promise<readonly string[]> {
  const place = await gitPlace(contentDir, files);
  if (place === undefined) return [];
  const found = place.git;
  const names = new Set(await files.list(found));
  const unfinished = UNFINISHED.filter(([name]) => names.has(name));
  const said = new Map(unfinished.map(([name, what]) => [what, `${what} (${visible(join(found, name))})`]));
  const sparse = await sparseFile(found, files);
  return [
    ...said.values(),
    ...(sparse === undefined ? [] : [`the checkout is sparse (${visible(sparse)})`]),
    ...(await missingSubmodules(place.workTree, contentDir, files)).map(
      (path) => `the submodule ${visible(path)} is not checked out (git submodule update --init)`,
    ),
  ];
}

/** Submodules in the content folder, or around it, of which the checkout has nothing but the folder. */
async function missingSubmodules(
  workTree: string,
  contentDir: string,
  files: Files,
): Promise<readonly string[]> {
  const text = await files.readText(join(workTree, '.gitmodules'));
  if (text === undefined) return [];
  const missing: string[] = [];
  for (const [, written = ''] of text.matchAll(/^[ \t]*path[ \t]*=([^\n]*)$/gm)) {
    const path = written.trim().replace(/^"(.*)"$/, '$1');
    const folder = resolve(workTree, path);
    const isPart = isBelow(folder, contentDir) || isBelow(contentDir, folder);
    if (path !== '' && isPart && ((await files.list(folder)) ?? []).length === 0) missing.push(path);
  }
  return missing;
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}${sep}`);
}

/** The work tree that holds a folder, and git's own folder for it; a linked work tree and a submodule have a file that names it. */
export async function gitPlace(
  inside: string,
  files: Files,
): Promise<{ readonly workTree: string; readonly git: string } | undefined> {
  for (let folder = inside; ; folder = dirname(folder)) {
    const names = (await files.list(folder)) ?? [];
    const git = join(folder, '.git');
    if (names.includes('.git/')) return { workTree: folder, git };
    if (names.includes('.git')) {
      const target = /^gitdir: (.+)$/m.exec((await files.readText(git)) ?? '')?.[1]?.trim();
      return target === undefined ? undefined : { workTree: folder, git: resolve(folder, target) };
    }
    if (dirname(folder) === folder) return undefined;
  }
}

async function sparseFile(git: string, files: Files): Promise<string | undefined> {
  const file = join(git, 'info', 'sparse-checkout');
  if ((await files.readText(file)) === undefined) return undefined;
  const common = (await files.readText(join(git, 'commondir')))?.trim();
  const shared = common === undefined ? git : isAbsolute(common) ? common : join(git, common);
  for (const config of [join(git, 'config.worktree'), join(shared, 'config')]) {
    if (/^\s*sparsecheckout\s*=\s*(true|yes|on|1)\b/im.test((await files.readText(config)) ?? ''))
      return file;
  }
  return undefined;
}

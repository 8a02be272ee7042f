import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { realDisk } from '../../base/disk/real-disk.ts';
import { removeFolder } from './folders.ts';
import type { Git } from './run-git.ts';

export interface TreeOptions {
  readonly mirror: string;
  readonly commit: string;
  /** Folder of the knowledge base. */
  readonly folder: string;
  /** The file that says what is checked out. */
  readonly file: string;
}

interface Tree {
  readonly name: string;
  readonly commit: string;
  readonly mirror: string;
}

/**
 * The work tree of a knowledge base at a commit, absolute. What a killed run left half checked out is not mended but thrown
 * away: its git may still be writing there. @throws GitError
 */
export async function checkOut({ mirror, commit, folder, file }: TreeOptions, git: Git): Promise<string> {
  const known = await readTree(file);
  const path = known === undefined ? undefined : join(folder, known.name);
  if (known !== undefined && path !== undefined && known.mirror === mirror) {
    if (known.commit === commit) return path;
    await realDisk.remove(file);
    await git.run(['-C', path, 'reset', '--quiet', '--hard', commit]);
    await git.run(['-C', path, 'clean', '--quiet', '-ffdx']);
    await writeTree(file, { ...known, commit });
    return path;
  }
  await realDisk.makeDirectory(folder);
  for (const name of (await realDisk.list(folder)).filter((each) => each.startsWith('tree-'))) {
    await removeFolder(join(folder, name));
  }
  const fresh = join(folder, `tree-${randomBytes(4).toString('hex')}`);
  await git.run(['--git-dir', mirror, 'worktree', 'prune']);
  await git.run(['--git-dir', mirror, 'worktree', 'add', '--quiet', '--force', '--detach', fresh, commit]);
  await writeTree(file, { name: basename(fresh), commit, mirror });
  return fresh;
}

/** How many commits the knowledge base is behind: those of `head` that `synced` does not have. */
export async function commitsBehind(
  { mirror, synced, head }: { readonly mirror: string; readonly synced: string; readonly head: string },
  git: Git,
): Promise<number | undefined> {
  if (synced === head) return 0;
  // A branch that was rewritten may have lost the commit.
  const counted = await git
    .run(['--git-dir', mirror, 'rev-list', '--count', `${synced}..${head}`])
    .catch(() => undefined);
  return counted === undefined ? undefined : Number(counted.trim());
}

async function readTree(file: string): Promise<Tree | undefined> {
  const bytes = await realDisk.read(file);
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Tree; // written by writeTree
  } catch {
    return undefined;
  }
}

async function writeTree(file: string, tree: Tree): Promise<void> {
  await realDisk.write(`${file}.tmp`, JSON.stringify(tree));
  await realDisk.rename(`${file}.tmp`, file);
}

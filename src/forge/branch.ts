import { posix } from 'node:path';
import { runGit, type GitInput } from '../machine/git.ts';
import type { Files } from '../machine/machine.ts';
import { ForgeError } from './forge.ts';

/** A commit that holds some files anew, on top of the commit that is checked out. */
export interface Draft {
  readonly commit: string;
  readonly tree: string;
}

/** What a branch of ours says in its last line: the tree that kbsync committed. */
const TRAILER = 'Kbsync-Pull';
const REMOTE = 'origin';

/**
 * One repository with a remote `origin`. The checkout stays as it is: commits are made beside it and pushed by their id.
 * Every call throws ForgeError `git` if git fails.
 */
export interface Repository {
  /** The commit that is checked out. */
  readonly head: string;
  /** The branch that is checked out; undefined where HEAD is detached. */
  readonly branch: string | undefined;
  /** Those of the files, relative to the folder, that HEAD does not have, or has otherwise. */
  unfit(
    files: readonly string[],
  ): Promise<{ readonly untracked: readonly string[]; readonly edited: readonly string[] }>;
  /** HEAD with these files instead of its own; undefined where nothing differs. */
  draft(files: ReadonlyMap<string, string | Uint8Array>, message: string): Promise<Draft | undefined>;
  /** The branch as `origin` has it now; undefined where it has none. */
  tip(branch: string): Promise<Tip | undefined>;
  /** Moves the branch from its tip to a commit, or takes it away. @throws ForgeError `moved` where it has another tip. */
  push(branch: string, tip: Tip | undefined, commit: string | undefined): Promise<void>;
}

export interface Tip {
  readonly commit: string;
  readonly tree: string;
  /** kbsync made this commit, and nobody changed it. */
  readonly isOurs: boolean;
}

/** @throws ForgeError `git` outside of a repository */
export async function openRepository(folder: string, files: Pick<Files, 'remove'>): Promise<Repository> {
  const git = async (args: readonly string[], input: Partial<GitInput> = {}): Promise<string> => {
    const end = await runGit(args, { cwd: folder, ...input });
    if (end.isOk) return end.stdout;
    throw new ForgeError('git', `git ${args[0]}: ${lastWords(end.stderr)}`);
  };
  const head = (await git(['rev-parse', '--verify', 'HEAD^{commit}'])).trim();
  const prefix = (await git(['rev-parse', '--show-prefix'])).trim();
  const branch = await runGit(['symbolic-ref', '--quiet', '--short', 'HEAD'], { cwd: folder });
  return {
    head,
    branch: branch.isOk ? branch.stdout.trim() : undefined,
    unfit: async (wanted) => {
      const paths = new Map(wanted.map((file) => [file, inRepository(prefix, file)]));
      const known = new Set(
        (await git(['ls-tree', '-r', '-z', '--name-only', '--full-tree', head])).split('\0'),
      );
      const status = await git(['status', '--porcelain', '-z', '--untracked-files=no']);
      const edited = new Set(status.split('\0').map((line) => line.replace(/^.. /, '')));
      return {
        untracked: wanted.filter((file) => !known.has(paths.get(file) ?? '')),
        edited: wanted.filter((file) => edited.has(paths.get(file) ?? '')),
      };
    },
    draft: async (contents, message) => {
      const index = (
        await git(['rev-parse', '--path-format=absolute', '--git-path', `kbsync-index-${process.pid}`])
      ).trim();
      try {
        return await drafted(git, { head, prefix, contents, message, index });
      } finally {
        await files.remove(index);
      }
    },
    tip: async (name) => {
      const listed = await git(['ls-remote', REMOTE, `refs/heads/${name}`]);
      const commit = /^[0-9a-f]+/.exec(listed)?.[0];
      if (commit === undefined) return undefined;
      // A depth would make a whole clone a shallow one.
      const isShallow = (await git(['rev-parse', '--is-shallow-repository'])).trim() === 'true';
      await git(['fetch', '--quiet', '--no-tags', ...(isShallow ? ['--depth=1'] : []), REMOTE, commit]);
      const [tree = '', ...lines] = (await git(['show', '-s', '--format=%T%n%B', commit])).trim().split('\n');
      return { commit, tree, isOurs: lines.at(-1) === `${TRAILER}: ${tree}` };
    },
    push: async (name, tip, commit) => {
      const ref = `refs/heads/${name}`;
      const lease = `--force-with-lease=${ref}:${tip?.commit ?? ''}`;
      const end = await runGit(['push', '--quiet', '--no-verify', lease, REMOTE, `${commit ?? ''}:${ref}`], {
        cwd: folder,
      });
      if (end.isOk) return;
      if (/stale info|\[rejected\]/.test(end.stderr))
        throw new ForgeError(
          'moved',
          `the branch ${name} changed at the same time; nothing of it was overwritten`,
        );
      throw new ForgeError('git', `git push: ${lastWords(end.stderr)}`);
    },
  };
}

/** From the root of the repository; a navigation may lie above the folder (`../mkdocs.yml`). */
function inRepository(prefix: string, file: string): string {
  return posix.normalize(`${prefix}${file}`);
}

interface Drafting {
  readonly head: string;
  readonly prefix: string;
  readonly contents: ReadonlyMap<string, string | Uint8Array>;
  readonly message: string;
  /** A file of its own, so the checkout's index stays as it is. */
  readonly index: string;
}

async function drafted(
  git: (args: readonly string[], input?: Partial<GitInput>) => Promise<string>,
  { head, prefix, contents, message, index }: Drafting,
): Promise<Draft | undefined> {
  const env = { GIT_INDEX_FILE: index };
  await git(['read-tree', head], { env });
  const modes = new Map(
    (await git(['ls-files', '-s', '-z', '--full-name'], { env }))
      .split('\0')
      .map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, 6)] as const),
  );
  const lines: string[] = [];
  for (const [file, content] of contents) {
    const path = inRepository(prefix, file);
    // With its path, so the blob has the line ends that .gitattributes asks for.
    const blob = (await git(['hash-object', '-w', '--stdin', `--path=${path}`], { stdin: content })).trim();
    lines.push(`${modes.get(path) ?? '100644'} ${blob}\t${path}\0`);
  }
  await git(['update-index', '-z', '--index-info'], { env, stdin: lines.join('') });
  const tree = (await git(['write-tree'], { env })).trim();
  const changes = await git(['diff-tree', '-r', '-z', '--name-status', '--no-renames', head, tree]);
  if (changes === '') return undefined;
  if (/(?:^|\0)[^AM]\0/.test(changes))
    throw new ForgeError('git', 'a new file would take the place of a link or folder; nothing was committed');
  const ident = await identity(git);
  const text = `${message}\n\n${TRAILER}: ${tree}\n`;
  const commit = (
    await git(['commit-tree', tree, '-p', head, '-F', '-'], { env: ident, stdin: text })
  ).trim();
  return { commit, tree };
}

/** Who commits: whom git knows here, else kbsync. */
async function identity(
  git: (args: readonly string[]) => Promise<string>,
): Promise<Readonly<Record<string, string>>> {
  try {
    await git(['config', '--get', 'user.email']);
    return {};
  } catch {
    const [name, email] = ['kbsync', 'kbsync@localhost'];
    return {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
    };
  }
}

const WORDS_MAX = 300;

function lastWords(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const said =
    lines.find((line) => /^(?:fatal|error|remote: error|! )/.test(line)) ?? lines.find((line) => line !== '');
  // An address may hold a token.
  return (said ?? 'it failed without a word').replaceAll(/\/\/[^/@\s]+@/g, '//').slice(0, WORDS_MAX);
}

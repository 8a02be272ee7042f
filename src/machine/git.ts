import { execFile, type ChildProcess } from 'node:child_process';

const OUTPUT_BYTES_MAX = 64 * 2 ** 20;
const PS_MS_MAX = 5000;

/** What git prints, run in a folder; undefined where it fails: no git, no repository, no such commit. */
export function git(args: readonly string[], cwd: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile('git', [...args], { cwd, maxBuffer: OUTPUT_BYTES_MAX }, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
  });
}

/**
 * The top of the repository that holds a folder, and the commit where this branch left another; undefined where there is no
 * repository, and where git does not know the other.
 */
export async function startOf(
  ref: string,
  folder: string,
): Promise<{ readonly top: string | undefined; readonly fork: string | undefined }> {
  const top = (await git(['rev-parse', '--show-toplevel'], folder))?.trim();
  const named = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const commit = top === undefined ? undefined : (await git(named, folder))?.trim();
  if (commit === undefined) return { top, fork: undefined };
  return { top, fork: (await git(['merge-base', commit, 'HEAD'], folder))?.trim() ?? commit };
}

export interface GitEnd {
  readonly isOk: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GitInput {
  readonly cwd: string;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** Ends a git that still waits after so long. Default: never. */
  readonly timeoutMs?: number;
}

/** The same for calls whose failure has something to say. It never asks a question on a terminal, and speaks English. */
export function runGit(
  args: readonly string[],
  { cwd, env = {}, stdin = '', timeoutMs = 0 }: GitInput,
): Promise<GitEnd> {
  return new Promise((resolve) => {
    let isLate = false;
    let timer: NodeJS.Timeout | undefined;
    const child = execFile(
      'git',
      [...args],
      {
        cwd,
        maxBuffer: OUTPUT_BYTES_MAX,
        env: { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C', ...env },
      },
      (error, stdout, stderr) => {
        clearTimeout(timer);
        const why = isLate ? `git ${args[0] ?? ''} did not end within ${timeoutMs / 1000} s` : undefined;
        resolve({
          isOk: error === null && !isLate,
          stdout,
          stderr: why ?? (stderr || (error?.message ?? '')),
        });
      },
    );
    if (timeoutMs > 0) {
      timer = setTimeout(() => {
        isLate = true;
        void endTree(child);
      }, timeoutMs);
    }
    // A git that cannot start, or ends before it has read all, says why by its end.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(stdin);
  });
}

/**
 * Ends a program and what it has started: a git that is ended leaves its ssh behind. A process group of its own would do
 * too, but a program in such a group cannot ask for the passphrase of a key on the terminal.
 */
async function endTree(child: ChildProcess): Promise<void> {
  const below = await pidsBelow(child.pid);
  child.kill();
  for (const pid of below) {
    try {
      process.kill(pid);
    } catch {
      // It has ended meanwhile.
    }
  }
  // What holds the output open all the same is not waited for.
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/** As `ps` of POSIX tells; none where there is no such program. */
function pidsBelow(root: number | undefined): Promise<readonly number[]> {
  return new Promise((resolve) => {
    execFile('ps', ['-A', '-o', 'pid=', '-o', 'ppid='], { timeout: PS_MS_MAX }, (error, stdout) => {
      const pairs =
        error === null ? stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number)) : [];
      const found = new Set<number | undefined>([root]);
      // A child may stand before its parent in the list.
      for (let before = 0; before < found.size;) {
        before = found.size;
        for (const [pid, parent] of pairs) if (found.has(parent)) found.add(pid);
      }
      found.delete(root);
      resolve([...found].filter((pid) => pid !== undefined));
    });
  });
}

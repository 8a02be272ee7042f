import { execFile } from 'node:child_process';

const OUTPUT_BYTES_MAX = 64 * 2 ** 20;

/** What git prints, run in a folder; undefined where it fails: no git, no repository, no such commit. */
export function git(args: readonly string[], cwd: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile('git', [...args], { cwd, maxBuffer: OUTPUT_BYTES_MAX }, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
  });
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
    const child = execFile(
      'git',
      [...args],
      {
        cwd,
        maxBuffer: OUTPUT_BYTES_MAX,
        timeout: timeoutMs,
        env: { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C', ...env },
      },
      (error, stdout, stderr) => {
        const isLate = timeoutMs > 0 && error?.killed === true && error.signal === 'SIGTERM';
        const why = isLate ? `git ${args[0] ?? ''} did not end within ${timeoutMs / 1000} s` : undefined;
        resolve({ isOk: error === null, stdout, stderr: why ?? (stderr || (error?.message ?? '')) });
      },
    );
    // A git that cannot start, or ends before it has read all, says why by its end.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(stdin);
  });
}

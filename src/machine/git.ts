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
}

/** The same for calls whose failure has something to say. It never asks a question on a terminal, and speaks English. */
export function runGit(args: readonly string[], { cwd, env = {}, stdin = '' }: GitInput): Promise<GitEnd> {
  return new Promise((resolve) => {
    const child = execFile(
      'git',
      [...args],
      {
        cwd,
        maxBuffer: OUTPUT_BYTES_MAX,
        env: { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C', ...env },
      },
      (error, stdout, stderr) =>
        resolve({ isOk: error === null, stdout, stderr: stderr || (error?.message ?? '') }),
    );
    // A git that cannot start, or ends before it has read all, says why by its end.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(stdin);
  });
}

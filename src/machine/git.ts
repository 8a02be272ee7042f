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

import { execFile } from 'node:child_process';
import { join } from 'node:path';

export interface CommandEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const BIN = join(import.meta.dirname, '../../dist/cli/bin.js');

/** Runs the built command as a user does: a process of its own, without a terminal. Needs `npm run build`. */
export function kbsync(
  argv: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<CommandEnd> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '', ...options.env };
    execFile(
      process.execPath,
      [BIN, ...argv],
      { cwd: options.cwd, env, maxBuffer: 64 * 2 ** 20 },
      (error, stdout, stderr) =>
        resolve({
          code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1,
          stdout,
          stderr,
        }),
    );
  });
}

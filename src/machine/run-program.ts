import { spawn } from 'node:child_process';
import type { Env } from './machine.ts';

/** How a program ended. `code` undefined: it did not start, or was ended; `why` says which. */
export interface ProgramEnd {
  readonly code: number | undefined;
  readonly why: string;
  /** At most the first 64 kB. */
  readonly stdout: string;
  /** At most the last 4 kB. */
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly cwd: string;
  readonly env: Env;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type RunProgram = (words: readonly string[], options: ProgramOptions) => Promise<ProgramEnd>;

const STDOUT_CHARS_MAX = 65_536;
const STDERR_CHARS_MAX = 4096;
const GRACE_MS = 2000;

/** Runs a program without a shell: each word is one argument. What the program has started ends with it. */
export const runProgram: RunProgram = ([program = '', ...args], { cwd, env, timeoutMs, signal }) =>
  new Promise((resolve) => {
    const isGroup = process.platform !== 'win32';
    const child = spawn(program, args, {
      cwd,
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: isGroup,
      windowsHide: true,
    });
    let stdout = '';
    let stderr = '';
    let why = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(0, STDOUT_CHARS_MAX);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-STDERR_CHARS_MAX);
    });
    const kill = (name: 'SIGTERM' | 'SIGKILL'): void => {
      try {
        if (isGroup && child.pid !== undefined) process.kill(-child.pid, name);
        else child.kill(name);
      } catch {
        // It has ended meanwhile.
      }
    };
    let hard: NodeJS.Timeout | undefined;
    const end = (reason: string): void => {
      why = reason;
      kill('SIGTERM');
      hard ??= setTimeout(() => {
        kill('SIGKILL');
        // What has left the group may hold the output open for ever.
        child.stdout.destroy();
        child.stderr.destroy();
      }, GRACE_MS);
    };
    const timer = setTimeout(() => end(`it took longer than ${Math.round(timeoutMs / 1000)} s`), timeoutMs);
    const onAbort = (): void => end('the run was interrupted');
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    const done = (code: number | undefined, reason: string): void => {
      clearTimeout(timer);
      clearTimeout(hard);
      signal?.removeEventListener('abort', onAbort);
      resolve({ code, why: reason, stdout, stderr });
    };
    child.on('error', (error) => done(undefined, `it cannot be started: ${error.message}`));
    child.on('close', (code, name) =>
      done(
        why === '' ? (code ?? undefined) : undefined,
        why === '' ? (name === null ? `it ended with ${code ?? '?'}` : `it was ended by ${name}`) : why,
      ),
    );
  });

import { constants, readFileSync } from 'node:fs';
import { copyFile, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectory } from '../base/file.ts';
import type { Send } from '../remote/remote.ts';
import type { Env } from './colour.ts';

export interface Output {
  readonly write: (text: string) => void;
  readonly isTTY: boolean;
  /** Columns; 80 where a terminal does not say. */
  readonly columns: number;
}

export interface Clock {
  /** Wall clock, milliseconds. */
  now(): number;
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Calls back after `delayMs` unless cancelled; does not keep the process alive. */
  after(delayMs: number, callback: () => void): () => void;
}

export interface Files {
  /** The text, or undefined when there is no such file; other failures throw. */
  readText(file: string): Promise<string | undefined>;
  /** Creates missing folders. With `isNew`, an existing file throws (EEXIST). `mode` as for open(2). */
  writeText(
    file: string,
    text: string,
    options?: { readonly isNew?: boolean; readonly mode?: number },
  ): Promise<void>;
  /** Names in a folder, with a `/` after folders; undefined when there is no such folder. */
  list(folder: string): Promise<readonly string[] | undefined>;
  modifiedMs(file: string): Promise<number | undefined>;
  /** A copy under a new name; creates missing folders. An existing file throws (EEXIST). */
  copy(from: string, to: string): Promise<void>;
}

/** Everything the command needs from outside, so that `main` runs in a test as it runs in a terminal. */
export interface World {
  readonly version: string;
  readonly cwd: string;
  readonly env: Env;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Both ends of a conversation are a terminal. */
  readonly canAsk: boolean;
  readonly clock: Clock;
  readonly files: Files;
  random(): number;
  /** One line typed by a person, without the line end; empty when the input ends. */
  ask(question: string): Promise<string>;
  /** Calls back at each SIGINT or SIGTERM until the returned function is called. */
  onSignal(listener: (signal: 'SIGINT' | 'SIGTERM') => void): () => void;
  /** Ends the process at once. */
  leave(code: number): void;
  /** Connections to one origin; closing cuts what is under way. */
  connect(origin: string): Promise<Send & { close(): Promise<void> }>;
}

/** `package.json` beside `src` or `dist`. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return /"version": *"([^"]+)"/.exec(text)?.[1] ?? 'unknown';
}

/** What runs this, and what the package says it needs: `20.19.0`, `>=20.19`. */
export function nodeVersions(): { readonly running: string; readonly needed: string } {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return { running: process.versions.node, needed: /"node": *"([^"]+)"/.exec(text)?.[1] ?? '' };
}

export function realWorld(): World {
  return {
    version: packageVersion(),
    cwd: process.cwd(),
    env: process.env,
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    canAsk: process.stdin.isTTY && process.stderr.isTTY,
    clock: realClock,
    files: realFiles,
    random: realRandom,
    ask,
    onSignal,
    leave: (code) => process.exit(code),
    connect: async (origin) => {
      const { createSend } = await import('../remote/send.ts');
      return createSend({ origin });
    },
  };
}

function output(stream: NodeJS.WriteStream): Output {
  // A reader that has seen enough (`kbsync plan | head`) is not a failure.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    write: (text) => {
      stream.write(text);
    },
    isTTY: stream.isTTY,
    get columns() {
      return stream.columns > 0 ? stream.columns : 80;
    },
  };
}

/** In [0, 1). */
export const realRandom = (): number => Math.random();

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (delayMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const timer = setTimeout(done, delayMs);
      signal?.addEventListener('abort', done, { once: true });
      function done(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      }
    }),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export const realFiles: Files = {
  readText: (file) => orMissing(readFile(file, 'utf8')),
  writeText: async (file, text, options = {}) => {
    await makeDirectory(dirname(file));
    await writeFile(file, text, {
      flag: options.isNew === true ? 'wx' : 'w',
      ...(options.mode === undefined ? {} : { mode: options.mode }),
    });
  },
  list: async (folder) => {
    const entries = await orMissing(readdir(folder, { withFileTypes: true }));
    return entries?.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  },
  modifiedMs: async (file) => (await orMissing(stat(file)))?.mtimeMs,
  copy: async (from, to) => {
    await makeDirectory(dirname(to));
    await copyFile(from, to, constants.COPYFILE_EXCL);
  },
};

async function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) {
      return undefined;
    }
    throw error;
  }
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await Promise.race([
      terminal.question(question),
      new Promise<string>((resolve) => terminal.once('close', () => resolve(''))),
    ]);
  } finally {
    terminal.close();
  }
}

function onSignal(listener: (signal: 'SIGINT' | 'SIGTERM') => void): () => void {
  const onInterrupt = (): void => listener('SIGINT');
  const onTerminate = (): void => listener('SIGTERM');
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  return () => {
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onTerminate);
  };
}

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, createKey, openSqlite, systemClock } from '../../../../src/service/index.ts';
import { assertKeyIsNowhere } from '../../../support/canary.ts';
import { fillKnowledgeBase } from './knowledge-base.ts';

/** What users run; `npm test` builds it first. */
const BIN = join(import.meta.dirname, '../../../../dist/cli/bin.js');

export interface Ended {
  /** null: killed. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Most memory that it held, MB; 0 where the system does not tell. */
  readonly memoryMb: number;
  readonly durationMs: number;
}

export interface Running {
  readonly ended: Promise<Ended>;
  isAlive(): boolean;
  kill(): void;
}

/** Two real services over files of their own, and a folder for `kbsync migrate` from one to the other. */
export interface TwoServices {
  readonly files: { readonly from: string; readonly to: string };
  start(...argv: readonly string[]): Running;
  migrate(...argv: readonly string[]): Promise<Ended>;
  /** How many writes the journal of the migration knows of. */
  written(): Promise<number>;
  killTarget(): Promise<void>;
  startTarget(): Promise<void>;
  /** Ends both services; their files stay until `close`. */
  stop(): Promise<void>;
  /** Fails when a key was printed or written. */
  close(): Promise<void>;
}

interface Service {
  readonly process: Process;
  readonly url: string;
}

export async function twoServices(size: { readonly articles: number }): Promise<TwoServices> {
  const root = await mkdtemp(join(tmpdir(), 'kbsync-migration-'));
  const folder = await mkdtemp(join(tmpdir(), 'kbsync-migrating-'));
  const files = { from: join(root, 'from.sqlite'), to: join(root, 'to.sqlite') };
  const keys = { from: await keyOf(files.from), to: await keyOf(files.to) };
  await fill(files.from, keys.from, size.articles);
  const said: string[] = [];
  const children = new Set<Process>();
  const started = (argv: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Process => {
    const child = startProcess(argv, cwd, env);
    children.add(child);
    void keep(child);
    return child;
  };
  const keep = async (child: Process): Promise<void> => {
    const { stdout, stderr } = await child.ended;
    children.delete(child);
    said.push(stdout, stderr);
  };
  const serve = async (db: string, port: string): Promise<Service> => {
    const child = started(['serve', '--port', port, '--db', db], root, {});
    const url = await child.printed(/http:\/\/[\d.:]+/);
    return { process: child, url };
  };
  const from = await serve(files.from, '0');
  let to = await serve(files.to, '0');
  const { port } = new URL(to.url);
  const start = (...argv: readonly string[]): Process =>
    started(['migrate', '--from', from.url, '--to', to.url, ...argv], folder, {
      KBSYNC_FROM_KEY: keys.from,
      KBSYNC_TO_KEY: keys.to,
    });
  return {
    files,
    start,
    migrate: (...argv) => start(...argv).ended,
    written: async () => {
      const names = await readdir(join(folder, '.kbsync')).catch(() => []);
      const journal = names.find((name) => /journal/.test(name));
      if (journal === undefined) return 0;
      const text = await readFile(join(folder, '.kbsync', journal), 'utf8').catch(() => '');
      return text.split('\n').length - 1;
    },
    killTarget: async () => {
      to.process.kill();
      await to.process.ended;
    },
    startTarget: async () => {
      to = await serve(files.to, port);
    },
    stop: async () => {
      for (const { process: child } of [from, to]) child.stop();
      await Promise.all([from.process.ended, to.process.ended]);
    },
    close: async () => {
      for (const child of children) child.kill();
      await Promise.all([...children].map(({ ended }) => ended));
      try {
        for (const key of [keys.from, keys.to]) await assertKeyIsNowhere(key, said, folder);
      } finally {
        await rm(root, { recursive: true, force: true });
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function keyOf(file: string): Promise<string> {
  const store = openSqlite({ file, defaultLanguage: 'en' });
  const { key } = await createKey({ store, clock: systemClock, name: 'migration' });
  await store.close();
  return key;
}

/** Without sockets, and before the service is started. */
async function fill(file: string, key: string, articles: number): Promise<void> {
  const store = openSqlite({ file, defaultLanguage: 'en' });
  const app = createApp({ store, clock: systemClock });
  await fillKnowledgeBase(async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const init = { method, headers, body: JSON.stringify(body) };
    const response = await app.fetch(new Request(`http://127.0.0.1/api/v2/${path}`, init));
    if (!response.ok) throw new Error(`test: ${method} ${path}: ${await response.text()}`);
    return (response.headers.get('location') ?? '').split('/').at(-1) ?? '';
  }, articles);
  await store.close();
}

interface Process extends Running {
  /** SIGTERM. */
  stop(): void;
  printed(pattern: RegExp): Promise<string>;
}

function startProcess(argv: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Process {
  const startMs = performance.now();
  const { PATH = '' } = process.env;
  const child: ChildProcess = spawn(process.execPath, [BIN, ...argv], {
    cwd,
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr, memoryMb] = ['', '', 0];
  const waiting = new Set<() => void>();
  const look = setInterval(() => {
    memoryMb = Math.max(memoryMb, memoryOf(child.pid));
  }, 100);
  child.stdout?.on('data', (data: Buffer) => {
    stdout += data.toString();
    for (const wake of waiting) wake();
  });
  child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (exit) => {
      clearInterval(look);
      for (const wake of waiting) wake();
      resolve({ exit, stdout, stderr, memoryMb, durationMs: performance.now() - startMs });
    });
  });
  return {
    ended,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    kill: () => void child.kill('SIGKILL'),
    stop: () => void child.kill('SIGTERM'),
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const wake = (): void => {
          const found = pattern.exec(stdout)?.[0];
          if (found !== undefined) resolve(found);
          else if (child.exitCode !== null) reject(new Error(`test: it ended: ${stderr}`));
        };
        waiting.add(wake);
        wake();
      }),
  };
}

/** The high-water mark as Linux tells it. */
function memoryOf(pid: number | undefined): number {
  const file = `/proc/${pid ?? 0}/status`;
  if (pid === undefined || !existsSync(file)) return 0;
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

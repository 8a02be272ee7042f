import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { realClock } from '../../src/machine/machine.ts';
import { createSend } from '../../src/remote/http/send.ts';
import { openSharedStore } from '../../src/shared-state/open.ts';
import { owner } from '../shared-state/support/conformance.ts';
import { assertKeyIsNowhere } from '../support/canary.ts';
import { faultProxy, type FaultProxy } from '../support/fault-proxy.ts';

/** What users run; `npm test` builds it first. */
const BIN = join(import.meta.dirname, '../../dist/cli/bin.js');

export interface Ended {
  /** null: killed. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
  stderrNow(): string;
  /** Resolves when stderr holds the text, or the process has ended. */
  said(text: string): Promise<void>;
}

/** Where the runs of a lane remember: a file, or what machines share. */
export type LaneState = 'file' | 'serve' | 'git' | { readonly postgres: string };

/** A real service process, a proxy before it and a folder, for one real command after another. */
export interface Lane {
  readonly folder: string;
  readonly proxy: FaultProxy;
  start(...argv: readonly string[]): Running;
  run(...argv: readonly string[]): Promise<Ended>;
  write(files: ReadonlyMap<string, string>): Promise<void>;
  /** Runs begin without a state: of a shared one, under another name. */
  forget(): Promise<void>;
  /** The lease of a shared state ends; nothing of a run that died may be under way any more. */
  endLease(): Promise<void>;
  /** Straight to the service. */
  ask(method: string, path: string, body?: unknown): Promise<unknown>;
  killService(): Promise<void>;
  startService(): Promise<void>;
  /** Ends all, and throws when the key was printed or written anywhere. */
  close(): Promise<void>;
}

export async function openLane(state: LaneState = 'file'): Promise<Lane> {
  const root = await mkdtemp(join(tmpdir(), 'kbsync-process-'));
  const folder = join(root, 'docs');
  await mkdir(folder);
  const said: string[] = [];
  const children = new Set<Running>();
  let service: { readonly process: Running; readonly url: string } | undefined;

  const startAt = (cwd: string, argv: readonly string[], env: Readonly<Record<string, string>>): Watched => {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [BIN, ...argv], {
      cwd,
      env: { PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const running = watched(child);
    children.add(running);
    void forgetEnded(running);
    return running;
  };

  const forgetEnded = async (running: Running): Promise<void> => {
    const { stdout, stderr } = await running.ended;
    children.delete(running);
    said.push(stdout, stderr);
  };

  const startService = async (): Promise<void> => {
    const running = startAt(
      root,
      [
        'serve',
        '--port',
        '0',
        '--db',
        'kb.sqlite',
        '--key-file',
        'key.txt',
        '--state-key-file',
        'state.txt',
        '--json',
      ],
      {},
    );
    await running.said('key');
    const url = /http:\/\/[\d.:]+/.exec(running.stdoutNow())?.[0];
    if (url === undefined) throw new Error(`test: the service does not start: ${running.stderrNow()}`);
    service = { process: running, url };
    lane?.proxy.retarget(url);
  };

  let lane: Lane | undefined;
  await startService();
  const key = (await readFile(join(root, 'key.txt'), 'utf8')).trim();
  const proxy = await faultProxy(service?.url ?? '');
  // As `kbsync init` writes it: without a name, a record of another title is nobody's in a clone without a state.
  await writeFile(join(folder, 'kbsync.yaml'), 'id: lane\n');
  const stateKey = (await readFile(join(root, 'state.txt'), 'utf8')).trim();
  if (state === 'git') {
    execFileSync('git', ['init', '-q', '--bare', 'remote.git'], { cwd: root });
    execFileSync('git', ['init', '-q'], { cwd: folder });
    execFileSync('git', ['remote', 'add', 'origin', join(root, 'remote.git')], { cwd: folder });
  }
  let life = 0;
  const stateEnv = (): Readonly<Record<string, string>> => {
    if (state === 'file') return {};
    if (state === 'git') return { KBSYNC_STATE: `git:refs/kbsync/life-${life}`, HOME: root };
    if (state === 'serve')
      return {
        KBSYNC_STATE: `${service?.url ?? ''}/api/state/life-${life}`,
        KBSYNC_STATE_PASSWORD: stateKey,
      };
    const url = new URL(state.postgres);
    url.searchParams.set('state', `${basename(root)}-${life}`);
    return { KBSYNC_STATE: url.href };
  };
  const env = (): Readonly<Record<string, string>> => ({
    KBSYNC_API_KEY: key,
    KBSYNC_BASE_URL: proxy.url,
    ...stateEnv(),
  });
  lane = {
    folder,
    proxy,
    start: (...argv) => startAt(folder, argv, env()),
    run: (...argv) => startAt(folder, argv, env()).ended,
    write: async (files) => {
      await rm(join(folder, 'content'), { recursive: true, force: true });
      for (const [file, text] of files) {
        await mkdir(dirname(join(folder, file)), { recursive: true });
        await writeFile(join(folder, file), text);
      }
    },
    forget: async () => {
      life += 1;
      await rm(join(folder, '.kbsync'), { recursive: true, force: true });
    },
    endLease: async () => {
      const { KBSYNC_STATE: address = '', ...others } = stateEnv();
      const store = await openSharedStore({
        address,
        source: 'KBSYNC_STATE',
        from: 'environment',
        env: others,
        root: folder,
        connect: (origin) => Promise.resolve(createSend({ origin })),
        clock: realClock,
      });
      try {
        const answer = await store.lock({ ...owner(), id: randomBytes(16).toString('hex') });
        if ('lease' in answer) await answer.lease.release();
        else await store.unlock(answer.heldBy.id ?? '');
      } finally {
        await store.close();
      }
    },
    ask: async (method, path, body) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const response = await fetch(`${service?.url ?? ''}${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`test: ${method} ${path}: ${await response.text()}`);
      return response.json();
    },
    killService: async () => {
      service?.process.kill('SIGKILL');
      await service?.process.ended;
    },
    startService,
    close: async () => {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all([...children].map(({ ended }) => ended));
      await proxy.close();
      try {
        await assertKeyIsNowhere(key, said, folder);
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    },
  };
  return lane;
}

interface Watched extends Running {
  stdoutNow(): string;
}

function watched(child: ChildProcess): Watched {
  let stdout = '';
  let stderr = '';
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    woken.forEach((each) => each());
  };
  const life = { hasEnded: false };
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    wake();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    wake();
  });
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (exit) => {
      life.hasEnded = true;
      wake();
      resolve({ exit, stdout, stderr });
    }),
  );
  return {
    pid: child.pid ?? 0,
    ended,
    kill: (signal) => void child.kill(signal),
    stdoutNow: () => stdout,
    stderrNow: () => stderr,
    said: async (text) => {
      while (!stderr.includes(text) && !life.hasEnded) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}

import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { main } from '../../../src/cli/main.ts';
import { realWorld, type World } from '../../../src/cli/world.ts';
import type { Send } from '../../../src/remote/remote.ts';
import { createApp, createKey, filesOnDisk, openSqlite, systemClock } from '../../../src/service/index.ts';
import type { Store } from '../../../src/service/index.ts';
import { runProgram } from '../../../src/machine/run-program.ts';

/** A folder, the real clock, real file events and the real service in this process, for commands that go on. */
export interface LiveWorld {
  readonly cwd: string;
  readonly store: Store;
  readonly service: { readonly key: string; readonly fetch: Send };
  /** Requests that reached the service, as `GET /api/v2/tags`, each with its time. */
  readonly sent: { readonly text: string; readonly atMs: number }[];
  wrap: (send: Send) => Send;
  start(...argv: readonly string[]): Running;
  write(file: string, text: string | Buffer): Promise<void>;
  read(file: string): Promise<string>;
  move(from: string, to: string): Promise<void>;
  remove(file: string): Promise<void>;
  /** As a reader asks: not wrapped, not counted. */
  get(target: string): Promise<Response>;
  /** The same as an editor of the site. */
  ask(method: string, path: string, body?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export interface Running {
  readonly exit: Promise<number>;
  stdout(): string;
  stderr(): string;
  /** Resolves when what is printed fits. */
  until(pattern: RegExp | ((stdout: string) => boolean)): Promise<void>;
  interrupt(): Promise<number>;
}

/** How a command ended, and what it printed. */
export async function ranIn(world: LiveWorld, ...argv: readonly string[]) {
  const started = world.start(...argv);
  const code = await started.exit;
  return {
    code,
    text: started.stdout() + started.stderr(),
    json: () => JSON.parse(started.stdout()) as Record<string, unknown>,
  };
}

export const LIVE_URL = 'https://help.acme.test';
const UNTIL_MS = 20_000;
const machine = realWorld();

export async function liveWorld(
  files: Readonly<Record<string, string | Buffer>>,
  {
    keepsFiles = false,
    redirects = false,
  }: { readonly keepsFiles?: boolean; readonly redirects?: boolean } = {},
): Promise<LiveWorld> {
  const cwd = await mkdtemp(join(tmpdir(), 'kbsync-live-'));
  const store = openSqlite({ file: ':memory:', defaultLanguage: 'en' });
  const bytes = filesOnDisk(join(cwd, '.stored'));
  const app = createApp({
    store,
    clock: systemClock,
    redirects,
    ...(keepsFiles ? { files: { bytes } } : {}),
  });
  const { key } = await createKey({ store, clock: systemClock, name: 'live' });
  const runs: Running[] = [];
  const path = (file: string): string => join(cwd, file);
  const live: LiveWorld = {
    cwd,
    store,
    service: { key, fetch: app.fetch },
    sent: [],
    wrap: (send) => send,
    start: (...argv) => {
      const run = start(argv, live, key, app.fetch);
      runs.push(run);
      return run;
    },
    write: async (file, text) => {
      await mkdir(dirname(path(file)), { recursive: true });
      await writeFile(path(file), text);
    },
    read: (file) => readFile(path(file), 'utf8'),
    move: async (from, to) => {
      await mkdir(dirname(path(to)), { recursive: true });
      await rename(path(from), path(to));
    },
    remove: (file) => rm(path(file), { recursive: true, force: true }),
    ask: async (method, target, body) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
      const response = await app.fetch(new Request(`${LIVE_URL}${target}`, init));
      if (!response.ok) throw new Error(`test: ${method} ${target}: ${await response.text()}`);
      return response.json();
    },
    get: async (target) => app.fetch(new Request(`${LIVE_URL}${target}`)),
    close: async () => {
      await Promise.allSettled(runs.map((run) => run.interrupt()));
      await store.close();
      await rm(cwd, { recursive: true, force: true });
    },
  };
  for (const [file, text] of Object.entries(files)) await live.write(file, text);
  return live;
}

function start(argv: readonly string[], live: LiveWorld, key: string, fetch: Send): Running {
  let out = '';
  let err = '';
  const waiters = new Set<() => void>();
  const signals = new Set<(name: 'SIGINT' | 'SIGTERM') => void>();
  const world: World = {
    ...machine,
    version: '0.0.0-test',
    cwd: live.cwd,
    env: { KBSYNC_API_KEY: key, KBSYNC_BASE_URL: LIVE_URL, LC_ALL: 'C.UTF-8' },
    stdout: {
      write: (text) => {
        out += text;
        for (const waiter of waiters) waiter();
      },
      isTTY: false,
      columns: 100,
    },
    stderr: { write: (text) => void (err += text), isTTY: false, columns: 100 },
    canAsk: false,
    onSignal: (listener) => {
      signals.add(listener);
      return () => void signals.delete(listener);
    },
    runProgram,
    leave: () => undefined,
    connect: () => {
      const counted: Send = (request) => {
        const text = `${request.method} ${new URL(request.url).pathname}`;
        live.sent.push({ text, atMs: performance.now() });
        return live.wrap(fetch)(request);
      };
      return Promise.resolve(Object.assign(counted, { close: () => Promise.resolve() }));
    },
  };
  const exit = main(argv, world);
  const running: Running = {
    exit,
    stdout: () => out,
    stderr: () => err,
    until: (wanted) =>
      new Promise((resolve, reject) => {
        const fits = (): boolean => (wanted instanceof RegExp ? wanted.test(out) : wanted(out));
        const give = setTimeout(
          () => end(new Error(`test: not printed: ${String(wanted)}\n${out}\n${err}`)),
          UNTIL_MS,
        );
        const look = (): void => {
          if (fits()) end();
        };
        const end = (error?: Error): void => {
          clearTimeout(give);
          waiters.delete(look);
          if (error === undefined) resolve();
          else reject(error);
        };
        waiters.add(look);
        exit.then(
          () => (fits() ? end() : end(new Error(`test: ended before ${String(wanted)}\n${out}\n${err}`))),
          (error: Error) => end(error),
        );
        look();
      }),
    interrupt: () => {
      for (const signal of signals) signal('SIGINT');
      return exit;
    },
  };
  return running;
}

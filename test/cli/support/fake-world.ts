import { realFiles } from '../../../src/machine/machine.ts';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { main } from '../../../src/cli/main.ts';
import { type World } from '../../../src/cli/world.ts';
import type { Send } from '../../../src/remote/remote.ts';
import { createApp, createKey, openSqlite } from '../../../src/service/index.ts';
import type { Store } from '../../../src/service/index.ts';
import { assertKeyIsNowhere } from '../../support/canary.ts';
import { seededRandom } from '../../support/random.ts';
import { runProgram } from '../../../src/machine/run-program.ts';

export interface Ran {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A terminal, a folder and a clock for `main`; everything it prints is kept. */
export interface FakeWorld {
  readonly cwd: string;
  readonly env: Record<string, string | undefined>;
  /** What a person types at the next questions; none left means the input has ended. */
  readonly typed: string[];
  readonly asked: string[];
  readonly left: number[];
  /** Requests that reached the service, as `GET /api/v2/tags`. */
  readonly sent: string[];
  tty: { stdout: boolean; stderr: boolean; stdin: boolean };
  /** Stands between the client and the service. */
  wrap: (send: Send) => Send;
  /** Other hosts that answer in this world, by origin. */
  readonly elsewhere: Map<string, Send>;
  /** What `main` is handed. */
  world(): World;
  run(...argv: readonly string[]): Promise<Ran>;
  signal(name: 'SIGINT' | 'SIGTERM'): void;
  /** Text that is on stderr now, also while a command is still running. */
  stderrNow(): string;
  stdoutNow(): string;
  advance(ms: number): void;
  write(file: string, text: string): Promise<void>;
  read(file: string): Promise<string>;
  remove(file: string): Promise<void>;
  service: Service;
  /** Ends the world, and fails the test when the key was printed or written anywhere. */
  close(): Promise<void>;
}

export interface Service {
  readonly store: Store;
  readonly key: string;
  readonly fetch: Send;
}

export const BASE_URL = 'https://help.acme.test';

/**
 * A folder with a service behind it; the address answers only inside this world. `languages` are those of the service, the one of the
 * originals first; without them it takes any.
 */
export async function fakeWorld(
  files: Readonly<Record<string, string>> = {},
  { languages }: { readonly languages?: readonly string[] } = {},
): Promise<FakeWorld> {
  const cwd = await mkdtemp(join(tmpdir(), 'kbsync-cli-'));
  let nowMs = Date.now();
  const clock = {
    now: () => nowMs,
    sleep: (ms: number) => {
      nowMs += ms;
      return Promise.resolve();
    },
    after: (delayMs: number, callback: () => void) => {
      const timer = { atMs: nowMs + delayMs, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
  const timers = new Set<{ readonly atMs: number; readonly callback: () => void }>();
  const listeners = new Set<(name: 'SIGINT' | 'SIGTERM') => void>();
  const service = await openService(clock, languages);
  const random = seededRandom(7);
  const said: string[] = [];
  let out = '';
  let err = '';

  const fake: FakeWorld = {
    cwd,
    env: { KBSYNC_API_KEY: service.key, KBSYNC_BASE_URL: BASE_URL, LC_ALL: 'C.UTF-8' },
    typed: [],
    asked: [],
    left: [],
    sent: [],
    tty: { stdout: false, stderr: false, stdin: false },
    wrap: (send) => send,
    elsewhere: new Map(),
    service,
    signal: (name) => listeners.forEach((listener) => listener(name)),
    stderrNow: () => err,
    stdoutNow: () => out,
    advance: (ms) => {
      nowMs += ms;
      for (const timer of [...timers].filter(({ atMs }) => atMs <= nowMs)) {
        timers.delete(timer);
        timer.callback();
      }
    },
    write: async (file, text) => {
      await mkdir(dirname(join(cwd, file)), { recursive: true });
      await writeFile(join(cwd, file), text);
    },
    read: (file) => readFile(join(cwd, file), 'utf8'),
    remove: (file) => rm(join(cwd, file), { recursive: true, force: true }),
    world: () => world(),
    run: async (...argv) => {
      out = '';
      err = '';
      try {
        const exit = await main(argv, world());
        return { exit, stdout: out, stderr: err };
      } finally {
        said.push(out, err);
      }
    },
    close: async () => {
      await service.store.close();
      try {
        await assertKeyIsNowhere(service.key, [...said, out, err], cwd);
      } finally {
        await rm(cwd, { recursive: true, force: true });
      }
    },
  };

  const world = (): World => ({
    version: '0.0.0-test',
    cwd,
    env: fake.env,
    stdout: { write: (text) => void (out += text), isTTY: fake.tty.stdout, columns: 100 },
    stderr: { write: (text) => void (err += text), isTTY: fake.tty.stderr, columns: 100 },
    canAsk: fake.tty.stdin && fake.tty.stderr,
    clock,
    files: realFiles,
    random,
    ask: (question) => {
      fake.asked.push(question);
      return Promise.resolve(fake.typed.shift() ?? '');
    },
    onSignal: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    runProgram,
    leave: (code) => void fake.left.push(code),
    connect: (origin) => {
      const other = fake.elsewhere.get(origin);
      if (other !== undefined)
        return Promise.resolve(Object.assign(other.bind(undefined), { close: () => Promise.resolve() }));
      if (origin !== BASE_URL) throw new Error(`test: nothing answers at ${origin}`);
      const counted: Send = (request) => {
        fake.sent.push(`${request.method} ${new URL(request.url).pathname}`);
        return fake.wrap(service.fetch)(request);
      };
      return Promise.resolve(Object.assign(counted, { close: () => Promise.resolve() }));
    },
  });

  for (const [file, text] of Object.entries(files)) await fake.write(file, text);
  return fake;
}

async function openService(
  clock: { now(): number },
  languages: readonly string[] | undefined,
): Promise<Service> {
  const store = openSqlite({ file: ':memory:', defaultLanguage: languages?.[0] ?? 'en' });
  const app = createApp({ store, clock, insights: true, ...(languages === undefined ? {} : { languages }) });
  const { key } = await createKey({ store, clock, name: 'test' });
  return { store, key, fetch: (request) => app.fetch(request) };
}

/** Two articles, one with a translation, a category and a tag. */
export const SMALL: Readonly<Record<string, string>> = {
  'content/en/categories/start.md': '---\nname: Start\n---\n',
  'content/en/tags/cli.md': '---\nname: CLI\n---\n',
  'content/en/articles/install.md':
    '---\ntitle: Install\ncategories: [start]\ntags: [cli]\n---\n\nRun it on your machine.\n',
  'content/fr/articles/install.md':
    '---\ntitle: Installer\ncategories: [start]\ntags: [cli]\n---\n\nLancez-le.\n',
  'content/en/articles/update.md':
    '---\ntitle: Update\ncategories: [start]\n---\n\nSee [install](install.md).\n',
};

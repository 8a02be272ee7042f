import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '../../../src/cli/main.ts';
import { realWorld, type World } from '../../../src/cli/world.ts';
import type { Send } from '../../../src/remote/remote.ts';
import { createApp, createKey, filesOnDisk, openSqlite } from '../../../src/service/index.ts';
import type { Store } from '../../../src/service/index.ts';
import { assertKeyIsNowhere } from '../../support/canary.ts';
import { knowledgeOf } from '../../support/knowledge.ts';
import { seededRandom } from '../../support/random.ts';
import type { Ran } from './fake-world.ts';
import { runProgram } from '../../../src/machine/run-program.ts';

type SideName = 'from' | 'to';

export const ORIGINS = { from: 'https://old.acme.test', to: 'https://new.acme.test' } as const;

export interface KnowledgeBase {
  readonly store: Store;
  readonly key: string;
  /** Requests of the command, as `GET /api/v2/tags`. */
  readonly sent: string[];
  readonly fetch: Send;
  /** Stands between the command and the service. */
  wrap: (send: Send) => Send;
  /** As an editor of the site: not wrapped, not counted; the id of a new record. */
  readonly put: (kind: Collection, body: object) => Promise<string>;
  readonly edit: (kind: Collection, id: string, body: object) => Promise<void>;
  readonly remove: (kind: Collection, id: string) => Promise<void>;
  readonly read: (path: string) => Promise<Readonly<Record<string, unknown>>>;
}

type Collection = 'articles' | 'categories' | 'tags';

const machine = realWorld();

/** Two knowledge bases and a folder, for `kbsync migrate`. */
export interface MigrateWorld {
  readonly cwd: string;
  readonly env: Record<string, string | undefined>;
  readonly from: KnowledgeBase;
  readonly to: KnowledgeBase;
  readonly typed: string[];
  readonly asked: string[];
  isTerminal: boolean;
  /** `kbsync migrate --from … --to …` and these. */
  migrate(...argv: readonly string[]): Promise<Ran>;
  run(...argv: readonly string[]): Promise<Ran>;
  signal(): void;
  now(): number;
  write(file: string, text: string): Promise<void>;
  readFile(file: string): Promise<string>;
  /** Names below `.kbsync`. */
  states(): Promise<readonly string[]>;
  /** What people see of both sides, without ids and stamps. */
  both(): Promise<readonly [unknown, unknown]>;
  /** Fails the test when a key was printed or written anywhere. */
  close(): Promise<void>;
}

export async function migrateWorld({
  keepsFiles = { from: false, to: false },
}: { readonly keepsFiles?: Readonly<Record<SideName, boolean>> } = {}): Promise<MigrateWorld> {
  const cwd = await mkdtemp(join(tmpdir(), 'kbsync-migrate-'));
  let nowMs = Date.UTC(2026, 10, 20);
  const clock = {
    now: () => nowMs,
    sleep: (ms: number) => {
      nowMs += ms;
      return Promise.resolve();
    },
    after: () => () => undefined,
  };
  const from = await knowledgeBase('from', clock, keepsFiles.from ? join(cwd, 'files-from') : undefined);
  const to = await knowledgeBase('to', clock, keepsFiles.to ? join(cwd, 'files-to') : undefined);
  const random = seededRandom(11);
  const listeners = new Set<(name: 'SIGINT' | 'SIGTERM') => void>();
  const said: string[] = [];
  const world: MigrateWorld = {
    cwd,
    env: { KBSYNC_FROM_KEY: from.key, KBSYNC_TO_KEY: to.key, LC_ALL: 'C.UTF-8' },
    from,
    to,
    typed: [],
    asked: [],
    isTerminal: false,
    migrate: (...argv) => world.run('migrate', '--from', ORIGINS.from, '--to', ORIGINS.to, ...argv),
    run: async (...argv) => {
      let [out, err] = ['', ''];
      const terminal: World = {
        ...machine,
        version: '0.0.0-test',
        cwd,
        env: world.env,
        stdout: { write: (text) => void (out += text), isTTY: world.isTerminal, columns: 100 },
        stderr: { write: (text) => void (err += text), isTTY: world.isTerminal, columns: 100 },
        canAsk: world.isTerminal,
        clock,
        random,
        ask: (question) => {
          world.asked.push(question);
          return Promise.resolve(world.typed.shift() ?? '');
        },
        onSignal: (listener) => {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
        runProgram,
        leave: () => undefined,
        connect: (origin) => Promise.resolve(connectionTo(origin, { from, to })),
      };
      const exit = await main(argv, terminal);
      said.push(out, err);
      return { exit, stdout: out, stderr: err };
    },
    now: () => nowMs,
    signal: () => listeners.forEach((listener) => listener('SIGINT')),
    write: (file, text) => writeFile(join(cwd, file), text),
    readFile: (file) => readFile(join(cwd, file), 'utf8'),
    states: () => readdir(join(cwd, '.kbsync')).catch(() => []),
    both: async () => [await shownBy(from.store), await shownBy(to.store)],
    close: async () => {
      await from.store.close();
      await to.store.close();
      try {
        for (const { key } of [from, to]) await assertKeyIsNowhere(key, said, cwd);
      } finally {
        await rm(cwd, { recursive: true, force: true });
      }
    },
  };
  return world;
}

function connectionTo(
  origin: string,
  sides: Readonly<Record<SideName, KnowledgeBase>>,
): Send & { close(): Promise<void> } {
  const name = origin === ORIGINS.from ? 'from' : origin === ORIGINS.to ? 'to' : undefined;
  if (name === undefined) throw new Error(`test: nothing answers at ${origin}`);
  const side = sides[name];
  const counted: Send = (request) => {
    const { pathname, search } = new URL(request.url);
    side.sent.push(`${request.method} ${pathname}${search}`);
    return side.wrap(side.fetch)(request);
  };
  return Object.assign(counted, { close: () => Promise.resolve() });
}

async function knowledgeBase(
  name: SideName,
  clock: { now(): number },
  folder: string | undefined,
): Promise<KnowledgeBase> {
  const store = openSqlite({ file: ':memory:', defaultLanguage: 'en' });
  const files = folder === undefined ? {} : { files: { bytes: filesOnDisk(folder) } };
  const app = createApp({ store, clock, ...files });
  const { key } = await createKey({ store, clock, name });
  const ask = async (method: string, path: string, body?: object): Promise<Response> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await app.fetch(new Request(`${ORIGINS[name]}/api/v2/${path}`, init));
    if (!response.ok) throw new Error(`test: ${method} ${path}: ${await response.text()}`);
    return response;
  };
  return {
    store,
    key,
    sent: [],
    fetch: (request) => app.fetch(request),
    wrap: (send) => send,
    put: async (kind, body) => {
      const response = await ask('PUT', kind, body);
      return (response.headers.get('location') ?? '').split('/').at(-1) ?? '';
    },
    edit: async (kind, id, body) => void (await ask('POST', `${kind}/${id}`, body)),
    remove: async (kind, id) => void (await ask('DELETE', `${kind}/${id}`)),
    // Every answer of the service is a JSON object.
    read: async (path) => (await (await ask('GET', path)).json()) as Readonly<Record<string, unknown>>,
  };
}

async function shownBy(store: Store): Promise<unknown> {
  const rows = await knowledgeOf(store);
  const names = new Map(rows.map(({ id, kind, slug }) => [id, `${kind} ${slug}`]));
  return rows
    .map(({ kind, lang, original, name, slug, text, status, refs }) => ({
      kind,
      lang,
      original: original === undefined ? undefined : names.get(original),
      name,
      slug,
      text,
      status,
      refs,
    }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Requests of the command that were no reads. */
export function writes({ sent }: KnowledgeBase): readonly string[] {
  return sent.filter((text) => !text.startsWith('GET '));
}

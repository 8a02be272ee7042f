import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { assertKeyIsNowhere } from '../../support/canary.ts';
import { kbsync, type CommandEnd } from '../../support/command.ts';
import { faultProxy, type FaultProxy } from '../../support/fault-proxy.ts';
import { serve, type Served } from '../../support/served.ts';

const BIN = join(import.meta.dirname, '../../../dist/cli/bin.js');

/** Real repositories, real services and the built command, in a folder of their own. */
export interface FleetRig {
  readonly root: string;
  readonly services: ReadonlyMap<string, Served>;
  readonly proxies: ReadonlyMap<string, FaultProxy>;
  readonly env: Record<string, string>;
  /** Commits files to a repository and returns the commit. */
  commit(name: string, files: Readonly<Record<string, string>>): Promise<string>;
  write(file: string, text: string): Promise<void>;
  run(...argv: readonly string[]): Promise<CommandEnd>;
  /** A worker that goes on until it is ended. */
  start(...argv: readonly string[]): Worker;
  /** Titles of the articles of a knowledge base, sorted. */
  titles(name: string): Promise<readonly string[]>;
  status(): Promise<Readonly<Record<string, Standing>>>;
  /** Ends all, and throws if a key was printed or written anywhere. */
  close(): Promise<void>;
}

export interface Standing {
  readonly name: string;
  readonly condition: string;
  readonly behind?: number;
  readonly commit?: string;
  readonly message?: string;
  readonly runs?: number;
}

export interface Worker {
  readonly child: ChildProcess;
  /** All of stdout and stderr so far. */
  said(): string;
  /** Resolves when it has said the text; throws when it ends before. */
  until(text: string): Promise<void>;
  readonly ended: Promise<number | null>;
}

const IDENTITY = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgSign=false'];

export function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', [...IDENTITY, ...args], { cwd, encoding: 'utf8' }).trim();
}

/** One repository and one knowledge base for each name; `settings` go below the name in fleet.yaml. */
export async function fleetRig(
  names: readonly string[],
  { settings = '', top = '' }: { readonly settings?: string; readonly top?: string } = {},
): Promise<FleetRig> {
  const root = await mkdtemp(join(tmpdir(), 'kbsync-fleet-'));
  const services = new Map<string, Served>();
  const proxies = new Map<string, FaultProxy>();
  const env: Record<string, string> = { HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
  const printed: string[] = [];
  const workers = new Set<Worker>();
  const write: FleetRig['write'] = async (file, text) => {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  };
  const commit: FleetRig['commit'] = async (name, files) => {
    for (const [file, text] of Object.entries(files)) await write(`repos/${name}/${file}`, text);
    git(join(root, 'repos', name), 'add', '-A');
    git(join(root, 'repos', name), 'commit', '--quiet', '--allow-empty', '-m', 'docs: change');
    return git(join(root, 'repos', name), 'rev-parse', 'HEAD');
  };
  const entries: string[] = [];
  for (const name of names) {
    const service = await serve();
    const proxy = await faultProxy(service.url);
    services.set(name, service);
    proxies.set(name, proxy);
    env[variableOf(name)] = service.key;
    await mkdir(join(root, 'repos', name), { recursive: true });
    git(join(root, 'repos', name), 'init', '--quiet', '--initial-branch=main');
    await commit(name, {
      'kbsync.yaml': `id: ${name}\nbaseUrl: ${proxy.url}\n`,
      'content/en/articles/hello.md': `---\ntitle: Hello ${name}\n---\n\nThe first article.\n`,
    });
    entries.push(
      `  ${name}:\n    repository: ${join(root, 'repos', name)}\n    origin: ${proxy.url}\n    key: { variable: ${variableOf(name)} }\n${settings}`,
    );
  }
  await write('fleet.yaml', `${top}knowledgeBases:\n${entries.join('')}`);
  const rig: FleetRig = {
    root,
    services,
    proxies,
    env,
    commit,
    write,
    run: async (...argv) => {
      const end = await kbsync(argv, { cwd: root, env });
      printed.push(end.stdout, end.stderr);
      return end;
    },
    start: (...argv) => {
      const worker = startWorker(argv, root, env);
      workers.add(worker);
      return worker;
    },
    titles: async (name) => {
      const { data } = (await serviceOf(services, name).get('/api/v2/articles')) as {
        readonly data: readonly { readonly title?: string; readonly name?: string }[];
      };
      return data.map(({ title, name: shown }) => title ?? shown ?? '').sort();
    },
    status: async () => {
      const { stdout } = await rig.run('fleet', 'status', '--json');
      const { knowledgeBases } = JSON.parse(stdout) as { readonly knowledgeBases: readonly Standing[] };
      return Object.fromEntries(knowledgeBases.map((one) => [one.name, one]));
    },
    close: async () => {
      for (const { child } of workers) child.kill('SIGKILL');
      await Promise.all([...workers].map(({ ended }) => ended));
      for (const proxy of proxies.values()) await proxy.close();
      for (const service of services.values()) await service.close();
      const said = [...printed, ...[...workers].map((worker) => worker.said())];
      try {
        for (const { key } of services.values()) await assertKeyIsNowhere(key, said, root);
      } finally {
        await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      }
    },
  };
  return rig;
}

export function variableOf(name: string): string {
  return `KEY_${name.toUpperCase().replaceAll('-', '_')}`;
}

function startWorker(argv: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Worker {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [BIN, ...argv], {
    cwd,
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let hasEnded = false;
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    woken.forEach((each) => each());
  };
  const hear = (chunk: Buffer): void => {
    said += chunk.toString();
    wake();
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  const ended = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      hasEnded = true;
      wake();
      resolve(code);
    }),
  );
  return {
    child,
    said: () => said,
    ended,
    until: async (text) => {
      while (!said.includes(text)) {
        if (hasEnded) throw new Error(`test: the worker ended without «${text}»: ${said}`);
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}

export function serviceOf(services: FleetRig['services'], name: string): Served {
  const service = services.get(name);
  if (service === undefined) throw new Error(`test: there is no service ${name}`);
  return service;
}

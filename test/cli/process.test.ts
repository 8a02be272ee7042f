import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assertKeyIsNowhere } from '../support/canary.ts';
import { fakeWorld, SMALL, type FakeWorld } from './support/fake-world.ts';

/** What users run; `npm test` builds it first. */
const BIN = join(import.meta.dirname, '../../dist/cli/bin.js');
const CANARY = 'kb_canary00_9f3c1a7754be';

/** Everything that the processes of one test printed. */
const said: string[] = [];
let folder: FakeWorld;
let server: Server | undefined;
beforeEach(async () => {
  folder = await fakeWorld(SMALL);
});
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  try {
    await assertKeyIsNowhere(CANARY, said.splice(0), folder.cwd);
  } finally {
    await folder.close();
  }
});

interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Child {
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
  stdoutNow(): string;
  stderrNow(): string;
  closeStdout(): void;
}

function start(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Child {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [BIN, ...argv], {
    cwd: folder.cwd,
    env: { PATH, KBSYNC_API_KEY: CANARY, ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return {
    ended: new Promise((resolve) =>
      child.once('close', (exit) => {
        said.push(stdout, stderr);
        resolve({ exit, stdout, stderr });
      }),
    ),
    kill: (signal) => child.kill(signal),
    stdoutNow: () => stdout,
    stderrNow: () => stderr,
    closeStdout: () => child.stdout.destroy(),
  };
}

/** A service that answers as the test says; resolves to its address. */
async function odd(listener: RequestListener): Promise<string> {
  const listening = createServer(listener);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an AddressInfo.
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

async function ran(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const ended = await start(argv, env).ended;
  expect(ended.stdout + ended.stderr).not.toContain(CANARY);
  return ended;
}

test.skipIf(process.platform === 'win32')(
  'a folder that is gone is told as it is, and is no bug of kbsync',
  () => {
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$1" "$2" check';
    const ran = spawnSync('sh', ['-c', script, 'sh', process.execPath, BIN], {
      cwd: folder.cwd,
      encoding: 'utf8',
    });
    expect(ran.status).toBe(64);
    expect(ran.stderr).toBe(
      'error: the folder in which this command was started is gone; change to another folder and run it there\n',
    );
  },
);

test('--version prints the version of package.json and nothing else', async () => {
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string;
  };
  for (const flag of ['--version', '-V']) {
    expect(await ran([flag])).toEqual({ exit: 0, stdout: `${version}\n`, stderr: '' });
  }
});

test('a run says something before its first request', async () => {
  let saidFirst = '';
  const address = await odd((_, response) => {
    saidFirst ||= child.stderrNow();
    response.writeHead(500).end();
  });
  const child = start(['plan', '--base-url', address]);
  await child.ended;
  expect(saidFirst).toContain(`plan content -> ${address}`);
});

describe('signals', () => {
  test('SIGINT ends a run that waits for an answer, with 130', async () => {
    const child: Child[] = [];
    const address = await odd(() => child[0]?.kill('SIGINT')); // no answer, ever
    child.push(start(['sync', '--base-url', address]));
    const ended = await child[0]?.ended;
    expect(ended?.exit).toBe(130);
    expect(ended?.stderr).toContain('Ctrl-C again leaves now');
  });

  test('a second SIGINT leaves at once, in the middle of a write', async () => {
    const child: Child[] = [];
    const address = await odd((request, response) => {
      if (request.method === 'PUT') {
        child[0]?.kill('SIGINT');
        const again = setInterval(() => {
          if (child[0]?.stderrNow().includes('again leaves now') !== true) return;
          clearInterval(again);
          child[0].kill('SIGINT');
        }, 5);
        return; // no answer, ever
      }
      const more = { timezone: 'UTC', limit: 100, languages: ['en'], aiSummary: false };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ success: true, data: [], ...more }));
    });
    child.push(start(['sync', '--base-url', address, '--assume-complete']));
    const ended = await child[0]?.ended;
    expect(ended?.exit).toBe(130);
  });

  test('SIGTERM ends the service with 0', async () => {
    const child = start(['serve', '--port', '0', '--db', 'kb.sqlite']);
    while (!child.stderrNow().includes('Ctrl-C ends')) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill('SIGTERM');
    expect((await child.ended).exit).toBe(0);
  });
});

describe('a service that is not what it should be', () => {
  test('nothing listens', async () => {
    const address = await odd(() => undefined);
    await new Promise((resolve) => server?.close(resolve));
    const ended = await ran(['sync', '--base-url', address]);
    expect(ended.exit).toBe(1);
    expect(ended.stderr).toContain('ECONNREFUSED');
    expect(ended.stderr).toContain('= help: check `baseUrl` and the network');
  });

  test('a host name that does not exist', async () => {
    const ended = await ran(['sync', '--base-url', 'https://kb.invalid']);
    expect(ended.exit).toBe(1);
    expect(ended.stderr).toMatch(/error\[(not-sent|unclear)\]/);
  });

  test('HTML with status 200', async () => {
    const address = await odd((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Help</title>'),
    );
    const ended = await ran(['sync', '--base-url', address]);
    expect(ended.exit).toBe(1);
    expect(ended.stderr).toMatch(/HTML/i);
  });

  test('a redirect is named and not followed', async () => {
    let requests = 0;
    const address = await odd((_, response) => {
      requests += 1;
      response.writeHead(301, { location: 'https://elsewhere.acme.test/api/v2/articles' }).end();
    });
    const ended = await ran(['sync', '--base-url', address]);
    expect(ended.exit).toBe(1);
    expect(ended.stderr).toContain('error[redirect]');
    expect(ended.stderr).toContain('https://elsewhere.acme.test');
    expect(requests).toBeLessThanOrEqual(3);
  });

  test('a list that is no list', async () => {
    const address = await odd((_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"success":true,"data":{"id":"1"}}'),
    );
    const ended = await ran(['sync', '--base-url', address]);
    expect(ended.exit).toBe(1);
    expect(ended.stderr).toContain('error[not-understood]');
  });

  test('a key that is not known, echoed by the service', async () => {
    const address = await odd((request, response) =>
      response
        .writeHead(401, { 'content-type': 'application/json' })
        .end(
          JSON.stringify({ success: false, message: `unknown: ${request.headers.authorization}\u001b[2J` }),
        ),
    );
    const ended = await ran(['sync', '--verbose', '--base-url', address]);
    expect(ended.exit).toBe(1);
    expect(ended.stderr).toContain('error[unauthorized]');
    expect(ended.stderr).not.toContain('\u001b');
  });
});

test('a state that cannot be written stops the run before the first request', async () => {
  let requests = 0;
  const address = await odd((_, response) => {
    requests += 1;
    response.writeHead(500).end();
  });
  const ended = await ran([
    'sync',
    '--base-url',
    address,
    '--state',
    'content/en/tags/cli.md/state.json',
    '--no-cache',
  ]);
  expect(ended.exit).toBe(1);
  expect(ended.stderr).toContain('error[not-writable]');
  expect(requests).toBe(0);
});

test('a missing content folder is a failure with its place', async () => {
  const ended = await ran(['check', '--content', 'nowhere']);
  expect(ended.exit).toBe(1);
  expect(ended.stderr).toContain('nowhere');
});

test('a reader that has seen enough is not a failure', async () => {
  for (let i = 0; i < 400; i += 1)
    await folder.write(`content/en/articles/bad-${i}.md`, '---\ntags: [x]\n---\n');
  const child = start(['check']);
  child.closeStdout();
  const ended = await child.ended;
  expect(ended.stderr).not.toContain('bug');
});

// Linux has a file on a disk that is always full.
test.skipIf(!existsSync('/dev/full'))(
  'an output that cannot be written is told in a sentence, does not stop the run, and is a failure',
  async () => {
    const full = openSync('/dev/full', 'w');
    try {
      for (const argv of [['check'], ['check', '--json'], ['check', '--format', 'sarif']]) {
        const run = spawnSync(process.execPath, [BIN, ...argv], {
          cwd: folder.cwd,
          stdio: ['ignore', full, 'pipe'],
          encoding: 'utf8',
        });
        expect([run.status, run.stderr]).toEqual([
          1,
          'error[output]: the output is not complete, because it cannot be written: no space left on device (ENOSPC)\n',
        ]);
      }
    } finally {
      closeSync(full);
    }
    await writeFile(join(folder.cwd, 'content/en/articles/bad.md'), '---\n');
    const both = spawnSync(
      '/bin/sh',
      ['-c', `"${process.execPath}" "${BIN}" check > /dev/full 2> /dev/full`],
      {
        cwd: folder.cwd,
      },
    );
    expect(both.status).toBe(1);
  },
);

test('the real service, first sync and in sync, over sockets', async () => {
  const service = start(['serve', '--port', '0', '--db', 'kb.sqlite', '--key-file', 'key.txt']);
  while (!service.stderrNow().includes('made a key')) await new Promise((resolve) => setTimeout(resolve, 5));
  const key = (await folder.read('key.txt')).trim();
  const env = { KBSYNC_API_KEY: key, KBSYNC_BASE_URL: service.stdoutNow().trim() };
  const first = await start(['sync'], env).ended;
  expect(first).toMatchObject({ exit: 0, stdout: expect.stringContaining('5 created') });
  const second = await start(['sync'], env).ended;
  expect(second.exit).toBe(0);
  expect(second.stdout).toMatch(/^in sync: 5 records unchanged in .*, 3 requests\n$/);
  expect(first.stdout + first.stderr + second.stdout + second.stderr).not.toContain(key);
  service.kill('SIGTERM');
  expect((await service.ended).exit).toBe(0);
});

// How later ones grow is not known here.
test.runIf(process.version.startsWith('v20.'))('the young part of the heap stays at 16 MB', async () => {
  const text = 'Some words of an article, and **more** of them.\n\n'.repeat(150);
  for (let n = 0; n < 400; n += 1)
    await writeFile(
      join(folder.cwd, `content/en/articles/page-${n}.md`),
      `---\ntitle: Page ${n}\n---\n\n${text}`,
    );
  const says = `process.on('exit', () => require('node:fs').writeSync(2, 'young: ' + require('node:v8').getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size));`;
  await writeFile(join(folder.cwd, 'young.cjs'), says);
  const NODE_OPTIONS = `--require ${join(folder.cwd, 'young.cjs')}`;
  const { exit, stderr } = await start(['check', '--no-cache'], { NODE_OPTIONS }).ended;
  expect(exit).toBe(0);
  expect(stderr.slice(stderr.indexOf('young'))).toBe(`young: ${16 * 2 ** 20}`);
});

describe('what Node 22 compiles is kept', () => {
  // Node 20 has no such cache: this stands for it, and tells where it was asked to be.
  const SAYS_WHERE = `require('node:module').enableCompileCache = (folder) => require('node:fs').writeSync(2, 'kept in ' + folder);`;

  test.each([
    [['XDG_CACHE_HOME', 'HOME'], 'caches'],
    [['HOME'], 'ana/.cache'],
    [['LOCALAPPDATA'], 'local'],
    [[], ''],
  ])('in the first that is set of %j: "%s"', async (names, kept) => {
    const folders = { XDG_CACHE_HOME: 'caches', HOME: 'ana', LOCALAPPDATA: 'local' };
    await mkdir(join(folder.cwd, 'ana'));
    await writeFile(join(folder.cwd, 'cache.cjs'), SAYS_WHERE);
    const env = Object.fromEntries(
      Object.entries(folders).flatMap(([name, path]) =>
        names.includes(name) ? [[name, join(folder.cwd, path)]] : [],
      ),
    );
    const NODE_OPTIONS = `--require ${join(folder.cwd, 'cache.cjs')}`;
    const ended = await start(['--help'], { ...env, NODE_OPTIONS }).ended;
    const stderr = kept === '' ? '' : `kept in ${join(folder.cwd, kept, 'kbsync')}`;
    expect([ended.exit, ended.stderr]).toEqual([0, stderr]);
  });

  test('not below a path that is not whole', async () => {
    await writeFile(join(folder.cwd, 'cache.cjs'), SAYS_WHERE);
    const env = { XDG_CACHE_HOME: 'caches', NODE_OPTIONS: `--require ${join(folder.cwd, 'cache.cjs')}` };
    expect((await start(['--help'], env).ended).stderr).toBe('');
  });

  test('but not for --version, which loads next to nothing', async () => {
    await writeFile(join(folder.cwd, 'cache.cjs'), SAYS_WHERE);
    const NODE_OPTIONS = `--require ${join(folder.cwd, 'cache.cjs')}`;
    expect((await start(['--version'], { HOME: '/home/ana', NODE_OPTIONS }).ended).stderr).toBe('');
  });
});

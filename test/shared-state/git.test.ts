import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runGit } from '../../src/machine/git.ts';
import { gitState } from '../../src/shared-state/git.ts';
import { type Bench, exchanged, type Faults, noFaults } from './support/bench.ts';
import { conformance, owner } from './support/conformance.ts';

const REF = 'refs/kbsync/docs';
const ASKS_REMOTE: ReadonlySet<string> = new Set(['push', 'fetch', 'ls-remote']);

class Lost extends Error {}

function remoteRepository(): { readonly folder: string; readonly bare: string } {
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-git-state-'));
  const bare = join(folder, 'remote.git');
  execFileSync('git', ['init', '--quiet', '--bare', bare]);
  return { folder, bare };
}

let clones = 0;

function cloneOf(folder: string, remote: string): string {
  const clone = join(folder, `clone-${(clones += 1)}`);
  execFileSync('git', ['init', '--quiet', clone]);
  execFileSync('git', ['-C', clone, 'remote', 'add', 'origin', remote]);
  return clone;
}

function machineIn(cwd: string, nowMs: () => number, faults: Faults = noFaults()) {
  return gitState({
    ref: REF,
    nowMs,
    run: async (args, input = {}) => {
      const work = () => runGit(args, { ...input, cwd });
      if (!ASKS_REMOTE.has(args[0] ?? '')) return work();
      try {
        return await exchanged(faults, work, () => new Lost());
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
        return { isOk: false, stdout: '', stderr: 'fatal: the remote end hung up unexpectedly' };
      }
    },
  });
}

conformance(
  'git',
  (): Promise<Bench> => {
    const { folder, bare } = remoteRepository();
    let nowMs = Date.UTC(2026, 10, 23);
    return Promise.resolve({
      open: (faults) => machineIn(cloneOf(folder, bare), () => nowMs, faults),
      passMs: (ms) => {
        nowMs += ms;
        return Promise.resolve();
      },
      close: () => {
        rmSync(folder, { recursive: true });
        return Promise.resolve();
      },
    });
  },
  true,
);

test('a ref of git holds one commit, and no branch or tag of the clone changes', async () => {
  const { folder, bare } = remoteRepository();
  const clone = cloneOf(folder, bare);
  const store = machineIn(clone, () => Date.UTC(2026, 10, 23));
  const answer = await store.lock(owner());
  if (!('lease' in answer)) throw new Error('held');
  for (const state of ['1', '2', '3']) await answer.lease.write({ state });
  await answer.lease.release();
  expect(execFileSync('git', ['-C', bare, 'rev-list', '--count', REF], { encoding: 'utf8' })).toBe('1\n');
  expect(execFileSync('git', ['-C', clone, 'for-each-ref'], { encoding: 'utf8' })).toBe('');
  rmSync(folder, { recursive: true });
});

test('a remote that cannot be reached is told without the token in its address', async () => {
  const { folder } = remoteRepository();
  const store = machineIn(cloneOf(folder, 'http://ada:p@s3cret@127.0.0.1:1/docs.git'), () => 0);
  // On one line, in one sentence.
  const message = expect.stringMatching(/^(?!.*(?:s3cret| {2}|\.\.)).*git:refs\/kbsync\/docs cannot be used/);
  await expect(store.lock(owner())).rejects.toMatchObject({ code: 'not-readable', message });
  rmSync(folder, { recursive: true });
});

test('a remote that fetches from one repository and pushes to another keeps the state where it pushes', async () => {
  const { folder, bare } = remoteRepository();
  const upstream = join(folder, 'upstream.git');
  execFileSync('git', ['init', '--quiet', '--bare', upstream]);
  const [here, there] = [cloneOf(folder, upstream), cloneOf(folder, bare)];
  execFileSync('git', ['-C', here, 'config', 'remote.origin.pushurl', bare]);
  const answer = await machineIn(here, () => 0).lock(owner());
  if (!('lease' in answer)) throw new Error('held');
  await answer.lease.write({ state: '1' });
  expect(await machineIn(there, () => 0).lock(owner('bob@ci'))).toMatchObject({
    heldBy: { who: 'ada@laptop' },
  });
  await answer.lease.release();
  expect(await machineIn(here, () => 0).read()).toEqual({ state: '1' });
  execFileSync('git', ['-C', here, 'config', '--add', 'remote.origin.pushurl', upstream]);
  await expect(machineIn(here, () => 0).read()).rejects.toMatchObject({
    message: expect.stringContaining('pushes to more than one address'),
  });
  rmSync(folder, { recursive: true });
});

test('what a clone says of tags, submodules, signatures and hooks changes nothing; neither does SHA-256', async () => {
  const { folder } = remoteRepository();
  const bare = join(folder, 'sha256.git');
  const clone = join(folder, 'sha256');
  for (const [flags, at] of [
    [['--bare'], bare],
    [[], clone],
  ] as const)
    execFileSync('git', ['init', '--quiet', '--object-format=sha256', ...flags, at]);
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', clone, ...args]);
  git('remote', 'add', 'origin', bare);
  for (const setting of ['push.gpgSign', 'commit.gpgSign', 'push.followTags', 'fetch.prune'])
    git('config', setting, 'true');
  git('config', 'push.recurseSubmodules', 'on-demand');
  writeFileSync(join(clone, '.git/hooks/pre-push'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const answer = await machineIn(clone, () => 0).lock(owner());
  if (!('lease' in answer)) throw new Error('held');
  await answer.lease.write({ state: '1' });
  await answer.lease.release();
  expect(await machineIn(clone, () => 0).read()).toEqual({ state: '1' });
  rmSync(folder, { recursive: true });
});

test('a remote that does not take the ref is told with what it says', async () => {
  const { folder, bare } = remoteRepository();
  writeFileSync(join(bare, 'hooks/update'), '#!/bin/sh\necho "this ref is protected" >&2\nexit 1\n', {
    mode: 0o755,
  });
  await expect(machineIn(cloneOf(folder, bare), () => 0).lock(owner())).rejects.toMatchObject({
    code: 'not-writable',
    message: expect.stringContaining('this ref is protected'),
  });
  rmSync(folder, { recursive: true });
});

test('a git that gives no answer is ended, with what it has started', async () => {
  const { folder } = remoteRepository();
  const clone = cloneOf(folder, 'ssh://git@docs.example.com/docs.git');
  const pidFile = join(folder, 'pid');
  const env = { GIT_SSH_COMMAND: `echo $$ > '${pidFile}'; sleep 60;` };
  // A machine that has much to do may not have come so far as to start it.
  for (const timeoutMs of [300, 2000, 20_000]) {
    const end = await runGit(['ls-remote', 'origin'], { cwd: clone, env, timeoutMs });
    expect(end).toMatchObject({
      isOk: false,
      stderr: `git ls-remote did not end within ${timeoutMs / 1000} s`,
    });
    if (existsSync(pidFile)) break;
  }
  const pid = Number(readFileSync(pidFile, 'utf8'));
  const isAlive = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await vi.waitFor(() => expect(isAlive()).toBe(false), { timeout: 10_000 });
  rmSync(folder, { recursive: true });
});

test('a repository without a remote is told so, and a ref that kbsync did not write is left alone', async () => {
  const { folder, bare } = remoteRepository();
  const alone = join(folder, 'alone');
  execFileSync('git', ['init', '--quiet', alone]);
  await expect(machineIn(alone, () => 0).read()).rejects.toMatchObject({
    message: expect.stringContaining('this repository has no remote'),
  });
  const clone = cloneOf(folder, bare);
  const tree = execFileSync('git', ['-C', clone, 'mktree'], { input: '', encoding: 'utf8' }).trim();
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  const commit = execFileSync('git', ['-C', clone, ...who, 'commit-tree', tree, '-m', 'x'], {
    encoding: 'utf8',
  });
  execFileSync('git', ['-C', clone, 'push', '--quiet', 'origin', `${commit.trim()}:${REF}`]);
  await expect(machineIn(clone, () => 0).lock(owner())).rejects.toMatchObject({ code: 'damaged' });
  rmSync(folder, { recursive: true });
});

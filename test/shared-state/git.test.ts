import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
  const store = machineIn(cloneOf(folder, 'http://ada:s3cret@127.0.0.1:1/docs.git'), () => 0);
  const message = expect.stringMatching(/^(?!.*s3cret).*git:refs\/kbsync\/docs cannot be used/);
  await expect(store.lock(owner())).rejects.toMatchObject({ code: 'not-readable', message });
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

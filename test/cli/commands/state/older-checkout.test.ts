import { execFileSync } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../../../src/service/index.ts';
import { fakeWorld, SMALL, type FakeWorld } from '../../support/fake-world.ts';
import { siteOf } from '../../support/site.ts';

const STATES = 'https://states.acme.test';
const STATE_KEY = 'the-key-of-the-states-0123456789';
const PAGE = 'content/en/articles/start/first.md';

let world: FakeWorld;
let hour: number;
beforeEach(async () => {
  world = await fakeWorld({ ...SMALL, '.gitignore': '.kbsync\n' });
  hour = 0;
  const clock = { now: () => world.world().clock.now() };
  const app = createApp({ store: world.service.store, clock, teamStates: { key: STATE_KEY } });
  world.elsewhere.set(STATES, (request) => app.fetch(request));
  git('init', '-q');
  await commit('one');
});
afterEach(() => world.close());

function share(): void {
  world.env['KBSYNC_STATE'] = `${STATES}/api/state/docs`;
  world.env['KBSYNC_STATE_PASSWORD'] = STATE_KEY;
}

function git(...argv: readonly string[]): string {
  hour += 1;
  const date = `@${1_700_000_000 + hour * 3600} +0000`;
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...who, ...argv], { cwd: world.cwd, env, stdio: 'pipe' }).toString();
}

async function commit(title: string): Promise<void> {
  await world.write(PAGE, `---\ntitle: ${title}\n---\n\nThe text.\n`);
  git('add', '.');
  git('commit', '-qm', title);
}

const titles = async (): Promise<string> => (await siteOf(world).titles()).join(' ');

describe.each([
  ['shared', share],
  ['in a file', () => undefined],
])('a state that is %s', (_, place) => {
  beforeEach(async () => {
    place();
    await world.run('sync');
    await commit('two');
    await world.run('sync');
  });

  test('is not taken back by the run of an older commit, which names both commits and the way out', async () => {
    expect(await titles()).toContain('two');
    git('checkout', '-q', 'HEAD~1');
    for (const command of ['sync', 'plan']) {
      const { exit, stdout } = await world.run(command);
      expect([command, exit]).toEqual([command, 4]);
      expect(stdout).toMatch(
        /this checkout is at commit \w{10}, and the last sync was made from commit \w{10} \(branch main\), a later commit[^]*\[older-commit\][^]*--allow-older-commit/,
      );
    }
    expect(await titles()).toContain('two');
    expect((await world.run('state', 'list')).stderr).toMatch(/written from commit \w{10} \(branch main\)/);
    const { revision } = JSON.parse((await world.run('state', 'list', '--json')).stdout) as {
      readonly revision: object;
    };
    expect(revision).toMatchObject({ branch: 'main', atMs: expect.any(Number) });
    expect((await world.run('sync', '--allow-older-commit')).exit).toBe(0);
    expect(await titles()).toContain('one');
    git('checkout', '-q', 'main');
    expect((await world.run('sync')).exit).toBe(0);
    expect(await titles()).toContain('two');
  });

  test('takes a revert, a merge and a rebase, which are newer commits', async () => {
    git('revert', '--no-edit', 'HEAD');
    expect((await world.run('sync')).exit).toBe(0);
    expect(await titles()).toContain('one');
    git('commit', '-q', '--amend', '-m', 'another');
    await world.write(PAGE, '---\ntitle: three\n---\n\nThe text.\n');
    const { exit, stderr } = await world.run('sync');
    expect([exit, await titles()]).toEqual([0, expect.stringContaining('three')]);
    expect(stderr).toContain('is not in the history of this checkout');
    expect((await world.run('sync')).stderr).not.toContain('history');
  });
});

test('a shared state knows of a newer commit that changed nothing, and of one whose run died', async () => {
  share();
  await commit('two');
  await world.run('sync');
  await world.write('README.md', 'not an article\n');
  git('add', '.');
  git('commit', '-qm', 'README');
  await world.run('sync');
  const otherwise = async (): Promise<string> => {
    git('checkout', '-q', 'main~1');
    expect((await world.run('sync')).stdout).not.toContain('older-commit');
    await world.write(PAGE, '---\ntitle: other\n---\n\nThe text.\n');
    const { stdout } = await world.run('sync');
    git('checkout', '-qf', 'main');
    return stdout;
  };
  expect(await otherwise()).toContain('older-commit');
  await commit('four');
  world.wrap = (send) => (request) =>
    request.method === 'GET' ? send(request) : Promise.reject(new Error('the machine died'));
  await world.run('sync').catch(() => undefined);
  world.wrap = (send) => send;
  // Its lock ends with its lease.
  world.advance(600_000);
  expect(await otherwise()).toContain('older-commit');
});

test('a run without git that has nothing to send leaves the commit that is known', async () => {
  share();
  await commit('two');
  await world.run('sync');
  await rename(join(world.cwd, '.git'), join(world.cwd, 'git-elsewhere'));
  expect((await world.run('sync')).exit).toBe(0);
  await rename(join(world.cwd, 'git-elsewhere'), join(world.cwd, '.git'));
  git('checkout', '-q', 'HEAD~1');
  const { exit, stdout } = await world.run('sync');
  expect([exit, stdout]).toEqual([4, expect.stringContaining('older-commit')]);
});

test('a shallow clone goes by dates, and says what it cannot know', async () => {
  share();
  await commit('two');
  await world.run('sync');
  await commit('three');
  const keep = git('rev-parse', 'HEAD').trim();
  git('fetch', '-q', '--depth', '1', '--update-shallow', `file://${world.cwd}/.git`, keep);
  await world.write('.git/shallow', `${keep}\n`);
  git('reflog', 'expire', '--expire=now', '--all');
  git('gc', '-q', '--prune=now');
  const { exit, stderr } = await world.run('sync');
  expect([exit, await titles()]).toEqual([0, expect.stringContaining('three')]);
  expect(stderr).toMatch(
    /made from commit \w{10} \(branch main\), which this clone does not hold; its date is earlier/,
  );
});

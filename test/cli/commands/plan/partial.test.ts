import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeWorld, SMALL, type FakeWorld } from '../../support/fake-world.ts';
import { siteOf } from '../../support/site.ts';

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld(SMALL);
});
afterEach(() => world.close());

const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.test', ...args], {
    cwd: world.cwd,
    encoding: 'utf8',
  });
const INSTALL = 'content/en/articles/install.md';

describe('sync --only', () => {
  test('sends one article with what it needs, says that it is partial, and never in sync', async () => {
    const first = await world.run('sync', '--only', 'article/install@fr');
    expect(first.exit).toBe(0);
    expect(first.stdout).toMatch(/^4 created, 0 unchanged/);
    expect(first.stdout).toContain(
      'partial: 4 of 5 records; brought in, because they need it: article/install@en, category/start@en, tag/cli@en\n',
    );
    expect(await siteOf(world).titles()).toEqual(['Install']);
    const again = await world.run('sync', '--only', 'article/install@fr');
    expect(again.stdout).toMatch(/^nothing to send: 1 record unchanged.*\npartial: 1 of 5 records\n$/);
    expect(again.stdout).not.toContain('in sync');
    expect((await world.run('sync')).stdout).toMatch(/^1 created, 4 unchanged/);
    expect((await world.run('sync')).stdout).toMatch(/^in sync/);
  });

  test('prunes nothing outside of its choice, and within it only with --prune', async () => {
    await world.run('sync');
    for (const file of Object.keys(SMALL).filter((name) => name.includes('articles')))
      await world.remove(file);
    const flags = ['--yes', '--allow-vanished', '--allow-scope-change'];
    expect((await world.run('sync', '--only', 'update', ...flags)).stdout).toContain('deletes need --prune');
    expect((await world.run('sync', '--only', 'update', '--prune', ...flags)).stdout).toMatch(/^1 deleted/);
    expect(await siteOf(world).titles()).toEqual(['Install']);
  });

  test('is not held up by an error in another file, and deletes nothing of a file that cannot be read', async () => {
    await world.run('sync');
    await world.write('content/en/articles/update.md', '---\ntitle: [\n---\n');
    await world.write(INSTALL, `${SMALL[INSTALL]}\nMore.\n`);
    const { exit, stdout } = await world.run('sync', '--only', 'article/install');
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/^1 updated/)]);
    const broken = await world.run('sync', '--only', 'update', '--prune', '--yes');
    expect(broken.exit).not.toBe(0);
    expect(await siteOf(world).titles()).toEqual(['Install', 'Update']);
  });

  test('a word that fits nothing is a usage error with a suggestion', async () => {
    const { exit, stderr } = await world.run('plan', '--only', 'article/instal@en');
    expect(exit).toBe(64);
    expect(stderr).toContain('no record fits `article/instal@en`, did you mean `article/install@en`?');
  });
});

test('plan --exclude leaves records out; its JSON says that it is partial; a saved plan stays partial', async () => {
  const { stdout } = await world.run('plan', '--exclude', 'update', '--json', '--out', 'plan.json');
  const plan = JSON.parse(stdout) as { changes: { key: string }[]; partial: unknown };
  expect(plan.changes.map(({ key }) => key)).not.toContain('article/update@en');
  expect(plan.partial).toEqual({ records: 4, of: 5, needed: [] });
  expect((await world.run('apply', 'plan.json')).exit).toBe(0);
  expect(await siteOf(world).titles()).toEqual(['Install']);
  expect((await world.run('plan')).stdout).not.toContain('partial');
});

describe('--changed-since', () => {
  beforeEach(async () => {
    git('init', '-q', '-b', 'main');
    await world.write('.gitignore', '.kbsync\n');
    git('add', '.');
    git('commit', '-qm', 'one');
    await world.run('sync');
  });

  test('is about the files of this branch, committed or not, and not about what came to main meanwhile', async () => {
    git('checkout', '-qb', 'mine');
    await world.write(INSTALL, `${SMALL[INSTALL]}\nMore.\n`);
    git('commit', '-qam', 'two');
    git('checkout', '-q', 'main');
    await world.write('content/en/articles/update.md', `${SMALL['content/en/articles/update.md']}\nMore.\n`);
    git('commit', '-qam', 'three');
    git('checkout', '-q', 'mine');
    await world.write('content/en/articles/new.md', '---\ntitle: New\n---\n\nText.\n');
    const { stdout } = await world.run('plan', '--changed-since', 'main', '--json');
    const { changes } = JSON.parse(stdout) as { changes: { key: string }[] };
    expect(changes.map(({ key }) => key).sort()).toEqual(['article/install@en', 'article/new@en']);
  });

  test('takes no ref for a flag, and names one that git does not know', async () => {
    for (const ref of ['nowhere', '--output=x']) {
      const { exit, stderr } = await world.run('check', `--changed-since=${ref}`);
      expect(exit).toBe(64);
      expect(stderr).toContain('git knows no');
    }
  });

  test('status counts the chosen records', async () => {
    await world.write(INSTALL, `${SMALL[INSTALL]}\nMore.\n`);
    const { stdout } = await world.run('status', '--changed-since', 'HEAD');
    expect(stdout).toContain('1 record: 0 in sync, 1 changed');
    expect(stdout).toContain('partial: 1 of 5 records\n');
  });

  test('check tells the faults of the chosen files alone', async () => {
    await world.write(INSTALL, `${SMALL[INSTALL]}\n[dead](nowhere.md)\n`);
    git('commit', '-qam', 'a dead link');
    expect((await world.run('check')).exit).toBe(1);
    const { exit, stdout } = await world.run('check', '--changed-since', 'HEAD');
    expect(exit).toBe(0);
    expect(stdout).toContain('partial: 0 of 5 records');
  });
});

test('outside of a repository --changed-since says so', async () => {
  const { exit, stderr } = await world.run('plan', '--changed-since', 'main');
  expect(exit).toBe(64);
  expect(stderr).toContain('the content folder is in no git repository');
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { fakeWorld, SMALL, type FakeWorld } from '../../support/fake-world.ts';

let world: FakeWorld;
afterEach(() => world.close());

const EN = 'content/en/articles/install.md';
const FR = 'content/fr/articles/install.md';
const KEY = 'article/install@fr';
const git = async (...args: readonly string[]): Promise<string> => {
  const own = ['-c', 'user.name=A', '-c', 'user.email=a@b.test', ...args];
  return (await promisify(execFile)('git', own, { cwd: world.cwd })).stdout.trim();
};
const commit = async (): Promise<string> => {
  await git('add', 'content');
  await git('commit', '-q', '-m', 'x');
  return git('rev-parse', 'HEAD');
};
const changed = (file: string, words: string): Promise<void> =>
  world.write(file, `${SMALL[file]}\n${words}\n`);
const stale = async (): Promise<readonly string[]> => {
  const { stdout } = await world.run('status', '--stale', '--json');
  return (JSON.parse(stdout) as { stale: readonly { key: string }[] }).stale.map(({ key }) => key);
};
const accept = (...flags: readonly string[]) => world.run('translations', 'accept', KEY, ...flags);

describe('with a state', () => {
  test.each([
    ['before the original is sent', false],
    ['after it', true],
  ])('%s: an accepted translation is up to date until the original changes again', async (_, isSent) => {
    world = await fakeWorld(SMALL);
    await world.run('sync');
    await changed(EN, 'More.');
    if (isSent) await world.run('sync');
    expect(await stale()).toEqual([KEY]);
    expect((await accept('--dry-run')).stdout).toContain('1 of 1 translation would be accepted');
    expect(await stale()).toEqual([KEY]);
    const file = await world.read(FR);
    world.sent.length = 0;
    expect(await accept()).toMatchObject({
      exit: 0,
      stdout: `${KEY}  accepted, in state\n1 of 1 translation accepted\n`,
    });
    expect(await world.read(FR)).toBe(file);
    expect(world.sent).toEqual([]);
    expect(await stale()).toEqual([]);
    await world.run('sync');
    expect(await stale()).toEqual([]);
    expect((await world.run('plan')).stdout).toContain('in sync');
    await changed(EN, 'More, and more.');
    expect(await stale()).toEqual([KEY]);
    await world.run('sync');
    expect(await stale()).toEqual([KEY]);
  });

  test('one that is up to date stays as it is, and a word that fits nothing is an error', async () => {
    world = await fakeWorld(SMALL);
    await world.run('sync');
    const state = await world.read('.kbsync/state.json');
    expect((await accept()).stdout).toBe(`${KEY}  was up to date\n0 of 1 translation accepted\n`);
    expect(await world.read('.kbsync/state.json')).toBe(state);
    expect(await world.run('translations', 'accept', 'article/instal@fr')).toMatchObject({ exit: 64 });
  });
});

describe('with a commit in front matter', () => {
  test.each([
    ['sourceCommit: OLD'],
    ['source_commit: "OLD" # by hand'],
    ['l10n: { owner: ada, sourceCommit: OLD }'],
    ['l10n:\n  owner: ada\n  sourceCommit: OLD'],
  ])('%j: the commit is written in its place, and nothing else', async (line) => {
    world = await fakeWorld(SMALL);
    await git('init', '-q');
    const first = await commit();
    await changed(EN, 'More.');
    const second = await commit();
    const marked = (at: string): string =>
      (SMALL[FR] ?? '').replace('title: Installer\n', `title: Installer\n${line.replace('OLD', at)}\n`);
    await world.write(FR, marked(first).replaceAll('\n', '\r\n'));
    expect(await stale()).toEqual([KEY]);
    const ran = await accept('--json');
    expect(JSON.parse(ran.stdout)).toEqual({
      format: 1,
      dryRun: false,
      accepted: [{ key: KEY, file: FR, original: EN, kept: ['front matter'], commit: second }],
    });
    expect(await world.read(FR)).toBe(marked(second).replaceAll('\n', '\r\n'));
    expect(await stale()).toEqual([]);
  });

  test('an original that is not committed is refused, and nothing is written', async () => {
    world = await fakeWorld(SMALL);
    await git('init', '-q');
    const first = await commit();
    await changed(EN, 'More.');
    const text = (SMALL[FR] ?? '').replace('title:', `sourceCommit: ${first}\ntitle:`);
    await world.write(FR, text);
    expect(await accept()).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining(`${KEY}  not accepted: ${EN} is not committed as it is`),
    });
    expect(await world.read(FR)).toBe(text);
  });

  test('a shallow clone says that it is one, and how to have the whole history', async () => {
    world = await fakeWorld(SMALL);
    await git('init', '-q');
    const first = await commit();
    const text = (SMALL[FR] ?? '').replace('title:', `sourceCommit: ${first}\ntitle:`);
    await world.write(FR, text);
    await changed(EN, 'More.');
    const second = await commit();
    // As `git clone --depth 2` leaves it: the marker is there, and nobody knows what came before.
    await world.write('.git/shallow', `${first}\n`);
    expect(await accept()).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining(
        `not accepted: this clone is shallow, so it does not tell which commit changed ${EN} last: run git fetch --unshallow`,
      ),
    });
    await world.write('.git/shallow', `${second}\n`);
    expect(await accept()).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('this clone is shallow'),
    });
    expect(await world.read(FR)).toBe(text);
    await world.remove('.git/shallow');
    expect(await accept()).toMatchObject({ exit: 0 });
  });

  test('a translation without one gets the key that the others of its language have', async () => {
    world = await fakeWorld(SMALL);
    await git('init', '-q');
    const first = await commit();
    await world.write(
      'content/fr/articles/update.md',
      `---\ntitle: Mettre à jour\nsource_commit: ${first}\n---\n\nVoir.\n`,
    );
    await commit();
    await world.run('sync');
    await changed(EN, 'More.');
    const third = await commit();
    expect((await accept()).stdout).toContain(
      `${KEY}  accepted, in front matter and state (${third.slice(0, 10)})`,
    );
    expect(await world.read(FR)).toMatch(new RegExp(`\\nsource_commit: "?${third}"?\\n---\\n`));
    expect(await stale()).toEqual([]);
    await world.run('sync');
    expect((await world.run('plan')).stdout).toContain('in sync');
    expect(await stale()).toEqual([]);
  });
});

test('without a state and without a commit it says what helps', async () => {
  world = await fakeWorld(SMALL);
  await git('init', '-q');
  await git('add', 'content');
  await git('commit', '-q', '-m', 'x', '--date', '2026-01-01T00:00:00Z');
  await changed(EN, 'More.');
  process.env['GIT_COMMITTER_DATE'] = '2030-01-02T00:00:00Z';
  try {
    await commit();
  } finally {
    delete process.env['GIT_COMMITTER_DATE'];
  }
  expect(await stale()).toEqual([KEY]);
  expect(await accept()).toMatchObject({
    exit: 4,
    stderr: expect.stringContaining('no sync has sent it yet, and no translation here names a commit'),
  });
});

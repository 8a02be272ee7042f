import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeWorld, SMALL, type FakeWorld } from '../support/fake-world.ts';
import { siteOf } from '../support/site.ts';

/** Enough records for every limit to mean something: 16, and no link between them. */
const FILES: Readonly<Record<string, string>> = {
  'content/en/categories/start.md': SMALL['content/en/categories/start.md'] ?? '',
  ...Object.fromEntries(
    Array.from({ length: 14 }, (_, i) => [
      `content/en/articles/a-${i}.md`,
      `---\ntitle: A ${i}\ncategories: [start]\n---\n\nText ${i}.\n`,
    ]),
  ),
  'content/fr/articles/a-0.md': '---\ntitle: A zéro\ncategories: [start]\n---\n\nTexte.\n',
};

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld(FILES);
  await world.run('sync');
  world.sent.length = 0;
});
afterEach(() => world.close());

const writes = () => world.sent.filter((request) => !request.startsWith('GET'));

/**
 * What is wrong with a refusal, if anything: it ends with 4, says why, sends nothing, and with the flags that it prints
 * the run goes on. Behind one guard another may stand; each names its own flag.
 */
async function faultsOfRefusal(
  argv: readonly string[],
  code: string,
  ...texts: readonly string[]
): Promise<readonly string[]> {
  const ran = await world.run(...argv);
  const faults = [`[${code}]`, ...texts].filter((text) => !ran.stdout.includes(text));
  if (ran.exit !== 4) faults.push(`exit ${ran.exit}`);
  faults.push(...writes());
  const flags: string[] = [];
  let again = ran;
  for (let i = 0; again.exit === 4 && i < 4; i += 1) {
    flags.push(
      ...[...again.stdout.matchAll(/→ if that is right: (.+)/g)].flatMap(
        (match) => match[1]?.split(' ') ?? [],
      ),
    );
    again = await world.run(...argv, ...flags);
  }
  if (again.exit !== 0) faults.push(`exit ${again.exit} with ${flags.join(' ')}`);
  return faults;
}

const PRUNE = ['sync', '--prune', '--yes'];

test('an empty content folder', async () => {
  for (const file of Object.keys(FILES)) await world.remove(file);
  await world.write('content/en/articles/.keep', '');
  expect(await faultsOfRefusal(['sync'], 'files-vanished', 'the last sync left 16')).toEqual([]);
});

test('the wrong folder', async () => {
  await world.write('other/en/articles/x.md', '---\ntitle: X\n---\n');
  expect(
    await faultsOfRefusal(
      [...PRUNE, '--content', 'other'],
      'files-vanished',
      'the files of 16 of 16 managed records are gone',
    ),
  ).toEqual([]);
});

test('another layout: the default language is another', async () => {
  await world.write('kbsync.yaml', 'languages: { en: en-GB }\ndefaultLanguage: en-GB\n');
  const ran = await world.run(...PRUNE);
  expect(ran.exit).toBe(4);
  expect(ran.stdout).toContain('--allow-scope-change');
  expect(writes()).toEqual([]);
});

test('a language that is left out', async () => {
  await world.remove('content/fr');
  expect(await faultsOfRefusal(PRUNE, 'scope-changed', '1 records have no file now')).toEqual([]);
  expect((await siteOf(world).titles()).length).toBe(14);
});

test('too many deletes', async () => {
  for (let i = 1; i < 14; i += 1) if (i > 6) await world.remove(`content/en/articles/a-${i}.md`);
  const seven = await world.run(...PRUNE, '--max-delete', '6');
  expect(seven.exit).toBe(4);
  expect(seven.stdout).toContain('7 of 16 managed records would be deleted; the limit is 6');
  expect(
    await faultsOfRefusal(
      [...PRUNE, '--max-delete', '6'].slice(0, 3).concat('--max-delete', '0'),
      'too-many-deletes',
      'the limit is 0',
    ),
  ).toEqual([]);
  expect((await siteOf(world).titles()).length).toBe(7);
});

describe('git in the middle of something, without the program git', () => {
  test.each([
    ['MERGE_HEAD', 'a merge is not finished'],
    ['REBASE_HEAD', 'a rebase is not finished'],
    ['rebase-merge/head-name', 'a rebase is not finished'],
    ['rebase-apply/next', 'a rebase is not finished'],
    ['CHERRY_PICK_HEAD', 'a cherry-pick is not finished'],
    ['REVERT_HEAD', 'a revert is not finished'],
    ['index.lock', 'git is running, or was killed'],
  ])('%s', async (file, text) => {
    await world.write(`.git/${file}`, '0000\n');
    await world.remove('content/en/articles/a-3.md');
    expect(
      await faultsOfRefusal(
        PRUNE,
        'checkout-incomplete',
        '1 managed record has no file',
        text,
        '--allow-checkout',
      ),
    ).toEqual([]);
    expect((await siteOf(world).titles()).length).toBe(13);
  });

  test('holds up no sync that deletes nothing', async () => {
    await world.write('.git/MERGE_HEAD', '0000\n');
    expect((await world.run(...PRUNE)).exit).toBe(0);
    await world.remove('content/en/articles/a-3.md');
    expect((await world.run('sync')).exit).toBe(0);
  });

  test('is seen through the file of a linked work tree', async () => {
    await world.write('repo/worktrees/docs/MERGE_HEAD', '0000\n');
    await world.write('.git', 'gitdir: repo/worktrees/docs\n');
    await world.remove('content/en/articles/a-3.md');
    expect(await faultsOfRefusal(PRUNE, 'checkout-incomplete', 'repo/worktrees/docs/MERGE_HEAD')).toEqual([]);
  });

  test('a work tree that names nothing is no repository', async () => {
    await world.write('.git', 'nonsense\n');
    await world.remove('content/en/articles/a-3.md');
    expect((await world.run(...PRUNE)).exit).toBe(0);
  });
});

describe('git itself', () => {
  const git = (...argv: readonly string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main', ...argv],
      {
        cwd: world.cwd,
        stdio: 'pipe',
      },
    );

  test('a sparse checkout', async () => {
    git('init', '-q');
    git('add', 'content');
    git('commit', '-qm', 'all');
    git(
      'sparse-checkout',
      'set',
      '--no-cone',
      '/content/en/categories',
      '/content/en/articles/a-1*',
      '/content/fr',
      '/content/en/articles/a-0.md',
    );
    expect(
      await faultsOfRefusal(
        PRUNE,
        'checkout-incomplete',
        'the checkout is sparse',
        'info/sparse-checkout',
        '--allow-checkout',
      ),
    ).toEqual([]);
  });

  test('a submodule of the content that is not there', async () => {
    git('init', '-q');
    await world.write(
      '.gitmodules',
      '[submodule "x"]\n\tpath = content/en/articles/sub\n\turl = ../x\n[submodule "theme"]\n\tpath = theme\n\turl = ../t\n',
    );
    await world.remove('content/en/articles/a-3.md');
    expect(
      await faultsOfRefusal(
        PRUNE,
        'checkout-incomplete',
        'the submodule content/en/articles/sub is not checked out',
        'git submodule update --init',
        '--allow-checkout',
      ),
    ).toEqual([]);
    await world.write('content/en/articles/sub/s.md', '---\ntitle: S\n---\n');
    expect((await world.run(...PRUNE)).exit).toBe(0);
  });

  test('a sparse checkout that was ended is none', async () => {
    git('init', '-q');
    git('add', 'content');
    git('commit', '-qm', 'all');
    git('sparse-checkout', 'set', '--no-cone', '/content/en');
    git('sparse-checkout', 'disable');
    await world.remove('content/en/articles/a-3.md');
    expect((await world.run(...PRUNE)).exit).toBe(0);
  });

  test('a merge with a conflict', async () => {
    git('init', '-q');
    git('add', 'content');
    git('commit', '-qm', 'all');
    git('switch', '-qc', 'other');
    await world.write('content/en/articles/a-1.md', '---\ntitle: Theirs\ncategories: [start]\n---\n');
    git('commit', '-qam', 'theirs');
    git('switch', '-q', 'main');
    git('rm', '-q', 'content/en/articles/a-1.md');
    git('commit', '-qm', 'ours');
    expect(() => git('merge', 'other')).toThrow('merge');
    git('rm', '-q', 'content/en/articles/a-1.md');
    expect(
      await faultsOfRefusal(PRUNE, 'checkout-incomplete', 'a merge is not finished', 'MERGE_HEAD'),
    ).toEqual([]);
  });
});

test('a file that git-lfs has not fetched is named, and nothing is deleted for it', async () => {
  await world.write(
    'content/en/articles/a-3.md',
    'version https://git-lfs.github.com/spec/v1\noid sha256:0000\nsize 12\n',
  );
  const ran = await world.run(...PRUNE);
  expect(ran.exit).toBe(5);
  expect(ran.stderr).toContain('content/en/articles/a-3.md:1:1: error lfs-pointer');
  expect(ran.stderr).toContain('git lfs pull');
  expect(writes()).toEqual([]);
});

test('a saved plan meets the guards again when it is applied', async () => {
  await world.remove('content/en/articles/a-3.md');
  expect((await world.run('plan', '--prune', '--out', 'plan.json')).exit).toBe(0);
  await world.write('.git/MERGE_HEAD', '0000\n');
  const ran = await world.run('apply', 'plan.json');
  expect(ran.exit).toBe(4);
  expect(ran.stdout + ran.stderr).toContain('a merge is not finished');
  expect(writes()).toEqual([]);
});

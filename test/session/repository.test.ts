import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FileSettings } from '../../src/config/schema.ts';
import { realFiles } from '../../src/machine/machine.ts';
import { repositoryNames } from '../../src/session/repository.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kbsync-repository-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

async function derived(path = '', file: FileSettings = {}): Promise<readonly string[]> {
  const root = join(folder, path);
  mkdirSync(root, { recursive: true });
  return (await repositoryNames({ root, file }, realFiles)).derived;
}

function remote(url: string, name = 'origin'): string {
  return `[core]\n\tbare = false\n[remote "${name}"]\n\turl = ${url}\n\tfetch = +refs/heads/*:refs/remotes/${name}/*\n`;
}

test('one repository has one name over SSH, HTTPS and with a token, whatever the host is called', async () => {
  const names = new Set<string | undefined>();
  for (const url of [
    'https://github.com/acme/docs.git',
    'https://github.com/Acme/Docs/',
    'git@github.com:acme/docs.git',
    'ssh://git@github-work/acme/docs',
    'https://gitlab-ci-token:secret@gitlab.com/acme/docs.git',
    'https://bitbucket.acme.test/scm/acme/docs.git',
    '/srv/git/acme/docs.git',
  ]) {
    write('.git/config', remote(url));
    names.add((await derived())[0]);
  }
  expect([...names]).toEqual([expect.stringMatching(/^git-[0-9a-f]{10}$/)]);
  write('.git/config', remote('https://dev.azure.com/acme/site/_git/docs'));
  const azure = await derived();
  write('.git/config', remote('git@ssh.dev.azure.com:v3/acme/site/docs'));
  expect(await derived()).toEqual(azure);
});

test('two repositories, and two folders of one, have names of their own', async () => {
  write('.git/config', remote('https://github.com/acme/docs'));
  const names = [await derived(), await derived('handbook'), await derived('site/docs')];
  write('.git/config', remote('https://github.com/acme/site'));
  names.push(await derived());
  expect(new Set(names.flat()).size).toBe(4);
});

test('a clone of a fork knows the name of the original beside its own', async () => {
  write('.git/config', remote('https://github.com/acme/docs'));
  const [original] = await derived();
  const config = remote('git@github.com:somebody/docs') + remote('https://github.com/acme/docs', 'upstream');
  write('.git/config', config);
  expect(await derived()).toEqual([expect.not.stringMatching(`^${original}$`), original]);
});

test('a linked work tree has the name of its repository', async () => {
  write('main/.git/config', remote('https://github.com/acme/docs'));
  write('main/.git/worktrees/w/commondir', '../..\n');
  write('w/.git', `gitdir: ${join(folder, 'main/.git/worktrees/w')}\n`);
  expect(await derived('w')).toEqual(await derived('main'));
});

test('a folder without git, or a repository without a remote, has no name but the one that kbsync.yaml gives', async () => {
  expect(await derived()).toEqual([]);
  write('.git/config', '[core]\n\tbare = false\n');
  expect(await derived()).toEqual([]);
  write('.git/config', remote(''));
  expect(await derived()).toEqual([]);
  const file = { id: 'acme-docs', formerIds: ['acme-help'] };
  expect(await repositoryNames({ root: folder, file }, realFiles)).toEqual({
    configured: 'acme-docs',
    former: ['acme-help'],
    derived: [],
  });
});

import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realFiles } from '../../src/machine/machine.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kbsync-machine-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a file is replaced as a whole, keeps its mode, and nothing stays beside it', async () => {
  const file = join(folder, 'plan.json');
  await writeFile(file, 'before');
  await chmod(file, 0o600);
  await realFiles.writeText(file, 'after');
  expect(await readFile(file, 'utf8')).toBe('after');
  expect((await lstat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['plan.json']);
});

test('a link is written into, not replaced', async () => {
  await writeFile(join(folder, 'real.json'), 'before');
  await symlink('real.json', join(folder, 'link.json'));
  await realFiles.writeText(join(folder, 'link.json'), 'after');
  expect(await readFile(join(folder, 'real.json'), 'utf8')).toBe('after');
  expect((await lstat(join(folder, 'link.json'))).isSymbolicLink()).toBe(true);
});

test('a file that cannot be written is named, with what would help', async () => {
  await mkdir(join(folder, 'taken'));
  await expect(realFiles.writeText(join(folder, 'taken'), 'text')).rejects.toThrow(
    `${join(folder, 'taken')} cannot be written (EISDIR): a folder has this name; move it away, or name another file`,
  );
});

test('a file that cannot be read is named, with what would help', async () => {
  await mkdir(join(folder, 'taken'));
  await expect(realFiles.readText(join(folder, 'taken'))).rejects.toThrow(
    `${join(folder, 'taken')} cannot be read (EISDIR): a folder has this name; move it away, or name another file`,
  );
});

/** A device of Linux on which every write fails as on a full disk. */
test.runIf(process.platform === 'linux')('a full disk is said with the name of the file', async () => {
  await symlink('/dev/full', join(folder, 'plan.json'));
  await expect(realFiles.writeText(join(folder, 'plan.json'), 'text')).rejects.toThrow(
    `${join(folder, 'plan.json')} cannot be written (ENOSPC): the disk is full; free some space and run again`,
  );
});

import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { explainedDisk } from '../../../src/base/disk/explained-disk.ts';
import { codeOf, createExclusively, realDisk, syncDirectory } from '../../../src/base/disk/real-disk.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kbsync-file-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

test('a file that is missing is an answer, and so is a folder', async () => {
  expect(await realDisk.read(join(folder, 'a'))).toBeUndefined();
  expect(await realDisk.list(join(folder, 'a'))).toEqual([]);
  await realDisk.remove(join(folder, 'a'));
});

test('a written file is for its owner only and holds what was written', async () => {
  const file = join(folder, 'a');
  await realDisk.write(file, 'long content');
  await realDisk.write(file, 'short');
  expect(await readFile(file, 'utf8')).toBe('short');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await realDisk.rename(file, join(folder, 'b'));
  expect(await realDisk.list(folder)).toEqual(['b']);
});

test('a file is made once, whole, and leaves nothing beside it', async () => {
  const file = join(folder, 'lock');
  expect(await realDisk.create(file, 'mine')).toBe(true);
  expect(await realDisk.create(file, 'theirs')).toBe(false);
  expect(await readFile(file, 'utf8')).toBe('mine');
  expect(await readdir(folder)).toEqual(['lock']);
});

test('where the file system has no hard links, a file is made by an exclusive open', async () => {
  const file = join(folder, 'lock');
  expect(await createExclusively(file, 'mine', failing('EPERM'))).toBe(true);
  expect(await createExclusively(file, 'theirs', failing('ENOTSUP'))).toBe(false);
  expect(await readFile(file, 'utf8')).toBe('mine');
  expect(await readdir(folder)).toEqual(['lock']);
});

test('what else goes wrong while a file is made is not hidden', async () => {
  await expect(createExclusively(join(folder, 'lock'), 'x', failing('EIO'))).rejects.toThrow('EIO');
  await expect(createExclusively(join(folder, 'no/lock'), 'x', failing('EIO'))).rejects.toThrow('ENOENT');
  const vanish = async () => {
    await rm(folder, { recursive: true });
    throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
  };
  await expect(createExclusively(join(folder, 'lock'), 'x', vanish)).rejects.toThrow('ENOENT');
  await mkdir(folder);
});

test('only the system has codes', () => {
  expect([
    codeOf(new Error('x')),
    codeOf('ENOENT'),
    codeOf(Object.assign(new Error('x'), { code: 5 })),
  ]).toEqual(['', '', '']);
});

test('lines are appended', async () => {
  const file = join(folder, 'journal');
  for (const line of ['a\n', 'b\n']) {
    const appender = await realDisk.append(file);
    await appender.write(line);
    await appender.sync();
    await appender.close();
  }
  expect(await readFile(file, 'utf8')).toBe('a\nb\n');
});

test('folders are made with those above them', async () => {
  await realDisk.makeDirectory(join(folder, 'a/b/c'));
  await realDisk.makeDirectory(join(folder, 'a/b/c'));
  expect(await realDisk.list(join(folder, 'a/b'))).toEqual(['c']);
});

test.runIf(process.platform === 'linux')(
  'a folder that cannot be made is an error, also where Node never ends',
  async () => {
    await expect(realDisk.makeDirectory('/proc/kbsync/state')).rejects.toThrow('/proc/kbsync');
  },
);

test('a folder made by somebody at the same time is made', async () => {
  const folders = Array.from({ length: 20 }, () => join(folder, 'x', 'y', 'z'));
  await Promise.all(folders.map((each) => realDisk.makeDirectory(each)));
  expect((await stat(join(folder, 'x', 'y', 'z'))).isDirectory()).toBe(true);
});

test('a folder is not made where a file is in the way of one above it', async () => {
  await writeFile(join(folder, 'file'), '');
  await expect(realDisk.makeDirectory(join(folder, 'file', 'x', 'y'))).rejects.toThrow('ENOTDIR');
});

test.runIf(process.platform === 'linux')('a folder that cannot be synced is taken as it is', async () => {
  await expect(syncDirectory('/proc')).resolves.toBeUndefined(); // fsync says EINVAL there
});

test('a folder that is gone cannot be synced', async () => {
  await expect(syncDirectory(join(folder, 'gone'))).rejects.toThrow('ENOENT');
});

test('every operation on a real disk that fails is explained with its path', async () => {
  const disk = explainedDisk(realDisk);
  await writeFile(join(folder, 'file'), '');
  const inside = join(folder, 'file/inside');
  await expect(disk.read(inside)).rejects.toMatchObject({ code: 'not-readable' });
  await expect(disk.list(inside)).rejects.toMatchObject({ code: 'not-readable' });
  const writes = [
    () => disk.write(inside, ''),
    () => disk.create(inside, ''),
    () => disk.append(inside),
    () => disk.rename(join(folder, 'file'), inside),
    () => disk.remove(inside),
    () => disk.makeDirectory(inside),
    () => disk.syncDirectory(inside),
  ];
  for (const write of writes) {
    await expect(write()).rejects.toMatchObject({
      code: 'not-writable',
      message: `${inside} cannot be written (ENOTDIR): a part of the path is a file, not a folder; move that file away, or keep the state elsewhere with --state FILE`,
    });
  }
});

test("an error that is not the disk's goes through as it is", async () => {
  const disk = explainedDisk({ ...realDisk, read: () => Promise.reject(new Error('bug: x')) });
  await expect(disk.read('a')).rejects.toThrow(/^bug: x$/);
});

import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compiledFolder, isOwnFolder } from '../../src/cli/compile-cache.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kbsync-cache-'));
});
afterEach(() => rmSync(root, { recursive: true }));

test('compiled code is kept in the folder for caches, and no home is made for it', () => {
  const inHome = join(root, '.cache', 'kbsync');
  expect(compiledFolder({ HOME: root })).toBe(inHome);
  expect(compiledFolder({ HOME: root, XDG_CACHE_HOME: '/var/tmp/caches' })).toBe('/var/tmp/caches/kbsync');
  expect(compiledFolder({ HOME: root, XDG_CACHE_HOME: 'caches' })).toBe(inHome);
  expect(compiledFolder({ HOME: join(root, 'none') })).toBeUndefined();
  expect(compiledFolder({ HOME: '' })).toBeUndefined();
  expect(compiledFolder({})).toBeUndefined();
});

test('a missing folder for compiled code is made, for its owner alone', () => {
  const folder = join(root, '.cache', 'kbsync');
  expect(isOwnFolder(folder)).toBe(true);
  expect([statSync(join(root, '.cache')).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([
    0o700, 0o700,
  ]);
  expect(isOwnFolder(folder)).toBe(true);
});

test.each([0o777, 0o775, 0o702])('nothing is run from a folder that others may write into (%o)', (mode) => {
  const folder = join(root, 'kbsync');
  mkdirSync(folder);
  chmodSync(folder, mode);
  expect(isOwnFolder(folder)).toBe(false);
});

test.skipIf(process.getuid?.() !== 0)('nothing is run from a folder of somebody else', () => {
  const folder = join(root, 'kbsync');
  mkdirSync(folder, { mode: 0o700 });
  chownSync(folder, 1, 1);
  expect(isOwnFolder(folder)).toBe(false);
});

test('a folder that cannot be made is no reason to stop', () => {
  writeFileSync(join(root, 'file'), '');
  expect(isOwnFolder(join(root, 'file', '.cache', 'kbsync'))).toBe(false);
});

import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isOwnFolder } from '../../src/cli/compile-cache.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kbsync-cache-'));
});
afterEach(() => rmSync(root, { recursive: true }));

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

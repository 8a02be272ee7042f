import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** One that could stopped a run on a page with 56 slashes. */
test('no pattern of the program can read the same text in more ways the longer it is', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['scripts/patterns.mjs'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const [, patterns, found] = /^(\d+) patterns, (\d+) of them without an end\n$/m.exec(stdout) ?? [];
  expect({ stdout, found }).toEqual({ stdout: expect.any(String), found: '0' });
  expect(Number(patterns)).toBeGreaterThan(2500);
}, 60_000);

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const SCRIPT = join(import.meta.dirname, '../../bench/hostile.mjs');

interface Report {
  readonly among: { readonly failed: number };
  readonly after: { readonly failed: number };
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  readonly 'MB max': number;
  readonly complaints: readonly string[];
}

// How fast it was and how many writes had to be tried again are told by `npm run campaign:hostile`; a test says what holds on
// any machine, also beside other tests.
test(
  'among hostile clients every write of an honest one is done, once, and the memory stays bounded',
  { timeout: 300_000 },
  async () => {
    const args = [SCRIPT, '--json', '--seconds', process.env['KBSYNC_HOSTILE_SECONDS'] ?? '30'];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const report = JSON.parse(stdout) as Report;
    expect(report).toMatchObject({
      lost: 0,
      doubled: 0,
      complaints: [],
      among: { failed: 0 },
      after: { failed: 0 },
    });
    expect(report.acknowledged).toBeGreaterThan(10);
    expect(report['MB max']).toBeLessThan(400);
  },
);

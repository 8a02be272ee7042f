import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** Written by a command as soon as it cannot be ended by SIGTERM any more. */
const HOLDS = `trap '' TERM; while :; do sleep 0.1; done`;

/** Runs lines of a script that has the limits of CI, in an environment with nothing but a path; until all its output is closed. */
function run(lines: string): Promise<{ readonly code: number | null; readonly out: string }> {
  const work = mkdtempSync(join(tmpdir(), 'kbsync-ci-'));
  onTestFinished(() => rmSync(work, { recursive: true, force: true }));
  const script = `set -euo pipefail; work=${work}/run; mkdir "$work"; failed=(); . .ci/limits.sh; MINUTE_SECONDS=1\n${lines}\nprintf 'failed: %s\\n' "\${failed[*]:-nothing}"`;
  const child = spawn('bash', ['-c', script], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', HOME: work },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out })));
}

test.skipIf(process.platform !== 'linux')(
  'a step of CI that does not end fails with its name, and the next one runs',
  async () => {
    const { code, out } = await run(`step 1 sleeps sleep 600; step 5 next echo here`);
    expect(out).toContain('stopped: it did not end within 1 s: sleep 600');
    expect(out).toContain('== sleeps: FAILED, it did not end');
    expect(out).toMatch(/here\n== next: ok/);
    expect(out).toContain('failed: sleeps (it did not end)');
    expect(code).toBe(0);
  },
);

test.skipIf(process.platform !== 'linux')(
  'what a step of CI leaves behind is named and ended, so the output of the run is closed',
  async () => {
    const { out } = await run(`step 60 leaves bash -c 'setsid bash -c "sleep 601; :" & exit 0'`);
    expect(out).toMatch(/left running, killed: \d+ .*bash -c sleep 601/);
    expect(out).toContain('== leaves: ok');
    expect(out).toContain('failed: nothing');
  },
);

test.skipIf(process.platform !== 'linux')(
  'a step that goes on after its limit is ended with all it started',
  async () => {
    const { out } = await run(`timeout() { command timeout --kill-after=1 "\${@:2}"; }
step 1 holds bash -c ${JSON.stringify(HOLDS)}`);
    expect(out).toContain('failed: holds (it did not end)');
  },
);

test.skipIf(process.platform !== 'linux')(
  'no step starts after the time of the whole run, and each of them has failed',
  async () => {
    const { out } = await run(`ALL_MINUTES=0; step 5 late echo here`);
    expect(out).not.toMatch(/^here$/m);
    expect(out).toContain('failed: late (it did not end)');
  },
);

test.skipIf(process.platform !== 'linux')('a step keeps its own end: ok, or a failure', async () => {
  const { out } = await run(
    `step 9 good true; step 9 bad false; step 9 odd bash -c 'exit 124'; step 9 killed bash -c 'kill -9 $$'`,
  );
  expect(out).toContain('== good: ok');
  expect(out).toContain('failed: bad odd killed\n');
});

test('every command of CI that may take long has a limit', () => {
  const lines = readFileSync(join(ROOT, '.ci/run'), 'utf8')
    .split('\n')
    .map((line) => line.trim());
  const starts = /^(?:if (?:! )?|[a-z]+=\S* )*(?:npm|npx|apt-get|node scripts\S*)\s/;
  const limits = /\b(?:limited|step|tests) (?:\d+|"\$minutes") .*\b(?:npm|npx|apt-get|node)\b/;
  expect(lines.filter((line) => starts.test(line))).toEqual([]);
  expect(lines.filter((line) => limits.test(line)).length).toBeGreaterThan(15);
});

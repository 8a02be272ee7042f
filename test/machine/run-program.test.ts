import { expect, test } from 'vitest';
import { runProgram } from '../../src/machine/run-program.ts';

const node = (script: string, ...words: readonly string[]): readonly string[] => [
  process.execPath,
  '-e',
  script,
  ...words,
];
const options = { cwd: process.cwd(), env: process.env, timeoutMs: 60_000 };

test('each word is one argument, whatever stands in it', async () => {
  const words = ['a b', '$(touch x)', '; rm -rf .', '"', '*', ''];
  const { code, stdout } = await runProgram(
    node('console.log(JSON.stringify(process.argv.slice(1)))', ...words),
    options,
  );
  expect([code, JSON.parse(stdout)]).toEqual([0, words]);
});

test('a program that takes too long ends with all that it has started, also if it ignores the request', async () => {
  const inner = `process.on('SIGTERM', () => undefined); console.log(process.pid); setInterval(() => undefined, 1000)`;
  const outer = `process.on('SIGTERM', () => undefined);
    require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit' });
    setInterval(() => undefined, 1000)`;
  const end = await runProgram(node(outer), { ...options, timeoutMs: 3000 });
  expect([end.code, end.why]).toEqual([undefined, 'it took longer than 3 s']);
  // The inner one holds the output open: there would be no end without its end.
  expect(Number(end.stdout.trim())).toBeGreaterThan(1);
});

test.skipIf(process.platform === 'win32')(
  'a program that leaves another one behind ends in time all the same',
  async () => {
    const inner = 'setTimeout(() => undefined, 60_000)';
    const outer = `const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit', detached: true });
    console.log(child.pid); child.unref()`;
    const end = await runProgram(node(outer), { ...options, timeoutMs: 1000 });
    expect([end.code, end.why]).toEqual([undefined, 'it took longer than 1 s']);
    // The one left behind holds the output open for a minute: there would be no end before its end.
    process.kill(Number(end.stdout.trim()), 'SIGKILL');
  },
);

test('a run that is interrupted before it begins ends the program', async () => {
  const signal = AbortSignal.abort();
  const end = await runProgram(node('setInterval(() => undefined, 1000)'), { ...options, signal });
  expect([end.code, end.why]).toEqual([undefined, 'the run was interrupted']);
});

test('much output is read to its end, and kept in part', async () => {
  const end = await runProgram(
    node(
      "process.stdout.write('x'.repeat(1e6)); process.stderr.write('y'.repeat(1e6) + 'end'); process.exitCode = 2",
    ),
    options,
  );
  expect([end.code, end.stdout.length, end.stderr.length, end.stderr.slice(-3)]).toEqual([
    2,
    65_536,
    4096,
    'end',
  ]);
});

test('a program that is not there says so', async () => {
  const end = await runProgram(['no-such-program'], options);
  expect([end.code, end.why]).toEqual([undefined, 'it cannot be started: spawn no-such-program ENOENT']);
});

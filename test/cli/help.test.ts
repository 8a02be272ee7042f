import { afterEach, beforeEach, expect, test } from 'vitest';
import { fakeWorld, SMALL, type FakeWorld } from './support/fake-world.ts';

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld(SMALL);
});
afterEach(() => world.close());

function headings(help: string): readonly string[] {
  return [...help.matchAll(/^([A-Z][^\n]*):$/gm)].map((match) => match[1] ?? '');
}

test.each(['plan', 'sync'])('the help of %s starts with the flags that one needs', async (command) => {
  const { stdout } = await world.run(command, '--help');
  expect(headings(stdout)[0]).toBe('Often used');
  const often = /Often used:\n([\s\S]*?)\n\n/.exec(stdout)?.[1] ?? '';
  expect([...often.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag)).toEqual([
    '--allow',
    '--prune',
    '--on-conflict',
    '--on-drift',
    '--adopt',
  ]);
});

test('the headings of a help text are in one order for every command', async () => {
  const { stdout } = await world.run('plan', '--help');
  expect(headings(stdout)).toEqual([
    'Often used',
    'What the run is about',
    'Options',
    'Files and address',
    'Guards stop a run that looks wrong; to let it go on',
    'Requests',
    'Output',
    'Examples',
  ]);
});

test('the help of watch, which never deletes, names no flag of deletes', async () => {
  const { stdout } = await world.run('watch', '--help');
  expect(stdout).toContain('never deletes');
  expect(stdout).not.toMatch(/--prune|--max-delete|--allow-checkout/);
});

test('a help text names values and defaults that a person can choose, and no other', async () => {
  const { stdout } = await world.run('plan', '--help');
  const text = stdout.replaceAll(/\s+/g, ' ');
  expect(text).toContain('(fail | local | remote; default: fail)');
  expect(text).not.toMatch(/default: (false|\[\])/);
});

test.each([['--json'], ['--format', 'json'], ['--format=json']])(
  'a command line that is not understood answers in JSON with %s %s',
  async (...flags) => {
    const ran = await world.run('plan', '--no-such-flag', ...flags);
    expect(ran.exit).toBe(64);
    expect(JSON.parse(ran.stdout)).toMatchObject({ format: 1, error: { code: 'usage' } });
  },
);

test('an argument names its values as a flag does', async () => {
  const { stdout } = await world.run('completions', '--help');
  expect(stdout).toMatch(/^ {2}shell +your shell \(bash \| zsh \| fish\)$/m);
});

test('words after -- ask for no JSON', async () => {
  const ran = await world.run('plan', '--no-such-flag', '--', '--json');
  expect(ran).toMatchObject({ exit: 64, stdout: '' });
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandsPage } from '../../../../src/cli/commands/schema/commands-page.ts';
import type { CommandAbout } from '../../../../src/cli/commands/schema/commands-page.ts';
import { FLAG_GROUPS } from '../../../../src/cli/flags.ts';
import { fakeWorld, type FakeWorld } from '../../support/fake-world.ts';

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld();
});
afterEach(() => world.close());

test('every command of the help is listed, with every flag of its own help', async () => {
  const { stdout } = await world.run('schema', 'commands');
  const { format, commands } = JSON.parse(stdout) as { format: number; commands: readonly CommandAbout[] };
  expect(format).toEqual(expect.any(Number));
  const help = (await world.run('--help')).stdout;
  const named = [...help.matchAll(/^ {2}([a-z]+)(?: |$)/gm)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(20);
  expect(new Set(commands.map(({ path }) => path.split(' ')[0]))).toEqual(
    new Set(named.filter((name) => name !== 'help')),
  );
  for (const { path, flags } of commands) {
    const own = (await world.run(...path.split(' '), '--help')).stdout;
    const shown = [...own.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag);
    const listed = flags.map(({ flag }) => /--[a-z-]+/.exec(flag)?.[0]);
    expect([path, new Set(shown)]).toEqual([path, new Set([...listed, '--help'])]);
  }
});

test('a flag that many commands have alike stands once; one that says something else stands with its command', () => {
  const flag = (about: string) => ({ flag: '--json', about, group: FLAG_GROUPS.output });
  const command = (path: string, about: string): CommandAbout => ({
    path,
    about: 'do <it>',
    usage: `kbsync ${path}`,
    arguments: [{ name: 'file', about: 'this | that' }],
    flags: [flag(about), { flag: '--own', about: 'own', group: FLAG_GROUPS.own }],
  });
  const page = commandsPage([
    command('a', 'as JSON'),
    command('b', 'as JSON'),
    command('c', 'as JSON'),
    command('d', 'as another JSON'),
  ]);
  expect(page.match(/\| `--json` \| as JSON \|/g)).toHaveLength(1);
  expect(page.match(/\| `--json` \| as another JSON \|/g)).toHaveLength(1);
  expect(page.match(/\| `--own` \| own \|/g)).toHaveLength(4);
  expect(page).toContain('| `file` | this \\| that |');
  expect(page).toContain('### kbsync d\n\nDo <it>. `kbsync d`');
});

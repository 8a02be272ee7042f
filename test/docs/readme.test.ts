import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../src/config/schema.ts';
import { EXIT } from '../../src/cli/run/exit.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { fakeWorld } from '../cli/support/fake-world.ts';

const root = join(import.meta.dirname, '../..');
const readme = await readFile(join(root, 'README.md'), 'utf8');

test('the README shows a plan as it is printed', async () => {
  const printed = await readFile(join(root, 'test/scenarios/plan-everything/plan.txt'), 'utf8');
  const shown = /\$ kbsync plan\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  expect(shown).not.toBe('');
  expect(printed.startsWith(shown)).toBe(true);
});

test('the README has a first screen, not a book', () => {
  expect(readme.split(/\s+/).length).toBeLessThanOrEqual(1200);
  const [first = '', start = ''] = readme.split(/^## /m);
  expect(first.match(/!\[[^\]]+\]\(docs\/images\/[\w-]+\.png\)/g)).toHaveLength(1);
  expect(first.match(/[.!?](?=\s)/g)).toHaveLength(2);
  expect(start.split('\n')[0]).toBe('Quick start');
});

test('the quick start is two commands for a fresh checkout, and both exist', async () => {
  const block = /^## Quick start\n[\s\S]*?```\n([\s\S]*?)```/m.exec(readme)?.[1] ?? '';
  const commands = block
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/ +#.*/, ''));
  expect(commands).toEqual(['npm ci && npm run demo', 'npm ci && npm test']);
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: object;
  };
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['demo', 'test']));
});

test('every flag and command in the README exists', async () => {
  const world = await fakeWorld();
  const table = /^## Commands\n\n([\s\S]*?)\n\n/m.exec(readme)?.[1] ?? '';
  const rows = [...table.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell = '']) => cell);
  const commands = rows.flatMap((cell) => [...cell.matchAll(/`([a-z]+)/g)].map(([, name = '']) => name));
  expect(commands.length).toBeGreaterThan(20);
  let known = '';
  for (const command of commands) {
    const { stdout, exit } = await world.run(command, '--help');
    expect([command, exit]).toEqual([command, EXIT.done]);
    known += stdout;
  }
  await world.close();
  const flags = new Set([...readme.matchAll(/--[a-z][a-z-]+/g)].map(([flag]) => flag));
  const missing = [...flags].filter(
    (flag) => !known.includes(flag) && !['--name', '--save-dev'].includes(flag),
  );
  expect(missing).toEqual([]);
  const named = new Set([...readme.matchAll(/(?:`|\$ )kbsync ([a-z]+)/g)].map((match) => match[1]));
  expect([...named].filter((name) => !commands.includes(name ?? ''))).toEqual([]);
});

test('every exit code is in the README', () => {
  for (const code of Object.values(EXIT)) expect(readme).toContain(`| ${code} |`);
});

test('the config in the README is one', () => {
  const text = /```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  expect(parseConfig(text, 'README.md')).toMatchObject({ ok: true });
  expect(Object.keys(configSchema.shape)).toContain('environments');
});

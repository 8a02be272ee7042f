import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../src/cli/config-schema.ts';
import { EXIT } from '../../src/cli/exit.ts';
import { parseConfig } from '../../src/cli/config-file.ts';
import { fakeWorld } from './fake-world.ts';

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
});

test('every flag and command in the README exists', async () => {
  const world = await fakeWorld();
  const commands = ['init', 'check', 'plan', 'apply', 'sync', 'resolve', 'restore', 'status', 'serve'];
  let known = '';
  for (const command of commands) known += (await world.run(command, '--help')).stdout;
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

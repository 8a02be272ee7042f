import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fill } from '../cli/support/migrate-content.ts';
import { migrateWorld } from '../cli/support/migrate-world.ts';
import { stepsOf, withoutTimes } from './transcript.ts';

const FILE = join(import.meta.dirname, '../../docs/guides/migration.md');

test('the migration guide prints what it shows', async () => {
  const page = await readFile(FILE, 'utf8');
  const world = await migrateWorld();
  await fill(world.from);
  let text = page;
  for (const step of stepsOf(page)) {
    if (step.type !== 'console') continue;
    const { stdout, stderr } = await world.run(...step.command.split(' ').slice(1));
    const head = `$ ${step.command}\n`;
    text = text.replace(head + step.output, head + withoutTimes(`${stdout}${stderr}`));
  }
  await world.close();
  if (process.env['KBSYNC_WRITE_GOLDENS'] === '1') await writeFile(FILE, text);
  expect(await readFile(FILE, 'utf8')).toBe(text);
});

test('every flag in the guide exists', async () => {
  const page = await readFile(FILE, 'utf8');
  const world = await migrateWorld();
  const helps = await Promise.all(
    ['migrate', 'pull', 'sync', 'convert'].map((name) => world.run(name, '--help')),
  );
  await world.close();
  const known = helps.map(({ stdout }) => stdout).join('');
  const flags = [...page.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([flag]) => flag);
  expect(flags.filter((flag) => !known.includes(flag))).toEqual([]);
});

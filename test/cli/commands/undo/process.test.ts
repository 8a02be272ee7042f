import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { kbsync, type CommandEnd } from '../../../support/command.ts';
import { serve, type Served } from '../../../support/served.ts';
import { SMALL } from '../../support/fake-world.ts';

let cwd: string;
let served: Served;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kbsync-undo-'));
  served = await serve();
  for (const [file, text] of Object.entries(SMALL)) await write(file, text);
});
afterEach(async () => {
  await served.close();
  await rm(cwd, { recursive: true });
});

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(cwd, file)), { recursive: true });
  await writeFile(join(cwd, file), text);
}

const run = (...argv: readonly string[]): Promise<CommandEnd> =>
  kbsync(argv, { cwd, env: { KBSYNC_API_KEY: served.key, KBSYNC_BASE_URL: served.url } });

async function titles(): Promise<readonly string[]> {
  const { data } = (await served.get('/api/v2/articles')) as { data: readonly { name: string }[] };
  return data.map(({ name }) => name).sort();
}

test('the built command sends a part, logs it, takes it back and takes that back', async () => {
  expect(await run('sync', '--only', 'update', '--exclude', 'tag/**')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('partial: 2 of 5 records') as string,
  });
  expect((await run('sync')).code).toBe(0);
  await write(
    'content/en/articles/update.md',
    '---\ntitle: Upgrade\ncategories: [start]\n---\n\nNew words.\n',
  );
  expect((await run('sync')).code).toBe(0);
  expect(await titles()).toContain('Upgrade');
  expect((await run('log', 'last', '--diff')).stdout).toContain('title: Update → Upgrade');
  expect((await run('undo', '--dry-run')).stdout).toContain('would be put back: ');
  expect(await titles()).toContain('Upgrade');
  expect((await run('undo')).code).toBe(0);
  expect(await titles()).toContain('Update');
  expect((await run('sync')).stdout).toContain('left alone');
  expect((await run('undo', 'last')).code).toBe(0);
  expect(await titles()).toContain('Upgrade');
  expect((await run('sync')).stdout).toMatch(/^in sync/);
  expect((await run('check', '--strict')).code).toBe(0);
});

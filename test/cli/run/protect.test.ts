import { afterEach, expect, test } from 'vitest';
import { fakeWorld, SMALL, type FakeWorld } from '../support/fake-world.ts';

let world: FakeWorld;
afterEach(() => world.close());

const TERMS = 'content/en/articles/legal/terms.md';
const FILES = {
  ...SMALL,
  [TERMS]: '---\ntitle: Terms\n---\n\nThe terms.\n',
  'content/en/articles/extra.md': '---\ntitle: Extra\n---\n\nMore.\n',
};

async function synced(protect = 'legal/**'): Promise<void> {
  world = await fakeWorld(FILES);
  await world.write('kbsync.yaml', `protect: ['${protect}']\n`);
  expect((await world.run('sync')).exit).toBe(0);
  world.sent.length = 0;
}

const writes = () => world.sent.filter((request) => !request.startsWith('GET'));

test('a protected record whose file is gone stays: exit 4, and the plan says how to delete it', async () => {
  await synced();
  await world.remove(TERMS);
  const plan = await world.run('plan', '--prune');
  expect(plan.stdout).toContain(
    'legal/terms  kept: it is protected; to delete it, take it out of `protect` in kbsync.yaml; to keep it, bring its file back',
  );
  expect((await world.run('sync', '--prune', '--yes')).exit).toBe(4);
  expect(writes()).toEqual([]);
});

test('deletes of others are made beside a protected record: exit 5', async () => {
  await synced();
  await world.remove(TERMS);
  await world.remove('content/en/articles/extra.md');
  const { exit, stdout } = await world.run('sync', '--prune', '--yes');
  expect([exit, writes().length]).toEqual([5, 1]);
  expect(stdout).toContain('it is protected');
});

test('another slug, or a draft, is refused as a whole: exit 4, and nothing is written', async () => {
  await synced();
  await world.write('content/en/articles/extra.md', '---\ntitle: Other\n---\n\nMore.\n');
  for (const line of ['slug: conditions', 'status: draft']) {
    await world.write(TERMS, `---\ntitle: Terms\n${line}\n---\n\nThe terms.\n`);
    const { exit, stdout, stderr } = await world.run('sync');
    expect([exit, writes()]).toEqual([4, []]);
    expect(`${stdout}${stderr}`).toContain('[protected]');
    expect(`${stdout}${stderr}`).toContain('take the record out of `protect` in kbsync.yaml');
  }
});

test('a word that fits nothing is named on each run; with --prune nothing is deleted meanwhile', async () => {
  await synced('legl/**');
  const words = 'legl/**  fits no record, so it protects nothing';
  expect((await world.run('plan')).stdout).toContain(words);
  await world.remove(TERMS);
  const { exit, stdout } = await world.run('sync', '--prune', '--yes');
  expect([exit, writes()]).toEqual([4, []]);
  expect(stdout).toContain(words);
});

test('undo does not take a protected record away either', async () => {
  await synced();
  const { exit, stdout, stderr } = await world.run('undo');
  expect([exit, writes()], `${stdout}${stderr}`).toEqual([4, []]);
});

test('names are of records: a file is refused, and says what would be right', async () => {
  world = await fakeWorld(FILES);
  await world.write('kbsync.yaml', `protect: ['en/articles/legal/terms.md']\n`);
  const { exit, stderr } = await world.run('check');
  expect(exit).toBe(64);
  expect(stderr).toContain('name records, not files');
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { fakeWorld, SMALL, type FakeWorld } from '../../support/fake-world.ts';

const FILE = 'content/en/articles/update.md';
let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld({ ...SMALL, [FILE]: '---\ntitle: Update\ntypo: 1\n---\n\n[dead](nowhere.md)\n' });
});
afterEach(() => world.close());

test('old findings are counted, new ones fail, wherever in the file they stand', async () => {
  expect((await world.run('check')).exit).toBe(1);
  const written = await world.run('check', '--baseline', 'known.json', '--update-baseline');
  expect([written.exit, written.stdout]).toEqual([
    0,
    expect.stringContaining('2 findings already in known.json\n'),
  ]);
  await world.write(FILE, '---\ntitle: Update\ntypo: 1\n---\n\nA line more.\n\n[dead](nowhere.md)\n');
  expect((await world.run('check', '--baseline', 'known.json')).exit).toBe(0);
  await world.write(FILE, '---\ntitle: Update\ntypo: 1\n---\n\n[dead](nowhere.md) [too](elsewhere.md)\n');
  const { exit, stdout } = await world.run('check', '--baseline', 'known.json', '--json');
  expect(exit).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ known: 2, problems: [{ code: 'dead-link' }] });
  await world.write(FILE, '---\ntitle: Update\ntypo: 1\n---\n\n[dead](nowhere.md) [dead](nowhere.md)\n');
  expect((await world.run('check', '--baseline', 'known.json')).exit).toBe(1);
});

test('--strict fails on a warning', async () => {
  await world.write(FILE, '---\ntitle: Update\ntypo: 1\n---\n\nText.\n');
  expect((await world.run('check')).exit).toBe(0);
  expect((await world.run('check', '--strict')).exit).toBe(1);
  await world.run('check', '--baseline', 'known.json', '--update-baseline');
  expect((await world.run('check', '--strict', '--baseline', 'known.json')).exit).toBe(0);
});

test.each([
  '',
  '{}',
  '[]',
  '{"known":[{}],"format":1}',
  '{"known":[],"format":2}',
  '{"known":[null],"format":1}',
])('a file that is no baseline is refused: %s', async (text) => {
  await world.write('known.json', text);
  const { exit, stderr } = await world.run('check', '--baseline', 'known.json');
  expect([exit, stderr]).toEqual([64, expect.stringContaining('known.json is not a baseline of kbsync')]);
});

test('a missing file, and a baseline without a name, say what to do', async () => {
  expect((await world.run('check', '--baseline', 'none.json')).stderr).toContain(
    '--update-baseline writes it',
  );
  expect((await world.run('check', '--update-baseline')).stderr).toContain('needs --baseline FILE');
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { RunHead, Step } from '../../../src/base/history/history.ts';
import { openHistory, openPastRuns } from '../../../src/base/history/history-file.ts';
import { digestOfText } from '../../../src/model/digest.ts';
import { keyOf } from '../../../src/model/key.ts';
import { seededRandom } from '../../support/random.ts';
import { simulatedDisk } from '../../support/simulated-disk.ts';

const FOLDER = '/work/.kbsync/history';
const BOUND = { runs: 30, bytes: 1_000_000 };
const headOf = (run: string): RunHead => ({
  run,
  atMs: 1,
  command: 'sync',
  origin: 'https://help.acme.test',
});

const updateOf = (path: string, text = 'old'): Step => ({
  do: 'intend',
  op: `op-${path}`,
  action: 'update',
  key: keyOf('article', path, 'en'),
  id: '7',
  name: path,
  before: { id: '7', fields: { content: text }, labels: {} },
  after: { content: 'new' },
});
const deleteOf = (path: string): Step => ({
  do: 'intend',
  op: `op-${path}`,
  action: 'delete',
  key: keyOf('article', path, 'en'),
  id: '7',
  name: path,
});

const newDisk = () => simulatedDisk(seededRandom(1));

test('what a run noted is read back with its head; a run without a step leaves no file', async () => {
  const disk = newDisk();
  const history = openHistory(FOLDER, { head: headOf('run-1'), bound: BOUND, disk });
  const past = openPastRuns(FOLDER, disk);
  expect(await past.names()).toEqual([]);
  await Promise.all([history.add(updateOf('a')), history.add(updateOf('b')), history.add(deleteOf('c'))]);
  await history.close();
  await openHistory(FOLDER, { head: headOf('run-2'), bound: BOUND, disk }).close();
  expect(await past.names()).toEqual(['run-1']);
  const read = await past.read('run-1');
  expect(read?.head).toEqual(headOf('run-1'));
  expect([...(read?.changes.values() ?? [])].map(({ action, name }) => `${action} ${name}`)).toEqual([
    'updated a',
    'updated b',
    'deleted c',
  ]);
  expect(await past.read('run-2')).toBeUndefined();
  expect(await past.read('../run-1')).toBeUndefined();
});

test('what an update overwrites survives a power cut', async () => {
  const disk = newDisk();
  const history = openHistory(FOLDER, { head: headOf('run-1'), bound: BOUND, disk });
  await history.add(updateOf('a'));
  disk.losePower();
  const read = await openPastRuns(FOLDER, disk).read('run-1');
  expect([...(read?.changes.values() ?? [])]).toMatchObject([
    { action: 'updated', before: { fields: { content: 'old' } }, isSure: false },
  ]);
});

test('a cut last line is no step; any other damage is named with its line', async () => {
  const disk = newDisk();
  const history = openHistory(FOLDER, { head: headOf('run-1'), bound: BOUND, disk });
  await history.add(updateOf('a'));
  await history.add(updateOf('b'));
  const file = join(FOLDER, 'run-1.log');
  const text = disk.text(file) ?? '';
  const past = openPastRuns(FOLDER, disk);
  disk.put(file, text.slice(0, -10));
  expect((await past.read('run-1'))?.changes.size).toBe(1);
  const lines = text.split('\n');
  for (const wrong of [
    '',
    'x',
    (lines[1] ?? '').slice(0, 30),
    `0000000000000000 ${(lines[1] ?? '').split(' ')[1] ?? ''}`,
  ]) {
    disk.put(file, [lines[0], wrong, ...lines.slice(2)].join('\n'));
    await expect(past.read('run-1')).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('line 2'),
    });
  }
  disk.put(file, 'something else\n');
  await expect(past.read('run-1')).rejects.toMatchObject({ code: 'damaged' });
  disk.put(file, '');
  await expect(past.read('run-1')).rejects.toMatchObject({ code: 'damaged' });
});

test('a log of a newer kbsync is refused, not guessed at', async () => {
  const disk = newDisk();
  const head = { ...headOf('run-1'), format: 3 };
  const history = openHistory(FOLDER, { head, bound: BOUND, disk });
  await history.add(updateOf('a'));
  await expect(openPastRuns(FOLDER, disk).read('run-1')).rejects.toMatchObject({ code: 'newer-format' });
});

test('a log of format 1, deflated line by line, is read', async () => {
  const disk = newDisk();
  const line = (value: object): string => {
    const json = JSON.stringify(value);
    return `${digestOfText(json)} ${deflateRawSync(json).toString('base64')}`;
  };
  const header = { kbsync: 'run', format: 1, ...headOf('run-1') };
  disk.put(join(FOLDER, 'run-1.log'), [line(header), line(updateOf('a')), ''].join('\n'));
  const read = await openPastRuns(FOLDER, disk).read('run-1');
  expect(read?.head).toEqual(headOf('run-1'));
  expect([...(read?.changes.keys() ?? [])]).toEqual([keyOf('article', 'a', 'en')]);
});

test('a long line is deflated and read back', async () => {
  const disk = newDisk();
  const history = openHistory(FOLDER, { head: headOf('run-1'), bound: BOUND, disk });
  const text = 'the same words '.repeat(1_000);
  await history.add(updateOf('a', text));
  expect((disk.text(join(FOLDER, 'run-1.log')) ?? '').length).toBeLessThan(2_000);
  const read = await openPastRuns(FOLDER, disk).read('run-1');
  expect([...(read?.changes.values() ?? [])]).toMatchObject([{ before: { fields: { content: text } } }]);
});

test('the oldest runs make room, by number and by size', async () => {
  const disk = newDisk();
  const past = openPastRuns(FOLDER, disk);
  const add = async (run: string, bound = BOUND): Promise<void> => {
    const history = openHistory(FOLDER, { head: headOf(run), bound, disk });
    await history.add(updateOf('a'));
    await history.close();
  };
  for (const run of ['run-1', 'run-2', 'run-3']) await add(run, { ...BOUND, runs: 2 });
  expect(await past.names()).toEqual(['run-2', 'run-3']);
  const { bytes, runs } = await past.use();
  expect(runs).toBe(2);
  const sizes = ['run-2', 'run-3'].map((run) => (disk.text(join(FOLDER, `${run}.log`)) ?? '').length);
  expect(bytes).toBe((sizes[0] ?? 0) + (sizes[1] ?? 0));
  await add('run-4', { ...BOUND, bytes: sizes[1] ?? 0 });
  expect(await past.names()).toEqual(['run-3', 'run-4']);
  await add('run-5', { ...BOUND, bytes: 1 });
  expect(await past.names()).toEqual(['run-5']);
});

test('two runs of one name are one: the first loses nothing', async () => {
  const disk = newDisk();
  for (const path of ['a', 'b']) {
    const history = openHistory(FOLDER, { head: headOf('run-1'), bound: BOUND, disk });
    await history.add(updateOf(path));
    await history.close();
  }
  expect((await openPastRuns(FOLDER, disk).read('run-1'))?.changes.size).toBe(2);
});

test('a full disk is said to whoever writes, and stays said', async () => {
  const disk = newDisk();
  const history = openHistory(FOLDER, { head: headOf('run-1'), bound: BOUND, disk });
  await history.add(updateOf('a'));
  disk.failAtStep(disk.steps() + 1, 'ENOSPC');
  await expect(history.add(updateOf('b'))).rejects.toMatchObject({ code: 'not-writable' });
  await expect(history.add(updateOf('c'))).rejects.toMatchObject({ code: 'not-writable' });
});

test('the real disk keeps it too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kbsync-history-'));
  const history = openHistory(folder, { head: headOf('run-1'), bound: BOUND });
  await history.add(updateOf('a', 'word '.repeat(2000)));
  await history.close();
  const past = openPastRuns(folder);
  expect((await past.read('run-1'))?.changes.size).toBe(1);
  expect((await past.use()).bytes).toBeLessThan(1000);
  await rm(folder, { recursive: true });
  expect(await past.use()).toEqual({ runs: 0, bytes: 0 });
});

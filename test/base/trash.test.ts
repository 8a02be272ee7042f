import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileNameOf, isRun, openTrash } from '../../src/base/trash.ts';
import type { PreImage } from '../../src/base/trash.ts';
import { keyOf } from '../../src/model/key.ts';
import type { Key } from '../../src/model/key.ts';
import { seededRandom } from '../support/random.ts';
import { Crash, simulatedDisk } from '../support/simulated-disk.ts';

const FOLDER = '/work/.kbsync/trash';
const RUN = '20261120T083000Z-1a2b';

const imageOf = (path: string, lang = 'en'): PreImage => ({
  key: keyOf('article', path, lang),
  kind: 'article',
  id: `id-${path}`,
  lang,
  action: 'delete',
  fields: { title: path, categories: ['7', '3'], content: '<p>all of it</p>', hideFromSearch: null },
  labels: { '7': 'Seven', '3': 'Three' },
  atMs: 1,
});

const newTrash = () => {
  const disk = simulatedDisk(seededRandom(1));
  return { disk, trash: openTrash(FOLDER, disk) };
};

test('what was kept comes back, sorted by key; a later image replaces an earlier one', async () => {
  const { trash } = newTrash();
  for (const image of [imageOf('b'), imageOf('a', 'fr'), imageOf('aZ'), imageOf('a/z'), imageOf('a')])
    await trash.keep(RUN, image);
  await trash.keep(RUN, { ...imageOf('b'), fields: { title: 'later' } });
  expect(await trash.images(RUN)).toEqual([
    imageOf('a/z'),
    imageOf('a'),
    imageOf('a', 'fr'),
    imageOf('aZ'),
    { ...imageOf('b'), fields: { title: 'later' } },
  ]);
  expect(await trash.images('another-run')).toEqual([]);
});

test('on a real disk too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kbsync-trash-'));
  const trash = openTrash(join(folder, 'trash'));
  expect(await trash.runs()).toEqual([]);
  await trash.keep(RUN, imageOf('getting-started/install'));
  expect(await trash.runs()).toEqual([RUN]);
  expect(await readdir(join(folder, 'trash', RUN))).toEqual([
    fileNameOf(imageOf('getting-started/install').key),
  ]);
  expect(await trash.images(RUN)).toEqual([imageOf('getting-started/install')]);
  await rm(folder, { recursive: true });
});

test('an image is durable when the call resolves, whatever step the power goes at', async () => {
  for (let step = 1; step <= 6; step += 1) {
    for (let seed = 1; seed <= 8; seed += 1) {
      const disk = simulatedDisk(seededRandom(seed));
      const trash = openTrash(FOLDER, disk);
      disk.crashAtStep(step);
      const isKept = await trash.keep(RUN, imageOf('a')).then(
        () => true,
        (error: unknown) => {
          expect(error).toBeInstanceOf(Crash);
          return false;
        },
      );
      disk.losePower();
      const found = await trash.images(RUN);
      expect(found.length === 1 || (!isKept && found.length === 0)).toBe(true);
    }
  }
});

test("no key leads out of the folder, into a hidden or reserved name, or onto another key's file", () => {
  const names = new Map<string, Key>();
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 300, unit: 'binary' }), (path) => {
      const key = keyOf('article', path, 'en');
      const name = fileNameOf(key);
      expect(name).toMatch(/^[A-Za-z0-9@_-]{1,80}\.[0-9a-f]{16}\.json$/);
      expect(normalize(`/trash/${name}`)).toBe(`/trash/${name}`);
      expect(names.get(name.toLowerCase()) ?? key).toBe(key);
      names.set(name.toLowerCase(), key);
    }),
    { numRuns: 2000 },
  );
  expect(fileNameOf(keyOf('article', '../../etc/passwd', 'en'))).toMatch(/^article_etc_passwd@en\./);
  expect(fileNameOf(keyOf('tag', 'A', 'en'))).not.toBe(fileNameOf(keyOf('tag', 'a', 'en')));
});

test.each(['..', '.', '', '../x', 'a/b', '.hidden', 'a\\b', 'a\0', 'x'.repeat(101)])(
  '%j names no run',
  async (run) => {
    const { trash, disk } = newTrash();
    disk.put(`${FOLDER}/../escaped.json`, '{}');
    expect(isRun(run)).toBe(false);
    expect(await trash.images(run)).toEqual([]);
    await expect(trash.keep(run, imageOf('a'))).rejects.toThrow('cannot name a run');
  },
);

test('files of others in the folder are passed over', async () => {
  const { trash, disk } = newTrash();
  await trash.keep(RUN, imageOf('a'));
  disk.put(`${FOLDER}/${RUN}/notes.txt`, 'mine');
  disk.put(`${FOLDER}/.DS_Store`, '');
  expect(await trash.images(RUN)).toHaveLength(1);
  expect(await trash.runs()).not.toContain('.DS_Store');
});

test('an image that is removed while the run is read is passed over', async () => {
  const { trash, disk } = newTrash();
  await trash.keep(RUN, imageOf('a'));
  const racing = openTrash(FOLDER, { ...disk, read: async () => undefined });
  expect(await racing.images(RUN)).toEqual([]);
});

test.each<readonly [string, (text: string) => string, string]>([
  ['empty', () => '', 'it is not a pre-image of kbsync'],
  ['another JSON', () => '{"a":1}', 'it is not a pre-image of kbsync'],
  ['edited', (text) => text.replace('all of it', 'less of it'), 'its content does not fit its checksum'],
  ['without image', (text) => text.replace('"image"', '"picture"'), 'its content does not fit its checksum'],
  [
    'of a newer format',
    (text) => text.replace('"format": 1', '"format": 2'),
    'has format 2; this kbsync reads format 1',
  ],
])('an image that is %s is refused, and nothing is restored from it', async (_, change, why) => {
  const { trash, disk } = newTrash();
  await trash.keep(RUN, imageOf('a'));
  const file = `${FOLDER}/${RUN}/${fileNameOf(imageOf('a').key)}`;
  disk.put(file, change(disk.text(file) ?? ''));
  await expect(trash.images(RUN)).rejects.toThrow(why);
  await expect(trash.images(RUN)).rejects.toThrow(file);
});

test.each(['key', 'kind', 'id', 'lang', 'action', 'fields', 'labels', 'atMs'])(
  'an image without %s is refused',
  async (name) => {
    const { trash, disk } = newTrash();
    // As a wrong writer would leave it: whole, with a checksum that fits.
    const kept = imageOf('a');
    await trash.keep(RUN, { ...kept, [name]: name === 'key' ? 'no key' : false });
    expect(disk.names()).toHaveLength(1);
    await expect(trash.images(RUN)).rejects.toThrow('it lacks what a pre-image has');
  },
);

test('a full disk is named before anything is deleted', async () => {
  const { trash, disk } = newTrash();
  disk.failAtStep(1, 'ENOSPC');
  await expect(trash.keep(RUN, imageOf('a'))).rejects.toMatchObject({ code: 'not-writable' });
});

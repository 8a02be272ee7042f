import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readStable, stampOf } from '../../../src/content/files/disk.ts';
import { WHOLE_FOLDER } from '../../../src/content/files/scope.ts';
import { listTree } from '../../../src/content/files/tree.ts';
import { keptBytes } from '../../support/kept-bytes.ts';
import { folderOf, load, loadFrom, page } from '../support/support.ts';

test('symbolic links are not followed, wherever they lead, and are named', async () => {
  const folder = folderOf({ 'en/articles/a.md': page('title: A') });
  const outside = folderOf({ 'secret.md': page('title: Secret') });
  const articles = join(folder, 'content/en/articles');
  symlinkSync(join(outside, 'content/secret.md'), join(articles, 'secret.md'));
  symlinkSync(join(outside, 'content'), join(articles, 'folder'));
  symlinkSync('..', join(articles, 'loop'));
  symlinkSync('a.md', join(articles, 'twin.md'));
  symlinkSync('nowhere.md', join(articles, 'broken.md'));
  const { records, places, messages } = await loadFrom(folder);
  expect([...records.keys()]).toEqual(['article/a@en']);
  expect(places).toEqual(
    ['broken.md', 'folder', 'loop', 'secret.md', 'twin.md'].map(
      (name) => `content/en/articles/${name}:1:1 unexpected-file`,
    ),
  );
  expect(messages[0]).toContain('symbolic link');
});

test('the content folder itself may be a link', async () => {
  const folder = folderOf({ 'en/articles/a.md': page('title: A') });
  symlinkSync('content', join(folder, 'docs'));
  const { record } = await loadFrom(folder, { contentDir: 'docs' });
  expect(record('article', 'a').at.file).toBe('docs/en/articles/a.md');
});

test('a pipe is named and never opened', async () => {
  const folder = folderOf({ 'en/articles/a.md': page('title: A') });
  execFileSync('mkfifo', [join(folder, 'content/en/articles/pipe.md')]);
  const { places } = await loadFrom(folder);
  expect(places).toEqual(['content/en/articles/pipe.md:1:1 unexpected-file']);
  expect(readStable(join(folder, 'content/en/articles/pipe.md'))).toMatchObject({ state: 'unreadable' });
});

test.runIf(process.platform === 'linux')(
  'a file whose name is not UTF-8 is named with what to do',
  async () => {
    const folder = folderOf({ 'en/articles/a.md': page('title: A') });
    const name = Buffer.concat([Buffer.from(join(folder, 'content/en/articles/b')), Buffer.from([0xff])]);
    writeFileSync(Buffer.concat([name, Buffer.from('.md')]), page('title: B'));
    const { places, messages } = await loadFrom(folder);
    expect(places).toEqual(['content/en/articles/b\ufffd.md:1:1 unreadable-file']);
    expect(messages[0]).toContain('its name is not UTF-8; rename the file');
  },
);

test.skipIf(process.getuid?.() === 0)('a file that may not be read is an error with its reason', async () => {
  const folder = folderOf({ 'en/articles/a.md': page('title: A'), 'en/articles/b.md': page('title: B') });
  chmodSync(join(folder, 'content/en/articles/a.md'), 0);
  const { places, messages } = await loadFrom(folder);
  expect(places).toEqual(['content/en/articles/a.md:1:1 unreadable-file']);
  expect(messages[0]).toContain('EACCES');
});

test.skipIf(process.getuid?.() === 0)(
  'a folder that may not be listed is an error, not an empty folder',
  async () => {
    const folder = folderOf({
      'en/articles/a.md': page('title: A'),
      'en/articles/deep/b.md': page('title: B'),
    });
    chmodSync(join(folder, 'content/en/articles/deep'), 0);
    const { places } = await loadFrom(folder);
    chmodSync(join(folder, 'content/en/articles/deep'), 0o755);
    expect(places).toEqual(['content/en/articles/deep:1:1 unreadable-file']);
  },
);

test('names are NFC in keys and links, whatever the disk stores', async () => {
  const { record, messages } = await load({
    ['en/articles/cafe\u0301.md']: page('title: Café'),
    'en/articles/a.md': page('title: A', '[x](caf\u00e9.md) [y](cafe\u0301.md) [z](caf%C3%A9.md)\n'),
  });
  expect(messages).toEqual([]);
  expect(record('article', 'caf\u00e9').body?.render()).toBe('<p>Text.</p>');
  expect(
    record('article', 'a')
      .body?.render()
      .match(/href="\/en\/articles\/caf%C3%A9"/g),
  ).toHaveLength(3);
});

test('hard links are files of their own', async () => {
  const folder = folderOf({ 'en/articles/a.md': page('title: A') });
  linkSync(join(folder, 'content/en/articles/a.md'), join(folder, 'content/en/articles/b.md'));
  expect((await loadFrom(folder)).records.size).toBe(2);
});

test('the tree is listed in one order, whatever the disk says', () => {
  const folder = folderOf({ 'b/x.md': '', 'a.md': '', 'B.md': '', 'a/y.md': '' });
  expect(listTree(join(folder, 'content'), WHOLE_FOLDER).files.map(({ path }) => path)).toEqual([
    'B.md',
    'a.md',
    'a/y.md',
    'b/x.md',
  ]);
});

test('bytes are those of the file, also behind a longer one', () => {
  const folder = folderOf({});
  mkdirSync(join(folder, 'x'));
  const [long, short] = [join(folder, 'x/long'), join(folder, 'x/short')];
  writeFileSync(long, 'x'.repeat(400_000));
  writeFileSync(short, 'ab');
  expect(readStable(long)).toMatchObject({ state: 'read', bytes: { length: 400_000 } });
  const read = readStable(short);
  expect(read.state === 'read' && new TextDecoder().decode(read.bytes)).toBe('ab');
  expect(readStable(join(folder, 'x/none'))).toMatchObject({
    state: 'unreadable',
    reason: expect.stringContaining('deleted'),
  });
});

test('what tells that a file changed takes little memory, because a run holds one for each file', () => {
  const file = join(folderOf({ 'en/articles/a.md': page('title: A') }), 'content/en/articles/a.md');
  expect(keptBytes(20_000, () => stampOf(file))).toBeLessThan(180);
});

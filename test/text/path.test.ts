import { expect, test } from 'vitest';
import { folderOf, foldersAbove } from '../../src/text/path.ts';

test.each([
  ['a/b/c.md', 'a/b'],
  ['c.md', ''],
  ['', ''],
  ['/c.md', ''],
])('the folder of %j is %j', (path, folder) => {
  expect(folderOf(path)).toBe(folder);
});

test.each([
  ['a/b/c.md', ['a', 'a/b']],
  ['c.md', []],
])('%j is in the folders %j, the outermost first', (path, folders) => {
  expect(foldersAbove(path)).toEqual(folders);
});

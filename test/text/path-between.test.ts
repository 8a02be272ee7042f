import { expect, test } from 'vitest';
import { pathBetween } from '../../src/text/path-between.ts';

test.each([
  ['es', '../../../../../../../../../src/a.png', '../../../../../../../../../../src/a.png'],
  ['.', 'a.png', 'a.png'],
  ['guide', 'guide/a.png', 'a.png'],
  ['../parts', '../a.png', '../a.png'],
])('from %s to %s it is %s, wherever the program runs', (folder, file, path) => {
  expect(pathBetween(folder, file)).toBe(path);
});

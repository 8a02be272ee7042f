import { assert, constantFrom, property, string, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { keyOf } from '../../src/model/key.ts';
import { splitStamp, withStamp } from '../../src/model/stamp.ts';

test('a body is read the same with and without its stamp, whatever space it ends in', () => {
  const key = keyOf('article', 'install', 'en');
  const space = constantFrom('', '\n', '\n\n  \n', ' ', '\t');
  assert(
    property(tuple(string(), space), ([text, end]) => {
      const body = `${text}${end}`;
      const plain = splitStamp(body);
      expect(plain.stamp).toBeUndefined();
      expect(splitStamp(withStamp(body, key, { content: body })).body).toBe(plain.body);
    }),
  );
});

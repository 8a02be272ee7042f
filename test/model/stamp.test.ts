import { assert, constantFrom, property, string, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { keyOf } from '../../src/model/key.ts';
import { otherOwner, parseStamp, splitStamp, withStamp } from '../../src/model/stamp.ts';

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

test('a stamp says which repository wrote it, where that has a name', () => {
  const key = keyOf('article', 'a--b>c', 'fr');
  for (const repository of ['acme-docs', 'acme--docs/-->', undefined]) {
    const { stamp = '' } = splitStamp(withStamp('<p>a</p>', key, { title: 'a' }, { repository }));
    expect(stamp.slice(4, -3)).not.toMatch(/--|>/);
    expect(parseStamp(stamp)).toMatchObject({ key, ...(repository === undefined ? {} : { repository }) });
    const isOthers = repository === undefined ? undefined : repository;
    expect(otherOwner(stamp, { id: 'other', known: ['other', 'former'] })).toBe(isOthers);
    expect(otherOwner(stamp, { id: 'other', known: ['other', repository ?? ''] })).toBeUndefined();
  }
  expect(otherOwner(undefined, { id: undefined, known: [] })).toBeUndefined();
});

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

test.each([
  ['moved to the front', (stamp: string) => `${stamp}\n<p>a</p>`],
  ['in a paragraph', (stamp: string) => `<p>a</p>\n<p>${stamp}</p>`],
  ['escaped', (stamp: string) => `<p>a</p>\n${stamp.replace('<!', '&lt;!').replace('>', '&gt;')}`],
  [
    'with dashes',
    (stamp: string) => `<p>a</p><p>${stamp.replace('<!--', '&lt;!–').replace('-->', '–&gt;')}</p>`,
  ],
])('a stamp that a service keeps %s is the stamp', (how, change) => {
  const key = keyOf('article', 'install', 'en');
  const { stamp = '' } = splitStamp(withStamp('<p>a</p>', key, { title: 'a' }, { repository: 'acme' }));
  const found = splitStamp(change(stamp));
  expect(found).toMatchObject({ body: '<p>a</p>', stamp });
  expect(found.isShown).toBe(/escaped|dashes/.test(how) ? true : undefined);
});

test('a stamp in a wrapper of the service is the stamp, and the wrapper stays', () => {
  const key = keyOf('article', 'install', 'en');
  const { stamp = '' } = splitStamp(withStamp('<p>a</p>', key, { title: 'a' }, { repository: 'acme' }));
  expect(splitStamp(`<article><div>\n<p>a</p>\n${stamp}</div>\n</article>\n`)).toEqual({
    body: '<article><div>\n<p>a</p></div>\n</article>',
    stamp,
  });
});

test('a stamp before what a service adds is the stamp, and what was added stays', () => {
  const key = keyOf('article', 'install', 'en');
  const { stamp = '' } = splitStamp(withStamp('<p>a</p>', key, { title: 'a' }, { repository: 'acme' }));
  expect(splitStamp(`<nav>a</nav><p>a</p>\n${stamp}<div class="votes">Did it help?</div>`)).toEqual({
    body: '<nav>a</nav><p>a</p><div class="votes">Did it help?</div>',
    stamp,
  });
});

test('of two stamps in the midst of a text, none is the stamp', () => {
  const html = '<p>a</p><!-- kbsync 1 article/a@en --><p>b</p><!-- kbsync 1 article/b@en --><p>c</p>';
  expect(splitStamp(html)).toEqual({ body: html });
});

test('words about a stamp at the end of a text are words', () => {
  const html = '<p>Here is one: <code>&lt;!-- kbsync 1 article/a@en --&gt;</code></p>';
  expect(splitStamp(html)).toEqual({ body: html });
});

test('words about a stamp in the middle of a text are words', () => {
  const html = '<p>The line <code>&lt;!-- kbsync 1 article/a@en --&gt;</code> is a stamp.</p>';
  expect(splitStamp(html)).toEqual({ body: html });
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

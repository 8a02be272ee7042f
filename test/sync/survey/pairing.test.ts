import { expect, test } from 'vitest';
import { digestOfText } from '../../../src/model/digest.ts';
import { familyOf, keyOf } from '../../../src/model/key.ts';
import type { DesiredRecord } from '../../../src/model/record.ts';
import { splitStamp, withStamp } from '../../../src/model/stamp.ts';
import { pairsByText } from '../../../src/sync/survey/pairing.ts';

function file(path: string, html: string): DesiredRecord {
  const key = keyOf('article', path, 'en');
  return {
    key,
    kind: 'article',
    family: familyOf(key),
    lang: 'en',
    isOriginal: true,
    fields: {},
    initial: {},
    body: { field: 'content', inputDigest: digestOfText(html), render: () => html },
    at: { file: `${path}.md`, line: 1, column: 1 },
    places: () => ({}),
  };
}

function lost(path: string, html: string) {
  const written = withStamp(html, keyOf('article', path, 'en'), { content: html });
  return { id: path, kind: 'article' as const, stamp: splitStamp(written).stamp };
}

const named = (pairs: ReturnType<typeof pairsByText<ReturnType<typeof lost>>>) =>
  pairs.map(([{ key }, { id }]) => [key, id]);

test('a file and a record that lost each other find each other by the text that the stamp was written over', () => {
  const files = [file('new/a', '<p>A</p>'), file('new/b', '<p>B</p>'), file('new/c', '<p>C</p>')];
  expect(named(pairsByText(files, [lost('old/b', '<p>B</p>'), lost('old/x', '<p>X</p>')]))).toEqual([
    ['article/new/b@en', 'old/b'],
  ]);
});

test('a text that two files or two records have pairs nobody', () => {
  const [a, b] = ['<p>A</p>', '<p>B</p>'];
  const files = [file('new/a', a), file('new/a2', a), file('new/b', b)];
  expect(named(pairsByText(files, [lost('old/a', a), lost('old/b', b), lost('old/b2', b)]))).toEqual([]);
});

/** Each text was compared with each stamp: 20,000 took an hour. */
test('a repository that was arranged anew pairs all its records at once', () => {
  const texts = Array.from({ length: 20_000 }, (_, at) => `<p>Text ${at}</p>`);
  const pairs = pairsByText(
    texts.map((html, at) => file(`new/${at}`, html)),
    texts.map((html, at) => lost(`old/${at}`, html)),
  );
  expect(named(pairs).slice(-1)).toEqual([['article/new/19999@en', 'old/19999']]);
  expect(pairs).toHaveLength(20_000);
});

test('20,000 files of one text cost as little', () => {
  const files = Array.from({ length: 20_000 }, (_, at) => file(`new/${at}`, '<p>A</p>'));
  expect(
    pairsByText(
      files,
      files.map((_, at) => lost(`old/${at}`, '<p>A</p>')),
    ),
  ).toEqual([]);
});

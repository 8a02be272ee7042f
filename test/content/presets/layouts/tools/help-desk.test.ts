import { expect, test } from 'vitest';
import { loader } from '../../support/support.ts';

const plain = loader('plain');

async function slugsByKey(files: Record<string, string>) {
  const { records, problems } = await plain(files);
  const articles = [...records.values()].filter(({ kind }) => kind === 'article');
  return {
    slugs: Object.fromEntries(articles.map(({ key, fields }) => [key, fields['slug']])),
    problems: problems.map(({ at, code }) => `${at.file} ${code}`),
  };
}

test('the number of an article pairs its translations, and each keeps the address that its own name makes', async () => {
  const text = '# Title\n\nText.\n';
  expect(
    await slugsByKey({
      'en/4670264-creating-a-team.md': text,
      'nb/4670264-opprette-et-team.md': text,
      'nb/other.md': '# Other\n\n[Team](4670264-opprette-et-team.md), [too](/nb/4670264-opprette-et-team)\n',
      'en/other.md': text,
    }),
  ).toEqual({
    slugs: {
      'article/4670264-creating-a-team@en': '4670264-creating-a-team',
      'article/4670264-creating-a-team@nb': '4670264-opprette-et-team',
      'article/other@en': 'other',
      'article/other@nb': 'other',
    },
    problems: [],
  });
});

test('a day, a short number, and a number that two pages have pair nothing', async () => {
  const text = '# Title\n\nText.\n';
  const files = {
    'en/20260102-news.md': text,
    'nb/20260102-nyheter.md': text,
    'en/2026-review.md': text,
    'nb/2026-tilbakeblikk.md': text,
    'en/4670264-one.md': text,
    'en/4670264-two.md': text,
    'nb/4670264-tre.md': text,
    'en/4670286-four.md': text,
    'nb/4670286-fem.md': text,
    'nb/4670286-seks.md': text,
    'en/same.md': text,
    'nb/same.md': text,
  };
  expect((await slugsByKey(files)).problems).toEqual(
    ['2026-tilbakeblikk', '20260102-nyheter', '4670264-tre', '4670286-fem', '4670286-seks'].map(
      (name) => `content/nb/${name}.md orphan-translation`,
    ),
  );
});

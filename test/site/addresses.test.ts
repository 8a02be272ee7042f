import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressOf, homeOf, pageOf, releasesOf, searchOf, tagsOf } from '../../src/site/addresses.ts';

const language = fc.constantFrom('en', 'pt-BR', 'zh-Hans', 'fil');
const kind = fc.constantFrom('article', 'category', 'tag');
const slug = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !/^\.{1,2}$|\0/.test(text));

test('every address that the site writes is taken apart into what it was made of', () => {
  fc.assert(
    fc.property(language, kind, slug, (lang, kind, slug) => {
      const path = new URL(pageOf(kind, lang, slug), 'https://a.test').pathname;
      const address = addressOf(path);
      expect(address?.place).toEqual({ type: 'record', kind, slug });
      expect([address?.language, address?.last, address?.pathIn(lang)]).toEqual([lang, slug, path]);
    }),
  );
});

test.each([
  [homeOf('fr'), 'home'],
  [tagsOf('fr'), 'tags'],
  [releasesOf('fr'), 'releases'],
  [searchOf('fr'), 'search'],
])('%s is the %s', (path, type) => {
  expect(addressOf(path)?.place).toEqual({ type });
  expect(addressOf(path)?.pathIn('fr')).toBe(path);
});

test.each([
  ['/fr', '/fr/'],
  ['/fr//', '/fr/'],
  ['/fr/tags', '/fr/tags/'],
  ['/fr/search/', '/fr/search'],
  ['/fr/articles/a/', '/fr/articles/a'],
  ['/fr/x/y//', '/fr/x/y'],
])('%s is written %s', (path, known) => {
  expect(addressOf(path)?.pathIn('fr')).toBe(known);
});

test.each(['/', '/api', '/API/v2/tags', '/_site/x', '/robots.txt', '/e', '/english/', '//evil.test/en/'])(
  '%s begins with no language',
  (path) => {
    expect(addressOf(path)).toBe(undefined);
  },
);

test.each(['/fr/articles/a%00', '/fr/a%00', '/fr/a%00/articles', '/fr/tags/a%00.md'])(
  '%s names nothing, because no text has NUL, and no store is asked for one',
  (path) => {
    expect(addressOf(path)).toMatchObject({ place: { type: 'nothing' }, last: '' });
  },
);

import { describe, expect, test } from 'vitest';
import { isMadeSlug } from '../../src/sync/made-slug.ts';

describe('a service may have made a slug', () => {
  test.each([
    ['how-to-install', 'the slug that it was sent'],
    ['How_To_Install', 'the slug in another spelling'],
    ['how-to-inst', 'the slug, cut'],
    ['how-to-install-2', 'the slug and a number'],
    ['12-how-to-install', 'a number and the slug'],
    ['installing-it', 'the name'],
    ['article-1a2b-3c', 'the id, as a word'],
  ])('%s: of %s', (slug) => {
    expect(isMadeSlug(slug, ['how-to-install', 'Installing it'], '1a2b-3c')).toBe(true);
  });

  test.each([
    ['upgrade', '4'],
    ['edited-14', '4'],
    ['edited4', '4'],
    ['b-3c', '1a2b-3c'],
    ['', '4'],
    ['---', ''],
  ])('%j of a record with the id %j was somebody else’s idea', (slug, id) => {
    expect(isMadeSlug(slug, ['how-to-install', 'Installing it'], id)).toBe(false);
  });
});

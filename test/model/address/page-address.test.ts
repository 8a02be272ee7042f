import { expect, test } from 'vitest';
import { ADDRESS_TEMPLATES, pageAddress, wholeAddress } from '../../../src/model/address/page-address.ts';

test('an address has every name of its template filled, as often as it stands there', () => {
  const templates = { ...ADDRESS_TEMPLATES, article: '/{lang}/{slug}/print/{slug}' };
  expect(pageAddress(templates, 'article', 'fr', 'install')).toBe('/fr/install/print/install');
});

test.each([
  ['a$&b', '/en/articles/a%24%26b'],
  ['50%', '/en/articles/50%25'],
  ['a/b', '/en/articles/a%2Fb'],
  ['{lang}', '/en/articles/%7Blang%7D'],
  ['größe', '/en/articles/gr%C3%B6%C3%9Fe'],
])('the slug %s is one segment of a path, whatever it holds', (slug, address) => {
  expect(pageAddress(ADDRESS_TEMPLATES, 'article', 'en', slug)).toBe(address);
});

test('an address gets the host of the knowledge base unless its template names one', () => {
  expect(wholeAddress('/en/tags/cli', 'https://help.example.com')).toBe(
    'https://help.example.com/en/tags/cli',
  );
  expect(wholeAddress('https://docs.example.com/cli', 'https://help.example.com')).toBe(
    'https://docs.example.com/cli',
  );
});

test('an address that is none stays as it is written', () => {
  expect(wholeAddress('https://%zz/cli', 'https://help.example.com')).toBe('https://%zz/cli');
});

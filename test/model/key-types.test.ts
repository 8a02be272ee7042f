import { expect, test } from 'vitest';
import { familyOf, keyOf, type Family, type Key, type Lang, type RemoteId } from '../../src/model/key.ts';

const asKey = (key: Key): string => key;
const asFamily = (family: Family): string => family;
const asId = (id: RemoteId): string => id;
const asLang = (lang: Lang): string => lang;

const key = keyOf('article', 'install', 'en');
const id: RemoteId = '7';
const lang: Lang = 'en';

// `npm run types` fails if a line below compiles without the comment above it.
test('a key, a family, an id and a language cannot be mixed up; a plain text may be an id or a language', () => {
  const texts = [
    asId('7'),
    asLang('en'),
    // @ts-expect-error: a plain text is no key
    asKey('article/install@en'),
    // @ts-expect-error: a plain text is no family
    asFamily('article/install'),
    // @ts-expect-error: a key is no family
    asFamily(key),
    // @ts-expect-error: a language is no id
    asId(lang),
    // @ts-expect-error: a key is no id
    asId(key),
    // @ts-expect-error: a family is no id
    asId(familyOf(key)),
    // @ts-expect-error: an id is no language
    asLang(id),
    // @ts-expect-error: a key is no language
    asLang(key),
  ];
  expect(texts).not.toContain(undefined);
});

import { expect, test } from 'vitest';
import { pageKey, pageOf, relinked } from '../../../src/sync/migrate/relink.ts';

const FROM = 'https://old.test';
const TO = 'https://new.test';
const PAGE = { from: `${FROM}/en/articles/start`, to: `${TO}/en/articles/start` };
const PAGES = new Map([
  [pageKey(`${FROM}/en/articles/start`), `${TO}/en/articles/start`],
  [pageKey(`${FROM}/en/articles/same`), `${TO}/en/articles/same`],
  [pageKey(`${FROM}/en/articles/old`), `${TO}/en/articles/new`],
  [pageKey(`${FROM}/fr/articles/caf%C3%A9`), `${TO}/fr/articles/caf%C3%A9`],
  [pageKey(`${FROM}/en/articles/away`), 'https://docs.new.test/away'],
]);

const NO_FILES = new Map<string, never>();

/** As written → as it is written on the target. */
const TABLE: readonly (readonly [string, string])[] = [
  ['/en/articles/same', '/en/articles/same'],
  ['same', 'same'],
  ['same/#a', 'same/#a'],
  ['/en/articles/old', '/en/articles/new'],
  ['old?x=1#part', '/en/articles/new?x=1#part'],
  ['../articles/old/', '/en/articles/new'],
  [`${FROM}/en/articles/same#a`, `${TO}/en/articles/same#a`],
  ['http://old.test/en/articles/same', `${TO}/en/articles/same`],
  ['//old.test/en/articles/same', `${TO}/en/articles/same`],
  ['/fr/articles/café', '/fr/articles/café'],
  [`${FROM}/fr/articles/caf%C3%A9`, `${TO}/fr/articles/caf%C3%A9`],
  ['/en/articles/away', 'https://docs.new.test/away'],
  ['#here', '#here'],
  ['mailto:a@old.test', 'mailto:a@old.test'],
  ['https://else.test/en/articles/same', 'https://else.test/en/articles/same'],
  ['http://[', 'http://['],
  ['/en/articles/none', '/en/articles/none'],
];

test.each(TABLE)('%s is written as %s', (written, wanted) => {
  expect(relinked(`<a href="${written}">x</a>`, PAGE, PAGES, NO_FILES).html).toBe(
    `<a href="${wanted}">x</a>`,
  );
});

test('everything but the addresses stays as it is written', () => {
  const html = `<P CLASS=x>a &nbsp; <a  title='>' href='old' >b</A><br/> <!-- href="old" --><pre>\n\thref="old"</pre>`;
  expect(relinked(html, PAGE, PAGES, NO_FILES).html).toBe(
    html.replace(`href='old'`, `href="/en/articles/new"`),
  );
});

test('a page that moves takes its relative links along', () => {
  const page = { from: `${FROM}/en/articles/start`, to: `${TO}/help/en/start` };
  expect(relinked('<a href="same">x</a>', page, PAGES, NO_FILES)).toEqual({
    html: '<a href="/en/articles/same">x</a>',
    moved: 1,
    left: [],
    files: [],
  });
});

test('addresses that still lead to the source are told, those elsewhere are not', () => {
  const html = `<a href="/en/articles/none">x</a><img src="/a.png"><img src="https://cdn.test/b.png">`;
  expect(relinked(html, PAGE, PAGES, NO_FILES).left).toEqual([`${FROM}/en/articles/none`, `${FROM}/a.png`]);
});

test('an address template may have a host of its own', () => {
  const urls = { article: 'https://docs.test/{lang}/{slug}', category: '/c/{slug}', tag: '/t/{slug}' };
  expect(pageOf({ origin: FROM, urls }, 'article', 'en', 'a b')).toBe('https://docs.test/en/a%20b');
  expect(pageOf({ origin: FROM, urls }, 'category', 'en', 'x')).toBe(`${FROM}/c/x`);
});

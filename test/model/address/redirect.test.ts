import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  inOneStep,
  isRedirectFile,
  REDIRECT_FORMS,
  redirectsCsv,
  redirectsFrom,
  redirectsText,
} from '../../../src/model/address/redirect.ts';
import { plainPath } from '../../../src/text/plain-address.ts';

const MOVED = [
  { from: '/old/caf%C3%A9', to: '/en/articles/cafe', kind: 'article', lang: 'en' },
  { from: '/a "b".html', to: 'https://x.test/c?d=$1' },
  { from: '/größe 😀', to: '/zh/articles/大小?von=ä b#größe' },
] as const;
const ORIGIN = 'https://help.test';

test.each([
  [
    'csv',
    'from,to,kind,lang\r\n/old/caf%C3%A9,/en/articles/cafe,article,en\r\n"/a ""b"".html",https://x.test/c?d=$1,,\r\n/größe 😀,/zh/articles/大小?von=ä b#größe,,\r\n',
  ],
  [
    'netlify',
    '# redirects, written by kbsync\n/old/caf%C3%A9 /en/articles/cafe 301\n/a%20%22b%22.html https://x.test/c?d=$1 301\n/gr%C3%B6%C3%9Fe%20%F0%9F%98%80 /zh/articles/%E5%A4%A7%E5%B0%8F?von=%C3%A4%20b#gr%C3%B6%C3%9Fe 301\n',
  ],
  [
    'cloudflare',
    'https://help.test/old/caf%C3%A9,https://help.test/en/articles/cafe,301\nhttps://help.test/a%20%22b%22.html,https://x.test/c?d=$1,301\nhttps://help.test/gr%C3%B6%C3%9Fe%20%F0%9F%98%80,https://help.test/zh/articles/%E5%A4%A7%E5%B0%8F?von=%C3%A4%20b#gr%C3%B6%C3%9Fe,301\n',
  ],
  [
    'nginx',
    [
      '# redirects, written by kbsync',
      '# include in `http`, and in `server`: if ($kbsync_moved) { return 301 $kbsync_moved; }',
      'map $uri $kbsync_moved {',
      '  default "";',
      '  "/old/café" "/en/articles/cafe";',
      '  "/old/café/" "/en/articles/cafe";',
      String.raw`  "/a \"b\".html" "https://x.test/c?d=%241";`,
      '  "/größe 😀" "/zh/articles/%E5%A4%A7%E5%B0%8F?von=%C3%A4%20b#gr%C3%B6%C3%9Fe";',
      '  "/größe 😀/" "/zh/articles/%E5%A4%A7%E5%B0%8F?von=%C3%A4%20b#gr%C3%B6%C3%9Fe";',
      '}',
      '',
    ].join('\n'),
  ],
] as const)('as %s', (form, text) => {
  expect(redirectsText(MOVED, form, ORIGIN)).toBe(text);
});

test('a path stands for itself alone, also where a server knows patterns', () => {
  const text = redirectsText(
    [
      { from: '/docs/*', to: '/en/' },
      { from: '/a/:b/1:2', to: '/c' },
    ],
    'netlify',
    '',
  );
  expect(text.split('\n').slice(1, 3)).toEqual(['/docs/%2A /en/ 301', '/a/%3Ab/1:2 /c 301']);
});

test.each([
  ['/é', 22, undefined],
  ['/é', 23, 128],
  ['/l', 44, undefined],
  ['/l', 45, 128],
  ['/l', 108, 128],
  ['/l', 109, 256],
])(
  'nginx is told if its buckets do not hold a path: %s, of which the letter stands %i times',
  (path, times, bytes) => {
    const from = path.slice(0, 1) + path.slice(1).repeat(times);
    const [, , size] = redirectsText([{ from, to: '/b' }], 'nginx', '').split('\n');
    const expected = bytes === undefined ? /^map \$uri/ : new RegExp(`^map_hash_bucket_size ${bytes};`);
    expect(size).toMatch(expected);
  },
);

test('a file of each form is known again, and a file of something else is not', () => {
  for (const form of REDIRECT_FORMS) {
    expect(isRedirectFile(redirectsText(MOVED, form, ORIGIN), form)).toBe(true);
    expect(isRedirectFile('/mine /yours 301\n', form)).toBe(false);
  }
});

test('a map is read as it was written, whatever its cells hold', () => {
  const cell = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => `/${text.trim()}`);
  fc.assert(
    fc.property(fc.array(fc.record({ from: cell, to: cell })), (redirects) => {
      expect(redirectsFrom(redirectsCsv(redirects))).toEqual(redirects);
    }),
  );
});

test('a table with other columns is no map', () => {
  expect(redirectsFrom('old,new\n/a,/b\n')).toBeUndefined();
  expect(redirectsFrom('\uFEFFFrom,To\n/a,/b\n\n,/c\n')).toEqual([{ from: '/a', to: '/b' }]);
});

test('each leads to the end of its chain, a circle nowhere, and of two with one address the later counts', () => {
  const chain = [
    { from: '/a', to: '/b' },
    { from: '/b', to: '/c' },
    { from: '/x', to: '/y' },
    { from: '/y', to: '/x' },
    { from: '/b', to: '/d' },
  ];
  expect(inOneStep(chain, (address) => address)).toEqual([
    { from: '/a', to: '/d' },
    { from: '/b', to: '/d' },
  ]);
});

test('an address loses the slashes at its end, however many, and keeps those inside', () => {
  expect(['/', '//', '/a/', '/a//', '/a//b/?c#d', 'https://x.test/a/'].map(plainPath)).toEqual([
    '/',
    '/',
    '/a',
    '/a',
    '/a//b',
    '/a',
  ]);
  // A million steps, not their square: anybody may ask for such an address.
  const long = `/${'/'.repeat(1_000_000)}x`;
  expect(plainPath(long)).toBe(long);
});

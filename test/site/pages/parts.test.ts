import { array, assert, asyncProperty, constantFrom, nat } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accentStyle, contrast, hexColour } from '../../../src/site/accent.ts';
import { loadAssets } from '../../../src/site/assets.ts';
import { html, markupOf } from '../../../src/site/html.ts';
import { capitalsIn, dayIn, directionOf, nativeName, negotiated } from '../../../src/site/languages.ts';
import { logoOf } from '../../../src/site/look.ts';
import { nearest } from '../../../src/site/data/near-slugs.ts';
import { counted, filled, hasWords, wordsFor } from '../../../src/site/words/words-for.ts';

describe('templates', () => {
  test('escape every value that is not HTML already', () => {
    const piece = html`<b title="${'"<&\''}">${['a<b', html`<i>${1}</i>`, undefined, false]}</b>`;
    expect(markupOf(piece)).toBe('<b title="&quot;&lt;&amp;&#39;">a&lt;b<i>1</i></b>');
  });

  test('an object that only looks like HTML is none', () => {
    // What a JSON body could hold at most; the symbol cannot be in it.
    const forged = JSON.parse('{"markup":"<script>"}') as never;
    expect(() => markupOf(forged)).toThrow(TypeError);
  });
});

describe('languages', () => {
  test.each([
    ['en', 'ltr'],
    ['ar', 'rtl'],
    ['ur', 'rtl'],
    ['he', 'rtl'],
    ['fa-AF', 'rtl'],
    ['az-Arab', 'rtl'],
    ['ks-Deva', 'ltr'],
    ['!!', 'ltr'],
  ])('%s is written %s', (language, direction) => expect(directionOf(language)).toBe(direction));

  test('are named in themselves', () => {
    expect(['fr', 'ja', 'pt-BR', 'zz'].map(nativeName)).toEqual([
      'Français',
      '日本語',
      'Português (Brasil)',
      'Zz',
    ]);
  });

  test.each([
    ['tr', 'ipucu', 'İPUCU'],
    ['tr', 'ışık', 'IŞIK'],
    ['en', 'istanbul', 'ISTANBUL'],
    ['!!', 'i', 'I'],
  ])('%s: the capitals of %s are %s', (code, text, capitals) =>
    expect(capitalsIn(text, code)).toBe(capitals),
  );

  test('days are written out as the reader writes them', () => {
    expect(dayIn(Date.UTC(2026, 10, 18, 23, 59) * 1000, 'fr')).toBe('18 novembre 2026');
  });

  test.each([
    ['fr;q=0.2, de', 'de'],
    ['fr-CA, en;q=0.9', 'fr'],
    ['zh', 'zh-CN'],
    ['ja, *;q=0.1', undefined],
    ['de;q=0', undefined],
    [null, undefined],
  ])('%s takes %s', (accept, language) =>
    expect(negotiated(accept, ['en', 'de', 'fr', 'zh-CN'])).toBe(language),
  );
});

describe('words', () => {
  const codes = 'en de fr es pt it nl fi ru uk tr ja zh ko hi bn ar fa he ur'.split(' ');

  test.each(codes)('%s has every word and every place for a value that English has', (code) => {
    expect(hasWords(code)).toBe(true);
    const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    for (const [name, text] of Object.entries(wordsFor(code))) {
      const english = Object.entries(wordsFor('en')).find(([other]) => other === name)?.[1] ?? '';
      expect([name, String(text).trim() === '', places(String(text))]).toEqual([
        name,
        false,
        places(String(english)),
      ]);
    }
  });

  test.each(codes)(
    '%s has plurals of its own categories alone, and each but one that means one thing says the number',
    (code) => {
      const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions();
      const { articleCount } = wordsFor(code);
      for (const [category, text] of Object.entries(articleCount)) {
        expect(pluralCategories).toContain(category);
        const isOne = ['zero', 'one', 'two'].includes(category);
        expect([category, isOne || text.includes('{count}')]).toEqual([category, true]);
      }
    },
  );

  test.each([
    ['he', 1, 'מאמר אחד'],
    ['he', 2, 'שני מאמרים'],
    ['he', 20, '20 מאמרים'],
    ['fa', 0, '۰ مقاله'],
    ['fa', 12, '۱۲ مقاله'],
    ['tr', 1, '1 makale'],
    ['tr', 2000, '2.000 makale'],
  ])('%s counts %d', (code, count, text) => {
    expect(counted(wordsFor(code).articleCount, count, code)).toBe(text);
  });

  test('a region has its language’s words, an unknown language English ones', () => {
    expect(wordsFor('pt-BR').home).toBe('Início');
    expect(wordsFor('xx').home).toBe('Home');
    expect(filled('{a} and {b}', { a: '1' })).toBe('1 and {b}');
  });
});

describe('what every page loads', () => {
  test('is less than 25 kB of style and 12 kB of script', () => {
    const { style, script } = loadAssets('#0b6e7f');
    expect(Buffer.byteLength(style.text)).toBeLessThan(25_000);
    expect(Buffer.byteLength(script.text)).toBeLessThan(12_000);
  });

  test.each([
    ['\x89PNG\r\n\x1a\n', 'png'],
    ['\xff\xd8\xff\xe0', 'jpg'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'webp'],
    ['<!-- made by hand -->\n<svg viewBox="0 0 1 1">', 'svg'],
    ['<html><svg>', undefined],
    // Comments that a pattern can divide in more ways than a machine can try.
    ['<!---->\n'.repeat(100), undefined],
    ['GIF89a', undefined],
  ])('a logo that begins with %j is %s', (text, extension) => {
    expect(logoOf(Buffer.from(text, 'latin1'))?.extension).toBe(extension);
  });
});

describe('the accent', () => {
  test.each(['#0b6e7f', '#ffff00', '#000000', '#ffffff', '#808080', '#ff5500'])(
    '%s can be read on light and dark',
    (colour) => {
      const [light = '', dark = ''] = accentStyle(colour).match(/#[\da-f]{6}/g) ?? [];
      expect(contrast(light, '#ffffff')).toBeGreaterThan(4.5);
      expect(contrast(dark, '#16181d')).toBeGreaterThan(4.5);
    },
  );

  test('is a colour or nothing', () => {
    expect(['#0aF', '0b6e7f', '#12345', 'red', '#fff;}body{'].map(hexColour)).toEqual([
      '#00aaff',
      '#0b6e7f',
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('near slugs', () => {
  const among = ['install-lumen', 'uninstall', 'refunds', 'getting-started', 'invoices'].map((slug) => ({
    slug,
    name: slug,
  }));

  test.each([
    ['refund', 'refunds'],
    ['lumen-install', 'install-lumen'],
    ['getting-start', 'getting-started'],
  ])('%s may mean %s', async (slug, meant) => expect((await nearest(slug, among))[0]?.slug).toBe(meant));

  test('the nearest of all are the nearest of the nearest of each part', async () => {
    const word = constantFrom(
      'install',
      'instal',
      'uninstall',
      'refund',
      'refunds',
      'a',
      'ab',
      'start',
      'guide',
    );
    const slug = array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('-'));
    const named = array(slug, { maxLength: 30 }).map((slugs) =>
      slugs.map((each, at) => ({ slug: each, name: String(at) })),
    );
    await assert(
      asyncProperty(slug, named, nat(30), async (wanted, all, cut) => {
        const parts = [all.slice(0, cut), all.slice(cut)];
        const best = (await Promise.all(parts.map((part) => nearest(wanted, part)))).flat();
        expect(await nearest(wanted, best)).toEqual(await nearest(wanted, all));
      }),
      { numRuns: 500 },
    );
  });

  test('nothing is near to what is far from all', async () =>
    expect(await nearest('zzzzzzzz', among)).toEqual([]));

  test('among many long ones that are alike, others have their turn meanwhile', async () => {
    const start = 'getting-started-with-'.repeat(5);
    const alike = Array.from({ length: 10_000 }, (_, n) => ({ slug: start + n, name: String(n) }));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const [best] = await nearest(`${start}98765`.replaceAll('started', 'startet'), alike);
    clearImmediate(timer);
    expect(best?.name).toMatch(/^\d+$/);
    // After each 500 that are looked at, and after each 50 of the 500 that are compared.
    expect(turns).toBeGreaterThanOrEqual(28);
  });
});

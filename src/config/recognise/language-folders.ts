import { once } from '../../model/once.ts';
import { isLanguage } from '../../content/presets/pages/page-languages.ts';

/** Folders of one documentation in several languages, each named for it. */
export interface LanguageFolders {
  /** The folder of the originals. */
  readonly original: string;
  /** Code of the originals, where the folder's name says it. */
  readonly originalCode: string | undefined;
  /** Folder → code, without that of the originals. */
  readonly codes: ReadonlyMap<string, string>;
  readonly pages: number;
}

/** What people write for a language and is no code of one, or of one that hardly any repository means. */
const COUNTRIES: ReadonlyMap<string, string> = new Map([
  ['cn', 'zh-CN'],
  ['tw', 'zh-TW'],
  ['hk', 'zh-HK'],
  ['jp', 'ja'],
  ['kr', 'ko'],
  ['ua', 'uk'],
  ['cz', 'cs'],
  ['dk', 'da'],
  ['gr', 'el'],
  ['vn', 'vi'],
]);
const NAME = /^(.*?[^-_.])[-_.]([a-z]{2}(?:[-_][a-z]{2,4})?)$/i;
/** A language of the south of Africa, and what programs are written in. */
const PROGRAMS = /^(?:ts|rs)$/i;

/**
 * `docs` and `docs-zh`, `pages` and `pages.pt_BR`: the end of the name is the language. At least half of the pages of such a folder stand in
 * another one of the same name too. `pages` are paths; of several such sets the one with most pages.
 */
export function languageFolders(pages: readonly string[]): LanguageFolders | undefined {
  const inFolder = new Map<string, Set<string>>();
  for (const path of pages) {
    const slash = path.indexOf('/');
    if (slash <= 0) continue;
    const rests = inFolder.get(path.slice(0, slash)) ?? new Set();
    inFolder.set(path.slice(0, slash), rests.add(path.slice(slash + 1)));
  }
  const sets = new Map<string, { name: string; code: string; rests: ReadonlySet<string> }[]>();
  for (const [name, rests] of inFolder) {
    const [, stem, word = ''] = NAME.exec(name) ?? [];
    const code = codeOfWord(word);
    if (stem !== undefined && code !== undefined)
      sets.set(stem, [...(sets.get(stem) ?? []), { name, code, rests }]);
  }
  let best: LanguageFolders | undefined;
  for (const [stem, named] of sets) {
    const bare = inFolder.get(stem);
    const english = named.find(({ code }) => /^en\b/i.test(code));
    const original =
      bare === undefined ? (english ?? most(named)) : { name: stem, code: undefined, rests: bare };
    const translations = named.filter(({ name, rests }) => {
      const twins = [...rests].filter((rest) => original?.rests.has(rest) === true).length;
      return name !== original?.name && twins * 2 >= rests.size;
    });
    if (original === undefined || translations.length === 0) continue;
    const count = translations.reduce((sum, { rests }) => sum + rests.size, original.rests.size);
    if (best !== undefined && best.pages >= count) continue;
    best = {
      original: original.name,
      originalCode: original.code,
      codes: new Map(translations.map(({ name, code }) => [name, code])),
      pages: count,
    };
  }
  return best;
}

/** What a language calls itself, as people write it in names of files. English names come from Unicode's CLDR. */
const OWN_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    de: 'deutsch',
    fr: 'francais français',
    es: 'espanol español castellano',
    pt: 'portugues português',
    it: 'italiano',
    nl: 'nederlands',
    pl: 'polski',
    ru: 'русский',
    uk: 'українська',
    tr: 'türkçe turkce',
    fa: 'farsi',
    zh: '中文',
    ja: '日本語',
    ko: '한국어',
  }).flatMap(([code, words]) => words.split(' ').map((word): [string, string] => [word, code])),
);

/** Those in which most documentation is written. The name of another one may be a place, a people or a breed of cats: `nauru`, `burmese`. */
const COMMON: ReadonlySet<string> = new Set(
  'en de fr es pt it nl pl ru uk tr id vi ar fa hi zh ja ko'.split(' '),
);
/** Of the name of another language. */
const RARE_TWINS_MIN = 2;

/** Languages of a region that people name in words: `brazilian-portuguese`, `chinese-simplified`. */
const OF_REGIONS: ReadonlyMap<string, string> = new Map([
  ['pt-BR', 'pt-BR'],
  ['pt-PT', 'pt-PT'],
  ['zh-Hans', 'zh-CN'],
  ['zh-Hant', 'zh-TW'],
  ['zh-CN', 'zh-CN'],
  ['zh-TW', 'zh-TW'],
  ['zh-HK', 'zh-HK'],
  ['es-419', 'es-419'],
  ['es-MX', 'es-MX'],
  ['es-ES', 'es-ES'],
  ['en-GB', 'en-GB'],
  ['en-US', 'en-US'],
  ['fr-CA', 'fr-CA'],
]);

const ENGLISH_NAMES = once((): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
  for (const style of ['dialect', 'standard'] as const) {
    const names = new Intl.DisplayNames(['en'], {
      type: 'language',
      fallback: 'none',
      languageDisplay: style,
    });
    const take = (written: string, code: string): void => {
      const name = names.of(written);
      if (name !== undefined && !found.has(inOrder(name))) found.set(inOrder(name), code);
    };
    // `iw` is an old code of `he`.
    for (const code of letters.flatMap((first) => letters.map((second) => first + second)))
      if (Intl.getCanonicalLocales(code)[0] === code) take(code, code);
    for (const [written, code] of OF_REGIONS) take(written, code);
  }
  return found;
});

/** The words of a name without their marks, in one order: people write `portuguese-brazilian` too. */
function inOrder(name: string): string {
  const plain = name.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
  return plain
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .sort()
    .join(' ');
}

/** `en_US`: the regions of such folders tell nothing apart where each language has one. */
function codesOfRegions(names: readonly string[]): ReadonlyMap<string, string> {
  const found = names.filter((name) => /[-_]/.test(name) && isLanguage(name));
  return new Map(
    found.map((name) => {
      const [language = ''] = name.toLowerCase().split(/[-_]/);
      const isOnly = found.every((other) => other === name || !other.toLowerCase().startsWith(language));
      const code = Intl.getCanonicalLocales(name.replaceAll('_', '-'))[0] ?? name;
      return [name, isOnly && language === 'en' ? 'en' : code];
    }),
  );
}

/** `zhTW`: a language and a region without anything between them. */
const JOINED = /^([a-z]{2})([A-Z]{2})$/;

function codeOfName(name: string): string | undefined {
  const [, language = '', region = ''] = JOINED.exec(name) ?? [];
  const joined = isLanguage(language) ? `${language}-${region}` : undefined;
  const lower = name.toLowerCase();
  return OWN_NAMES.get(lower) ?? COUNTRIES.get(lower) ?? codeOfEnglishName(name) ?? joined;
}

function codeOfEnglishName(name: string): string | undefined {
  // A code has two or three letters.
  return name.length > 3 ? ENGLISH_NAMES().get(inOrder(name)) : undefined;
}

/**
 * `french/page.md`, `page.french.md`, `kr/page.md`, `zhTW/page.md`, `en_US/page.md`: word → code, where at least half of such pages stand in another language too, or
 * without one. Of the names of rare languages one such page proves nothing.
 */
export function languageWords(
  pages: readonly string[],
  /** Folders that are known to be languages. */
  languages: readonly string[],
): Readonly<Record<string, string>> {
  const all = new Set(pages);
  const words = new Map<string, { code: string; rests: string[] }>();
  const perRest = new Map<string, number>();
  const firsts = new Set(pages.map((path) => path.slice(0, Math.max(0, path.indexOf('/')))));
  const regions = codesOfRegions([...firsts].filter((name) => !languages.includes(name)));
  for (const path of pages) {
    const [, folder = '', inFolder = ''] = /^([^/]+)\/(.+)$/.exec(path) ?? [];
    const [, stem = '', suffix = '', end = ''] = /^(.+)\.([^./]+)(\.[^./]+)$/.exec(path) ?? [];
    const ofFolder = regions.get(folder) ?? codeOfName(folder);
    const [word, rest] = ofFolder === undefined ? [suffix, `${stem}${end}`] : [folder, inFolder];
    const code = ofFolder ?? codeOfName(word);
    if (code === undefined) continue;
    const found = words.get(word) ?? { code, rests: [] };
    found.rests.push(rest);
    words.set(word, found);
    perRest.set(rest, (perRest.get(rest) ?? 0) + 1);
  }
  const isTwin = (rest: string): boolean =>
    all.has(rest) ||
    (perRest.get(rest) ?? 0) > 1 ||
    languages.some(
      (language) => all.has(`${language}/${rest}`) || all.has(rest.replace(/(?=\.[^./]+$)/, `.${language}`)),
    );
  return Object.fromEntries(
    [...words].flatMap(([word, { code, rests }]) => {
      const twins = rests.filter(isTwin).length;
      const isRare = codeOfEnglishName(word) === code && !COMMON.has(code.replace(/-.*/, ''));
      return twins * 2 >= rests.length && (!isRare || twins >= RARE_TWINS_MIN) ? [[word, code]] : [];
    }),
  );
}

function most<T extends { readonly rests: ReadonlySet<string> }>(named: readonly T[]): T | undefined {
  return [...named].sort((a, b) => b.rests.size - a.rests.size)[0];
}

function codeOfWord(word: string): string | undefined {
  const country = COUNTRIES.get(word.toLowerCase());
  if (country !== undefined || !isLanguage(word) || PROGRAMS.test(word)) return country;
  return Intl.getCanonicalLocales(word.replaceAll('_', '-'))[0];
}

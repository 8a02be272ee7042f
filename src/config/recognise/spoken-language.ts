import { posix } from 'node:path';
import type { RepositoryTree } from './tree.ts';

const LOOKED_AT_MAX = 20;
const NO_TEXT =
  /(?<![\s\S])(?:---|\+\+\+)\r?\n[\s\S]*?\n(?:---|\+\+\+)\r?\n|^(`{3,}(?!`)|~{3,}(?!~))[\s\S]*?^\1|`[^`\n]+`|<[^<>]+>|https?:\/\/\S+/gm;
/** Latin letters of names and code words stand in every text. */
const SHARE = 0.3;

/** Scripts that belong to one language of documentation, or in which few letters tell one from the other. */
const SCRIPTS: readonly {
  readonly letters: RegExp;
  readonly language: (text: string) => string | undefined;
}[] = [
  { letters: /\p{Script=Hangul}/gu, language: () => 'ko' },
  {
    letters: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
    language: (text) =>
      countOf(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu) * 10 > countOf(text, /\p{Script=Han}/gu)
        ? 'ja'
        : 'zh',
  },
  {
    letters: /\p{Script=Cyrillic}/gu,
    language: (text) =>
      // Belarusian, Kazakh, Serbian and others have letters of their own.
      /[ўәөүұқңғһјљњђћџѓќѕ]/i.test(text)
        ? undefined
        : /[їєґ]/i.test(text)
          ? 'uk'
          : /[ыэ]/i.test(text)
            ? 'ru'
            : undefined,
  },
  {
    letters: /\p{Script=Arabic}/gu,
    language: (text) => (/[ٹڈڑںے]/.test(text) ? 'ur' : /[پچژگ]/.test(text) ? 'fa' : 'ar'),
  },
  { letters: /\p{Script=Hebrew}/gu, language: () => 'he' },
  { letters: /\p{Script=Thai}/gu, language: () => 'th' },
  { letters: /\p{Script=Greek}/gu, language: () => 'el' },
];

/** Small words that stand in nearly every sentence of a language in Latin letters. English is there to be told from the others. */
const SMALL_WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    en: 'the of and to in is that for you with are this be it on as can not or your',
    fr: 'le la les des du une est et que pour dans sur avec pas vous nous cette sont aux par ce qui de il',
    de: 'der die das und ist nicht ein eine mit auf für sie von den dem werden wird auch bei zu kann oder',
    es: 'el los las una que para con por del como está más su puede este son se la de en un es lo',
    pt: 'os as uma que para com não do da em como você dos das pode mais ao são o de no na um ou é',
    it: 'il gli che per con una della sono di del come questo anche nel puoi è la un dei si non le',
    nl: 'de het een van voor met niet zijn wordt dat op kan deze bij je ook naar en is te of',
    pl: 'nie jest się na do że aby dla jak oraz przez lub można w z i to o po',
    sv: 'och att det som för är inte med på en av till kan den ett du om',
    tr: 've bir bu için ile olarak daha olan gibi de da veya',
    id: 'yang dan untuk dengan ini dari tidak pada adalah dapat anda di akan',
    vi: 'bạn của và các một cho không được trong có là để với này',
  }).map(([language, words]) => [language, new Set(words.split(' '))] as const),
);
/** Of a text with fewer words nothing is said. */
const WORDS_MIN = 40;
/** Of ordinary sentences, a quarter to a half are such words; of lists and names, few. */
const SMALL_WORDS_SHARE = 0.18;
/** A list of names has few of them, often. */
const KINDS_MIN = 7;
/** Neighbours share words: Spanish and Portuguese, Dutch and German. */
const LEAD = 1.25;

/**
 * The language of most pages by the script they are written in, or in Latin letters by their small words; undefined for English and where
 * it is not clear. Looks at some pages, evenly spread.
 */
export async function spokenLanguage(
  tree: RepositoryTree,
  content: string,
  files: readonly string[],
): Promise<string | undefined> {
  const step = Math.max(1, Math.floor(files.length / LOOKED_AT_MAX));
  const looked = files
    .filter((_, index) => index % step === 0)
    .map((file) => posix.normalize(posix.join(content, file)));
  await tree.load(looked);
  const pages = new Map<string, number>();
  for (const path of looked) {
    const language = languageOf((tree.readText(path) ?? '').replaceAll(NO_TEXT, ' '));
    if (language !== undefined) pages.set(language, (pages.get(language) ?? 0) + 1);
  }
  const [most] = [...pages].sort(([, a], [, b]) => b - a);
  return most !== undefined && most[1] > looked.length / 2 ? most[0] : undefined;
}

function languageOf(text: string): string | undefined {
  const letters = countOf(text, /\p{L}/gu);
  const script = SCRIPTS.find((each) => countOf(text, each.letters) > letters * SHARE);
  return script === undefined ? latinLanguageOf(text) : script.language(text);
}

function latinLanguageOf(text: string): string | undefined {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length < WORDS_MIN) return undefined;
  const [best, next] = [...SMALL_WORDS]
    .map(([language, small]) => {
      const found = words.filter((word) => small.has(word));
      return { language, count: found.length, kinds: new Set(found).size };
    })
    .sort((a, b) => b.count - a.count);
  if (best === undefined || next === undefined || best.language === 'en' || best.kinds < KINDS_MIN)
    return undefined;
  const isClear = best.count > words.length * SMALL_WORDS_SHARE && best.count > next.count * LEAD;
  return isClear ? best.language : undefined;
}

function countOf(text: string, letters: RegExp): number {
  return text.match(letters)?.length ?? 0;
}

import { sampleOf } from '../../text/many.ts';
import { posix } from 'node:path';
import { proseOf } from './prose.ts';
import type { RepositoryTree } from './tree.ts';

const LOOKED_AT_MAX = 20;
/** Front matter, elements and addresses. */
const NO_WORDS = /(?<![\s\S])(?:---|\+\+\+)\n[\s\S]*?\n(?:---|\+\+\+)\n|<[^<>]+>|https?:\/\/\S+/g;
/** Latin letters of names and code words stand in every text; so scripts are told apart here, and franc only tells languages in Latin letters. */
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

/** Of a text with fewer words nothing is said. */
const WORDS_MIN = 40;
/** Nine of ten pages of documentation are nearer to their language than to the next one by 0.012 of franc's score or more; lists of names by 0.003 to 0.011. */
const LEAD = 0.01;

/**
 * The language of most pages by the script they are written in, or in Latin letters by their groups of three letters; undefined for
 * English and where it is not clear. Looks at some pages, evenly spread.
 */
export async function spokenLanguage(
  tree: RepositoryTree,
  content: string,
  files: readonly string[],
): Promise<string | undefined> {
  const looked = sampleOf(files, LOOKED_AT_MAX).map((file) => posix.normalize(posix.join(content, file)));
  await tree.load(looked);
  const { francAll } = await import('franc-min');
  const pages = new Map<string, number>();
  for (const path of looked) {
    const language = languageOf(proseOf(tree, path).replaceAll(NO_WORDS, ' '), francAll);
    if (language !== undefined) pages.set(language, (pages.get(language) ?? 0) + 1);
  }
  const [most] = [...pages].sort(([, a], [, b]) => b - a);
  return most !== undefined && most[1] > looked.length / 2 ? most[0] : undefined;
}

/** Languages by ISO 639-3 (`und`: it cannot tell) with a score up to 1, the likeliest first. */
type Guess = (text: string) => readonly (readonly [language: string, score: number])[];

function languageOf(text: string, guess: Guess): string | undefined {
  const letters = countOf(text, /\p{L}/gu);
  const script = SCRIPTS.find((each) => countOf(text, each.letters) > letters * SHARE);
  return script === undefined ? latinLanguageOf(text, guess) : script.language(text);
}

function latinLanguageOf(text: string, guess: Guess): string | undefined {
  const words = text.match(/\p{L}+/gu) ?? [];
  if (words.length < WORDS_MIN) return undefined;
  const [[code, score] = ['und', 0], [, next] = ['und', 0]] = guess(words.join(' '));
  if (code === 'und' || score - next < LEAD) return undefined;
  const [language] = Intl.getCanonicalLocales(code);
  return language === 'en' ? undefined : language;
}

function countOf(text: string, letters: RegExp): number {
  return text.match(letters)?.length ?? 0;
}

/** `zh-CN`, `zh-cn` and `zh_CN` are one language, `fr` and `fra` too; `pt` and `pt-BR` are two. */
export function sameLanguage(a: string, b: string): boolean {
  return a === b || spelling(a) === spelling(b);
}

/** Whether a language is among these, in any spelling. */
export function hasLanguage(languages: readonly string[], lang: string): boolean {
  return languages.some((each) => sameLanguage(each, lang));
}

function spelling(code: string): string {
  const plain = code.replaceAll('_', '-').toLowerCase();
  return THREE_LETTERS.test(plain) ? shortest(plain) : plain;
}

/** ISO 639-2, as `fra`. BCP 47 says `fr` where there is a code of two letters. */
const THREE_LETTERS = /^[a-z]{3}(?:-|$)/;

function shortest(code: string): string {
  try {
    return (Intl.getCanonicalLocales(code)[0] ?? code).toLowerCase();
  } catch {
    return code;
  }
}

/** What stands for a translation whose language a list does not tell. BCP 47. */
export const UNDETERMINED = 'und';

/** `pt` and `pt-BR` are one tongue. */
export function sameTongue(a: string, b: string): boolean {
  return spelling(a).split('-')[0] === spelling(b).split('-')[0];
}

/** Whether `code` may be what a service makes of `lang`: `fr-FR` of a plain `fr`. */
export function answersFor(code: string, lang: string): boolean {
  return !spelling(lang).includes('-') && sameTongue(code, lang);
}

import { Refusal } from './refusal.ts';

/** Which languages a knowledge base takes. Codes are compared without regard to case, and kept as first written. */
export interface LanguageRule {
  readonly defaultLanguage: string;
  /** Undefined: every well-formed BCP 47 code. */
  readonly languages?: readonly string[] | undefined;
}

export function sameLanguage(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** @throws Refusal 400 for a code that is not well formed or not enabled here. */
export function checkLanguage(rule: LanguageRule, lang: string): void {
  if (sameLanguage(lang, rule.defaultLanguage)) return;
  if (!isWellFormed(lang)) {
    const hint = lang.includes('_') ? `; write ${lang.replaceAll('_', '-')}` : '';
    throw new Refusal(
      400,
      `lang: ${JSON.stringify(lang)} is not a language code like "fr" or "pt-BR"${hint}`,
    );
  }
  if (rule.languages === undefined || rule.languages.some((known) => sameLanguage(known, lang))) return;
  throw new Refusal(
    400,
    `lang: ${lang} is not a language of this knowledge base; it has ${enabledLanguages(rule, []).join(', ')}`,
  );
}

/** The `languages` of the list replies: those that are enabled, or the default and those in use. */
export function enabledLanguages(rule: LanguageRule, used: readonly string[]): readonly string[] {
  const others = [...(rule.languages ?? used)].filter((lang) => !sameLanguage(lang, rule.defaultLanguage));
  const byCode = new Map(others.map((lang) => [lang.toLowerCase(), lang]));
  return [rule.defaultLanguage, ...[...byCode.values()].sort()];
}

/** Well-formed codes that languages really have: two or three letters first, so the address of a page can begin with the code. */
const USUAL = /^(?!api(?:-|$))[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,4}$/i;

function isWellFormed(lang: string): boolean {
  try {
    return USUAL.test(lang) && Intl.getCanonicalLocales(lang).length === 1 && lang.length <= 35;
  } catch {
    return false;
  }
}

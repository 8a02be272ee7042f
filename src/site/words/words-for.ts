import { ar } from './ar.ts';
import { bn } from './bn.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fa } from './fa.ts';
import { fi } from './fi.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { hi } from './hi.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { nl } from './nl.ts';
import { pt } from './pt.ts';
import { ru } from './ru.ts';
import { tr } from './tr.ts';
import { uk } from './uk.ts';
import { ur } from './ur.ts';
import { zh } from './zh.ts';
import { countIn, pluralOf } from '../languages.ts';
import type { Plural, Words } from './words.ts';

const WORDS: ReadonlyMap<string, Words> = new Map(
  Object.entries({ ar, bn, de, en, es, fa, fi, fr, he, hi, it, ja, ko, nl, pt, ru, tr, uk, ur, zh }),
);

/** By the language without its region; English where we have no words. */
export function wordsFor(language: string): Words {
  return WORDS.get(language.toLowerCase().split('-')[0] ?? '') ?? en;
}

/** Whether the interface speaks the language, or English stands in for it. */
export function hasWords(language: string): boolean {
  return WORDS.has(language.toLowerCase().split('-')[0] ?? '');
}

/** A sentence with its `{names}` filled in. */
export function filled(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** `3 articles`, in the form that the number takes in the language. */
export function counted(plural: Plural, count: number, language: string): string {
  return filled(plural[pluralOf(count, language)] ?? plural.other, { count: countIn(count, language) });
}

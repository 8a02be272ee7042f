import { familyOf, keyIn, KINDS, langOf, type Family, type Key, type Kind } from '../../../model/key.ts';
import type { BaseState, DesiredRecord, DesiredState, Scheduled } from '../../../model/record.ts';
import { differsFromBase, idToCome, ownedFields } from '../../../plan/compare.ts';
import { textMark } from '../../../sync/translation-marks.ts';

export interface TranslationRow {
  readonly lang: string;
  readonly upToDate: readonly Key[];
  /** The original changed since the translation did. */
  readonly stale: readonly Key[];
  /** There is an original and no translation. */
  readonly missing: readonly Key[];
  /** There is a translation and no original. */
  readonly orphan: readonly Key[];
}

/** When a file was last committed, in seconds; undefined: not in history. */
export type CommitTime = (file: string) => number | undefined;

/**
 * Per language other than the default one, how its files stand to their originals. Known from the base, which remembers
 * what the original said when the translation was sent last; where the base does not know, from the history of the files.
 */
export function translationRows(
  desired: DesiredState,
  base: BaseState,
  committed: CommitTime,
  kinds: readonly Kind[] = KINDS,
): readonly TranslationRow[] {
  const { defaultLanguage, languages } = desired;
  const records = [...desired.records.values()].filter(({ kind }) => kinds.includes(kind));
  const originals = records.filter(({ isOriginal }) => isOriginal);
  const families = new Set(originals.map(({ family }) => family));
  const isChanged = changedSince(desired, base);
  return languages
    .filter((lang) => lang !== defaultLanguage)
    .map((lang) => {
      const own = records.filter((record) => record.lang === lang);
      const isStale = (record: DesiredRecord): boolean => {
        const original = desired.records.get(keyIn(record.family, defaultLanguage));
        return original !== undefined && isBehind(record, original, { base, isChanged, committed });
      };
      const placed = own.filter(({ family }) => families.has(family));
      return {
        lang,
        upToDate: placed.filter((record) => !isStale(record)).map(({ key }) => key),
        stale: placed.filter(isStale).map(({ key }) => key),
        missing: originals
          .map(({ family }) => keyIn(family, lang))
          .filter((key) => !desired.records.has(key)),
        orphan: own.filter(({ family }) => !families.has(family)).map(({ key }) => key),
      };
    });
}

interface Knowledge {
  readonly base: BaseState;
  readonly isChanged: (record: DesiredRecord) => boolean;
  readonly committed: CommitTime;
}

function isBehind(
  record: DesiredRecord,
  original: DesiredRecord,
  { base, isChanged, committed }: Knowledge,
): boolean {
  const known = base.records.get(record.key);
  const knownOriginal = base.records.get(original.key);
  if (known?.original !== undefined && knownOriginal !== undefined) {
    if (isChanged(record)) return false;
    return isChanged(original) || known.original !== textMark(knownOriginal);
  }
  const [own, theirs] = [committed(record.at.file), committed(original.at.file)];
  return own !== undefined && theirs !== undefined && own < theirs;
}

function changedSince(desired: DesiredState, base: BaseState): (record: DesiredRecord) => boolean {
  const idOf = (family: Family): string =>
    base.records.get(keyIn(family, desired.defaultLanguage))?.id ?? idToCome(family);
  return (record) => {
    const known = base.records.get(record.key);
    return known === undefined || differsFromBase(record, ownedFields(record, idOf), known);
  };
}

export interface Attention {
  readonly drafts: readonly Key[];
  /** Articles that a date in their file publishes or takes back; the next first. */
  readonly scheduled: readonly (Scheduled & { readonly key: Key })[];
  /** Articles whose review date has come, with it. */
  readonly due: readonly { readonly key: Key; readonly date: string }[];
}

/** Drafts, and articles that are to be looked at again by `today` (`2026-11-20`). */
export function attentionOf({ records }: DesiredState, today: string): Attention {
  const articles = [...records.values()].filter(({ kind }) => kind === 'article');
  return {
    scheduled: articles
      .flatMap(({ key, scheduled }) => (scheduled === undefined ? [] : [{ key, ...scheduled }]))
      .sort((a, b) => (a.at < b.at ? -1 : 1)),
    drafts: articles.filter(({ fields }) => fields['status'] === 'draft').map(({ key }) => key),
    due: articles.flatMap(({ key, fields }) => {
      const date = fields['articleReviewDate'];
      return typeof date === 'string' && date.slice(0, 10) <= today ? [{ key, date: date.slice(0, 10) }] : [];
    }),
  };
}

export function selected<T extends { readonly lang: string }>(
  rows: readonly T[],
  languages: readonly string[],
): readonly T[] {
  return languages.length === 0 ? rows : rows.filter(({ lang }) => languages.includes(lang));
}

export function isIn(languages: readonly string[]): (key: Key) => boolean {
  return (key) => languages.length === 0 || languages.includes(langOf(key));
}

export function namesOf(keys: readonly Key[], max: number): string {
  const names = keys.slice(0, max).map((key) => familyOf(key).replace(/^article\//, ''));
  return keys.length > max ? `${names.join(', ')} and ${keys.length - max} more` : names.join(', ');
}

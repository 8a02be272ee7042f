import type { Digest } from '../../../model/digest.ts';
import { familyOf, keyIn, KINDS, langOf, type Family, type Key, type Kind } from '../../../model/key.ts';
import type { BaseState, DesiredRecord, DesiredState, Scheduled } from '../../../model/record.ts';
import { differsFromBase, idToCome, ownedFields } from '../../../plan/compare.ts';
import { markOfFile } from '../../../sync/translation-marks.ts';
import type { Markers } from './markers.ts';

export interface TranslationRow {
  readonly lang: string;
  readonly upToDate: readonly Key[];
  /** The original changed since the translation did. */
  readonly stale: readonly Key[];
  /** There is an original and no translation. */
  readonly missing: readonly Key[];
  /** There is a translation and no original. */
  readonly orphan: readonly Key[];
  /** Of those that are up to date or stale. */
  readonly witnesses: ReadonlyMap<Key, Witness>;
}

/** By what it is known whether a translation is behind its original. */
export type Witness = 'commit' | 'state' | 'time' | 'none';

/** When a file was last committed, in seconds; undefined: not in history. */
export type CommitTime = (file: string) => number | undefined;

/**
 * Per language other than the default one, how its files stand to their originals. A translation that names the commit it was
 * made from says it itself. Else it is known from the base, which remembers what the original said when the translation was
 * sent last; where the base does not know either, from the times of commits.
 */
export function translationRows(
  desired: DesiredState,
  base: BaseState,
  { committed, markers }: Pick<Knowledge, 'committed' | 'markers'>,
  kinds: readonly Kind[] = KINDS,
): readonly TranslationRow[] {
  const { defaultLanguage, languages } = desired;
  const records = [...desired.records.values()].filter(({ kind }) => kinds.includes(kind));
  const originals = records.filter(({ isOriginal }) => isOriginal);
  const families = new Set(originals.map(({ family }) => family));
  const idOf = idsOf(desired, base);
  const isChanged = changedSince(base, idOf);
  const marks = new Map<Key, Digest>();
  const markOf = (original: DesiredRecord): Digest => {
    const mark = marks.get(original.key) ?? markOfFile(original, base.records.get(original.key), idOf);
    marks.set(original.key, mark);
    return mark;
  };
  return languages
    .filter((lang) => lang !== defaultLanguage)
    .map((lang) => {
      const own = records.filter((record) => record.lang === lang);
      const placed = own.filter(({ family }) => families.has(family));
      const known = new Map(
        placed.map((record) => {
          const original = desired.records.get(keyIn(record.family, defaultLanguage)) ?? record;
          return [
            record.key,
            behind(record, original, { base, isChanged, markOf, committed, markers }),
          ] as const;
        }),
      );
      const keysThatAre = (isStale: boolean): readonly Key[] =>
        [...known].flatMap(([key, one]) => (one.isStale === isStale ? [key] : []));
      return {
        lang,
        upToDate: keysThatAre(false),
        stale: keysThatAre(true),
        witnesses: new Map([...known].map(([key, { witness }]) => [key, witness])),
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
  /** What an original says in its file. */
  readonly markOf: (original: DesiredRecord) => Digest;
  readonly committed: CommitTime;
  readonly markers: Markers;
}

function behind(
  record: DesiredRecord,
  original: DesiredRecord,
  { base, isChanged, markOf, committed, markers }: Knowledge,
): { readonly isStale: boolean; readonly witness: Witness } {
  const commit = markers.commits.get(record.key);
  const isOther = commit === undefined ? undefined : markers.isChanged(commit, original.at.file);
  if (isOther !== undefined) return { isStale: isOther, witness: 'commit' };
  const known = base.records.get(record.key);
  if (known?.original !== undefined && base.records.has(original.key)) {
    const isStale = !isChanged(record) && known.original !== markOf(original);
    return { isStale, witness: 'state' };
  }
  const [own, theirs] = [committed(record.at.file), committed(original.at.file)];
  if (own === undefined || theirs === undefined) return { isStale: false, witness: 'none' };
  return { isStale: own < theirs, witness: 'time' };
}

/** The ids that the last sync knows. */
export function idsOf(
  { defaultLanguage }: Pick<DesiredState, 'defaultLanguage'>,
  base: BaseState,
): (family: Family) => string {
  return (family) => base.records.get(keyIn(family, defaultLanguage))?.id ?? idToCome(family);
}

function changedSince(base: BaseState, idOf: (family: Family) => string): (record: DesiredRecord) => boolean {
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

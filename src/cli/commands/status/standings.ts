import type { BaseState, DesiredState } from '../../../model/record.ts';
import { keyIn, KINDS, kindOf, langOf, type Family, type Key, type Kind } from '../../../model/key.ts';
import { differsFromBase, idToCome, ownedFields } from '../../../plan/compare.ts';

/** How the files differ from the last sync. The service is not asked, so edits on the site do not show here. */
export interface Standing {
  readonly key: Key;
  readonly state: 'in sync' | 'changed' | 'new' | 'gone' | 'excluded';
  /** Fields where an edit of the site stands, as somebody decided, and the file says something else. */
  readonly accepted?: readonly string[];
}

interface Row {
  readonly kind: Kind;
  readonly lang: string;
  readonly counts: Counts;
}
type Counts = Readonly<Record<'inStep' | 'changed' | 'new' | 'gone' | 'excluded', number>>;

export function standingsOf(desired: DesiredState, base: BaseState): readonly Standing[] {
  const idOf = (family: Family): string =>
    base.records.get(keyIn(family, desired.defaultLanguage))?.id ?? idToCome(family);
  const present = [...desired.records.values()].map((record): Standing => {
    const known = base.records.get(record.key);
    if (known === undefined) return { key: record.key, state: 'new' };
    const isChanged = differsFromBase(record, ownedFields(record, idOf), known);
    if (isChanged) return { key: record.key, state: 'changed' };
    const { accepted } = known;
    return { key: record.key, state: 'in sync', ...(accepted === undefined ? {} : { accepted }) };
  });
  const missing = [...base.records.keys()].filter((key) => !desired.records.has(key));
  const excluded = missing.length === 0 ? undefined : desired.excluded?.();
  const gone = missing.map((key): Standing => ({
    key,
    state: excluded?.has(key) === true ? 'excluded' : 'gone',
  }));
  return [...present, ...gone];
}

export function tableOf(standings: readonly Standing[]): readonly Row[] {
  const languages = [...new Set(standings.map(({ key }) => langOf(key)))].sort();
  return [...KINDS].sort().flatMap((kind) =>
    languages.flatMap((lang) => {
      const own = standings.filter(({ key }) => kindOf(key) === kind && langOf(key) === lang);
      return own.length === 0 ? [] : [{ kind, lang, counts: countsOf(own) }];
    }),
  );
}

export function countsOf(standings: readonly Standing[]): Counts {
  const count = (wanted: Standing['state']): number =>
    standings.filter(({ state }) => state === wanted).length;
  return {
    inStep: count('in sync'),
    changed: count('changed'),
    new: count('new'),
    gone: count('gone'),
    excluded: count('excluded'),
  };
}

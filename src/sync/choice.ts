import type { Family, Key } from '../model/key.ts';
import { familyOf, keyIn } from '../model/key.ts';
import { matcherOf, namesOf as namesOfKey, type NameMatcher } from '../model/named-records.ts';
import type { BaseState, DesiredRecord, DesiredState } from '../model/record.ts';
import { referencesOf } from '../plan/compare.ts';

/**
 * What a partial run is about. A word is a name of records (named-records.ts), or a file from the content folder or from
 * the working directory: `de/articles/refunds.md`.
 */
export interface Wanted {
  /** undefined: all. */
  readonly only?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Files that changed, as records name them; undefined: it does not matter. */
  readonly changed?: ReadonlySet<string> | undefined;
  /** The content folder as records' files name it: `content/`, or empty. */
  readonly folder: string;
}

export interface Choice {
  /** Chosen records, and what they need. */
  readonly keys: ReadonlySet<Key>;
  /** Brought in, because a chosen record names it or is its translation, and it was never synced. */
  readonly needed: readonly Key[];
  /** How many records there are in all. */
  readonly of: number;
  /** Words that no record fits. */
  readonly unmatched: readonly string[];
}

/** The records that a run is about. Pure. */
export function choiceOf(
  wanted: Wanted,
  { desired, base }: { readonly desired: DesiredState; readonly base: Pick<BaseState, 'records'> },
): Choice {
  const all = new Set([...desired.records.keys(), ...base.records.keys()]);
  const names = new Map([...all].map((key) => [key, namesOf(key, desired.records.get(key), wanted.folder)]));
  const only = wanted.only?.map(matcherOf);
  const exclude = wanted.exclude?.map(matcherOf) ?? [];
  const fits = (key: Key, { test }: NameMatcher): boolean => names.get(key)?.some(test) === true;
  const isWanted = (key: Key): boolean => {
    const record = desired.records.get(key);
    if (wanted.changed !== undefined && (record === undefined || !wanted.changed.has(record.at.file)))
      return false;
    return only === undefined || only.some((matcher) => fits(key, matcher));
  };
  const chosen = [...all].filter((key) => isWanted(key) && !exclude.some((matcher) => fits(key, matcher)));
  const keys = new Set(chosen);
  const needed: Key[] = [];
  for (const key of keys) {
    for (const other of needsOf(key, desired)) {
      if (keys.has(other) || base.records.has(other) || !desired.records.has(other)) continue;
      // A set may grow while it is walked: what is needed needs more.
      keys.add(other);
      needed.push(other);
    }
  }
  const unmatched = [...(only ?? []), ...exclude]
    .filter((matcher) => ![...all].some((key) => fits(key, matcher)))
    .map(({ word }) => word);
  return { keys, needed, of: all.size, unmatched };
}

/** A record's original, and the categories and tags that it names. */
function needsOf(key: Key, { records, defaultLanguage }: DesiredState): readonly Key[] {
  const record = records.get(key);
  if (record === undefined) return [];
  const families: readonly Family[] = [familyOf(key), ...referencesOf(record)];
  return families.map((family) => keyIn(family, defaultLanguage));
}

function namesOf(key: Key, record: DesiredRecord | undefined, folder: string): readonly string[] {
  const file = record?.at.file;
  const files =
    file === undefined ? [] : [file, ...(file.startsWith(folder) ? [file.slice(folder.length)] : [])];
  return [...namesOfKey(key), ...files];
}

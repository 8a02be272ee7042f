import type { LoadedBase } from '../../base/base.ts';
import { keyIn, kindOf } from '../../model/key.ts';
import type { Family, Key } from '../../model/key.ts';
import { baseIds } from '../consistent-base.ts';
import { idKey } from '../remote-side.ts';
import type { PullWishes } from './pull.ts';
import type { ReadOptions } from './read-records.ts';

type Records = LoadedBase['state']['records'];

export interface Wanted {
  readonly defaultLanguage: string;
  readonly wanted: Pick<PullWishes, 'languages'>;
  readonly records: Records;
  /** A record that need not be read. */
  readonly onUnread: (key: Key) => void;
}

/** Nothing is read of records that the list shows as the base remembers them, where each language has its file. */
export function languagesToRead({
  defaultLanguage,
  wanted,
  records,
  onUnread,
}: Wanted): ReadOptions['languagesOf'] {
  const families = new Map<string, Family>();
  for (const [family, id] of baseIds({ ...EMPTY, records }, defaultLanguage))
    families.set(idKey(kindOf(family), id), family);
  return ({ kind, id, seen, languages }) => {
    const all = [defaultLanguage, ...languages.filter((lang) => lang !== defaultLanguage)];
    const family = families.get(idKey(kind, id));
    if (
      family !== undefined &&
      seen !== undefined &&
      records.get(keyIn(family, defaultLanguage))?.seen === seen &&
      all.every((lang) => records.has(keyIn(family, lang)) || !isWantedLanguage(lang, wanted))
    ) {
      for (const lang of all) if (isWantedLanguage(lang, wanted)) onUnread(keyIn(family, lang));
      return [];
    }
    // An original names the folders and files of its translations.
    return all.filter((lang) => lang === defaultLanguage || isWantedLanguage(lang, wanted));
  };
}

export function isWantedLanguage(lang: string, { languages }: Pick<PullWishes, 'languages'>): boolean {
  return languages === undefined || languages.includes(lang);
}

const EMPTY: LoadedBase['state'] = {
  origin: '',
  serial: 0,
  capabilities: {},
  records: new Map(),
  unmanaged: new Map(),
};

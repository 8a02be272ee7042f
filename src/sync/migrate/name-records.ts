import { kbsyncPreset } from '../../content/presets/layouts/kbsync.ts';
import { digestOfText } from '../../model/digest.ts';
import { keyIn, kindOf, idKey } from '../../model/key.ts';
import type { Family, Key } from '../../model/key.ts';
import type { BaseRecord, DesiredState } from '../../model/record.ts';
import { placeRecords } from '../pull/places/place-records.ts';
import type { SourceRecord } from './read-source.ts';
import { NOTHING_SYNCED } from '../../model/record.ts';

/** By kind and id on the source: `article 7f3a`. */
export type Names = ReadonlyMap<string, Family>;

/**
 * Gives every record of the source its name for ever, by the rules of a pull: the one that it got in an earlier run; the
 * one in its stamp, where a sync wrote it; else its slug below the folders of its category, with the source's id where
 * that is taken. So a pull from the target gives the files that a pull from the source would.
 */
export function nameRecords(
  records: readonly SourceRecord[],
  remembered: Names,
  defaultLanguage: string,
): Names {
  const desired: DesiredState = {
    records: new Map(),
    defaultLanguage,
    languages: [],
    fileCount: 0,
    scopeDigest: digestOfText(''),
  };
  const { familyOf } = placeRecords({
    records,
    desired,
    base: { ...NOTHING_SYNCED, records: baseOf(remembered, defaultLanguage) },
    preset: kbsyncPreset({}),
    fileOf: () => undefined,
  });
  return familyOf;
}

/** Names as a base has them: so names of records that are gone from the source are not given to others. */
function baseOf(remembered: Names, defaultLanguage: string): ReadonlyMap<Key, BaseRecord> {
  return new Map(
    [...remembered].map(([name, family]) => {
      const key = keyIn(family, defaultLanguage);
      const id = name.slice(idKey(kindOf(family), '').length);
      return [key, { key, id, ownership: 'created', sent: {} }] as const;
    }),
  );
}

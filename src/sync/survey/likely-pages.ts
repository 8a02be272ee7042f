import { bodyFieldOf, isNothing } from '../../model/fields.ts';
import type { Family, RemoteId } from '../../model/key.ts';
import type { BaseState, DesiredRecord, KnownRecord } from '../../model/record.ts';
import { frontOf } from '../../model/slug-front.ts';
import { waysIn } from '../../plan/likeness.ts';
import { editedTwinsOf, twinsOf } from './twins.ts';
import { waitedFor } from './waits.ts';

export interface LikelyPages<T> {
  /** Twins whose slug is the file's with a path in front: the service put it there, and no file can have such a slug. */
  readonly found: ReadonlyMap<Family, T>;
  /** Records with the title and text that a file has now. */
  readonly twins: ReadonlyMap<Family, T>;
  /** Records that may be the pages of files as they were before an edit. */
  readonly edited: ReadonlyMap<Family, T>;
}

/**
 * Records that may be the pages of files without one, under another slug: nobody makes those pages a second time, neither a sync on the
 * site nor a pull as a file.
 *
 * A twin wins over a wait, for its file and for its record. A wait says what an earlier run saw. If the record shows the title and text
 * of another file now, it is that file's page: the author has moved the text there, and the file that waited says something new.
 */
export function likelyPages<T extends Pick<KnownRecord, 'kind' | 'id' | 'fields' | 'stamp'>>(
  homeless: readonly DesiredRecord[],
  records: readonly T[],
  base: BaseState,
  idOf: (family: Family) => RemoteId | undefined,
): LikelyPages<T> {
  const ways = waysIn(base);
  const twins = twinsOf(homeless, records, ways, idOf);
  const taken = new Set(twins.values());
  const waiting = waitedFor(
    homeless.filter(({ family }) => !twins.has(family)),
    records.filter((record) => !taken.has(record)),
    base,
  );
  const slugs = new Map(homeless.map(({ family, fields }) => [family, fields['slug']]));
  const isFound = ([family, record]: readonly [Family, T]): boolean =>
    isShownInPath(slugs.get(family), record);
  return {
    found: new Map([...twins].filter(isFound)),
    twins: new Map([...twins].filter((each) => !isFound(each))),
    edited: new Map([...waiting, ...editedTwinsOf(homeless, records, twins, ways)]),
  };
}

/** Where neither has a text, a record in another place may be another one. */
function isShownInPath(ours: unknown, { kind, fields }: Pick<KnownRecord, 'kind' | 'fields'>): boolean {
  const { slug: theirs } = fields;
  if (typeof ours !== 'string' || typeof theirs !== 'string') return false;
  return frontOf(ours, theirs) !== undefined && !isNothing(fields[bodyFieldOf(kind)] ?? null);
}

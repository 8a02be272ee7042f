import type { Family, Kind } from '../model/key.ts';
import { familyFrom, parseKey } from '../model/key.ts';
import type { DesiredRecord, KnownRecord, UnmanagedRecord } from '../model/record.ts';
import { parseStamp } from '../model/stamp.ts';

export interface Paired {
  readonly found: ReadonlyMap<Family, KnownRecord>;
  /** Files that fit more than one remote record: nothing is decided for them. */
  readonly ambiguous: ReadonlyMap<Family, readonly string[]>;
  readonly left: readonly KnownRecord[];
}

/**
 * Finds the remote records that belong to originals which the base does not know: by stamp, then by exact slug.
 * `candidates` are records that no base record claims.
 */
export function pair(originals: readonly DesiredRecord[], candidates: readonly KnownRecord[]): Paired {
  const found = new Map<Family, KnownRecord>();
  const ambiguous = new Map<Family, readonly string[]>();
  const open = new Set(candidates);
  for (const marksOf of [stampMarks(originals), slugMark]) {
    const byMark = groupedBy([...open], marksOf.ofRemote);
    for (const desired of originals) {
      if (found.has(desired.family) || ambiguous.has(desired.family)) continue;
      const mark = marksOf.ofFile(desired);
      const [first, ...more] = mark === undefined ? [] : (byMark.get(mark) ?? []);
      if (first === undefined) continue;
      if (more.length > 0) {
        ambiguous.set(
          desired.family,
          [first, ...more].map(({ id }) => id),
        );
      } else if (open.delete(first)) {
        found.set(desired.family, first);
      }
    }
  }
  return { found, ambiguous, left: [...open] };
}

interface Marks {
  readonly ofFile: (desired: DesiredRecord) => string | undefined;
  readonly ofRemote: (record: KnownRecord) => string | undefined;
}

/** A stamp counts where it names a file of ours: the stamp of a record that was copied elsewhere proves nothing. */
function stampMarks(originals: readonly DesiredRecord[]): Marks {
  const wanted = new Set<string>(originals.map(({ family }) => family));
  return {
    ofFile: ({ family }) => family,
    ofRemote: ({ stamp }) => {
      const parts = stamp === undefined ? undefined : parseKey(parseStamp(stamp)?.key ?? '');
      if (parts === undefined) return undefined;
      const family = familyFrom(parts.kind, parts.path);
      return wanted.has(family) ? family : undefined;
    },
  };
}

const slugMark: Marks = {
  ofFile: ({ kind, fields }) => slugKey(kind, fields['slug']),
  ofRemote: ({ kind, fields }) => slugKey(kind, fields['slug']),
};

function slugKey(kind: Kind, slug: unknown): string | undefined {
  return typeof slug === 'string' && slug !== '' ? `${kind} ${slug}` : undefined;
}

/** Whether a known, unmanaged record must be read again: it was edited, or a new file wants its slug. */
export function mayMatch(
  memo: UnmanagedRecord | undefined,
  seen: string,
  slugs: ReadonlySet<string>,
): boolean {
  return memo === undefined || memo.seen !== seen || slugs.has(memo.slug);
}

function groupedBy(
  records: readonly KnownRecord[],
  markOf: (record: KnownRecord) => string | undefined,
): ReadonlyMap<string, readonly KnownRecord[]> {
  const groups = new Map<string, KnownRecord[]>();
  for (const record of records) {
    const mark = markOf(record);
    if (mark !== undefined) groups.set(mark, [...(groups.get(mark) ?? []), record]);
  }
  return groups;
}

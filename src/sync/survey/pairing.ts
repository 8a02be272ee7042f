import type { Family, Kind } from '../../model/key.ts';
import { familyFrom, parseKey, pathOf } from '../../model/key.ts';
import { bodyFieldOf, nameFieldOf } from '../../model/fields.ts';
import type { DesiredRecord, DesiredState, KnownRecord, UnmanagedRecord } from '../../model/record.ts';
import { parseStamp, stampDigest, stampFits } from '../../model/stamp.ts';
import { groupedBy } from '../../text/grouped.ts';
import { withoutMark } from '../../plan/slug-mark.ts';

export interface Paired {
  readonly found: ReadonlyMap<Family, KnownRecord>;
  /** Files that fit more than one remote record, or only what may be a copy of theirs: nothing is decided for them. */
  readonly ambiguous: ReadonlyMap<Family, readonly string[]>;
  readonly left: readonly KnownRecord[];
}

/**
 * Finds the remote records that belong to originals which the base does not know: by stamp, then by exact slug, then, for a
 * file that was moved, by the text that the stamp of a key without a file was written over, and by the slug of the name that
 * it says it had. `candidates` are records that no
 * base record claims, `families` those of all files.
 */
export function pair(
  originals: readonly DesiredRecord[],
  candidates: readonly KnownRecord[],
  families: ReadonlySet<Family>,
  moved: DesiredState['moved'] = new Map(),
): Paired {
  const found = new Map<Family, KnownRecord>();
  const ambiguous = new Map<Family, readonly string[]>();
  const open = new Set(candidates);
  for (const marksOf of [stampMarks(originals, moved), slugMark]) {
    const byMark = groupedByMark([...open], marksOf.ofRemote);
    for (const desired of originals) {
      if (found.has(desired.family) || ambiguous.has(desired.family)) continue;
      const mark = marksOf.ofFile(desired);
      const marked = mark === undefined ? [] : (byMark.get(mark) ?? []);
      const whole = marked.filter((record) => marksOf.isWhole(desired, record));
      const only = marked.filter((record) => marked.length === 1 && marksOf.isOnly(desired, record));
      const [first, ...more] = whole.length > 0 ? whole : only;
      if (first !== undefined && more.length === 0) {
        if (open.delete(first)) found.set(desired.family, first);
      } else if (marked.length > 0) {
        ambiguous.set(
          desired.family,
          marked.map(({ id }) => id),
        );
      }
    }
  }
  const lost = [...open].filter((record) => strayKey(record, families) !== undefined);
  const homeless = originals.filter(({ family }) => !found.has(family) && !ambiguous.has(family));
  for (const [desired, record] of pairsByText(homeless, lost)) {
    found.set(desired.family, record);
    open.delete(record);
  }
  const unknown = homeless.filter(({ family }) => !found.has(family));
  for (const [{ family }, records] of bearersOfFormerSlugs(unknown, [...open], moved)) {
    const [record, ...more] = records.filter((each) => open.has(each));
    if (record === undefined) continue;
    if (more.length > 0)
      ambiguous.set(
        family,
        [record, ...more].map(({ id }) => id),
      );
    else if (open.delete(record)) found.set(family, record);
  }
  return { found, ambiguous, left: [...open] };
}

/** The key in a record's stamp, if no file has it any longer. */
export function strayKey({ stamp }: KnownRecord, families: ReadonlySet<Family>): string | undefined {
  const key = stamp === undefined ? undefined : parseStamp(stamp)?.key;
  const parts = key === undefined ? undefined : parseKey(key);
  return parts === undefined || families.has(familyFrom(parts.kind, parts.path)) ? undefined : key;
}

/**
 * Records that have the slug which a file had under a name that it says it had. Only those without a stamp, which many an
 * editor's software drops: any other stamp names another file.
 */
function bearersOfFormerSlugs(
  originals: readonly DesiredRecord[],
  records: readonly KnownRecord[],
  moved: ReadonlyMap<Family, Family>,
): readonly (readonly [DesiredRecord, readonly KnownRecord[]])[] {
  if (moved.size === 0 || originals.length === 0) return [];
  const bySlug = groupedByMark(
    records.filter(({ stamp }) => stamp === undefined),
    slugMark.ofRemote,
  );
  const former = formerSlugs(moved);
  return originals.flatMap((desired) => {
    const slugs = former.get(desired.family) ?? [];
    const bearers = slugs.flatMap((slug) => bySlug.get(slugKey(desired.kind, slug) ?? '') ?? []);
    return bearers.length === 0 ? [] : [[desired, bearers] as const];
  });
}

/** Slugs that follow from earlier names: of our own layout the last part of the path, of others the whole path. */
export function formerSlugs(moved: ReadonlyMap<Family, Family>): ReadonlyMap<Family, readonly string[]> {
  const slugs = new Map<Family, readonly string[]>();
  for (const [origin, target] of moved) {
    slugs.set(target, [...new Set([...(slugs.get(target) ?? []), ...slugsOfPath(origin)])]);
  }
  return slugs;
}

export function slugsOfPath(family: Family): readonly string[] {
  const path = pathOf(family).replaceAll(/\s+/g, '-');
  return [path.slice(path.lastIndexOf('/') + 1), path.replaceAll('/', '-')];
}

interface Stamped {
  readonly kind: Kind;
  readonly stamp?: string | undefined;
}

/** Records and files of one text that nobody else on either side has. Bodies are rendered only where a record is lost. */
export function pairsByText<T extends Stamped>(
  originals: readonly DesiredRecord[],
  lost: readonly T[],
): readonly (readonly [DesiredRecord, T])[] {
  if (lost.length === 0) return [];
  const byText = groupedByMark(lost, ({ kind, stamp }) => {
    const text = parseStamp(stamp ?? '')?.fields.get(bodyFieldOf(kind));
    return text === undefined ? undefined : `${kind} ${text}`;
  });
  const ofText = groupedByMark(originals, ({ kind, body }) => {
    const html = body?.render() ?? '';
    return html === '' ? undefined : `${kind} ${stampDigest(html)}`;
  });
  return [...ofText].flatMap(([text, [desired, ...others]]) => {
    const [record, ...more] = byText.get(text) ?? [];
    const isOnly = others.length + more.length === 0;
    return isOnly && desired !== undefined && record !== undefined ? [[desired, record] as const] : [];
  });
}

/** The records that have the slug of one of these files. */
export function withSlugsOf(
  originals: readonly DesiredRecord[],
  records: readonly KnownRecord[],
): ReadonlyMap<Family, KnownRecord> {
  const bySlug = groupedByMark(records, slugMark.ofRemote);
  return new Map(
    originals.flatMap((desired) => {
      const [first] = bySlug.get(slugMark.ofFile(desired) ?? '') ?? [];
      return first === undefined ? [] : [[desired.family, first] as const];
    }),
  );
}

interface Marks {
  /** Whether a record that bears the mark is the marked one, and not a copy of it. */
  readonly isWhole: (desired: DesiredRecord, record: KnownRecord) => boolean;
  /** Whether the only record that bears the mark is the marked one all the same. */
  readonly isOnly: (desired: DesiredRecord, record: KnownRecord) => boolean;
  readonly ofFile: (desired: DesiredRecord) => string | undefined;
  readonly ofRemote: (record: KnownRecord) => string | undefined;
}

/** A stamp counts where it names a file of ours: the stamp of a record that was copied elsewhere proves nothing. */
function stampMarks(originals: readonly DesiredRecord[], moved: ReadonlyMap<Family, Family>): Marks {
  const wanted = new Set<string>(originals.map(({ family }) => family));
  return {
    // Who copies a record copies its stamp; the copy has another slug. A record in the middle of a slug swap is ours.
    isWhole: ({ fields }, { stamp, fields: shown }) => {
      const slug = withoutMark(String(shown['slug'] ?? ''));
      const parsed = stamp === undefined ? undefined : parseStamp(stamp);
      return slug === fields['slug'] || (parsed !== undefined && stampFits(parsed, 'slug', slug));
    },
    // Some services write slugs in their own way: in small letters, cut, with a prefix. A copy that lost its original is
    // told from that by its title.
    isOnly: ({ kind, fields }, { stamp, fields: shown }) => {
      const parsed = stamp === undefined ? undefined : parseStamp(stamp);
      const [slug, title] = [fields['slug'], shown[nameFieldOf(kind)]];
      if (parsed === undefined || slug === undefined || title === undefined) return false;
      return stampFits(parsed, 'slug', slug) && stampFits(parsed, nameFieldOf(kind), title);
    },
    ofFile: ({ family }) => family,
    ofRemote: ({ stamp }) => {
      const parts = stamp === undefined ? undefined : parseKey(parseStamp(stamp)?.key ?? '');
      if (parts === undefined) return undefined;
      const named = familyFrom(parts.kind, parts.path);
      const family = moved.get(named) ?? named;
      return wanted.has(family) ? family : undefined;
    },
  };
}

const slugMark: Marks = {
  isWhole: () => true,
  isOnly: () => false,
  ofFile: ({ kind, fields }) => slugKey(kind, fields['slug']),
  ofRemote: ({ kind, fields }) => slugKey(kind, fields['slug']),
};

function slugKey(kind: Kind, slug: unknown): string | undefined {
  return typeof slug === 'string' && slug !== '' ? `${kind} ${slug}` : undefined;
}

/** Whether a known, unmanaged record must be read again: it was edited, or a new file wants its slug. */
export function mayMatch(
  memo: UnmanagedRecord | undefined,
  seen: string | undefined,
  slugs: ReadonlySet<string>,
): boolean {
  return memo === undefined || memo.seen !== seen || slugs.has(memo.slug);
}

function groupedByMark<T>(
  records: readonly T[],
  markOf: (record: T) => string | undefined,
): ReadonlyMap<string, readonly T[]> {
  return groupedBy(records, (record) => {
    const mark = markOf(record);
    return mark === undefined ? [] : [mark];
  });
}

/** A record's content in the tests that disturb the service: the number in its title, or `GONE`. */
export type Value = number;
export const GONE = Number.POSITIVE_INFINITY;

/**
 * What is known about one record that one client writes. Every write names the version that it replaces (If-Match), so that
 * the record's values only go up, and a write whose answer was lost can land late but not over a later one.
 */
export interface LedgerEntry {
  readonly id: string;
  readonly slug: string;
  /** Last value that the service said yes to, and its tag. */
  value: Value;
  etag: string;
  /** Sent on top of `etag` with an answer that did not come or was unclear: each may be there or may still come. */
  readonly pending: Set<Value>;
  /** Refused for sure: nobody may ever see them. */
  readonly refused: Set<Value>;
  /** Whatever anybody saw. */
  readonly seen: Set<Value>;
  /** No read that begins from now on may show less. */
  floor: Value;
}

export type Outcome = 'yes' | 'refused' | 'unclear' | 'stale';

/** Takes down the outcome of a write of `value`; answers what is wrong about it. */
export function wrote(entry: LedgerEntry, value: Value, outcome: Outcome, etag = ''): readonly string[] {
  switch (outcome) {
    case 'yes':
      entry.value = value;
      entry.etag = etag;
      entry.pending.clear();
      entry.floor = Math.max(entry.floor, value);
      return [];
    case 'refused':
      entry.refused.add(value);
      return [];
    case 'unclear':
      entry.pending.add(value);
      return [];
    case 'stale':
      entry.refused.add(value);
      return entry.pending.size > 0 ? [] : [`${entry.slug}: 412, but nobody else wrote after ${entry.value}`];
  }
}

/** Takes down what the writer itself read; answers what is wrong about it. */
export function settled(entry: LedgerEntry, value: Value, etag: string): readonly string[] {
  if (etag === entry.etag || (value === GONE && entry.value === GONE)) {
    return value === entry.value ? [] : [`${entry.slug}: ${value} has the tag of ${entry.value}`];
  }
  if (!entry.pending.has(value)) {
    return [
      `${entry.slug}: shows ${value}; acknowledged is ${entry.value}, unclear ${[...entry.pending].join(', ')}`,
    ];
  }
  return wrote(entry, value, 'yes', etag);
}

/** Takes down what anybody read in a read that began when the floor was `floorBefore`. */
export function saw(entry: LedgerEntry, value: Value, floorBefore: Value): readonly string[] {
  entry.seen.add(value);
  entry.floor = Math.max(entry.floor, value);
  return value >= floorBefore ? [] : [`${entry.slug}: shows ${value} after ${floorBefore} was certain`];
}

/** What is wrong about an entry when everything is quiet and the database holds `found`. */
export function atRest(entry: LedgerEntry, found: Value): readonly string[] {
  const phantoms = [...entry.seen, found].filter((value) => entry.refused.has(value));
  return [
    ...(found === entry.value || entry.pending.has(found)
      ? []
      : [`${entry.slug}: holds ${found}; acknowledged is ${entry.value}`]),
    ...(found >= entry.floor ? [] : [`${entry.slug}: holds ${found} after ${entry.floor} was seen`]),
    ...phantoms.map((value) => `${entry.slug}: ${value} was refused and is seen`),
  ];
}

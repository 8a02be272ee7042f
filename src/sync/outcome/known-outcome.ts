import { isDeepStrictEqual } from 'node:util';
import { digestOfText } from '../../model/digest.ts';
import type { Key, Kind, RemoteId } from '../../model/key.ts';
import { KINDS, familyOf, idKey, keyIn, kindOf, langOf } from '../../model/key.ts';
import { hasLanguage } from '../../model/language.ts';
import type { BaseState } from '../../model/record.ts';
import type { LoadedBase } from '../../base/base.ts';
import type { Plan } from '../../plan/plan.ts';
import type { ListTags } from '../../remote/writing/list-steps.ts';
import type { Remote, RemoteList } from '../../remote/remote.ts';
import type { Lists, Peeked } from './peeked-lists.ts';

/**
 * That a run found everything in sync. A plan follows from files, base, lists, reads and wishes: where all of them are
 * what they were in a run that needed no read and found nothing to say, so is its end, and nothing need be parsed or
 * compared. The caller binds it to files, base and wishes; the lists are compared here.
 */
export interface KnownOutcome {
  /** Absent after edits of ours: then the lists have the tags that those edits led to, or each of their rows shows what the base says. */
  readonly lists?: Readonly<Record<Kind, string>>;
  /** The ETags of the lists, where the service has some that can be trusted. */
  readonly tags?: ListTags;
  readonly unchanged: number;
  readonly unmanaged: Plan['unmanaged'];
  /** Digest of the rows that are no record of ours; undefined: the rows of ours did not show what the base said. */
  readonly others?: string | undefined;
}

/** Keeps one outcome; losing it costs time and nothing else. */
export interface OutcomeMemory {
  readonly read: () => KnownOutcome | undefined;
  /** The outcome for the files as they were before some of them were edited, and the records of those. */
  readonly beforeEdits?: () => Edited | undefined;
  readonly write: (outcome: KnownOutcome) => void;
  /** The outcome that a run of edits leaves, for the next one, which finds the state with this checksum. */
  readonly writeAfter?: (outcome: KnownOutcome, checksum: string) => void;
}

export interface Edited {
  readonly outcome: KnownOutcome;
  readonly keys: ReadonlySet<Key>;
}

/** The plan that the outcome stands for, when the service shows and says what it did then. */
export function knownPlan(
  known: KnownOutcome | undefined,
  peeked: Peeked,
  {
    remote,
    base,
    defaultLanguage,
    requestsMax,
  }: {
    readonly remote: Remote;
    readonly base: LoadedBase;
    readonly defaultLanguage: string;
    readonly requestsMax: number;
  },
): Plan | undefined {
  if (known === undefined || base.open.length > 0 || remote.requests() > requestsMax) return undefined;
  if (!isDeepStrictEqual(remote.capabilities(), base.state.capabilities)) return undefined;
  if (!showsTheSame(known, peeked, base.state, defaultLanguage)) return undefined;
  const { unchanged, unmanaged } = known;
  return { ...NOTHING, unchanged, unmanaged };
}

/** Byte for byte; after edits of ours by the tags that these led to, or row for row, as the base knows them. */
function showsTheSame(
  { lists, others }: KnownOutcome,
  peeked: Peeked,
  base: BaseState,
  defaultLanguage: string,
): boolean {
  if (lists !== undefined) return KINDS.every((kind) => lists[kind] === peeked.lists[kind]);
  if (peeked.unsent.length === KINDS.length) return true;
  if (others === undefined || peeked.read === undefined) return false;
  return others === othersBeside(peeked.read(), base, defaultLanguage);
}

/**
 * A digest of what the lists show beside the records of the base. Undefined where a record of the base is not there as the base knows it,
 * in each of its languages: somebody may have edited it, so it has to be read.
 */
export function othersBeside(
  lists: Lists,
  { records }: BaseState,
  defaultLanguage: string,
): string | undefined {
  const isShort = ({ more, total, rows }: RemoteList): boolean =>
    more !== undefined || (total ?? rows) !== rows;
  if (KINDS.some((kind) => isShort(lists[kind]))) return undefined;
  const rows = each((kind) => new Map(lists[kind].items.map((item) => [item.id, item] as const)));
  const ours = each(() => new Set<RemoteId>());
  for (const [key, record] of records) {
    const kind = kindOf(key);
    const lang = langOf(key);
    const row = rows[kind].get(record.id);
    const isOwn = lang === defaultLanguage;
    const original = isOwn ? record : records.get(keyIn(familyOf(key), defaultLanguage));
    if (row === undefined || original?.seen === undefined || row.seen !== original.seen) return undefined;
    if (!isOwn && !hasLanguage(row.languages, lang)) return undefined;
    ours[kind].add(record.id);
  }
  const others = KINDS.flatMap((kind) => lists[kind].items.filter(({ id }) => !ours[kind].has(id)))
    .map(({ kind, id, seen, slug }) => JSON.stringify([idKey(kind, id), seen, slug]))
    .sort();
  return digestOfText(others.join('\n'));
}

/** Without a name of kind and id for each of ten thousand rows. */
function each<T>(of: (kind: Kind) => T): Readonly<Record<Kind, T>> {
  return { category: of('category'), tag: of('tag'), article: of('article') };
}

const NOTHING = {
  changes: [],
  conflicts: [],
  drift: [],
  kept: [],
  prunes: false,
  holds: [],
  files: [],
  unmatched: [],
  excluded: [],
  scheduled: [],
  blocked: [],
  refusals: [],
  learnt: [],
  labels: {},
} satisfies Partial<Plan>;

/** Whether a run's end may be known the next time: nothing to do, to ask, to say or to learn. */
export function isAllInSync(plan: Plan): boolean {
  const { changes, conflicts, drift, kept, unmatched, blocked, refusals, learnt } = plan;
  return [changes, conflicts, drift, kept, unmatched, blocked, refusals, learnt].every(
    (part) => part.length === 0,
  );
}

/** What was not sent is known by its tag, and by the bytes that the outcome may have. */
export function withLists(outcome: KnownOutcome, { lists, tags, unsent }: Peeked): KnownOutcome {
  const isUnread = unsent.length > 0 && outcome.lists === undefined;
  return {
    ...withoutLists(outcome),
    ...(isUnread ? {} : { lists }),
    ...(tags === undefined ? {} : { tags }),
  };
}

export function withoutLists(outcome: KnownOutcome): KnownOutcome {
  const { lists: _, tags: __, ...rest } = outcome;
  return rest;
}

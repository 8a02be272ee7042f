import { isDeepStrictEqual } from 'node:util';
import type { Key, Kind } from '../../model/key.ts';
import { KINDS } from '../../model/key.ts';
import type { LoadedBase } from '../../base/base.ts';
import type { Plan } from '../../plan/plan.ts';
import type { PeekedList, Remote, RemoteList } from '../../remote/remote.ts';

/**
 * That a run found everything in sync. A plan follows from files, base, lists, reads and wishes: where all of them are
 * what they were in a run that needed no read and found nothing to say, so is its end, and nothing need be parsed or
 * compared. The caller binds it to files, base and wishes; the lists are compared here.
 */
export interface KnownOutcome {
  readonly lists: Readonly<Record<Kind, string>>;
  /** The ETags of the lists, where the service has some that can be trusted. */
  readonly tags?: Readonly<Record<Kind, string>>;
  readonly unchanged: number;
  readonly unmanaged: Plan['unmanaged'];
}

/** Keeps one outcome; losing it costs time and nothing else. */
export interface OutcomeMemory {
  readonly read: () => KnownOutcome | undefined;
  /** The outcome for the files as they were before some of them were edited, and the records of those. */
  readonly beforeEdits?: () => Edited | undefined;
  readonly write: (outcome: KnownOutcome) => void;
}

export interface Edited {
  readonly outcome: KnownOutcome;
  readonly keys: ReadonlySet<Key>;
}

type Lists = Readonly<Record<Kind, RemoteList>>;

/** The three lists, read in three requests. */
export interface Peeked extends Pick<KnownOutcome, 'lists' | 'tags'> {
  /** What the service sent; undefined if it said of a list only that nothing changed. */
  readonly read: (() => Lists) | undefined;
}

/** `tags`: lists that have not changed are not sent. Nothing may be decided on such a one but that nothing changed. */
export async function peekLists(
  remote: Remote,
  known: Pick<KnownOutcome, 'lists' | 'tags'> | undefined,
): Promise<Peeked> {
  const [category, tag, article] = await Promise.all(
    KINDS.map((kind) => remote.peek(kind, known?.lists[kind] ?? '', known?.tags?.[kind])),
  );
  if (category === undefined || tag === undefined || article === undefined) {
    throw new Error('bug: three kinds give three lists');
  }
  const each = <T>(of: (list: PeekedList) => T): Readonly<Record<Kind, T>> => ({
    category: of(category),
    tag: of(tag),
    article: of(article),
  });
  const tags = each((list) => list.tag ?? '');
  const isSent = [category, tag, article].every(({ list }) => list !== undefined);
  return {
    lists: each(({ digest }) => digest),
    ...(KINDS.every((kind) => tags[kind] !== '') ? { tags } : {}),
    read: isSent ? () => each(({ list }) => sent(list)()) : undefined,
  };
}

/** The three lists as the service sends them, asked for again if it has sent less. */
export async function sentLists(
  remote: Remote,
  peeked: Peeked,
): Promise<Peeked & { readonly read: () => Lists }> {
  if (peeked.read !== undefined) return { ...peeked, read: peeked.read };
  const whole = await peekLists(remote, { lists: peeked.lists });
  if (whole.read === undefined) throw new Error('bug: a list without a condition was not sent');
  return { ...whole, read: whole.read };
}

function sent(list: PeekedList['list']): () => RemoteList {
  if (list === undefined) throw new Error('bug: a list that was not sent is read');
  return list;
}

/** The plan that the outcome stands for, when the service shows and says what it did then. */
export function knownPlan(
  known: KnownOutcome | undefined,
  { lists }: Peeked,
  {
    remote,
    base,
    requestsMax,
  }: { readonly remote: Remote; readonly base: LoadedBase; readonly requestsMax: number },
): Plan | undefined {
  if (known === undefined || base.open.length > 0 || remote.requests() > requestsMax) return undefined;
  if (KINDS.some((kind) => lists[kind] !== known.lists[kind])) return undefined;
  if (!isDeepStrictEqual(remote.capabilities(), base.state.capabilities)) return undefined;
  const { unchanged, unmanaged } = known;
  return { ...NOTHING, unchanged, unmanaged };
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

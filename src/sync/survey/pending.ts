import type { Intent, LoadedBase } from '../../base/base.ts';
import { nameFieldOf } from '../../model/fields.ts';
import type { Key, Kind } from '../../model/key.ts';
import { KINDS, familyOf, kindOf } from '../../model/key.ts';
import type { DesiredState } from '../../model/record.ts';
import type { ListSide } from '../../plan/plan-input.ts';
import type { Remote, RemoteList } from '../../remote/remote.ts';
import type { Adoption } from './adoption.ts';

/** A lost create may still arrive: before this long after it was sent, its absence proves nothing. */
export const LATE_MS = 60_000;

/** When it is worth running again. */
export function lookAgainWords(delayMs: number): string {
  return `run again in ${Math.max(1, Math.ceil(delayMs / 1000))} s, or now with --wait`;
}

/** Who gives the flag in every run does not vouch for each create again and again. */
function sendAgainWords({ again, key }: Intent): string {
  return again === true
    ? `--assume-complete --only ${key} sends it once more (a run with --assume-complete has sent it again already)`
    : '--assume-complete sends it again';
}

export interface PendingInput {
  readonly isFound: (key: Key) => boolean;
  /** A draft of which a list that shows no draft says nothing. */
  readonly isUnlistedDraft: (key: Key) => boolean;
  readonly lists: Readonly<Record<Kind, ListSide>>;
  readonly adoption: Adoption;
  readonly nowMs: number;
  /**
   * `--assume-complete`: the user has looked for what earlier runs sent, once; `--only` names what is sent once more. What this
   * command itself sent nobody has looked for.
   */
  readonly isVouchedFor: (intent: Intent) => boolean;
  /** undefined: a minute. */
  readonly lateMs: number | undefined;
}

/**
 * The open intents under the names of now. A create whose file has another name since, because the file or kbsync.yaml says so or because
 * one new file alone has its slug or its title, is that file's: nothing else may be sent for it.
 */
export function intentsNow({ open, state }: LoadedBase, desired: DesiredState): readonly Intent[] {
  const isLost = ({ action, key }: Intent): boolean =>
    action === 'create' && !desired.records.has(key) && !state.records.has(key);
  if (!open.some(isLost)) return open;
  // A file with a create of its own waits for that one.
  const sent = new Set(open.flatMap(({ action, key }) => (action === 'create' ? [key] : [])));
  const free = [...desired.records.values()].filter(
    ({ key, isOriginal }) => isOriginal && !state.records.has(key) && !sent.has(key),
  );
  return open.map((intent) => {
    if (!isLost(intent)) return intent;
    const { key, name, slug } = intent;
    const told = desired.moved?.get(familyOf(key));
    const alike = free.filter(({ kind, family, fields }) =>
      told === undefined
        ? kind === kindOf(key) && (fields['slug'] === slug || fields[nameFieldOf(kind)] === name)
        : family === told,
    );
    const [only] = alike;
    return only === undefined || alike.length > 1 ? intent : { ...intent, key: only.key };
  });
}

/**
 * Creates of earlier runs of which neither the record nor its absence is proved, and why; they are not sent again. A
 * create is proved absent when a whole list, read long enough after it was sent, shows nobody of its name or slug.
 */
export function pendingCreates(
  open: readonly Intent[],
  { isFound, isUnlistedDraft, lists, adoption, nowMs, isVouchedFor, lateMs = LATE_MS }: PendingInput,
): ReadonlyMap<Key, string> {
  const pending = new Map<Key, string>();
  for (const intent of open) {
    const { action, key, name, slug, atMs } = intent;
    if (action !== 'create' || isFound(key)) continue;
    const kind = kindOf(key);
    const family = familyOf(key);
    const twin = (adoption.twins.get(family) ?? adoption.editedTwins.get(family))?.id;
    const alike = adoption.unmanaged.find(
      (record) =>
        record.kind === kind && (record.name === name || record.slug === slug || record.id === twin),
    );
    const list = lists[kind];
    if (nowMs - atMs < lateMs) {
      pending.set(
        key,
        `an earlier run sent it, and it is not clear whether it arrived; ${lookAgainWords(atMs + lateMs - nowMs)}`,
      );
    } else if (alike !== undefined) {
      const unread = adoption.unread.find((record) => record.kind === kind && record.id === alike.id);
      const words = alikeWords(alike, intent, unread?.why);
      pending.set(key, `an earlier run sent it without a clear answer, and ${words}`);
    } else if (list.complete && isUnlistedDraft(key) && !isVouchedFor(intent)) {
      pending.set(
        key,
        `an earlier run sent this draft, and the list of articles shows no draft at all, so it may exist: look for it on the site. If it is there, publish it there or give it a tag that the file names, and kbsync finds it; only if it is not there: ${sendAgainWords(intent)}`,
      );
    } else if (!list.complete && !isVouchedFor(intent)) {
      pending.set(
        key,
        `an earlier run sent it, and it is not in the ${kind} list, which may be truncated (${list.why ?? 'nothing proves that it is complete'}), so it may exist: look for it on the site. If it is there, kbsync finds it once the list shows it (${kind === 'article' ? 'a list may leave out drafts; with a tag on every article kbsync finds all of them' : `a list may leave out what is empty: put an article into that ${kind} there`}); only if it is not there: ${sendAgainWords(intent)}`,
      );
    }
  }
  return pending;
}

type Alike = PendingInput['adoption']['unmanaged'][number];

/** Why the record that a create may have made was not taken for it, and what to do. */
function alikeWords(
  { id, name, slug }: Alike,
  sent: Pick<Intent, 'name' | 'slug'>,
  whyUnread: string | undefined,
): string {
  const isNamed = name === sent.name;
  const shown = `the record ${id} may be the result: its name is ${JSON.stringify(name)}`;
  if (isNamed && whyUnread !== undefined && (slug === '' || slug === sent.slug))
    return `${shown}, and kbsync cannot read it (${whyUnread}); if the next run says so too, the service has to answer as the API’s text says`;
  const way = isNamed || slug !== sent.slug ? 'slug' : 'name';
  return `${shown}, its slug ${JSON.stringify(slug)}; give one of them the other's ${way}, or delete that record`;
}

/** Between two reads of a list. */
const STALE_MS = 1000;

/** So often a list is read again. */
const STALE_READS = 2;

/**
 * The lists, of which no single reading decides that a create was lost: a cache may answer once more with what it had, however
 * old that is, and fetch the new list behind that answer (`stale-while-revalidate`, RFC 5861). What one reading showed of a lost
 * create stays: another one may come from a cache that is older.
 */
export async function listsForLost(
  lists: Readonly<Record<Kind, RemoteList>>,
  open: readonly Intent[],
  {
    remote,
    nowMs,
    lateMs = LATE_MS,
    sleep,
  }: {
    readonly remote: Pick<Remote, 'list'>;
    readonly nowMs: number;
    readonly lateMs: number | undefined;
    readonly sleep: (delayMs: number) => Promise<void>;
  },
): Promise<Readonly<Record<Kind, RemoteList>>> {
  const now = { ...lists };
  const due = open.filter(({ action, atMs }) => action === 'create' && nowMs - atMs >= lateMs);
  const unseen = (): ReadonlySet<Kind> => {
    const names = new Set(KINDS.flatMap((kind) => now[kind].items.map(({ name }) => `${kind} ${name}`)));
    const kinds = due.map(({ key, name }) => ({ kind: kindOf(key), name }));
    return new Set(kinds.flatMap(({ kind, name }) => (names.has(`${kind} ${name}`) ? [] : [kind])));
  };
  if (due.length === 0) return now;
  for (let reads = 0; reads < STALE_READS; reads += 1) {
    const kinds = unseen();
    if (kinds.size === 0) break;
    await sleep(STALE_MS);
    for (const kind of kinds) {
      const names = new Set(due.flatMap(({ key, name }) => (kindOf(key) === kind ? [name] : [])));
      now[kind] = withSeen(await remote.list(kind), now[kind], names);
    }
  }
  return now;
}

function withSeen(again: RemoteList, before: RemoteList, names: ReadonlySet<string>): RemoteList {
  const ids = new Set(again.items.map(({ id }) => id));
  const seen = before.items.filter(({ id, name }) => names.has(name) && !ids.has(id));
  return seen.length === 0 ? again : { ...again, items: [...again.items, ...seen] };
}

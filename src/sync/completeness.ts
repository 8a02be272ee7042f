import type { Key, Kind } from '../model/key.ts';
import { kindOf, langOf } from '../model/key.ts';
import type { BaseState, DesiredState, ListedRecord } from '../model/record.ts';
import type { ListSide } from '../plan/plan-input.ts';
import type { RemoteSide } from '../plan/reconcile.ts';
import type { Remote, RemoteList } from '../remote/remote.ts';
import type { SyncPolicy } from './report.ts';

export interface CompletenessInput {
  readonly remote: Remote;
  readonly lists: Readonly<Record<Kind, RemoteList>>;
  readonly base: BaseState;
  readonly listed: ReadonlyMap<string, ListedRecord>;
  readonly sides: ReadonlyMap<Key, RemoteSide>;
  /** Kinds of which a listed record could not be read. */
  readonly failed: ReadonlyMap<Kind, string>;
  readonly policy: SyncPolicy;
  readonly desired: DesiredState;
}

/**
 * Whether each list is proved to be whole. A list may be cut at `limit` (the spec leaves its effect open), so a list
 * is complete when the service counts its records, or when its length is not the limit and no record that we know
 * is missing from it; at exactly the limit, tags, link manager and review dates must know no other article.
 */
export async function listSides(input: CompletenessInput): Promise<Readonly<Record<Kind, ListSide>>> {
  const side = async (kind: Kind): Promise<ListSide> => {
    const why = await doubt(kind, input);
    const count = input.lists[kind].items.length;
    return why === undefined ? { complete: true, count } : { complete: false, count, why };
  };
  return { category: await side('category'), tag: await side('tag'), article: await side('article') };
}

async function doubt(kind: Kind, input: CompletenessInput): Promise<string | undefined> {
  const { remote, lists, policy } = input;
  const list = lists[kind];
  const unread = input.failed.get(kind);
  if (unread !== undefined) return `a listed record could not be read: ${unread}`;
  const hidden = hiddenRecord(kind, input);
  if (hidden !== undefined) return `${hidden} exists and is not in the list`;
  if (list.total !== undefined) {
    return list.total === list.items.length
      ? undefined
      : `${list.items.length} of ${list.total} records are shown`;
  }
  if (remote.capabilities()['full-lists'] === 'yes') return undefined;
  const limit = lists.article.limit;
  if (limit === undefined || list.items.length !== limit) return undefined;
  if (kind !== 'article') return `its ${limit} items are exactly the limit that the service reports`;
  if (!policy.prune && !hasNewArticle(input)) return 'it has exactly as many items as the limit';
  const known = new Set(list.items.map(({ id }) => id));
  const others = [...(lists.tag.articleIds ?? []), ...(await remote.sideArticleIds())].filter(
    (id) => !known.has(id),
  );
  return others.length === 0 && input.base.records.size > 0
    ? undefined
    : `its ${limit} items are exactly the limit that the service reports`;
}

function hasNewArticle({ desired, base }: CompletenessInput): boolean {
  return [...desired.records.values()].some(
    ({ key, kind, isOriginal }) => kind === 'article' && isOriginal && !base.records.has(key),
  );
}

/** A managed original that a read has found although the list does not show it. */
function hiddenRecord(kind: Kind, { base, listed, sides, desired }: CompletenessInput): Key | undefined {
  for (const { key, id } of base.records.values()) {
    if (kindOf(key) !== kind || langOf(key) !== desired.defaultLanguage) continue;
    if (!listed.has(`${kind} ${id}`) && sides.get(key)?.state === 'known') return key;
  }
  return undefined;
}

import type { Intent } from '../../base/base.ts';
import type { Key, Kind } from '../../model/key.ts';
import { kindOf, idKey, isOriginal } from '../../model/key.ts';
import type { BaseState, DesiredState, ListedRecord } from '../../model/record.ts';
import type { ListSide } from '../../plan/plan-input.ts';
import type { RemoteSide } from '../../plan/reconcile.ts';
import { RemoteError } from '../../remote/error.ts';
import { stopsEverything } from '../../remote/read-many.ts';
import type { Remote, RemoteList } from '../../remote/remote.ts';

type Lists = Readonly<Record<Kind, RemoteList>>;

export interface CompletenessInput {
  readonly remote: Remote;
  readonly lists: Lists;
  readonly base: BaseState;
  readonly listed: ReadonlyMap<string, ListedRecord>;
  readonly sides: ReadonlyMap<Key, RemoteSide>;
  /** Kinds with a listed record that could not be read. */
  readonly failed: ReadonlyMap<Kind, string>;
  readonly desired: DesiredState;
  /** Creates and deletes of earlier runs whose end is not known. */
  readonly open: readonly Intent[];
  readonly isFound: (key: Key) => boolean;
}

/** The limit that the spec shows. A service that cuts its lists there need not say so. */
const DOCUMENTED_LIMIT = 25;

/**
 * Whether each list is proved to be whole. A list may be truncated (the spec leaves the effect of `limit` open), so a list
 * counts as whole when the service counts its records, or when its length is neither the limit that it reports nor the
 * documented one, no record that we know is missing from it, and no create that the service confirmed.
 */
export function listSides(input: CompletenessInput): Readonly<Record<Kind, ListSide>> {
  const side = (kind: Kind): ListSide => {
    const why = doubt(kind, input);
    const count = input.lists[kind].items.length;
    return why === undefined ? { complete: true, count } : { complete: false, count, ...why };
  };
  return { category: side('category'), tag: side('tag'), article: side('article') };
}

type Doubt = Pick<ListSide, 'why' | 'isLeaky'>;

function doubt(kind: Kind, input: CompletenessInput): Doubt | undefined {
  const { remote, lists } = input;
  const list = lists[kind];
  const unread = input.failed.get(kind);
  if (unread !== undefined) return { why: `a listed record could not be read: ${unread}` };
  const hidden = hiddenRecord(kind, input);
  if (hidden !== undefined) {
    if (remote.capabilities()['full-lists'] !== 'yes') remote.learn({ 'full-lists': 'no' });
    return { why: `${hidden} exists but is not in the list`, isLeaky: true };
  }
  if (list.total !== undefined) {
    return list.total === list.items.length || list.total === list.rows
      ? undefined
      : { why: `${list.items.length} of ${list.total} records are shown`, isLeaky: true };
  }
  const fullLists = remote.capabilities()['full-lists'];
  if (fullLists === 'yes') return undefined;
  const unlisted = input.open.filter(
    ({ action, key }) => action === 'create' && kindOf(key) === kind && !input.isFound(key),
  );
  if (fullLists === 'no' && unlisted.length > 0)
    return {
      why: `the service confirmed creates that it does not list (${unlisted.length} are open)`,
      isLeaky: true,
    };
  return isAtLimit(list, lists.article.limit)
    ? { why: `its ${list.items.length} items are exactly a limit at which services truncate lists` }
    : undefined;
}

/** Whether a list is as long as the places at which services cut. */
export function isAtLimit({ rows }: RemoteList, limit: number | undefined): boolean {
  return rows === limit || rows === DOCUMENTED_LIMIT;
}

/** Whether a list may be cut, as far as its length and what the service says of it tell. */
export function mayBeCut(list: RemoteList, remote: Remote): boolean {
  if (list.total !== undefined) return list.total !== list.items.length;
  return remote.capabilities()['full-lists'] !== 'yes' && isAtLimit(list, list.limit);
}

/**
 * Ids of articles that the list does not show although tags name them; where the list may be cut, those too that the link
 * manager and the review dates name (two requests). Sorted.
 */
export async function unlistedArticles(remote: Remote, lists: Lists): Promise<readonly string[]> {
  const listed = new Set(lists.article.items.map(({ id }) => id));
  const named = new Set(lists.tag.articleIds ?? []);
  if (mayBeCut(lists.article, remote)) for (const id of await sideIds(remote)) named.add(id);
  return [...named].filter((id) => !listed.has(id)).sort();
}

/** These tools only add evidence; a service without them adds none. */
async function sideIds(remote: Remote): Promise<Iterable<string>> {
  try {
    return await remote.sideArticleIds();
  } catch (error) {
    if (!(error instanceof RemoteError) || stopsEverything(error)) throw error;
    return [];
  }
}

/** A managed original that a read has found although the list does not show it. */
function hiddenRecord(kind: Kind, { base, listed, sides, desired }: CompletenessInput): Key | undefined {
  for (const { key, id } of base.records.values()) {
    if (kindOf(key) !== kind || !isOriginal(key, desired)) continue;
    if (!listed.has(idKey(kind, id)) && sides.get(key)?.state === 'known') return key;
  }
  return undefined;
}

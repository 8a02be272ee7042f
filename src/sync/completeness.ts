import type { Intent } from '../base/base.ts';
import type { Key, Kind } from '../model/key.ts';
import { kindOf, langOf } from '../model/key.ts';
import type { BaseState, DesiredState, ListedRecord } from '../model/record.ts';
import type { ListSide } from '../plan/plan-input.ts';
import type { RemoteSide } from '../plan/reconcile.ts';
import { RemoteError } from '../remote/error.ts';
import { stopsEverything } from '../remote/read-state.ts';
import type { Remote, RemoteList } from '../remote/remote.ts';
import { idKey } from './remote-side.ts';

type Lists = Readonly<Record<Kind, RemoteList>>;

export interface CompletenessInput {
  readonly remote: Remote;
  readonly lists: Lists;
  readonly base: BaseState;
  readonly listed: ReadonlyMap<string, ListedRecord>;
  readonly sides: ReadonlyMap<Key, RemoteSide>;
  /** Kinds of which a listed record could not be read. */
  readonly failed: ReadonlyMap<Kind, string>;
  readonly desired: DesiredState;
  /** Creates and deletes of earlier runs whose end is not known. */
  readonly open: readonly Intent[];
  readonly isFound: (key: Key) => boolean;
}

/** The limit that the spec shows. A service that cuts its lists there need not say so. */
const DOCUMENTED_LIMIT = 25;

/**
 * Whether each list is proved to be whole. A list may be cut (the spec leaves the effect of `limit` open), so a list
 * counts as whole when the service counts its records, or when its length is neither the limit that it reports nor the
 * documented one, no record that we know is missing from it, and no create that the service confirmed.
 */
export function listSides(input: CompletenessInput): Readonly<Record<Kind, ListSide>> {
  const side = (kind: Kind): ListSide => {
    const why = doubt(kind, input);
    const count = input.lists[kind].items.length;
    return why === undefined ? { complete: true, count } : { complete: false, count, why };
  };
  return { category: side('category'), tag: side('tag'), article: side('article') };
}

function doubt(kind: Kind, input: CompletenessInput): string | undefined {
  const { remote, lists } = input;
  const list = lists[kind];
  const unread = input.failed.get(kind);
  if (unread !== undefined) return `a listed record could not be read: ${unread}`;
  const hidden = hiddenRecord(kind, input);
  if (hidden !== undefined) {
    if (remote.capabilities()['full-lists'] !== 'yes') remote.learn({ 'full-lists': 'no' });
    return `${hidden} exists and is not in the list`;
  }
  if (list.total !== undefined) {
    return list.total === list.items.length
      ? undefined
      : `${list.items.length} of ${list.total} records are shown`;
  }
  const fullLists = remote.capabilities()['full-lists'];
  if (fullLists === 'yes') return undefined;
  const unlisted = input.open.filter(
    ({ action, key }) => action === 'create' && kindOf(key) === kind && !input.isFound(key),
  );
  if (fullLists === 'no' && unlisted.length > 0)
    return `the service said yes to creates that it does not show (${unlisted.length} are open)`;
  return isAtLimit(list, lists.article.limit)
    ? `its ${list.items.length} items are exactly a limit at which lists may be cut`
    : undefined;
}

/** Whether a list is as long as the places at which services cut. */
export function isAtLimit({ items }: RemoteList, limit: number | undefined): boolean {
  return items.length === limit || items.length === DOCUMENTED_LIMIT;
}

/**
 * Articles that the list does not show although tags name them; where the list may be cut and files wait to be created,
 * those too that the link manager and the review dates name (two requests).
 */
export async function unlistedArticles(input: {
  readonly remote: Remote;
  readonly lists: Lists;
  readonly base: BaseState;
  readonly desired: DesiredState;
  readonly listed: ReadonlyMap<string, ListedRecord>;
}): Promise<readonly string[]> {
  const { remote, lists, base, desired, listed } = input;
  const isWanted = [...desired.records.values()].some(
    ({ key, kind, isOriginal }) => kind === 'article' && isOriginal && !base.records.has(key),
  );
  if (!isWanted) return [];
  const mayBeCut = lists.article.total === undefined && isAtLimit(lists.article, lists.article.limit);
  const named = [
    ...(lists.tag.articleIds ?? []),
    ...(mayBeCut && remote.capabilities()['full-lists'] !== 'yes' ? await sideIds(remote) : []),
  ];
  return [...new Set(named)].filter((id) => !listed.has(idKey('article', id)));
}

/** Nothing stands on these tools but what they show: a service without them is as one that shows nothing there. */
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
    if (kindOf(key) !== kind || langOf(key) !== desired.defaultLanguage) continue;
    if (!listed.has(idKey(kind, id)) && sides.get(key)?.state === 'known') return key;
  }
  return undefined;
}

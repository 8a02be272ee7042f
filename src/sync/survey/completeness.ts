import type { Intent } from '../../base/base.ts';
import type { Family, Key, Kind, RemoteId } from '../../model/key.ts';
import { keyIn, kindOf, idKey, isOriginal } from '../../model/key.ts';
import type { BaseState, DesiredState, ListedRecord } from '../../model/record.ts';
import type { ListSide } from '../../plan/plan-input.ts';
import type { RemoteSide } from '../../plan/sides.ts';
import type { FieldValue } from '../../model/fields.ts';
import { isList, referenceFieldsOf } from '../../model/fields.ts';
import { RemoteError } from '../../remote/error.ts';
import type { Unread } from './adoption.ts';
import { stopsEverything } from '../../remote/read-many.ts';
import type { Remote, RemoteList } from '../../remote/remote.ts';

type Lists = Readonly<Record<Kind, RemoteList>>;

export interface CompletenessInput {
  readonly remote: Remote;
  readonly lists: Lists;
  readonly base: BaseState;
  readonly listed: ReadonlyMap<string, ListedRecord>;
  readonly sides: ReadonlyMap<Key, RemoteSide>;
  /** Listed records that could not be read. */
  readonly unread: readonly Unread[];
  readonly desired: DesiredState;
  /** Creates and deletes of earlier runs whose end is not known. */
  readonly open: readonly Intent[];
  readonly isFound: (key: Key) => boolean;
  readonly ids: ReadonlyMap<Family, RemoteId>;
  /** Categories of the articles that were read; undefined: a listed article was not read. */
  readonly filedUnder: ReadonlySet<RemoteId> | undefined;
}

/** The limit that the spec shows. A service that cuts its lists there need not say so. */
const DOCUMENTED_LIMIT = 25;

/** Nobody shows fewer rows at once: a lower `limit` that equals the length is the length. */
const LIMIT_MIN = 10;

/** Page lengths of common services. A run that knows nothing of the records takes a list of such a length for cut. */
const USUAL_LIMITS: ReadonlySet<number> = new Set([10, 15, 20, 25, 30, 50, 100, 200, 250, 500, 1000]);

/**
 * Whether each list is proved to be whole. A list may be truncated (the spec leaves the effect of `limit` open), so a list
 * counts as whole when the service counts its records, or when its length is neither the limit that it reports nor the
 * documented one, no record that we know is missing from it, and no create that the service confirmed.
 */
export function listSides(input: CompletenessInput): Readonly<Record<Kind, ListSide>> {
  const side = (kind: Kind): ListSide => {
    const why = doubt(kind, input);
    const count = input.lists[kind].items.length;
    const drafts = kind === 'article' && mayHideDrafts(input) ? { mayHideDrafts: true } : {};
    return { complete: why === undefined, count, ...why, ...drafts };
  };
  return { category: side('category'), tag: side('tag'), article: side('article') };
}

/**
 * Whether the list may leave drafts out: a run without a state finds articles of ours again, and no draft is among the rows.
 * Each clone would make the drafts of the files once more.
 */
function mayHideDrafts({ remote, lists, base, desired, sides, open }: CompletenessInput): boolean {
  const { 'full-lists': fullLists, 'draft-lists': before } = remote.capabilities();
  if (fullLists === 'yes') return false;
  if (showsDraft(lists.article)) {
    remote.learn({ 'draft-lists': 'yes' });
    return false;
  }
  if (before !== undefined) return before === 'no';
  const isOurs = (key: Key): boolean => kindOf(key) === 'article' && isOriginal(key, desired);
  if ([...base.records.keys()].some(isOurs)) return false;
  // What a first run of this state sent before it died is no find: the state tells which drafts it sent.
  const sent = new Set(open.filter(({ action }) => action === 'create').map(({ key }) => key));
  const isFoundAgain = [...sides].some(
    ([key, { state }]) => state === 'known' && isOurs(key) && !sent.has(key),
  );
  if (isFoundAgain) remote.learn({ 'draft-lists': 'no' });
  return isFoundAgain;
}

/**
 * Whether a list without any draft says nothing of this one: a service may list published articles only. So the draft may be
 * there, and that it is missing does not say that the list is cut.
 */
export function isUnlistedDraft(
  key: Key,
  { remote, lists, desired }: Pick<CompletenessInput, 'remote' | 'lists' | 'desired'>,
): boolean {
  const { 'full-lists': fullLists, 'draft-lists': draftLists } = remote.capabilities();
  if (kindOf(key) !== 'article' || statusSent(key, desired) !== 'draft') return false;
  if (fullLists === 'yes' || draftLists === 'yes') return false;
  return !showsDraft(lists.article);
}

function statusSent(key: Key, { records }: DesiredState): FieldValue | undefined {
  const { fields, initial } = records.get(key) ?? {};
  return fields?.['status'] ?? initial?.['status'];
}

export function showsDraft({ items }: Pick<RemoteList, 'items'>): boolean {
  return items.some(({ view }) => isDraftWord(view.status));
}

function isDraftWord(status: unknown): boolean {
  return typeof status === 'string' && status.toLowerCase() === 'draft';
}

type Doubt = Pick<ListSide, 'why' | 'isLeaky' | 'isUnread'>;

function doubt(kind: Kind, input: CompletenessInput): Doubt | undefined {
  const { remote, lists } = input;
  const list = lists[kind];
  const unread = input.unread.findLast((record) => record.kind === kind);
  if (unread !== undefined)
    return { why: `record ${unread.id} could not be read: ${unread.why}`, isUnread: true };
  const hidden = hiddenRecords(kind, input);
  // A list may leave drafts out and be whole: what is known by its id is read by its id.
  const cut = hidden.find(({ isDraft }) => !isDraft)?.key;
  if (cut !== undefined) {
    return { why: `${cut} exists but is not in the list`, isLeaky: true };
  }
  if (list.more !== undefined) {
    const { why, isCertain } = list.more;
    return { why: `the answer says that there is more: ${why}`, ...(isCertain ? { isLeaky: true } : {}) };
  }
  if (list.total !== undefined) {
    return list.total === list.items.length || list.total === list.rows
      ? undefined
      : { why: `${list.items.length} of ${list.total} records are shown`, isLeaky: true };
  }
  const fullLists = remote.capabilities()['full-lists'];
  if (fullLists === 'yes') return undefined;
  const unlisted = input.open.filter(
    ({ action, key }) =>
      action === 'create' && kindOf(key) === kind && !input.isFound(key) && !isUnlistedDraft(key, input),
  );
  if (fullLists === 'no' && unlisted.length > 0)
    return {
      why: `the service has confirmed a create that it did not list, and ${unlisted.length} are open`,
      isLeaky: true,
    };
  const isKnown = input.base.records.size > 0;
  const said = lists.article.limit ?? 0;
  const isLength = said < LIMIT_MIN || remote.capabilities()['limit-cuts'] === 'no';
  const limit = isLength ? undefined : said;
  if (isAtLimit(list, limit) || (!isKnown && USUAL_LIMITS.has(list.rows)))
    return { why: `its ${list.items.length} items are exactly a number at which services truncate lists` };
  const missing = isKnown ? undefined : unlistedReference(kind, input);
  const why = missing ?? (kind === 'article' ? unlistedArticle(input) : undefined);
  return why === undefined ? undefined : { why };
}

/**
 * What shows that the list leaves articles out, as one of published articles does where each create begins as a draft: an
 * article of ours that is such a draft, or a category of ours in which an article is, though none that is listed is in it or
 * below it. Only for a run that has to prove an absence: where a state names the articles, they are read by their ids.
 */
function unlistedArticle(input: CompletenessInput): string | undefined {
  const { base, ids, sides, listed, filedUnder, desired, open, isFound } = input;
  const isOpen = open.some(
    ({ action, key }) => action === 'create' && kindOf(key) === 'article' && !isFound(key),
  );
  if (hasArticle(base) && !isOpen) return undefined;
  const drafted = draftedInstead(input);
  if (drafted !== undefined) return `${drafted} is there as a draft, which the list does not show`;
  if (hasArticle(base) || filedUnder === undefined) return undefined;
  const categories = [...ids].filter(([family]) => kindOf(family) === 'category');
  const parents = new Map(
    categories.map(([family, id]) => {
      const key = keyIn(family, desired.defaultLanguage);
      const side = sides.get(key);
      const fields = side?.state === 'known' ? side.record.fields : base.records.get(key)?.sent;
      return [id, fields?.['categoryParent']] as const;
    }),
  );
  const filled = new Set(filedUnder);
  for (const id of filled) {
    const parent = parents.get(id);
    if (typeof parent === 'string') filled.add(parent);
  }
  const holding = categories.find(
    ([, id]) => listed.get(idKey('category', id))?.view.inUse === true && !filled.has(id),
  );
  return holding === undefined ? undefined : `${holding[0]} has an article that is not in the list`;
}

/** An article that was sent as published and is an unlisted draft, while the list shows no article of ours. */
function draftedInstead({ ids, sides, listed, desired }: CompletenessInput): Key | undefined {
  let drafted: Key | undefined;
  for (const [family, id] of ids) {
    if (kindOf(family) !== 'article') continue;
    if (listed.has(idKey('article', id))) return undefined;
    const key = keyIn(family, desired.defaultLanguage);
    const side = sides.get(key);
    if (
      statusSent(key, desired) === 'published' &&
      side?.state === 'known' &&
      isDraftWord(side.record.fields['status'])
    )
      drafted = key;
  }
  return drafted;
}

/** Whether the base names an article. */
export function hasArticle({ records }: BaseState): boolean {
  return [...records.keys()].some((key) => kindOf(key) === 'article');
}

/** Whether a list is as long as the places at which services cut. */
function isAtLimit({ rows }: RemoteList, limit: number | undefined): boolean {
  return rows === limit || rows === DOCUMENTED_LIMIT;
}

/** A category or tag that a record names and that the list does not show. */
function unlistedReference(kind: Kind, { sides, listed }: CompletenessInput): string | undefined {
  for (const [key, side] of sides) {
    if (side.state !== 'known') continue;
    for (const { name, of } of referenceFieldsOf(kindOf(key))) {
      const value = side.record.fields[name];
      const ids =
        typeof value === 'string' ? [value] : isList(value ?? null) ? (value as readonly string[]) : [];
      const id = of === kind ? ids.find((each) => !listed.has(idKey(kind, each))) : undefined;
      if (id !== undefined) return `${key} names the ${kind} ${id}, which is not in the list`;
    }
  }
  return undefined;
}

/** Whether a list may be cut, as far as its length and what the service says of it tell. */
export function mayBeCut(list: RemoteList, remote: Remote): boolean {
  if (list.more !== undefined) return true;
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

/** Managed originals that a read has found although the list does not show them. */
function hiddenRecords(
  kind: Kind,
  { base, listed, sides, desired }: CompletenessInput,
): readonly { readonly key: Key; readonly isDraft: boolean }[] {
  return [...base.records.values()].flatMap(({ key, id }) => {
    if (kindOf(key) !== kind || !isOriginal(key, desired) || listed.has(idKey(kind, id))) return [];
    const side = sides.get(key);
    if (side?.state !== 'known') return [];
    return [{ key, isDraft: isDraftWord(side.record.fields['status']) }];
  });
}

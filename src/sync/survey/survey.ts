import type { Intent } from '../../base/base.ts';
import type { PlanInput } from '../../plan/plan-input.ts';
import type { RemoteSide } from '../../plan/sides.ts';
import type { Family, Key, Kind } from '../../model/key.ts';
import { KINDS, familyOf, keyIn, kindOf, idKey, isOriginal } from '../../model/key.ts';
import { referenceFieldsOf } from '../../model/fields.ts';
import type { BaseState, DesiredState, ListedRecord } from '../../model/record.ts';
import { idsIn } from '../../plan/deletes.ts';
import { findMoves } from '../../plan/moves.ts';
import type { Learnt } from '../../plan/plan.ts';
import { waysIn } from '../../plan/likeness.ts';
import { readLists } from '../../remote/read-many.ts';
import type { Remote, RemoteList } from '../../remote/remote.ts';
import type { SurveyOptions } from './options.ts';
import { readSides } from './sides/read-sides.ts';
import type { Listed } from './sides/one-side.ts';
import { hasArticle, isUnlistedDraft, listSides, unlistedArticles } from './completeness.ts';
import { findAdoptable } from './adoption.ts';
import { intentsNow, listsForLost, pendingCreates } from './pending.ts';
import { baseIds, consistentBase, identitiesOf, resentFamilies } from './consistent-base.ts';
import { withPulledPages } from './pulled-pages.ts';
import { withEmptyFields } from '../../remote/wire/decode.ts';
import { learnLeftOut } from '../left-out.ts';
import { stampedBases } from './stamped-bases.ts';
import { twinWords } from './twins.ts';
import { withNewIds } from './new-ids.ts';
import { misplacedFirst } from './misplaced-first.ts';
import { withoutMovedElsewhere } from './moved-elsewhere.ts';
import { labelsOf } from '../side.ts';
import type { Adoption } from './adoption.ts';

/**
 * Reads what the plan needs and no more: three lists; then the records whose list entry or file changed since the base,
 * the records that a new file could already be, and the records that a delete would remove.
 */
export async function survey(asked: SurveyOptions): Promise<PlanInput> {
  const { remote, desired, policy, repository } = asked;
  const options = { ...asked, base: { ...asked.base, open: intentsNow(asked.base, desired) } };
  // A list shows nothing that arrives after it, however long the reads that follow it take.
  const listsAtMs = options.now();
  const first = await withoutOddEmpties(options.lists ?? (await readLists(remote)), options);
  const { sleep } = options;
  // Only these might be sent again.
  const missed = options.base.open.filter(
    ({ key }) => desired.records.has(key) && !asked.base.state.records.has(key),
  );
  const lists = await listsForLost(first, missed, {
    remote,
    nowMs: listsAtMs,
    lateMs: policy.lateMs,
    sleep,
  });
  const listed = listedById(lists);
  const pulled = withPulledPages(consistentBase(options.base, desired), desired, {
    resent: resentFamilies(options.base),
    isListed: (page) => listed.has(page),
  });
  const moved = findMoves(desired, pulled.base);
  const here = await withoutMovedElsewhere({ ...moved, remote, desired, policy, repository, listed });
  const { base: found, moves } = await withNewIds({
    ...here,
    remote,
    desired,
    policy,
    repository,
    listed,
    sleep: options.sleep,
  });
  const edits = openEdits(options.base.open, moves);
  const deletes = new Set(options.base.open.flatMap(({ action, key }) => (action === 'delete' ? [key] : [])));
  const adoption = await adoptionFor(found, lists, asked, options);
  const ids = idsOf(found, adoption, desired.defaultLanguage);
  const sides = await readSides({
    options,
    base: found,
    listed,
    listedAtMs: lists.article.answeredAtMs ?? options.now(),
    adoption,
    edits,
    deletes,
    going: goingKinds(found, options, listed),
    ...identitiesOf(ids),
  });
  const { base } = sides;
  for (const [key, why] of undecided(adoption, pulled.doubles, { base, desired }))
    sides.remote.set(key, { state: 'unknown', why });
  const isFound = (key: Key) => base.records.has(key) || ids.has(familyOf(key));
  const { open } = options.base;
  const listsNow = listSides({
    remote,
    lists,
    base,
    listed,
    sides: sides.remote,
    unread: adoption.unread,
    desired,
    open,
    isFound,
    ids,
    filedUnder: adoption.filedUnder,
  });
  const shown = listedFamilies(ids, listed);
  const stamped = stampedBases(desired, base, ids, sides.remote);
  const known = [...sides.remote].flatMap(([key, side]) => {
    const { sent = {} } = base.records.get(key) ?? stamped.get(key) ?? {};
    return side.state === 'known' ? [{ key, sent, shown: side.record.fields }] : [];
  });
  if (learnLeftOut(known, remote, desired.defaultLanguage)) readAgain(sides.remote, remote);
  return {
    desired,
    base,
    moves,
    stamped,
    ids,
    remote: sides.remote,
    seen: new Map([...shown].map(([family, { seen }]) => [family, seen])),
    views: new Map([...shown].map(([family, { view }]) => [family, view])),
    lists: listsNow,
    originals: lists.article.defaultLanguage,
    misplaced: await misplacedFirst(lists, { ids, adoption, base, desired, remote }),
    unmanaged: adoption.unmanaged,
    pending: pendingCreates(open, {
      isFound,
      isUnlistedDraft: (key) => isUnlistedDraft(key, { remote, lists, desired }),
      lists: listsNow,
      adoption,
      nowMs: listsAtMs,
      isVouchedFor: (intent) => isVouchedFor(intent, options),
      lateMs: policy.lateMs,
    }),
    labels: labelsOf(sides.remote),
    choices: policy,
    ways: waysIn(base),
    prune: policy.prune,
    maxDelete: policy.maxDelete,
    allow: policy.allow,
    languages: policy.languages,
    doubts: options.doubts,
    checkout: options.checkout,
    only: policy.only,
  };
}

/** What is there already of new files, and of creates whose answers were lost. `options` has their intents under the names of now. */
async function adoptionFor(
  base: BaseState,
  lists: Readonly<Record<Kind, RemoteList>>,
  asked: SurveyOptions,
  options: SurveyOptions,
): Promise<Adoption> {
  const { remote, desired, policy, repository, sleep } = options;
  const { open } = options.base;
  return findAdoptable({
    remote,
    desired: { ...desired, moved: namesOfCreates(asked.base.open, open, desired) },
    policy,
    repository,
    base,
    open,
    lists,
    hidden: hasNewArticle(desired, base) ? await unlistedArticles(remote, lists) : [],
    readsArticles: mayHaveMade(open, base, lists),
    sleep,
  });
}

/** Whether the user has looked for what an earlier run sent, and says that it is not there. */
function isVouchedFor({ op, key, again }: Intent, { policy, openBefore }: SurveyOptions): boolean {
  return (
    policy.allow.has('incomplete-list') &&
    openBefore.has(op) &&
    (again !== true || policy.only?.keys.has(key) === true)
  );
}

/** Records of which a person has to say what they are first, and why. */
function undecided(
  { ambiguous, twins, editedTwins }: Adoption,
  doubles: ReadonlyMap<Family, Family>,
  { base, desired }: { readonly base: BaseState; readonly desired: DesiredState },
): ReadonlyMap<Key, string> {
  const { defaultLanguage, records } = desired;
  const found = new Map<Key, string>();
  for (const [family, ids] of ambiguous) {
    const why =
      ids.length === 1
        ? `the record ${ids[0]} has its stamp but another slug: it is a copy, or somebody renamed it; give the file that slug, or remove the stamp from the copy`
        : `${ids.length} records on the service match it (ids ${ids.join(', ')}); delete or rename all but one`;
    found.set(keyIn(family, defaultLanguage), why);
  }
  for (const [family, other] of doubles) {
    const key = keyIn(family, defaultLanguage);
    const first = records.get(keyIn(other, defaultLanguage))?.at.file;
    if (base.records.has(key) || first === undefined) continue;
    const why = `kbsync pull made this file and ${first} for one page of the site; delete this one, or rename it if it is a page of its own`;
    found.set(key, why);
  }
  const ways = waysIn(base);
  for (const [some, isEdited] of [
    [twins, false],
    [editedTwins, true],
  ] as const) {
    for (const [family, twin] of some) {
      const key = keyIn(family, defaultLanguage);
      found.set(key, twinWords(twin, records.get(key), ways, isEdited));
    }
  }
  return found;
}

/** The fields that turned out to be empty, not hidden, count as empty in this run too. */
function readAgain(sides: Map<Key, RemoteSide>, remote: Pick<Remote, 'capabilities'>): void {
  const { leavesOut = [] } = remote.capabilities();
  for (const [key, side] of sides) {
    if (side.state !== 'known') continue;
    const { record } = side;
    const fields = withEmptyFields(record.kind, record.fields, leavesOut);
    sides.set(key, { ...side, record: { ...record, fields } });
  }
}

/** Earlier names of files, with those under which a create of theirs was sent. */
function namesOfCreates(
  before: readonly Intent[],
  now: readonly Intent[],
  { moved = new Map() }: DesiredState,
): ReadonlyMap<Family, Family> {
  const followed = before.flatMap(({ key }, at) => {
    const family = familyOf(now[at]?.key ?? key);
    return family === familyOf(key) ? [] : [[familyOf(key), family] as const];
  });
  return followed.length === 0 ? moved : new Map([...moved, ...followed]);
}

/** A list that is empty where records are known may be a slip of the service: it is read once more. */
async function withoutOddEmpties(
  lists: Readonly<Record<Kind, RemoteList>>,
  { remote, base }: SurveyOptions,
): Promise<Readonly<Record<Kind, RemoteList>>> {
  const known = new Set([...base.state.records.keys()].map(kindOf));
  const again = async (kind: Kind): Promise<RemoteList> =>
    known.has(kind) && lists[kind].rows === 0 ? remote.list(kind) : lists[kind];
  const [category, tag, article] = [await again('category'), await again('tag'), await again('article')];
  return { category, tag, article };
}

/** So many articles of others are read to learn whether the list hides what an earlier run may have made. */
const ARTICLES_MAX = 100;

/**
 * Whether an article that an earlier run sent may exist in a category and not be listed: the state names no article yet. Where the list
 * has one of its title, the create waits for that one, and reading more tells nothing.
 */
function mayHaveMade(
  open: readonly Intent[],
  base: BaseState,
  { category, article }: Readonly<Record<Kind, RemoteList>>,
): boolean {
  const names = new Set(article.items.map(({ name }) => name));
  return (
    open.some(
      ({ action, key, name }) => action === 'create' && kindOf(key) === 'article' && !names.has(name),
    ) &&
    !hasArticle(base) &&
    article.items.length <= ARTICLES_MAX &&
    category.items.some(({ view }) => view.inUse === true)
  );
}

/** Only for a new article does it matter what the list may not show. */
function hasNewArticle(desired: DesiredState, base: BaseState): boolean {
  return [...desired.records.values()].some(
    ({ key, kind, isOriginal }) => kind === 'article' && isOriginal && !base.records.has(key),
  );
}

function listedById(lists: Readonly<Record<Kind, RemoteList>>): Listed {
  return new Map(
    KINDS.flatMap((kind) => lists[kind].items.map((item) => [idKey(kind, item.id), item] as const)),
  );
}

function idsOf(
  base: BaseState,
  { found, taken }: Adoption,
  defaultLanguage: string,
): ReadonlyMap<Family, string> {
  const ids = baseIds(base, defaultLanguage);
  for (const [family, { id }] of [...found, ...taken]) ids.set(family, id);
  return ids;
}

/** Creates and edits without an answer, under the keys of now: a file may have moved since. */
function openEdits(open: readonly Intent[], moves: readonly Learnt[]): ReadonlyMap<Key, readonly Intent[]> {
  const moved = new Map(
    moves.flatMap((learnt) =>
      learnt.how === 'moved' && learnt.from !== undefined ? [[learnt.from, learnt.record.key] as const] : [],
    ),
  );
  const edits = new Map<Key, readonly Intent[]>();
  for (const intent of open) {
    if (intent.action === 'delete') continue;
    const key = moved.get(intent.key) ?? intent.key;
    edits.set(key, [...(edits.get(key) ?? []), intent]);
  }
  return edits;
}

/**
 * Kinds with a category or tag that no file makes any more, and that is used by nobody whom a list shows, or was named by a file at the last
 * sync. What an editor's own article uses stays, so its translations need no reads.
 */
function goingKinds(
  { records }: BaseState,
  { desired, policy }: SurveyOptions,
  listed: Listed,
): ReadonlySet<Kind> {
  if (!policy.prune) return new Set();
  const gone = [...records.values()].filter(
    ({ key }) => isOriginal(key, desired) && kindOf(key) !== 'article' && !desired.records.has(key),
  );
  if (gone.length === 0) return new Set();
  const named = new Set(
    [...records.values()].flatMap(({ key, sent }) =>
      referenceFieldsOf(kindOf(key)).flatMap(({ name, of }) => idsIn(sent[name]).map((id) => idKey(of, id))),
    ),
  );
  const isFree = (id: string): boolean => listed.get(id)?.view.inUse !== true || named.has(id);
  return new Set(gone.filter(({ key, id }) => isFree(idKey(kindOf(key), id))).map(({ key }) => kindOf(key)));
}

/** What the lists show now of each original with an id. */
function listedFamilies(ids: ReadonlyMap<Family, string>, listed: Listed): ReadonlyMap<Family, ListedRecord> {
  return new Map(
    [...ids].flatMap(([family, id]) => {
      const item = listed.get(idKey(kindOf(family), id));
      return item === undefined ? [] : [[family, item] as const];
    }),
  );
}

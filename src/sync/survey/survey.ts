import type { Family, Key, Kind } from '../../model/key.ts';
import { KINDS, familyOf, keyIn, kindOf, langOf, idKey, isOriginal } from '../../model/key.ts';
import { sameLanguage } from '../../model/language.ts';
import { fieldsOf, referenceFieldsOf } from '../../model/fields.ts';
import type { ReferenceField } from '../../model/fields.ts';
import { unescaped } from '../../model/html/canonical-text.ts';
import type { BaseRecord, BaseState, DesiredState, KnownRecord, ListedRecord } from '../../model/record.ts';
import type { Intent, LoadedBase } from '../../base/base.ts';
import { differsFromBase, idToCome, ownedFields } from '../../plan/compare.ts';
import { idsIn } from '../../plan/deletes.ts';
import { findMoves } from '../../plan/moves.ts';
import type { Learnt } from '../../plan/plan.ts';
import { waysIn } from '../../plan/likeness.ts';
import type { PlanInput } from '../../plan/plan-input.ts';
import { afterCopy, afterOwnEdits } from '../own-edits.ts';
import type { RemoteSide } from '../../plan/reconcile.ts';
import type { ReadOutcome, ReadWant } from '../../remote/read-many.ts';
import { readLists, readMany } from '../../remote/read-many.ts';
import type { Remote, RemoteList } from '../../remote/remote.ts';
import { readDenied } from './denied.ts';
import { hasArticle, isUnlistedDraft, listSides, unlistedArticles } from './completeness.ts';
import { findAdoptable } from './adoption.ts';
import { intentsNow, pendingCreates } from './pending.ts';
import { baseIds, consistentBase, idInBase, identitiesOf, resentFamilies } from './consistent-base.ts';
import { withPulledPages } from './pulled-pages.ts';
import type { Identities } from './consistent-base.ts';
import { contradicted } from './contradicted.ts';
import { withEmptyFields } from '../../remote/wire/decode.ts';
import { learnLeftOut } from '../left-out.ts';
import { stampedBases } from './stamped-bases.ts';
import { twinWords } from './twins.ts';
import { withNewIds } from './new-ids.ts';
import { withoutMovedElsewhere } from './moved-elsewhere.ts';
import { asListed, labelsOf, sideOf } from '../side.ts';
import type { SyncPolicy } from '../report.ts';
import type { Checkout } from '../../model/revision.ts';
import type { Adoption } from './adoption.ts';
import type { Repository } from '../../model/repository.ts';
import { otherOwner } from '../../model/stamp.ts';

export interface SurveyOptions {
  readonly remote: Remote;
  readonly base: LoadedBase;
  readonly desired: DesiredState;
  readonly policy: SyncPolicy;
  readonly repository: Repository;
  /** Why files may only seem to be gone; undefined: the run deletes nothing. */
  readonly doubts?: readonly string[] | undefined;
  /** undefined: the run is not about files. */
  readonly checkout?: Checkout | undefined;
  readonly openBefore: ReadonlySet<string>;
  readonly now: () => number;
  readonly sleep: (delayMs: number) => Promise<void>;
  /** Where they have been read already. */
  readonly lists?: Readonly<Record<Kind, RemoteList>> | undefined;
}

/**
 * Reads what the plan needs and no more: three lists; then the records whose list entry or file changed since the base,
 * the records that a new file could already be, and the records that a delete would remove.
 */
export async function survey(asked: SurveyOptions): Promise<PlanInput> {
  const { remote, desired, policy, repository } = asked;
  const options = { ...asked, base: { ...asked.base, open: intentsNow(asked.base, desired) } };
  const lists = await withoutOddEmpties(options.lists ?? (await readLists(remote)), options);
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
  const hidden = hasNewArticle(desired, found) ? await unlistedArticles(remote, lists) : [];
  const adoption = await findAdoptable({
    remote,
    desired: { ...desired, moved: namesOfCreates(asked.base.open, options.base.open, desired) },
    policy,
    repository,
    base: found,
    lists,
    hidden,
    readsArticles: mayHaveMade(options.base.open, found, lists),
    sleep: options.sleep,
  });
  const ids = idsOf(found, adoption, desired.defaultLanguage);
  const sides = await readSides({
    options,
    base: found,
    listed,
    adoption,
    edits,
    deletes,
    going: goingKinds(found, options, listed),
    ...identitiesOf(ids),
  });
  const { base } = sides;
  for (const [family, doubles] of adoption.ambiguous) {
    const why =
      doubles.length === 1
        ? `the record ${doubles[0]} has its stamp but another slug: it is a copy, or somebody renamed it; give the file that slug, or remove the stamp from the copy`
        : `${doubles.length} records on the service match it (ids ${doubles.join(', ')}); delete or rename all but one`;
    sides.remote.set(keyIn(family, desired.defaultLanguage), { state: 'unknown', why });
  }
  for (const [family, other] of pulled.doubles) {
    const key = keyIn(family, desired.defaultLanguage);
    const first = desired.records.get(keyIn(other, desired.defaultLanguage))?.at.file;
    if (base.records.has(key) || first === undefined) continue;
    const why = `kbsync pull made this file and ${first} for one page of the site; delete this one, or rename it if it is a page of its own`;
    sides.remote.set(key, { state: 'unknown', why });
  }
  for (const [family, twin] of adoption.twins)
    sides.remote.set(keyIn(family, desired.defaultLanguage), { state: 'unknown', why: twinWords(twin) });
  const isFound = (key: Key) => base.records.has(key) || ids.has(familyOf(key));
  const { open } = options.base;
  const listsNow = listSides({
    remote,
    lists,
    base,
    listed,
    sides: sides.remote,
    failed: adoption.failed,
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
    unmanaged: adoption.unmanaged,
    pending: pendingCreates(open, {
      isFound,
      isUnlistedDraft: (key) => isUnlistedDraft(key, { remote, lists, desired }),
      lists: listsNow,
      adoption,
      nowMs: options.now(),
      isVouchedFor: ({ op, key, again }) =>
        policy.allow.has('incomplete-list') &&
        options.openBefore.has(op) &&
        (again !== true || policy.only?.keys.has(key) === true),
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

type Listed = ReadonlyMap<string, ListedRecord>;

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

interface SideInput extends Identities {
  readonly options: SurveyOptions;
  readonly base: BaseState;
  /** Edits of ours of which no answer is known. */
  readonly edits: ReadonlyMap<Key, readonly Intent[]>;
  /** Deletes of ours of which no answer is known. */
  readonly deletes: ReadonlySet<Key>;
  readonly listed: Listed;
  readonly adoption: Adoption;
  /** Kinds of which a prune may delete a record: who uses it is asked first. */
  readonly going: ReadonlySet<Kind>;
}

interface Sides {
  readonly remote: Map<Key, RemoteSide>;
  /** With what edits of ours left, as far as the reads show them. */
  readonly base: BaseState;
}

async function readSides(input: SideInput): Promise<Sides> {
  const { desired, remote, policy } = input.options;
  const records = new Map(input.base.records);
  const sides = new Map<Key, RemoteSide>();
  const wants: ReadWant<Key>[] = [];
  for (const key of new Set([...desired.records.keys(), ...input.base.records.keys()])) {
    const side = sideWithoutRead(key, input);
    if (side !== undefined) sides.set(key, side);
    else wants.push(wantOf(key, input));
  }
  const first = await readMany(remote, wants, policy.concurrencyMax);
  const denied = wants.filter(({ name }) => first.get(name)?.state === 'absent' && isListed(name, input));
  const again = await readDenied(denied, {
    remote,
    atOnce: policy.concurrencyMax,
    sleep: input.options.sleep,
  });
  const reads = new Map([...first, ...again]);
  const doubtful = contradicted(reads, {
    ...input,
    desired,
    baseOf: (key, record) => baseBeside(key, record, input),
  });
  const others = wants.filter(({ name }) => doubtful.has(name));
  for (const [key, read] of await readMany(remote, others, policy.concurrencyMax))
    if (read.state === 'found') reads.set(key, read);
  for (const [key, read] of reads) {
    const before = records.get(key);
    const base = read.state === 'found' ? baseBeside(key, read.record, input) : before;
    if (base !== undefined && base !== before) records.set(key, base);
    if (base !== undefined && read.state === 'found') learnEscapes(base, read.record, remote);
    sides.set(key, readSide(key, read, { ...input, known: base }));
  }
  for (const [key, side] of sides) {
    const original = sides.get(keyIn(familyOf(key), desired.defaultLanguage));
    if (isOriginal(key, desired) || side.state !== 'known' || original?.state !== 'known') continue;
    const both = { record: side.record, original: original.record };
    const base = afterCopy(records.get(key), input.edits.get(key) ?? [], both);
    if (base !== undefined) records.set(key, base);
  }
  return { remote: sides, base: { ...input.base, records } };
}

/** What the last sync left of a record, with edits of ours of which no answer is known and which the read shows. */
function baseBeside(key: Key, record: KnownRecord, { base, edits }: SideInput): BaseRecord | undefined {
  return afterOwnEdits(base.records.get(key), edits.get(key) ?? [], record, waysIn(base));
}

/** A text that is shown as what was sent, escaped: the service escapes what it saves. */
function learnEscapes({ sent }: BaseRecord, { kind, fields }: KnownRecord, remote: Remote): void {
  if (remote.capabilities()['keeps-texts'] !== undefined) return;
  for (const [name, { type }] of fieldsOf(kind)) {
    const [ours, theirs] = [sent[name], fields[name]];
    const isEscaped = typeof ours === 'string' && typeof theirs === 'string' && ours !== theirs;
    if (type === 'text' && isEscaped && unescaped(theirs) === ours) remote.learn({ 'keeps-texts': 'no' });
  }
}

/** Under the keys of now: a file may have moved since. */
function openEdits(open: readonly Intent[], moves: readonly Learnt[]): ReadonlyMap<Key, readonly Intent[]> {
  const moved = new Map(
    moves.flatMap((learnt) =>
      learnt.how === 'moved' && learnt.from !== undefined ? [[learnt.from, learnt.record.key] as const] : [],
    ),
  );
  const edits = new Map<Key, readonly Intent[]>();
  for (const intent of open) {
    if (intent.action !== 'update') continue;
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

/** A single read may lag behind the list, or fail for one record only: what the list shows is not proved to be gone. */
const CONTRADICTED: RemoteSide = {
  state: 'unknown',
  why: 'the list shows it, but reading it says that it does not exist; the next run checks again',
};

function readSide(
  key: Key,
  read: ReadOutcome,
  { options, base, known, listed, ids, deletes }: SideInput & { readonly known: BaseRecord | undefined },
): RemoteSide {
  const { desired, remote } = options;
  const item = listed.get(idKey(kindOf(key), ids.get(familyOf(key)) ?? ''));
  const isOwn = isOriginal(key, desired);
  const isListed = item !== undefined && (isOwn || names(item, langOf(key)));
  // It was asked for as long as reads may lag. Where nothing was ours before, a translation would be written unread.
  if (read.state === 'absent')
    return isListed && !(isOwn && known !== undefined) ? CONTRADICTED : { state: 'absent' };
  const isUnshown = read.state === 'unreadable' && !isOwn;
  // Asked for a language that the list does not name either, it shows another: so does a service that has none such.
  const isUnnamed = isUnshown && item !== undefined && !isListed;
  const isDeleted = deletes.has(key) && namesLanguages(kindOf(key), listed);
  if (isUnnamed && (known === undefined || isDeleted)) return { state: 'absent' };
  const seen = base.records.get(keyIn(familyOf(key), desired.defaultLanguage))?.seen;
  const isWriteOnly = isUnshown && remote.capabilities()['read-lang'] === 'no';
  if (!isWriteOnly || item === undefined || !desired.records.has(key)) {
    const file = desired.records.get(key);
    const first = keyIn(familyOf(key), desired.defaultLanguage);
    const original = {
      base: base.records.get(first),
      file: desired.records.get(first),
      ways: waysIn(base),
    };
    const side = sideOf(read, {
      repository: options.repository,
      base: known,
      file,
      isOriginal: isOwn,
      original,
    });
    const isDated = item !== undefined && item.view.lastEdited !== undefined && item.view.lastEdited !== '';
    return isDated && seen === item.seen ? asListed(side, { state: 'base' }) : side;
  }
  // The service shows no translations: what is known of them is what was sent, and what the list says of the family.
  if (!isListed) return { state: 'absent' };
  if (base.records.has(key) && seen === item.seen) return { state: 'base' };
  const since = base.records.has(key)
    ? 'the list shows an edit since the last sync'
    : 'the list says that this one exists, but no state says who wrote it';
  return { state: 'unreadable', why: `the service does not show translations (${read.why}), and ${since}` };
}

/** Whether this list names translations at all. */
function namesLanguages(kind: Kind, listed: Listed): boolean {
  return [...listed.values()].some((item) => item.kind === kind && item.languages.length > 0);
}

function isListed(key: Key, { options, listed, ids }: SideInput): boolean {
  const item = listed.get(idKey(kindOf(key), ids.get(familyOf(key)) ?? ''));
  return item !== undefined && (isOriginal(key, options.desired) || names(item, langOf(key)));
}

function names({ languages }: ListedRecord, lang: string): boolean {
  return languages.some((each) => sameLanguage(each, lang));
}

/** What is known of a record without reading it; undefined: it must be read. */
function sideWithoutRead(key: Key, input: SideInput): RemoteSide | undefined {
  const { options, base, listed, ids, adoption, edits } = input;
  const { desired, policy } = options;
  const family = familyOf(key);
  const isOwn = isOriginal(key, desired);
  const record = adoption.found.get(family);
  if (isOwn && record !== undefined) return { state: 'known', record };
  const other = adoption.taken.get(family);
  // Its translations are the other repository's too.
  if (other !== undefined) {
    const by = otherOwner(other.stamp, options.repository);
    return { state: 'taken', by, record: other, isOnlyPlace: !isOwn };
  }
  const id = idInBase(key, base, input, desired);
  if (id === undefined) return { state: 'absent' };
  if (policy.languages !== undefined && !policy.languages.includes(langOf(key)) && !isOwn) {
    return { state: 'unknown', why: 'its language is not selected' };
  }
  const item = listed.get(idKey(kindOf(key), id));
  const known = base.records.get(key);
  const isListed = item !== undefined && (isOwn || names(item, langOf(key)));
  const seen = base.records.get(keyIn(family, desired.defaultLanguage))?.seen;
  if (edits.has(key)) return undefined;
  if (!isListed || known === undefined || seen === undefined || seen !== item.seen) return undefined;
  const file = desired.records.get(key);
  if (isOwn && isAskedByTranslations(key, desired)) return undefined;
  if (file === undefined) return policy.prune ? undefined : { state: 'base' };
  const owned = ownedFields(file, (target) => ids.get(target) ?? idToCome(target));
  // Which categories and tags a translation has that its file does not name, no list shows.
  const mayUse = ({ name, of }: ReferenceField): boolean => input.going.has(of) && owned[name] === undefined;
  if (!isOwn && referenceFieldsOf(kindOf(key)).some(mayUse)) return undefined;
  return differsFromBase(file, owned, known) ? undefined : { state: 'base' };
}

/** Whether a translation's file says something of a field that is the original's, and whose value only the service knows. */
function isAskedByTranslations(key: Key, { records, languages }: DesiredState): boolean {
  const own = records.get(key)?.fields ?? {};
  return languages.some((lang) => {
    const { unkept = {} } = records.get(keyIn(familyOf(key), lang)) ?? {};
    return Object.keys(unkept).some((name) => own[name] === undefined);
  });
}

function wantOf(key: Key, { options, base, ...input }: SideInput): ReadWant<Key> {
  const id = idInBase(key, base, input, options.desired);
  if (id === undefined) throw new Error(`bug: ${key} is to be read and has no id`);
  const lang = langOf(key);
  return {
    name: key,
    kind: kindOf(key),
    id,
    lang: lang === options.desired.defaultLanguage ? undefined : lang,
  };
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

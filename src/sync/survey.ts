import type { Family, Key, Kind } from '../model/key.ts';
import { KINDS, familyOf, keyIn, kindOf, langOf } from '../model/key.ts';
import type { BaseState, DesiredState, KnownRecord, ListedRecord } from '../model/record.ts';
import type { LoadedBase } from '../base/base.ts';
import { differsFromBase, idToCome, ownedFields } from '../plan/compare.ts';
import { findMoves } from '../plan/moves.ts';
import type { PlanInput } from '../plan/plan-input.ts';
import type { RemoteSide } from '../plan/reconcile.ts';
import type { ReadOutcome, ReadWant } from '../remote/read-state.ts';
import { readLists, readMany } from '../remote/read-state.ts';
import type { Remote, RemoteList } from '../remote/remote.ts';
import { listSides, unlistedArticles } from './completeness.ts';
import { findAdoptable } from './adoption.ts';
import { pendingCreates } from './pending.ts';
import { baseIds, consistentBase, idInBase } from './consistent-base.ts';
import { stampedBases } from './stamped.ts';
import { idKey, sideOf } from './remote-side.ts';
import type { SyncPolicy } from './report.ts';

export interface SurveyOptions {
  readonly remote: Remote;
  readonly base: LoadedBase;
  readonly desired: DesiredState;
  readonly policy: SyncPolicy;
  readonly now: () => number;
  /** Where they have been read already. */
  readonly lists?: Readonly<Record<Kind, RemoteList>> | undefined;
}

/**
 * Reads what the plan needs and no more: three lists; then the records whose list entry or file changed since the base,
 * the records that a new file could already be, and the records that a delete would remove.
 */
export async function survey(options: SurveyOptions): Promise<PlanInput> {
  const { remote, desired, policy } = options;
  const lists = options.lists ?? (await readLists(remote));
  const { base, moves } = findMoves(desired, consistentBase(options.base, desired));
  const listed = listedById(lists);
  const hidden = await unlistedArticles({ remote, lists, base, desired, listed });
  const adoption = await findAdoptable({ remote, desired, policy, base, lists, hidden });
  const ids = idsOf(base, adoption.found, desired.defaultLanguage);
  const sides = await readSides({ options, base, listed, ids, found: adoption.found });
  for (const [family, doubles] of adoption.ambiguous) {
    const why =
      doubles.length === 1
        ? `the record ${doubles[0]} bears its stamp under another slug: it is a copy, or was renamed there; give the file that slug, or take the stamp out of the copy`
        : `${doubles.length} records on the service fit it (ids ${doubles.join(', ')}); remove or rename all but one there`;
    sides.remote.set(keyIn(family, desired.defaultLanguage), { state: 'unknown', why });
  }
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
  });
  const shown = listedFamilies(ids, listed);
  return {
    desired,
    base,
    moves,
    stamped: stampedBases(desired, base, ids, sides.remote),
    ids,
    remote: sides.remote,
    seen: new Map([...shown].map(([family, { seen }]) => [family, seen])),
    views: new Map([...shown].map(([family, { view }]) => [family, view])),
    lists: listsNow,
    unmanaged: adoption.unmanaged,
    pending: pendingCreates(open, {
      isFound,
      lists: listsNow,
      adoption,
      nowMs: options.now(),
      isVouchedFor: policy.allow.has('incomplete-list'),
      settleMs: policy.settleMs,
    }),
    labels: labelsOf(sides.remote),
    choices: policy,
    prune: policy.prune,
    maxDelete: policy.maxDelete,
    allow: policy.allow,
    languages: policy.languages,
    doubts: policy.doubts,
    only: policy.only,
  };
}

type Listed = ReadonlyMap<string, ListedRecord>;

function listedById(lists: Readonly<Record<Kind, RemoteList>>): Listed {
  return new Map(
    KINDS.flatMap((kind) => lists[kind].items.map((item) => [idKey(kind, item.id), item] as const)),
  );
}

function idsOf(
  base: BaseState,
  found: ReadonlyMap<Family, KnownRecord>,
  defaultLanguage: string,
): ReadonlyMap<Family, string> {
  const ids = baseIds(base, defaultLanguage);
  for (const [family, { id }] of found) ids.set(family, id);
  return ids;
}

interface SideInput {
  readonly options: SurveyOptions;
  readonly base: BaseState;
  readonly listed: Listed;
  readonly ids: ReadonlyMap<Family, string>;
  readonly found: ReadonlyMap<Family, KnownRecord>;
}

async function readSides(input: SideInput): Promise<{ readonly remote: Map<Key, RemoteSide> }> {
  const { desired, remote, policy } = input.options;
  const sides = new Map<Key, RemoteSide>();
  const wants: ReadWant<Key>[] = [];
  for (const key of new Set([...desired.records.keys(), ...input.base.records.keys()])) {
    const side = sideWithoutRead(key, input);
    if (side !== undefined) sides.set(key, side);
    else wants.push(wantOf(key, input));
  }
  for (const [key, read] of await readMany(remote, wants, policy.concurrencyMax))
    sides.set(key, readSide(key, read, input));
  return { remote: sides };
}

/** A single read may lag behind the list, or fail for one record only: what the list shows is not proved to be gone. */
const CONTRADICTED: RemoteSide = {
  state: 'unknown',
  why: 'the list shows it and a single read says that it does not exist; the next run looks again',
};

function readSide(key: Key, read: ReadOutcome, { options, base, listed, ids }: SideInput): RemoteSide {
  const { desired, remote } = options;
  const item = listed.get(idKey(kindOf(key), ids.get(familyOf(key)) ?? ''));
  const isOriginal = langOf(key) === desired.defaultLanguage;
  const isListed = item !== undefined && (isOriginal || item.languages.includes(langOf(key)));
  if (read.state === 'absent') return isListed ? CONTRADICTED : { state: 'absent' };
  const isWriteOnly =
    read.state === 'unreadable' && !isOriginal && remote.capabilities()['read-lang'] === 'no';
  if (!isWriteOnly || item === undefined || !desired.records.has(key)) return sideOf(read);
  // The service shows no translations: what is known of them is what was sent, and what the list says of the family.
  if (!isListed) return { state: 'absent' };
  const seen = base.records.get(keyIn(familyOf(key), desired.defaultLanguage))?.seen;
  if (base.records.has(key) && seen === item.seen) return { state: 'base' };
  const since = base.records.has(key)
    ? 'the list shows that something of it was edited since the last sync'
    : 'the list shows that it exists and no state says who wrote it';
  return { state: 'unreadable', why: `the service does not show translations (${read.why}), and ${since}` };
}

/** What is known of a record without reading it; undefined: it must be read. */
function sideWithoutRead(key: Key, { options, base, listed, ids, found }: SideInput): RemoteSide | undefined {
  const { desired, policy } = options;
  const family = familyOf(key);
  const isOriginal = langOf(key) === desired.defaultLanguage;
  const record = found.get(family);
  if (isOriginal && record !== undefined) return { state: 'known', record };
  const id = idInBase(key, base, ids, desired);
  if (id === undefined) return { state: 'absent' };
  if (policy.languages !== undefined && !policy.languages.includes(langOf(key)) && !isOriginal) {
    return { state: 'unknown', why: 'its language is not selected' };
  }
  const item = listed.get(idKey(kindOf(key), id));
  const known = base.records.get(key);
  const isListed = item !== undefined && (isOriginal || item.languages.includes(langOf(key)));
  if (!isOriginal && known === undefined && item !== undefined && !isListed) return { state: 'absent' };
  const seen = base.records.get(keyIn(family, desired.defaultLanguage))?.seen;
  if (!isListed || known === undefined || seen === undefined || seen !== item.seen) return undefined;
  const file = desired.records.get(key);
  if (file === undefined) return policy.prune ? undefined : { state: 'base' };
  const owned = ownedFields(file, (target) => ids.get(target) ?? idToCome(target));
  return differsFromBase(file, owned, known) ? undefined : { state: 'base' };
}

function wantOf(key: Key, { options, base, ids }: SideInput): ReadWant<Key> {
  const id = idInBase(key, base, ids, options.desired);
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

function labelsOf(sides: ReadonlyMap<Key, RemoteSide>): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const side of sides.values()) {
    if (side.state === 'known') for (const [id, label] of side.record.labels) labels.set(id, label);
  }
  return labels;
}

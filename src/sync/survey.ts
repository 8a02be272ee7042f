import type { Family, Key, Kind } from '../model/key.ts';
import { KINDS, familyOf, keyIn, kindOf, langOf } from '../model/key.ts';
import type { BaseState, DesiredState, KnownRecord, ListedRecord } from '../model/record.ts';
import type { Intent, LoadedBase } from '../base/base.ts';
import { differsFromBase, idToCome, ownedFields } from '../plan/compare.ts';
import { findMoves } from '../plan/moves.ts';
import type { PlanInput } from '../plan/plan-input.ts';
import type { RemoteSide } from '../plan/reconcile.ts';
import type { ReadWant } from '../remote/read-state.ts';
import { readLists, readMany } from '../remote/read-state.ts';
import type { Remote, RemoteList } from '../remote/remote.ts';
import { listSides } from './completeness.ts';
import { findAdoptable } from './adoption.ts';
import { stampedBases } from './stamped.ts';
import { idKey, sideOf } from './remote-side.ts';
import type { SyncPolicy } from './report.ts';

/** A lost create may still arrive: before this long after it was sent, its absence proves nothing. */
export const SETTLE_MS = 60_000;

export interface SurveyOptions {
  readonly remote: Remote;
  readonly base: LoadedBase;
  readonly desired: DesiredState;
  readonly policy: SyncPolicy;
  readonly now: () => number;
}

/**
 * Reads what the plan needs and no more: three lists; then the records whose list entry or file changed since the base,
 * the records that a new file could already be, and the records that a delete would remove.
 */
export async function survey(options: SurveyOptions): Promise<PlanInput> {
  const { remote, desired, policy } = options;
  const lists = await readLists(remote);
  const { base, moves } = findMoves(desired, options.base.state);
  const listed = listedById(lists);
  const adoption = await findAdoptable(options, base, lists);
  const ids = idsOf(base, adoption.found);
  const sides = await readSides({ options, base, listed, ids, found: adoption.found });
  for (const [family, doubles] of adoption.ambiguous) {
    const why = `${doubles.length} records on the service fit it (ids ${doubles.join(', ')}); remove or rename all but one there`;
    sides.remote.set(keyIn(family, desired.defaultLanguage), { state: 'unknown', why });
  }
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
    lists: await listSides({
      remote,
      lists,
      base,
      listed,
      sides: sides.remote,
      failed: adoption.failed,
      policy,
      desired,
    }),
    unmanaged: adoption.unmanaged,
    pending: pendingKeys(options.base.open, base, ids, options.now()),
    labels: labelsOf(sides.remote),
    choices: policy,
    prune: policy.prune,
    maxDelete: policy.maxDelete,
    allow: policy.allow,
    languages: policy.languages,
  };
}

type Listed = ReadonlyMap<string, ListedRecord>;

function listedById(lists: Readonly<Record<Kind, RemoteList>>): Listed {
  return new Map(
    KINDS.flatMap((kind) => lists[kind].items.map((item) => [idKey(kind, item.id), item] as const)),
  );
}

function idsOf(base: BaseState, found: ReadonlyMap<Family, KnownRecord>): ReadonlyMap<Family, string> {
  const ids = new Map<Family, string>();
  for (const { key, id } of base.records.values()) ids.set(familyOf(key), id);
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
    sides.set(key, sideOf(read));
  return { remote: sides };
}

/** What is known of a record without reading it; undefined: it must be read. */
function sideWithoutRead(key: Key, { options, base, listed, ids, found }: SideInput): RemoteSide | undefined {
  const { desired, policy } = options;
  const family = familyOf(key);
  const isOriginal = langOf(key) === desired.defaultLanguage;
  const record = found.get(family);
  if (isOriginal && record !== undefined) return { state: 'known', record };
  const id = ids.get(family);
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

function wantOf(key: Key, { options, ids }: SideInput): ReadWant<Key> {
  const id = ids.get(familyOf(key));
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

function pendingKeys(
  open: readonly Intent[],
  base: BaseState,
  ids: ReadonlyMap<Family, string>,
  nowMs: number,
): ReadonlySet<Key> {
  const young = open.filter(({ action, key, atMs }) => {
    const isFound = base.records.has(key) || ids.has(familyOf(key));
    return action === 'create' && !isFound && nowMs - atMs < SETTLE_MS;
  });
  return new Set(young.map(({ key }) => key));
}

function labelsOf(sides: ReadonlyMap<Key, RemoteSide>): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const side of sides.values()) {
    if (side.state === 'known') for (const [id, label] of side.record.labels) labels.set(id, label);
  }
  return labels;
}

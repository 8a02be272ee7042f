import { nameFieldOf } from '../../model/fields.ts';
import type { Key } from '../../model/key.ts';
import { familyOf, idKey, isOriginal, kindOf } from '../../model/key.ts';
import type {
  BaseRecord,
  BaseState,
  DesiredRecord,
  DesiredState,
  KnownRecord,
  ListedRecord,
} from '../../model/record.ts';
import { seenAs } from '../../model/record.ts';
import type { Repository } from '../../model/repository.ts';
import { otherOwner, parseStamp } from '../../model/stamp.ts';
import { sameAsBase } from '../../plan/compare.ts';
import type { Learnt } from '../../plan/plan.ts';
import { readMany } from '../../remote/read-many.ts';
import type { Remote } from '../../remote/remote.ts';
import type { SyncPolicy } from '../report.ts';
import { sideOf } from '../side.ts';
import { readDenied } from './sides/denied.ts';
import { isStranger } from './waits.ts';

/** What the state knows, held against what the lists show. */
export interface KnownAndListed {
  readonly base: BaseState;
  readonly moves: readonly Learnt[];
  readonly remote: Remote;
  readonly desired: DesiredState;
  readonly policy: Pick<SyncPolicy, 'concurrencyMax'>;
  readonly repository: Repository;
  /** By kind and id. */
  readonly listed: ReadonlyMap<string, ListedRecord>;
}

interface NewIdsInput extends KnownAndListed {
  readonly sleep: (delayMs: number) => Promise<void>;
}

/** So many new records of others are read, at most, in search of ours. */
const STRANGERS_MAX = 20;

/**
 * The base with the ids of now. Some services give a record another id with each edit, and a page that is restored has a new
 * one: the old id is no longer listed and denied, and exactly one record that nobody claims has our stamp, or our slug
 * and name. It is compared with the base as before, so what somebody else wrote there is still seen. A copy has our stamp too:
 * where the slug or the name is another one, the old id has to be denied for as long as reads may lag. And an editor may have
 * made another page of ours, before another machine made ours again: a record with our slug and name is ours then.
 */
export async function withNewIds(
  input: NewIdsInput,
): Promise<{ readonly base: BaseState; readonly moves: readonly Learnt[] }> {
  const { base, moves, remote, desired, policy, repository } = input;
  const atOnce = policy.concurrencyMax;
  const lost = lostRecords(input);
  if (lost.length === 0) return { base, moves };
  const wants = candidates(lost, input).map(({ kind, id }) => ({
    name: idKey(kind, id),
    kind,
    id,
    lang: undefined,
  }));
  if (wants.length === 0) return { base, moves };
  const found = [...(await readMany(remote, wants, atOnce)).values()].flatMap((read) =>
    read.state === 'found' && read.record.lang === desired.defaultLanguage ? [read.record] : [],
  );
  const own = found.filter(({ stamp }) => otherOwner(stamp, repository) === undefined);
  const pairs = lost.flatMap((record) => {
    const [match, ...more] = own.filter((shown) =>
      isSameRecord(record, shown, desired.records.get(record.key)),
    );
    return match === undefined || more.length > 0 ? [] : [[record, match] as const];
  });
  const wantOld = ({ key, id }: BaseRecord) => ({ name: key, kind: kindOf(key), id, lang: undefined });
  const first = await readMany(
    remote,
    pairs.map(([record]) => wantOld(record)),
    atOnce,
  );
  const doubtful = pairs
    .filter(([record, match]) => first.get(record.key)?.state === 'absent' && !isNamedAlike(record, match))
    .map(([record]) => wantOld(record));
  const old = new Map([...first, ...(await readDenied(doubtful, { remote, atOnce, sleep: input.sleep }))]);
  const isGone = (record: BaseRecord, match: KnownRecord): boolean => {
    const read = old.get(record.key);
    if (read?.state !== 'found') return read?.state === 'absent';
    const file = desired.records.get(record.key);
    const isNamed = isNamedAlike(record, match) || (file !== undefined && isNamedAs(file, match));
    return isNamed && sideOf(read, { repository, base: record, file, isOriginal: true }).state === 'taken';
  };
  const ids = new Map(
    pairs.flatMap(([record, match]) =>
      isGone(record, match) ? [[familyOf(record.key), match.id] as const] : [],
    ),
  );
  if (ids.size === 0) return { base, moves };
  const records = new Map<Key, BaseRecord>(base.records);
  const learnt: Learnt[] = [];
  for (const [key, record] of base.records) {
    const id = ids.get(familyOf(key));
    if (id === undefined) continue;
    const now = seenAs({ ...record, id }, undefined);
    records.set(key, now);
    learnt.push({ how: 'refreshed', record: now });
  }
  return { base: { ...base, records }, moves: [...moves, ...learnt] };
}

/** Originals of ours that no list shows, or that a list shows under another name while a record of nobody's has ours. */
function lostRecords(input: KnownAndListed): readonly BaseRecord[] {
  const { base, desired, listed } = input;
  const names = new Set(unclaimed(input).map(({ kind, name }) => `${kind} ${name}`));
  return [...base.records.values()].filter((record) => {
    const { key, id, sent } = record;
    const file = desired.records.get(key);
    if (file === undefined || !isOriginal(key, desired)) return false;
    const { kind } = file;
    const item = listed.get(idKey(kind, id));
    const field = nameFieldOf(kind);
    const isFree = [sent[field], file.fields[field]].some(
      (name) => typeof name === 'string' && names.has(`${kind} ${name}`),
    );
    return item === undefined || (isFree && !isListedAs(item, record));
  });
}

function unclaimed({ base, listed }: KnownAndListed): readonly ListedRecord[] {
  const claimed = new Set([...base.records.values()].map(({ key, id }) => idKey(kindOf(key), id)));
  return [...listed.values()].filter(({ kind, id }) => !claimed.has(idKey(kind, id)));
}

/** What nobody claims: under one of the lost names, or never looked at. */
function candidates(lost: readonly BaseRecord[], input: KnownAndListed): readonly ListedRecord[] {
  const { base, desired, listed } = input;
  const unlisted = lost.filter(({ key, id }) => !listed.has(idKey(kindOf(key), id)));
  const kinds = new Set(unlisted.map(({ key }) => kindOf(key)));
  const free = unclaimed(input);
  const isNamed = (item: ListedRecord): boolean => lost.some((record) => isCalled(item, record, desired));
  const strangers = free.filter((item) => kinds.has(item.kind) && !isNamed(item) && !isStranger(item, base));
  return [...free.filter(isNamed), ...strangers.slice(0, STRANGERS_MAX)];
}

/** Whether a list shows a record under the name that ours had at the last sync, or has in the file. */
function isCalled(item: ListedRecord, record: BaseRecord, { records }: DesiredState): boolean {
  if (kindOf(record.key) !== item.kind) return false;
  return isListedAs(item, record) || records.get(record.key)?.fields[nameFieldOf(item.kind)] === item.name;
}

function isListedAs({ kind, name }: ListedRecord, { sent }: BaseRecord): boolean {
  const known = sent[nameFieldOf(kind)];
  return known !== undefined && sameAsBase(name, known);
}

function isSameRecord(base: BaseRecord, shown: KnownRecord, file: DesiredRecord | undefined): boolean {
  if (kindOf(base.key) !== shown.kind) return false;
  if (shown.stamp !== undefined) return parseStamp(shown.stamp)?.key === base.key;
  return isNamedAlike(base, shown) || (file !== undefined && isNamedAs(file, shown));
}

/** Another machine may have made it again meanwhile, under the names that the file has now. */
function isNamedAs({ fields }: DesiredRecord, { kind, fields: shown }: KnownRecord): boolean {
  return ['slug', nameFieldOf(kind)].every(
    (name) => fields[name] !== undefined && fields[name] === shown[name],
  );
}

function isNamedAlike({ sent }: BaseRecord, { kind, fields }: KnownRecord): boolean {
  return ['slug', nameFieldOf(kind)].every((name) => {
    const [ours, theirs] = [sent[name], fields[name]];
    return ours !== undefined && theirs !== undefined && sameAsBase(theirs, ours);
  });
}

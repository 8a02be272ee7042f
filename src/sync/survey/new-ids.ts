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
import { readDenied } from './denied.ts';

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
 * where the slug or the name is another one, the old id has to be denied for as long as reads may lag.
 */
export async function withNewIds(
  input: NewIdsInput,
): Promise<{ readonly base: BaseState; readonly moves: readonly Learnt[] }> {
  const { base, moves, remote, desired, policy, repository, listed } = input;
  const atOnce = policy.concurrencyMax;
  const lost = [...base.records.values()].filter(
    ({ key, id }) =>
      isOriginal(key, desired) && desired.records.has(key) && !listed.has(idKey(kindOf(key), id)),
  );
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
  const ids = new Map(
    pairs.flatMap(([{ key }, { id }]) =>
      old.get(key)?.state === 'absent' ? [[familyOf(key), id] as const] : [],
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

/** What nobody claims: under one of the lost names, or never looked at. */
function candidates(
  lost: readonly BaseRecord[],
  { base, desired, listed }: KnownAndListed,
): readonly ListedRecord[] {
  const claimed = new Set([...base.records.values()].map(({ key, id }) => idKey(kindOf(key), id)));
  const kinds = new Set(lost.map(({ key }) => kindOf(key)));
  const free = [...listed.values()].filter(
    ({ kind, id }) => kinds.has(kind) && !claimed.has(idKey(kind, id)),
  );
  const isNamed = ({ kind, name }: ListedRecord): boolean =>
    lost.some(({ key, sent }) => {
      const [field, known] = [nameFieldOf(kind), sent[nameFieldOf(kind)]];
      if (kindOf(key) !== kind) return false;
      return (
        (known !== undefined && sameAsBase(name, known)) || desired.records.get(key)?.fields[field] === name
      );
    });
  const strangers = free.filter((item) => !isNamed(item) && !base.unmanaged.has(idKey(item.kind, item.id)));
  return [...free.filter(isNamed), ...strangers.slice(0, STRANGERS_MAX)];
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

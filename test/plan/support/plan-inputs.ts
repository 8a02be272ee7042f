import { digestOf } from '../../../src/model/digest.ts';
import { NO_WAYS } from '../../../src/plan/likeness.ts';
import type { FieldValue } from '../../../src/model/fields.ts';
import { bodyFieldOf } from '../../../src/model/fields.ts';
import type { Key, Kind } from '../../../src/model/key.ts';
import type { BaseRecord, BaseState, DesiredState, KnownRecord } from '../../../src/model/record.ts';
import { baseValueOf } from '../../../src/plan/compare.ts';
import type { PlanInput } from '../../../src/plan/plan-input.ts';
import { NO_CHOICES } from '../../../src/plan/policy.ts';

/** A plan's input about nothing: no files, no base, whole and empty lists, no choices made. */
export function emptyInput(desired: DesiredState): PlanInput {
  const list = { complete: true, count: 1 };
  return {
    desired,
    base: emptyBase([]),
    moves: [],
    stamped: new Map(),
    ids: new Map(),
    remote: new Map(),
    seen: new Map(),
    views: new Map(),
    lists: { article: list, category: list, tag: list },
    unmanaged: [],
    pending: new Map(),
    labels: new Map(),
    ways: NO_WAYS,
    choices: NO_CHOICES,
    prune: false,
    maxDelete: undefined,
    allow: new Set(['vanished']),
    languages: undefined,
  };
}

export function emptyBase(records: readonly BaseRecord[]): BaseState {
  return {
    origin: 'https://help.example.com',
    serial: 1,
    capabilities: {},
    records: new Map(records.map((record) => [record.key, record])),
    unmanaged: new Map(),
  };
}

export function knownRecord(
  kind: Kind,
  id: string,
  fields: Readonly<Record<string, FieldValue>>,
  more: Partial<KnownRecord> = {},
): KnownRecord {
  return { kind, id, ownId: id, lang: 'en', fields, labels: new Map(), readAtMs: 0, ...more };
}

/** A base record of these values; `isStamp`: as a stamp remembers it, by short digests alone. */
export function baseRecord(
  key: Key,
  kind: Kind,
  id: string,
  fields: Readonly<Record<string, FieldValue>>,
  isStamp = false,
): BaseRecord {
  const sent = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      isStamp ? { digest: shortDigest(value) } : baseValueOf(kind, name, value),
    ]),
  );
  const body = fields[bodyFieldOf(kind)];
  return {
    key,
    id,
    ownership: 'created',
    sent,
    ...(body === undefined || isStamp ? {} : { input: digestOf(body) }),
  };
}

function shortDigest(value: FieldValue): ReturnType<typeof digestOf> {
  // What stamped.ts makes of a stamp's ten digits: sameAsBase compares prefixes.
  return digestOf(value).slice(0, 10) as ReturnType<typeof digestOf>;
}

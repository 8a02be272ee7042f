import type { Intent, Journal } from '../base/base.ts';
import type { Emit } from '../model/event.ts';
import type { FieldValue, Fields } from '../model/fields.ts';
import { bodyFieldOf, fieldsOf } from '../model/fields.ts';
import type { ListView } from '../model/fingerprint.ts';
import type { Family, Key, Kind } from '../model/key.ts';
import { familyOf, kindOf, langOf } from '../model/key.ts';
import type { BaseRecord, DesiredRecord, DesiredState, KnownRecord, ListedRecord } from '../model/record.ts';
import { withStamp } from '../model/stamp.ts';
import { baseValuesOf, idToCome, sameAsBase, withIds } from '../plan/compare.ts';
import type { Change } from '../plan/plan.ts';
import type { PlanInput } from '../plan/plan-input.ts';
import type { Remote, WriteOptions, Written } from '../remote/remote.ts';
import type { Result, SyncPolicy } from './report.ts';

export interface Clock {
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Keeps the full pre-image of a record, durably, before it is deleted. */
export type SaveTrash = (key: Key, record: KnownRecord) => Promise<void>;

/** Everything one run works with. The maps are the run's own: they end up as the new base. */
export interface Run {
  readonly remote: Remote;
  readonly journal: Journal;
  readonly desired: DesiredState;
  readonly input: PlanInput;
  readonly policy: SyncPolicy;
  readonly clock: Clock;
  readonly random: () => number;
  readonly emit: Emit;
  readonly signal: AbortSignal | undefined;
  /** When the service began to be read. */
  readonly startMs: number;
  readonly saveTrash: SaveTrash;
  readonly records: Map<Key, BaseRecord>;
  readonly ids: Map<Family, string>;
  /** What the answer to each write of a family said of its date. */
  readonly dates: Map<Family, readonly Written[]>;
  /** Records that were created or edited in this run: what the service made of them is read back where it may differ. */
  readonly written: Map<Key, Fields>;
  readonly deleted: Set<Key>;
  /** What the lists show of each family, as far as this run knows it. */
  readonly views: Map<Family, ListView>;
  /** Families in which a write met edits of others and left them as they are. */
  readonly drifted: Set<Family>;
  /** The lists as they were when everything but categories, or tags, was deleted. */
  readonly deleteLists: Map<Kind, readonly ListedRecord[]>;
  /** Set when the next request would fail in the same way: nothing more is sent. */
  stop: string | undefined;
  /** Intents of this run whose end is not known. */
  readonly open: Intent[];
}

/** A read older than this is repeated before a write, unless the service refuses stale writes itself. */
export const READ_AGE_MAX_MS = 2000;

/** Under which condition a write may follow a read: the service's own check, else that the read is fresh. */
export function conditionOf({ etag, readAtMs }: KnownRecord, run: Run): WriteOptions {
  const refusesStale = run.remote.capabilities()['if-match'] === 'yes';
  if (etag !== undefined && refusesStale) return { ifMatch: etag };
  return { ...(etag === undefined ? {} : { ifMatch: etag }), staleAtMs: readAtMs + READ_AGE_MAX_MS };
}

export function desiredOf(change: Change, run: Run): DesiredRecord {
  const desired = run.desired.records.get(change.key);
  if (desired === undefined) throw new Error(`bug: ${change.action} of ${change.key} without a file`);
  return desired;
}

/** What the file owns, body included, references as the ids of now. */
export function ownedNow(desired: DesiredRecord, run: Run): Fields {
  const owned = withIds(desired.kind, desired.fields, (family) => run.ids.get(family) ?? idToCome(family));
  return desired.body === undefined ? owned : { ...owned, [desired.body.field]: desired.body.render() };
}

/** The complete body of a create: what the file owns, then defaults, then the emptiest value the API takes. */
export function fieldsToCreate(desired: DesiredRecord, owned: Fields, run: Run): Fields {
  const initial = withIds(desired.kind, desired.initial, (family) => run.ids.get(family) ?? idToCome(family));
  const fields: Record<string, FieldValue> = {};
  for (const [name, spec] of fieldsOf(desired.kind)) {
    const value = owned[name] === undefined ? (initial[name] ?? spec.empty) : owned[name];
    // A translation starts as a copy of its original: only there is something to clear.
    if (value !== undefined && (value !== null || (!desired.isOriginal && owned[name] === null)))
      fields[name] = value;
  }
  return stamped(desired, owned, fields, run);
}

/**
 * The complete body of an edit: what the service shows, overlaid with the changed fields. Empty fields that are not
 * ours are left out: there is nothing to keep, and not every service takes null.
 */
export function fieldsToEdit(
  desired: DesiredRecord,
  owned: Fields,
  shown: KnownRecord,
  changed: readonly string[],
  run: Run,
): Fields {
  const fields: Record<string, FieldValue> = {};
  for (const name of fieldsOf(desired.kind).keys()) {
    const value = changed.includes(name) ? owned[name] : (shown.fields[name] ?? undefined);
    if (value !== undefined) fields[name] = value;
  }
  return stamped(desired, owned, fields, run);
}

/** A record's fields as an edit sends them back unchanged, its stamp included. */
export function fieldsAsShown({ kind, fields, stamp }: KnownRecord): Fields {
  const name = bodyFieldOf(kind);
  const body = fields[name];
  const shown = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  return stamp === undefined || typeof body !== 'string' ? shown : { ...shown, [name]: `${body}\n${stamp}` };
}

function stamped(desired: DesiredRecord, owned: Fields, fields: Fields, run: Run): Fields {
  const { body, key } = desired;
  const html = body === undefined ? undefined : fields[body.field];
  if (!run.policy.stamp || body === undefined || typeof html !== 'string') return fields;
  return { ...fields, [body.field]: withStamp(html, key, owned) };
}

/** What the base holds after a write that worked. */
export function baseAfterWrite(
  change: Change,
  desired: DesiredRecord,
  owned: Fields,
  id: string,
  run: Run,
): BaseRecord {
  const before = run.records.get(change.key) ?? run.input.stamped.get(change.key);
  const acknowledged = (change.acknowledged ?? []).flatMap((field) => {
    const side = run.input.remote.get(change.key);
    const value = side?.state === 'known' ? side.record.fields[field] : undefined;
    return value === undefined ? [] : [[field, value] as const];
  });
  const sent = baseValuesOf(desired.kind, owned);
  // What the service shows of a field that was not written is what it showed before.
  const kept = Object.entries(change.action === 'create' ? {} : (before?.observed ?? {})).filter(([name]) => {
    const [ours, known] = [owned[name], before?.sent[name]];
    const isWritten = change.fields.some(({ field }) => field === name);
    return !isWritten && ours !== undefined && known !== undefined && sameAsBase(ours, known);
  });
  const observed = {
    ...Object.fromEntries(kept),
    ...baseValuesOf(desired.kind, Object.fromEntries(acknowledged)),
  };
  return {
    key: change.key,
    id,
    ownership: before?.ownership ?? (change.action === 'create' ? 'created' : 'adopted'),
    sent,
    ...(Object.keys(observed).length > 0 ? { observed } : {}),
    ...(desired.body === undefined ? {} : { input: desired.body.inputDigest }),
  };
}

/** Notes that a family was written: its list fingerprint is not trusted until the run has settled it. */
export function noteWritten(
  run: Run,
  record: BaseRecord,
  fields: Fields,
  written: Written | undefined,
): void {
  run.records.set(record.key, record);
  run.written.set(record.key, isReadBack(run) ? fields : withoutBody(record.key, fields));
  noteDate(run, record.key, written);
}

/**
 * Whether what was written is read back or compared with its original. A service that keeps HTML as it came and names
 * its dates needs neither, and a first sync of 10,000 articles need not hold all their bodies to the end.
 */
function isReadBack(run: Run): boolean {
  const capabilities = run.remote.capabilities();
  return (['last-edited', 'keeps-html', 'edit-lang'] as const).some((name) => capabilities[name] !== 'yes');
}

function withoutBody(key: Key, fields: Fields): Fields {
  const { [bodyFieldOf(kindOf(key))]: _, ...rest } = fields;
  return rest;
}

/** Notes a delete: where it was a translation's, the list shows its original changed. */
export function noteDeleted(run: Run, key: Key, written: Written | undefined): void {
  run.deleted.add(key);
  noteDate(run, key, written);
}

/** The dates of a family's writes must join without a gap: in a gap somebody else has written, unseen. */
export function noteDate(run: Run, key: Key, written: Written | undefined): void {
  const dates = run.dates.get(familyOf(key)) ?? [];
  run.dates.set(familyOf(key), [...dates, written ?? {}]);
}

/**
 * What the list shows now of a family that this run wrote, as the answers to the writes tell it; undefined where they
 * do not, or where somebody else wrote between what the run had read of it and its last write.
 */
export function lastEditedOf(family: Family, run: Run): string | undefined {
  const dates = run.dates.get(family) ?? [];
  let at = run.input.views.get(family)?.lastEdited;
  const open = [...dates];
  while (open.length > 0) {
    const index = open.findIndex(({ previousEdited }) => previousEdited === at);
    const [next] = index < 0 ? [] : open.splice(index, 1);
    if (next?.lastEdited === undefined) return undefined;
    at = next.lastEdited;
  }
  return at;
}

export function resultOf(change: Change, outcome: Result['outcome'], message: string, id?: string): Result {
  const { key, kind, lang, action } = change;
  return { key, kind, lang, action, outcome, message, ...(id === undefined ? {} : { id }) };
}

export function isOriginal(key: Key, run: Run): boolean {
  return langOf(key) === run.desired.defaultLanguage;
}

/** The language of a read: undefined reads the original. */
export function readLang(key: Key, run: Run): string | undefined {
  return isOriginal(key, run) ? undefined : langOf(key);
}

/** An id for one operation, unlike any other of this or another run. */
export function newOperation(run: Run): string {
  const part = () =>
    Math.floor(run.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return `${run.clock.now().toString(16)}-${part()}${part()}`;
}

import type { FieldValue, Fields } from '../../model/fields.ts';
import { nameFieldOf } from '../../model/fields.ts';
import type { Key, Kind } from '../../model/key.ts';
import type { BaseRecord, DesiredRecord, KnownRecord } from '../../model/record.ts';
import { parseStamp, stampFits } from '../../model/stamp.ts';
import { once } from '../../model/once.ts';
import { baseValueOf, baseValuesOf, idToCome, ownedFields } from '../compare.ts';
import type { Change, Conflict, Drift, FieldChange } from '../plan.ts';
import type { PlanInput } from '../plan-input.ts';
import { isOfStamp, isSameMeaning } from '../likeness.ts';
import { observedIn, withoutNothing } from '../observed.ts';
import type { Decision } from '../reconcile.ts';
import type { RemoteSide, Sides } from '../sides.ts';
import { agreedFields, fileIsBase, hasArrived, remoteIsBase, shownBy } from '../field-standing.ts';

/** One record with a file, as the decision saw it. */
export interface DecidedRecord {
  readonly desired: DesiredRecord;
  readonly base: BaseRecord | undefined;
  readonly remote: RemoteSide;
  readonly file: Fields;
  readonly isPulled?: Sides['isPulled'];
}

/** The file's side, in ids. The body is rendered only where the decision can need it. */
export function fileSide(
  desired: DesiredRecord,
  base: BaseRecord | undefined,
  remote: RemoteSide,
  input: PlanInput,
): Fields {
  const owned = ownedFields(desired, (family) => input.ids.get(family) ?? idToCome(family));
  const { body } = desired;
  if (body === undefined) return owned;
  const isCreate = base === undefined && remote.state === 'absent';
  const isSame = remote.state === 'base' && base?.input === body.inputDigest;
  return isCreate || isSame ? owned : { ...owned, [body.field]: body.render() };
}

/** Whether a pull makes the file's text of the service's. Only without a base does that say anything. */
export function isPulledSide(
  { desired, base, remote }: Pick<DecidedRecord, 'desired' | 'base' | 'remote'>,
  { desired: { asPulled }, ways }: PlanInput,
): Sides['isPulled'] {
  const { kind, body } = desired;
  if (base !== undefined || remote.state !== 'known' || body === undefined || asPulled === undefined)
    return undefined;
  const { [body.field]: shown } = remote.record.fields;
  if (typeof shown !== 'string') return undefined;
  return once(() => isSameMeaning({ kind, name: body.field }, body.render(), asPulled(desired, shown), ways));
}

/** Changes begin with a name and not with `...`: see "The shapes of objects" in docs/operations/benchmarks.md. */
export function createChange({ desired, file }: DecidedRecord, input: PlanInput): Change {
  const id = desired.isOriginal ? undefined : input.ids.get(desired.family);
  return {
    kind: desired.kind,
    ...headOf(desired, file),
    action: 'create',
    ...(id === undefined ? {} : { id }),
    fields: Object.entries(file).map(([field, value]) => ({
      field,
      after: baseValueOf(desired.kind, field, value),
    })),
  };
}

export function updateChange(
  sides: DecidedRecord,
  decision: Extract<Decision, { verdict: 'update' }>,
): Change {
  const { desired, base, remote, file } = sides;
  const id = base?.id ?? (remote.state === 'known' ? remote.record.id : undefined);
  return {
    kind: desired.kind,
    ...headOf(desired, file),
    action: 'update',
    ...(id === undefined ? {} : { id }),
    fields: decision.fields.map((field) => fieldChange(sides, field)),
    ...(decision.drift.length > 0 ? { drift: decision.drift } : {}),
    ...(decision.acknowledged.length > 0 ? { acknowledged: decision.acknowledged } : {}),
  };
}

function headOf(desired: DesiredRecord, file: Fields): Omit<Change, 'kind' | 'action' | 'fields'> {
  const { kind, key, lang, at, isOriginal } = desired;
  return {
    key,
    lang,
    slug: textOf(file['slug']),
    name: textOf(file[nameFieldOf(kind)]),
    at,
    ...(isOriginal ? {} : { isTranslation: true }),
  };
}

function fieldChange({ desired, base, remote, file }: DecidedRecord, field: string): FieldChange {
  const before = shownBy(remote, field);
  const after = stated(field, file);
  return {
    field,
    before: before === undefined ? base?.sent[field] : baseValueOf(desired.kind, field, before),
    after: baseValueOf(desired.kind, field, after),
    ...(field === desired.body?.field && typeof before === 'string'
      ? { words: wordChange(before, String(after)) }
      : {}),
  };
}

/** The value of a field that a decision named because the file has it. */
function stated(field: string, file: Fields): FieldValue {
  const value = file[field];
  if (value === undefined) throw new Error(`bug: ${field} was decided, and the file does not state it`);
  return value;
}

export function driftOf({ desired, base, remote }: DecidedRecord, fields: readonly string[]): Drift {
  if (remote.state !== 'known') throw new Error(`bug: drift of ${desired.key} without a read`);
  const { record } = remote;
  return {
    kind: desired.kind,
    key: desired.key,
    lang: desired.lang,
    id: record.id,
    fields: fields.map((field) => ({
      field,
      base: base?.sent[field],
      remote: record.fields[field] ?? null,
    })),
    ...ours(desired.key, remote.record, fields),
  };
}

/** The stamp in the shown text was written over just these values: no editor has touched them. */
function ours(key: Key, record: KnownRecord, fields: readonly string[]): { readonly isOurs?: true } {
  const stamp = record.stamp === undefined ? undefined : parseStamp(record.stamp);
  if (stamp?.key !== key) return {};
  const isStamped = (field: string): boolean => stampFits(stamp, field, record.fields[field] ?? null);
  return fields.every(isStamped) ? { isOurs: true } : {};
}

export function conflictOf(
  sides: DecidedRecord,
  decision: Extract<Decision, { verdict: 'conflict' }>,
  input: PlanInput,
): Conflict {
  const { desired, base, remote, file } = sides;
  return {
    kind: desired.kind,
    key: desired.key,
    lang: desired.lang,
    code: decision.code,
    ...(remote.state === 'known' || remote.state === 'taken' ? { id: remote.record.id } : {}),
    witness: witnessOf(sides, decision.fields, input),
    at: desired.at,
    fields: decision.fields.map((field) => ({
      field,
      base: base?.sent[field],
      local: stated(field, file),
      remote: shownBy(remote, field),
      at: desired.places()[field],
    })),
    ...(remote.state === 'known' && decision.code === 'both-changed'
      ? ours(desired.key, remote.record, decision.fields)
      : {}),
    ...(mayBeDraft(desired.kind, decision.code, input) ? { mayBeDraft: true } : {}),
    ...(decision.drift === undefined ? {} : { drift: driftOf(sides, decision.drift).fields }),
  };
}

function mayBeDraft(kind: Kind, code: Conflict['code'], { base }: PlanInput): boolean {
  const { 'full-lists': fullLists, 'draft-lists': draftLists } = base.capabilities;
  const isGone = code === 'remote-deleted' || code === 'modified-deleted';
  return isGone && kind === 'article' && fullLists !== 'yes' && draftLists !== 'yes';
}

/** A state may hold what a stamp told a run that ended in a conflict. */
function witnessOf(
  { desired, base }: DecidedRecord,
  fields: readonly string[],
  { base: state }: PlanInput,
): Conflict['witness'] {
  if (base === undefined) return 'none';
  const isStamped = fields.some((field) => isOfStamp(base.sent[field] ?? null));
  return isStamped || !state.records.has(desired.key) ? 'stamp' : 'state';
}

/** What the base holds for a record that needs no request. `acknowledged` fields keep the service's value beside ours. */
export function learntRecord(
  { desired, base, remote, file, isPulled }: DecidedRecord,
  input: PlanInput,
  acknowledged: readonly string[],
): BaseRecord {
  const { kind, key } = desired;
  const id = base?.id ?? input.ids.get(desired.family);
  if (id === undefined) throw new Error(`bug: ${key} is learnt without an id`);
  const shown: Fields = remote.state === 'known' ? remote.record.fields : {};
  const kept = Object.entries(base?.observed ?? {}).filter(([field]) => shown[field] === undefined);
  const settled = Object.entries(file).filter(([name, value]) => {
    const theirs = shown[name];
    return (
      acknowledged.includes(name) ||
      (base !== undefined && remoteIsBase(name, base, theirs, input.ways)) ||
      (theirs !== undefined && isSameMeaning({ kind, name }, value, theirs, input.ways)) ||
      (name === desired.body?.field && isPulled?.() === true) ||
      (theirs !== undefined &&
        base !== undefined &&
        hasArrived({ kind, name }, { value, theirs, isOurs: fileIsBase(name, value, base) }, input.ways))
    );
  });
  const now = observedIn(kind, Object.fromEntries(settled), shown, input.ways);
  const observed = { ...Object.fromEntries(kept), ...now.observed };
  const accepted = [...new Set([...(base?.accepted ?? []), ...acknowledged])].filter(
    (field) => observed[field] !== undefined,
  );
  return {
    key,
    id,
    ownership: base?.ownership ?? 'adopted',
    sent: { ...(base === undefined ? {} : onlyNamed(base.sent, desired)), ...baseValuesOf(kind, file) },
    ...withoutNothing({
      observed,
      forms: remote.state === 'known' ? now.forms : base?.forms,
    }),
    ...(accepted.length === 0 ? {} : { accepted: accepted.sort() }),
    ...(base?.lost === undefined ? {} : { lost: base.lost }),
    ...(desired.body === undefined ? {} : { input: desired.body.inputDigest }),
    ...(base?.seen === undefined ? {} : { seen: base.seen }),
  };
}

/**
 * What the base learns of a record of which other fields stay open: where file and service have come to say the same, as after
 * a pull that was merged. Else the file would not be known again if it moves before the open field is decided.
 */
export function agreedRecord(
  { desired: { kind, body }, base, remote, file }: DecidedRecord,
  { ways }: PlanInput,
): BaseRecord | undefined {
  if (base === undefined || remote.state !== 'known') return undefined;
  const names = agreedFields({ file, base, remote }, ways);
  if (names.length === 0) return undefined;
  const agreed = Object.fromEntries(Object.entries(file).filter(([name]) => names.includes(name)));
  const { observed, forms, accepted, ...rest } = base;
  const now = observedIn(kind, agreed, remote.record.fields, ways);
  const stillAccepted = (accepted ?? []).filter((name) => !names.includes(name));
  return {
    ...rest,
    sent: { ...base.sent, ...baseValuesOf(kind, agreed) },
    ...withoutNothing({
      observed: { ...without(names, observed), ...now.observed },
      forms: { ...without(names, forms), ...now.forms },
    }),
    ...(stillAccepted.length === 0 ? {} : { accepted: stillAccepted }),
    ...(body !== undefined && names.includes(body.field) ? { input: body.inputDigest } : {}),
  };
}

function without<T>(names: readonly string[], values: Readonly<Record<string, T>> = {}): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

/** Base values of the fields that the file still owns: a field that left the file is no longer ours. */
function onlyNamed(sent: BaseRecord['sent'], desired: DesiredRecord): BaseRecord['sent'] {
  return Object.fromEntries(
    Object.entries(sent).filter(
      ([name]) => desired.fields[name] !== undefined || desired.body?.field === name,
    ),
  );
}

function textOf(value: FieldValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Words added and removed between two HTML texts, tags left out. Counted as multisets: a moved paragraph counts as
 * nothing, which is what "how much changed" should say in one line.
 */
export function wordChange(
  before: string,
  after: string,
): { readonly added: number; readonly removed: number } {
  const counts = new Map<string, number>();
  for (const word of wordsOf(before)) counts.set(word, (counts.get(word) ?? 0) - 1);
  for (const word of wordsOf(after)) counts.set(word, (counts.get(word) ?? 0) + 1);
  let added = 0;
  let removed = 0;
  for (const count of counts.values()) {
    if (count > 0) added += count;
    else removed -= count;
  }
  return { added, removed };
}

function wordsOf(html: string): readonly string[] {
  return html.replaceAll(/<[^<>]*>/g, ' ').match(/\S+/g) ?? [];
}

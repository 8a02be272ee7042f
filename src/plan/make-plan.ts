import type { FieldValue, Fields } from '../model/fields.ts';
import { nameFieldOf } from '../model/fields.ts';
import type { Family, Key } from '../model/key.ts';
import { familyOf, keyIn, kindOf, langOf } from '../model/key.ts';
import type { BaseRecord, BaseValue, DesiredRecord } from '../model/record.ts';
import { baseValueOf, baseValuesOf, idToCome, ownedFields, referencesOf } from './compare.ts';
import { planDeletes } from './delete-plan.ts';
import { refusals } from './guard.ts';
import { inOrder } from './order.ts';
import type { Blocked, Change, Conflict, Drift, FieldChange, Plan, Settled } from './plan.ts';
import type { PlanInput } from './plan-input.ts';
import type { Decision, RemoteSide } from './reconcile.ts';
import { reconcile } from './reconcile.ts';
import { wordChange } from './words.ts';

/** What the making of a plan collects on the way. */
interface Draft {
  readonly changes: Change[];
  readonly conflicts: Conflict[];
  readonly drift: Drift[];
  readonly blocked: Blocked[];
  readonly settled: Settled[];
  /** Base records the run will end with, for records that need no request; the `seen` of originals is added last. */
  readonly learnt: Map<Key, { readonly how: 'adopted' | 'acknowledged'; readonly record: BaseRecord }>;
  /** Families of which some record is not in step: their list fingerprint must not be trusted next time. */
  readonly unsteady: Set<Family>;
  /** Originals that will exist once the plan is carried out. */
  readonly coming: Set<Family>;
  unchanged: number;
}

/** Makes the plan. Pure: equal inputs give equal plans. */
export function makePlan(input: PlanInput): Plan {
  const draft: Draft = {
    changes: [],
    conflicts: [],
    drift: [],
    blocked: [],
    settled: [...input.moves],
    learnt: new Map(),
    unsteady: new Set(),
    coming: new Set(),
    unchanged: 0,
  };
  for (const desired of inOrder(input.desired.records.values())) {
    if (isSelected(desired.lang, input)) decideRecord(desired, input, draft);
  }
  const isSettled =
    draft.conflicts.length === 0 &&
    draft.blocked.every(({ reason }) => reason === 'original-missing') &&
    Object.values(input.lists).every(({ complete }) => complete);
  const deletes = planDeletes(input, isSettled);
  draft.changes.push(...deletes.changes);
  draft.conflicts.push(...deletes.conflicts);
  draft.settled.push(...deletes.forgotten);
  settleSeen(input, draft);
  for (const { isNew, kind, id, slug, seen } of input.unmanaged) {
    if (isNew) draft.settled.push({ how: 'unmanaged', record: { kind, id, slug, seen } });
  }
  return {
    changes: draft.changes,
    conflicts: draft.conflicts,
    drift: draft.drift,
    unmanaged: input.unmanaged.map(({ kind, id, name }) => ({ kind, id, name })),
    kept: deletes.kept,
    blocked: draft.blocked,
    refusals: refusals(guardInput(input, draft, deletes.gone)),
    settled: draft.settled,
    unchanged: draft.unchanged,
    labels: labelsOf(input),
  };
}

function decideRecord(desired: DesiredRecord, input: PlanInput, draft: Draft): void {
  const block = blockFor(desired, input, draft);
  if (block !== undefined) {
    draft.blocked.push(block);
    draft.unsteady.add(desired.family);
    return;
  }
  const base = baseOf(desired.key, input);
  const remote = input.remote.get(desired.key) ?? { state: 'absent' };
  const file = fileSide(desired, base, remote, input);
  const decision = reconcile({ file, base, remote }, input.choices);
  if (
    desired.isOriginal &&
    (decision.verdict === 'create' || (remote.state !== 'absent' && remote.state !== 'unknown'))
  ) {
    draft.coming.add(desired.family);
  }
  enter({ desired, base, remote, file }, decision, input, draft);
}

/** Why a record cannot be decided now, if so: something it stands on is missing. */
function blockFor(desired: DesiredRecord, input: PlanInput, draft: Draft): Blocked | undefined {
  const at = desired.at;
  if (input.pending.has(desired.key)) {
    const message = 'an earlier run sent it and the answer was lost; it is looked for again on the next run';
    return { key: desired.key, reason: 'pending', message, at };
  }
  const exists = (family: Family) =>
    draft.coming.has(family) || (input.ids.has(family) && !isGone(family, input));
  if (!desired.isOriginal && !exists(desired.family)) {
    const original = keyIn(desired.family, input.desired.defaultLanguage);
    if (input.desired.records.has(original)) {
      const message = `its original ${original} is not on the service and cannot be created now`;
      return { key: desired.key, reason: 'original-conflict', message, at };
    }
    const message = `it has no original: the API creates records in ${input.desired.defaultLanguage} and adds other languages to them; write ${original} or give both files the same translationKey`;
    return { key: desired.key, reason: 'original-missing', message, at };
  }
  const missing = referencesOf(desired).find((family) => !exists(family));
  if (missing !== undefined) {
    const message = `it names ${missing}, which is not on the service and cannot be created now`;
    return { key: desired.key, reason: 'reference-blocked', message, at };
  }
  const isNew = desired.isOriginal && !input.ids.has(desired.family);
  const list = input.lists[desired.kind];
  if (isNew && !list.complete && !input.allow.has('incomplete-list')) {
    const message = `the ${desired.kind} list may be cut (${list.why ?? 'its end is not proved'}), so it could exist already; --assume-complete creates it`;
    return { key: desired.key, reason: 'list-incomplete', message, at };
  }
  return undefined;
}

function isGone(family: Family, input: PlanInput): boolean {
  const side = input.remote.get(keyIn(family, input.desired.defaultLanguage));
  return side?.state === 'absent';
}

interface Sides {
  readonly desired: DesiredRecord;
  readonly base: BaseRecord | undefined;
  readonly remote: RemoteSide;
  readonly file: Fields;
}

function enter(sides: Sides, decision: Decision, input: PlanInput, draft: Draft): void {
  const { desired } = sides;
  const { key, family } = desired;
  if (decision.verdict !== 'unchanged' && decision.verdict !== 'adopt') draft.unsteady.add(family);
  switch (decision.verdict) {
    case 'create':
      draft.changes.push(createChange(sides, input));
      return;
    case 'update':
      draft.changes.push(updateChange(sides, decision));
      if (decision.drift.length > 0) draft.drift.push(driftOf(sides, decision.drift));
      return;
    case 'unchanged':
      draft.unchanged += 1;
      // Same HTML from other input (a link spelt otherwise): the base learns the new input digest.
      if (
        sides.base !== undefined &&
        desired.body !== undefined &&
        sides.base.input !== desired.body.inputDigest
      ) {
        draft.learnt.set(key, { how: 'adopted', record: learntRecord(sides, input, []) });
      }
      return;
    case 'adopt':
      draft.unchanged += 1;
      draft.learnt.set(key, { how: 'adopted', record: learntRecord(sides, input, []) });
      return;
    case 'acknowledge':
      draft.unchanged += 1;
      draft.learnt.set(key, { how: 'acknowledged', record: learntRecord(sides, input, decision.fields) });
      return;
    case 'drift':
      draft.drift.push(driftOf(sides, decision.drift));
      return;
    case 'conflict':
      draft.conflicts.push(conflictOf(sides, decision, input));
      return;
    case 'unknown':
      draft.blocked.push({ key, reason: 'unreadable', message: decision.why, at: desired.at });
      return;
    case 'delete':
    case 'forget':
    case 'nothing':
      throw new Error(`bug: ${decision.verdict} decided for ${key}, which has a file`);
  }
}

/** The file's side, in ids. The body is rendered only where the decision can need it. */
function fileSide(
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

function createChange({ desired, file }: Sides, input: PlanInput): Change {
  const id = desired.isOriginal ? undefined : input.ids.get(desired.family);
  return {
    ...headOf(desired, file),
    action: 'create',
    ...(id === undefined ? {} : { id }),
    fields: Object.entries(file).map(([field, value]) => ({
      field,
      after: baseValueOf(desired.kind, field, value),
    })),
  };
}

function updateChange(sides: Sides, decision: Extract<Decision, { verdict: 'update' }>): Change {
  const { desired, base, remote, file } = sides;
  const id = base?.id ?? (remote.state === 'known' ? remote.record.id : undefined);
  return {
    ...headOf(desired, file),
    action: 'update',
    ...(id === undefined ? {} : { id }),
    fields: decision.fields.map((field) => fieldChange(sides, field)),
    ...(decision.drift.length > 0 ? { drift: decision.drift } : {}),
    ...(decision.acknowledged.length > 0 ? { acknowledged: decision.acknowledged } : {}),
  };
}

function headOf(desired: DesiredRecord, file: Fields): Omit<Change, 'action' | 'fields'> {
  const { kind, key, lang, at, isOriginal } = desired;
  return {
    kind,
    key,
    lang,
    slug: textOf(file['slug']),
    name: textOf(file[nameFieldOf(kind)]),
    at,
    ...(isOriginal ? {} : { isTranslation: true }),
  };
}

function fieldChange({ desired, base, remote, file }: Sides, field: string): FieldChange {
  const before = remote.state === 'known' ? remote.record.fields[field] : undefined;
  const after = file[field];
  const known: BaseValue | undefined =
    before === undefined ? base?.sent[field] : baseValueOf(desired.kind, field, before);
  return {
    field,
    ...(known === undefined ? {} : { before: known }),
    ...(after === undefined ? {} : { after: baseValueOf(desired.kind, field, after) }),
    ...(field === desired.body?.field && typeof before === 'string' && typeof after === 'string'
      ? { words: wordChange(before, after) }
      : {}),
  };
}

function driftOf({ desired, base, remote }: Sides, fields: readonly string[]): Drift {
  if (remote.state !== 'known') throw new Error(`bug: drift of ${desired.key} without a read`);
  const { record } = remote;
  return {
    kind: desired.kind,
    key: desired.key,
    lang: desired.lang,
    id: record.id,
    fields: fields.map((field) => {
      const known = base?.sent[field];
      return { field, ...(known === undefined ? {} : { base: known }), remote: record.fields[field] ?? null };
    }),
  };
}

function conflictOf(
  sides: Sides,
  decision: Extract<Decision, { verdict: 'conflict' }>,
  input: PlanInput,
): Conflict {
  const { desired, base, remote, file } = sides;
  return {
    kind: desired.kind,
    key: desired.key,
    lang: desired.lang,
    code: decision.code,
    ...(remote.state === 'known' ? { id: remote.record.id } : {}),
    witness: input.base.records.has(desired.key) ? 'state' : base === undefined ? 'none' : 'stamp',
    at: desired.at,
    fields: decision.fields.map((field) => {
      const known = base?.sent[field];
      const theirs = remote.state === 'known' ? remote.record.fields[field] : undefined;
      const place = desired.places[field];
      return {
        field,
        ...(known === undefined ? {} : { base: known }),
        ...(file[field] === undefined ? {} : { local: file[field] }),
        ...(theirs === undefined ? {} : { remote: theirs }),
        ...(place === undefined ? {} : { at: place }),
      };
    }),
  };
}

/** What the base holds for a record that needs no request. `acknowledged` fields keep the service's value beside ours. */
function learntRecord(
  { desired, base, remote, file }: Sides,
  input: PlanInput,
  acknowledged: readonly string[],
): BaseRecord {
  const { kind, key } = desired;
  const id = base?.id ?? input.ids.get(desired.family);
  if (id === undefined) throw new Error(`bug: ${key} is learnt without an id`);
  const shown: Fields = remote.state === 'known' ? remote.record.fields : {};
  const observed = acknowledged.flatMap((field) => {
    const value = shown[field];
    return value === undefined ? [] : [[field, baseValueOf(kind, field, value)] as const];
  });
  const kept = Object.entries(base?.observed ?? {}).filter(
    ([field]) => file[field] === undefined || shown[field] !== file[field],
  );
  return {
    key,
    id,
    ownership: base?.ownership ?? 'adopted',
    sent: { ...(base === undefined ? {} : onlyNamed(base.sent, desired)), ...baseValuesOf(kind, file) },
    ...(observed.length + kept.length > 0
      ? { observed: { ...Object.fromEntries(kept), ...Object.fromEntries(observed) } }
      : {}),
    ...(desired.body === undefined ? {} : { input: desired.body.inputDigest }),
    ...(base?.seen === undefined ? {} : { seen: base.seen }),
  };
}

/** Base values of the fields that the file still owns: a field that left the file is no longer ours. */
function onlyNamed(sent: BaseRecord['sent'], desired: DesiredRecord): BaseRecord['sent'] {
  return Object.fromEntries(
    Object.entries(sent).filter(
      ([name]) => desired.fields[name] !== undefined || desired.body?.field === name,
    ),
  );
}

/** Writes the list fingerprints that may be trusted next time, and takes back those that may not. */
function settleSeen(input: PlanInput, draft: Draft): void {
  const { defaultLanguage } = input.desired;
  for (const [family, seen] of input.seen) {
    const key = keyIn(family, defaultLanguage);
    const learnt = draft.learnt.get(key);
    const base = learnt?.record ?? baseOf(key, input);
    if (base === undefined || !isSelected(defaultLanguage, input)) continue;
    const trusted = draft.unsteady.has(family) ? undefined : seen;
    const isStateRecord = input.base.records.has(key);
    if (learnt === undefined && isStateRecord && base.seen === trusted) continue;
    if (learnt === undefined && !isStateRecord) continue; // rebuilt from a stamp and about to be written anyway
    const { seen: _, ...rest } = base;
    draft.learnt.set(key, {
      how: learnt?.how ?? 'adopted',
      record: trusted === undefined ? rest : { ...rest, seen: trusted },
    });
  }
  for (const [key, { how, record }] of draft.learnt) {
    const isKnown = input.base.records.has(key);
    draft.settled.push({ how: how === 'adopted' && isKnown ? 'refreshed' : how, record });
  }
}

function guardInput(input: PlanInput, draft: Draft, gone: number) {
  const originals = [...input.base.records.values()].filter(
    ({ key }) => langOf(key) === input.desired.defaultLanguage,
  );
  return {
    ...input,
    changes: draft.changes,
    gone,
    knownIds: originals.length,
    knownIdsSeen: originals.filter(({ key }) => {
      const state = input.remote.get(key)?.state;
      return state === 'known' || state === 'base' || input.seen.has(familyOf(key));
    }).length,
  };
}

function labelsOf(input: PlanInput): Readonly<Record<string, string>> {
  const labels = new Map(input.labels);
  for (const [family, id] of input.ids) {
    if (kindOf(family) !== 'article') labels.set(id, family.slice(family.indexOf('/') + 1));
  }
  return Object.fromEntries(labels);
}

function baseOf(key: Key, input: PlanInput): BaseRecord | undefined {
  return input.base.records.get(key) ?? input.stamped.get(key);
}

export function isSelected(lang: string, input: PlanInput): boolean {
  return input.languages === undefined || input.languages.includes(lang);
}

function textOf(value: FieldValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

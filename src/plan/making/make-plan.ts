import type { Key } from '../../model/key.ts';
import { familyOf, keyIn, kindOf, pathOf, isOriginal } from '../../model/key.ts';
import { once } from '../../model/once.ts';
import type { DesiredRecord } from '../../model/record.ts';
import { addAll } from '../../text/many.ts';
import { asksDeletes, planDeletes } from '../deletes.ts';
import type { DecidedRecord } from './entries.ts';
import {
  agreedRecord,
  conflictOf,
  createChange,
  driftOf,
  fileSide,
  isPulledSide,
  learntRecord,
  updateChange,
} from './entries.ts';
import { refusals } from './guard.ts';
import { categoriesById, circleFor } from './circle.ts';
import { inOrder } from './order.ts';
import type { Change, Kept, Plan } from '../plan.ts';
import type { PlanInput } from '../plan-input.ts';
import type { FileDecision } from '../reconcile.ts';
import type { RemoteSide } from '../sides.ts';
import { reconcileFile } from '../reconcile.ts';
import { isSelected, isUndisputed, ruleOf, selectedRecords, unmatchedWords } from '../selection.ts';
import { baseOf } from '../plan-input.ts';
import type { Collected } from './collected.ts';
import { trustSeen } from './trust-seen.ts';
import { unkeptOf, blockFor, isOriginalDisputed, takenWords, protectedWords } from './blocked.ts';

/** What a record that stands on another cannot stand on. */
const NOTHING_OF_OURS: ReadonlySet<RemoteSide['state']> = new Set(['absent', 'taken', 'unknown']);

/** Decisions after which both sides are as the base says. */
const STEADY: ReadonlySet<FileDecision['verdict']> = new Set(['unchanged', 'adopt', 'acknowledge']);

/** Makes the plan. Pure: equal inputs give equal plans. */
export function makePlan(input: PlanInput): Plan {
  const collected: Collected = {
    changes: [],
    conflicts: [],
    drift: [],
    blocked: [],
    learnt: [...input.moves],
    records: new Map(),
    unsteady: new Set(),
    coming: new Set(),
    moving: new Map(),
    categories: once(() => categoriesById(input)),
    unchanged: 0,
  };
  const selected = selectedRecords(input);
  for (const desired of inOrder(selected)) {
    if (isSelected(desired.key, input)) decideRecord(desired, input, collected);
  }
  withhold(input, collected);
  const unmatched = unmatchedWords(input);
  const deletes = planDeletes(input, { ...collected, unmatched });
  addAll(collected.changes, deletes.changes);
  addAll(collected.conflicts, deletes.conflicts);
  for (const { key } of deletes.conflicts) collected.unsteady.add(familyOf(key));
  const released = new Set(releasedIn(deletes.forgotten, input));
  for (const key of deletes.forgotten)
    collected.learnt.push({ how: 'forgotten', key, ...(released.has(key) ? { isReleased: true } : {}) });
  trustSeen(input, collected, deletes);
  for (const { isNew, name: _, ...record } of input.unmanaged) {
    if (isNew) collected.learnt.push({ how: 'unmanaged', record });
  }
  return {
    changes: collected.changes,
    conflicts: collected.conflicts,
    drift: collected.drift,
    unmanaged: input.unmanaged
      .filter(({ isTranslation }) => isTranslation !== true)
      .map(({ kind, id, name, was, by }) => ({
        kind,
        id,
        name,
        // What was given back is nobody's loss.
        ...(was === undefined || isReleased(was, input) ? {} : { was }),
        ...(by === undefined ? {} : { by }),
      })),
    kept: [...deletes.kept, ...straysOf(input)],
    prunes: asksDeletes(input),
    holds: deletes.holds,
    files: filesShown(collected.changes, input.desired),
    unmatched,
    excluded: deletes.excluded,
    scheduled: scheduledIn(selected, input),
    blocked: collected.blocked,
    refusals: refusals(guardInput(input, collected, deletes.gone - released.size)),
    learnt: collected.learnt,
    unchanged: collected.unchanged,
    labels: labelsOf(input),
  };
}

/** Records that we wrote, that no file is now and that no state knows: `--prune` was asked for them too, and cannot know what it would take. */
function straysOf(input: PlanInput): readonly Kept[] {
  if (!asksDeletes(input)) return [];
  return input.unmanaged.flatMap(({ kind, id, was, by, isTranslation }): readonly Kept[] => {
    if (was === undefined || by !== undefined || isTranslation === true || isReleased(was, input)) return [];
    // A stamp's key, whose language may be any text.
    const key = was as Key;
    return isSelected(key, input) ? [{ kind, key, id, reason: 'no-state' }] : [];
  });
}

function isReleased(was: string, { desired }: PlanInput): boolean {
  // A stamp's key, whose language may be any text.
  return desired.releases?.has(was as Key) === true;
}

function releasedIn(forgotten: readonly Key[], input: PlanInput): readonly Key[] {
  return forgotten.filter((key) => ruleOf(key, input) === 'released');
}

function filesShown(changes: readonly Change[], { records, files }: PlanInput['desired']): Plan['files'] {
  const digests = new Set(
    changes.flatMap(({ action, key }) => (action === 'delete' ? [] : (records.get(key)?.files ?? []))),
  );
  return [...digests].flatMap((digest) => {
    const file = files?.get(digest);
    return file === undefined ? [] : [{ name: file.name, bytes: file.bytes }];
  });
}

function scheduledIn(records: readonly DesiredRecord[], input: PlanInput): Plan['scheduled'] {
  return records
    .flatMap(({ key, scheduled }) => (scheduled === undefined ? [] : [{ key, ...scheduled }]))
    .filter(({ key }) => isSelected(key, input))
    .sort((a, b) => (`${a.at} ${a.key}` < `${b.at} ${b.key}` ? -1 : 1));
}

/** Files with errors hold up their own records, and every delete: what they say is not known. */
function withhold(input: PlanInput, collected: Collected): void {
  const { withheld } = input.desired;
  if (withheld === undefined) return;
  // All that can become of a record that waits is that it is created.
  const created = new Set(collected.changes.map(({ key }) => key));
  for (const [key, { message, withoutText, at }] of withheld) {
    if (!isSelected(key, input)) continue;
    const words = created.has(key) ? withoutText : undefined;
    collected.blocked.push({ key, reason: 'file-errors', message: words ?? message, at });
    collected.unsteady.add(familyOf(key));
  }
}

function decideRecord(desired: DesiredRecord, input: PlanInput, collected: Collected): void {
  const isWithheld = input.desired.withheld?.has(desired.key) === true;
  const block = blockFor(desired, input, collected);
  if (block !== undefined) {
    if (isWithheld) return;
    collected.blocked.push(block);
    collected.unsteady.add(desired.family);
    return;
  }
  const base = baseOf(desired.key, input);
  const remote = input.remote.get(desired.key) ?? { state: 'absent' };
  const file = fileSide(desired, base, remote, input);
  const isPulled = isPulledSide({ desired, base, remote }, input);
  const sides = { file, base, remote, isPulled, rule: ruleOf(desired.key, input) };
  if (isUndisputed(sides, input)) return;
  const decision = reconcileFile(sides, input.choices, input.ways);
  if (isWithheld && decision.verdict !== 'create') return;
  if (desired.isOriginal && (decision.verdict === 'create' || !NOTHING_OF_OURS.has(remote.state))) {
    collected.coming.add(desired.family);
  }
  if (decision.verdict === 'create' && isOriginalDisputed(desired, input)) {
    const original = keyIn(desired.family, input.desired.defaultLanguage);
    const message = `its original ${original} has a conflict and may belong to another record; resolve the conflict of ${original} first`;
    collected.blocked.push({ key: desired.key, reason: 'original-conflict', message, at: desired.at });
    collected.unsteady.add(desired.family);
    return;
  }
  if (desired.isOriginal && decision.verdict === 'update' && decision.fields.includes('categoryParent')) {
    const circle = circleFor(desired, input, collected);
    if (circle !== undefined) {
      collected.blocked.push(circle);
      collected.unsteady.add(desired.family);
      return;
    }
    collected.moving.set(desired.family, file['categoryParent']);
  }
  enter({ desired, base, remote, file, isPulled }, decision, input, collected);
  const words = unkeptOf(desired, input);
  if (words !== undefined)
    collected.blocked.push({ key: desired.key, reason: 'shared', message: words, at: desired.at });
}

function enter(sides: DecidedRecord, decision: FileDecision, input: PlanInput, collected: Collected): void {
  const { desired } = sides;
  const { key, family } = desired;
  if (!STEADY.has(decision.verdict)) collected.unsteady.add(family);
  switch (decision.verdict) {
    case 'create':
      collected.changes.push(createChange(sides, input));
      return;
    case 'update':
      collected.changes.push(updateChange(sides, decision));
      if (decision.drift.length > 0) collected.drift.push(driftOf(sides, decision.drift));
      return;
    case 'unchanged':
      collected.unchanged += 1;
      // Same HTML from other input (a link spelt otherwise): the base learns the new input digest.
      if (
        sides.base !== undefined &&
        desired.body !== undefined &&
        sides.base.input !== desired.body.inputDigest
      ) {
        collected.records.set(key, { how: 'adopted', record: learntRecord(sides, input, []) });
      }
      return;
    case 'adopt':
      collected.unchanged += 1;
      collected.records.set(key, { how: 'adopted', record: learntRecord(sides, input, []) });
      return;
    case 'acknowledge':
      collected.unchanged += 1;
      collected.records.set(key, {
        how: 'acknowledged',
        record: learntRecord(sides, input, decision.fields),
      });
      return;
    case 'drift':
      collected.drift.push(driftOf(sides, decision.drift));
      keepKnown(sides, input, collected);
      return;
    case 'conflict':
      collected.conflicts.push(conflictOf(sides, decision, input));
      keepKnown(sides, input, collected);
      return;
    case 'taken':
      collected.blocked.push({
        key,
        reason: 'taken',
        message: takenWords(decision.by, decision.id),
        at: desired.at,
      });
      return;
    case 'protected': {
      const message = protectedWords(sides, decision.fields);
      collected.blocked.push({ key, reason: 'protected', message, at: desired.at });
      return;
    }
    case 'unknown':
      collected.blocked.push({ key, reason: 'unreadable', message: decision.why, at: desired.at });
      return;
  }
}

/**
 * Remembers what only a stamp proves of a record that stays as it is: an editor who rewrites the text takes the stamp along,
 * and then nothing would say whose record it is, and it would be made a second time. So is what file and service agree on.
 */
function keepKnown(sides: DecidedRecord, input: PlanInput, collected: Collected): void {
  const { key } = sides.desired;
  const record = agreedRecord(sides, input) ?? input.stamped.get(key);
  if (record !== undefined) collected.records.set(key, { how: 'adopted', record });
}

function guardInput(input: PlanInput, collected: Collected, gone: number) {
  const originals = [...input.base.records.values()].filter(({ key }) => isOriginal(key, input.desired));
  return {
    ...input,
    changes: collected.changes,
    blocked: collected.blocked,
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
    if (kindOf(family) !== 'article') labels.set(id, pathOf(family));
  }
  return Object.fromEntries([...labels].sort(([a], [b]) => (a < b ? -1 : 1)));
}

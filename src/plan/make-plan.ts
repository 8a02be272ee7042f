import type { DesiredFields, Fields } from '../model/fields.ts';
import type { Family, Key } from '../model/key.ts';
import { familyOf, keyIn, kindOf, pathOf, isOriginal } from '../model/key.ts';
import type { BaseRecord, DesiredRecord } from '../model/record.ts';
import { seenAs } from '../model/record.ts';
import { addAll } from '../text/many.ts';
import { idToCome, referencesOf, withIds } from './compare.ts';
import { asksDeletes, planDeletes } from './deletes.ts';
import type { DecidedRecord } from './entries.ts';
import {
  agreedRecord,
  conflictOf,
  createChange,
  driftOf,
  fileSide,
  learntRecord,
  updateChange,
} from './entries.ts';
import { refusals } from './guard.ts';
import { inOrder } from './order.ts';
import type { Blocked, Change, Conflict, Drift, Kept, Learnt, Plan } from './plan.ts';
import type { PlanInput } from './plan-input.ts';
import type { FileDecision } from './reconcile.ts';
import type { RemoteSide } from './sides.ts';
import { reconcileFile } from './reconcile.ts';
import { isOutOfTheWay, isTextUnknown, shownBy } from './field-standing.ts';
import { unkeptWords } from './shared-fields.ts';
import { isSelected, isUndisputed, partlySelected, ruleOf, unmatchedWords } from './selection.ts';
import type { DeletePlan } from './deletes.ts';

/** What the making of a plan collects on the way. */
interface Draft {
  readonly changes: Change[];
  readonly conflicts: Conflict[];
  readonly drift: Drift[];
  readonly blocked: Blocked[];
  readonly learnt: Learnt[];
  /** Base records the run will end with, for records that need no request; the `seen` of originals is added last. */
  readonly records: Map<Key, { readonly how: 'adopted' | 'acknowledged'; readonly record: BaseRecord }>;
  /** Families with a record that is not in sync: the next run must not trust their list fingerprint. */
  readonly unsteady: Set<Family>;
  /** Originals that will exist once the plan is carried out. */
  readonly coming: Set<Family>;
  unchanged: number;
}

/** What a record that stands on another cannot stand on. */
const NOTHING_OF_OURS: ReadonlySet<RemoteSide['state']> = new Set(['absent', 'taken', 'unknown']);

/** Decisions after which both sides are as the base says. */
const STEADY: ReadonlySet<FileDecision['verdict']> = new Set(['unchanged', 'adopt', 'acknowledge']);

/** Makes the plan. Pure: equal inputs give equal plans. */
export function makePlan(input: PlanInput): Plan {
  const draft: Draft = {
    changes: [],
    conflicts: [],
    drift: [],
    blocked: [],
    learnt: [...input.moves],
    records: new Map(),
    unsteady: new Set(),
    coming: new Set(),
    unchanged: 0,
  };
  const selected = selectedRecords(input);
  for (const desired of inOrder(selected)) {
    if (isSelected(desired.key, input)) decideRecord(desired, input, draft);
  }
  withhold(input, draft);
  const unmatched = unmatchedWords(input);
  const deletes = planDeletes(input, { ...draft, unmatched });
  addAll(draft.changes, deletes.changes);
  addAll(draft.conflicts, deletes.conflicts);
  for (const { key } of deletes.conflicts) draft.unsteady.add(familyOf(key));
  const released = new Set(releasedIn(deletes.forgotten, input));
  for (const key of deletes.forgotten)
    draft.learnt.push({ how: 'forgotten', key, ...(released.has(key) ? { isReleased: true } : {}) });
  trustSeen(input, draft, deletes);
  for (const { isNew, name: _, ...record } of input.unmanaged) {
    if (isNew) draft.learnt.push({ how: 'unmanaged', record });
  }
  return {
    changes: draft.changes,
    conflicts: draft.conflicts,
    drift: draft.drift,
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
    files: filesShown(draft.changes, input.desired),
    unmatched,
    excluded: deletes.excluded,
    scheduled: scheduledIn(selected, input),
    blocked: draft.blocked,
    refusals: refusals(guardInput(input, draft, deletes.gone - released.size)),
    learnt: draft.learnt,
    unchanged: draft.unchanged,
    labels: labelsOf(input),
  };
}

/** Thousands of records need not be made and sorted for the one that somebody has saved; in a whole run the order stands on all. */
function selectedRecords({ focus, desired: { records } }: PlanInput): readonly DesiredRecord[] {
  return focus === undefined
    ? [...records.values()]
    : [...focus.keys].map((key) => records.get(key)).filter((record) => record !== undefined);
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
function withhold(input: PlanInput, draft: Draft): void {
  for (const [key, { message, at }] of input.desired.withheld ?? []) {
    if (!isSelected(key, input)) continue;
    draft.blocked.push({ key, reason: 'file-errors', message, at });
    draft.unsteady.add(familyOf(key));
  }
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
  const sides = { file, base, remote, rule: ruleOf(desired.key, input) };
  if (isUndisputed(sides, input)) return;
  const decision = reconcileFile(sides, input.choices, input.ways);
  if (desired.isOriginal && (decision.verdict === 'create' || !NOTHING_OF_OURS.has(remote.state))) {
    draft.coming.add(desired.family);
  }
  if (decision.verdict === 'create' && isOriginalDisputed(desired, input)) {
    const original = keyIn(desired.family, input.desired.defaultLanguage);
    const message = `its original ${original} has a conflict and may belong to another record; resolve the conflict of ${original} first`;
    draft.blocked.push({ key: desired.key, reason: 'original-conflict', message, at: desired.at });
    draft.unsteady.add(desired.family);
    return;
  }
  enter({ desired, base, remote, file }, decision, input, draft);
  const words = unkeptOf(desired, input);
  if (words !== undefined)
    draft.blocked.push({ key: desired.key, reason: 'shared', message: words, at: desired.at });
}

/** As the original's file says it, else as the service shows it. */
function unkeptOf({ kind, family, unkept }: DesiredRecord, input: PlanInput): string | undefined {
  if (unkept === undefined) return undefined;
  const key = keyIn(family, input.desired.defaultLanguage);
  const side = input.remote.get(key) ?? { state: 'absent' };
  const original = input.desired.records.get(key);
  const inIds = (fields: DesiredFields) => withIds(kind, fields, (of) => input.ids.get(of) ?? idToCome(of));
  const owned: Fields = original === undefined ? {} : inIds(original.fields);
  return unkeptWords({ unkept: inIds(unkept) }, (name) => owned[name] ?? shownBy(side, name));
}

/** Why a record cannot be decided now, if so: something it stands on is missing. */
function blockFor(desired: DesiredRecord, input: PlanInput, draft: Draft): Blocked | undefined {
  const at = desired.at;
  const pending = input.pending.get(desired.key);
  if (pending !== undefined) return { key: desired.key, reason: 'pending', message: pending, at };
  const exists = (family: Family) =>
    draft.coming.has(family) || (input.ids.has(family) && !isGone(family, input));
  const side = input.remote.get(keyIn(desired.family, input.desired.defaultLanguage));
  if (!desired.isOriginal && side?.state === 'taken' && !draft.coming.has(desired.family)) {
    return { key: desired.key, reason: 'taken', message: takenWords(side.by, side.record.id), at };
  }
  if (!desired.isOriginal && !exists(desired.family)) {
    const original = keyIn(desired.family, input.desired.defaultLanguage);
    if (input.desired.records.has(original)) {
      const message = `its original ${original} is not on the service and cannot be created now`;
      return { key: desired.key, reason: 'original-conflict', message, at };
    }
    const message = `it has no original: the API creates records in ${input.desired.defaultLanguage} and then adds other languages; write a file for ${original}, or give both files the same translationKey`;
    return { key: desired.key, reason: 'original-missing', message, at };
  }
  const missing = referencesOf(desired).find((family) => !exists(family) && !isShared(family, input));
  if (missing !== undefined) {
    const message = `it names ${missing}, which is not on the service and cannot be created now`;
    return { key: desired.key, reason: 'reference-blocked', message, at };
  }
  const isNew = desired.isOriginal && !input.ids.has(desired.family);
  const list = input.lists[desired.kind];
  if (isNew && !list.complete && !input.allow.has('incomplete-list')) {
    const message = `the ${desired.kind} list may be truncated (${list.why ?? 'nothing proves that it is complete'}), so the record may exist already; --assume-complete creates it`;
    return { key: desired.key, reason: 'list-incomplete', message, at };
  }
  const isDraft = desired.fields['status'] === 'draft';
  if (isNew && isDraft && list.mayHideDrafts === true && !input.allow.has('incomplete-list')) {
    const message =
      'the list of articles shows no draft, so it may leave drafts out, and no state tells whether this one exists already; look on the site: if it is not there, --assume-complete creates it';
    return { key: desired.key, reason: 'list-incomplete', message, at };
  }
  return undefined;
}

/**
 * Whether the original of a translation was found by its slug alone and says something else: the translation's base would
 * settle for good whose that record is.
 */
function isOriginalDisputed({ isOriginal, family }: DesiredRecord, input: PlanInput): boolean {
  const key = keyIn(family, input.desired.defaultLanguage);
  const original = isOriginal ? undefined : input.desired.records.get(key);
  const remote = input.remote.get(key);
  if (original === undefined || remote?.state !== 'known' || baseOf(key, input) !== undefined) return false;
  const file = fileSide(original, undefined, remote, input);
  return reconcileFile({ file, base: undefined, remote }, input.choices, input.ways).verdict === 'conflict';
}

function isGone(family: Family, input: PlanInput): boolean {
  const side = input.remote.get(keyIn(family, input.desired.defaultLanguage));
  return side?.state === 'absent' || side?.state === 'taken';
}

/** A category or tag of another repository can be named all the same: that changes nothing in it. */
function isShared(family: Family, input: PlanInput): boolean {
  const side = input.remote.get(keyIn(family, input.desired.defaultLanguage));
  return side?.state === 'taken' && side.by !== undefined;
}

function takenWords(by: string | undefined, id: string): string {
  return by === undefined
    ? `the record ${id} on the service has its slug, and kbsync does not manage that record; give this file another slug, or change the slug of that record`
    : `the record ${id} on the service belongs to another repository: its stamp names ${by}; give this file another path and slug; if ${by} is this repository, write it into kbsync.yaml as \`id\` or below \`formerIds\``;
}

function protectedWords({ desired, base, remote, file }: DecidedRecord, fields: readonly string[]): string {
  const what = fields.map((name) => {
    const now = shownBy(remote, name) ?? base?.sent[name];
    const words = `${name} ${JSON.stringify(file[name])}`;
    return typeof now === 'string' ? `${words} (the service shows ${JSON.stringify(now)})` : words;
  });
  return `it is protected, but its file says ${what.join(' and ')}; write the service's value into ${desired.at.file}, or take the record out of \`protect\` in kbsync.yaml`;
}

function enter(sides: DecidedRecord, decision: FileDecision, input: PlanInput, draft: Draft): void {
  const { desired } = sides;
  const { key, family } = desired;
  if (!STEADY.has(decision.verdict)) draft.unsteady.add(family);
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
        draft.records.set(key, { how: 'adopted', record: learntRecord(sides, input, []) });
      }
      return;
    case 'adopt':
      draft.unchanged += 1;
      draft.records.set(key, { how: 'adopted', record: learntRecord(sides, input, []) });
      return;
    case 'acknowledge':
      draft.unchanged += 1;
      draft.records.set(key, { how: 'acknowledged', record: learntRecord(sides, input, decision.fields) });
      return;
    case 'drift':
      draft.drift.push(driftOf(sides, decision.drift));
      keepKnown(sides, input, draft);
      return;
    case 'conflict':
      draft.conflicts.push(conflictOf(sides, decision, input));
      keepKnown(sides, input, draft);
      return;
    case 'taken':
      draft.blocked.push({
        key,
        reason: 'taken',
        message: takenWords(decision.by, decision.id),
        at: desired.at,
      });
      return;
    case 'protected': {
      const message = protectedWords(sides, decision.fields);
      draft.blocked.push({ key, reason: 'protected', message, at: desired.at });
      return;
    }
    case 'unknown':
      draft.blocked.push({ key, reason: 'unreadable', message: decision.why, at: desired.at });
      return;
  }
}

/**
 * Remembers what only a stamp proves of a record that stays as it is: an editor who rewrites the text takes the stamp along,
 * and then nothing would say whose record it is, and it would be made a second time. So is what file and service agree on.
 */
function keepKnown(sides: DecidedRecord, input: PlanInput, draft: Draft): void {
  const { key } = sides.desired;
  const record = agreedRecord(sides, input) ?? input.stamped.get(key);
  if (record !== undefined) draft.records.set(key, { how: 'adopted', record });
}

/** Writes the list fingerprints that may be trusted next time, and takes back those that may not. */
function trustSeen(
  input: PlanInput,
  draft: Draft,
  { unsettled, forgotten }: Pick<DeletePlan, 'unsettled' | 'forgotten'>,
): void {
  const gone = new Set(forgotten);
  const { defaultLanguage } = input.desired;
  const partly = partlySelected(input);
  const hidden = familiesWithUnknownText(input);
  const aside = familiesOutOfTheWay(input);
  for (const [family, seen] of input.seen) {
    const key = keyIn(family, defaultLanguage);
    const learnt = draft.records.get(key);
    const base = learnt?.record ?? baseOf(key, input);
    if (base === undefined || gone.has(key) || !isSelected(key, input)) continue;
    // What was left out or not read may have been edited: the family's entry is trusted no further than before.
    const isDoubtful = partly.has(family) || unsettled.has(family) || hidden.has(family);
    const shown = isDoubtful ? base.seen : seen;
    const trusted = draft.unsteady.has(family) || aside.has(family) ? undefined : shown;
    const isStateRecord = input.base.records.has(key);
    if (learnt === undefined && isStateRecord && base.seen === trusted) continue;
    if (learnt === undefined && !isStateRecord) continue; // rebuilt from a stamp and about to be written anyway
    draft.records.set(key, { how: learnt?.how ?? 'adopted', record: seenAs(base, trusted) });
  }
  for (const [key, { how, record }] of draft.records) {
    const isKnown = input.base.records.has(key);
    draft.learnt.push({ how: how === 'adopted' && isKnown ? 'refreshed' : how, record });
  }
}

/** Their date in the list is all that tells of an editor's text. */
function familiesWithUnknownText(input: PlanInput): ReadonlySet<Family> {
  return new Set(
    [...input.remote].flatMap(([key, side]) => {
      const base = baseOf(key, input);
      const isUnknown = base !== undefined && side.state === 'known' && isTextUnknown(base, side);
      return isUnknown ? [familyOf(key)] : [];
    }),
  );
}

/** A run that died has left a slug out of the way of another. No list shows that, and the file may come back. */
function familiesOutOfTheWay({ remote }: PlanInput): ReadonlySet<Family> {
  return new Set(
    [...remote].flatMap(([key, side]) =>
      isOutOfTheWay('slug', shownBy(side, 'slug')) ? [familyOf(key)] : [],
    ),
  );
}

function guardInput(input: PlanInput, draft: Draft, gone: number) {
  const originals = [...input.base.records.values()].filter(({ key }) => isOriginal(key, input.desired));
  return {
    ...input,
    changes: draft.changes,
    blocked: draft.blocked,
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

function baseOf(key: Key, input: PlanInput): BaseRecord | undefined {
  return input.base.records.get(key) ?? input.stamped.get(key);
}

import type { DesiredFields, Fields } from '../../model/fields.ts';
import type { Family } from '../../model/key.ts';
import { keyIn } from '../../model/key.ts';
import type { DesiredRecord } from '../../model/record.ts';
import { idToCome, referencesOf, withIds } from '../compare.ts';
import type { DecidedRecord } from './entries.ts';
import { fileSide, isPulledSide } from './entries.ts';
import type { Blocked, Renamed } from '../plan.ts';
import { movedEntry, renamedTo } from '../renamed.ts';
import { reconcileFile } from '../reconcile.ts';
import { shownBy } from '../field-standing.ts';
import { pathsForIds, unkeptWords } from '../shared-fields.ts';
import type { PlanInput } from '../plan-input.ts';
import { baseOf, isNew } from '../plan-input.ts';
import type { Collected } from './collected.ts';

/** What a translation says of fields that the service keeps once: the original's file has the say, else what the service shows. */
export function unkeptOf({ kind, family, unkept }: DesiredRecord, input: PlanInput): string | undefined {
  if (unkept === undefined) return undefined;
  const key = keyIn(family, input.desired.defaultLanguage);
  const side = input.remote.get(key) ?? { state: 'absent' };
  const original = input.desired.records.get(key);
  const inIds = (fields: DesiredFields) => withIds(kind, fields, (of) => input.ids.get(of) ?? idToCome(of));
  const owned: Fields = original === undefined ? {} : inIds(original.fields);
  return unkeptWords(
    { unkept: inIds(unkept) },
    (name) => owned[name] ?? shownBy(side, name),
    pathsForIds(kind, input.ids),
  );
}

/** Why a record cannot be decided now, if so: something it stands on is missing. */
export function blockFor(
  desired: DesiredRecord,
  input: PlanInput,
  collected: Collected,
): Blocked | undefined {
  const at = desired.at;
  const pending = input.pending.get(desired.key);
  if (pending !== undefined) return { key: desired.key, reason: 'pending', message: pending, at };
  const exists = (family: Family) =>
    collected.coming.has(family) || (input.ids.has(family) && !isGone(family, input));
  const side = input.remote.get(keyIn(desired.family, input.desired.defaultLanguage));
  if (!desired.isOriginal && side?.state === 'taken' && !collected.coming.has(desired.family)) {
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
  // Before the list: the ways out of a cut list would make the page a second time.
  const renamed = renamedTo(desired, input);
  if (renamed !== undefined)
    return { key: desired.key, reason: 'renamed', message: renamedWords(renamed), at, renamed };
  const isComing = isNew(desired, input);
  const list = input.lists[desired.kind];
  if (isComing && !list.complete && !input.allow.has('incomplete-list')) {
    const { why = 'nothing proves that it is complete', isUnread = false } = list;
    const message = isUnread
      ? `${why}. That record may be this one. Run again; if the record still cannot be read, look at it on the site: if it is another one, --assume-complete creates this one`
      : `the ${desired.kind} list may be truncated (${why}), so the record may exist already; --assume-complete creates it`;
    return { key: desired.key, reason: 'list-incomplete', message, at };
  }
  const isDraft = desired.fields['status'] === 'draft';
  if (isComing && isDraft && list.mayHideDrafts === true && !input.allow.has('incomplete-list')) {
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
export function isOriginalDisputed({ isOriginal, family }: DesiredRecord, input: PlanInput): boolean {
  const key = keyIn(family, input.desired.defaultLanguage);
  const original = isOriginal ? undefined : input.desired.records.get(key);
  const remote = input.remote.get(key);
  if (original === undefined || remote?.state !== 'known' || baseOf(key, input) !== undefined) return false;
  const file = fileSide(original, undefined, remote, input);
  const isPulled = isPulledSide({ desired: original, base: undefined, remote }, input);
  const sides = { file, base: undefined, remote, isPulled };
  return reconcileFile(sides, input.choices, input.ways).verdict === 'conflict';
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

export function takenWords(by: string | undefined, id: string): string {
  return by === undefined
    ? `the record ${id} on the service has its slug, and kbsync does not manage that record; give this file another slug, or change the slug of that record`
    : `the record ${id} on the service belongs to another repository: its stamp names ${by}; give this file another path and slug; if ${by} is this repository, write it into kbsync.yaml as \`id\` or below \`formerIds\``;
}

function renamedWords({ from, to, before }: Renamed): string {
  const known =
    before === undefined
      ? `it has the title of ${from}, which has no file now, and git cannot tell here whether it is that page under another name`
      : `git says that its file is ${before} under another name, and ${from} has no file now`;
  return `${known}; to keep that record, with its id and old addresses, write \`moved: [${movedEntry({ from, to })}]\` into kbsync.yaml; if this is another page, --allow-renamed creates it`;
}

export function protectedWords(
  { desired, base, remote, file }: DecidedRecord,
  fields: readonly string[],
): string {
  const what = fields.map((name) => {
    const now = shownBy(remote, name) ?? base?.sent[name];
    const words = `${name} ${JSON.stringify(file[name])}`;
    return typeof now === 'string' ? `${words} (the service shows ${JSON.stringify(now)})` : words;
  });
  return `it is protected, but its file says ${what.join(' and ')}; write the service's value into ${desired.at.file}, or take the record out of \`protect\` in kbsync.yaml`;
}

import type { FieldValue, Fields } from '../model/fields.ts';
import type { BaseRecord, KnownRecord } from '../model/record.ts';
import { same } from '../model/digest.ts';
import { sameAsBase } from './compare.ts';
import { withoutMark } from './free-slug.ts';
import type { ConflictCode } from './plan.ts';

/** Remote as the decision sees it; `base` means: listed, and nothing was edited since the base was written. */
export type RemoteSide =
  | { readonly state: 'known'; readonly record: KnownRecord }
  | { readonly state: 'base' }
  | { readonly state: 'absent' }
  /** The service lists this translation, cannot show it, and says that something was edited since the base. */
  | { readonly state: 'unreadable'; readonly why: string }
  | { readonly state: 'unknown'; readonly why: string };

export interface Sides {
  /** Owned fields as the file wants them, body included, references as ids; undefined: there is no file. */
  readonly file: Fields | undefined;
  readonly base: BaseRecord | undefined;
  readonly remote: RemoteSide;
}

export interface Choices {
  readonly onConflict: 'fail' | 'local' | 'remote';
  /** `acknowledge`: the service's value stands, and the base remembers both. Chosen for single records only. */
  readonly onDrift: 'report' | 'overwrite' | 'acknowledge';
  readonly adopt: 'fail' | 'local' | 'remote';
}

export type Decision =
  | { readonly verdict: 'create' }
  | {
      readonly verdict: 'update';
      readonly fields: readonly string[];
      readonly drift: readonly string[];
      readonly acknowledged: readonly string[];
    }
  | { readonly verdict: 'unchanged' }
  /** Equal on both sides although the base did not know it: the base learns it, nothing is sent. */
  | { readonly verdict: 'adopt' }
  | { readonly verdict: 'drift'; readonly drift: readonly string[] }
  /** The user let the service's value stand: the base remembers both, so that it is not asked again. */
  | { readonly verdict: 'acknowledge'; readonly fields: readonly string[] }
  | {
      readonly verdict: 'conflict';
      readonly code: ConflictCode;
      readonly fields: readonly string[];
      /** Fields that only the service changed: whoever settles the conflict settles them too. */
      readonly drift?: readonly string[];
    }
  | { readonly verdict: 'delete' }
  | { readonly verdict: 'forget' }
  | { readonly verdict: 'unknown'; readonly why: string }
  | { readonly verdict: 'nothing' };

/** What can be decided of a record that has a file. */
export type FileDecision = Exclude<Decision, { readonly verdict: 'delete' | 'forget' | 'nothing' }>;

/**
 * THE TRUTH TABLE. A, B, C are values; `-` is "does not exist". Per record, then per field.
 *
 *     file  base  remote    decision
 *     A     -     absent    create
 *     A     -     A         adopt
 *     A     -     B         conflict both-new            (--adopt local: update, --adopt remote: acknowledge)
 *     A     A     A         unchanged
 *     B     A     A         update
 *     A     A     B         drift                        (--on-drift overwrite: update)
 *     B     A     B         adopt (both made the same change)
 *     B     A     C         conflict both-changed        (--on-conflict local: update, remote: acknowledge)
 *     A     A     absent    conflict remote-deleted      (--on-conflict local: create)
 *     B     A     absent    conflict modified-deleted    (--on-conflict local: create)
 *     any   any   unknown   unknown: nothing is written
 *     -     A     A         delete (the planner turns it into "kept" without --prune)
 *     -     A     B         conflict delete-modified     (--on-conflict local: delete, remote: forget)
 *     -     A     absent    forget
 *     -     -     any       nothing
 *
 * A field that the file owns and the base has never seen is a new statement of the author: as `B A A`.
 * Changes of different fields merge: a record updates its own fields and reports the others as drift.
 * One field in conflict stops the whole record, unless a choice settles it. An open draft copy on the service turns
 * an update into conflict draft-open; a choice made for this very record settles that too: `local` writes, and with
 * `remote` everything stays as the service shows it.
 *
 * A translation that the service lists and cannot show is unknown, unless the user takes the file's side: without a base
 * by `--adopt local` (update), with one by `--on-conflict local` (as if the remote were the base).
 */
export function reconcile(sides: Sides, choices: Choices): Decision {
  const { file, base, remote } = sides;
  if (file !== undefined) return reconcileFile({ file, base, remote }, choices);
  return base === undefined ? { verdict: 'nothing' } : withoutFile(base, remote, choices);
}

/** The rows of the table that have a file. */
export function reconcileFile(
  { file, base, remote }: Sides & { readonly file: Fields },
  choices: Choices,
): FileDecision {
  switch (remote.state) {
    case 'unknown':
      return { verdict: 'unknown', why: remote.why };
    case 'unreadable':
      return unreadable(file, base, remote.why, choices);
    case 'absent':
      return base === undefined ? { verdict: 'create' } : goneFromRemote(file, base, choices);
    case 'base':
      return base === undefined
        ? { verdict: 'unknown', why: 'the record was listed, not read' }
        : againstBase(file, base);
    case 'known':
      return base === undefined
        ? bothNew(file, remote.record, choices)
        : threeWay(file, base, remote.record, choices);
  }
}

function withoutFile(base: BaseRecord, remote: RemoteSide, choices: Choices): Decision {
  if (remote.state === 'unknown' || remote.state === 'unreadable')
    return { verdict: 'unknown', why: remote.why };
  if (remote.state === 'absent') return { verdict: 'forget' };
  if (remote.state === 'base') return { verdict: 'delete' };
  const edited = Object.keys(base.sent).filter(
    (name) => !remoteIsBase(name, base, remote.record.fields[name]),
  );
  if (edited.length === 0) return { verdict: 'delete' };
  if (choices.onConflict === 'local') return { verdict: 'delete' };
  if (choices.onConflict === 'remote') return { verdict: 'forget' };
  return { verdict: 'conflict', code: 'delete-modified', fields: edited };
}

function goneFromRemote(file: Fields, base: BaseRecord, choices: Choices): FileDecision {
  if (choices.onConflict === 'local') return { verdict: 'create' };
  const changed = Object.entries(file).filter(([name, value]) => !fileIsBase(name, value, base));
  return {
    verdict: 'conflict',
    code: changed.length === 0 ? 'remote-deleted' : 'modified-deleted',
    fields: changed.map(([name]) => name),
  };
}

/** Nobody can see what would be overwritten, so only the user can say that it may be. */
function unreadable(file: Fields, base: BaseRecord | undefined, why: string, choices: Choices): FileDecision {
  if (base !== undefined && choices.onConflict === 'local') return againstBase(file, base);
  if (base === undefined && choices.adopt === 'local')
    return { verdict: 'update', fields: Object.keys(file), drift: [], acknowledged: [] };
  const flag = base === undefined ? '--adopt local' : '--on-conflict local';
  return { verdict: 'unknown', why: `${why}; ${flag} takes the file's side without seeing the service's` };
}

/** The remote equals the base without having been read: only the file can have changed. */
function againstBase(file: Fields, base: BaseRecord): FileDecision {
  const fields = Object.entries(file)
    .filter(([name, value]) => !fileIsBase(name, value, base))
    .map(([name]) => name);
  return fields.length === 0
    ? { verdict: 'unchanged' }
    : { verdict: 'update', fields, drift: [], acknowledged: [] };
}

function bothNew(file: Fields, record: KnownRecord, choices: Choices): FileDecision {
  const fields = Object.entries(file)
    .filter(([name, value]) => !equal(value, record.fields[name]))
    .map(([name]) => name);
  if (fields.length === 0) return { verdict: 'adopt' };
  if (choices.adopt === 'local')
    return orDraft({ verdict: 'update', fields, drift: [], acknowledged: [] }, record, choices);
  if (choices.adopt === 'remote') return { verdict: 'acknowledge', fields };
  return { verdict: 'conflict', code: 'both-new', fields };
}

function threeWay(file: Fields, base: BaseRecord, record: KnownRecord, choices: Choices): FileDecision {
  const update: string[] = [];
  const drift: string[] = [];
  const conflict: string[] = [];
  let converged = false;
  for (const [name, value] of Object.entries(file)) {
    const theirs = record.fields[name];
    if (equal(value, theirs)) {
      converged ||= !fileIsBase(name, value, base);
    } else if (base.sent[name] === undefined || remoteIsBase(name, base, theirs)) {
      if (!fileIsBase(name, value, base) || isOutOfTheWay(name, theirs)) update.push(name);
    } else if (fileIsBase(name, value, base)) {
      drift.push(name);
    } else {
      conflict.push(name);
    }
  }
  if (conflict.length > 0) {
    if (choices.onConflict === 'fail') {
      const alsoDrift = drift.length > 0 ? { drift } : {};
      return { verdict: 'conflict', code: 'both-changed', fields: conflict, ...alsoDrift };
    }
    if (choices.onConflict === 'local') update.push(...conflict);
  }
  if (choices.onDrift === 'overwrite') update.push(...drift.splice(0));
  const acknowledged = choices.onConflict === 'remote' ? conflict : [];
  if (choices.onDrift === 'acknowledge') acknowledged.push(...drift.splice(0));
  if (update.length > 0)
    return orDraft({ verdict: 'update', fields: update, drift, acknowledged }, record, choices);
  if (acknowledged.length > 0) return { verdict: 'acknowledge', fields: acknowledged };
  if (drift.length > 0) return { verdict: 'drift', drift };
  return converged ? { verdict: 'adopt' } : { verdict: 'unchanged' };
}

function orDraft(
  update: Extract<Decision, { verdict: 'update' }>,
  record: KnownRecord,
  choices: Choices,
): FileDecision {
  if (record.openDraft === undefined || choices.onConflict === 'local') return update;
  if (choices.onConflict === 'remote' && choices.onDrift === 'acknowledge')
    return { verdict: 'acknowledge', fields: [...update.fields, ...update.acknowledged] };
  return { verdict: 'conflict', code: 'draft-open', fields: update.fields };
}

/** A run that died had moved this slug out of the way of another; whatever the file says now, it is not to stay there. */
function isOutOfTheWay(name: string, shown: FieldValue | undefined): boolean {
  return name === 'slug' && typeof shown === 'string' && withoutMark(shown) !== shown;
}

/** What the service shows of a field, where the record was read. */
export function shownBy(remote: RemoteSide, field: string): FieldValue | undefined {
  return remote.state === 'known' ? remote.record.fields[field] : undefined;
}

/** The remote shows what it showed after our last write, or exactly what we sent. */
export function remoteIsBase(name: string, base: BaseRecord, shown: FieldValue | undefined): boolean {
  if (shown === undefined) return false;
  const value = name === 'slug' && typeof shown === 'string' ? withoutMark(shown) : shown;
  const sent = base.sent[name];
  const observed = base.observed?.[name];
  return (
    (observed !== undefined && sameAsBase(value, observed)) || (sent !== undefined && sameAsBase(value, sent))
  );
}

export function fileIsBase(name: string, value: FieldValue, base: BaseRecord): boolean {
  const sent = base.sent[name];
  return sent !== undefined && sameAsBase(value, sent);
}

function equal(a: FieldValue, b: FieldValue | undefined): boolean {
  return b !== undefined && same(a, b);
}

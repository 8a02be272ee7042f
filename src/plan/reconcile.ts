import type { FieldValue, Fields } from '../model/fields.ts';
import type { BaseRecord, KnownRecord } from '../model/record.ts';
import { same } from '../model/digest.ts';
import { OF_ORDER, bodyFieldOf, fieldsOf } from '../model/fields.ts';
import { NO_WAYS, isSameMeaning } from './likeness.ts';
import type { Ways } from './likeness.ts';
import { withoutMark } from './slug-mark.ts';
import type { ConflictCode } from './plan.ts';
import type { Choices } from './policy.ts';
import type { RemoteSide, Sides } from './sides.ts';
import type { Three } from './field-standing.ts';
import { isTextUnknown, standings, namesOf, shownBy, remoteIsBase, fileIsBase } from './field-standing.ts';

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
  /** The user let the service's value stand: the base remembers both, so it is not asked again. */
  | { readonly verdict: 'acknowledge'; readonly fields: readonly string[] }
  | {
      readonly verdict: 'conflict';
      readonly code: ConflictCode;
      readonly fields: readonly string[];
      /** Fields that only the service changed: whoever resolves the conflict resolves them too. */
      readonly drift?: readonly string[];
    }
  | { readonly verdict: 'delete' }
  /** The file is gone, and the record is protected. */
  | { readonly verdict: 'keep' }
  /** The file changes what is protected: its slug, or that people can read it. Nothing is written. */
  | { readonly verdict: 'protected'; readonly fields: readonly string[] }
  | { readonly verdict: 'forget' }
  | { readonly verdict: 'unknown'; readonly why: string }
  /** Somebody else's record has its place. */
  | { readonly verdict: 'taken'; readonly by: string | undefined; readonly id: string }
  | { readonly verdict: 'nothing' };

/** What can be decided of a record that has a file. */
export type FileDecision = Exclude<Decision, { readonly verdict: 'delete' | 'keep' | 'forget' | 'nothing' }>;

/**
 * THE TRUTH TABLE. A, B, C are values; `-` is "does not exist"; S is A with another slug, or as a draft; A! is the base of a
 * protected record, A° that of a released one. Per record, then per field.
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
 *     A     -     taken     taken: somebody else's record has its slug or its place
 *     any   A     taken     conflict replaced            (--on-conflict local: create)
 *     -     A     taken     forget
 *     -     A     A         delete (the planner turns it into "kept" without --prune)
 *     -     A     B         conflict delete-modified     (--on-conflict local: delete, remote: forget)
 *     -     A     absent    forget
 *     -     -     any       nothing
 *     B     A!    A         update
 *     S     A!    A         protected                    (so are C and S of B: whatever would take A's slug from it, or hide it)
 *     -     A!    A         keep
 *     -     A!    B         keep                         (--on-conflict remote: forget)
 *     -     A!    absent    forget
 *     -     A°    any       forget
 *
 * If somebody else's record also has the slug of the file, or the only place (of a translation), it is `taken` with a base
 * too: no second record can be made beside it.
 *
 * What the file of a site generator says no more is stated for it beforehand (removed-fields.ts), while the remote is as A.
 * A field that the file owns and the base has never seen is a new statement of the author: as `B A A`.
 * Without a base, the text of the service is A too if a pull makes the file's text of it (relative addresses, what web editors
 * leave behind): pulled files are in sync in a clone without a state.
 * An `ordering` or a `priority` of 0 is no statement of an editor: where no base joins file and record, and the two differ in nothing else that
 * the service shows, the file's order is written (update).
 * Changes of different fields merge: a record updates its own fields and reports the others as drift.
 * What file and service have come to say alike is learnt, though another field of the record is drift or in conflict.
 * One field in conflict stops the whole record, unless a choice resolves it. An open draft copy on the service turns
 * an update into conflict draft-open; a choice made for this very record resolves that too: `local` writes, and with
 * `remote` everything stays as the service shows it.
 *
 * A field that the service does not show is not compared, and an edit leaves it as it is. When the file changed it, that is
 * conflict not-shown (--on-conflict local: update, remote: acknowledge): nobody can tell what would be overwritten. So it is when
 * another field of an article changed and the edit must carry that one, if the file says it.
 *
 * An article that shows no text although one was sent may hide what an editor wrote. While the list's date says that nobody
 * wrote since, it is as the base says. Else its text counts as not shown, for other changes too, because an edit carries it:
 * with `remote` everything stays; and without a file it is as B.
 *
 * Beside the fields of the file, a delete looks at what an editor may have set and no file says (banner, review date, icon,
 * search flag): if the list shows an edit since the last sync and one of them is set, the row `- A A` counts as `- A B`
 * (`editedBeside` in deletes.ts).
 *
 * A translation that may be there and that the service cannot show is unknown, unless the user takes the file's side: without a base
 * by `--adopt local` (update), with one by `--on-conflict local` (as if the remote were the base).
 */
export function reconcile(sides: Sides, choices: Choices, ways: Ways = NO_WAYS): Decision {
  const { file, base, remote, rule } = sides;
  if (file !== undefined) return reconcileFile({ ...sides, file }, choices, ways);
  if (base === undefined) return { verdict: 'nothing' };
  if (rule === 'released') return { verdict: 'forget' };
  const decision = withoutFile({ base, remote }, choices, ways);
  const takes = decision.verdict === 'delete' || decision.verdict === 'conflict';
  return rule === 'protected' && takes ? { verdict: 'keep' } : decision;
}

/** The rows of the table that have a file. */
export function reconcileFile(
  sides: Sides & { readonly file: Fields },
  choices: Choices,
  ways: Ways = NO_WAYS,
): FileDecision {
  const decision = withFile(sides, choices, ways);
  if (sides.rule !== 'protected' || decision.verdict !== 'update') return decision;
  const fields = decision.fields.filter((name) => isTakenFromReaders(name, sides));
  return fields.length === 0 ? decision : { verdict: 'protected', fields };
}

/** The page gets a new address, or becomes a draft. A slug that a run which died has left may be corrected all the same. */
function isTakenFromReaders(name: string, { file, base, remote }: Sides): boolean {
  const [ours, shown] = [file?.[name], shownBy(remote, name)];
  const now = shown ?? base?.sent[name];
  if (name === 'status') return ours === 'draft' && now !== 'draft';
  if (name !== 'slug' || now === undefined) return false;
  return typeof now !== 'string' || withoutMark(now) !== ours;
}

function withFile(
  { file, base, remote, isPulled }: Sides & { readonly file: Fields },
  choices: Choices,
  ways: Ways,
): FileDecision {
  switch (remote.state) {
    case 'unknown':
      return { verdict: 'unknown', why: remote.why };
    case 'unreadable':
      return unreadable(file, base, remote.why, choices);
    case 'absent':
      return base === undefined ? { verdict: 'create' } : goneFromRemote(file, base, choices);
    case 'taken':
      return takenByOther(file, base, remote, choices);
    case 'base':
      return base === undefined
        ? { verdict: 'unknown', why: 'the record was listed, not read' }
        : againstBase(file, base);
    case 'known':
      return base === undefined
        ? bothNew({ file, isPulled }, remote.record, choices, ways)
        : threeWay({ file, base, remote }, choices, ways);
  }
}

function withoutFile(
  { base, remote }: { readonly base: BaseRecord; readonly remote: RemoteSide },
  choices: Choices,
  ways: Ways,
): Decision {
  if (remote.state === 'unknown' || remote.state === 'unreadable')
    return { verdict: 'unknown', why: remote.why };
  if (remote.state === 'absent' || remote.state === 'taken') return { verdict: 'forget' };
  if (remote.state === 'base') return { verdict: 'delete' };
  const edited = Object.keys(base.sent).filter(
    (name) =>
      !remoteIsBase(name, base, remote.record.fields[name], ways) ||
      (name === bodyFieldOf(remote.record.kind) && isTextUnknown(base, remote)),
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

/** Somebody else's record has the id of ours, so ours is gone. It can be made again, unless the other one has its slug too. */
function takenByOther(
  file: Fields,
  base: BaseRecord | undefined,
  { by, record, isOnlyPlace }: Extract<RemoteSide, { state: 'taken' }>,
  choices: Choices,
): FileDecision {
  if (base === undefined || isOnlyPlace || equal(file['slug'] ?? '', record.fields['slug']))
    return { verdict: 'taken', by, id: record.id };
  if (choices.onConflict === 'local') return { verdict: 'create' };
  return { verdict: 'conflict', code: 'replaced', fields: [] };
}

/** Nobody can see what would be overwritten, so only the user can say that it may be. */
function unreadable(file: Fields, base: BaseRecord | undefined, why: string, choices: Choices): FileDecision {
  if (base !== undefined && choices.onConflict === 'local') return againstBase(file, base);
  if (base === undefined && choices.adopt === 'local')
    return { verdict: 'update', fields: Object.keys(file), drift: [], acknowledged: [] };
  const flag = base === undefined ? '--adopt local' : '--on-conflict local';
  return { verdict: 'unknown', why: `${why}; ${flag} overwrites it without reading it` };
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

function bothNew(
  { file, isPulled }: Pick<Sides, 'isPulled'> & { readonly file: Fields },
  record: KnownRecord,
  choices: Choices,
  ways: Ways,
): FileDecision {
  const { kind } = record;
  const fields = Object.entries(file)
    .filter(([name, value]) => {
      const theirs = record.fields[name];
      if (theirs !== undefined && isSameMeaning({ kind, name }, value, theirs, ways)) return false;
      return theirs === undefined || name !== bodyFieldOf(kind) || isPulled?.() !== true;
    })
    .map(([name]) => name);
  if (fields.every((name) => record.fields[name] === undefined)) return { verdict: 'adopt' };
  if (choices.adopt === 'local')
    return orDraft({ verdict: 'update', fields, drift: [], acknowledged: [] }, record, choices);
  if (choices.adopt === 'remote') return { verdict: 'acknowledge', fields };
  const ordered = fields.filter((name) => isUnordered(name, record));
  if (fields.every((name) => record.fields[name] === undefined || ordered.includes(name)))
    return orDraft({ verdict: 'update', fields: ordered, drift: [], acknowledged: [] }, record, choices);
  return { verdict: 'conflict', code: 'both-new', fields };
}

/** Who makes a record gives it an order (the API wants one), and 0 is what it gets where nobody thought of any. */
function isUnordered(name: string, { fields }: KnownRecord): boolean {
  return OF_ORDER.has(name) && fields[name] === 0;
}

function threeWay(three: Three, choices: Choices, ways: Ways): FileDecision {
  const { base, remote } = three;
  const { record } = remote;
  const body = bodyFieldOf(record.kind);
  const isUnknown = isTextUnknown(base, remote);
  const fields = standings(three, ways);
  const update = namesOf(fields, 'ours');
  const drift = namesOf(fields, 'theirs');
  const conflict = namesOf(fields, 'both');
  const unseen = namesOf(fields, 'unseen');
  const isWritten = update.length + (choices.onDrift === 'overwrite' ? drift.length : 0) > 0;
  const overwrites = isWritten || (choices.onConflict === 'local' && conflict.length + unseen.length > 0);
  if (isUnknown && overwrites && !unseen.includes(body)) unseen.push(body);
  const carried = overwrites ? carriedUnseen(three) : [];
  unseen.push(...carried.filter((name) => !unseen.includes(name)));
  if (conflict.length + unseen.length > 0) {
    if (choices.onConflict === 'fail') {
      const code = conflict.length > 0 ? 'both-changed' : 'not-shown';
      const alsoDrift = drift.length > 0 ? { drift } : {};
      return { verdict: 'conflict', code, fields: [...conflict, ...unseen], ...alsoDrift };
    }
    if (choices.onConflict === 'local') update.push(...conflict, ...unseen);
  }
  if (choices.onDrift === 'overwrite') update.push(...drift.splice(0));
  const acknowledged = choices.onConflict === 'remote' ? [...conflict, ...unseen] : [];
  if (choices.onDrift === 'acknowledge') acknowledged.push(...drift.splice(0));
  if ((isUnknown || carried.length > 0) && choices.onConflict === 'remote' && update.length > 0)
    return { verdict: 'acknowledge', fields: [...update, ...acknowledged] };
  if (update.length > 0)
    return orDraft({ verdict: 'update', fields: update, drift, acknowledged }, record, choices);
  if (acknowledged.length > 0) return { verdict: 'acknowledge', fields: acknowledged };
  if (drift.length > 0) return { verdict: 'drift', drift };
  const isNews = [...fields.values()].some((each) => each === 'agreed' || each === 'unread');
  return { verdict: isNews ? 'adopt' : 'unchanged' };
}

/** What an edit must carry, the file says and the service does not show: nobody can tell what it would overwrite. */
function carriedUnseen({ file, remote }: Three): readonly string[] {
  const { kind, fields } = remote.record;
  if (kind !== 'article') return [];
  return Object.keys(file).filter(
    (name) => fields[name] === undefined && fieldsOf(kind).get(name)?.empty !== undefined,
  );
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

function equal(a: FieldValue, b: FieldValue | undefined): boolean {
  return b !== undefined && same(a, b);
}

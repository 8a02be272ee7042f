import { same } from '../model/digest.ts';
import type { FieldValue } from '../model/fields.ts';
import { bodyFieldOf, isList, referenceFieldsOf } from '../model/fields.ts';
import { standsIn } from '../model/html/words.ts';
import type { Family, Key, Kind } from '../model/key.ts';
import { KINDS, familyOf, keyIn, kindOf, langOf, idKey, isOriginal } from '../model/key.ts';
import { answersFor, sameLanguage } from '../model/language.ts';
import { once } from '../model/once.ts';
import type { BaseRecord, BaseValue, DesiredRecord, KnownRecord } from '../model/record.ts';
import { addAll } from '../text/many.ts';
import type { Change, Conflict, Hold, Kept, Plan } from './plan.ts';
import type { PlanInput } from './plan-input.ts';
import type { RemoteSide } from './sides.ts';
import { reconcile } from './reconcile.ts';
import { shownBy } from './field-standing.ts';
import { isSelected, isUndisputed, ruleOf } from './selection.ts';
import { isDigest, sameAsBase } from './compare.ts';

export interface DeletePlan {
  readonly changes: readonly Change[];
  readonly conflicts: readonly Conflict[];
  readonly kept: readonly Kept[];
  readonly holds: readonly Hold[];
  /** Managed records whose files the settings exclude: they are not gone, and nothing becomes of them. */
  readonly excluded: readonly Key[];
  readonly forgotten: readonly Key[];
  /** Families with a fileless record that could not be read, or that is protected and was edited. */
  readonly unsettled: ReadonlySet<Family>;
  /** All managed records whose file is gone. */
  readonly gone: number;
}

type Delete = Change & { readonly id: string };

/** Deletes are asked for by a flag, or by name: for single records. */
export function asksDeletes({ prune, only }: Pick<PlanInput, 'prune' | 'only'>): boolean {
  return prune || (only !== undefined && only.what !== 'part');
}

/**
 * What becomes of records whose file is gone. Deletes need `--prune` and a plan without open questions (`holdsOf`);
 * a record with edits that we have not seen is a conflict; an original stays while a translation of it stays, because
 * some services delete or orphan translations with it; a category or tag stays while records that stay name it.
 */
export function planDeletes(
  input: PlanInput,
  rest: Pick<Plan, 'changes' | 'conflicts' | 'blocked' | 'unmatched'>,
): DeletePlan {
  const { desired } = input;
  const missing = [...input.base.records.values()]
    .filter(({ key }) => !desired.records.has(key) && isSelected(key, input))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const excluded = missing.length === 0 ? undefined : desired.excluded?.();
  const isThere = (key: Key): boolean => excluded?.has(key) === true || desired.withheld?.has(key) === true;
  const gone = missing.filter(({ key }) => !isThere(key));
  const changes: Delete[] = [];
  const conflicts: Conflict[] = [];
  const kept: Kept[] = [];
  const forgotten: Key[] = [];
  const edited: Key[] = [];
  const families = once(
    () =>
      new Set(
        [...desired.records.values()].filter(({ isOriginal }) => !isOriginal).map(({ family }) => family),
      ),
  );
  const orphans = once(() => orphansOf(input));
  const moved = new Set<Key>();
  for (const base of gone) {
    const { key } = base;
    const remote: RemoteSide = input.remote.get(key) ?? { state: 'unknown', why: 'it was not read' };
    const sides = { file: undefined, base, remote, rule: ruleOf(key, input) };
    if (isUndisputed(sides, input)) continue;
    const decision = reconcile(sides, input.choices, input.ways);
    const beside = decision.verdict === 'delete' ? editedBeside(base, remote, input) : [];
    const keep = (reason: Kept['reason']) => kept.push({ kind: kindOf(key), key, id: base.id, reason });
    if (decision.verdict === 'forget') forgotten.push(key);
    else if (decision.verdict === 'unknown') keep('unreadable');
    else if (decision.verdict === 'keep') {
      keep('protected');
      // Its file may come back: then the edit is told.
      const free = reconcile({ ...sides, rule: undefined }, input.choices, input.ways);
      if (free.verdict === 'conflict') edited.push(key);
    } else if (decision.verdict === 'conflict') conflicts.push(conflictOf(base, remote, decision.fields));
    else if (!asksDeletes(input)) keep('no-prune');
    else if (beside.length > 0 && input.choices.onConflict === 'remote') forgotten.push(key);
    else if (beside.length > 0 && input.choices.onConflict === 'fail')
      conflicts.push(conflictOf(base, remote, beside));
    else if (families().has(familyOf(key)) && isOriginal(key, desired)) keep('translations');
    else {
      const elsewhere = movedAway(base, orphans());
      for (const orphan of elsewhere) moved.add(orphan);
      if (elsewhere.length > 0) keep('unsettled');
      else changes.push(deleteOf(base, input));
    }
  }
  // What is forgotten because the service's side was chosen stays there, and its original with it.
  const lost = new Set(forgotten.filter((key) => input.remote.get(key)?.state === 'absent'));
  const { going, staying } = withoutTaking(changes, { writes: rest.changes, lost }, input);
  addAll(kept, staying);
  const open = holdsOf({ ...rest, conflicts: [...rest.conflicts, ...conflicts] }, input);
  const isClear = open.length === 0;
  if (!isClear) {
    for (const { kind, key, id } of going) kept.push({ kind, key, id, reason: 'unsettled' });
  }
  const orphaned = [...moved].map((key): Hold => ({ what: 'blocked', key }));
  return {
    changes: isClear ? childrenFirst(going, input) : [],
    conflicts,
    kept,
    holds: going.length === 0 ? orphaned : [...open, ...orphaned],
    excluded: missing.flatMap(({ key }) => (excluded?.has(key) === true ? [key] : [])),
    forgotten,
    unsettled: new Set(
      [...edited, ...kept.flatMap(({ key, reason }) => (reason === 'unreadable' ? [key] : []))].map(familyOf),
    ),
    gone: gone.length,
  };
}

/** Nobody but an editor sets these where no file says them: kbsync sends nothing of them, and of the excerpt the beginning of the text. */
const EDITORS_OWN = [
  'seoBannerUrl',
  'hideFromSearch',
  'articleReviewDate',
  'thumbnailUrl',
  'iconUrl',
  'excerpt',
];

/**
 * What an editor may have set since the last sync of what no file says: the list shows an edit, and there it is. A translation
 * is made with what its original has (G5), so what it has in common with that is nobody's edit.
 */
function editedBeside(base: BaseRecord, remote: RemoteSide, input: PlanInput): readonly string[] {
  if (remote.state !== 'known') return [];
  const family = familyOf(base.key);
  const original = keyIn(family, input.desired.defaultLanguage);
  const before = input.base.records.get(original)?.seen;
  if (before !== undefined && before === input.seen.get(family)) return [];
  return EDITORS_OWN.filter((name) => {
    const shown = remote.record.fields[name];
    if (base.sent[name] !== undefined || shown === undefined || shown === null || shown === false)
      return false;
    if (name === 'excerpt' && isOfTheText(shown, remote.record)) return false;
    const side = input.remote.get(original);
    return base.key === original || side === undefined || !same(shownBy(side, name) ?? null, shown);
  });
}

/** As the excerpt is that a create sends, or that a service makes. */
function isOfTheText(excerpt: FieldValue, { kind, fields }: KnownRecord): boolean {
  const text = fields[bodyFieldOf(kind)];
  return typeof text !== 'string' || standsIn(String(excerpt), text);
}

/** What must be closed before anything is deleted: a list that may be cut proves no absence, and no move. */
function holdsOf(
  { conflicts, blocked, unmatched }: Pick<Plan, 'conflicts' | 'blocked' | 'unmatched'>,
  { lists, allow }: PlanInput,
): readonly Hold[] {
  return [
    ...unmatched.map((word): Hold => ({ what: 'unmatched', word })),
    ...conflicts.map(({ key }): Hold => ({ what: 'conflict', key })),
    ...blocked
      .filter(({ reason }) => reason !== 'original-missing' && reason !== 'shared')
      .map(({ key }): Hold => ({ what: 'blocked', key })),
    ...KINDS.flatMap((kind): readonly Hold[] => {
      const { complete, why = 'nothing proves that it is complete', isLeaky = false, isUnread } = lists[kind];
      if (complete || (allow.has('incomplete-list') && !isLeaky)) return [];
      return [{ what: 'list', kind, why, isLeaky, ...(isUnread === true ? { isUnread } : {}) }];
    }),
  ];
}

interface Beside {
  readonly writes: readonly Change[];
  /** Gone from the service already. */
  readonly lost: ReadonlySet<Key>;
}

/** What does not change from one look at the deletes to the next. */
interface Around extends Beside {
  readonly usersOf: ReturnType<typeof usersAfter>;
  readonly keysOf: ReadonlyMap<Family, readonly Key[]>;
  readonly input: PlanInput;
}

/** Deletes that take nothing along which is to stay; what stays may itself keep others from going. */
function withoutTaking(
  wanted: readonly Delete[],
  beside: Beside,
  input: PlanInput,
): { readonly going: readonly Delete[]; readonly staying: readonly Kept[] } {
  const staying: Kept[] = [];
  if (wanted.length === 0) return { going: wanted, staying };
  const around = { ...beside, usersOf: usersAfter(beside.writes, input), keysOf: keysByFamily(input), input };
  let going = wanted;
  for (;;) {
    const stays = stayingOf(going, around);
    if (stays.length === 0) return { going, staying };
    const keys = new Set(stays.map(({ key }) => key));
    going = going.filter(({ key }) => !keys.has(key));
    addAll(staying, stays);
  }
}

function stayingOf(
  changes: readonly Delete[],
  { writes, lost, usersOf, keysOf, input }: Around,
): readonly Kept[] {
  const going = new Set([...changes.map(({ key }) => key), ...lost]);
  // While articles are written or deleted in this very run, only the service can say afterwards what is still in use.
  const isMoving = [...changes, ...writes].some(({ kind }) => kind === 'article');
  return changes.flatMap(({ key, kind, id, isTranslation }): readonly Kept[] => {
    if (isTranslation === true) return [];
    const family = familyOf(key);
    const view = input.views.get(family);
    // What goes is in the base, and its family with it.
    const known = keysOf.get(family) as readonly Key[];
    const shown = view?.languages ?? [];
    /**
     * The service keeps it as `fr-FR`, and the very text that we wrote in `fr` was read. Of two such languages one is
     * somebody else's, and so is any region of the original's.
     */
    const isRegional = (other: Key, lang: string): boolean =>
      other !== key &&
      answersFor(lang, langOf(other)) &&
      input.remote.get(other)?.state === 'known' &&
      shown.filter((each) => answersFor(each, langOf(other))).length === 1;
    const isKnown = (lang: string): boolean =>
      known.some((other) => sameLanguage(langOf(other), lang) || isRegional(other, lang));
    const unknown = shown.filter((lang) => !isKnown(lang));
    if (unknown.length > 0 || known.some((other) => other !== key && !going.has(other)))
      return [{ kind, key, id, reason: 'translations' }];
    const users = usersOf(kind, id, going);
    if (users.length > 0) return [{ kind, key, id, reason: 'in-use', users }];
    return view?.inUse === true && !isMoving ? [{ kind, key, id, reason: 'in-use' }] : [];
  });
}

function keysByFamily({ base }: PlanInput): ReadonlyMap<Family, readonly Key[]> {
  const keys = new Map<Family, Key[]>();
  for (const key of base.records.keys()) {
    const known = keys.get(familyOf(key));
    if (known === undefined) keys.set(familyOf(key), [key]);
    else known.push(key);
  }
  return keys;
}

/** Translations that have a file, and no original. */
function orphansOf({ desired }: PlanInput): readonly DesiredRecord[] {
  return [...desired.records.values()].filter(
    ({ isOriginal: isOwn, family }) => !isOwn && !desired.records.has(keyIn(family, desired.defaultLanguage)),
  );
}

/** A translation's file that was moved away from its original cannot be placed, but it is not gone. */
function movedAway(base: BaseRecord, orphans: readonly DesiredRecord[]): readonly Key[] {
  return orphans
    .filter(
      (file) =>
        file.kind === kindOf(base.key) &&
        file.lang === langOf(base.key) &&
        (file.fields['slug'] === base.sent['slug'] || hasItsText(file, base)),
    )
    .map(({ key }) => key);
}

/** Of an edit whose answer was lost, the base has what was sent, and not what that was made of. */
function hasItsText({ body }: DesiredRecord, { input, sent }: BaseRecord): boolean {
  if (body === undefined) return false;
  const known = input === undefined ? sent[body.field] : undefined;
  return known === undefined ? body.inputDigest === input : sameAsBase(body.render(), known);
}

function deleteOf(base: BaseRecord, input: PlanInput): Delete {
  const { key } = base;
  const remote = input.remote.get(key);
  const slug = base.sent['slug'];
  const name = base.sent['title'] ?? base.sent['name'];
  return {
    action: 'delete',
    kind: kindOf(key),
    key,
    lang: langOf(key),
    slug: typeof slug === 'string' ? slug : '',
    name: typeof name === 'string' ? name : '',
    // A translation is deleted by its own id; the base holds its original's.
    id: remote?.state === 'known' ? remote.record.ownId : base.id,
    fields: [],
    ...(isOriginal(key, input.desired) ? {} : { isTranslation: true }),
  };
}

function conflictOf(base: BaseRecord, remote: RemoteSide, fields: readonly string[]): Conflict {
  return {
    kind: kindOf(base.key),
    key: base.key,
    lang: langOf(base.key),
    code: 'delete-modified',
    id: base.id,
    witness: 'state',
    fields: fields.map((field) => ({
      field,
      base: base.sent[field],
      remote: shownBy(remote, field),
    })),
  };
}

/** Categories that lie below others come first: by what the service shows of their parents, else by the base. Ties stay. */
function childrenFirst(changes: readonly Delete[], input: PlanInput): readonly Delete[] {
  const parentOf = new Map<string, string>();
  for (const { key, id, sent } of input.base.records.values()) {
    const remote = input.remote.get(key);
    const parent =
      remote?.state === 'known' ? remote.record.fields['categoryParent'] : sent['categoryParent'];
    if (kindOf(key) === 'category' && typeof parent === 'string') parentOf.set(id, parent);
  }
  const depth = (id: string): number => {
    let steps = 0;
    for (let at = parentOf.get(id); at !== undefined && steps < parentOf.size; at = parentOf.get(at))
      steps += 1;
    return steps;
  };
  const rank = ({ kind, id }: Delete) => (kind === 'category' ? -depth(id) : 0);
  return changes
    .map((change) => ({ change, rank: rank(change) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ change }) => change);
}

/**
 * Which records name a category or tag by its id once these changes are carried out, as far as this run knows it: a
 * record that it writes says what its file says, one that was read says what the service shows, any other what the last
 * sync left there. Records that are `going`, and those of nobody's files, are not asked. An id is one of its kind: a
 * service may count categories and tags apart.
 */
function usersAfter(
  changes: readonly Change[],
  input: PlanInput,
): (kind: Kind, id: string, going: ReadonlySet<Key>) => readonly Key[] {
  const written = new Map(changes.map((change) => [change.key, change]));
  const users = new Map<string, Key[]>();
  for (const key of new Set([...input.base.records.keys(), ...input.desired.records.keys()])) {
    for (const { name, of } of referenceFieldsOf(kindOf(key))) {
      const planned = written.get(key)?.fields.find(({ field }) => field === name);
      const value = planned === undefined ? valueNow(key, name, input) : planned.after;
      for (const id of idsIn(value)) {
        const known = users.get(idKey(of, id));
        if (known === undefined) users.set(idKey(of, id), [key]);
        else known.push(key);
      }
    }
  }
  return (kind, id, going) => (users.get(idKey(kind, id)) ?? []).filter((key) => !going.has(key)).toSorted();
}

function valueNow(key: Key, field: string, input: PlanInput): BaseValue | undefined {
  const side = input.remote.get(key);
  if (side?.state === 'known') return shownBy(side, field);
  if (side?.state === 'absent') return undefined;
  const base = input.base.records.get(key);
  return base?.observed?.[field] ?? base?.sent[field];
}

/** Ids that a reference field holds. */
export function idsIn(value: BaseValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  return value === undefined || isDigest(value) || !isList(value) ? [] : value;
}

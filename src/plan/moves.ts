import type { Family, Key } from '../model/key.ts';
import { familyOf, keyIn, kindOf, langOf, idKey, isOriginal } from '../model/key.ts';
import type { BaseRecord, BaseState, DesiredRecord, DesiredState } from '../model/record.ts';
import { seenAs } from '../model/record.ts';
import type { Learnt } from './plan.ts';

/**
 * Files that were moved or renamed: a record whose file is gone and a new file that is plainly the same (the same slug,
 * or the same text where only one pair fits), or what the author says was moved. Their base records move to the new key, so a rename is an
 * update of one record and never a delete and a create.
 */
export function findMoves(desired: DesiredState, base: BaseState): Moved {
  const told = movedAsTold(desired, base);
  const followed = movedAfter(desired, told.base);
  const moved = movedFamilies(desired, followed.base);
  const moves = [...told.moves, ...followed.moves, ...moved.moves];
  return moves.length === 0 ? { base: moved.base, moves } : lookedAtAgain(moved.base, moves, desired);
}

/**
 * Where a move joins records that were apart, such as a translation that its original had left behind, nobody looked at one of
 * them meanwhile: what the list shows of the family proves nothing of it.
 */
function lookedAtAgain(
  base: BaseState,
  moves: readonly MovedRecord[],
  { defaultLanguage }: DesiredState,
): Moved {
  const from = new Map(moves.map((move) => [move.record.key, familyOf(move.from)]));
  const sources = new Map<Family, Set<Family>>(
    moves.map(({ record }) => [familyOf(record.key), new Set<Family>()]),
  );
  for (const key of base.records.keys()) sources.get(familyOf(key))?.add(from.get(key) ?? familyOf(key));
  const joined = new Set([...sources].filter(([, { size }]) => size > 1).map(([family]) => family));
  const records = new Map(base.records);
  for (const { record } of moves) {
    const original = records.get(keyIn(familyOf(record.key), defaultLanguage));
    if (original !== undefined && joined.has(familyOf(record.key)))
      records.set(original.key, seenAs(original, undefined));
  }
  return {
    base: { ...base, records },
    moves: moves.map((move) =>
      joined.has(familyOf(move.record.key)) ? { ...move, record: seenAs(move.record, undefined) } : move,
    ),
  };
}

interface Moved {
  readonly base: BaseState;
  readonly moves: readonly MovedRecord[];
}

type MovedRecord = Extract<Learnt, { readonly from?: Key }> & { readonly from: Key };

/** What the author says, whatever else changed: all languages of a record, unless the new name has a record already. */
function movedAsTold({ moved }: DesiredState, base: BaseState): Moved {
  if (moved === undefined) return { base, moves: [] };
  const records = new Map(base.records);
  const moves: MovedRecord[] = [];
  const known = new Set([...base.records.keys()].map(familyOf));
  for (const record of base.records.values()) {
    const family = moved.get(familyOf(record.key));
    if (family === undefined || known.has(family)) continue;
    const key = keyIn(family, langOf(record.key));
    const now = { ...record, key };
    records.delete(record.key);
    records.set(key, now);
    moves.push({ how: 'moved', record: now, from: record.key });
  }
  return moves.length === 0 ? { base, moves } : { base: { ...base, records }, moves };
}

/** Translations that follow their original in a later run: the id they remember is that of the original's new key. */
function movedAfter(desired: DesiredState, base: BaseState): Moved {
  const strays = [...base.records.values()].filter(
    ({ key }) => !isOriginal(key, desired) && !desired.records.has(key),
  );
  if (strays.length === 0) return { base, moves: [] };
  const families = new Map<string, Family>();
  for (const { key, id } of base.records.values())
    if (isOriginal(key, desired)) families.set(idKey(kindOf(key), id), familyOf(key));
  const records = new Map(base.records);
  const moves: MovedRecord[] = [];
  for (const record of strays) {
    const family = families.get(idKey(kindOf(record.key), record.id));
    if (family === undefined || family === familyOf(record.key)) continue;
    const key = keyIn(family, langOf(record.key));
    if (!desired.records.has(key) || records.has(key)) continue;
    const moved = { ...record, key };
    records.delete(record.key);
    records.set(key, moved);
    moves.push({ how: 'moved', record: moved, from: record.key });
  }
  return moves.length === 0 ? { base, moves } : { base: { ...base, records }, moves };
}

function movedFamilies(desired: DesiredState, base: BaseState): Moved {
  const orphaned = [...base.records.values()].filter(({ key }) => speaksForGone(key, desired, base));
  if (orphaned.length === 0) return { base, moves: [] };
  const known = new Set([...base.records.keys()].map(familyOf));
  const arrived = [...desired.records.values()].filter(
    ({ key, family, isOriginal }) => (isOriginal && !base.records.has(key)) || !known.has(family),
  );
  const target = new Map<Family, Family>();
  // An original speaks for its record before a translation that an earlier move left behind.
  const originals = orphaned.filter(({ key }) => langOf(key) === desired.defaultLanguage);
  const others = orphaned.filter(({ key }) => langOf(key) !== desired.defaultLanguage);
  for (const speakers of [originals, others]) {
    for (const witness of [slugWitness, textWitness]) {
      const open = speakers.filter(({ key }) => !target.has(familyOf(key)));
      const taken = new Set(target.values());
      const free = arrived.filter(({ family }) => !taken.has(family));
      for (const [from, to] of pairs(open, free, witness)) {
        if (target.has(from) || taken.has(to)) continue;
        target.set(from, to);
        taken.add(to);
      }
    }
  }
  if (target.size === 0) return { base, moves: [] };
  const records = new Map(base.records);
  const moves: MovedRecord[] = [];
  for (const record of base.records.values()) {
    const family = target.get(familyOf(record.key));
    if (family === undefined) continue;
    const key = keyIn(family, langOf(record.key));
    if (!desired.records.has(key) || desired.records.has(record.key) || base.records.has(key)) continue;
    const moved = { ...record, key };
    records.delete(record.key);
    records.set(key, moved);
    moves.push({ how: 'moved', record: moved, from: record.key });
  }
  return { base: { ...base, records }, moves };
}

/** The original of a family whose file is gone; where only translations are known of it (its own is disputed), each of them. */
function speaksForGone(key: Key, desired: DesiredState, base: BaseState): boolean {
  const original = keyIn(familyOf(key), desired.defaultLanguage);
  if (desired.records.has(original)) return false;
  return key === original || !base.records.has(original);
}

type Witness = {
  readonly old: (record: BaseRecord) => string | undefined;
  readonly now: (record: DesiredRecord) => string | undefined;
};

const slugWitness: Witness = {
  old: ({ key, sent }) =>
    typeof sent['slug'] === 'string' ? `${kindOf(key)} ${langOf(key)} ${sent['slug']}` : undefined,
  now: ({ kind, lang, fields }) =>
    typeof fields['slug'] === 'string' ? `${kind} ${lang} ${fields['slug']}` : undefined,
};

const textWitness: Witness = {
  old: ({ key, input }) => (input === undefined ? undefined : `${kindOf(key)} ${langOf(key)} ${input}`),
  now: ({ kind, lang, body }) => (body === undefined ? undefined : `${kind} ${lang} ${body.inputDigest}`),
};

/** Pairs that share a mark which nobody else on either side has. */
function pairs(
  gone: readonly BaseRecord[],
  arrived: readonly DesiredRecord[],
  witness: Witness,
): readonly (readonly [Family, Family])[] {
  const olds = groupedBy(gone, witness.old);
  const news = groupedBy(arrived, witness.now);
  return [...olds].flatMap(([mark, records]) => {
    const [old, ...moreOld] = records;
    const [now, ...moreNow] = news.get(mark) ?? [];
    if (now === undefined || moreOld.length + moreNow.length > 0) return [];
    return [[familyOf(old.key), now.family] as const];
  });
}

function groupedBy<T>(
  items: readonly T[],
  markOf: (item: T) => string | undefined,
): ReadonlyMap<string, readonly [T, ...T[]]> {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const mark = markOf(item);
    if (mark === undefined) continue;
    const group = groups.get(mark);
    if (group === undefined) groups.set(mark, [item]);
    else group.push(item);
  }
  return groups;
}

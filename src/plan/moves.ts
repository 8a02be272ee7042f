import type { Family, Key } from '../model/key.ts';
import { familyOf, keyIn, kindOf, langOf, idKey, isOriginal } from '../model/key.ts';
import type { BaseRecord, BaseState, DesiredRecord, DesiredState } from '../model/record.ts';
import { seenAs } from '../model/record.ts';
import type { OneMark } from './move-witnesses.ts';
import {
  familyTexts,
  familyWitness,
  nameWitness,
  pairs,
  slugWitness,
  textWitness,
  titledTextWitness,
  translationWitness,
  writtenWitness,
} from './move-witnesses.ts';
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
  const left = leftBehind(desired, moved.base);
  const moves = inOneStep([...told.moves, ...followed.moves, ...moved.moves, ...left.moves]);
  return moves.length === 0 ? { base: left.base, moves } : lookedAtAgain(left.base, moves, desired);
}

/** A record that made room and was found by then went straight to its file. */
function inOneStep(moves: readonly MovedRecord[]): readonly MovedRecord[] {
  const steps = new Map<Key, MovedRecord>();
  for (const move of moves) {
    const before = steps.get(move.from);
    // The name that it left belongs to what it made room for.
    const isOnward = before !== undefined && before.record.id === move.record.id;
    if (isOnward) steps.delete(move.from);
    steps.set(move.record.key, isOnward ? { ...move, from: before.from } : move);
  }
  return [...steps.values()];
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

/**
 * What the author says, whatever else changed: all languages of a record. Where files changed places, a name may belong to another
 * record as far as the base knows: who says an earlier name is no new page, and who has the text of another is no longer that one.
 */
function movedAsTold({ moved, ...desired }: DesiredState, base: BaseState): Moved {
  if (moved === undefined) return { base, moves: [] };
  const known = new Set([...base.records.keys()].map(familyOf));
  const arrived = [...desired.records.values()].filter(
    ({ family, isOriginal }) => isOriginal && !known.has(family),
  );
  const sides = { desired, base, arrived };
  const renames = new Map<Family, Family>();
  const taken = new Set<Family>();
  const rename = (from: Family, to: Family): void => {
    renames.set(from, to);
    taken.add(to);
  };
  for (const [origin, target] of moved) {
    // Of two records that one file claims, the second stays, and the plan names it.
    if (!known.has(origin) || taken.has(target) || isCrossed({ origin, target }, sides)) continue;
    if (!known.has(target)) rename(origin, target);
    else if (makesRoom({ origin, target }, sides)) {
      rename(origin, target);
      // For `movedFamilies` to find its file.
      rename(target, origin);
    }
  }
  const claimants = new Set([...moved.values()].filter((family) => !known.has(family) && !taken.has(family)));
  for (const [from, to] of holdersOf(claimants, sides))
    if (!renames.has(from) && !taken.has(to)) rename(from, to);
  return renames.size === 0 ? { base, moves: [] } : renamed(base, renames);
}

/** All at once, because two records can change names. */
function renamed(base: BaseState, renames: ReadonlyMap<Family, Family>): Moved {
  const records = new Map<Key, BaseRecord>();
  const moves: MovedRecord[] = [];
  for (const record of base.records.values()) {
    const family = renames.get(familyOf(record.key));
    if (family === undefined) continue;
    const now = { ...record, key: keyIn(family, langOf(record.key)) };
    records.set(now.key, now);
    moves.push({ how: 'moved', record: now, from: record.key });
  }
  for (const record of base.records.values())
    if (!renames.has(familyOf(record.key))) records.set(record.key, record);
  return { base: { ...base, records }, moves };
}

interface ToldSides {
  readonly desired: Omit<DesiredState, 'moved'>;
  readonly base: BaseState;
  /** Originals of whose names no record is known. */
  readonly arrived: readonly DesiredRecord[];
}

interface Told {
  readonly origin: Family;
  readonly target: Family;
}

/**
 * Whether the earlier name was another page's at the last sync: that page's text is in a new file, and this file has the text or slug of a third
 * one. Two files changed places before one of them was moved.
 */
function isCrossed({ origin, target }: Told, { desired, base, arrived }: ToldSides): boolean {
  const file = desired.records.get(keyIn(target, desired.defaultLanguage));
  const claimed = base.records.get(keyIn(origin, desired.defaultLanguage));
  if (fits(claimed, file, textWitness)) return false;
  return (
    arrived.some((other) => fits(claimed, other, textWitness)) &&
    [...base.records.values()].some((record) => {
      const own = desired.records.get(record.key);
      return [textWitness, slugWitness].some(
        (witness) => fits(record, file, witness) && (own === undefined || !fits(record, own, witness)),
      );
    })
  );
}

/**
 * Whether the record that has a file's name is not the file's, because the file is that of its earlier name: by slug or text, or because
 * what had its name is plainly in another file. An earlier name that stayed in a file for years must not take its record away.
 */
function makesRoom({ origin, target }: Told, { desired, base, arrived }: ToldSides): boolean {
  const file = desired.records.get(keyIn(target, desired.defaultLanguage));
  const claimed = base.records.get(keyIn(origin, desired.defaultLanguage));
  const holder = base.records.get(keyIn(target, desired.defaultLanguage));
  if (fits(holder, file, textWitness)) return false;
  if (arrived.some((other) => fits(holder, other, textWitness))) return true;
  if (fits(holder, file, slugWitness)) return false;
  return (
    fits(claimed, file, slugWitness) ||
    fits(claimed, file, textWitness) ||
    arrived.some((other) => fits(holder, other, slugWitness))
  );
}

/** Records whose own file is another page now, with the new file that has their text or slug and says an earlier name that nobody knows. */
function holdersOf(
  claimants: ReadonlySet<Family>,
  { desired, base, arrived }: ToldSides,
): readonly (readonly [Family, Family])[] {
  if (claimants.size === 0) return [];
  const claiming = arrived.filter(({ family }) => claimants.has(family));
  const held = [...base.records.values()].filter((record) => {
    const file = desired.records.get(record.key);
    return file?.isOriginal === true && !fits(record, file, textWitness) && !fits(record, file, slugWitness);
  });
  const moved = [...base.records.values()].filter((record) => {
    const file = desired.records.get(record.key);
    return file?.isOriginal === true && !fits(record, file, textWitness);
  });
  return [...pairs(held, claiming, slugWitness), ...pairs(moved, claiming, textWitness)];
}

function fits(record: BaseRecord | undefined, file: DesiredRecord | undefined, witness: OneMark): boolean {
  if (record === undefined || file === undefined) return false;
  const mark = witness.old(record);
  return mark !== undefined && mark === witness.now(file);
}

/** Translations that follow their original in a later run: the id they remember is that of the original's new key. */
function movedAfter(desired: DesiredState, base: BaseState): Moved {
  return byTheirId(base, desired, {
    isStray: ({ key }) => !desired.records.has(key),
    isPlace: (key) => desired.records.has(key),
  });
}

/** Translations that were left behind, and whose original's old name a new page has: their own files are translations of that page now. */
function leftBehind(desired: DesiredState, base: BaseState): Moved {
  return byTheirId(base, desired, {
    isStray: (record) => isAnotherPages(record, desired, base),
    isPlace: () => true,
  });
}

/** Moves translations to the original whose id they remember. */
function byTheirId(
  base: BaseState,
  desired: DesiredState,
  {
    isStray,
    isPlace,
  }: { readonly isStray: (record: BaseRecord) => boolean; readonly isPlace: (key: Key) => boolean },
): Moved {
  const strays = [...base.records.values()].filter(
    (record) => !isOriginal(record.key, desired) && isStray(record),
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
    if (!isPlace(key) || records.has(key)) continue;
    const moved = { ...record, key };
    records.delete(record.key);
    records.set(key, moved);
    moves.push({ how: 'moved', record: moved, from: record.key });
  }
  return moves.length === 0 ? { base, moves } : { base: { ...base, records }, moves };
}

/** Whether the original in the files is not the record that the translation belongs to. */
function isAnotherPages({ key, id }: BaseRecord, desired: DesiredState, base: BaseState): boolean {
  const original = keyIn(familyOf(key), desired.defaultLanguage);
  return desired.records.has(original) && base.records.get(original)?.id !== id;
}

function movedFamilies(desired: DesiredState, base: BaseState): Moved {
  const orphaned = [...base.records.values()].filter(({ key }) => speaksForGone(key, desired, base));
  if (orphaned.length === 0) return { base, moves: [] };
  const known = new Set([...base.records.keys()].map(familyOf));
  const arrived = [...desired.records.values()].filter(
    ({ key, family, isOriginal }) => (isOriginal && !base.records.has(key)) || !known.has(family),
  );
  const target = new Map<Family, Family>();
  const texts = familyTexts(desired, base);
  const closer = [
    titledTextWitness,
    familyWitness(texts),
    translationWitness(texts),
    writtenWitness,
    nameWitness,
  ];
  // An original speaks for its record before a translation that an earlier move left behind.
  const originals = orphaned.filter(({ key }) => langOf(key) === desired.defaultLanguage);
  const others = orphaned.filter(({ key }) => langOf(key) !== desired.defaultLanguage);
  for (const speakers of [originals, others]) {
    for (const witness of [slugWitness, textWitness, ...closer]) {
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

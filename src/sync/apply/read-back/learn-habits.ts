import { differenceOf, isFormal } from '../../../model/compare/difference.ts';
import type { FieldValue } from '../../../model/fields.ts';
import { bodyFieldOf, isList, nameFieldOf, isStatus } from '../../../model/fields.ts';
import type { Difference } from '../../../model/html/habits.ts';
import { withDifference } from '../../../model/html/habits.ts';
import { hasSameAddresses } from '../../../model/html/letters.ts';
import { withoutParts } from '../../../model/html/losses.ts';
import { hasSameLetters, hasSameWords, isBeginning } from '../../../model/html/words.ts';
import type { Key } from '../../../model/key.ts';
import { kindOf } from '../../../model/key.ts';
import type { KnownRecord } from '../../../model/record.ts';
import { splitStamp } from '../../../model/stamp.ts';
import { same } from '../../../model/digest.ts';
import { formedType, habitName, habitOf, isMadeOf } from '../../../plan/likeness.ts';
import { fileIsBase, remoteIsBase } from '../../../plan/field-standing.ts';
import type { Run } from '../../run.ts';
import { READ_AGE_MAX_MS, waysOf } from '../../run.ts';

/** Fields that the service shows otherwise than they were sent, with what was sent. */
export interface ChangedFields {
  /** What the service made of them. */
  readonly made: Readonly<Record<string, FieldValue>>;
  /** What it cannot have made of them: somebody wrote since, or the read is older than the write. */
  readonly foreign: Readonly<Record<string, FieldValue>>;
}

/** Learns from a record that was read back what this service does to what it is sent. */
export function learnHabits(key: Key, shown: KnownRecord, run: Run): void {
  const kind = kindOf(key);
  for (const [name, ours] of sentFields(key, run)) {
    const difference = madeOf({ key, name }, ours, shown, run);
    // Remembered of this record alone: an editor may change the markup of the next one.
    if (difference === OTHER_MARKUP) run.otherMarkups.add(habitName({ kind, name }));
    if (difference !== undefined && !OF_ONE_RECORD.has(difference))
      run.habits = withDifference(run.habits, habitName({ kind, name }), difference);
  }
}

/** Sorts the fields of a record that was written by who changed them. */
export function changedFields(key: Key, shown: KnownRecord, run: Run): ChangedFields {
  const made: Record<string, FieldValue> = {};
  const foreign: Record<string, FieldValue> = {};
  const kind = kindOf(key);
  for (const [name, ours] of sentFields(key, run)) {
    const theirs = shown.fields[name];
    if (theirs === undefined || same(ours, theirs)) continue;
    const isTheServices =
      madeOf({ key, name }, ours, shown, run) !== undefined ||
      (!isStale({ key, name }, { ours, theirs }, run) && isMadeOf({ kind, name }, ours, theirs, waysOf(run)));
    if (isTheServices) made[name] = ours;
    else foreign[name] = ours;
  }
  // What was left empty was not sent, so the service made nothing of it.
  const base = run.records.get(key);
  const written = run.written.get(key) ?? {};
  for (const [name, theirs] of Object.entries(shown.fields)) {
    if (base?.sent[name] !== null || name in written) continue;
    if (!remoteIsBase(name, base, theirs, waysOf(run))) foreign[name] = null;
  }
  return { made, foreign };
}

/** What the service did not keep of fields that it changed, as a state names it: `content:table`. */
export function lossesIn(key: Key, { made }: ChangedFields, shown: KnownRecord, run: Run): readonly string[] {
  const kind = kindOf(key);
  return Object.entries(made).flatMap(([name, ours]) => {
    const [theirs, type] = [shown.fields[name], formedType({ kind, name })];
    if (theirs === undefined || type === undefined) return [];
    const within = habitOf({ kind, name }, waysOf(run));
    const difference = differenceOf(type, ours, theirs, { within, origin: run.input.ways.origin });
    const { losses } =
      difference ??
      insteadOf({ key, name }, ours, theirs, run) ??
      (type === 'html' ? OTHER_MARKUP : OTHER_WORD);
    return withoutParts(losses).map((loss) => `${name}:${loss}`);
  });
}

interface FieldOf {
  readonly key: Key;
  readonly name: string;
}

/**
 * What the service made of a field, if nobody else can have made it: the same words in another form, or what it lost
 * or added by the time of a read that followed the write at once.
 */
function madeOf(
  { key, name }: FieldOf,
  ours: FieldValue,
  shown: KnownRecord,
  run: Run,
): Difference | undefined {
  const theirs = shown.fields[name];
  const type = formedType({ kind: kindOf(key), name });
  if (theirs === undefined || type === undefined || same(ours, theirs)) return undefined;
  if (isStale({ key, name }, { ours, theirs }, run)) return undefined;
  const likely = new Set(habitOf({ kind: kindOf(key), name }, waysOf(run)).rewritings);
  const difference = differenceOf(type, ours, theirs, { likely, origin: run.input.ways.origin });
  if (difference !== undefined)
    return isFormal(difference) || isAtOnce(key, shown, run) ? difference : undefined;
  const instead = insteadOf({ key, name }, ours, theirs, run);
  if (instead !== undefined) return isAtOnce(key, shown, run) ? instead : undefined;
  if (typeof ours !== 'string' || typeof theirs !== 'string') return undefined;
  const isProved = isAtOnce(key, shown, run) || isAsBefore({ key, name }, { ours, theirs }, run);
  if (type === 'status') return isProved && !isStatus(theirs) ? OTHER_WORD : undefined;
  if (type !== 'html' || !hasSameWords(ours, theirs)) return undefined;
  const isLate = isLateMarkup({ key, name }, shown, run) && hasSameAddresses(ours, theirs);
  return isProved || isLate ? OTHER_MARKUP : undefined;
}

/** A status in the service's own words. What it means for readers nobody can tell: it may wait for somebody who approves it. */
const OTHER_WORD: Difference = { rewritings: [], losses: ['word'] };

/** The same words in elements that no rewriting explains: lists that were taken apart, entities that were escaped again. */
const OTHER_MARKUP: Difference = { rewritings: [], losses: ['markup'] };

/** Some of the categories or tags that were sent, and no other: many services file an article under one category. */
const SOME_ENTRIES: Difference = { rewritings: [], losses: ['entries'] };

/** Entries that were sent, and some that the service puts there by itself (added-entries.ts). */
const MORE_ENTRIES: Difference = { rewritings: [], losses: ['more-entries'] };

/** A number without its fraction, the largest one that the service takes, or the next free one. */
const OTHER_NUMBER: Difference = { rewritings: [], losses: ['number'] };

/** A text where an empty one was sent: many services write an excerpt of their own then, from the beginning of the page. */
const FILLED: Difference = { rewritings: [], losses: ['filled'] };

/** The same words with other punctuation: some services end a summary with an ellipsis, or a title without its full stop. */
const OTHER_PUNCTUATION: Difference = { rewritings: [], losses: ['punctuation'] };

/** The beginning of the page, whatever was sent: such a service writes all excerpts by itself. */
const DERIVED: Difference = { rewritings: [], losses: ['derived'] };

function isDerived({ key, name }: FieldOf, theirs: FieldValue, run: Run): boolean {
  const kind = kindOf(key);
  const body = run.written.get(key)?.[bodyFieldOf(kind)];
  const isSummary = formedType({ kind, name }) === 'text' && name !== nameFieldOf(kind);
  return isSummary && typeof theirs === 'string' && typeof body === 'string' && isBeginning(theirs, body);
}

/** Seen of one record, these prove nothing of the next one: there it may be an editor's work. */
const OF_ONE_RECORD: ReadonlySet<Difference> = new Set([
  OTHER_WORD,
  OTHER_MARKUP,
  SOME_ENTRIES,
  MORE_ENTRIES,
  OTHER_NUMBER,
  OTHER_PUNCTUATION,
  FILLED,
  DERIVED,
]);

/** What a service keeps in the place of what it was sent: some of a list, another number, a text of its own. */
function insteadOf(field: FieldOf, ours: FieldValue, theirs: FieldValue, run: Run): Difference | undefined {
  if (typeof ours === 'number' && typeof theirs === 'number') return OTHER_NUMBER;
  if (ours === '' && typeof theirs === 'string') return FILLED;
  if (typeof ours === 'string' && typeof theirs === 'string') {
    if (isDerived(field, theirs, run)) return DERIVED;
    const isText = formedType({ kind: kindOf(field.key), name: field.name }) === 'text';
    return isText && hasSameLetters(ours, theirs) ? OTHER_PUNCTUATION : undefined;
  }
  if (!isList(ours) || !isList(theirs)) return undefined;
  const isSome = theirs.length < ours.length && theirs.every((id) => ours.includes(id));
  if (isSome) return SOME_ENTRIES;
  const added = run.addedEntries.get(habitName({ kind: kindOf(field.key), name: field.name }));
  const isMore = ours.every((id) => theirs.includes(id));
  const isTheServices = theirs.every((id) => ours.includes(id) || added?.has(id) === true);
  return isMore && isTheServices ? MORE_ENTRIES : undefined;
}

/**
 * Whether a text that was sent once more, over what the plan saw, is shown again as it was shown: then nothing was on the site
 * but what the service makes of it.
 */
function isAsBefore(
  { key, name }: FieldOf,
  { ours, theirs }: { readonly ours: FieldValue; readonly theirs: FieldValue },
  run: Run,
): boolean {
  const [base, side] = [run.input.base.records.get(key), run.input.remote.get(key)];
  if (base === undefined || side?.state !== 'known' || !fileIsBase(name, ours, base)) return false;
  return same(side.record.fields[name] ?? null, theirs);
}

/** So long after the write an editor has hardly changed the markup of a page, and no word and no link of it. */
const MARKUP_LATE_MAX_MS = 60_000;

/**
 * A read that came later, of a service that was seen writing other markup: at this very record by a run before, or at another one
 * that this run made and read at once.
 */
function isLateMarkup({ key, name }: FieldOf, { readAtMs, tookMs = 0 }: KnownRecord, run: Run): boolean {
  const writtenAtMs = run.writtenAtMs.get(key);
  if (writtenAtMs === undefined || readAtMs + tookMs - writtenAtMs > MARKUP_LATE_MAX_MS) return false;
  const before = run.input.base.records.get(key);
  if (before !== undefined) return before.lost?.includes(`${name}:markup`) === true;
  return run.otherMarkups.has(habitName({ kind: kindOf(key), name }));
}

/** Whether the read followed the write before anybody else could have written. */
export function isAtOnce(key: Key, shown: KnownRecord, run: Run): boolean {
  const { readAtMs, tookMs = 0 } = shown;
  return readAtMs + tookMs - (run.writtenAtMs.get(key) ?? Number.NEGATIVE_INFINITY) <= READ_AGE_MAX_MS;
}

/** What the service showed before another value was sent: it lags, and says nothing of what it made of that. */
function isStale(
  { key, name }: FieldOf,
  { ours, theirs }: { readonly ours: FieldValue; readonly theirs: FieldValue },
  run: Run,
): boolean {
  const before = run.input.base.records.get(key);
  if (before === undefined || fileIsBase(name, ours, before)) return false;
  return remoteIsBase(name, before, theirs, run.input.ways);
}

/** What the base remembers as sent, the body without its stamp. */
function sentFields(key: Key, run: Run): readonly (readonly [string, FieldValue])[] {
  const sent = run.written.get(key) ?? {};
  const owned = run.records.get(key)?.sent ?? {};
  const body = bodyFieldOf(kindOf(key));
  return Object.keys(owned).flatMap((name) => {
    const value = sent[name];
    if (value === undefined) return [];
    return [[name, name === body && typeof value === 'string' ? splitStamp(value).body : value] as const];
  });
}

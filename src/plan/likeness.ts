import { differenceOf, hasForm, isFormal, isRewriting } from '../model/compare/difference.ts';
import { digestOf, same } from '../model/digest.ts';
import { spellingsOf } from '../model/html/canonical-text.ts';
import type { FieldSpec, FieldValue } from '../model/fields.ts';
import { bodyFieldOf, fieldsOf } from '../model/fields.ts';
import type { Habit, Habits } from '../model/html/habits.ts';
import { NO_HABIT, NO_HABITS } from '../model/html/habits.ts';
import { KINDS } from '../model/key.ts';
import type { Kind } from '../model/key.ts';
import type { BaseState, BaseValue } from '../model/record.ts';
import { isDigest } from './compare.ts';
import type { Difference } from '../model/html/habits.ts';

/** How this service shows what it was sent. */
export interface Ways {
  readonly habits: Habits;
  /** `https://help.example.com`, for addresses that stand with or without it. */
  readonly origin: string | undefined;
}

/** Nothing is known: only what every browser shows alike is equal. */
export const NO_WAYS: Ways = { habits: NO_HABITS, origin: undefined };

/** As a state knows them. */
export function waysIn({ habits = NO_HABITS, origin }: Pick<BaseState, 'habits' | 'origin'>): Ways {
  return { habits, origin };
}

/** A field of records of a kind. */
export interface Field {
  readonly kind: Kind;
  readonly name: string;
}

/** What is put into one text is put into the others too: a footer below an article stands below a tag's text as well. */
export function habitOf(field: Field, { habits }: Ways): Habit {
  const own = habits[habitName(field)] ?? NO_HABIT;
  if (formedType(field) !== 'html') return own;
  const added = Object.entries(habits).flatMap(([name, { additions }]) =>
    BODIES.has(name) ? additions : [],
  );
  return added.length === own.additions.length ? own : { ...own, additions: [...new Set(added)].sort() };
}

const BODIES: ReadonlySet<string> = new Set(
  KINDS.map((kind) => habitName({ kind, name: bodyFieldOf(kind) })),
);

export function habitName({ kind, name }: Field): string {
  return `${kind}.${name}`;
}

/** Undefined for a slug: another spelling of it is another address. */
export function formedType({ kind, name }: Field): FieldSpec['type'] | undefined {
  return name === 'slug' ? undefined : fieldsOf(kind).get(name)?.type;
}

/** Whether the service shows this value where that one was sent, without a loss: the same in its own form. */
export function isShownAs(field: Field, sent: FieldValue, shown: FieldValue, ways: Ways): boolean {
  const difference = knownDifference(field, sent, shown, ways);
  return difference !== undefined && isFormal({ ...difference, additions: [] });
}

/** The same with the losses that the service was seen causing. */
export function isMadeOf(field: Field, sent: FieldValue, shown: FieldValue, ways: Ways): boolean {
  return knownDifference(field, sent, shown, ways) !== undefined;
}

/** What the service was seen doing to such a field, if that explains the whole difference. */
function knownDifference(
  field: Field,
  sent: FieldValue,
  shown: FieldValue,
  ways: Ways,
): Difference | undefined {
  const type = formedType(field);
  if (type === undefined) return undefined;
  return differenceOf(type, sent, shown, { within: habitOf(field, ways), origin: ways.origin });
}

/** Whether two values are the same in another form, whatever this service was seen doing. */
export function isSameMeaning(field: Field, sent: FieldValue, shown: FieldValue, { origin }: Ways): boolean {
  const type = formedType(field);
  return same(sent, shown) || (type !== undefined && isRewriting(type, sent, shown, { origin }));
}

/**
 * Whether a text, back in the spelling that a file may have given it, is the one of which only a stamp knows: nobody has
 * read back what the service made of that. A stamp's digests are shortened; a state's are whole.
 */
export function isStampedAs(field: Field, shown: FieldValue, digest: string): boolean {
  if (digest.length > STAMP_DIGITS || typeof shown !== 'string' || formedType(field) !== 'text') return false;
  return spellingsOf(shown).some((text) => digestOf(text).startsWith(digest));
}

/** Whether a value is remembered as a stamp tells it: what was sent, not what the service made of that. */
export function isOfStamp(value: BaseValue): boolean {
  return isDigest(value) && value.digest.length <= STAMP_DIGITS;
}

const STAMP_DIGITS = 10;

/** Whether a value has the form that a base remembers. */
export function fitsForm(field: Field, shown: FieldValue, form: string, ways: Ways): boolean {
  const type = formedType(field);
  return (
    type !== undefined && hasForm(type, shown, form, { origin: ways.origin, habit: habitOf(field, ways) })
  );
}

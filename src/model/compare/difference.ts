import { isNothing } from '../fields.ts';
import { formWithout } from '../html/additions.ts';
import { canonicalHtml } from '../html/canonical-html.ts';
import { canonicalAddress } from '../html/address.ts';
import { canonicalText } from '../html/canonical-text.ts';
import { NO_DIFFERENCE, htmlDifference, isCut, lacksSigns, parametersIn } from '../html/difference.ts';
import type { DifferenceOptions } from '../html/difference.ts';
import type { Difference } from '../html/habits.ts';
import { NO_HABIT } from '../html/habits.ts';
import type { Habit } from '../html/habits.ts';
import { ALL_REWRITINGS, NO_REWRITINGS, maskOf, neededRewritings, rewritingsIn } from '../html/rewritings.ts';
import type { Rewriting } from '../html/rewritings.ts';
import type { Look } from '../html/shape.ts';
import { digestOfText, same } from '../digest.ts';
import type { Digest } from '../digest.ts';
import type { FieldSpec, FieldValue } from '../fields.ts';

type FieldType = FieldSpec['type'];

/** Whether a browser shows two values of a field alike, beyond what the look leaves out. */
export function isAlike(type: FieldType, a: FieldValue, b: FieldValue, look: Look): boolean {
  if (same(a, b)) return true;
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  return FORMED.has(type) && canonicalForm(type, a, look) === canonicalForm(type, b, look);
}

/** Types whose values a service may spell in its own way. */
const FORMED: ReadonlySet<FieldType> = new Set(['html', 'text', 'url']);

function canonicalForm(type: FieldType, value: string, look: Look): string {
  switch (type) {
    case 'html':
      return canonicalHtml(value, look);
    case 'url':
      return canonicalAddress(value, { isPlace: look.without.has('addresses'), origin: look.origin });
    case 'text':
    case 'number':
    case 'flag':
    case 'date':
    case 'status':
    case 'ref':
    case 'refs':
      return canonicalText(value, look);
  }
}

/**
 * The form of a value, as a text that a state can keep: which rewritings it leaves out, and a digest of the rest. Undefined
 * for values that have no form of their own.
 */
export function formOf(
  type: FieldType,
  value: FieldValue,
  without: ReadonlySet<Rewriting>,
  { habit = NO_HABIT, origin }: FormOptions,
): string | undefined {
  if (!FORMED.has(type) || typeof value !== 'string') return undefined;
  const look = { without, origin, parameters: parametersIn(habit.additions) };
  const form = type === 'html' ? formWithout(value, habit.additions, look) : canonicalForm(type, value, look);
  return `${maskOf(without)}:${digestOfText(form)}`;
}

export interface FormOptions {
  /** What the service was seen adding does not count. */
  readonly habit?: Habit | undefined;
  /** See Look. */
  readonly origin?: string | undefined;
}

/** Whether a value has a form that `formOf` gave for another one. */
export function hasForm(type: FieldType, value: FieldValue, form: string, options: FormOptions): boolean {
  const without = rewritingsIn(form.split(':')[0] ?? '');
  // The digest of a stamp is shortened.
  return without !== undefined && formOf(type, value, without, options)?.startsWith(form) === true;
}

/** Whatever a service does to the form of a value, this digest of it stays; undefined for values without a form. */
export function meaningDigest(type: FieldType, value: FieldValue, options: FormOptions): Digest | undefined {
  const form = formOf(type, value, ALL_REWRITINGS, options);
  // The form ends with a digest, as it was made.
  return form === undefined ? undefined : (unreadDigest(form) as Digest);
}

/** The digest in the form of a value that nobody has read back, and that form again. */
export function unreadDigest(form: string): string {
  return form.slice(form.indexOf(':') + 1);
}

export function unreadForm(digest: string): string {
  return `${maskOf(ALL_REWRITINGS)}:${digest}`;
}

/** Whether a form says of a value only what no rewriting changes: it is of what was sent, and nobody has read it back. */
export function isUnread(form: string): boolean {
  return form.startsWith(`${maskOf(ALL_REWRITINGS)}:`);
}

/**
 * What a service made of a value, if rewritings, losses and additions explain it; undefined when somebody has written another
 * one. Of a field that is neither text nor HTML nor an address, only the whole value can be lost.
 */
export function differenceOf(
  type: FieldType,
  sent: FieldValue,
  shown: FieldValue,
  options: DifferenceOptions = {},
): Difference | undefined {
  const { origin, within } = options;
  if (same(sent, shown)) return NO_DIFFERENCE;
  if (isNothing(shown)) return within === undefined ? LOST : known(LOST, within);
  if (typeof sent !== 'string' || typeof shown !== 'string' || !FORMED.has(type)) return undefined;
  if (type === 'html') return htmlDifference(sent, shown, options);
  const isAlikeWithout = (without: ReadonlySet<Rewriting>): boolean =>
    isAlike(type, sent, shown, { without, origin });
  if (isAlikeWithout(NO_REWRITINGS)) return NO_DIFFERENCE;
  if (within !== undefined && isAlikeWithout(new Set(within.rewritings)))
    return { rewritings: within.rewritings, losses: [] };
  if (within === undefined && isAlikeWithout(ALL_REWRITINGS))
    return { rewritings: neededRewritings(isAlikeWithout), losses: [] };
  const loss = type === 'text' ? textLoss(sent, shown) : undefined;
  return loss === undefined || within === undefined ? loss : known(loss, within);
}

const LOST: Difference = { rewritings: [], losses: ['value'] };

function known(difference: Difference, { losses }: Habit): Difference | undefined {
  return difference.losses.every((loss) => losses.includes(loss)) ? difference : undefined;
}

/** Whether one value is another one in a service's own form, whatever the service: nothing lost, nothing put in. */
export function isRewriting(
  type: FieldType,
  sent: FieldValue,
  shown: FieldValue,
  options: DifferenceOptions = {},
): boolean {
  const difference = differenceOf(type, sent, shown, options);
  return difference !== undefined && isFormal(difference);
}

/** Whether nothing is lost and nothing is added: the same words, addresses and structure in another form. */
export function isFormal({ losses, additions = [] }: Difference): boolean {
  return losses.length + additions.length === 0;
}

function textLoss(sent: string, shown: string): Difference | undefined {
  const [whole, left] = [sent, shown].map((text) => canonicalText(text, { without: ALL_REWRITINGS }));
  if (whole === undefined || left === undefined) return undefined;
  const loss = lacksSigns(left, whole)
    ? 'signs'
    : isWithoutTags(left, whole)
      ? 'tags'
      : isCut(left, whole)
        ? 'end'
        : isShortCut(left, whole)
          ? `end@${left.length}`
          : undefined;
  return loss === undefined ? undefined : { rewritings: [], losses: [loss] };
}

/**
 * A text that was cut to a few characters may be another one; a service that cuts does it at one length, so the loss names
 * it, and another length is not that loss.
 */
function isShortCut(left: string, whole: string): boolean {
  return left.length >= SHORT_CUT_MIN && left.length < whole.length && whole.startsWith(left);
}

const SHORT_CUT_MIN = 5;

/** `Map<String>` in a title is a tag to a service that takes tags out. */
function isWithoutTags(left: string, whole: string): boolean {
  const bare = whole
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return bare !== whole && bare.replaceAll(' ', '') === left.replaceAll(' ', '');
}

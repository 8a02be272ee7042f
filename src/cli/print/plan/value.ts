import { fieldsOf, type FieldValue } from '../../../model/fields.ts';
import type { Kind } from '../../../model/key.ts';
import type { BaseValue } from '../../../model/record.ts';
import type { FieldChange } from '../../../plan/plan.ts';
import type { Paint } from '../terminal/paint.ts';
import type { Glyphs } from '../terminal/paint.ts';
import { grouped } from '../terminal/numbers.ts';
import { short } from '../terminal/text.ts';

/** The name people know behind a remote id or a `new:<family>`; the id itself when nobody knows better. */
export type LabelOf = (id: string) => string;

export interface ValueStyle {
  readonly paint: Paint;
  readonly glyphs: Glyphs;
  readonly labelOf: LabelOf;
  /** Columns one value may take. */
  readonly widthMax: number;
}

/** One value on one line: quoted when it holds a space, `none` for null, names for ids. */
export function shownValue(value: BaseValue | undefined, style: ValueStyle): string {
  if (value === undefined) return 'unknown';
  if (value === null) return 'none';
  if (typeof value === 'string') {
    const text = short(value, style.widthMax);
    return text === '' || /\s/.test(text) ? `"${text}"` : text;
  }
  if (isList(value)) {
    return value.length === 0 ? 'none' : short(value.map(style.labelOf).join(' '), style.widthMax);
  }
  // A digest: of a long text in the state, of any in a stamp.
  return typeof value === 'object' ? '(text not kept)' : String(value);
}

/** `slug invoices → your-invoices` · `tags +refund` · `content +41 −12 words` */
export function shownFieldChange(kind: Kind, change: FieldChange, style: ValueStyle): string {
  const { paint, glyphs } = style;
  const type = fieldsOf(kind).get(change.field)?.type;
  if (type === 'html') return `${change.field}${shownWords(change, style)}`;
  if (type === 'refs') return `${change.field} ${shownSetChange(change, style)}`;
  const value = (side: BaseValue | undefined): string =>
    type === 'ref' && typeof side === 'string'
      ? short(style.labelOf(side), style.widthMax)
      : shownValue(side, style);
  const after = paint.green(value(change.after));
  return change.before === undefined
    ? `${change.field} ${glyphs.arrow} ${after}`
    : `${change.field} ${paint.red(value(change.before))} ${glyphs.arrow} ${after}`;
}

function shownWords(change: FieldChange, { paint, glyphs }: ValueStyle): string {
  if (change.words === undefined) return '';
  const { added, removed } = change.words;
  if (added === 0 && removed === 0) return ' markup or links';
  const parts = [
    ...(added === 0 ? [] : [paint.green(`+${grouped(added)}`)]),
    ...(removed === 0 ? [] : [paint.red(`${glyphs.minus}${grouped(removed)}`)]),
  ];
  return ` ${parts.join(' ')} ${added + removed === 1 ? 'word' : 'words'}`;
}

function shownSetChange(change: FieldChange, style: ValueStyle): string {
  const { paint, glyphs, labelOf } = style;
  const before = membersOf(change.before);
  const after = membersOf(change.after);
  const parts = [
    ...after
      .filter((id) => !before.includes(id))
      .map((id) => paint.green(`+${short(labelOf(id), style.widthMax)}`)),
    ...before
      .filter((id) => !after.includes(id))
      .map((id) => paint.red(`${glyphs.minus}${short(labelOf(id), style.widthMax)}`)),
  ];
  return parts.length === 0 ? shownValue(change.after, style) : parts.join(' ');
}

function membersOf(value: BaseValue | undefined): readonly string[] {
  return isList(value) ? value : [];
}

function isList(value: BaseValue | undefined): value is Extract<FieldValue, readonly string[]> {
  return Array.isArray(value);
}

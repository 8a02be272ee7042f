import { formOf, isUnread } from '../model/compare/difference.ts';
import { same } from '../model/digest.ts';
import type { FieldValue } from '../model/fields.ts';
import { bodyFieldOf } from '../model/fields.ts';
import type { Kind } from '../model/key.ts';
import type { Rewriting } from '../model/html/rewritings.ts';
import { ALL_REWRITINGS } from '../model/html/rewritings.ts';
import type { BaseRecord, BaseValue, KnownRecord } from '../model/record.ts';
import { baseValueOf, sameAsBase } from './compare.ts';
import { habitOf } from './likeness.ts';
import type { Ways } from './likeness.ts';

type Values = Readonly<Record<string, FieldValue>>;

/** What a base remembers of the form that a service gave to what it was sent. */
export interface Observed {
  readonly observed?: Readonly<Record<string, BaseValue>> | undefined;
  readonly forms?: Readonly<Record<string, string>> | undefined;
}

/** Of the fields that a service shows otherwise than they were sent. */
export function observedIn(kind: Kind, sent: Values, shown: Values, ways: Ways): Observed {
  const body = bodyFieldOf(kind);
  const observed: Record<string, BaseValue> = {};
  const forms: Record<string, string> = {};
  for (const [name, value] of Object.entries(sent)) {
    const theirs = shown[name];
    if (theirs === undefined || same(value, theirs)) continue;
    observed[name] = baseValueOf(kind, name, theirs);
    if (name !== body) continue;
    const { rewritings } = habitOf({ kind, name }, ways);
    forms[name] = formIn(kind, theirs, new Set(rewritings), ways);
  }
  return withoutNothing({ observed, forms });
}

/**
 * Whether an article shows an empty text, stamp and all, where one was sent, and showed none before either: the service does not
 * keep the text or does not show it. What an editor wrote since would look the same.
 */
export function hidesText(
  { sent, observed, forms }: BaseRecord,
  { kind, fields, stamp }: KnownRecord,
): boolean {
  const body = bodyFieldOf(kind);
  const ours = sent[body];
  if (kind !== 'article' || fields[body] !== '' || stamp !== undefined) return false;
  if (ours === undefined || sameAsBase('', ours)) return false;
  const [before, form] = [observed?.[body], forms?.[body]];
  return (before !== undefined && sameAsBase('', before)) || (form !== undefined && isUnread(form));
}

/** Of a body that was sent and that nobody has read back. */
export function unreadForms(kind: Kind, sent: Values, ways: Ways): Pick<BaseRecord, 'forms'> {
  const name = bodyFieldOf(kind);
  const html = sent[name];
  return html === undefined ? {} : { forms: { [name]: formIn(kind, html, ALL_REWRITINGS, ways) } };
}

function formIn(kind: Kind, html: FieldValue, without: ReadonlySet<Rewriting>, ways: Ways): string {
  const habit = habitOf({ kind, name: bodyFieldOf(kind) }, ways);
  // A body is a text, and every text has a form.
  return formOf('html', html, without, { habit, origin: ways.origin }) ?? '';
}

export function withoutNothing({
  observed = {},
  forms = {},
}: Observed): Pick<BaseRecord, 'observed' | 'forms'> {
  return {
    ...(Object.keys(observed).length === 0 ? {} : { observed }),
    ...(Object.keys(forms).length === 0 ? {} : { forms }),
  };
}

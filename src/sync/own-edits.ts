import type { Intent } from '../base/base.ts';
import { bodyFieldOf, nameFieldOf } from '../model/fields.ts';
import type { FieldValue } from '../model/fields.ts';
import { meaningDigest, unreadForm } from '../model/difference.ts';
import type { BaseRecord, KnownRecord } from '../model/record.ts';
import { baseValueOf, sameAsBase } from '../plan/compare.ts';
import { formedType, habitOf } from '../plan/likeness.ts';
import type { Field, Ways } from '../plan/likeness.ts';
import { remoteIsBase } from '../plan/reconcile.ts';

/**
 * The base of a record after edits of ours of which no answer is known: a field that shows what one of them sent was
 * written by it. Where there was no base (a first write of a translation), the body has to show that it was.
 */
export function afterOwnEdits(
  base: BaseRecord | undefined,
  edits: readonly Intent[],
  record: KnownRecord,
  ways: Ways,
): BaseRecord | undefined {
  return edits.reduce((before, edit) => afterOwnEdit(before, edit, record, ways), base);
}

function afterOwnEdit(
  base: BaseRecord | undefined,
  { key, sent = {}, meanings = {} }: Intent,
  { kind, id, fields }: KnownRecord,
  ways: Ways,
): BaseRecord | undefined {
  const arrived: Record<string, BaseRecord['sent'][string]> = {};
  const rewritten: Record<string, BaseRecord['sent'][string]> = {};
  for (const [name, value] of Object.entries(sent)) {
    const shown = fields[name];
    if (shown === undefined) continue;
    if (base !== undefined && remoteIsBase(name, base, shown, ways)) continue;
    const isSame = sameAsBase(shown, value);
    const meaning = meanings[name];
    if (!isSame && (meaning === undefined || meaningOf({ kind, name }, shown, ways) !== meaning)) continue;
    arrived[name] = value;
    if (!isSame) rewritten[name] = baseValueOf(kind, name, shown);
  }
  const body = bodyFieldOf(kind);
  const meaning = arrived[body] === undefined ? undefined : meanings[body];
  // Nobody has compared it with what was sent: how the service changed it, the next look finds out.
  const forms = meaning === undefined ? {} : { forms: { [body]: unreadForm(meaning) } };
  if (base === undefined) {
    const witness = sent[body] === undefined ? nameFieldOf(kind) : body;
    if (arrived[witness] === undefined) return undefined;
    const observed = Object.keys(rewritten).length > 0 ? { observed: rewritten } : {};
    return { key, id, ownership: 'created', sent, ...observed, ...forms };
  }
  if (Object.keys(arrived).length === 0) return base;
  const { observed: before = {}, input, ...rest } = base;
  const kept = Object.entries(before).filter(([name]) => arrived[name] === undefined);
  const observed = { ...Object.fromEntries(kept), ...rewritten };
  return {
    ...rest,
    sent: { ...base.sent, ...arrived },
    ...(Object.keys(observed).length > 0 ? { observed } : {}),
    ...forms,
    // The input of the text that the base held before.
    ...(input === undefined || arrived[body] !== undefined ? {} : { input }),
  };
}

function meaningOf(field: Field, shown: FieldValue, ways: Ways): string | undefined {
  const type = formedType(field);
  return type === undefined
    ? undefined
    : meaningDigest(type, shown, { origin: ways.origin, habit: habitOf(field, ways) });
}

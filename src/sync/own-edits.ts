import type { Intent } from '../base/base.ts';
import { bodyFieldOf, nameFieldOf } from '../model/fields.ts';
import type { FieldValue } from '../model/fields.ts';
import { same } from '../model/digest.ts';
import { lettersDigest } from '../model/html/letters.ts';
import { isUnread as isUnreadForm, meaningDigest, unreadForm } from '../model/compare/difference.ts';
import type { Key, RemoteId } from '../model/key.ts';
import type { BaseRecord, KnownRecord } from '../model/record.ts';
import { baseValueOf, sameAsBase } from '../plan/compare.ts';
import { formedType, habitOf } from '../plan/likeness.ts';
import type { Field, Ways } from '../plan/likeness.ts';
import { remoteIsBase } from '../plan/field-standing.ts';

/**
 * The base of a record after writes of ours of which no answer is known: a field that shows what one of them sent was
 * written by it, also if the service has changed its markup and signs. Where there was no base (a create, or a first write of
 * a translation), the body has to show that it was, or the name if no body was sent.
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
  { key, sent = {}, meanings = {}, letters = {} }: Intent,
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
    const isMeant = meaning !== undefined && meaningOf({ kind, name }, shown, ways) === meaning;
    const isSpelt = letters[name] !== undefined && lettersDigest(shown) === letters[name];
    if (!isSame && !isMeant && !isSpelt) continue;
    arrived[name] = value;
    if (!isSame) rewritten[name] = baseValueOf(kind, name, shown);
  }
  const body = bodyFieldOf(kind);
  const meaning = arrived[body] === undefined ? undefined : meanings[body];
  // Nobody has compared it with what was sent: how the service changed it, the next look finds out.
  const forms = meaning === undefined ? {} : { forms: { [body]: unreadForm(meaning) } };
  if (base === undefined) {
    const witness = isSentEmpty(sent[body]) ? nameFieldOf(kind) : body;
    if (arrived[witness] === undefined) return undefined;
    const observed = Object.keys(rewritten).length > 0 ? { observed: rewritten } : {};
    return { ...created(key, id), sent, ...observed, ...forms };
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

/**
 * The base of a translation that a run before made and nobody has read back, where it shows its original word for word: some
 * services make it as a copy, whatever it was sent. What is there is the service's, so the file's text is still to be sent.
 */
export function afterCopy(
  base: BaseRecord | undefined,
  edits: readonly Intent[],
  { record, original }: { readonly record: KnownRecord; readonly original: KnownRecord },
): BaseRecord | undefined {
  const { kind, id, fields } = record;
  const body = bodyFieldOf(kind);
  const form = base?.forms?.[body];
  const [edit] = edits;
  const before =
    base ?? (edit?.sent === undefined ? undefined : { ...created(edit.key, id), sent: edit.sent });
  const isUnread = edit !== undefined || (form !== undefined && isUnreadForm(form));
  if (!isUnread || before === undefined || !sharesTexts(record, original)) return base;
  const { key, ownership, sent } = before;
  const isOurs = [nameFieldOf(kind), body].every((name) => {
    const ours = sent[name];
    return ours === undefined || sameAsBase(fields[name] ?? null, ours);
  });
  if (isOurs) return base;
  const shown = Object.entries(sent).map(([name, ours]) => {
    const value = fields[name];
    return [name, value === undefined ? ours : baseValueOf(kind, name, value)] as const;
  });
  return { key, id: before.id, ownership, sent: Object.fromEntries(shown) };
}

/** A body is remembered by its digest, an empty one too. */
export function isSentEmpty(sent: BaseRecord['sent'][string] | undefined): boolean {
  return sent === undefined || sent === null || sameAsBase('', sent);
}

function created(key: Key, id: RemoteId): Pick<BaseRecord, 'key' | 'id' | 'ownership'> {
  return { key, id, ownership: 'created' };
}

/** Word for word, stamp and all. */
export function sharesTexts({ kind, fields }: KnownRecord, original: KnownRecord): boolean {
  return [nameFieldOf(kind), bodyFieldOf(kind)].every((name) =>
    same(fields[name] ?? null, original.fields[name] ?? null),
  );
}

function meaningOf(field: Field, shown: FieldValue, ways: Ways): string | undefined {
  const type = formedType(field);
  return type === undefined
    ? undefined
    : meaningDigest(type, shown, { origin: ways.origin, habit: habitOf(field, ways) });
}

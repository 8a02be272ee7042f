import { digestOfText } from '../model/digest.ts';
import type { Digest } from '../model/digest.ts';
import { bodyFieldOf, nameFieldOf } from '../model/fields.ts';
import { familyOf, keyIn, kindOf, type Family, type Key, isOriginal } from '../model/key.ts';
import type { BaseRecord, DesiredRecord } from '../model/record.ts';
import { baseValuesOf, differsFromBase, ownedFields } from '../plan/compare.ts';

/** A digest of what translators translate: name, excerpt or description, and text. */
function textMark({ key, sent }: Pick<BaseRecord, 'key' | 'sent'>): Digest {
  const kind = kindOf(key);
  const names = [nameFieldOf(kind), kind === 'article' ? 'excerpt' : 'description', bodyFieldOf(kind)];
  return digestOfText(JSON.stringify(names.map((name) => sent[name] ?? null)));
}

/** The mark of an original as its file says it. If nothing changed since `known`, it is the mark of the state. */
export function markOfFile(
  original: DesiredRecord,
  known: BaseRecord | undefined,
  idOf: (family: Family) => string,
): Digest {
  const owned = ownedFields(original, idOf);
  if (known !== undefined && !differsFromBase(original, owned, known)) return textMark(known);
  const { body, kind, key } = original;
  const all = body === undefined ? owned : { ...owned, [body.field]: body.render() };
  return textMark({ key, sent: baseValuesOf(kind, all) });
}

/**
 * Notes in each translation the mark of its original at the time when the translation was written last. A translation from
 * a state without such marks gets the mark of today.
 */
export function withTranslationMarks(
  before: ReadonlyMap<Key, BaseRecord>,
  now: ReadonlyMap<Key, BaseRecord>,
  defaultLanguage: string,
): ReadonlyMap<Key, BaseRecord> {
  const changed = new Map<Key, BaseRecord>();
  for (const record of now.values()) {
    if (isOriginal(record.key, { defaultLanguage })) continue;
    const old = before.get(record.key);
    if (old === record && record.original !== undefined) continue;
    const original = now.get(keyIn(familyOf(record.key), defaultLanguage));
    if (original === undefined) continue;
    const isSameText = old?.original !== undefined && textMark(old) === textMark(record);
    const mark = isSameText ? old.original : textMark(original);
    if (record.original !== mark) changed.set(record.key, { ...record, original: mark });
  }
  if (changed.size === 0) return now;
  return new Map([...now].map(([key, record]) => [key, changed.get(key) ?? record]));
}

import type { Fields } from '../model/fields.ts';
import { fieldsOf, isNothing } from '../model/fields.ts';
import type { Key, Lang } from '../model/key.ts';
import { kindOf, langOf } from '../model/key.ts';
import type { BaseRecord } from '../model/record.ts';
import { isDigest, sameAsBase } from '../plan/compare.ts';
import { habitName } from '../plan/likeness.ts';
import type { Remote } from '../remote/remote.ts';

export interface ReadRecord {
  readonly key: Key;
  /** What was sent last. */
  readonly sent: BaseRecord['sent'];
  readonly shown: Fields;
}

/**
 * Learns which fields a service leaves out of a read where they are empty, as JSON writers of Go and Rust do on demand. Proof: of
 * one record it shows a value, and of another one, of which an empty value was sent, it does not show the field at all. A
 * service that does so with one field does it with others: with each of which an empty value was sent, or of which some record
 * shows a value. If it does not show a value that was sent, it hides the field, and nothing is learnt of it. Originals and
 * translations are asked apart, because a service may show less of the ones than of the others. True: something was learnt.
 */
export function learnLeftOut(
  records: readonly ReadRecord[],
  remote: Pick<Remote, 'capabilities' | 'learn'>,
  defaultLanguage: Lang,
): boolean {
  const shown = new Set<string>();
  const hidden = new Set<string>();
  const missing = new Map<string, { readonly name: string; readonly wasSent: boolean }>();
  for (const { key, sent, shown: fields } of records) {
    const kind = kindOf(key);
    const sort = langOf(key) === defaultLanguage ? 'original' : 'translation';
    for (const [field, { empty }] of fieldsOf(kind)) {
      const [ours, theirs] = [sent[field], fields[field]];
      const name = habitName({ kind, name: field });
      const id = `${sort} ${name}`;
      if (theirs !== undefined && !isNothing(theirs)) shown.add(id);
      if (theirs !== undefined) continue;
      const wasSent =
        ours !== undefined && (isDigest(ours) ? empty === '' && sameAsBase('', ours) : isNothing(ours));
      if (ours !== undefined && !wasSent) hidden.add(name);
      else if (wasSent || !missing.has(id)) missing.set(id, { name, wasSent });
    }
  }
  const leftOut = [...missing].filter(([, { name }]) => !hidden.has(name));
  const { leavesOut: known = [] } = remote.capabilities();
  if (known.length === 0 && !leftOut.some(([id, { wasSent }]) => wasSent && shown.has(id))) return false;
  const leavesOut = leftOut.flatMap(([id, { name, wasSent }]) =>
    (wasSent || shown.has(id)) && !known.includes(name) ? [name] : [],
  );
  if (leavesOut.length > 0) remote.learn({ leavesOut });
  return leavesOut.length > 0;
}

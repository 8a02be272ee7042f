import { same } from '../../model/digest.ts';
import type { Key } from '../../model/key.ts';
import type { DesiredRecord, DesiredState } from '../../model/record.ts';

export interface ChangedRecords {
  /** In both, and not the same. */
  readonly changed: readonly Key[];
  readonly added: readonly Key[];
  readonly gone: readonly Key[];
}

/** What is another between two readings of the files. A body is compared by what it is made of, not rendered. */
export function changedRecords(before: DesiredState, after: DesiredState): ChangedRecords {
  const changed: Key[] = [];
  const added: Key[] = [];
  for (const [key, record] of after.records) {
    const old = before.records.get(key);
    if (old === undefined) added.push(key);
    else if (!isSame(old, record)) changed.push(key);
  }
  const gone = [...before.records.keys()].filter((key) => !after.records.has(key));
  return { changed, added, gone };
}

function isSame(a: DesiredRecord, b: DesiredRecord): boolean {
  if (a.body?.inputDigest !== b.body?.inputDigest) return false;
  return hasSameFields(a.fields, b.fields) && hasSameFields(a.initial, b.initial);
}

function hasSameFields(a: DesiredRecord['fields'], b: DesiredRecord['fields']): boolean {
  for (const name in b) {
    const [old, value] = [a[name], b[name]];
    if (old === value) continue;
    if (old === undefined || value === undefined || !same(old, value)) return false;
  }
  for (const name in a) if (b[name] === undefined && a[name] !== undefined) return false;
  return true;
}

import type { Fields } from '../../../model/fields.ts';
import { bodyFieldOf } from '../../../model/fields.ts';
import type { Family, Key } from '../../../model/key.ts';
import { familyOf, kindOf } from '../../../model/key.ts';
import type { BaseRecord } from '../../../model/record.ts';
import type { Written } from '../../../remote/remote.ts';
import type { Run, WriteDate } from '../../run.ts';

/** Notes that a family was written: its list fingerprint is not trusted until the run has read it back. */
export function noteWritten(
  run: Run,
  record: BaseRecord,
  fields: Fields,
  written: Written | undefined,
): void {
  run.records.set(record.key, record);
  run.writtenAtMs.set(record.key, run.clock.now());
  run.written.set(record.key, isReadBack(run) ? fields : withoutBody(record.key, fields));
  noteDate(run, record.key, written);
}

/**
 * Whether what was written is read back or compared with its original. A service that keeps HTML as it came and names
 * its dates needs neither, and a first sync of 10,000 articles need not hold all their bodies to the end.
 */
function isReadBack(run: Run): boolean {
  const capabilities = run.remote.capabilities();
  return (['last-edited', 'keeps-html', 'edit-lang'] as const).some((name) => capabilities[name] !== 'yes');
}

function withoutBody(key: Key, fields: Fields): Fields {
  const { [bodyFieldOf(kindOf(key))]: _, ...rest } = fields;
  return rest;
}

/** Notes a delete: where it was a translation's, the list shows its original changed. */
export function noteDeleted(run: Run, key: Key, written: Written | undefined): void {
  run.deleted.add(key);
  noteDate(run, key, written);
}

/** The dates of a family's writes must join without a gap: in a gap somebody else has written, unseen. */
export function noteDate(run: Run, key: Key, written: Written | undefined): void {
  const family = familyOf(key);
  const date: WriteDate = { lastEdited: written?.lastEdited, previousEdited: written?.previousEdited };
  const earlier = run.dates.get(family);
  run.dates.set(family, earlier === undefined ? [date] : [...earlier, date]);
}

/**
 * What the list shows now of a family that this run wrote, as the answers to the writes tell it; undefined where they
 * do not, or where somebody else wrote between what the run had read of it and its last write.
 */
export function lastEditedOf(family: Family, run: Run): string | undefined {
  const dates = run.dates.get(family) ?? [];
  let at = run.input.views.get(family)?.lastEdited;
  const open = [...dates];
  while (open.length > 0) {
    const index = open.findIndex(({ previousEdited }) => previousEdited === at);
    const [next] = index < 0 ? [] : open.splice(index, 1);
    if (next?.lastEdited === undefined) return undefined;
    at = next.lastEdited;
  }
  return at;
}

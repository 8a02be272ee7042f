import { differenceOf } from '../../model/difference.ts';
import { nameFieldOf } from '../../model/fields.ts';
import type { Family } from '../../model/key.ts';
import type { DesiredRecord, KnownRecord } from '../../model/record.ts';
import { isSameMeaning } from '../../plan/likeness.ts';
import type { Ways } from '../../plan/likeness.ts';

/**
 * Records without a stamp that have the title and the text of a file which has no record, and another slug. A service may make
 * slugs by itself and strip comments: what is there may be the file's page, so nobody makes it a second time.
 */
export function twinsOf(
  homeless: readonly DesiredRecord[],
  records: readonly KnownRecord[],
  ways: Ways,
): ReadonlyMap<Family, KnownRecord> {
  const unstamped = records.filter(({ stamp }) => stamp === undefined);
  if (unstamped.length === 0) return new Map();
  return new Map(
    homeless.flatMap((desired) => {
      const twin = unstamped.find((record) => isTwin(desired, record, ways));
      return twin === undefined ? [] : [[desired.family, twin] as const];
    }),
  );
}

function isTwin({ kind, fields, body }: DesiredRecord, record: KnownRecord, ways: Ways): boolean {
  const name = nameFieldOf(kind);
  const [ours, theirs] = [fields[name], record.fields[name]];
  if (record.kind !== kind || body === undefined || typeof ours !== 'string' || theirs === undefined)
    return false;
  if (!isSameMeaning({ kind, name }, ours, theirs, ways)) return false;
  const [html, shown] = [body.render(), record.fields[body.field]];
  if (html === '' || shown === undefined || shown === '') return false;
  return differenceOf('html', html, shown, { origin: ways.origin }) !== undefined;
}

export function twinWords({ id, fields }: KnownRecord): string {
  return `the record ${id} has its title and text but another slug, ${JSON.stringify(fields['slug'])}: it may be this page already; give the file that slug, or rename or delete that record`;
}

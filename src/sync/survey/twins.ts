import { differenceOf, meaningDigest } from '../../model/difference.ts';
import { nameFieldOf } from '../../model/fields.ts';
import type { Family } from '../../model/key.ts';
import type { DesiredRecord, KnownRecord } from '../../model/record.ts';
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
  const byName = new Map<string, KnownRecord[]>();
  for (const record of records) {
    const mark = record.stamp === undefined ? nameMark(record, ways) : undefined;
    const namesakes = mark === undefined ? undefined : byName.get(mark);
    if (namesakes !== undefined) namesakes.push(record);
    else if (mark !== undefined) byName.set(mark, [record]);
  }
  if (byName.size === 0) return new Map();
  return new Map(
    homeless.flatMap((desired) => {
      const namesakes = byName.get(nameMark(desired, ways) ?? '') ?? [];
      const html = namesakes.length === 0 ? '' : (desired.body?.render() ?? '');
      const twin = namesakes.find((record) => hasText(desired, html, record, ways));
      return twin === undefined ? [] : [[desired.family, twin] as const];
    }),
  );
}

/** The same for two records whose names say the same; thousands are not compared one by one. */
function nameMark({ kind, fields }: KnownRecord | DesiredRecord, { origin }: Ways): string | undefined {
  const name = fields[nameFieldOf(kind)];
  const mark = typeof name === 'string' ? meaningDigest('text', name, { origin }) : undefined;
  return mark === undefined ? undefined : `${kind} ${mark}`;
}

function hasText({ body }: DesiredRecord, html: string, { fields }: KnownRecord, { origin }: Ways): boolean {
  const shown = body === undefined ? undefined : fields[body.field];
  if (html === '' || shown === undefined || shown === '') return false;
  return differenceOf('html', html, shown, { origin }) !== undefined;
}

export function twinWords({ id, fields }: KnownRecord): string {
  return `the record ${id} has its title and text but another slug, ${JSON.stringify(fields['slug'])}: it may be this page already; give the file that slug, or rename or delete that record`;
}

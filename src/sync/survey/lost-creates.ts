import type { Intent } from '../../base/base.ts';
import { bodyFieldOf, nameFieldOf } from '../../model/fields.ts';
import { lettersDigest } from '../../model/html/letters.ts';
import type { Digest } from '../../model/digest.ts';
import type { Family, Kind } from '../../model/key.ts';
import { idKey } from '../../model/key.ts';
import type { BaseState, DesiredRecord, KnownRecord } from '../../model/record.ts';
import { groupedBy } from '../../text/grouped.ts';
import { isMadeSlug } from '../made-slug.ts';

/**
 * The records that creates without an answer made under a slug of the service's own: they came since, have no stamp, and show the
 * name and the text that were sent, in their letters. Each create and each record must be alone with that. Before a create is
 * sent, nobody has such a record, or the file waits: see `twinsOf`.
 */
export function madeByLostCreates(
  homeless: readonly DesiredRecord[],
  records: readonly KnownRecord[],
  { open, base }: { readonly open: readonly Intent[]; readonly base: BaseState },
): ReadonlyMap<Family, KnownRecord> {
  const files = new Map(homeless.map((desired) => [desired.key, desired]));
  const creates = open.filter(
    ({ action, key, sent }) => action === 'create' && sent !== undefined && files.has(key),
  );
  if (creates.length === 0) return new Map();
  const free = records.filter(
    ({ kind, id, stamp }) => stamp === undefined && !base.unmanaged.has(idKey(kind, id)),
  );
  const namesakes = groupedBy(free, ({ kind, fields }) =>
    marksOf(kind, lettersDigest(fields[nameFieldOf(kind)])),
  );
  const pairs = creates.flatMap((intent) => {
    const file = files.get(intent.key);
    const marks = file === undefined ? [] : marksOf(file.kind, intent.letters?.[nameFieldOf(file.kind)]);
    const fits = marks
      .flatMap((mark) => namesakes.get(mark) ?? [])
      .filter((record) => isMadeBy(intent, record));
    return file === undefined ? [] : fits.map((record) => ({ file, record }));
  });
  const ofFile = groupedBy(pairs, ({ file }) => [file]);
  const ofRecord = groupedBy(pairs, ({ record }) => [record]);
  const alone = pairs.filter(
    ({ file, record }) => ofFile.get(file)?.length === 1 && ofRecord.get(record)?.length === 1,
  );
  return new Map(alone.map(({ file, record }) => [file.family, record]));
}

/** Thousands of creates are not compared with thousands of records one by one. A name without a letter proves nothing. */
function marksOf(kind: Kind, name: Digest | undefined): readonly string[] {
  return name === undefined ? [] : [`${kind} ${name}`];
}

/** Of a record whose name is the create's. */
function isMadeBy({ name, slug, letters = {} }: Intent, { kind, fields }: KnownRecord): boolean {
  const { slug: shown } = fields;
  if (typeof shown !== 'string' || !isMadeSlug(shown, [slug, name])) return false;
  // A description may be made of the text, or be left out.
  const body = bodyFieldOf(kind);
  return lettersDigest(fields[body]) === letters[body];
}

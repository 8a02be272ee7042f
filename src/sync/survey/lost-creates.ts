import type { Intent } from '../../base/base.ts';
import { bodyFieldOf, nameFieldOf } from '../../model/fields.ts';
import { lettersDigest } from '../../model/html/letters.ts';
import type { Family } from '../../model/key.ts';
import { idKey } from '../../model/key.ts';
import type { BaseState, DesiredRecord, KnownRecord } from '../../model/record.ts';
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
  const pairs = creates.flatMap((intent) => {
    const file = files.get(intent.key);
    return free.flatMap((record) =>
      file !== undefined && record.kind === file.kind && isMadeBy(intent, record) ? [{ file, record }] : [],
    );
  });
  const alone = pairs.filter(
    (pair) => pairs.filter(({ file, record }) => file === pair.file || record === pair.record).length === 1,
  );
  return new Map(alone.map(({ file, record }) => [file.family, record]));
}

function isMadeBy({ name, slug, letters = {} }: Intent, { kind, fields }: KnownRecord): boolean {
  const { slug: shown } = fields;
  if (typeof shown !== 'string' || !isMadeSlug(shown, [slug, name])) return false;
  // A description may be made of the text, or be left out.
  return [nameFieldOf(kind), bodyFieldOf(kind)].every(
    (field) => lettersDigest(fields[field]) === letters[field],
  );
}

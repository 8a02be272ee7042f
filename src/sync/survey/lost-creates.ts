import type { Intent } from '../../base/base.ts';
import { bodyFieldOf, nameFieldOf } from '../../model/fields.ts';
import { lettersDigest } from '../../model/html/letters.ts';
import type { Family, Kind } from '../../model/key.ts';
import type { BaseState, DesiredRecord, KnownRecord } from '../../model/record.ts';
import { sameAsBase } from '../../plan/compare.ts';
import { groupedBy } from '../../text/grouped.ts';
import { isCutOf, isMadeSlug } from '../made-slug.ts';
import { isSentEmpty } from '../own-edits.ts';
import { isStranger } from './waits.ts';

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
  const creates = open.flatMap((intent) => {
    const file = intent.action === 'create' && intent.sent !== undefined ? files.get(intent.key) : undefined;
    const mark = file === undefined ? undefined : sentMark(intent, file.kind);
    return file === undefined || mark === undefined ? [] : [{ intent, file, mark }];
  });
  if (creates.length === 0) return new Map();
  const wanted = new Set(creates.map(({ mark }) => mark));
  const byMark = groupedBy(records, (record) => {
    if (record.stamp !== undefined || isStranger(record, base)) return [];
    return [shownMark(record)].filter((mark) => wanted.has(mark));
  });
  const bare = records.filter(
    (record) =>
      record.stamp === undefined &&
      !isStranger(record, base) &&
      (record.fields[bodyFieldOf(record.kind)] ?? '') === '',
  );
  const pairs = creates.flatMap(({ intent, file, mark }) => {
    const made = (byMark.get(mark) ?? []).filter((record) => isMadeBy(intent, record));
    const found = made.length > 0 ? made : bare.filter((record) => isMadeByCut(intent, file.kind, record));
    return found.map((record) => ({ file, record }));
  });
  const ofFile = groupedBy(pairs, ({ file }) => [file]);
  const ofRecord = groupedBy(pairs, ({ record }) => [record]);
  const alone = pairs.filter(
    ({ file, record }) => ofFile.get(file)?.length === 1 && ofRecord.get(record)?.length === 1,
  );
  return new Map(alone.map(({ file, record }) => [file.family, record]));
}

/** A description may be made of the text, or be left out. Without a text the name must be the very one: `C++` has the letters of `C#`. */
function sentMark({ name, sent = {}, letters = {} }: Intent, kind: Kind): string | undefined {
  const field = bodyFieldOf(kind);
  const body = letters[field];
  if (body !== undefined) return `${kind} text ${body} ${lettersDigest(name) ?? ''}`;
  return isSentEmpty(sent[field]) ? `${kind} bare ${name}` : undefined;
}

function shownMark({ kind, fields }: KnownRecord): string {
  const [name, body] = [fields[nameFieldOf(kind)], fields[bodyFieldOf(kind)] ?? ''];
  if (body === '') return `${kind} bare ${String(name)}`;
  return `${kind} text ${lettersDigest(body) ?? ''} ${lettersDigest(name) ?? ''}`;
}

function isMadeBy(intent: Intent, record: KnownRecord): boolean {
  const { name, slug, letters = {} } = intent;
  const { slug: shown } = record.fields;
  if (typeof shown !== 'string' || !isMadeSlug(shown, [slug, name])) return false;
  return letters[bodyFieldOf(record.kind)] !== undefined || isInPlace(intent, record);
}

/** Many categories without a text have the same name. */
function isInPlace({ sent = {} }: Intent, { fields: { categoryParent: place } }: KnownRecord): boolean {
  const { categoryParent: ours } = sent;
  return ours === undefined || place === undefined || sameAsBase(place, ours);
}

/** Under a name that the service cut. */
function isMadeByCut(intent: Intent, kind: Kind, record: KnownRecord): boolean {
  const { name, slug, letters = {} } = intent;
  if (record.kind !== kind || letters[bodyFieldOf(kind)] !== undefined) return false;
  return isCutOf({ name, slug }, record) && isInPlace(intent, record);
}

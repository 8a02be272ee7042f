import type { Family } from '../../model/key.ts';
import { idKey, kindOf } from '../../model/key.ts';
import { nameFieldOf } from '../../model/fields.ts';
import type { BaseState, DesiredRecord, KnownRecord, Wait } from '../../model/record.ts';

/**
 * Records for which files waited in an earlier run (see `twinsOf`), and that look as they did then. A file of which the author has
 * changed the title since still waits: neither its name nor its slug says any more what it is, and it would be made a second time.
 */
export function waitedFor<T extends WaitedRecord>(
  homeless: readonly DesiredRecord[],
  records: readonly T[],
  { unmanaged }: Pick<BaseState, 'unmanaged'>,
): ReadonlyMap<Family, T> {
  const open = new Set(homeless.map(({ family }) => family));
  const found = new Map<Family, T>();
  for (const record of records) {
    const wait = lastingWait(record, unmanaged);
    if (wait !== undefined && open.has(wait.family) && !found.has(wait.family))
      found.set(wait.family, record);
  }
  return found;
}

/** The waits of now by the names of their records: those that were found, and those of files which a run could not look at. */
export function waitsOf(
  twins: ReadonlyMap<Family, KnownRecord>,
  {
    candidates,
    families,
    homed,
    base: { unmanaged },
  }: {
    readonly candidates: readonly KnownRecord[];
    readonly families: ReadonlySet<Family>;
    readonly homed: (family: Family) => boolean;
    readonly base: BaseState;
  },
): ReadonlyMap<string, Wait> {
  const waits = new Map<string, Wait>();
  for (const record of candidates) {
    const wait = lastingWait(record, unmanaged);
    if (wait !== undefined && families.has(wait.family) && !homed(wait.family))
      waits.set(idKey(record.kind, record.id), wait);
  }
  for (const [family, record] of twins)
    waits.set(idKey(record.kind, record.id), { family, name: nameOf(record) });
  return waits;
}

export function isSameWait(a: Wait | undefined, b: Wait | undefined): boolean {
  return a?.family === b?.family && a?.name === b?.name;
}

/** Whether an earlier run saw this record, and no file waited for it. */
export function isStranger(
  { kind, id }: Pick<WaitedRecord, 'kind' | 'id'>,
  { unmanaged }: BaseState,
): boolean {
  const memo = unmanaged.get(idKey(kind, id));
  return memo !== undefined && memo.waits === undefined;
}

type WaitedRecord = Pick<KnownRecord, 'kind' | 'id' | 'fields' | 'stamp'>;

/** Who renames the record, or gives it another slug, says that it is something else: that is a way out that kbsync names. */
function lastingWait(record: WaitedRecord, unmanaged: BaseState['unmanaged']): Wait | undefined {
  const { kind, id, fields, stamp } = record;
  const memo = unmanaged.get(idKey(kind, id));
  if (memo?.waits === undefined || stamp !== undefined || kindOf(memo.waits.family) !== kind)
    return undefined;
  return memo.slug === fields['slug'] && memo.waits.name === nameOf(record) ? memo.waits : undefined;
}

function nameOf({ kind, fields }: Pick<WaitedRecord, 'kind' | 'fields'>): string {
  return String(fields[nameFieldOf(kind)] ?? '');
}

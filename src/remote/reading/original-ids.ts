import { referenceFieldsOf } from '../../model/fields.ts';
import type { FieldValue } from '../../model/fields.ts';
import type { Kind, RemoteId } from '../../model/key.ts';
import { idKey } from '../../model/key.ts';
import type { KnownRecord } from '../../model/record.ts';
import { RemoteError } from '../error.ts';

export interface OriginalIds {
  /** Ids that a list shows are originals'. */
  saw(kind: Kind, ids: readonly RemoteId[]): void;
  /** A translation as it was read, with the ids of originals in its references. */
  resolved(record: KnownRecord): Promise<KnownRecord>;
}

/**
 * Some services show in a translation the ids of the translated categories and tags, where an edit and every other reply
 * names those of the originals. An id that no list shows is read once: its record says of which it is a translation.
 *
 * `parentOf` reads a record; null: it is no translation.
 */
export function createOriginalIds(
  parentOf: (kind: Kind, id: RemoteId) => Promise<RemoteId | null>,
): OriginalIds {
  const listed = new Set<string>();
  const known = new Map<string, Promise<RemoteId>>();
  const originalOf = (kind: Kind, id: RemoteId): Promise<RemoteId> => {
    const name = idKey(kind, id);
    if (listed.has(name)) return Promise.resolve(id);
    const before = known.get(name);
    if (before !== undefined) return before;
    const found = parentOf(kind, id).then(
      (parent) => parent ?? id,
      (error: unknown) => {
        known.delete(name);
        // What it is then, the caller sees: another id than the file's.
        if (error instanceof RemoteError && error.code !== 'aborted') return id;
        throw error;
      },
    );
    known.set(name, found);
    return found;
  };
  return {
    saw: (kind, ids) => ids.forEach((id) => listed.add(idKey(kind, id))),
    async resolved(record) {
      const fields: Record<string, FieldValue> = { ...record.fields };
      for (const { name, of } of referenceFieldsOf(record.kind)) {
        const value = record.fields[name];
        if (value === undefined || value === null) continue;
        fields[name] =
          typeof value === 'string'
            ? await originalOf(of, value)
            : [...new Set(await Promise.all(value.map((id) => originalOf(of, id))))].sort();
      }
      return { ...record, fields };
    },
  };
}

import type { BaseStore, LoadedBase } from '../../base/base.ts';
import type { Key } from '../../model/key.ts';
import { kindOf, idKey } from '../../model/key.ts';
import type { BaseRecord, BaseState, DesiredState, UnmanagedRecord } from '../../model/record.ts';

export interface Shield {
  /** All that the run sees of the managed records. */
  readonly needed: ReadonlyMap<Key, BaseRecord>;
  /** What is made again. */
  readonly keys: ReadonlySet<Key>;
  readonly files: DesiredState;
}

/**
 * The base as the restoring run sees it: without the managed records, which are not its business. What it learns reaches
 * the real base only for records whose file is back; intents of other runs stay open for the next sync.
 */
export function shieldedBase(
  store: BaseStore,
  { state, open, isNew }: LoadedBase,
  { needed, keys, files }: Shield,
): BaseStore {
  const operations = new Map<string, Key>();
  const isManaged = (key: Key): boolean => keys.has(key) && files.records.has(key);
  return {
    load: () =>
      Promise.resolve({
        state: {
          ...withoutScope(state),
          records: needed,
          unmanaged: new Map([...state.unmanaged, ...memosOf(state)]),
        },
        open: open.filter(({ action, key }) => action === 'create' && keys.has(key)),
        isNew,
      }),
    save: ({ capabilities, records }) => {
      const back = [...records].filter(([key]) => isManaged(key));
      return store.save({ ...state, capabilities, records: new Map([...state.records, ...back]) });
    },
    journal: {
      intend: (intent) => {
        // An edit or a delete that takes something back is no business of the next sync, which reads what became of it.
        if (!keys.has(intent.key)) return Promise.resolve();
        operations.set(intent.op, intent.key);
        return store.journal.intend(intent);
      },
      end: (op, record) => {
        const key = operations.get(op);
        if (key === undefined) return Promise.resolve();
        return store.journal.end(op, isManaged(key) ? record : state.records.get(key));
      },
      note: (record, how) => (isManaged(record.key) ? store.journal.note(record, how) : Promise.resolve()),
    },
    close: () => store.close(),
  };
}

/** What is chosen by name is no matter of the settings. */
function withoutScope(state: BaseState): BaseState {
  const { scopeDigest: _, ...rest } = state;
  return rest;
}

/** Managed records that were not edited since need not be read to know that their slug is another. */
function memosOf({ records }: BaseState): readonly (readonly [string, UnmanagedRecord])[] {
  return [...records.values()].flatMap(({ key, id, seen, sent }) => {
    const kind = kindOf(key);
    const slug = sent['slug'];
    if (seen === undefined || typeof slug !== 'string') return [];
    return [[idKey(kind, id), { kind, id, slug, seen }] as const];
  });
}

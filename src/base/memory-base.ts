import { NOTHING_SYNCED } from '../model/record.ts';
import type { BaseStore } from './base.ts';

/** Knows of no sync before and remembers none: for a knowledge base that lives as long as the run. */
export function emptyBase(origin: string): BaseStore {
  const state = { ...NOTHING_SYNCED, origin };
  const nothing = (): Promise<void> => Promise.resolve();
  return {
    load: () => Promise.resolve({ state, open: [], isNew: true }),
    save: nothing,
    journal: { intend: nothing, end: nothing, note: nothing },
    close: nothing,
  };
}

import { type Store, StoreError } from './store.ts';

/**
 * The store as it is, but told of: once when it begins to fail and once when it works again, with the cause that the answers
 * do not name. `tell` gets whole sentences; `now` is in milliseconds.
 */
export function tellOutages(
  store: Store,
  tell: (message: string, cause: unknown) => void,
  now: () => number,
): Store {
  let outage: { readonly sentence: string; readonly sinceMs: number; count: number } | undefined;
  const failed = (error: unknown): void => {
    if (!(error instanceof StoreError) || !OUTAGES.has(error.code)) return;
    const sentence = sentenceOf(error);
    const isNew = outage?.sentence !== sentence;
    outage = { sentence, sinceMs: outage?.sinceMs ?? now(), count: (outage?.count ?? 0) + 1 };
    if (isNew) tell(sentence, error);
  };
  const worked = (): void => {
    if (outage === undefined) return;
    const seconds = Math.round((now() - outage.sinceMs) / 1000);
    tell(`the database works again, after ${outage.count} failures in ${seconds} s`, undefined);
    outage = undefined;
  };
  const watched = async <T>(work: Promise<T>, isProof: boolean): Promise<T> => {
    try {
      const value = await work;
      if (isProof) worked();
      return value;
    } catch (error) {
      failed(error);
      throw error;
    }
  };
  return {
    ...store,
    // A database that can be read may still be full.
    read: (work) => watched(store.read(work), false),
    write: (work) => watched(store.write(work), true),
    check: () => watched(store.check(), true),
  };
}

const OUTAGES = new Set(['busy', 'overloaded', 'unclear', 'unsafe', 'damaged', 'disk', 'unopened']);

function sentenceOf(error: StoreError): string {
  const { cause } = error;
  const why = cause instanceof Error && !error.message.includes(cause.message) ? ` (${cause.message})` : '';
  return `the database fails: ${error.message}${why}`;
}

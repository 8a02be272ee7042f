import type { Caller } from './auth.ts';
import { type Store, StoreError } from '../store/store.ts';
import { type Clock, nowMicros } from '../time.ts';

const MINUTE_MICROS = 60_000_000;

/**
 * Keeps when a key was last used, at most once a minute for each key and beside the request, so reads stay reads. A
 * use that cannot be written now (the store is busy or closed) is left to the next request.
 */
export function createKeyUses(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  onFailure: (error: unknown) => void,
): (caller: Caller) => void {
  const noted = new Map<string, number>();
  return ({ keyId, lastUsedAt }) => {
    const now = nowMicros(clock);
    const isFresh = (at: number | null | undefined): boolean =>
      at !== null && at !== undefined && now - at < MINUTE_MICROS;
    if (isFresh(lastUsedAt) || isFresh(noted.get(keyId))) return;
    noted.set(keyId, now);
    store
      .write((sql) =>
        sql.run(
          'update api_keys set last_used_at = ? where id = ? and (last_used_at is null or last_used_at < ?)',
          now,
          keyId,
          now,
        ),
      )
      .catch((error: unknown) => {
        noted.delete(keyId);
        if (!(error instanceof StoreError)) onFailure(error);
      });
  };
}

import type { OldAddress } from '../../model/address/redirect.ts';
import type { JsonObject } from '../../text/json-value.ts';
import { type Reading, unreadable } from './reply.ts';
import { objectOf } from './values.ts';

/** The lines of a set, as the service keeps it. @throws RemoteError `not-understood` */
export function oldAddressesIn(reply: JsonObject, reading: Reading): readonly OldAddress[] {
  const found = objectOf(reply['data'])?.['redirects'];
  const lines = Array.isArray(found) ? found.map(lineIn) : undefined;
  if (lines === undefined || lines.includes(undefined)) {
    const right = 'a list of objects with from and to';
    throw unreadable(
      { field: 'data.redirects', found, right, because: 'kbsync keeps the lines whose pages stay' },
      reading,
    );
  }
  return lines.flatMap((line) => line ?? []);
}

function lineIn(value: unknown): OldAddress | undefined {
  const { from, to, key } = objectOf(value) ?? {};
  if (typeof from !== 'string' || typeof to !== 'string') return undefined;
  return { from, to, ...(typeof key === 'string' ? { key } : {}) };
}

/** Addresses that another repository had before; none if the answer does not say. */
export function claimedIn(reply: JsonObject): readonly { readonly from: string; readonly by: string }[] {
  const found = objectOf(reply['data'])?.['claimed'];
  if (!Array.isArray(found)) return [];
  return found.flatMap((row: unknown) => {
    const { from, by } = objectOf(row) ?? {};
    return typeof from === 'string' && typeof by === 'string' ? [{ from, by }] : [];
  });
}

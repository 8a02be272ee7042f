import type { Spool, Spooled } from '../../content/content-folder.ts';
import type { Fetched } from './read-records.ts';

/** What the base wants to know of a record that was written. */
export type SettledRecord = Pick<Fetched, 'kind' | 'id' | 'fields' | 'body' | 'bodyValue'>;

/** Where a settled record lies in the spool. */
export type SpooledRecord = Spooled & { readonly __brand: 'SettledRecord' };

/** Into the spool while all files are read again, which needs the memory. */
export function settledIn(spool: Spool, { kind, id, fields, body, bodyValue }: Fetched): SpooledRecord {
  const record: SettledRecord = { kind, id, fields, body, bodyValue };
  // The brand says what the text there is.
  return spool.put(JSON.stringify(record)) as SpooledRecord;
}

export function settledFrom(spool: Spool, at: SpooledRecord): SettledRecord {
  // Written by `settledIn` and by nobody else.
  return JSON.parse(spool.get(at)) as SettledRecord;
}

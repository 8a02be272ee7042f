import { namedRecords } from '../model/named-records.ts';
import type { DesiredState } from '../model/record.ts';
import type { ContentOptions } from './options.ts';

/** What kbsync.yaml says of records by name, whether they have a file or not. */
export function recordRules({
  protect = [],
}: Pick<ContentOptions, 'protect'>): Pick<DesiredState, 'protects'> {
  return protect.length === 0 ? {} : { protects: namedRecords(protect) };
}

import { namedRecords } from '../model/named-records.ts';
import type { DesiredState } from '../model/record.ts';
import type { ContentOptions } from './options.ts';

/** What kbsync.yaml says of records by name, whether they have a file or not. */
export function recordRules({
  protect = [],
  released = [],
}: Pick<ContentOptions, 'protect' | 'released'>): Pick<DesiredState, 'protects' | 'releases'> {
  return {
    ...(protect.length === 0 ? {} : { protects: namedRecords(protect) }),
    ...(released.length === 0 ? {} : { releases: namedRecords(released) }),
  };
}

import { namedRecords } from '../model/named-records.ts';
import type { DesiredState } from '../model/record.ts';
import type { ContentOptions } from './options.ts';

/** What kbsync.yaml says of records by name, whether they have a file or not, and whether files say all of a page. */
export function recordRules({
  preset,
  protect = [],
  released = [],
}: Pick<ContentOptions, 'preset' | 'protect' | 'released'>): Pick<
  DesiredState,
  'protects' | 'releases' | 'isWhole'
> {
  return {
    ...(preset === 'kbsync' ? {} : { isWhole: true }),
    ...(protect.length === 0 ? {} : { protects: namedRecords(protect) }),
    ...(released.length === 0 ? {} : { releases: namedRecords(released) }),
  };
}

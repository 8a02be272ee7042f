import { scopeOf } from '../files/scope.ts';
import type { ContentOptions, LeftOut } from '../options.ts';
import { listingOf } from './listing.ts';
import type { Listing } from './listing.ts';
import { readsAlso } from './other-formats.ts';

const PAGE = /\.(?:md(?:x|oc)?|markdown|mdown|mkdn?|mkdown)$/i;

/** Whether the settings narrow the folder. */
export function isNarrowed({ include = [], exclude = [] }: ContentOptions): boolean {
  return include.length + exclude.length > 0;
}

/** The same settings over the whole folder. */
export function wholeFolder(options: ContentOptions): ContentOptions {
  return { ...options, include: [], exclude: [], cacheFile: undefined };
}

/** Pages of the folder that make no record: excluded by the settings, or left out by the layout's own rules. */
export function leftOut(listing: Listing, options: ContentOptions): readonly LeftOut[] {
  const { placed, shown } = isNarrowed(options) ? listingOf(wholeFolder(options), listing.layout) : listing;
  const { include = [], exclude = [] } = options;
  const isIn = scopeOf({ include, exclude });
  const isNotExcluded = scopeOf({ include: [], exclude });
  const { preset } = listing;
  const isRead = readsAlso(preset.name);
  return placed.flatMap(({ file: { path } }): readonly LeftOut[] => {
    if (!PAGE.test(path) && !isRead(path)) return [];
    const file = `${shown}${path}`;
    if (!isIn(path)) return [{ file, reason: isNotExcluded(path) ? '`include`' : '`exclude`' }];
    const place = preset.place(path);
    if (place.role === 'document') return [];
    if (place.role === 'unexpected') return [{ file, reason: place.reason }];
    const reason = place.role === 'ignored' ? place.reason : undefined;
    return [{ file, reason: reason ?? `the layout \`${preset.name}\` has no page there` }];
  });
}

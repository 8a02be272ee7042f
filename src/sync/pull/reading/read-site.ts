import type { Family, Key } from '../../../model/key.ts';
import { familyOf, idKey, isOriginal, keyIn, kindOf } from '../../../model/key.ts';
import type { DesiredState } from '../../../model/record.ts';
import type { Repository } from '../../../model/repository.ts';
import { otherOwner } from '../../../model/stamp.ts';
import { isOriginalIn } from '../../known-originals.ts';
import { isPageMade } from '../context.ts';
import type { PullOptions, PullRun } from '../context.ts';
import { languagesToRead, readRecords } from './read-records.ts';
import type { Fetched, Reading } from './read-records.ts';

/** The site, as far as it concerns this repository. */
export interface SiteRecords extends Reading {
  /** The repository of each article that belongs to another one, by kind and id: it is not in `records`. */
  readonly others: ReadonlyMap<string, string>;
  /** The same of articles that come along, because nothing names this repository yet. */
  readonly foreign: ReadonlyMap<string, string>;
  /** Records that the site was not asked for, because nobody edited them since the last sync. */
  readonly unread: readonly Key[];
}

/** Reads all that is wanted and may have changed since the last sync. */
export async function readSite(
  { remote, content, spool, emit, wanted, layout, atOnce, pathOf }: PullOptions,
  { base, repository }: { readonly base: PullRun['base']; readonly repository: Repository },
): Promise<SiteRecords> {
  const desired = content.state;
  emit({ type: 'phase', phase: 'read service' });
  remote.learnOriginals(isOriginalIn(base));
  const unread: Key[] = [];
  const named = new Set(
    wanted.named.size === 0
      ? []
      : [...desired.records].flatMap(([key, record]) =>
          wanted.named.has(pathOf(record)) ? [familyOf(key)] : [],
        ),
  );
  const whole = await readRecords({
    remote,
    spool,
    defaultLanguage: desired.defaultLanguage,
    isKnown:
      wanted.languages?.includes(desired.defaultLanguage) === true ||
      [...base.records.keys()].some((key) => kindOf(key) === 'article' && isOriginal(key, desired)),
    atOnce,
    languagesOf: languagesToRead({
      defaultLanguage: desired.defaultLanguage,
      wanted,
      records: base.records,
      // A tag that no page names may be named again, and then the pages have to call it as the site does.
      isNeeded: (key) =>
        named.has(familyOf(key)) || (isPageMade(kindOf(key), layout) && !desired.records.has(key)),
      onUnread: (key) => unread.push(key),
    }),
    onRead: (done, total, failed) => emit({ type: 'progress', done, total, failed }),
  });
  const stamped = articlesOfOthers(whole.records, { repository, desired });
  if (repository.known.length === 0) return { ...whole, others: new Map(), foreign: stamped, unread };
  const records = whole.records.filter((record) => !stamped.has(idKey(record.kind, record.id)));
  return { ...whole, records, others: stamped, foreign: new Map(), unread };
}

/** What the site shows under each key. */
export function recordsByKey(
  records: readonly Fetched[],
  families: ReadonlyMap<string, Family>,
): ReadonlyMap<Key, Fetched> {
  return new Map(
    records.flatMap((record) => {
      const family = families.get(idKey(record.kind, record.id));
      return family === undefined ? [] : [[keyIn(family, record.lang), record] as const];
    }),
  );
}

/**
 * Articles whose stamps name another repository, by kind and id: a file here would be blocked by every sync. Categories and tags come along,
 * because articles of ours may be in them.
 */
function articlesOfOthers(
  records: readonly Fetched[],
  { repository, desired }: { readonly repository: Repository; readonly desired: DesiredState },
): ReadonlyMap<string, string> {
  const others = new Map<string, string>();
  for (const { kind, id, lang, stamp } of records) {
    const owner =
      kind === 'article' && lang === desired.defaultLanguage ? otherOwner(stamp, repository) : undefined;
    if (owner !== undefined) others.set(idKey(kind, id), owner);
  }
  return others;
}

import type { Key } from '../../model/key.ts';
import { findMoves } from '../../plan/moves.ts';
import { NAMELESS } from '../../model/repository.ts';
import type { Repository } from '../../model/repository.ts';
import { repositoryOf } from '../repository.ts';
import { consistentBase, resentFamilies } from '../survey/consistent-base.ts';
import { withPulledPages } from '../survey/pulled-pages.ts';
import type { PullOptions, PullRun } from './context.ts';
import { openRun } from './files/open-run.ts';
import { writeFiles } from './files/write-files.ts';
import { deletedThere } from './reading/deleted-there.ts';
import { readSite } from './reading/read-site.ts';
import type { PullReport } from './report.ts';
import { pulledPages, saveBase } from './save.ts';
import type { PulledFiles } from './save.ts';

/**
 * The knowledge base as files. Reads everything that is wanted before it writes anything; a file is made, or changed where
 * it is as the last sync left it, and in any other case a copy is put beside it. Files are never deleted.
 */
export async function pull(options: PullOptions): Promise<PullReport> {
  const { remote, now, wanted, signal } = options;
  const startMs = now();
  const { state } = options.content;
  // A file that was moved since the last sync is its record's, also before the next sync says so.
  const known = withPulledPages(consistentBase(options.loaded, state), state, {
    resent: resentFamilies(options.loaded),
  });
  const { base, moves } = findMoves(state, known.base);
  const repository = repositoryOf(options.repository ?? NAMELESS, options.loaded.state);
  const { files, report } = await readAndWrite(options, { base, repository });
  if (!wanted.dryRun) {
    if (options.remember !== undefined) await options.remember(pulledPages(files, options));
    else await saveBase(files, { repository, moves }, options);
  }
  return {
    ...report,
    requests: remote.requests(),
    durationMs: now() - startMs,
    interrupted: signal?.aborted === true,
  };
}

interface ReadAndWritten {
  /** What is left in memory: of ten thousand records as little as possible. */
  readonly files: PulledFiles;
  readonly report: Omit<PullReport, 'requests' | 'durationMs' | 'interrupted'>;
}

async function readAndWrite(
  options: PullOptions,
  known: { readonly base: PullRun['base']; readonly repository: Repository },
): Promise<ReadAndWritten> {
  const site = await readSite(options, known);
  const { run, chosen, assets } = await openRun(site, options, known);
  const isUnread = new Set(site.unread);
  const deleted = await deletedThere({
    options: run.options,
    known: known.base.records,
    reading: site,
    isShown: (key) => run.shown(key) !== undefined || isUnread.has(key),
  });
  options.emit({ type: 'phase', phase: 'write' });
  const ends = writeFiles(chosen, run, { unread: site.unread, repository: known.repository });
  return {
    files: {
      ends,
      listed: site.listed,
      ids: run.ids,
      familyOf: run.places.familyOf,
      renamed: run.links.renamed,
    },
    report: {
      records: [...ends.map(({ end }) => end), ...deleted],
      unread: site.unread.filter((key) => isAskedFor(key, options)).length,
      incomplete: site.incomplete,
      others: countedBy([...site.others.values()]),
      foreign: countedBy([...site.foreign.values()]),
      ...(assets === undefined ? {} : { assets }),
    },
  };
}

function isAskedFor(key: Key, { content, pathOf, wanted }: PullOptions): boolean {
  const record = content.state.records.get(key);
  return record !== undefined && wanted.isAskedFor(pathOf(record));
}

function countedBy(names: readonly string[]): PullReport['others'] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([repository, articles]) => ({ repository, articles }));
}

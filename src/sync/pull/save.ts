import type { Family, Key } from '../../model/key.ts';
import { idKey } from '../../model/key.ts';
import type { BaseRecord } from '../../model/record.ts';
import type { Repository } from '../../model/repository.ts';
import type { Learnt } from '../../plan/plan.ts';
import { stillPulled } from '../survey/pulled-pages.ts';
import type { PullOptions, PullRun } from './context.ts';
import type { End } from './files/write-files.ts';
import type { Places } from './places/place-records.ts';
import { fromSpool, inSyncRecord, pulledBase } from './pulled-base.ts';
import type { SpooledRecord } from './pulled-base.ts';
import type { Reading } from './reading/read-records.ts';

/** What the state learns of a pull. */
export interface PulledFiles {
  readonly ends: readonly End[];
  readonly listed: Reading['listed'];
  readonly ids: ReadonlyMap<Family, string>;
  readonly familyOf: Places['familyOf'];
  readonly renamed: PullRun['links']['renamed'];
}

/** What file and site say alike from now on, and what the lists showed. */
export async function saveBase(
  written: PulledFiles,
  { repository: { id }, moves }: { readonly repository: Repository; readonly moves: readonly Learnt[] },
  options: PullOptions,
): Promise<void> {
  const { ends, ids, familyOf, listed, renamed } = written;
  const { state } = await options.reload();
  const inSync = new Map<Key, SpooledRecord>();
  const differing = new Set<Key>();
  for (const { end, inSync: shown } of ends) {
    if (end.key === undefined) continue;
    if (shown !== undefined) inSync.set(end.key, shown);
    else if (end.action !== 'unchanged') differing.add(end.key);
  }
  const seen = new Map(
    listed.flatMap((item) => {
      const family = familyOf.get(idKey(item.kind, item.id));
      return family === undefined ? [] : [[family, item.seen] as const];
    }),
  );
  const read = new Set(ends.flatMap(({ end }) => (end.key === undefined ? [] : [end.key])));
  const { remote, base, loaded, spool } = options;
  await base.save(
    stillPulled(
      pulledBase({
        before: {
          ...loaded.state,
          records: withMoves(loaded.state.records, moves),
          ...(id === undefined ? {} : { repository: id }),
        },
        desired: state,
        ids,
        renamed,
        inSync,
        read,
        differing,
        seen,
        capabilities: remote.capabilities(),
        spool,
      }),
      state,
    ),
  );
}

/** What the new files of a proposal say, so a sync that finds them knows their pages, whatever the site says then. */
export function pulledPages(
  { ends, ids, renamed }: PulledFiles,
  options: PullOptions,
): readonly BaseRecord[] {
  const { content, folder, loaded, spool } = options;
  const made = ends.filter(({ end }) => end.action === 'created');
  const editing = content.editing?.();
  if (made.length === 0 || editing === undefined) return [];
  const files = ends.flatMap(({ end: { action, file, navigations = [] } }) =>
    file === undefined || (action !== 'created' && action !== 'updated') ? [] : [file, ...navigations],
  );
  const drafts = [...new Set(files)].flatMap((file) => {
    const text = folder.read(file);
    return text === undefined ? [] : [[file, text] as const];
  });
  const { state: desired } = editing.readWith(new Map(drafts));
  return made.flatMap(({ end: { key }, inSync }) => {
    if (key === undefined || inSync === undefined) return [];
    const record = inSyncRecord(key, fromSpool(spool, inSync), {
      before: loaded.state,
      desired,
      ids,
      renamed,
      spool,
    });
    return record ?? [];
  });
}

function withMoves(
  records: PullRun['base']['records'],
  moves: readonly Learnt[],
): PullRun['base']['records'] {
  const moved = new Map(records);
  // Two of them may have changed names.
  for (const move of moves) if (move.how === 'moved' && move.from !== undefined) moved.delete(move.from);
  for (const move of moves)
    if (move.how === 'moved' && move.from !== undefined) moved.set(move.record.key, move.record);
  return moved;
}

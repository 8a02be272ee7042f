import { isDeepStrictEqual } from 'node:util';
import { BaseError } from '../../base/base.ts';
import type { LoadedContent } from '../../content/options.ts';
import { ContentError } from '../../content/options.ts';
import type { Key } from '../../model/key.ts';
import type { BaseState, DesiredState } from '../../model/record.ts';
import { RemoteError } from '../../remote/error.ts';
import { changedRecords } from './changed-records.ts';
import type { Sync } from '../create-sync.ts';
import type { WatchEvent } from './event.ts';
import { createRemoved, createSaid } from './notices.ts';
import { publishable, withBareCategories } from '../publishable.ts';
import type { SyncReport } from '../report.ts';
import type { Batch, BatchEnd } from './batches.ts';
import { tell, tellRedirects, tellSame, sayOutside } from './tell-turn.ts';

export interface TurnsOptions {
  readonly load: () => Promise<LoadedContent>;
  /** Opens the base, again after a failure that leaves it open what is in it. */
  readonly open: () => Promise<Sync>;
  readonly clock: { readonly now: () => number };
  readonly say: (event: WatchEvent) => void;
  /** The records that the runs are about, now that the files are these; undefined: all. */
  readonly chosen?: ((desired: DesiredState, base: BaseState) => ReadonlySet<Key> | undefined) | undefined;
}

export interface Turns {
  /** Brings the service in sync with the files as they are now. Faulty files hold up only themselves. */
  turn(batch: Batch): Promise<BatchEnd>;
  /** The last whole run; undefined before the first one. */
  lastReport(): SyncReport | undefined;
  /** How many changed records are not sent yet. */
  waiting(): number;
  /** How many records wait for a person to choose a side. */
  conflicts(): number;
  /** When a date in the files passes next. */
  dateMs(): number | undefined;
  /** Saves what is only in the journal yet. */
  save(): Promise<void>;
}

interface Sending {
  readonly keys: ReadonlySet<Key>;
  readonly added: readonly Key[];
  readonly isFirst: boolean;
}

/** Keeps a service in sync with files that change, turn by turn. Never deletes. */
export function createTurns({ load, open: openSync, clock, say, chosen }: TurnsOptions): Turns {
  let opened: Sync | undefined;
  let before: DesiredState | undefined;
  let report: SyncReport | undefined;
  let faultyBefore: ReadonlySet<string> = new Set();
  let isWholeNeeded = true;
  let lastFailure = '';
  /** Records that could not be sent. */
  let open: ReadonlySet<Key> = new Set();
  let disputed: ReadonlySet<Key> = new Set();
  const said = createSaid(say);
  const removed = createRemoved(say);

  const turn = async (batch: Batch): Promise<BatchEnd> => {
    const content = await load();
    const sync = (opened ??= await openSync());
    const base = await sync.known();
    const files = withBareCategories(publishable(content, base), content, base);
    said.problems(content.problems);
    said.held(files);
    say({ type: 'problems', problems: content.problems });
    const isFirst = before === undefined;
    const delta = before === undefined ? undefined : changedRecords(before, files.desired);
    const added = delta?.added ?? [];
    const part = chosen?.(files.desired, base);
    const changed = [
      ...(delta?.changed ?? []),
      ...[...open].filter((key) => files.desired.records.has(key)),
    ].filter((key) => part === undefined || part.has(key));
    if (!isFirst) sayOutside(batch, part, files, say);
    // Lists tell which old addresses the service has.
    isWholeNeeded ||= !isDeepStrictEqual(before?.redirects, files.desired.redirects);
    before = files.desired;
    removed.learn(files);
    isWholeNeeded ||= batch.scope === 'everything' || isFirst || added.length > 0;
    const keys = new Set(changed);
    const faultyThen = faultyBefore;
    faultyBefore = files.faulty;
    if (isWholeNeeded || keys.size > 0) {
      const now = await send(sync, files.desired, { keys, added, isFirst });
      if (!isFirst) tell({ batch, report: now, keys, faultyThen, files }, { nowMs: clock.now(), say });
      if (isStillOpen(now)) return 'again';
    } else tellSame(batch, files, part, say);
    lastFailure = '';
    if (batch.scope !== 'changes') {
      removed.announce(await sync.known(), files);
      await sync.save();
    }
    return 'done';
  };

  /** A whole run where one is needed, else one for these records. */
  const send = async (sync: Sync, desired: DesiredState, { keys, added, isFirst }: Sending) => {
    const isWhole = isWholeNeeded;
    open = new Set([...keys, ...added]);
    const now = isWhole ? await sync.sync(desired) : await sync.syncChanged(desired, keys);
    isWholeNeeded = now.plan.refusals.length > 0;
    open = new Set(now.results.filter(({ outcome }) => outcome !== 'done').map(({ key }) => key));
    const others = isWhole ? [] : [...disputed].filter((key) => !keys.has(key));
    disputed = new Set([...others, ...now.plan.conflicts.map(({ key }) => key)]);
    if (isWhole) report = now;
    if (isWhole) say({ type: 'whole', report: now, fileCount: desired.fileCount, isFirst });
    if (!isFirst || now.redirects?.outcome !== 'done') tellRedirects(now, say);
    said.openEnds(now);
    return now;
  };

  /** A record that fails in the same way again is not worth another try until something changes. */
  const isStillOpen = (now: SyncReport): boolean => {
    const bad = now.results.filter(({ outcome }) => outcome !== 'done');
    const set =
      now.redirects === undefined || now.redirects.outcome === 'done' ? [] : [now.redirects.message];
    const failure = [...bad.map(({ key, message }) => `${key} ${message}`), ...set].join('\n');
    const isNew = failure !== '' && failure !== lastFailure;
    lastFailure = failure;
    return isNew && !now.interrupted;
  };

  return {
    async turn(batch) {
      try {
        return await turn(batch);
      } catch (error) {
        if (!isPassing(error)) throw error;
        isWholeNeeded = true;
        // What was written before is in the journal: opening it anew brings it in.
        if (!(error instanceof RemoteError)) opened = undefined;
        if (error.code === 'aborted') return 'done';
        // Saved again while it was read, or checked out with the files: nobody need hear of it.
        if (error.code === 'changed') return 'soon';
        say({ type: 'trouble', message: error.message });
        return 'again';
      }
    },
    lastReport: () => report,
    waiting: () => open.size,
    dateMs: () => before?.untilMs,
    conflicts: () => disputed.size,
    save: async () => opened?.save(),
  };
}

/** Outages, files in motion, a state that a checkout has replaced. The rest is a bug, or for a person to resolve. */
function isPassing(error: unknown): error is RemoteError | ContentError | BaseError {
  if (error instanceof BaseError) return error.code === 'changed' || error.code === 'not-writable';
  return error instanceof RemoteError || error instanceof ContentError;
}

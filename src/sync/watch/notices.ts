import type { Key } from '../../model/key.ts';
import type { Problem } from '../../model/problem.ts';
import { problemMessage, showPlace } from '../../model/problem.ts';
import type { BaseState } from '../../model/record.ts';
import type { WatchEvent } from './event.ts';
import { HELD, type Publishable } from '../publishable.ts';
import type { SyncReport } from '../report.ts';

type Say = (event: WatchEvent) => void;

/** What stays as it is from turn to turn is said once. */
export function createSaid(say: Say) {
  let problemsBefore: ReadonlySet<string> = new Set();
  let endsBefore: ReadonlySet<string> = new Set();
  let heldBefore: ReadonlySet<Key> = new Set();
  return {
    problems(problems: readonly Problem[]): void {
      const now = new Map(
        problems.map((problem) => [`${showPlace(problem.at)} ${problemMessage(problem)}`, problem]),
      );
      for (const [text, problem] of now) if (!problemsBefore.has(text)) say({ type: 'problem', problem });
      problemsBefore = new Set(now.keys());
    },
    held({ held }: Publishable): void {
      for (const key of held) if (!heldBefore.has(key)) say({ type: 'waiting', key, message: HELD });
      heldBefore = new Set(held);
    },
    openEnds({ plan }: SyncReport): void {
      const events: readonly WatchEvent[] = [
        ...plan.conflicts.map((conflict) => ({ type: 'conflict' as const, conflict })),
        ...plan.drift.map((drift) => ({ type: 'drift' as const, drift })),
        ...plan.refusals.map((refusal) => ({ type: 'refused' as const, refusal })),
        ...plan.blocked
          .filter(({ reason }) => reason !== 'original-missing' && reason !== 'file-errors')
          .map(({ key, message }) => ({ type: 'waiting' as const, key, message })),
      ];
      const now = new Set(events.map((event) => JSON.stringify(event)));
      for (const event of events) if (!endsBefore.has(JSON.stringify(event))) say(event);
      endsBefore = now;
    },
  };
}

/** Files that are gone, once they have been gone for a while: an editor that saves takes a file away for a moment. */
export function createRemoved(say: Say) {
  const fileOf = new Map<Key, string>();
  let announced: ReadonlySet<Key> = new Set();
  return {
    learn({ desired }: Publishable): void {
      for (const { key, at } of desired.records.values())
        if (fileOf.get(key) !== at.file) fileOf.set(key, at.file);
    },
    announce(base: BaseState, { desired, faulty }: Publishable): void {
      const gone = [...base.records.keys()].filter((key) => {
        if (desired.records.has(key)) return false;
        const file = fileOf.get(key);
        return file === undefined ? faulty.size === 0 : !faulty.has(file);
      });
      const fresh = gone.filter((key) => !announced.has(key));
      if (fresh.length > 0) say({ type: 'removed', keys: fresh });
      announced = new Set(gone);
    },
  };
}

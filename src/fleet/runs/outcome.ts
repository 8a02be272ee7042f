import type { SyncSummary } from '../../model/sync-summary.ts';
import { dirname } from 'node:path';
import { realDisk } from '../../base/disk/real-disk.ts';
import { CONDITIONS, type Condition, type Verdict } from './verdict.ts';

/** What is known of a knowledge base after its last run; `outcome.json`. Times are ISO 8601 in UTC. */
export interface Outcome {
  readonly format: 1;
  readonly condition: Condition;
  /** When this condition began. */
  readonly since: string;
  /** The end of the last run. */
  readonly at: string;
  /** One sentence. */
  readonly message: string;
  readonly counts?: SyncSummary;
  /** The head of the branch at the last fetch. */
  readonly commit?: string;
  /** The last commit whose sync ended without failure. */
  readonly synced?: string;
  /** Commits of the branch that the knowledge base does not have yet; absent: not known. */
  readonly behind?: number;
  /** A change of condition that nobody was told of yet. */
  readonly untold?: Change;
  /** Runs since the fleet knows this knowledge base. */
  readonly runs: number;
}

export interface Change {
  /** The same in every try to tell it. */
  readonly id: string;
  readonly from: Condition | 'new';
}

export interface RunResult {
  readonly verdict: Verdict;
  readonly counts: SyncSummary | undefined;
  readonly commit: string | undefined;
  readonly behind: number | undefined;
  readonly at: string;
  /** For a message, if the condition changed. */
  readonly id: string;
}

/** The next outcome; the same if the run says nothing about the knowledge base. */
export function nextOutcome(before: Outcome | undefined, result: RunResult): Outcome | undefined {
  const { verdict, counts, commit, behind, at, id } = result;
  const { condition } = verdict;
  if (condition === undefined) return before;
  const hasChanged = before?.condition !== condition;
  const isFirst = before === undefined && condition === 'in-sync';
  const isSynced = condition === 'in-sync' || condition === 'drift' || condition === 'conflict';
  const synced = isSynced ? commit : before?.synced;
  const head = commit ?? before?.commit;
  const told = hasChanged && !isFirst ? { id, from: before?.condition ?? ('new' as const) } : before?.untold;
  const left = isSynced ? 0 : (behind ?? before?.behind);
  return {
    format: 1,
    condition,
    since: hasChanged ? at : before.since,
    at,
    message: verdict.message,
    ...(counts === undefined ? {} : { counts }),
    ...(head === undefined ? {} : { commit: head }),
    ...(synced === undefined ? {} : { synced }),
    ...(left === undefined ? {} : { behind: left }),
    ...(told === undefined ? {} : { untold: told }),
    runs: (before?.runs ?? 0) + 1,
  };
}

/** Undefined: no run has ended yet, or the file is not one of ours. */
export async function readOutcome(file: string): Promise<Outcome | undefined> {
  const bytes = await realDisk.read(file);
  if (bytes === undefined) return undefined;
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Outcome>;
    const isOurs = value.format === 1 && CONDITIONS.some((one) => one === value.condition);
    return isOurs ? (value as Outcome) : undefined; // written whole by writeOutcome
  } catch {
    return undefined;
  }
}

export async function writeOutcome(file: string, outcome: Outcome): Promise<void> {
  await realDisk.makeDirectory(dirname(file));
  await realDisk.write(`${file}.tmp`, `${JSON.stringify(outcome, undefined, 2)}\n`);
  await realDisk.rename(`${file}.tmp`, file);
}

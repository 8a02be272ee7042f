import type { SyncPolicy } from '../sync/report.ts';
import type { Only } from '../plan/selection.ts';
import type { GuardFlags, ResolveFlags, RestoreFlags, RunFlags } from './flags.ts';
import type { Settings } from './settings.ts';

/** Most requests at once, where neither a flag nor kbsync.yaml says it. */
export const CONCURRENCY = 16;

/** What the flags of plan and sync ask for, in the words of the run. */
export function policyOf(flags: RunFlags): (settings: Settings) => SyncPolicy {
  return ({ file }) => ({
    prune: flags.prune,
    maxDelete: flags.maxDelete,
    onConflict: flags.onConflict,
    onDrift: flags.onDrift,
    adopt: flags.adopt ?? 'fail',
    allow: allowedBy(flags),
    stamp: file.stamp ?? true,
    languages: flags.lang.length === 0 ? undefined : flags.lang,
    concurrencyMax: flags.concurrency ?? file.concurrency ?? CONCURRENCY,
    settleMs: milliseconds(flags.settle),
  });
}

/** What is chosen for single records: one side in all that is open about them. */
export function policyOfChoice(
  flags: ResolveFlags,
  side: 'local' | 'remote',
  only: Only,
): (settings: Settings) => SyncPolicy {
  return ({ file }) => ({
    prune: false,
    maxDelete: undefined,
    onConflict: side,
    onDrift: side === 'local' ? 'overwrite' : 'acknowledge',
    adopt: side,
    allow: new Set<AllowName>(),
    stamp: file.stamp ?? true,
    languages: undefined,
    concurrencyMax: flags.concurrency ?? file.concurrency ?? CONCURRENCY,
    only,
    settleMs: milliseconds(flags.settle),
  });
}

/** Restoring adds what is missing and settles nothing: whatever stands in the way stays. */
export function policyOfRestore(flags: RestoreFlags): (settings: Settings) => SyncPolicy {
  return ({ file }) => ({
    prune: false,
    maxDelete: undefined,
    onConflict: 'fail',
    onDrift: 'report',
    adopt: 'fail',
    allow: allowedBy(flags),
    stamp: file.stamp ?? true,
    languages: undefined,
    concurrencyMax: flags.concurrency ?? file.concurrency ?? CONCURRENCY,
  });
}

/** The guards that somebody has vouched for. */
export function allowedBy(flags: GuardFlags): ReadonlySet<AllowName> {
  return new Set<AllowName>([
    ...(flags.allowVanished === true ? (['vanished'] as const) : []),
    ...(flags.allowScopeChange === true ? (['scope-change'] as const) : []),
    ...(flags.assumeComplete === true ? (['incomplete-list'] as const) : []),
    ...(flags.allowEmptyRemote === true ? (['empty-remote'] as const) : []),
    ...(flags.allowCheckout === true ? (['checkout'] as const) : []),
  ]);
}

export function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

/** The same for a saved plan: it was made with a policy, and no other may carry it out. */
export function policyOfSaved(
  saved: SavedPolicy,
  concurrency: number | undefined,
): (settings: Settings) => SyncPolicy {
  return ({ file }) => ({
    ...saved,
    maxDelete: saved.maxDelete ?? undefined,
    allow: new Set<AllowName>(saved.allow),
    stamp: file.stamp ?? true,
    languages: saved.languages ?? undefined,
    concurrencyMax: concurrency ?? file.concurrency ?? CONCURRENCY,
  });
}

export type AllowName = 'vanished' | 'scope-change' | 'incomplete-list' | 'empty-remote' | 'checkout';

export interface SavedPolicy {
  readonly prune: boolean;
  readonly maxDelete: number | null;
  readonly onConflict: SyncPolicy['onConflict'];
  readonly onDrift: SyncPolicy['onDrift'];
  readonly adopt: SyncPolicy['adopt'];
  readonly allow: readonly AllowName[];
  readonly languages: readonly string[] | null;
}

export function savedPolicy(policy: SyncPolicy): SavedPolicy {
  return {
    prune: policy.prune,
    maxDelete: policy.maxDelete ?? null,
    onConflict: policy.onConflict,
    onDrift: policy.onDrift,
    adopt: policy.adopt,
    allow: [...policy.allow].sort(),
    languages: policy.languages ?? null,
  };
}

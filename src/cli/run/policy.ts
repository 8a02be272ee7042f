import type { Settings } from '../../config/settings.ts';
import { ALLOWANCES, CAREFUL, type Allowance, type PlanPolicy } from '../../plan/policy.ts';
import type { SyncPolicy } from '../../sync/report.ts';
import type { RunFlags } from '../flags.ts';

/** Most requests at once, if neither a flag nor kbsync.yaml says it. */
export const CONCURRENCY = 16;

/** For a knowledge base that only this command writes to: the files are always right. */
export const MIRROR: PlanPolicy = {
  ...CAREFUL,
  onConflict: 'local',
  onDrift: 'overwrite',
  adopt: 'local',
  allow: new Set(ALLOWANCES),
};

/** What the flags of plan, sync and watch ask for. */
export function policyOf(
  flags: RunFlags & { readonly allowRenamed?: boolean },
): (settings: Settings) => SyncPolicy {
  const { prune, maxDelete, onConflict, onDrift, adopt = 'fail', lang } = flags;
  const allow = allowedBy(flags);
  return policyFrom(
    { prune, maxDelete, onConflict, onDrift, adopt, allow, languages: onlyNamed(lang) },
    flags,
  );
}

/** A policy with what kbsync.yaml says about requests and bodies; `settle` is in seconds. */
export function policyFrom(
  chosen: PlanPolicy,
  {
    concurrency,
    settle,
    wait,
  }: {
    readonly concurrency?: number | undefined;
    readonly settle?: number | undefined;
    readonly wait?: boolean | undefined;
  },
): (settings: Settings) => SyncPolicy {
  return ({ file }) => ({
    ...chosen,
    stamp: file.stamp ?? true,
    concurrencyMax: concurrency ?? file.concurrency ?? CONCURRENCY,
    lateMs: settle === undefined ? undefined : settle * 1000,
    waits: wait === true,
  });
}

/** The guards that somebody has vouched for; a command takes the flags of those that it has. */
export function allowedBy(
  flags: Partial<
    Pick<
      RunFlags,
      | 'allowVanished'
      | 'allowScopeChange'
      | 'allowCheckout'
      | 'allowOlderCommit'
      | 'assumeComplete'
      | 'allowEmptyRemote'
    >
  > & { readonly allowRenamed?: boolean },
): ReadonlySet<Allowance> {
  return new Set<Allowance>([
    ...(flags.allowVanished === true ? (['vanished'] as const) : []),
    ...(flags.allowScopeChange === true ? (['scope-change'] as const) : []),
    ...(flags.assumeComplete === true ? (['incomplete-list'] as const) : []),
    ...(flags.allowEmptyRemote === true ? (['empty-remote'] as const) : []),
    ...(flags.allowCheckout === true ? (['checkout'] as const) : []),
    ...(flags.allowOlderCommit === true ? (['older-commit'] as const) : []),
    ...(flags.allowRenamed === true ? (['renamed'] as const) : []),
  ]);
}

/** Languages named with `--lang`; undefined: all. */
export function onlyNamed(languages: readonly string[]): readonly string[] | undefined {
  return languages.length === 0 ? undefined : languages;
}

import type { Plan } from '../../../plan/plan.ts';
import type { Verification } from '../../../sync/migrate/verify.ts';
import type { SyncReport } from '../../../sync/report.ts';
import { JSON_FORMAT, planDocument, stoppedDocument, syncDocument } from '../../print/json.ts';
import { inOwnWords, NOT_CARRIED, type Shown } from './print.ts';

interface Ended {
  readonly plan: Plan;
  readonly report?: SyncReport;
  readonly verification?: Verification | undefined;
  readonly unverified?: string;
}

/** `migrate --json`: the document of a plan or a sync, and what a migration adds to it. */
export function migrationDocument({ plan, report, verification, unverified }: Ended, shown: Shown) {
  const document =
    report === undefined
      ? planDocument(inOwnWords(plan), [], 0)
      : syncDocument({ ...report, plan: inOwnWords(plan) }, []);
  return {
    ...document,
    ...partsOf(shown),
    ...(unverified === undefined ? {} : { unverified }),
    ...(verification === undefined
      ? {}
      : {
          verification: {
            compared: verification.compared,
            equal: verification.differences.length === 0,
            differences: verification.differences,
            rewritten: verification.rewritten,
          },
        }),
    requests: shown.requests,
    durationMs: Math.round(shown.durationMs),
  };
}

/** The same where the source is not to be trusted and nothing was written. */
export function faultsDocument(shown: Shown) {
  const { prepared, requests } = shown;
  return {
    ...stoppedDocument(shown.dryRun ? 'plan' : 'sync', []),
    ...partsOf(shown),
    refusals: prepared.faults.map((message) => ({ code: 'source-incomplete', message })),
    requests,
  };
}

function partsOf({ from, to, prepared, dryRun }: Shown) {
  const { counts, migration, leftOut } = prepared;
  return {
    format: JSON_FORMAT,
    from,
    to,
    dryRun,
    source: counts,
    leftOut,
    valueChanges: migration.changes,
    links: migration.links,
    notCarried: NOT_CARRIED,
  };
}

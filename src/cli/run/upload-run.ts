import type { DesiredState } from '../../model/record.ts';
import type { Change, Plan } from '../../plan/plan.ts';
import type { Sync } from '../../sync/create-sync.ts';
import type { SyncReport } from '../../sync/report.ts';

export interface Uploading {
  /** Gives files an address, by digest; answers how many have one since. */
  readonly upload: (digests: ReadonlySet<string>) => Promise<number>;
  /** Reads all again, with the addresses. */
  readonly again: () => Promise<DesiredState>;
}

/**
 * A sync of records that show files without an address: plans, asks, uploads the files of the records that change, reads
 * again, and carries out what is the same plan but for the addresses. What else has changed meanwhile is asked about again.
 */
export async function syncUploading(
  sync: Sync,
  desired: DesiredState,
  { upload, again }: Uploading,
  confirm: (plan: Plan) => Promise<boolean>,
): Promise<SyncReport> {
  const { plan } = await sync.plan(desired);
  const digests = pendingIn(plan, desired);
  if (digests.size === 0 || plan.refusals.length > 0) return sync.sync(desired, confirm);
  if (!(await confirm(plan))) return sync.sync(desired, () => Promise.resolve(false));
  const count = await upload(digests);
  const next = await again();
  const known = stepsOf(plan, desired);
  const report = await sync.sync(next, (after) =>
    [...stepsOf(after, desired)].every(([key, step]) => known.get(key) === step)
      ? Promise.resolve(true)
      : confirm(after),
  );
  return { ...report, filesSent: report.filesSent + count };
}

function pendingIn({ changes }: Plan, { records, files }: DesiredState): ReadonlySet<string> {
  const shown = changes.flatMap(({ action, key }) =>
    action === 'delete' ? [] : (records.get(key)?.files ?? []),
  );
  return new Set(shown.filter((digest) => files?.has(digest) === true));
}

/** What a plan does to each record; of one that shows files without an address in `desired`, all but what it writes. */
function stepsOf({ changes }: Plan, { records }: DesiredState): ReadonlyMap<string, string> {
  return new Map(
    changes.map((change) => {
      const isWaiting = (records.get(change.key)?.files ?? []).length > 0;
      return [change.key, stepOf(change, isWaiting)];
    }),
  );
}

function stepOf({ action, id, fields }: Change, isWaiting: boolean): string {
  const values = fields.map(({ field, before, after }) => [
    field,
    before ?? null,
    isWaiting ? null : (after ?? null),
  ]);
  return JSON.stringify([action, id ?? null, values]);
}

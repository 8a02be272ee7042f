import { BaseError } from '../base/base.ts';
import type { HeldBy, Lease, LockOwner, SharedDocument, SharedStore } from '../base/shared/shared-store.ts';
import { gitRef, TRIES } from './git-ref.ts';
import type { GitRef, GitRefOptions } from './git-ref.ts';
import { PARTS } from './git-states.ts';
import type { Tip } from './git-states.ts';
import { heldBy, lockInfo } from './lock-info.ts';

const LEASE_MS = 300_000;
/** git has no clock of its own: the clocks of two machines may differ by so much. */
const CLOCKS_DIFFER_MS = 300_000;

/**
 * A state in a ref of the repository's remote. Each change is a commit without a parent that replaces the one before:
 * `git push --force-with-lease` names the commit that it replaces, and the remote refuses it when there is another one.
 */
export function gitState(options: GitRefOptions): SharedStore {
  const { nowMs } = options;
  const ref = gitRef(options);
  return {
    name: ref.name,
    read: async () => ref.documentOf(await ref.tip()),
    lock: async (owner) => {
      for (let attempt = 1; ; attempt += 1) {
        const tip = await ref.tip();
        const holder = tip.lock === undefined ? undefined : heldBy(tip.lock);
        if (holder !== undefined && !isFree(holder, owner.id, nowMs()))
          return { heldBy: { ...holder, ...endOf(holder) } };
        // Before the lock is taken: what cannot be read leaves no lock behind.
        const document = await ref.documentOf(tip);
        const fence = tip.fence + 1;
        const next = { blobs: tip.blobs, fence, lock: lockText(owner, fence, nowMs()) };
        const commit = await ref.commitOf(next);
        if (await ref.replaced(tip.commit, commit))
          return { lease: leaseOf({ ref, owner, nowMs }, { ...next, commit }, document) };
        if (attempt === TRIES) {
          throw new BaseError(
            'locked',
            `${ref.name}: other kbsync runs keep taking this lock; run again when they are done.`,
          );
        }
      }
    },
    unlock: async (id) => {
      const tip = await ref.tip();
      if (tip.lock === undefined || heldBy(tip.lock).id !== id) return false;
      return ref.replaced(tip.commit, await ref.commitOf({ ...tip, lock: undefined }));
    },
    close: () => Promise.resolve(),
  };
}

interface Held {
  readonly ref: GitRef;
  readonly owner: LockOwner;
  readonly nowMs: () => number;
}

/** The lock that was taken with the commit `taken`: each write replaces the commit of the write before. */
function leaseOf({ ref, owner, nowMs }: Held, taken: Tip, document: SharedDocument): Lease {
  const { fence } = taken;
  let tip = taken;
  let written = document;
  const change = async (blobs: Tip['blobs']): Promise<void> => {
    const next = { blobs, fence, lock: lockText(owner, fence, nowMs()) };
    const commit = await ref.commitOf(next);
    if (!(await ref.replaced(tip.commit, commit))) {
      throw new BaseError(
        'locked',
        `${ref.name}: this run's lock is lost; somebody took it away while the run was under way, or it ended. Nothing more is written; run again.`,
      );
    }
    tip = { ...next, commit };
  };
  return {
    fence,
    leaseMs: LEASE_MS,
    document,
    write: async (given) => {
      const blobs: { -readonly [Part in keyof SharedDocument]: string } = {};
      for (const part of PARTS) {
        const text = given[part];
        if (text === undefined) continue;
        const known = text === written[part] ? tip.blobs[part] : undefined;
        blobs[part] = known ?? (await ref.blobOf(text));
      }
      await change(blobs);
      written = given;
    },
    renew: () => change(tip.blobs),
    release: async () => {
      const commit = await ref.commitOf({ blobs: tip.blobs, fence, lock: undefined });
      await ref.replaced(tip.commit, commit);
    },
  };
}

function lockText(owner: LockOwner, fence: number, nowMs: number): string {
  return `${lockInfo(owner, { fence, until: new Date(nowMs + LEASE_MS).toISOString() })}\n`;
}

/** When others take the lock, by their own clocks. */
function endOf({ until }: HeldBy): Pick<HeldBy, 'until'> {
  const ms = Date.parse(until ?? '') + CLOCKS_DIFFER_MS;
  return Number.isFinite(ms) ? { until: new Date(ms).toISOString() } : {};
}

function isFree(lock: HeldBy, id: string, nowMs: number): boolean {
  if (lock.id === id) return true;
  const until = Date.parse(lock.until ?? '');
  return Number.isFinite(until) && nowMs > until + CLOCKS_DIFFER_MS;
}

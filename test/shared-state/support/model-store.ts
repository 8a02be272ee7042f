import { BaseError } from '../../../src/base/base.ts';
import type {
  HeldBy,
  Lease,
  LockOwner,
  SharedDocument,
  SharedStore,
} from '../../../src/base/shared/shared-store.ts';
import type { Time } from './time.ts';

/** What tells the stores apart: who knows the time of a lease, and what names a write. */
export const KINDS = ['PostgreSQL', 'git', 'kbsync serve', 'a plain http backend'] as const;
export type Kind = (typeof KINDS)[number];

const LEASE_MS = 300_000;
const CLOCKS_DIFFER_MS = 300_000;

export interface ModelStore {
  /** `skewMs`: how far the machine's clock is off. */
  machine(time: Time, skewMs: number): SharedStore;
  /** What a person does with a lock without an end, who is sure that its holder is dead. */
  freePlainLock(who?: string): void;
  /** The state as it was saved last. */
  text(): string;
}

/** Each exchange may be lost on its way, or its answer on the way back; then the write is asked again where it is named, or given up. */
export function modelStore(kind: Kind, world: Time): ModelStore {
  let document: SharedDocument = {};
  let fence = 0;
  let version = 0;
  let lock: { readonly owner: LockOwner; readonly untilMs: number } | undefined;
  const isCas = kind === 'PostgreSQL' || kind === 'git';
  const lost = new BaseError('not-writable', 'no answer');
  const stale = new BaseError('locked', 'the lease is lost');

  const isFree = (skewMs: number): boolean => {
    if (lock === undefined) return true;
    if (kind === 'a plain http backend') return false;
    if (kind === 'git') return world.nowMs() + skewMs > lock.untilMs + CLOCKS_DIFFER_MS;
    return world.nowMs() > lock.untilMs;
  };

  const machine = (time: Time, skewMs: number): SharedStore => {
    const until = (): number => world.nowMs() + (kind === 'git' ? skewMs : 0) + LEASE_MS;
    const exchanged = async (work: () => void): Promise<boolean> => {
      await time.turn();
      const luck = time.random();
      if (luck < 0.03) return false;
      work();
      await time.turn();
      return luck >= 0.06;
    };
    const leaseOf = (owner: LockOwner, mine: number, from: number): Lease => {
      let follows = from;
      const change = async (next: SharedDocument | undefined): Promise<void> => {
        for (let attempt = 1; ; attempt += 1) {
          let isRefused = false;
          let isThere = false;
          const isHeard = await exchanged(() => {
            const isMine = lock?.owner.id === owner.id && fence === mine;
            isRefused = !isMine || (isCas && version !== follows && version !== follows + 1);
            if (isRefused || lock === undefined) return;
            isThere = true;
            lock = { owner, untilMs: until() };
            version = follows + 1;
            if (next !== undefined) document = next;
          });
          if (isHeard && isRefused) throw stale;
          if (isHeard) break;
          // The state is read: it shows the write, or the run ends; a named write is asked again.
          if (!isCas && next !== undefined && !isThere) throw lost;
          if (!isCas && isThere) break;
          if (attempt === 3) throw lost;
        }
        follows += 1;
      };
      return {
        fence: mine,
        leaseMs: kind === 'a plain http backend' ? undefined : LEASE_MS,
        document,
        write: (next) => change(next),
        renew: () => change(undefined),
        release: async () => {
          await exchanged(() => {
            if (lock?.owner.id === owner.id) lock = undefined;
          });
        },
      };
    };
    return {
      name: kind,
      read: () => Promise.resolve(document),
      lock: async (owner) => {
        let taken: number | undefined;
        let heldBy: HeldBy | undefined;
        const isHeard = await exchanged(() => {
          if (!isFree(skewMs)) {
            heldBy = lock?.owner;
            return;
          }
          fence += 1;
          version += 1;
          taken = fence;
          lock = { owner, untilMs: until() };
        });
        if (!isHeard) throw lost;
        const read = leaseOf(owner, taken ?? 0, version);
        return taken === undefined ? { heldBy: { ...heldBy } } : { lease: read };
      },
      unlock: () => Promise.resolve(false),
      close: () => Promise.resolve(),
    };
  };

  return {
    machine,
    freePlainLock: (who) => {
      if (kind === 'a plain http backend' && (who === undefined || lock?.owner.who === who)) lock = undefined;
    },
    text: () => document.state ?? '',
  };
}

import { BaseError } from '../base.ts';
import type { Lease } from './shared-store.ts';

/** The two clocks of a machine: the wall clock may be set, the other one stands still while the machine sleeps. */
export interface LeaseClock {
  nowMs(): number;
  monotonicMs(): number;
  /** Calls back again and again until cancelled; does not keep the process alive. */
  every(delayMs: number, callback: () => void): () => void;
}

/** One moment by both clocks. */
export interface Instant {
  readonly wall: number;
  readonly monotonic: number;
}

export function instantOf(clock: LeaseClock): Instant {
  return { wall: clock.nowMs(), monotonic: clock.monotonicMs() };
}

/** The longest time from the moment a request leaves to its answer, or to its end on this side (remote/http/send.ts). */
export const REQUEST_MS_MAX = 130_000;

/** A lock that this run holds until its lease ends: what may still be sent under it, and in which order. */
export interface HeldLease {
  /** One at a time, in the order of the calls. Throws what an earlier one failed with. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
  /** Carries out a write to the knowledge base. */
  readonly guard: <T>(work: () => Promise<T>) => Promise<T>;
  /** @throws BaseError `locked` once another run may soon hold the lock */
  readonly assertMayWrite: () => void;
  /** Whether a write to the knowledge base may still be on its way. */
  readonly mayArrive: () => boolean;
  /** Nothing more is sent; what is under way is waited for. */
  readonly end: () => Promise<void>;
}

/**
 * After a write to the store that failed nothing more is written: what the store holds is not known, and the next run finds out.
 *
 * `asked` is the moment before the store was asked for the lease: the store counts from when it granted it, which is later.
 */
export function holdLease(
  { leaseMs }: Pick<Lease, 'leaseMs'>,
  asked: Instant,
  { name, clock }: { readonly name: string; readonly clock: LeaseClock },
): HeldLease {
  let broken: unknown;
  let last: Promise<void> = Promise.resolve();
  let renewed = asked;
  let underWay = 0;
  let lastCut: Instant | undefined;

  const sinceRenewalMs = (): number =>
    Math.max(clock.nowMs() - renewed.wall, clock.monotonicMs() - renewed.monotonic);

  const assertMayWrite = (): void => {
    if (broken !== undefined) throw broken;
    if (leaseMs === undefined || sinceRenewalMs() < leaseMs - REQUEST_MS_MAX) return;
    throw new BaseError(
      'locked',
      `${name} did not renew this run's lock for ${Math.round(sinceRenewalMs() / 1000)} s, and its lease lasts ${leaseMs / 1000} s. ` +
        'Another run may soon hold it, so nothing more is sent. Run again when the store answers.',
    );
  };

  /** A failure is everybody's from then on. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const before = last;
    const done = (async () => {
      await before;
      if (broken !== undefined) throw broken;
      const begun = instantOf(clock);
      try {
        await work();
      } catch (error) {
        broken = error;
        throw error;
      }
      renewed = begun;
    })();
    last = done.catch(() => undefined);
    return done;
  };

  return {
    inTurn,
    assertMayWrite,
    async guard(work) {
      assertMayWrite();
      underWay += 1;
      try {
        return await work();
      } catch (error) {
        lastCut = instantOf(clock);
        throw error;
      } finally {
        underWay -= 1;
      }
    },
    mayArrive: () =>
      underWay > 0 ||
      (lastCut !== undefined &&
        Math.min(clock.nowMs() - lastCut.wall, clock.monotonicMs() - lastCut.monotonic) < REQUEST_MS_MAX),
    async end() {
      broken ??= new BaseError(
        'locked',
        `${name}: this run has given its lock back, so it sends nothing more.`,
      );
      await last;
    },
  };
}

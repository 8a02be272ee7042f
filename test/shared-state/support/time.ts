import type { LeaseClock } from '../../../src/base/shared/held-lease.ts';

/** One virtual clock for all machines; who goes on next is drawn. */
export interface Time {
  random(): number;
  nowMs(): number;
  readonly clock: LeaseClock;
  /** Goes on at a later moment; between, others may do anything. */
  turn(): Promise<void>;
  /** Goes on when so much time has passed. */
  at(delayMs: number): Promise<void>;
  /** A machine's life: from its end on, nothing of it goes on. */
  life(): Life;
  /** Lets time pass until the work is done. */
  until<T>(work: Promise<T>): Promise<T>;
}

export interface Life {
  readonly time: Time;
  readonly ended: Promise<'died'>;
  /** Dies when it has had so many turns. */
  endsAfter(turns: number): void;
  end(): void;
}

interface Waiting {
  readonly atMs: number;
  readonly go: () => void;
}

const NEVER = new Promise<never>(() => undefined);
const PAUSE_MS_MAX = 60_000;

export function simulatedTime(random: () => number): Time {
  let nowMs = Date.UTC(2026, 10, 23);
  const waiting = new Set<Waiting>();

  const at = (delayMs: number): Promise<void> =>
    new Promise((go) => {
      waiting.add({ atMs: nowMs + delayMs, go });
    });

  const every = (delayMs: number, callback: () => void): (() => void) => {
    let next: Waiting;
    const plan = (): void => {
      next = {
        atMs: nowMs + delayMs,
        go: () => {
          callback();
          plan();
        },
      };
      waiting.add(next);
    };
    plan();
    return () => {
      waiting.delete(next);
    };
  };

  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  const time: Time = {
    random,
    nowMs: () => nowMs,
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs, every },
    // Mostly at once, sometimes after a long pause.
    turn: () => at(random() < 0.9 ? random() * 50 : random() * PAUSE_MS_MAX * 5),
    at,
    life: () => {
      let isOver = false;
      let turns = Number.POSITIVE_INFINITY;
      let die: (word: 'died') => void = () => undefined;
      const ended = new Promise<'died'>((resolve) => {
        die = resolve;
      });
      const living = async (work: () => Promise<void>): Promise<void> => {
        if (isOver) return NEVER;
        turns -= 1;
        if (turns < 0) {
          isOver = true;
          die('died');
          return NEVER;
        }
        await work();
        return isOver ? NEVER : undefined;
      };
      const own: Time = {
        ...time,
        clock: { ...time.clock, every: (delayMs, callback) => every(delayMs, () => isOver || callback()) },
        turn: () => living(() => time.turn()),
      };
      return {
        time: own,
        ended,
        endsAfter: (count) => {
          turns = count;
        },
        end: () => {
          isOver = true;
        },
      };
    },
    until: async (work) => {
      let isDone = false;
      const ending = work.finally(() => {
        isDone = true;
      });
      ending.catch(() => undefined);
      for (;;) {
        await settled();
        if (isDone) return ending;
        let next: Waiting | undefined;
        for (const each of waiting) if (next === undefined || each.atMs < next.atMs) next = each;
        if (next === undefined) throw new Error('nothing can go on');
        waiting.delete(next);
        nowMs = Math.max(nowMs, next.atMs);
        next.go();
      }
    },
  };
  return time;
}

import { Refusal } from '../refusal.ts';

export interface BodyRoomOptions {
  /** Held in memory at a time; a single body may be larger. */
  readonly bytesMax: number;
  /** So many wait, unread and in their order; more are refused. */
  readonly waitingMax: number;
}

/** Does the work of a request that holds so many bytes, when there is room for them. @throws Refusal 503 */
export type BodyRoom = <Done>(bytes: number, work: () => Promise<Done>) => Promise<Done>;

interface Waiting {
  readonly bytes: number;
  readonly enter: () => void;
}

/** Room for large bodies: without it, clients that send some at once fill the memory of the process. */
export function createBodyRoom({ bytesMax, waitingMax }: BodyRoomOptions): BodyRoom {
  const queue: Waiting[] = [];
  let held = 0;
  const fits = (bytes: number): boolean => held === 0 || held + bytes <= bytesMax;
  const admit = (): void => {
    for (let [first] = queue; first !== undefined && fits(first.bytes); [first] = queue) {
      queue.shift();
      held += first.bytes;
      first.enter();
    }
  };
  return async (bytes, work) => {
    if (queue.length >= waitingMax) {
      throw new Refusal(503, 'nothing was written: many large bodies are arriving already; try again', {
        'Retry-After': '1',
      });
    }
    await new Promise<void>((enter) => {
      queue.push({ bytes, enter });
      admit();
    });
    try {
      return await work();
    } finally {
      held -= bytes;
      admit();
    }
  };
}

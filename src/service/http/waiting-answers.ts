import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Answers that wait for their readers. */
export interface WaitingAnswers {
  /** An answer was handed over whole. */
  readonly written: (answer: ServerResponse) => void;
  /** The reader who has taken nothing for longest. */
  readonly mostStalled: (but?: Socket) => Socket | undefined;
  readonly forget: (socket: Socket) => void;
  /** Ends answers that are taken too slowly. */
  readonly check: () => void;
  /** Of all of them together. */
  readonly bytes: () => number;
}

export interface WaitingLimits {
  readonly waitingBytesMax: number;
  readonly stalledMsMax: number;
  readonly bytesPerSecondMin: number;
}

/** Smaller answers fit into the buffers of the system, where they keep nothing of ours. */
const WATCHED_BYTES_MIN = 64 * 1024;
const STALL_MS = 1000;
const PATIENCE_MS = 30_000;

interface Waiting {
  readonly sinceMs: number;
  readonly bytes: number;
  stalledMs: number;
}

/** A bound on what waits for readers, and an end to answers that nobody takes: `close` ends the connection, and forgets it here. */
export function watchAnswers(
  { waitingBytesMax, stalledMsMax, bytesPerSecondMin }: WaitingLimits,
  close: (socket: Socket) => void,
): WaitingAnswers {
  const waiting = new Map<Socket, Waiting>();
  let waitingBytes = 0;

  const mostStalled = (but?: Socket): Socket | undefined => {
    const others = [...waiting].filter(([socket]) => socket !== but);
    return others.sort(([, a], [, b]) => b.stalledMs - a.stalledMs || a.sinceMs - b.sinceMs)[0]?.[0];
  };
  const makeRoom = (but: Socket): void => {
    const victim = waitingBytes > waitingBytesMax ? mostStalled(but) : undefined;
    if (victim === undefined) return;
    close(victim);
    makeRoom(but);
  };
  return {
    written(answer) {
      const { socket } = answer;
      if (socket === null || socket.destroyed || waiting.has(socket)) return;
      const bytes = socket.writableLength;
      if (bytes < WATCHED_BYTES_MIN) return;
      const state: Waiting = { sinceMs: performance.now(), bytes, stalledMs: 0 };
      waiting.set(socket, state);
      waitingBytes += bytes;
      const stalled = (): void => {
        if (waiting.get(socket) !== state) return;
        state.stalledMs += STALL_MS;
        if (state.stalledMs >= stalledMsMax) close(socket);
        else answer.setTimeout(STALL_MS);
      };
      // Node's own timer knows how much of one long write the system has taken.
      answer.setTimeout(STALL_MS, stalled);
      makeRoom(socket);
    },
    mostStalled,
    forget(socket) {
      waitingBytes -= waiting.get(socket)?.bytes ?? 0;
      waiting.delete(socket);
    },
    check() {
      const nowMs = performance.now();
      for (const [socket, { sinceMs, bytes }] of waiting) {
        const allowedMs = PATIENCE_MS + (bytes / bytesPerSecondMin) * 1000;
        if (nowMs - sinceMs > allowedMs) close(socket);
      }
    },
    bytes: () => waitingBytes,
  };
}

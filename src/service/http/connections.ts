import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { watchAnswers } from './waiting-answers.ts';

export interface ConnectionLimits {
  /** Default 1,000. */
  readonly connectionsMax?: number;
  /** Who was silent for less is not closed for others. Default 1 s. */
  readonly silentMsMin?: number;
  /** Bytes of all answers together that wait for their readers. Default 48 MiB. */
  readonly waitingBytesMax?: number;
  /** For so long a reader may take nothing of an answer, all its pauses together. Default 20 s. */
  readonly stalledMsMax?: number;
  /** Of an answer, a reader takes so much a second at least, after the first 30 s. Default 8 KiB. */
  readonly bytesPerSecondMin?: number;
}

export interface Connections {
  readonly open: () => number;
  /** Bytes of answers that wait for their readers. */
  readonly waitingBytes: () => number;
  /** Connections that were closed because their client kept others out. */
  readonly cut: () => number;
  /**
   * Ends what would never end by itself: connections without a request, and requests that have not arrived whole, which nobody
   * has acted on. Each of those is answered with `refusal` first.
   */
  readonly endUnasked: (refusal: string) => void;
  readonly stop: () => void;
}

const CHECK_MS = 1000;

/** So long a client may take to read why its connection ends. */
const FAREWELL_MS = 500;
/** What a request of these asks for is in its text, so nothing is done before it is whole. */
const READ_WHOLE: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

interface Asked {
  readonly request: IncomingMessage;
  readonly answer: ServerResponse;
}

/**
 * Keeps slow and silent clients from keeping others out: at most so many connections, of which the one that was longest
 * silent makes place for a new one; a bound on what waits for readers; and an end to answers that nobody takes.
 */
export function guardConnections(server: Server, limits: ConnectionLimits = {}): Connections {
  const {
    connectionsMax = 1000,
    silentMsMin = 1000,
    waitingBytesMax = 48 * 1024 * 1024,
    stalledMsMax = 20_000,
    bytesPerSecondMin = 8 * 1024,
  } = limits;
  /** Without a request, the longest silent first. */
  const quiet = new Map<Socket, number>();
  /** With a request under way, the oldest first. */
  const busy = new Map<Socket, Asked>();
  let cut = 0;

  const close = (socket: Socket | undefined): void => {
    if (socket === undefined || socket.destroyed) return;
    cut += 1;
    quiet.delete(socket);
    busy.delete(socket);
    answers.forget(socket);
    socket.destroy();
  };
  const answers = watchAnswers({ waitingBytesMax, stalledMsMax, bytesPerSecondMin }, close);
  const silent = (): Socket | undefined => {
    for (const [socket, sinceMs] of quiet) {
      return performance.now() - sinceMs >= silentMsMin ? socket : undefined;
    }
    return undefined;
  };
  const unread = (): Socket | undefined => [...busy].find(([, { request }]) => !request.complete)?.[0];

  const connected = (socket: Socket): void => {
    if (quiet.size + busy.size >= connectionsMax) {
      close(silent() ?? unread() ?? answers.mostStalled() ?? socket);
    }
    if (socket.destroyed) return;
    quiet.set(socket, performance.now());
    socket.once('close', () => {
      quiet.delete(socket);
      busy.delete(socket);
      answers.forget(socket);
    });
  };
  const asked = (request: IncomingMessage, answer: ServerResponse): void => {
    const { socket } = request;
    quiet.delete(socket);
    busy.set(socket, { request, answer });
    answer.once('finish', () => {
      answers.forget(socket);
      // A client may send its next request before it has the answer to this one.
      if (busy.get(socket)?.answer !== answer) return;
      busy.delete(socket);
      if (!socket.destroyed) quiet.set(socket, performance.now());
    });
  };
  const endUnasked = (refusal: string): void => {
    // What was answered already, the client still gets.
    for (const socket of quiet.keys()) socket.destroySoon();
    for (const [socket, { request, answer }] of busy) {
      if (request.complete || answer.headersSent) continue;
      // A method whose text nobody reads is carried out before the text is whole.
      if (!READ_WHOLE.has(request.method ?? '')) continue;
      // Without a socket, an answer waits behind an earlier one.
      if (answer.socket !== socket) continue;
      socket.end(refusal);
      setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
    }
  };
  const timer = setInterval(answers.check, CHECK_MS).unref();
  server.on('connection', connected);
  server.on('request', (request, answer) => {
    asked(request, answer);
    // Nobody tells when an answer was handed over whole, so it is looked for where it waits.
    answer.once('prefinish', () => setImmediate(answers.written, answer));
  });
  return {
    open: () => quiet.size + busy.size,
    waitingBytes: answers.bytes,
    cut: () => cut,
    endUnasked,
    stop: () => clearInterval(timer),
  };
}

import type { Send } from '../remote.ts';

/** A request and its whole answer as plain values. */
export interface PlainRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  /** Of the inflated answer. */
  readonly bytesMax: number;
  readonly signal?: AbortSignal;
}

export interface PlainResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Why `body` is not what was sent: it is cut at the cap, or cannot be inflated. */
  readonly problem?: string;
  /** Where a transport that follows redirects, against its promise, ended up. */
  readonly redirectedTo?: string;
}

/** Sends once; throws SendError when there is no whole answer. */
export type Exchange = (request: PlainRequest) => Promise<PlainResponse>;

/**
 * A Send that can also exchange plain values. The standard Request and Response cost about as much CPU as the whole
 * HTTP exchange, and 40 ms to load; so the client uses them only where the other side of the seam wants them.
 */
export type FastSend = Send & { readonly exchange?: Exchange };

export function exchangeOver(send: FastSend): Exchange {
  if (send.exchange !== undefined) return send.exchange;
  return async ({ method, url, headers, body, bytesMax }) => {
    const init = { method, headers, redirect: 'manual' as const };
    const response = await send(new Request(url, body === undefined ? init : { ...init, body }));
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      ...(response.redirected ? { redirectedTo: response.url } : {}),
      ...(await collected(response.body, bytesMax)),
    };
  };
}

/** A stream is cut as soon as it passes the cap. */
async function collected(
  stream: ReadableStream<Uint8Array> | null,
  bytesMax: number,
): Promise<Pick<PlainResponse, 'body' | 'problem'>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (stream === null) return { body: Buffer.alloc(0) };
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { body: Buffer.concat(chunks, size) };
    size += value.length;
    if (size > bytesMax) {
      void reader.cancel().catch(() => undefined);
      return { body: Buffer.alloc(0), problem: tooLarge(bytesMax) };
    }
    chunks.push(value);
  }
}

export function tooLarge(bytesMax: number): string {
  return `it is larger than ${bytesMax} bytes`;
}

/**
 * What is known after a request that was not a clear yes:
 * `not-sent` it never left (DNS, refused, TLS, connect timeout) · `unclear` it may have been carried out (timeout,
 * reset, 5xx, broken body, HTML) · `rejected` the service said no (4xx, `success: false`) · `throttled` 429 or 503 with
 * Retry-After · `unauthorized` 401/403 · `stale` 412, somebody edited in between · `redirect` any 3xx, or an answer that
 * shows the address to be wrong · `not-understood` a clear 2xx whose body is not what the spec says (reads only).
 */
export type RemoteErrorCode =
  | 'not-sent'
  | 'unclear'
  | 'rejected'
  | 'throttled'
  | 'unauthorized'
  | 'stale'
  | 'redirect'
  | 'not-understood'
  | 'aborted';

export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly code: RemoteErrorCode;
  /** `PUT /api/v2/articles` */
  readonly request: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  /** The service's own `message`, fit to be shown; undefined when the answer was not a JSON object. */
  readonly serviceMessage: string | undefined;

  constructor(
    code: RemoteErrorCode,
    message: string,
    details: {
      readonly request: string;
      readonly status?: number | undefined;
      readonly retryAfterMs?: number | undefined;
      readonly serviceMessage?: string | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: details.cause });
    this.code = code;
    this.request = details.request;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.serviceMessage = details.serviceMessage;
  }
}

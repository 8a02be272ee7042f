import { CodedError } from '../model/coded-error.ts';

/**
 * What is known after a request that was not a clear yes:
 * `not-sent` it never left (DNS, refused, TLS, connect timeout) · `unclear` it may have been carried out (timeout,
 * reset, 5xx, broken body, HTML) · `rejected` the service said no (4xx, `success: false`) · `throttled` 429 or 503 with
 * Retry-After · `unauthorized` 401, or every request of a kind was forbidden: no other will be let through · `forbidden` 403, of
 * this request alone · `stale` 412, somebody edited in between · `redirect` any 3xx, or an answer that
 * shows the address to be wrong · `not-understood` a 2xx that is no answer of this API, or one of which a field that is
 * needed cannot be read (reads only).
 */
export type RemoteErrorCode =
  | 'not-sent'
  | 'unclear'
  | 'rejected'
  | 'throttled'
  | 'unauthorized'
  | 'forbidden'
  | 'stale'
  | 'redirect'
  | 'not-understood'
  | 'aborted';

export class RemoteError extends CodedError<RemoteErrorCode> {
  override readonly name = 'RemoteError';
  /** `PUT /api/v2/articles` */
  readonly request: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  /** The service's own `message`, fit to be shown; undefined when the answer was not a JSON object. */
  readonly serviceMessage: string | undefined;
  /** `not-understood` because of one field of an answer that is the API's otherwise: `data[3].id`. */
  readonly field: string | undefined;
  /** How the user names key and address of this service; undefined: KBSYNC_API_KEY and `baseUrl`. */
  readonly names: { readonly key: string; readonly address: string } | undefined;

  constructor(
    code: RemoteErrorCode,
    message: string,
    details: {
      readonly request: string;
      readonly status?: number | undefined;
      readonly retryAfterMs?: number | undefined;
      readonly serviceMessage?: string | undefined;
      readonly field?: string | undefined;
      readonly names?: RemoteError['names'];
      readonly cause?: unknown;
    },
  ) {
    super(code, message, { cause: details.cause });
    this.request = details.request;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.serviceMessage = details.serviceMessage;
    this.field = details.field;
    this.names = details.names;
  }
}

/**
 * A request without an answer. `not-sent` is proved: no byte of the request left (name lookup, refused, TLS, connect
 * timeout); `unclear`: it left, wholly or in part, and no whole answer came back.
 */
export class SendError extends Error {
  override readonly name = 'SendError';
  readonly code: 'not-sent' | 'unclear';
  readonly isTimeout: boolean;

  constructor(
    code: 'not-sent' | 'unclear',
    message: string,
    details: { readonly isTimeout: boolean; readonly cause: unknown },
  ) {
    super(message, { cause: details.cause });
    this.code = code;
    this.isTimeout = details.isTimeout;
  }
}

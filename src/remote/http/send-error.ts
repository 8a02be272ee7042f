import { CodedError } from '../../model/coded-error.ts';

/**
 * A request without an answer. `not-sent` is proved: no byte of the request left (name lookup, refused, TLS, connect
 * timeout); `unclear`: it left, wholly or in part, and no whole answer came back.
 */
export class SendError extends CodedError<'not-sent' | 'unclear'> {
  override readonly name = 'SendError';
  readonly isTimeout: boolean;

  constructor(
    code: 'not-sent' | 'unclear',
    message: string,
    details: { readonly isTimeout: boolean; readonly cause: unknown },
  ) {
    super(code, message, { cause: details.cause });
    this.isTimeout = details.isTimeout;
  }
}

/** An answer came back, and nothing can be made of it. */
export class UnusableAnswer extends SendError {
  constructor(message: string) {
    super('unclear', message, { isTimeout: false, cause: undefined });
  }
}

/** The service says no: the status and the sentence of the answer. Thrown inside a write, it also undoes the write. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code = 'refused';
  readonly status: RefusalStatus;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: RefusalStatus, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/**
 * 400 the request itself is wrong · 401 no valid key · 403 the key may not · 404 no such thing · 405 not this method ·
 * 409 what is stored stands against it · 412 changed in between · 413 too large · 415 not JSON · 422 it names
 * something that is not there · 429 too often · 503 not now.
 */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 415 | 422 | 429 | 503;

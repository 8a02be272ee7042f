/** The address or the key cannot be used; nothing was sent. The message never holds the key or a password. */
export class RemoteSetupError extends Error {
  override readonly name = 'RemoteSetupError';
  readonly code: 'base-url' | 'api-key';

  constructor(code: 'base-url' | 'api-key', message: string) {
    super(message);
    this.code = code;
  }
}

import { CodedError } from '../model/coded-error.ts';

/**
 * Why the command stops before or beside the run: `usage` the command line or the environment asks for something that
 * does not exist · `config` kbsync.yaml cannot be used · `refused` a guard says no · `file` a file cannot be read or
 * written.
 */
export type SetupErrorCode = 'usage' | 'config' | 'refused' | 'file';

export class SetupError extends CodedError<SetupErrorCode> {
  override readonly name = 'SetupError';
  /** What would be right, as a sentence or a command. */
  readonly help: string | undefined;

  constructor(code: SetupErrorCode, message: string, options: { help?: string; cause?: unknown } = {}) {
    super(code, message, { cause: options.cause });
    this.help = options.help;
  }
}

/**
 * Why the command stops before or beside the run: `usage` the command line or the environment asks for something that
 * does not exist · `config` kbsync.yaml cannot be used · `refused` a guard says no · `file` a file cannot be read or
 * written.
 */
export type CliErrorCode = 'usage' | 'config' | 'refused' | 'file';

export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: CliErrorCode;
  /** What would be right, as a sentence or a command. */
  readonly help: string | undefined;

  constructor(code: CliErrorCode, message: string, options: { help?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.help = options.help;
  }
}

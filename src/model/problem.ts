/** A place in a file; line and column start at 1. `file` is relative to the working directory. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

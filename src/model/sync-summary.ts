/** How many records ended in which way, as `--json` counts them. */
export interface SyncSummary {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  readonly conflict: number;
  readonly drift: number;
  readonly failed: number;
  readonly pending: number;
  /** Changes that were not sent: the run was interrupted, or they stood on something that failed. */
  readonly skipped: number;
}

/** What was looked at, how it stands, and what to do about it. */
export interface Check {
  readonly check: string;
  readonly standing: 'ok' | 'warning' | 'failed';
  readonly found: string;
  readonly help?: string;
}

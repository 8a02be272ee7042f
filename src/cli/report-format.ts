/** What `--format` takes; `json` is `--json`. */
export const REPORT_FORMATS = ['text', 'json', 'ndjson', 'sarif', 'junit', 'github'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** What `completions` writes a script for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

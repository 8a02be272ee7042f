/** What `--format` takes; `json` is `--json`. */
export const REPORT_FORMATS = ['text', 'json', 'ndjson', 'sarif', 'junit', 'github'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

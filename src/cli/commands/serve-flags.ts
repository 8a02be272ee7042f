/** What `serve` and the commands below it understand. */
export interface DatabaseFlags {
  readonly db: string;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
}

/** What the reading site understands. */
export interface SiteFlags {
  /** False by `--no-site`. */
  readonly site: boolean;
  readonly siteName?: string;
  /** Where readers find it, when a proxy stands before the service. */
  readonly siteUrl?: string;
  readonly accent?: string;
  readonly previewToken?: string;
}

export interface ServeFlags extends DatabaseFlags, SiteFlags {
  readonly port: number;
  readonly host: string;
  /** Comma-separated, the default language first. */
  readonly languages?: string;
  readonly keyFile?: string;
}

export interface KeyFlags extends DatabaseFlags {
  readonly name: string;
}

export interface VersionFlags extends DatabaseFlags {
  readonly name: string;
  readonly active: boolean;
  readonly released: boolean;
  readonly feature: readonly string[];
}

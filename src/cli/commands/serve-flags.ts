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
  /** A line of JSON on stderr for each request. */
  readonly log: boolean;
  readonly metricsPort?: number;
  /** Requests a minute for each key. */
  readonly rateLimit?: number;
  readonly cors?: string;
  readonly checkLinks: boolean;
  readonly allowPrivateLinks: boolean;
  /** Seconds between `not ready` and the close. */
  readonly stopDelay: number;
}

export interface KeyFlags extends DatabaseFlags {
  readonly name: string;
  readonly scope: 'read' | 'write';
  readonly expires?: string;
}

export interface AuditFlags extends DatabaseFlags {
  readonly since?: string;
  readonly key?: string;
  readonly record?: string;
  readonly limit: number;
}

export interface VersionEditFlags extends DatabaseFlags {
  readonly name?: string;
  readonly active?: boolean;
  readonly released?: boolean;
  readonly feature: readonly string[];
}

export interface VersionFlags extends DatabaseFlags {
  readonly name: string;
  readonly active: boolean;
  readonly released: boolean;
  readonly feature: readonly string[];
}

/** What `serve` and the commands below it understand. */
export interface DatabaseFlags {
  readonly db: string;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
}

export interface ServeFlags extends DatabaseFlags {
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

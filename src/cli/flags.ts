import type { PresetName } from '../content/options.ts';
import { shellWord } from './plain.ts';
import type { ReportFormat } from './report-format.ts';

/** What every command understands. Values are as typed; nothing is checked yet. */
export interface CommonFlags {
  readonly config?: string;
  readonly content?: string;
  readonly baseUrl?: string;
  readonly state?: string;
  readonly env?: string;
  readonly lang: readonly string[];
  readonly allow: readonly string[];
  readonly json: boolean;
  /** Check, plan and sync only. */
  readonly format?: ReportFormat;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly yes: boolean;
  /** False after `--no-color`. */
  readonly color: boolean;
  /** False after `--no-cache`. */
  readonly cache: boolean;
}

/** The flags that name files, state and address, to be repeated in a command that is shown: ` --env staging`, or empty. */
export function setupFlags(flags: CommonFlags): string {
  const named: readonly (readonly [string, string | undefined])[] = [
    ['--config', flags.config],
    ['--content', flags.content],
    ['--base-url', flags.baseUrl],
    ['--state', flags.state],
    ['--env', flags.env],
  ];
  return named.map(([name, value]) => (value === undefined ? '' : ` ${name} ${shellWord(value)}`)).join('');
}

export interface ResolveFlags extends CommonFlags {
  readonly local?: boolean;
  readonly remote?: boolean;
  readonly concurrency?: number;
  readonly settle?: number;
}

export interface RestoreFlags extends CommonFlags {
  readonly dryRun: boolean;
  readonly assumeComplete: boolean;
  readonly allowEmptyRemote: boolean;
  readonly concurrency?: number;
}

export interface PullFlags extends CommonFlags {
  readonly dryRun: boolean;
  readonly status?: 'published' | 'draft';
  /** False after `--no-clean`. */
  readonly clean: boolean;
  readonly withTools: boolean;
  readonly assets: boolean;
  readonly assetHost: readonly string[];
  readonly concurrency?: number;
}

/** What a person vouches for; a command takes those of its guards. */
export interface GuardFlags {
  readonly allowVanished?: boolean;
  readonly allowScopeChange?: boolean;
  readonly allowCheckout?: boolean;
  readonly assumeComplete?: boolean;
  readonly allowEmptyRemote?: boolean;
}

/** What plan, sync and apply understand on top. */
export interface RunFlags extends CommonFlags {
  readonly prune: boolean;
  readonly maxDelete?: number;
  readonly onConflict: 'fail' | 'local' | 'remote';
  readonly onDrift: 'report' | 'overwrite';
  readonly adopt?: 'local' | 'remote';
  readonly allowVanished: boolean;
  readonly allowScopeChange: boolean;
  readonly allowCheckout: boolean;
  readonly assumeComplete: boolean;
  readonly allowEmptyRemote: boolean;
  readonly concurrency?: number;
  /** Seconds. */
  readonly settle?: number;
}

export interface WatchFlags extends RunFlags {
  /** One whole run, then the end. */
  readonly once: boolean;
}

export interface DevFlags extends CommonFlags {
  readonly port: number;
  readonly host: string;
  /** The database; default: `.kbsync/dev.db`. */
  readonly db?: string;
  /** Open the page in a browser; undefined: where a person is. */
  readonly open?: boolean;
  /** False after `--no-live-reload`. */
  readonly liveReload: boolean;
  /** False after `--no-overlay`. */
  readonly overlay: boolean;
}

export interface StatusFlags extends CommonFlags {
  /** Ask the service too. */
  readonly remote: boolean;
}

export interface PlanFlags extends RunFlags {
  readonly exitCode: boolean;
  readonly out?: string;
  readonly html?: string;
  readonly markdown: boolean;
}

export interface ConvertFlags extends CommonFlags {
  readonly preset?: PresetName;
}

export interface VersionListFlags extends CommonFlags {
  readonly released: boolean;
  readonly count?: number;
}

export interface LinkFlags extends CommonFlags {
  readonly only?: 'broken' | 'working' | 'unchecked';
  readonly article?: string;
  readonly url?: string;
  readonly failOn?: 'broken' | 'unchecked';
}

export interface ReviewFlags extends CommonFlags {
  /** `30d` or a day. */
  readonly due?: string;
  readonly status?: 'published' | 'draft';
}

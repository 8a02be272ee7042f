import type { SyncPolicy } from '../sync/report.ts';
import { urlsOf } from './files-run.ts';
import { allowedBy, CONCURRENCY, milliseconds } from './policy.ts';
import type { Settings } from './settings.ts';

export interface MigrateFlags {
  readonly from: string;
  readonly to: string;
  readonly config?: string;
  readonly defaultLanguage?: string;
  readonly state?: string;
  /** Besides the originals. */
  readonly lang: readonly string[];
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly yes: boolean;
  readonly color: boolean;
  readonly dryRun: boolean;
  readonly redirects?: string;
  readonly redirectsAll: boolean;
  readonly prune: boolean;
  readonly maxDelete?: number;
  readonly onConflict: 'fail' | 'from' | 'to';
  readonly onDrift: 'report' | 'overwrite';
  readonly adopt?: 'from' | 'to';
  readonly skipUnreadable: boolean;
  readonly assumeComplete: boolean;
  readonly allowEmptyRemote: boolean;
  readonly allowVanished: boolean;
  readonly allowScopeChange: boolean;
  readonly stamp: boolean;
  readonly verify: boolean;
  readonly concurrency?: number;
  /** Seconds. */
  readonly settle?: number;
  readonly fromArticleUrl?: string;
  readonly fromCategoryUrl?: string;
  readonly fromTagUrl?: string;
  readonly toArticleUrl?: string;
  readonly toCategoryUrl?: string;
  readonly toTagUrl?: string;
}

const SIDES = { fail: 'fail', from: 'local', to: 'remote' } as const;

/** In the words of a run: the source is where the files are, the target is the remote. */
export function policyOfMigration(flags: MigrateFlags, settings: Settings): SyncPolicy {
  const { file } = settings;
  return {
    prune: flags.prune,
    maxDelete: flags.maxDelete,
    onConflict: SIDES[flags.onConflict],
    onDrift: flags.onDrift,
    adopt: SIDES[flags.adopt ?? 'fail'],
    allow: allowedBy(flags),
    stamp: flags.stamp && (file.stamp ?? true),
    languages: flags.lang.length === 0 ? undefined : [defaultLanguageOf(flags, settings), ...flags.lang],
    concurrencyMax: flags.concurrency ?? file.concurrency ?? CONCURRENCY,
    settleMs: milliseconds(flags.settle),
  };
}

/** The language of the originals, on both sides. */
export function defaultLanguageOf({ defaultLanguage }: MigrateFlags, { file }: Settings): string {
  return defaultLanguage ?? file.defaultLanguage ?? 'en';
}

/** Page addresses of both sides: flags over file. */
export function sitesOf(flags: MigrateFlags, { file }: Settings) {
  const { article, category, tag } = urlsOf(file);
  return {
    from: {
      article: flags.fromArticleUrl ?? article,
      category: flags.fromCategoryUrl ?? category,
      tag: flags.fromTagUrl ?? tag,
    },
    to: {
      article: flags.toArticleUrl ?? article,
      category: flags.toCategoryUrl ?? category,
      tag: flags.toTagUrl ?? tag,
    },
  };
}

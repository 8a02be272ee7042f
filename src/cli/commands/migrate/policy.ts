import type { MigrateFlags } from './command.ts';
import type { PlanPolicy } from '../../../plan/policy.ts';
import type { SyncPolicy } from '../../../sync/report.ts';
import { urlsOf } from '../../../config/content-options.ts';
import { allowedBy, policyFrom } from '../../run/policy.ts';
import type { Settings } from '../../../config/settings.ts';

const SIDES = { fail: 'fail', from: 'local', to: 'remote' } as const;

/** In the words of a run: the source is where the files are, the target is the remote. */
export function policyOfMigration(flags: MigrateFlags, settings: Settings): SyncPolicy {
  const { prune, maxDelete, onDrift, lang } = flags;
  const originals = defaultLanguageOf(flags, settings);
  const chosen: PlanPolicy = {
    prune,
    maxDelete,
    onConflict: SIDES[flags.onConflict],
    onDrift,
    adopt: SIDES[flags.adopt ?? 'fail'],
    allow: allowedBy(flags),
    languages: lang.length === 0 ? undefined : [originals, ...lang],
  };
  const policy = policyFrom(chosen, flags)(settings);
  return { ...policy, stamp: flags.stamp && policy.stamp };
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

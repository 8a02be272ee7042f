import type { LoadedBase } from '../base/base.ts';
import { readBound, writeBound } from '../content/reading/readings.ts';
import type { LoadedContent } from '../content/options.ts';
import { digestOfText } from '../model/digest.ts';
import type { KnownOutcome, OutcomeMemory } from '../sync/survey/known-outcome.ts';
import type { SyncPolicy } from '../sync/report.ts';

export interface OutcomeBinding {
  readonly version: string;
  readonly address: string;
  readonly content: LoadedContent;
  readonly base: LoadedBase;
  readonly policy: SyncPolicy;
}

/**
 * The outcome of the last run, beside the content cache and bound to all that a plan follows from but the lists. Undefined
 * where something of that has no digest (no cache, a journal that was not saved). Files that changed just now may change again
 * without a trace: nothing is kept of them, but what is known of the files before that still holds for all others.
 */
export function outcomesOf(
  cacheFile: string | undefined,
  { version, address, content, base, policy }: OutcomeBinding,
): OutcomeMemory | undefined {
  const { digest, edited } = content;
  if (cacheFile === undefined || base.digest === undefined) return undefined;
  if (digest === undefined && edited === undefined) return undefined;
  // A run over chosen records does not tell of all.
  if (policy.only !== undefined) return undefined;
  const file = `${cacheFile}.outcome`;
  const wishes = Object.entries(policy).map(([name, value]) => [
    name,
    value instanceof Set ? [...value] : value,
  ]);
  const bindingWith = (files: string): string =>
    digestOfText(JSON.stringify([version, address, files, base.digest, wishes]));
  const binding = digest === undefined ? undefined : bindingWith(digest);
  // Written by this very version under this very binding.
  const read = (of: string) => readBound(file, of) as KnownOutcome | undefined;
  return {
    read: () => (binding === undefined ? undefined : read(binding)),
    beforeEdits: () => {
      const outcome = edited === undefined ? undefined : read(bindingWith(edited.since));
      return outcome === undefined || edited === undefined ? undefined : { outcome, keys: edited.keys };
    },
    write: (outcome) => {
      if (binding !== undefined) writeBound(file, binding, outcome);
    },
  };
}
